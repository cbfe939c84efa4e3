//! How bodies and walls move.

mod central_differences;
mod clumps;
mod pose;
mod prescribed;

pub use central_differences::{move_bodies, turned};
pub use clumps::move_clumps;
pub use pose::{Pose, Twist};
pub use prescribed::{MotionKind, MotionPart, PrescribedMotion};
