//! Memory of contacts carried over when rows are re-ordered and lists are built anew.

use super::Chunk;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What one contact remembers, spelled out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Elastic tangential force on a [N, world].
    pub tangential: DVec3,
    /// Remembered depth of the normal law.
    pub depth: f64,
    /// Elastic rolling torque on a [N m, world].
    pub rolling: DVec3,
    /// Dashpots' share of the normal force [N].
    pub normal_dashpot: f64,
    /// Dashpots' share of the tangential force on a [N, world].
    pub tangential_dashpot: DVec3,
    /// Dashpot's share of the rolling torque on a [N m, world].
    pub rolling_dashpot: DVec3,
    /// Overlap that counts as none [m], until the pair has come apart: of spheres that began overlapping in one body, or
    /// were bonded.
    pub offset: f64,
}

impl Memory {
    /// The same contact with sides exchanged.
    pub fn exchanged(self) -> Self {
        Self {
            tangential: -self.tangential,
            rolling: -self.rolling,
            tangential_dashpot: -self.tangential_dashpot,
            rolling_dashpot: -self.rolling_dashpot,
            ..self
        }
    }
}

/// Row of a body that has been removed.
pub const GONE: u32 = u32::MAX;

/// Memories of touching pairs, found by their new rows.
#[derive(Clone, Debug, Default)]
pub struct CarriedPairs {
    /// Entries of lower row r are `start[r]..start[r + 1]`.
    start: Vec<u32>,
    entries: Vec<(u32, Memory)>,
}

impl CarriedPairs {
    /// Collects the touching pairs of all chunks; old row r has become `new_row[r]` or [`GONE`].
    /// `offsets` are overlaps of new pairs that count as none, by rows, lower first.
    pub fn collect(chunks: &[Chunk], new_row: &[u32], offsets: &[([u32; 2], f64)], bodies: usize) -> Self {
        let mut start = vec![0_u32; bodies + 1];
        for_each_touching(chunks, new_row, |low, _, _| start[low as usize + 1] += 1);
        offsets.iter().for_each(|([low, _], _)| start[*low as usize + 1] += 1);
        for row in 0..bodies {
            start[row + 1] += start[row];
        }
        let mut next = start.clone();
        let mut entries = vec![(0, Memory::default()); start[bodies] as usize];
        let mut put = |low: u32, high: u32, memory: Memory| {
            let slot = &mut next[low as usize];
            entries[*slot as usize] = (high, memory);
            *slot += 1;
        };
        for_each_touching(chunks, new_row, &mut put);
        for &([low, high], offset) in offsets {
            put(low, high, Memory { offset, ..Memory::default() });
        }
        Self { start, entries }
    }

    /// Memory of a pair of rows, lower first.
    pub fn find(&self, [low, high]: [u32; 2]) -> Option<&Memory> {
        let row = low as usize;
        if row + 1 >= self.start.len() {
            return None;
        }
        let range = self.start[row] as usize..self.start[row + 1] as usize;
        self.entries[range].iter().find(|(other, _)| *other == high).map(|(_, memory)| memory)
    }
}

/// Calls `visit(lower new row, higher new row, memory)` once for every touching pair that survives.
fn for_each_touching(chunks: &[Chunk], new_row: &[u32], mut visit: impl FnMut(u32, u32, Memory)) {
    for chunk in chunks {
        for lane in chunk.groups.iter().flat_map(|group| group.lanes()) {
            // A pair across chunks lives in both; the owner of side a speaks for it.
            let is_idle = lane.memory.depth <= 0.0 && lane.memory.offset == 0.0;
            if is_idle || !chunk.owns(lane.a) {
                continue;
            }
            let (a, b) = (new_row[lane.a as usize], new_row[lane.b as usize]);
            if a == GONE || b == GONE {
                continue;
            }
            if a < b {
                visit(a, b, lane.memory);
            } else {
                visit(b, a, lane.memory.exchanged());
            }
        }
    }
}
