//! What a run tells of itself: energies, contacts, loads on meshes, time spent.

mod mesh_loads;
mod records;
mod sample;
mod timers;

pub use mesh_loads::{ElementLoad, MeshLoad, mesh_loads};
pub use records::{contact_records, visit_contacts};
pub use sample::{ContactStatistics, EnergyBudget, Sample, mechanical_energy, take_sample};
pub use timers::{Phase, Timers};
