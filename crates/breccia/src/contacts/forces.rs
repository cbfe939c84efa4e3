//! Forces gathered per body, for one chunk at a time.

use crate::math::{LANES, Lanes, Vec3};
use glam::DVec3;

/// Force and torque on one body.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub struct ForceRow {
    /// Force [N, world], and the braking limit of the rolling law [N m] in the last place.
    pub force: [f64; 4],
    /// Torque [N m, world]; the last place is unused.
    pub torque: [f64; 4],
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
        let row = &mut self.rows[local as usize];
        add4(&mut row.force, [force.x, force.y, force.z, braking]);
        add4(&mut row.torque, [torque.x, torque.y, torque.z, 0.0]);
    }

    /// Adds eight contacts' forces to both sides, lane after lane.
    #[inline(always)]
    pub fn add_pairs(&mut self, a: &[u32; LANES], b: &[u32; LANES], loads: &PairLoads) {
        for k in 0..LANES {
            let force = loads.force.lane(k);
            let braking = loads.braking.0[k];
            self.add(self.local(a[k]), force, loads.torque_a.lane(k), braking);
            self.add(self.local(b[k]), -force, loads.torque_b.lane(k), braking);
        }
    }
}

/// What eight contacts do to their bodies.
pub struct PairLoads {
    /// Force on a [N, world]; b gets the opposite.
    pub force: Vec3<Lanes>,
    /// Torque on a [N m, world].
    pub torque_a: Vec3<Lanes>,
    /// Torque on b [N m, world].
    pub torque_b: Vec3<Lanes>,
    /// Share of the braking limit [N m] of both.
    pub braking: Lanes,
}

#[inline(always)]
fn add4(sum: &mut [f64; 4], value: [f64; 4]) {
    for k in 0..4 {
        sum[k] += value[k];
    }
}
