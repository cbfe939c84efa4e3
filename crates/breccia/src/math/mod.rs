//! Numbers the laws are written in: one value or eight lanes, the same formulas and the same bits.

mod lanes;
mod real;
mod vec3;

pub use lanes::{LANES, Lanes, NarrowLanes};
pub use real::{Real, larger_or_nan};
pub use vec3::Vec3;
