//! What a run changes, as plain arrays.

mod bodies;
mod order;

pub use bodies::{Bodies, NewBody, PlaceRow, SpinRow};
pub use order::space_filling_order;
