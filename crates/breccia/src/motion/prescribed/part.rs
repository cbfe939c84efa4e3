//! Pose and velocity of one part.

use super::{MotionKind, MotionPart, Pose, Twist, table};
use std::f64::consts::TAU;

impl MotionPart {
    /// Pose that the part adds at time `t` [s]: at rest before the start, kept after the stop.
    pub fn pose(&self, t: f64) -> Pose {
        let elapsed = self.elapsed(t);
        match &self.kind {
            MotionKind::Translation { velocity } => Pose::from_translation(*velocity * elapsed),
            MotionKind::Rotation { point, axis, speed } => Pose::from_turn(*point, *axis, speed * elapsed),
            MotionKind::Oscillation { amplitude, frequency, phase } => {
                Pose::from_translation(*amplitude * swing(*frequency, *phase, elapsed))
            }
            MotionKind::Rocking { point, axis, amplitude, frequency, phase } => {
                Pose::from_turn(*point, *axis, amplitude * swing(*frequency, *phase, elapsed))
            }
            MotionKind::Table { times, poses } => table::pose(times, poses, elapsed),
        }
    }

    /// Velocity that the part adds at time `t` [s], in the frame into which its pose maps; zero outside [start, stop).
    pub fn twist(&self, t: f64) -> Twist {
        if t < self.start || t >= self.stop {
            return Twist::ZERO;
        }
        let elapsed = self.elapsed(t);
        match &self.kind {
            MotionKind::Translation { velocity } => Twist { linear: *velocity, ..Twist::ZERO },
            MotionKind::Rotation { point, axis, speed } => {
                Twist::about(*point, *axis * *speed, glam::DVec3::ZERO)
            }
            MotionKind::Oscillation { amplitude, frequency, phase } => {
                Twist { linear: *amplitude * swing_rate(*frequency, *phase, elapsed), ..Twist::ZERO }
            }
            MotionKind::Rocking { point, axis, amplitude, frequency, phase } => {
                let speed = amplitude * swing_rate(*frequency, *phase, elapsed);
                Twist::about(*point, *axis * speed, glam::DVec3::ZERO)
            }
            MotionKind::Table { times, poses } => table::twist(times, poses, elapsed),
        }
    }

    /// True when the part's pose never changes.
    pub fn is_static(&self) -> bool {
        let at_rest = match &self.kind {
            MotionKind::Translation { velocity } => velocity.length_squared() == 0.0,
            MotionKind::Rotation { speed, .. } => *speed == 0.0,
            MotionKind::Oscillation { amplitude, frequency, .. } => {
                amplitude.length_squared() == 0.0 || *frequency == 0.0
            }
            MotionKind::Rocking { amplitude, frequency, .. } => *amplitude == 0.0 || *frequency == 0.0,
            MotionKind::Table { poses, .. } => poses.windows(2).all(|pair| pair[0] == pair[1]),
        };
        at_rest || self.stop <= self.start
    }

    /// Time the part has acted at `t` [s].
    fn elapsed(&self, t: f64) -> f64 {
        t.min(self.stop).max(self.start) - self.start
    }
}

/// sin(2π f s + phase) − sin(phase): starts from zero, whatever the phase.
fn swing(frequency: f64, phase: f64, elapsed: f64) -> f64 {
    libm::sin(TAU * frequency * elapsed + phase) - libm::sin(phase)
}

/// Derivative of [`swing`] by the elapsed time [1/s].
fn swing_rate(frequency: f64, phase: f64, elapsed: f64) -> f64 {
    TAU * frequency * libm::cos(TAU * frequency * elapsed + phase)
}
