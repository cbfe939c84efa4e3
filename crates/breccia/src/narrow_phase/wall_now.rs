//! A wall at one instant.

use super::{FeatureKind, Touches, touches};
use crate::model::{MaterialId, Wall};
use crate::motion::{Pose, Twist};
use crate::shapes::WallShape;
use glam::DVec3;

/// A wall where it is now and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct WallNow<'a> {
    /// Surface in the wall's frame.
    pub shape: &'a WallShape,
    /// Material of the surface.
    pub material: MaterialId,
    /// Whether the wall is there (a gate may have been opened).
    pub present: bool,
    /// world_from_wall now.
    pub pose: Pose,
    /// Velocity field half a step ago, the instant of the bodies' velocities.
    pub twist: Twist,
    /// Whether wall frame and world frame are the same now.
    at_rest: bool,
}

/// A touch in the world frame.
#[derive(Clone, Copy, Debug)]
pub struct WorldTouch {
    /// Face or rim of the wall.
    pub feature: u32,
    /// Face, edge or vertex.
    pub kind: FeatureKind,
    /// Touched point [m, world].
    pub point: DVec3,
    /// Unit normal from the wall to the sphere [world].
    pub normal: DVec3,
    /// Distance of the centre from the surface [m]; negative behind a one-sided one.
    pub distance: f64,
}

impl<'a> WallNow<'a> {
    /// The wall at time `t` [s], with the velocities of `t − step/2`.
    pub fn at(wall: &'a Wall, present: bool, t: f64, step: f64) -> Self {
        let pose = wall.motion.pose(t);
        // Before the first step lies no motion: what moves from the start moves there already.
        let twist = wall.motion.twist((t - 0.5 * step).max(0.0));
        let at_rest = pose == Pose::IDENTITY;
        Self { shape: &wall.shape, material: wall.material, present, pose, twist, at_rest }
    }

    /// Whether a point is nearer to the wall than `reach` [m].
    pub fn is_near(&self, point: DVec3, reach: f64) -> bool {
        let mut found = Touches::new();
        touches(self.shape, self.local(point), reach, &mut found);
        !found.as_slice().is_empty()
    }

    /// Visits the touches of a sphere within `reach` [m] of its centre; `found` is a buffer.
    #[inline]
    pub fn visit_touches(
        &self,
        centre: DVec3,
        reach: f64,
        found: &mut Touches,
        mut visit: impl FnMut(WorldTouch),
    ) {
        touches(self.shape, self.local(centre), reach, found);
        for touch in found.as_slice() {
            let (point, normal) = if self.at_rest {
                (touch.point, touch.normal)
            } else {
                (self.pose.point_to_world(touch.point), self.pose.direction_to_world(touch.normal))
            };
            visit(WorldTouch {
                feature: touch.feature,
                kind: touch.kind,
                point,
                normal,
                distance: touch.distance,
            });
        }
    }

    fn local(&self, point: DVec3) -> DVec3 {
        if self.at_rest { point } else { self.pose.point_to_body(point) }
    }
}
