//! Prescribed motion of walls: a list of parts, the first innermost.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Rigid transform from a wall's frame to the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// world_from_wall rotation.
    pub rotation: DQuat,
    /// Position of the wall frame's origin [m, world].
    pub translation: DVec3,
}

/// Rigid velocity field: a point p moves at `linear + angular × p`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// Velocity of the point at the world origin [m/s, world].
    pub linear: DVec3,
    /// Angular velocity [rad/s, world].
    pub angular: DVec3,
}

/// One elementary motion, in the frame that the parts after it carry along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MotionKind {
    /// Constant velocity [m/s].
    Translation {
        /// Velocity [m/s].
        velocity: DVec3,
    },
    /// Constant rotation about an axis.
    Rotation {
        /// A point of the axis [m].
        point: DVec3,
        /// Unit axis.
        axis: DVec3,
        /// Angular speed [rad/s], right-handed about the axis.
        speed: f64,
    },
    /// Displacement amplitude·sin(2π f t + phase), minus its value at the start (no jump).
    Oscillation {
        /// Amplitude vector [m].
        amplitude: DVec3,
        /// Frequency [Hz].
        frequency: f64,
        /// Phase at the start [rad].
        phase: f64,
    },
    /// Rotary oscillation about an axis: angle amplitude·sin(2π f t + phase), minus its value at the start.
    Rocking {
        /// A point of the axis [m].
        point: DVec3,
        /// Unit axis.
        axis: DVec3,
        /// Largest angle [rad].
        amplitude: f64,
        /// Frequency [Hz].
        frequency: f64,
        /// Phase at the start [rad].
        phase: f64,
    },
    /// Poses at instants, interpolated (translation linearly, rotation along the shortest arc).
    Table {
        /// Instants after the start [s], increasing; the first is 0.
        times: Vec<f64>,
        /// Pose at each instant, relative to the pose at rest.
        poses: Vec<Pose>,
    },
}

/// A motion and the time it acts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionPart {
    /// What moves.
    pub kind: MotionKind,
    /// Instant it begins [s].
    pub start: f64,
    /// Instant it ends [s]; the wall keeps the pose reached there.
    pub stop: f64,
}

/// Composition of motions; empty for a wall at rest.
///
/// `world_from_wall(t) = part_last(t) ∘ … ∘ part_first(t)`: a rotation listed before a translation turns
/// about an axis that travels along.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrescribedMotion {
    /// Parts, the first innermost.
    pub parts: Vec<MotionPart>,
}
