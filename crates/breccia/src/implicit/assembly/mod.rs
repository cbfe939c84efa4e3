//! Assemblies of grains: filling, compaction to a porosity, biaxial compression, the column that collapses.

mod biaxial;
mod column;
mod compaction;
mod grain_box;

pub use biaxial::{Biaxial, BiaxialPlan, BiaxialRow};
pub use column::{Column, ColumnPlan, ColumnShape};
pub use compaction::{Compaction, CompactionPlan, compact, compact_to_porosity, compact_with};
pub(in crate::implicit) use compaction::{has_come_to_rest, overdamped_step};
pub use grain_box::{BoxWall, GrainMix, GrainRows, box_of_grains};
