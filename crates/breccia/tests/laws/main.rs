//! Laws of single contacts against closed forms.

mod closed_forms;
mod encounters;
mod energy;
mod invariants;
#[path = "../support/mod.rs"]
mod support;
mod third_law;
mod torsion;
