//! Spheres as structure of arrays, with the hot numbers packed in rows.

use crate::math::{Quad, SHARE, range_of};
use crate::model::{Domain, MaterialId};
use bytemuck::{Pod, Zeroable};
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Position, size, velocity and mass of a body: one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct PlaceRow {
    /// Centre [m, world].
    pub position: [f64; 3],
    /// Radius [m].
    pub radius: f64,
    /// Velocity at the last half step [m/s, world].
    pub velocity: [f64; 3],
    /// 1/mass [1/kg].
    pub inverse_mass: f64,
}

/// How often bodies crossed each periodic side (+1 over the upper one), by row. Bodies that came after the lists were last built have no
/// entry yet, and where no side is periodic none has.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Wraps(pub(super) Vec<[i32; 3]>);

impl Wraps {
    /// Those of the body in a row.
    pub fn of(&self, row: usize) -> [i32; 3] {
        self.0.get(row).copied().unwrap_or_default()
    }
}

/// Rotation of a body: half a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Pod, Zeroable)]
#[repr(C, align(32))]
pub struct SpinRow {
    /// Angular velocity at the last half step [rad/s, world].
    pub spin: [f64; 3],
    /// 1/moment of inertia [1/(kg m²)].
    pub inverse_inertia: f64,
}

impl PlaceRow {
    /// Centre [m, world].
    #[inline(always)]
    pub fn centre(&self) -> DVec3 {
        DVec3::from_array(self.position)
    }

    /// Velocity [m/s, world].
    #[inline(always)]
    pub fn velocity(&self) -> DVec3 {
        DVec3::from_array(self.velocity)
    }

    /// The row as it lies in memory: centre and radius, velocity and 1/mass.
    #[inline(always)]
    pub fn quads(&self) -> &[Quad; 2] {
        bytemuck::cast_ref(self)
    }
}

impl SpinRow {
    /// The row as it lies in memory.
    #[inline(always)]
    pub fn quad(&self) -> &Quad {
        bytemuck::cast_ref(self)
    }
}

/// A sphere about to enter the state.
#[derive(Clone, Debug)]
pub struct NewBody {
    /// Centre [m, world].
    pub position: DVec3,
    /// Radius [m].
    pub radius: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Velocity at the half step before its first step [m/s, world].
    pub velocity: DVec3,
    /// Angular velocity [rad/s, world].
    pub spin: DVec3,
    /// Material.
    pub material: MaterialId,
    /// Group: the scene entry it came from.
    pub group: u16,
}

/// All bodies. Rows are re-ordered in space from time to time; `id` tells who is who.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Bodies {
    /// Rows now; two far dummies follow the bodies (see [`Bodies::DUMMIES`]).
    pub places: Vec<PlaceRow>,
    /// Rotations now; dummies follow.
    pub spins: Vec<SpinRow>,
    /// Rows before the last step (the step writes one buffer while it reads the other).
    pub last_places: Vec<PlaceRow>,
    /// Rotations before the last step.
    pub last_spins: Vec<SpinRow>,
    /// Stable number of each body.
    pub id: Vec<u32>,
    /// Material.
    pub material: Vec<MaterialId>,
    /// Group.
    pub group: Vec<u16>,
    /// How often each body crossed each periodic side.
    pub wraps: Wraps,
    /// world_from_body orientation; empty unless tracked.
    pub orientation: Vec<DQuat>,
    /// Stable number of the next body.
    pub next_id: u32,
}

impl Bodies {
    /// Rows after the last body that unused lanes point at: far from everything and from each other.
    pub const DUMMIES: usize = 2;

    /// An empty state.
    pub fn new() -> Self {
        let mut bodies = Self::default();
        bodies.append_dummies();
        bodies
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Rows of the bodies, dummies left out.
    pub fn rows(&self) -> &[PlaceRow] {
        &self.places[..self.len()]
    }

    /// Adds bodies; `track_orientation` starts them unturned.
    pub fn extend(&mut self, new: impl IntoIterator<Item = NewBody>, track_orientation: bool) {
        self.places.truncate(self.id.len());
        self.spins.truncate(self.id.len());
        for body in new {
            self.places.push(PlaceRow {
                position: body.position.to_array(),
                radius: body.radius,
                velocity: body.velocity.to_array(),
                inverse_mass: 1.0 / body.mass,
            });
            let inertia = 0.4 * body.mass * body.radius * body.radius;
            self.spins.push(SpinRow { spin: body.spin.to_array(), inverse_inertia: 1.0 / inertia });
            self.id.push(self.next_id);
            self.next_id += 1;
            self.material.push(body.material);
            self.group.push(body.group);
            if track_orientation {
                self.orientation.push(DQuat::IDENTITY);
            }
        }
        self.append_dummies();
    }

    /// Brings centres back into the periodic domain, counting the crossings.
    pub fn wrap(&mut self, domain: &Domain) {
        if domain.periodic.contains(&true) || !self.wraps.0.is_empty() {
            self.wraps.0.resize(self.len(), [0; 3]);
        }
        for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
            let (min, max) = (domain.min[axis], domain.max[axis]);
            for (place, wraps) in self.places.iter_mut().zip(&mut self.wraps.0) {
                let x = &mut place.position[axis];
                if (min..max).contains(x) {
                    continue;
                }
                // Not one period at a time: a body gone wild may be more periods away than can be counted.
                let turns = ((*x - min) / (max - min)).floor();
                *x -= turns * (max - min);
                wraps[axis] = wraps[axis].saturating_add(turns as i32);
                // min − ε + (max − min) may round to max.
                if *x >= max {
                    *x = min;
                    wraps[axis] = wraps[axis].saturating_add(1);
                }
                *x = x.max(min);
            }
        }
    }

    /// Re-orders (and thins out) the bodies: new row `k` is old row `order[k]`.
    pub fn reorder(&mut self, order: &[u32]) {
        /// Puts the values in order, in the room of others.
        fn take_into<T: Copy + Send + Sync>(values: &mut Vec<T>, order: &[u32], room: &mut Vec<T>) {
            room.clear();
            let rows = order.par_iter().with_min_len(SHARE);
            room.par_extend(rows.map(|&from| values[from as usize]));
            std::mem::swap(values, room);
        }
        fn take<T: Copy + Send + Sync>(values: &mut Vec<T>, order: &[u32]) {
            take_into(values, order, &mut Vec::new());
        }
        // Rows before the last step are written anew below.
        take_into(&mut self.places, order, &mut self.last_places);
        take_into(&mut self.spins, order, &mut self.last_spins);
        take(&mut self.id, order);
        take(&mut self.material, order);
        take(&mut self.group, order);
        if !self.wraps.0.is_empty() {
            take(&mut self.wraps.0, order);
        }
        if !self.orientation.is_empty() {
            take(&mut self.orientation, order);
        }
        self.append_dummies();
    }

    /// The smallest and the largest radius [m]; infinity and zero without bodies.
    pub fn range_of_radii(&self) -> (f64, f64) {
        range_of(self.rows().par_iter().map(|row| row.radius))
    }

    /// Makes the rows just written the present ones.
    pub fn swap_buffers(&mut self) {
        std::mem::swap(&mut self.places, &mut self.last_places);
        std::mem::swap(&mut self.spins, &mut self.last_spins);
    }

    /// Centre without periodic jumps [m, world].
    pub fn unwrapped(&self, place: &PlaceRow, row: usize, domain: &Domain) -> DVec3 {
        let wraps = self.wraps.of(row);
        let turns = DVec3::new(f64::from(wraps[0]), f64::from(wraps[1]), f64::from(wraps[2]));
        place.centre() + domain.period() * turns
    }

    fn append_dummies(&mut self) {
        fn copy<T: Copy + Send + Sync>(from: &[T], into: &mut Vec<T>) {
            into.clear();
            into.par_extend(from.par_iter().with_min_len(SHARE).copied());
        }
        for side in [-1.0, 1.0] {
            self.places.push(PlaceRow {
                position: [side * 1e30; 3],
                radius: 1.0,
                velocity: [0.0; 3],
                inverse_mass: 1.0,
            });
            self.spins.push(SpinRow { spin: [0.0; 3], inverse_inertia: 1.0 });
        }
        copy(&self.places, &mut self.last_places);
        copy(&self.spins, &mut self.last_spins);
    }
}
