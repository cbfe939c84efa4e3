//! Sphere against sphere, as many pairs at a time as registers hold.

use crate::contacts::ContactBlock;
use crate::laws::{Encounter, tilt};
use crate::math::{Simd, Vec3};
use crate::state::{PlaceRow, SpinRow};
use glam::DVec3;

/// Bodies gathered from their rows.
pub struct Side<S> {
    /// Centres [m, world].
    pub centre: Vec3<S>,
    /// Radii [m].
    pub radius: S,
    /// How they move.
    pub motion: Motion<S>,
}

/// Motion of bodies gathered from their rows.
pub struct Motion<S> {
    /// Velocities half a step ago [m/s, world].
    pub velocity: Vec3<S>,
    /// 1/mass [1/kg].
    pub inverse_mass: S,
    /// Angular velocities half a step ago [rad/s, world].
    pub spin: Vec3<S>,
    /// 1/moment of inertia [1/(kg m²)].
    pub inverse_inertia: S,
}

impl<S: Simd> Side<S> {
    /// The bodies of some rows.
    #[inline(always)]
    pub fn gather(rows: &[u32], places: &[PlaceRow], spins: &[SpinRow]) -> Self {
        let (centre, radius) = gather_places(rows, places);
        Self { centre, radius, motion: Motion::gather(rows, places, spins) }
    }
}

impl<S: Simd> Motion<S> {
    /// The motion of some rows.
    #[inline(always)]
    pub fn gather(rows: &[u32], places: &[PlaceRow], spins: &[SpinRow]) -> Self {
        let [vx, vy, vz, inverse_mass] = S::columns::<2>(bytemuck::cast_slice(places), rows, 1);
        let [wx, wy, wz, inverse_inertia] = S::columns::<1>(bytemuck::cast_slice(spins), rows, 0);
        let (velocity, spin) = (Vec3 { x: vx, y: vy, z: vz }, Vec3 { x: wx, y: wy, z: wz });
        Self { velocity, inverse_mass, spin, inverse_inertia }
    }
}

/// Centres and radii of some rows [m, world].
#[inline(always)]
pub(super) fn gather_places<S: Simd>(rows: &[u32], places: &[PlaceRow]) -> (Vec3<S>, S) {
    let [x, y, z, radius] = S::columns::<2>(bytemuck::cast_slice(places), rows, 0);
    (Vec3 { x, y, z }, radius)
}

/// How far pairs are from coming within `reach` [m] of touching, as the square of their distance less that of such a pair [m²]:
/// negative where they are nearer. Side b is seen shifted by `shift` [m].
#[inline(always)]
pub fn squared_gap<S: Simd>(a: &[u32], b: &[u32], places: &[PlaceRow], shift: DVec3, reach: f64) -> S {
    let (centre_a, radius_a) = gather_places::<S>(a, places);
    let (centre_b, radius_b) = gather_places::<S>(b, places);
    let radii = radius_a + radius_b + S::splat(reach);
    (centre_a - centre_b - Vec3::splat(shift)).length_squared() - radii * radii
}

/// Where pairs touch: what does not depend on how they move.
#[derive(Clone, Copy)]
pub struct Touch<S> {
    /// Unit normals from b to a [world].
    pub normal: Vec3<S>,
    /// Distances of the centres [m].
    pub distance: S,
    /// Overlaps [m]; 0 when apart.
    pub overlap: S,
    /// From the centre of a to the contact along −normal [m].
    pub arm_a: S,
    /// From the centre of b to the contact along the normal [m].
    pub arm_b: S,
    /// Reduced radii [m].
    pub reduced_radius: S,
    /// Overlaps beyond the limit [m].
    pub excess: S,
    /// Overlap that goes on counting as none [m]: zero once the pair has come apart.
    pub kept_offset: S,
}

impl<S: Simd> Touch<S> {
    /// Where the pairs of a block touch from lane `at` on; side b is seen shifted by `shift` [m], overlaps up to `offset` [m]
    /// count as none, and more than `limit` [–] of the smaller radius is too much.
    #[inline(always)]
    pub fn of(
        block: &ContactBlock,
        at: usize,
        places: &[PlaceRow],
        shift: DVec3,
        offset: S,
        limit: S,
    ) -> Self {
        let (centre_a, radius_a) = gather_places::<S>(&block.a[at..at + S::WIDTH], places);
        let (centre_b, radius_b) = gather_places::<S>(&block.b[at..at + S::WIDTH], places);
        let separation = centre_a - centre_b - Vec3::splat(shift);
        let distance = separation.length_squared().sqrt();
        let radii = radius_a + radius_b;
        // One division for two quotients.
        let inverse = S::splat(1.0) / (distance * radii);
        let overlap = (radii - distance - offset).at_least(S::splat(0.0));
        let half = overlap * S::splat(0.5);
        Self {
            normal: separation * (inverse * radii),
            distance,
            overlap,
            arm_a: radius_a - half,
            arm_b: radius_b - half,
            reduced_radius: radius_a * radius_b * (inverse * distance),
            excess: overlap - radius_a.at_most(radius_b) * limit,
            kept_offset: distance.select_less(radii, offset, S::splat(0.0)),
        }
    }

    /// What laws see of the pairs, once their motion is known.
    #[inline(always)]
    pub fn encounter(&self, a: &Motion<S>, b: &Motion<S>) -> Encounter<S> {
        let Self { normal, arm_a, arm_b, .. } = *self;
        let inverse_mass = a.inverse_mass + b.inverse_mass;
        Encounter {
            normal,
            overlap: self.overlap,
            velocity: a.velocity - b.velocity - (a.spin * arm_a + b.spin * arm_b).cross(normal),
            inverse_mass,
            inverse_tangential_mass: inverse_mass
                + arm_a * arm_a * a.inverse_inertia
                + arm_b * arm_b * b.inverse_inertia,
            inverse_inertia: a.inverse_inertia + b.inverse_inertia,
            relative_spin: a.spin - b.spin,
            turn_rate: (a.spin + b.spin).dot(normal) * S::splat(0.5),
            reduced_radius: self.reduced_radius,
        }
    }

    /// A vector remembered at the normals one `time_step` [s] ago, turned with them into those of now.
    #[inline(always)]
    pub fn tilt(&self, vector: Vec3<S>, a: &Motion<S>, b: &Motion<S>, time_step: S) -> Vec3<S> {
        // Velocities are those between the two instants: going back leads to where the centres were.
        let before = self.normal * self.distance - (a.velocity - b.velocity) * time_step;
        let old_normal = before * (S::splat(1.0) / before.length_squared().sqrt());
        tilt(vector, old_normal, self.normal)
    }
}
