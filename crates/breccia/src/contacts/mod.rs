//! Contacts: the one record, the blocks the step works on, and memory carried from step to step.

mod block;
pub mod bonds;
mod build;
mod carry;
mod chunk;
mod element_sums;
mod face_forces;
mod faces;
mod forces;
mod found;
mod group;
mod lanes;
mod lists;
mod lone;
mod loss_sums;
mod matching;
mod near_surfaces;
mod neighbourhoods;
mod pair_forces;
mod record;
mod separated;
mod surface;
mod surface_forces;
mod surface_lanes;
mod surface_loads;
mod waiting;
mod wake;
mod wall_approach;
mod watched;

pub use block::{ContactBlock, RollingBlock};
pub use build::activate_pair;
pub use carry::{CarriedPairs, GONE, Memory};
pub use chunk::{Chunk, Flow, StepReport, StepTotals, WallLoad};
pub use element_sums::{ElementSum, ElementSums, MeshSums};
pub use faces::FaceGroup;
pub use forces::{ForceRow, Forces, PairLoads};
pub use group::PairGroup;
pub use lanes::{ContactLanes, LaneView};
pub use lists::{ContactLists, ListInput};
pub use lone::{LoneIndex, NO_CONTACT, NearOneMesh};
pub use matching::{ContactMark, MatchScratch, has_changed_sides, match_contacts, matching_reach};
pub use pair_forces::pair_forces;

use pair_forces::ownership;

pub use record::{Attachment, ContactForce, ContactKey, ContactRecord, Partner};
pub use surface::{HeldContact, NearWall, SurfaceContact, SurfaceContacts};
pub use surface_forces::surface_forces;
pub use waiting::{FindNear, NearTest, WaitingPairs};
pub use wake::wake_touching;
pub use watched::WatchedPairs;
