//! Bonded clusters: scenes with them, breaking, fragments, searching. Closed forms, conservation and strengths are
//! experiments of `breccia verify bonded`.

#[path = "../support/mod.rs"]
mod support;

mod builders;
mod clusters;
mod fragments;
mod on_meshes;
mod output;
mod release;
mod removal;
mod same_bits;
mod search;
