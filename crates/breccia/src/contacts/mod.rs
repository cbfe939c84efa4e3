//! Contacts: the one record, the blocks the step works on, and memory carried from step to step.

mod block;
mod carry;
mod chunk;
mod evaluate;
mod forces;
mod group;
mod lists;
mod record;
mod surface;

pub use block::{ContactBlock, RollingBlock};
pub use carry::{CarriedPairs, Memory};
pub use chunk::{Chunk, Flow, StepReport, StepTotals, WallLoad};
pub use evaluate::{pair_forces, surface_forces};
pub use forces::{ForceRow, Forces, PairLoads};
pub use group::{LaneView, PairGroup};
pub use lists::{ContactLists, ListInput};
pub use record::{Attachment, ContactForce, ContactKey, ContactRecord, Partner};
pub use surface::{NearWall, SurfaceContact, SurfaceContacts};
