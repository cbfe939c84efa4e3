//! What a run tells of itself: energies, contacts, loads on meshes, time spent.

mod bonds;
mod mesh_loads;
mod records;
mod sample;
mod timers;

pub use bonds::{BondLoad, BondStatistics, FragmentMass, bond_loads, bond_statistics, fragment_masses};
pub use mesh_loads::{ElementLoad, MeshLoad, mesh_loads};
pub use records::{contact_records, visit_contacts};
pub use sample::{ContactStatistics, EnergyBudget, Sample, mechanical_energy, take_sample};
pub use timers::{Phase, Timers};
