//! Spheres meeting surfaces, and what both get of it, as many at a time as registers hold.

use crate::laws::{Encounter, Response};
use crate::math::{Simd, Vec3};
use crate::motion::Twist;
use crate::narrow_phase::Side;

/// How surfaces move: velocity of the point at the world's origin [m/s, world] and angular velocity [rad/s, world].
pub(super) struct SurfaceMotion<S> {
    pub linear: Vec3<S>,
    pub angular: Vec3<S>,
}

impl<S: Simd> SurfaceMotion<S> {
    /// The same motion in every lane.
    #[inline(always)]
    pub fn splat(twist: &Twist) -> Self {
        Self { linear: Vec3::splat(twist.linear), angular: Vec3::splat(twist.angular) }
    }
}

/// What laws see of spheres at surfaces, and where they are.
pub(super) struct Met<S> {
    pub encounter: Encounter<S>,
    /// Contact points [m, world].
    pub point: Vec3<S>,
    /// From the centres to the contacts [m].
    pub arm: S,
}

/// Spheres that touch surfaces at `point` [m, world], `overlap` [m] deep along the unit `normal` from the surface to the sphere.
#[inline(always)]
pub(super) fn meet_surface<S: Simd>(
    sphere: &Side<S>,
    normal: Vec3<S>,
    overlap: S,
    point: Vec3<S>,
    surface: &SurfaceMotion<S>,
) -> Met<S> {
    let (motion, arm) = (&sphere.motion, sphere.radius - overlap);
    let surface_speed = surface.linear + surface.angular.cross(point);
    Met {
        encounter: Encounter {
            normal,
            overlap,
            velocity: motion.velocity - motion.spin.cross(normal) * arm - surface_speed,
            inverse_mass: motion.inverse_mass,
            inverse_tangential_mass: motion.inverse_mass + arm * arm * motion.inverse_inertia,
            inverse_inertia: motion.inverse_inertia,
            relative_spin: motion.spin - surface.angular,
            // What is remembered turns with the wall, not with the sphere rolling over it.
            turn_rate: surface.angular.dot(normal),
            reduced_radius: sphere.radius,
        },
        point,
        arm,
    }
}

/// What contacts do to their spheres and walls.
pub(super) struct SurfaceLoads<S> {
    /// Force on the sphere [N, world].
    pub force: Vec3<S>,
    /// Its share of the braking limit [N m].
    pub braking: S,
    /// Torque on the sphere [N m, world].
    pub torque: Vec3<S>,
    /// Torque on the wall about the world's origin, less its sign [N m, world].
    pub wall_torque: Vec3<S>,
}

impl<S: Simd> SurfaceLoads<S> {
    #[inline(always)]
    pub fn new(met: &Met<S>, response: &Response<S>) -> Self {
        let normal = met.encounter.normal;
        let force = normal * response.normal_force + response.tangential;
        Self {
            force,
            braking: response.rolling_limit,
            torque: response.rolling_torque - normal.cross(response.tangential) * met.arm,
            wall_torque: met.point.cross(force) + response.rolling_torque,
        }
    }
}
