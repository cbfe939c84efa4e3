//! Sphere against sphere, eight pairs at a time.

use crate::contacts::ContactBlock;
use crate::laws::Encounter;
use crate::math::{LANES, Lanes, Real, Vec3};
use crate::state::{PlaceRow, SpinRow};
use glam::DVec3;

/// Eight bodies gathered from their rows.
struct Side {
    centre: Vec3<Lanes>,
    radius: Lanes,
    velocity: Vec3<Lanes>,
    inverse_mass: Lanes,
    spin: Vec3<Lanes>,
    inverse_inertia: Lanes,
}

impl Side {
    #[inline(always)]
    fn gather(rows: &[u32; LANES], places: &[PlaceRow], spins: &[SpinRow]) -> Self {
        let place: [&PlaceRow; LANES] = std::array::from_fn(|k| &places[rows[k] as usize]);
        let spin: [&SpinRow; LANES] = std::array::from_fn(|k| &spins[rows[k] as usize]);
        Self {
            centre: Vec3 {
                x: Lanes::from_fn(|k| place[k].position[0]),
                y: Lanes::from_fn(|k| place[k].position[1]),
                z: Lanes::from_fn(|k| place[k].position[2]),
            },
            radius: Lanes::from_fn(|k| place[k].radius),
            velocity: Vec3 {
                x: Lanes::from_fn(|k| place[k].velocity[0]),
                y: Lanes::from_fn(|k| place[k].velocity[1]),
                z: Lanes::from_fn(|k| place[k].velocity[2]),
            },
            inverse_mass: Lanes::from_fn(|k| place[k].inverse_mass),
            spin: Vec3 {
                x: Lanes::from_fn(|k| spin[k].spin[0]),
                y: Lanes::from_fn(|k| spin[k].spin[1]),
                z: Lanes::from_fn(|k| spin[k].spin[2]),
            },
            inverse_inertia: Lanes::from_fn(|k| spin[k].inverse_inertia),
        }
    }
}

/// Motion of eight pairs and the arms their forces act on.
pub struct PairEncounter {
    /// What laws see.
    pub encounter: Encounter<Lanes>,
    /// From the centre of a to the contact along −normal [m].
    pub arm_a: Lanes,
    /// From the centre of b to the contact along the normal [m].
    pub arm_b: Lanes,
    /// Smaller radius [m].
    pub smaller_radius: Lanes,
}

/// Meets the pairs of a block; side b is seen shifted by `shift` [m].
#[inline(always)]
pub fn meet(block: &ContactBlock, places: &[PlaceRow], spins: &[SpinRow], shift: DVec3) -> PairEncounter {
    let a = Side::gather(&block.a, places, spins);
    let b = Side::gather(&block.b, places, spins);
    let half = Lanes::splat(0.5);
    let separation = a.centre - b.centre - Vec3::splat(shift);
    let distance = separation.length_squared().sqrt();
    let normal = separation * (Lanes::splat(1.0) / distance);
    let radii = a.radius + b.radius;
    let overlap = (radii - distance).at_least(Lanes::splat(0.0));
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
        reduced_radius: a.radius * b.radius / radii,
    };
    PairEncounter { encounter, arm_a, arm_b, smaller_radius: a.radius.at_most(b.radius) }
}
