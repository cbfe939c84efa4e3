//! Contact of deformable bodies: points against segments and walls, with a memory.

mod candidates;
mod element;
mod friction;
mod pairs;
mod pressure;
mod sort;

pub use candidates::{Candidate, Evaluated, begin_candidates, evaluate};
pub use element::{ContactStart, ContactStep, ContactStiffness, Opposite};
pub use friction::{Friction, Grip};
pub use pairs::{PairMemory, PairTable};
pub use pressure::{Pressure, PressureRule, contact_energy};
pub use sort::{SortedPairs, crossing, missed_overlap, sort_points};
