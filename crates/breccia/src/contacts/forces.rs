//! Forces gathered per body, for one chunk at a time.

use super::{BorderLoads, OwnSides};
use crate::dispatch::Kernel;
use crate::math::{LANES, Quad, Simd, Vec3};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// Force and torque on one body.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct ForceRow {
    /// Force [N, world], and the braking limit of the rolling law [N m] in the last place.
    pub force: Quad,
    /// Torque [N m, world]; the last place is unused.
    pub torque: Quad,
}

/// Force rows of the bodies of one chunk, and a spare one for unused lanes.
///
/// A chunk adds to its own bodies alone, first what its own contacts do to them, then what those of other chunks do, in their
/// order. No locks, no atomics, and the same order of additions for any number of threads.
#[derive(Clone, Debug, Default)]
pub struct Forces {
    rows: Vec<ForceRow>,
    first: u32,
}

impl Forces {
    /// Zero forces for bodies `first .. first + count`.
    pub fn reset(&mut self, first: u32, count: usize) {
        self.first = first;
        self.rows.clear();
        self.rows.resize(count + 1, ForceRow::default());
    }

    /// Bodies of the chunk.
    #[inline(always)]
    pub fn own_count(&self) -> u32 {
        self.rows.len() as u32 - 1
    }

    /// Place of a row in this chunk; the spare one for foreign rows.
    #[inline(always)]
    pub fn local(&self, row: u32) -> u32 {
        row.wrapping_sub(self.first).min(self.own_count())
    }

    /// Places of some rows, all at once.
    #[inline(always)]
    fn locals<S: Simd>(&self, rows: &[u32]) -> [u32; LANES] {
        let mut locals = [0; LANES];
        for (local, &row) in locals.iter_mut().zip(&rows[..S::WIDTH]) {
            *local = self.local(row);
        }
        locals
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<ForceRow>()
    }

    /// Rows of the chunk's own bodies.
    pub fn own(&self) -> &[ForceRow] {
        &self.rows[..self.rows.len() - 1]
    }

    /// Adds to one body of the chunk.
    #[inline(always)]
    pub fn add(&mut self, local: u32, force: DVec3, torque: DVec3, braking: f64) {
        self.add_row(local, [force.x, force.y, force.z, braking], [torque.x, torque.y, torque.z, 0.0]);
    }

    /// Adds the forces of a block's contacts from lane `at` on to the sides in this chunk; those on the others go to `border`.
    #[inline(always)]
    pub fn add_contacts<S: Simd>(
        &mut self,
        own: OwnSides,
        at: usize,
        [a, b]: [&[u32; LANES]; 2],
        loads: PairLoads<S>,
        border: &mut BorderLoads,
    ) {
        let lanes = at..at + S::WIDTH;
        let PairLoads { force, torque_a, torque_b, braking } = loads;
        match own {
            OwnSides::Both => self.add_pairs(&a[lanes.clone()], &b[lanes], loads),
            OwnSides::A => {
                self.add_side(&a[lanes], force, torque_a, braking);
                border.put(at, b, -force, torque_b, braking);
            }
            OwnSides::B => {
                self.add_side(&b[lanes], -force, torque_b, braking);
                border.put(at, a, force, torque_a, braking);
            }
        }
    }

    /// Adds what the contacts of another chunk do to bodies of this one.
    #[inline(always)]
    fn receive(&mut self, border: &BorderLoads) {
        let (first, own) = (self.first, self.own_count());
        for (rows, loads) in border.blocks() {
            // All lanes are compared at once; most blocks are meant for others.
            let mut hits = 0_u32;
            for (lane, row) in rows.iter().enumerate() {
                hits |= u32::from(row.wrapping_sub(first) < own) << lane;
            }
            while hits != 0 {
                let lane = hits.trailing_zeros() as usize;
                let load = &loads[lane];
                self.add_row(rows[lane].wrapping_sub(first), load.force, load.torque);
                hits &= hits - 1;
            }
        }
    }

    /// Adds contacts' forces to both sides, lane after lane.
    #[inline(always)]
    fn add_pairs<S: Simd>(&mut self, a: &[u32], b: &[u32], loads: PairLoads<S>) {
        let zero = S::splat(0.0);
        let force = S::rows([loads.force.x, loads.force.y, loads.force.z, loads.braking]);
        let torque_a = S::rows([loads.torque_a.x, loads.torque_a.y, loads.torque_a.z, zero]);
        let torque_b = S::rows([loads.torque_b.x, loads.torque_b.y, loads.torque_b.z, zero]);
        let (a, b) = (self.locals::<S>(a), self.locals::<S>(b));
        for k in 0..S::WIDTH {
            self.add_row(a[k], force[k], torque_a[k]);
            let [x, y, z, braking] = force[k];
            self.add_row(b[k], [-x, -y, -z, braking], torque_b[k]);
        }
    }

    /// Adds contacts' forces to one side, lane after lane.
    #[inline(always)]
    pub(super) fn add_side<S: Simd>(&mut self, rows: &[u32], force: Vec3<S>, torque: Vec3<S>, braking: S) {
        let force = S::rows([force.x, force.y, force.z, braking]);
        let torque = S::rows([torque.x, torque.y, torque.z, S::splat(0.0)]);
        let rows = self.locals::<S>(rows);
        for k in 0..S::WIDTH {
            self.add_row(rows[k], force[k], torque[k]);
        }
    }

    /// Adds a quad of force and braking and one of torque to one body of the chunk.
    #[inline(always)]
    pub(super) fn add_row(&mut self, local: u32, force: Quad, torque: Quad) {
        let row = &mut self.rows[local as usize];
        for (sum, value) in row.force.iter_mut().zip(force) {
            *sum += value;
        }
        for (sum, value) in row.torque.iter_mut().zip(torque) {
            *sum += value;
        }
    }
}

/// Adds what the contacts of another chunk do to the bodies of one.
pub struct ReceiveLoads;

impl Kernel for ReceiveLoads {
    type On<'a> = (&'a mut Forces, &'a BorderLoads);

    #[inline(always)]
    fn run<S: Simd>((forces, border): Self::On<'_>) {
        forces.receive(border);
    }
}

/// What contacts do to their bodies.
#[derive(Clone, Copy)]
pub struct PairLoads<S> {
    /// Force on a [N, world]; b gets the opposite.
    pub force: Vec3<S>,
    /// Torque on a [N m, world].
    pub torque_a: Vec3<S>,
    /// Torque on b [N m, world].
    pub torque_b: Vec3<S>,
    /// Share of the braking limit [N m] of both.
    pub braking: S,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::compiled;
    use crate::scene::RandomStream;

    /// Forces on bodies, as numbers.
    fn numbers(forces: &Forces) -> Vec<f64> {
        let rows = forces.own().iter();
        rows.flat_map(|row| row.force.into_iter().chain(row.torque)).collect()
    }

    /// Whichever of two chunks has the contacts between them, its rows and those of the other get the forces that one chunk of
    /// all rows finds; unused lanes give nothing to anybody.
    #[test]
    fn contacts_across_chunks_act_on_both_as_contacts_within_one() {
        let mut random = RandomStream::new(11);
        let mut vector = || Vec3::new(random.unit(), -random.unit(), random.unit() + 1.0);
        let (dummy, half) = (2 * LANES as u32, LANES as u32);
        let (mut a, mut b) = ([dummy; LANES], [dummy + 1; LANES]);
        for lane in 0..LANES - 2 {
            (a[lane], b[lane]) = (lane as u32, half + (3 * lane as u32) % half);
        }
        let forces = |first: u32, count: u32| {
            let mut forces = Forces::default();
            forces.reset(first, count as usize);
            forces
        };
        for own in [OwnSides::A, OwnSides::B] {
            let (mut whole, mut low, mut high) = (forces(0, dummy), forces(0, half), forces(half, half));
            let mut border = BorderLoads::default();
            for at in 0..LANES {
                let loads = PairLoads {
                    force: vector(),
                    torque_a: vector(),
                    torque_b: vector(),
                    braking: vector().x,
                };
                whole.add_contacts(OwnSides::Both, at, [&a, &b], loads, &mut border);
                let has_contacts = if own == OwnSides::A { &mut low } else { &mut high };
                has_contacts.add_contacts(own, at, [&a, &b], loads, &mut border);
            }
            compiled::<ReceiveLoads>()((&mut low, &border));
            compiled::<ReceiveLoads>()((&mut high, &border));
            let apart: Vec<f64> = [&low, &high].into_iter().flat_map(numbers).collect();
            assert_eq!(apart, numbers(&whole));
            assert!(apart.iter().any(|&number| number != 0.0));
        }
    }
}
