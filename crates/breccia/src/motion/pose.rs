//! Rigid transforms and rigid velocity fields.

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

impl Pose {
    /// The pose at rest: both frames coincide.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// Pure translation by `offset` [m, world].
    pub fn from_translation(offset: DVec3) -> Self {
        Self { rotation: DQuat::IDENTITY, translation: offset }
    }

    /// Right-handed turn by `angle` [rad] about the unit `axis` through `point` [m].
    pub fn from_turn(point: DVec3, axis: DVec3, angle: f64) -> Self {
        let rotation = rotation_about(axis, angle);
        Self { rotation, translation: point - rotation * point }
    }

    /// `world_from_middle.compose(middle_from_body)` is world_from_body: the argument acts first.
    pub fn compose(&self, inner: &Self) -> Self {
        Self {
            rotation: self.rotation * inner.rotation,
            translation: self.rotation * inner.translation + self.translation,
        }
    }

    /// The transform back, body_from_world.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// World position [m] of a point given in the body's frame [m].
    pub fn point_to_world(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// Position in the body's frame [m] of a point given in the world [m].
    pub fn point_to_body(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.translation)
    }

    /// World components of a direction given in the body's frame.
    pub fn direction_to_world(&self, direction: DVec3) -> DVec3 {
        self.rotation * direction
    }

    /// Components in the body's frame of a direction given in the world.
    pub fn direction_to_body(&self, direction: DVec3) -> DVec3 {
        self.rotation.conjugate() * direction
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Rigid velocity field: a point p moves at `linear + angular × p`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// Velocity of the point at the world origin [m/s, world].
    pub linear: DVec3,
    /// Angular velocity [rad/s, world].
    pub angular: DVec3,
}

impl Twist {
    /// The field of a body at rest.
    pub const ZERO: Self = Self { linear: DVec3::ZERO, angular: DVec3::ZERO };

    /// Spin `angular` [rad/s] about a centre at `point` [m] that itself moves at `velocity` [m/s].
    pub fn about(point: DVec3, angular: DVec3, velocity: DVec3) -> Self {
        Self { linear: velocity - angular.cross(point), angular }
    }

    /// Velocity [m/s, world] of the body point that is at `point` [m, world] now.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point)
    }

    /// The same motion seen in the frame into which `carrier` maps.
    pub fn carried_by(&self, carrier: &Pose) -> Self {
        let angular = carrier.rotation * self.angular;
        Self::about(carrier.translation, angular, carrier.rotation * self.linear)
    }
}

impl std::ops::Add for Twist {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

/// Right-handed rotation by `angle` [rad] about a unit `axis`; the same bits on every machine.
pub(super) fn rotation_about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    let vector = axis * sine;
    DQuat::from_xyzw(vector.x, vector.y, vector.z, cosine)
}

/// Unit axis and angle in [0, π] of the shortest turn that makes the rotation.
pub(super) fn shortest_turn(rotation: DQuat) -> (DVec3, f64) {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    let vector = sign * DVec3::new(rotation.x, rotation.y, rotation.z);
    let sine = vector.length();
    if sine == 0.0 {
        return (DVec3::Z, 0.0);
    }
    (vector / sine, 2.0 * libm::atan2(sine, sign * rotation.w))
}
