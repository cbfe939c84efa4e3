//! Forces gathered per body, for one chunk at a time.

use crate::math::{Quad, Simd, Vec3};
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

/// Force rows of the bodies of one chunk and one more for everybody else.
///
/// A contact across chunks is evaluated by both; each adds only to its own bodies and lets the other's share
/// fall into the spare row. No locks, no atomics, and the same order of additions for any number of threads.
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

    /// Rows of the chunk's own bodies.
    pub fn own(&self) -> &[ForceRow] {
        &self.rows[..self.rows.len() - 1]
    }

    /// Adds to one body of the chunk.
    #[inline(always)]
    pub fn add(&mut self, local: u32, force: DVec3, torque: DVec3, braking: f64) {
        self.add_row(local, [force.x, force.y, force.z, braking], [torque.x, torque.y, torque.z, 0.0]);
    }

    /// Adds contacts' forces to both sides, lane after lane.
    #[inline(always)]
    pub fn add_pairs<S: Simd>(&mut self, a: &[u32], b: &[u32], loads: PairLoads<S>) {
        let zero = S::splat(0.0);
        let force = S::rows([loads.force.x, loads.force.y, loads.force.z, loads.braking]);
        let torque_a = S::rows([loads.torque_a.x, loads.torque_a.y, loads.torque_a.z, zero]);
        let torque_b = S::rows([loads.torque_b.x, loads.torque_b.y, loads.torque_b.z, zero]);
        for k in 0..S::WIDTH {
            self.add_row(self.local(a[k]), force[k], torque_a[k]);
            let [x, y, z, braking] = force[k];
            self.add_row(self.local(b[k]), [-x, -y, -z, braking], torque_b[k]);
        }
    }

    /// Adds contacts' forces to one side, lane after lane.
    #[inline(always)]
    pub(super) fn add_side<S: Simd>(&mut self, rows: &[u32], force: Vec3<S>, torque: Vec3<S>, braking: S) {
        let force = S::rows([force.x, force.y, force.z, braking]);
        let torque = S::rows([torque.x, torque.y, torque.z, S::splat(0.0)]);
        for k in 0..S::WIDTH {
            self.add_row(self.local(rows[k]), force[k], torque[k]);
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

/// What contacts do to their bodies.
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
