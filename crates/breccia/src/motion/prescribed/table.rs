//! Interpolation of a table of poses: translation linear, rotation at constant speed along the shortest arc.

use super::super::pose::{rotation_about, shortest_turn};
use super::{Pose, Twist};
use glam::{DQuat, DVec3};

/// Constant motion between two neighbouring rows of a table.
pub(super) struct Segment {
    /// Rotation at the first row.
    first_rotation: DQuat,
    /// Translation at the first row [m].
    first_translation: DVec3,
    /// Instant of the first row [s].
    begin: f64,
    /// Velocity of the frame's origin [m/s].
    pub velocity: DVec3,
    /// Unit axis of the turn, in the frame into which the table maps.
    pub axis: DVec3,
    /// Angular speed about the axis [rad/s].
    pub speed: f64,
}

impl Segment {
    /// Segment after row `row`; the next row must exist.
    pub(super) fn after(times: &[f64], poses: &[Pose], row: usize) -> Self {
        let (first, second) = (poses[row], poses[row + 1]);
        let span = times[row + 1] - times[row];
        let first_rotation = first.rotation.normalize();
        let (axis, angle) = shortest_turn(second.rotation.normalize() * first_rotation.conjugate());
        Self {
            first_rotation,
            first_translation: first.translation,
            begin: times[row],
            velocity: (second.translation - first.translation) / span,
            axis,
            speed: angle / span,
        }
    }

    /// Axis of the turn in the frame that the table moves; it does not change along the segment.
    pub(super) fn inner_axis(&self) -> DVec3 {
        self.first_rotation.conjugate() * self.axis
    }

    fn pose(&self, elapsed: f64) -> Pose {
        let span = elapsed - self.begin;
        Pose {
            rotation: rotation_about(self.axis, self.speed * span) * self.first_rotation,
            translation: self.first_translation + self.velocity * span,
        }
    }

    fn twist(&self, elapsed: f64) -> Twist {
        Twist::about(self.pose(elapsed).translation, self.axis * self.speed, self.velocity)
    }
}

/// Pose `elapsed` seconds after the start; the first and the last row are held outside the table.
pub(super) fn pose(times: &[f64], poses: &[Pose], elapsed: f64) -> Pose {
    match segment_at(times, poses, elapsed) {
        Some(segment) => segment.pose(elapsed),
        None => held_pose(times, poses, elapsed),
    }
}

/// Velocity `elapsed` seconds after the start; zero outside the table.
pub(super) fn twist(times: &[f64], poses: &[Pose], elapsed: f64) -> Twist {
    segment_at(times, poses, elapsed).map_or(Twist::ZERO, |segment| segment.twist(elapsed))
}

/// Number of rows that have both an instant and a pose.
pub(super) fn rows(times: &[f64], poses: &[Pose]) -> usize {
    times.len().min(poses.len())
}

fn segment_at(times: &[f64], poses: &[Pose], elapsed: f64) -> Option<Segment> {
    let rows = rows(times, poses);
    let begun = times[..rows].partition_point(|&instant| instant <= elapsed);
    (begun > 0 && begun < rows).then(|| Segment::after(times, poses, begun - 1))
}

fn held_pose(times: &[f64], poses: &[Pose], elapsed: f64) -> Pose {
    let rows = rows(times, poses);
    let held = match times.first() {
        Some(&first) if elapsed < first => poses[..rows].first(),
        _ => poses[..rows].last(),
    };
    held.map_or(Pose::IDENTITY, |pose| Pose { rotation: pose.rotation.normalize(), ..*pose })
}
