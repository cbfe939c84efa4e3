//! Forces gathered per body, for one chunk at a time, in the rows where the bodies go next.

use super::{BorderLoads, OwnSides};
use crate::dispatch::Kernel;
use crate::math::{LANES, Quad, Simd, Vec3};
use crate::state::PlaceRow;
use bytemuck::{Pod, Zeroable};

/// Force and torque on one body; as large as a place.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct ForceRow {
    /// Force [N, world], and the braking limit of the rolling law [N m] in the last place.
    pub force: Quad,
    /// Torque [N m, world]; the last place is unused.
    pub torque: Quad,
}

impl ForceRow {
    /// The force on a body that has not been moved yet, in the row where it goes.
    pub fn in_place(row: &PlaceRow) -> &Self {
        bytemuck::cast_ref(row)
    }
}

/// Forces on the bodies of one chunk.
///
/// They are gathered where the bodies' new places go, which are not known before all forces are: so they need neither room of
/// their own nor cache. What unused lanes give, zeros, goes to the last row: no sum is −0, so none changes by that.
///
/// A chunk adds to its own bodies alone, first what its own contacts do to them, then what those of other chunks do, in their
/// order. No locks, no atomics, and the same order of additions for any number of threads.
#[derive(Debug)]
pub struct Forces<'a> {
    rows: &'a mut [ForceRow],
    first: u32,
}

impl<'a> Forces<'a> {
    /// Forces on the bodies from row `first` on that have been gathered so far in the rows where they go.
    #[inline(always)]
    pub fn in_places(places: &'a mut [PlaceRow], first: u32) -> Self {
        Self { rows: bytemuck::cast_slice_mut(places), first }
    }

    /// No forces yet.
    pub fn reset(&mut self) {
        self.rows.fill(ForceRow::default());
    }

    /// Whether a row is that of a body of the chunk.
    #[inline(always)]
    pub fn is_own(&self, row: u32) -> bool {
        self.local(row) < self.rows.len() as u32
    }

    /// Place of a row in this chunk, beyond its end for others.
    #[inline(always)]
    fn local(&self, row: u32) -> u32 {
        row.wrapping_sub(self.first)
    }

    /// Places of some rows in this chunk, all at once; the last one for unused lanes.
    #[inline(always)]
    fn locals<S: Simd>(&self, rows: &[u32]) -> [u32; LANES] {
        let last = self.rows.len() as u32 - 1;
        let mut locals = [0; LANES];
        for (local, &row) in locals.iter_mut().zip(&rows[..S::WIDTH]) {
            *local = self.local(row).min(last);
        }
        locals
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
        let (first, own) = (self.first, self.rows.len() as u32);
        for (rows, loads) in border.blocks() {
            // All lanes are compared at once; most blocks are meant for others.
            let mut hits = 0_u32;
            for (lane, row) in rows.iter().enumerate() {
                hits |= u32::from(row.wrapping_sub(first) < own) << lane;
            }
            while hits != 0 {
                let lane = hits.trailing_zeros() as usize;
                let load = &loads[lane];
                self.add_local(self.local(rows[lane]), load.force, load.torque);
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
            self.add_local(a[k], force[k], torque_a[k]);
            let [x, y, z, braking] = force[k];
            self.add_local(b[k], [-x, -y, -z, braking], torque_b[k]);
        }
    }

    /// Adds contacts' forces to one side, lane after lane.
    #[inline(always)]
    pub(super) fn add_side<S: Simd>(&mut self, rows: &[u32], force: Vec3<S>, torque: Vec3<S>, braking: S) {
        let force = S::rows([force.x, force.y, force.z, braking]);
        let torque = S::rows([torque.x, torque.y, torque.z, S::splat(0.0)]);
        let rows = self.locals::<S>(rows);
        for k in 0..S::WIDTH {
            self.add_local(rows[k], force[k], torque[k]);
        }
    }

    /// Adds a quad of force and braking and one of torque to a body of the chunk.
    #[inline(always)]
    pub(super) fn add(&mut self, row: u32, force: Quad, torque: Quad) {
        self.add_local(self.local(row), force, torque);
    }

    #[inline(always)]
    fn add_local(&mut self, local: u32, force: Quad, torque: Quad) {
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
    type On<'a> = (Forces<'a>, &'a BorderLoads);

    #[inline(always)]
    fn run<S: Simd>((mut forces, border): Self::On<'_>) {
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
    fn numbers(rows: Vec<ForceRow>) -> Vec<f64> {
        rows.into_iter().flat_map(|row| row.force.into_iter().chain(row.torque)).collect()
    }

    /// Whichever of two chunks has the contacts between them, its rows and those of the other get the forces that one chunk of
    /// all rows finds; unused lanes give zeros.
    #[test]
    fn contacts_across_chunks_act_on_both_as_contacts_within_one() {
        let mut random = RandomStream::new(11);
        let mut vector = |weight| Vec3::new(random.unit(), -random.unit(), random.unit() + 1.0) * weight;
        let (dummy, half) = (2 * LANES as u32, LANES as u32);
        let (mut a, mut b) = ([dummy; LANES], [dummy + 1; LANES]);
        for lane in 0..LANES - 2 {
            (a[lane], b[lane]) = (lane as u32, half + (3 * lane as u32) % half);
        }
        for own in [OwnSides::A, OwnSides::B] {
            let mut rows = [vec![ForceRow::zeroed(); 2 * LANES], vec![ForceRow::zeroed(); 2 * LANES]];
            let [whole, halves] = &mut rows;
            let (low, high) = halves.split_at_mut(LANES);
            let mut whole = Forces { rows: whole, first: 0 };
            let mut low = Forces { rows: low, first: 0 };
            let mut high = Forces { rows: high, first: half };
            let mut border = BorderLoads::default();
            for at in 0..LANES {
                let weight = if at < LANES - 2 { 1.0 } else { 0.0 };
                let loads = PairLoads {
                    force: vector(weight),
                    torque_a: vector(weight),
                    torque_b: vector(weight),
                    braking: vector(weight).x,
                };
                whole.add_contacts(OwnSides::Both, at, [&a, &b], loads, &mut border);
                let has_contacts = if own == OwnSides::A { &mut low } else { &mut high };
                has_contacts.add_contacts(own, at, [&a, &b], loads, &mut border);
            }
            compiled::<ReceiveLoads>()((low, &border));
            compiled::<ReceiveLoads>()((high, &border));
            let [whole, apart] = rows.map(numbers);
            assert_eq!(apart, whole);
            assert!(apart.iter().any(|&number| number != 0.0));
        }
    }
}
