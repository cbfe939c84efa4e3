//! Sphere against sphere, as many pairs at a time as registers hold.

use crate::contacts::ContactBlock;
use crate::laws::Encounter;
use crate::math::{Simd, Vec3};
use crate::state::{PlaceRow, SpinRow};
use glam::DVec3;

/// Bodies gathered from their rows.
pub struct Side<S> {
    /// Centres [m, world].
    pub centre: Vec3<S>,
    /// Radii [m].
    pub radius: S,
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
        let place = |k: usize| places[rows[k] as usize].quads();
        let [x, y, z, radius] = S::columns(|k| &place(k)[0]);
        let [vx, vy, vz, inverse_mass] = S::columns(|k| &place(k)[1]);
        let [wx, wy, wz, inverse_inertia] = S::columns(|k| spins[rows[k] as usize].quad());
        Self {
            centre: Vec3 { x, y, z },
            radius,
            velocity: Vec3 { x: vx, y: vy, z: vz },
            inverse_mass,
            spin: Vec3 { x: wx, y: wy, z: wz },
            inverse_inertia,
        }
    }
}

/// Motion of pairs and the arms their forces act on.
pub struct PairEncounter<S> {
    /// What laws see.
    pub encounter: Encounter<S>,
    /// From the centre of a to the contact along −normal [m].
    pub arm_a: S,
    /// From the centre of b to the contact along the normal [m].
    pub arm_b: S,
    /// Smaller radius [m].
    pub smaller_radius: S,
    /// Overlap that goes on counting as none [m]: zero once the pair has come apart.
    pub kept_offset: S,
}

/// Meets the pairs of a block from lane `at` on; side b is seen shifted by `shift` [m], and overlaps up to `offset` [m]
/// count as none.
#[inline(always)]
pub fn meet<S: Simd>(
    block: &ContactBlock,
    at: usize,
    places: &[PlaceRow],
    spins: &[SpinRow],
    shift: DVec3,
    offset: S,
) -> PairEncounter<S> {
    let a = Side::<S>::gather(&block.a[at..at + S::WIDTH], places, spins);
    let b = Side::<S>::gather(&block.b[at..at + S::WIDTH], places, spins);
    let half = S::splat(0.5);
    let separation = a.centre - b.centre - Vec3::splat(shift);
    let distance = separation.length_squared().sqrt();
    let radii = a.radius + b.radius;
    // One division for two quotients.
    let inverse = S::splat(1.0) / (distance * radii);
    let normal = separation * (inverse * radii);
    let overlap = (radii - distance - offset).at_least(S::splat(0.0));
    let arm_a = a.radius - overlap * half;
    let arm_b = b.radius - overlap * half;
    let encounter = Encounter {
        normal,
        overlap,
        velocity: a.velocity - b.velocity - (a.spin * arm_a + b.spin * arm_b).cross(normal),
        inverse_mass: a.inverse_mass + b.inverse_mass,
        inverse_tangential_mass: a.inverse_mass
            + b.inverse_mass
            + arm_a * arm_a * a.inverse_inertia
            + arm_b * arm_b * b.inverse_inertia,
        inverse_inertia: a.inverse_inertia + b.inverse_inertia,
        relative_spin: a.spin - b.spin,
        turn_rate: (a.spin + b.spin).dot(normal) * half,
        reduced_radius: a.radius * b.radius * (inverse * distance),
    };
    let kept_offset = distance.select_less(radii, offset, S::splat(0.0));
    PairEncounter { encounter, arm_a, arm_b, smaller_radius: a.radius.at_most(b.radius), kept_offset }
}
