//! What a run changes, as plain arrays. A checkpoint is this and nothing else.

mod agenda;
mod bodies;
mod clumps;
mod memory;
mod order;
mod rigid;
mod run_state;

pub use agenda::{AgendaState, Timetable};
pub use bodies::{Bodies, NewBody, PlaceRow, SpinRow, Wraps};
pub use clumps::{Clump, ClumpMotion, Clumps, Member, NewClump};
pub use order::space_filling_order;
pub use rigid::RigidBody;
pub use run_state::{Ledger, Removed, State};
