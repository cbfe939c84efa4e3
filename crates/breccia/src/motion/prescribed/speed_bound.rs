//! Upper bound of the speed of a moving wall.
//!
//! From the innermost part outwards, a ball that holds the wall is grown until it holds everything the part sweeps;
//! each part then moves no point faster than its speed bound on the ball before it.

use super::table::{self, Segment};
use super::{MotionKind, MotionPart, Pose};
use glam::DVec3;
use std::f64::consts::TAU;

/// A ball that holds the wall.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    /// Centre [m].
    pub centre: DVec3,
    /// Radius [m]; may be infinite.
    pub radius: f64,
}

impl Ball {
    fn distance_to_axis(&self, point: DVec3, axis: DVec3) -> f64 {
        let arm = self.centre - point;
        (arm - axis * arm.dot(axis)).length()
    }

    fn turned_about(&self, point: DVec3, axis: DVec3) -> Self {
        let foot = point + axis * (self.centre - point).dot(axis);
        Self { centre: foot, radius: self.radius + self.distance_to_axis(point, axis) }
    }

    fn shifted(&self, offset: DVec3, spread: f64) -> Self {
        Self { centre: self.centre + offset, radius: self.radius + spread }
    }
}

/// Bound of the speed [m/s] over [0, duration] of all points of `wall`.
pub(super) fn max_speed(parts: &[MotionPart], wall: Ball, duration: f64) -> f64 {
    let mut ball = wall;
    let mut bounds = Vec::with_capacity(parts.len());
    for part in parts {
        let acts = part.start < duration && part.stop > 0.0 && !part.is_static();
        bounds.push(if acts { speed_on(part, &ball) } else { 0.0 });
        ball = swept(part, &ball, duration);
    }
    // After the latest start parts only end, so the sum is largest when some part starts.
    let speed_at = |t: f64| -> f64 {
        let acting = parts.iter().zip(&bounds).filter(|(part, _)| part.start <= t && t < part.stop);
        acting.map(|(_, bound)| bound).sum()
    };
    parts.iter().map(|part| speed_at(part.start)).fold(0.0, f64::max)
}

/// Bound of the speed [m/s] that one moving part gives to the points of the ball.
fn speed_on(part: &MotionPart, ball: &Ball) -> f64 {
    match &part.kind {
        MotionKind::Translation { velocity } => velocity.length(),
        MotionKind::Oscillation { amplitude, frequency, .. } => TAU * frequency.abs() * amplitude.length(),
        MotionKind::Rotation { point, axis, speed } => {
            speed.abs() * (ball.distance_to_axis(*point, *axis) + ball.radius)
        }
        MotionKind::Rocking { point, axis, amplitude, frequency, .. } => {
            let speed = (TAU * frequency * amplitude).abs();
            speed * (ball.distance_to_axis(*point, *axis) + ball.radius)
        }
        MotionKind::Table { times, poses } => {
            let segments = 1..table::rows(times, poses);
            let speeds = segments.map(|row| segment_speed(&Segment::after(times, poses, row - 1), ball));
            speeds.fold(0.0, f64::max)
        }
    }
}

fn segment_speed(segment: &Segment, ball: &Ball) -> f64 {
    if segment.speed == 0.0 {
        return segment.velocity.length();
    }
    let arm = ball.distance_to_axis(DVec3::ZERO, segment.inner_axis()) + ball.radius;
    segment.velocity.length() + segment.speed * arm
}

/// A ball that holds whatever the part makes of `ball` up to `duration`.
fn swept(part: &MotionPart, ball: &Ball, duration: f64) -> Ball {
    if part.is_static() {
        let pose = part.pose(part.start);
        return Ball { centre: pose.point_to_world(ball.centre), radius: ball.radius };
    }
    match &part.kind {
        MotionKind::Translation { velocity } => {
            let acting = (duration.min(part.stop) - part.start).max(0.0);
            let way = *velocity * (0.5 * acting);
            if way.is_finite() {
                ball.shifted(way, way.length())
            } else {
                ball.shifted(DVec3::ZERO, f64::INFINITY)
            }
        }
        MotionKind::Oscillation { amplitude, phase, .. } => {
            ball.shifted(-*amplitude * libm::sin(*phase), amplitude.length())
        }
        MotionKind::Rotation { point, axis, .. } | MotionKind::Rocking { point, axis, .. } => {
            ball.turned_about(*point, *axis)
        }
        MotionKind::Table { times, poses } => swept_by_table(&poses[..table::rows(times, poses)], ball),
    }
}

fn swept_by_table(poses: &[Pose], ball: &Ball) -> Ball {
    let places = || poses.iter().map(|pose| pose.translation);
    let low = places().fold(DVec3::INFINITY, DVec3::min);
    let high = places().fold(DVec3::NEG_INFINITY, DVec3::max);
    let centre = 0.5 * (low + high);
    Ball { centre, radius: 0.5 * (high - low).length() + ball.centre.length() + ball.radius }
}
