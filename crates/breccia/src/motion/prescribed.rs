//! Prescribed motion of walls: a list of parts, the first innermost.

mod part;
mod speed_bound;
mod table;
#[cfg(test)]
mod tests;

use super::{Pose, Twist};
use glam::DVec3;
use serde::{Deserialize, Serialize};

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

impl PrescribedMotion {
    /// world_from_wall at time `t` [s], computed from the pose at rest, so that nothing drifts.
    pub fn pose(&self, t: f64) -> Pose {
        self.parts.iter().fold(Pose::IDENTITY, |inner, part| part.pose(t).compose(&inner))
    }

    /// Time derivative of [`Self::pose`] at `t` [s], from the right where a part begins, ends or has a knot.
    pub fn twist(&self, t: f64) -> Twist {
        let carry = |inner: Twist, part: &MotionPart| inner.carried_by(&part.pose(t)) + part.twist(t);
        self.parts.iter().fold(Twist::ZERO, carry)
    }

    /// True when the pose is the same at all times (a table may still hold it away from the pose at rest).
    pub fn is_static(&self) -> bool {
        self.parts.iter().all(MotionPart::is_static)
    }

    /// Upper bound of the speed [m/s] that any point of the ball at `centre` [m, wall frame] with `radius` [m]
    /// reaches from time 0 to `duration` [s]. An infinite radius is allowed: the bound is then infinite only if
    /// the wall turns.
    pub fn max_speed(&self, centre: DVec3, radius: f64, duration: f64) -> f64 {
        speed_bound::max_speed(&self.parts, speed_bound::Ball { centre, radius }, duration)
    }
}
