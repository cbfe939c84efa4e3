//! What a run tells of itself: energies, contacts, time spent.

mod records;
mod sample;
mod timers;

pub use records::{contact_records, visit_contacts};
pub use sample::{ContactStatistics, EnergyBudget, Sample, mechanical_energy, take_sample};
pub use timers::{Phase, Timers};
