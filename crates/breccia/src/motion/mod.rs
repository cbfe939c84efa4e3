//! How bodies and walls move.

mod pose;
mod prescribed;

pub use pose::{Pose, Twist};
pub use prescribed::{MotionKind, MotionPart, PrescribedMotion};
