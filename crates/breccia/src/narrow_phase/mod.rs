//! Where exactly two near things touch.

mod hierarchy;
mod sphere_wall;

pub use hierarchy::{Candidate, survivors};
pub use sphere_wall::{FeatureKind, Touches, WallTouch, touches};
