//! How bodies and walls move.

mod prescribed;

pub use prescribed::{MotionKind, MotionPart, Pose, PrescribedMotion, Twist};
