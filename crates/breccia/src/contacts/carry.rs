//! Memory of contacts carried over when rows are re-ordered and lists are built anew.

use super::Chunk;
use crate::math::Buckets;
use glam::DVec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What one contact remembers, spelled out.
// The order of the fields lets four numbers be copied at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Memory {
    /// Elastic tangential force on a [N, world].
    pub tangential: DVec3,
    /// Remembered depth of the normal law.
    pub depth: f64,
    /// Dashpots' share of the tangential force on a [N, world].
    pub tangential_dashpot: DVec3,
    /// Dashpots' share of the normal force [N].
    pub normal_dashpot: f64,
    /// Elastic rolling torque on a [N m, world].
    pub rolling: DVec3,
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
    /// Rows per table.
    length: usize,
    /// Where memories lie, by stretches of rows.
    tables: Vec<RowTable>,
    /// Memories as each chunk told them, lower row first; the last list is of new pairs.
    told: Vec<Vec<Told>>,
}

/// Pairs of a stretch of rows, which has the lower row of each.
#[derive(Clone, Debug, Default)]
struct RowTable {
    /// Entries of the stretch's row r are `start[r]..start[r + 1]`.
    start: Vec<u32>,
    entries: Vec<Entry>,
}

/// Where the memory of a pair lies.
#[derive(Clone, Copy, Debug)]
struct Entry {
    low: u32,
    high: u32,
    list: u32,
    place: u32,
}

/// A pair with its memory.
#[derive(Clone, Copy, Debug)]
struct Told {
    low: u32,
    high: u32,
    memory: Memory,
}

impl CarriedPairs {
    /// Collects the touching pairs of all chunks; old row r has become `new_row[r]` or [`GONE`], and there are `bodies` new
    /// rows, in chunks of `length`. `offsets` are overlaps of new pairs that count as none, by rows, lower first.
    pub fn collect(
        chunks: &[Chunk],
        new_row: &[u32],
        offsets: &[([u32; 2], f64)],
        bodies: usize,
        length: usize,
    ) -> Self {
        let mut told: Vec<Vec<Told>> = chunks.par_iter().map(|chunk| touching(chunk, new_row)).collect();
        let with_offset = |&([low, high], offset): &([u32; 2], f64)| Told {
            low,
            high,
            memory: Memory { offset, ..Memory::default() },
        };
        told.push(offsets.iter().map(with_offset).collect());
        let count = bodies.div_ceil(length);
        let by_table =
            |pairs: &Vec<Told>| Buckets::new(pairs.iter().map(|pair| pair.low as usize / length), count);
        let shares: Vec<Buckets> = told.par_iter().map(by_table).collect();
        let tables = (0..count).into_par_iter().map(|table| {
            let mut entries = Vec::new();
            for (list, (pairs, share)) in (0_u32..).zip(told.iter().zip(&shares)) {
                entries.extend(share.of(table).iter().map(|&place| {
                    let Told { low, high, .. } = pairs[place as usize];
                    Entry { low, high, list, place }
                }));
            }
            RowTable::new(&entries, table * length, length)
        });
        Self { length, tables: tables.collect(), told }
    }

    /// Memory of a pair of rows, lower first.
    pub fn find(&self, [low, high]: [u32; 2]) -> Option<&Memory> {
        let table = self.tables.get(low as usize / self.length.max(1))?;
        let row = low as usize % self.length;
        let range = table.start[row] as usize..table.start[row + 1] as usize;
        let entry = table.entries[range].iter().find(|entry| entry.high == high)?;
        Some(&self.told[entry.list as usize][entry.place as usize].memory)
    }
}

impl RowTable {
    fn new(entries: &[Entry], first: usize, length: usize) -> Self {
        let rows = Buckets::new(entries.iter().map(|entry| entry.low as usize - first), length);
        Self { entries: rows.items.iter().map(|&k| entries[k as usize]).collect(), start: rows.start }
    }
}

/// The touching pairs that a chunk speaks for and that survive, with their new rows.
fn touching(chunk: &Chunk, new_row: &[u32]) -> Vec<Told> {
    let contacts = chunk.groups.iter().map(|group| group.contacts.active as usize).sum();
    let mut told = Vec::with_capacity(contacts);
    for group in &chunk.groups {
        for place in group.contacts.touching() {
            let lane = group.contacts.lane(place);
            // A pair across chunks lives in both; the owner of side a speaks for it.
            if !chunk.owns(lane.a) {
                continue;
            }
            let (a, b) = (new_row[lane.a as usize], new_row[lane.b as usize]);
            if a == GONE || b == GONE {
                continue;
            }
            let memory = if a < b { lane.memory } else { lane.memory.exchanged() };
            told.push(Told { low: a.min(b), high: a.max(b), memory });
        }
    }
    told
}
