//! A wall at one instant.

use super::{
    Candidate, Carrier, FaceSet, FacetShare, FeatureKey, FeatureKind, MeshTouch, ON_EDGE, PlainFace,
    WallTouch, is_within,
};
use crate::contacts::ContactMark;
use crate::math::{Simd, Vec3};
use crate::model::{MaterialId, MeshSurface, Surface, Wall};
use crate::motion::{Pose, Twist};
use glam::{DMat3, DVec3};

/// A wall where it is now and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct WallNow<'a> {
    /// Surface in the wall's frame.
    pub surface: &'a Surface,
    /// Material of the surface, where a mesh does not say otherwise.
    pub material: MaterialId,
    /// Whether the wall is there (a gate may have been opened).
    pub present: bool,
    /// world_from_wall now.
    pub pose: Pose,
    /// world_from_wall one step ago.
    pub last_pose: Pose,
    /// Velocity field half a step ago, the instant of the bodies' velocities.
    pub twist: Twist,
    /// Rotation of `pose`, spelled out because thousands of points are turned by it.
    world_from_wall: DMat3,
    wall_from_world: DMat3,
    /// Whether wall frame and world frame are the same now.
    at_rest: bool,
}

impl<'a> WallNow<'a> {
    /// The wall at time `t` [s], with the velocities of `t − step/2`.
    pub fn at(wall: &'a Wall, present: bool, t: f64, step: f64) -> Self {
        let pose = wall.motion.pose(t);
        // Before the first step lies no motion: what moves from the start moves there already.
        let twist = wall.motion.twist((t - 0.5 * step).max(0.0));
        let at_rest = pose == Pose::IDENTITY;
        let last_pose = if wall.motion.is_static() { pose } else { wall.motion.pose((t - step).max(0.0)) };
        let world_from_wall = DMat3::from_quat(pose.rotation);
        Self {
            surface: &wall.surface,
            material: wall.material,
            present,
            pose,
            last_pose,
            twist,
            world_from_wall,
            wall_from_world: world_from_wall.transpose(),
            at_rest,
        }
    }

    /// A point of the world in the wall's frame [m].
    #[inline]
    pub fn local(&self, point: DVec3) -> DVec3 {
        if self.at_rest { point } else { self.wall_from_world * (point - self.pose.translation) }
    }

    /// Points of the world in the wall's frame [m].
    #[inline(always)]
    pub(super) fn local_lanes<S: Simd>(&self, point: Vec3<S>) -> Vec3<S> {
        if self.at_rest {
            return point;
        }
        turned(&self.wall_from_world, point - Vec3::splat(self.pose.translation))
    }

    /// Points [m] and directions of the wall's frame in the world.
    #[inline(always)]
    pub(super) fn world_lanes<S: Simd>(&self, point: Vec3<S>, direction: Vec3<S>) -> [Vec3<S>; 2] {
        if self.at_rest {
            return [point, direction];
        }
        let moved = turned(&self.world_from_wall, point) + Vec3::splat(self.pose.translation);
        [moved, turned(&self.world_from_wall, direction)]
    }

    /// A point and a direction of the wall's frame in the world.
    #[inline]
    pub fn to_world(&self, point: DVec3, direction: DVec3) -> (DVec3, DVec3) {
        if self.at_rest {
            (point, direction)
        } else {
            (self.world_from_wall * point + self.pose.translation, self.world_from_wall * direction)
        }
    }

    /// Whether a point [m, world] is nearer to the surface than `reach` [m].
    pub fn is_near(&self, point: DVec3, reach: f64) -> bool {
        let point = self.local(point);
        match self.surface {
            Surface::Analytic(shape) => is_within(shape, point, reach),
            Surface::Mesh(mesh) => mesh.is_near(point, reach),
        }
    }

    /// Centre [m, world] and radius [m] of a ball such that a point outside it is at least as far from the surface as from the ball,
    /// if there is one.
    pub fn ball_around(&self) -> Option<(DVec3, f64)> {
        let Surface::Analytic(shape) = self.surface else { return None };
        shape.ball_around().map(|(centre, radius)| (self.pose.point_to_world(centre), radius))
    }

    /// A direction of the wall's frame in the world.
    #[inline]
    pub fn direction_to_world(&self, direction: DVec3) -> DVec3 {
        if self.at_rest { direction } else { self.world_from_wall * direction }
    }

    /// A direction of the world in the wall's frame.
    #[inline]
    pub fn direction_to_wall(&self, direction: DVec3) -> DVec3 {
        if self.at_rest { direction } else { self.wall_from_world * direction }
    }

    /// The face of an analytic surface with a number that [`PlainFace::alone_near`] gave, where it was one step ago and where it is
    /// now [world].
    pub fn plain_faces(&self, number: u32) -> Option<[PlainFace; 2]> {
        let Surface::Analytic(shape) = self.surface else { return None };
        let face = PlainFace::of(shape, number)?;
        Some([&self.last_pose, &self.pose].map(|pose| face.carried(pose)))
    }

    /// Where a point of the wall was one step ago [m, world], and a direction.
    pub fn one_step_ago(&self, point: DVec3, direction: DVec3) -> (DVec3, DVec3) {
        let (before, now) = (&self.last_pose, &self.pose);
        let point = before.point_to_world(now.point_to_body(point));
        (point, before.direction_to_world(now.direction_to_body(direction)))
    }

    /// The faces that are all a sphere at `centre` [m, world] can touch of this wall until it has moved against it by
    /// what `reach` [m] exceeds its radius.
    pub fn faces_alone_near(&self, centre: DVec3, reach: f64) -> FaceSet {
        match self.surface {
            Surface::Analytic(shape) => PlainFace::alone_near(shape, self.local(centre), reach),
            Surface::Mesh(_) => FaceSet::NONE,
        }
    }

    /// Material where an element of a mesh, or an analytic surface, is touched.
    #[inline]
    pub fn material_of(&self, element: u32) -> MaterialId {
        match self.surface {
            Surface::Analytic(_) => self.material,
            Surface::Mesh(mesh) => mesh.material_of(element).unwrap_or(self.material),
        }
    }
}

/// Vectors turned by a matrix.
#[inline(always)]
fn turned<S: Simd>(matrix: &DMat3, vector: Vec3<S>) -> Vec3<S> {
    let DMat3 { x_axis, y_axis, z_axis } = *matrix;
    Vec3::splat(x_axis) * vector.x + Vec3::splat(y_axis) * vector.y + Vec3::splat(z_axis) * vector.z
}

/// A touch of an analytic surface or a mesh that awaits judgement, in the wall's frame.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceTouch {
    /// The wall's number.
    pub wall: u16,
    /// Element of a mesh; [`NO_ELEMENT`] on an analytic surface.
    pub element: u32,
    /// Name of the face, edge or vertex on the wall.
    pub feature: u32,
    /// Face, edge or vertex.
    pub kind: FeatureKind,
    /// Touched point [m, wall frame].
    pub point: DVec3,
    /// Unit normal from the wall to the sphere [wall frame].
    pub normal: DVec3,
    /// Distance of the centre from the surface [m]; negative behind a one-sided one.
    pub distance: f64,
    /// Share of the full force [–]; below 1 beside blended concave edges.
    pub share: f64,
    /// Derivative of the share by the place of the centre [1/m, wall frame].
    pub share_gradient: DVec3,
}

impl SurfaceTouch {
    /// A touch of an analytic surface.
    #[inline]
    pub fn from_wall(wall: u16, touch: &WallTouch) -> Self {
        let WallTouch { feature, kind, point, normal, distance } = *touch;
        let (share, share_gradient) = (1.0, DVec3::ZERO);
        Self { wall, element: NO_ELEMENT, feature, kind, point, normal, distance, share, share_gradient }
    }

    /// A touch of a mesh.
    #[inline]
    pub fn from_mesh(wall: u16, touch: &MeshTouch) -> Self {
        let MeshTouch { key, element, point, normal, distance, .. } = *touch;
        let (feature, kind, share, share_gradient) = (key.number(), key.kind(), 1.0, DVec3::ZERO);
        Self { wall, element, feature, kind, point, normal, distance, share, share_gradient }
    }

    /// This touch among those of all surfaces near the sphere, whose centre is at `centre` [m, wall frame].
    pub fn candidate(&self, wall: &WallNow, centre: DVec3) -> Candidate {
        let number = u64::from(self.wall) << 32;
        if self.element == NO_ELEMENT {
            let (arm, key) = (wall.direction_to_world(centre - self.point), number | u64::from(self.feature));
            return Candidate { arm, distance: self.distance, kind: self.kind, key };
        }
        let key = FeatureKey::from_number(self.feature);
        let (point, normal, distance) = (self.point, self.normal, self.distance);
        let touch = MeshTouch { key, element: self.element, point, normal, distance, eta: 0.0 };
        let candidate = touch.candidate(self.wall);
        Candidate { arm: wall.direction_to_world(candidate.arm), ..candidate }
    }

    /// A blended facet of a mesh.
    pub fn from_share(wall: u16, share: &FacetShare) -> Self {
        Self {
            wall,
            element: share.element,
            feature: FeatureKey::Facet(share.patch).number(),
            kind: FeatureKind::Face,
            point: share.point,
            normal: share.normal,
            distance: share.distance,
            share: share.share,
            share_gradient: share.gradient,
        }
    }

    /// Whether the foot of the centre lies in the plane of the touched element: a facet, or a seam of facets.
    pub fn lies_in_plane(&self, mesh: &MeshSurface) -> bool {
        let normal = mesh.mesh.elements[self.element as usize].normal;
        // A sine: cosines near 1 do not tell leans this small apart.
        self.kind == FeatureKind::Face || self.normal.cross(normal).length_squared() < ON_EDGE * ON_EDGE
    }

    /// The touched element as one that carries the sphere.
    pub fn carrier(&self, mesh: &MeshSurface) -> Carrier {
        let normal = mesh.mesh.elements[self.element as usize].normal;
        Carrier { element: self.element, in_front: self.normal.dot(normal) > 0.0 }
    }

    /// What tells this contact from others of the sphere.
    pub fn mark(&self) -> ContactMark {
        ContactMark {
            surface: u32::from(self.wall),
            feature: self.feature,
            kind: self.kind,
            point: self.point,
            normal: self.normal,
        }
    }
}

/// Element of a contact with an analytic surface.
pub const NO_ELEMENT: u32 = u32::MAX;
