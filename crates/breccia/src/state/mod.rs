//! What a run changes, as plain arrays. A checkpoint is this and nothing else.

mod bodies;
mod memory;
mod order;
mod run_state;

pub use bodies::{Bodies, NewBody, PlaceRow, SpinRow};
pub use order::space_filling_order;
pub use run_state::{AgendaState, Ledger, Removed, State};
