//! How bodies and walls move.

mod central_differences;
mod pose;
mod prescribed;

pub use central_differences::{move_bodies, turned};
pub use pose::{Pose, Twist};
pub use prescribed::{MotionKind, MotionPart, PrescribedMotion};
