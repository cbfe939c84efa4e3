//! Memory of contacts carried over when rows are re-ordered and lists are built anew.

use super::{Chunk, ContactLanes, PairGroup};
use crate::math::{Buckets, LANES, fetch_ahead};
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

/// Memories of touching pairs, found by their new rows. They stay in the lanes of the old chunks until new ones take them over, so that
/// they are copied once and no list of them takes room beside the chunks.
#[derive(Clone, Debug)]
pub struct CarriedPairs<'a> {
    /// Rows per table.
    length: usize,
    /// Where memories lie, by stretches of rows.
    tables: Vec<RowTable>,
    /// The old chunks.
    chunks: &'a [Chunk],
    /// Overlaps of new pairs that count as none, by rows, lower first.
    offsets: &'a [([u32; 2], f64)],
}

/// Pairs of a stretch of rows, which has the lower row of each.
#[derive(Clone, Debug, Default)]
struct RowTable {
    /// Entries of the stretch's row r are `start[r]..start[r + 1]`.
    start: Vec<u32>,
    /// With the number of the chunk; beyond the last one for new pairs.
    entries: Vec<(Entry, u32)>,
}

/// A pair, by its new rows, and where its memory lies.
#[derive(Clone, Copy, Debug)]
struct Entry {
    low: u32,
    high: u32,
    /// Place among the offsets, or in the lanes of a group of the chunk that speaks for the pair.
    place: u32,
    group: u16,
    /// Whether the rows have changed their order.
    is_exchanged: bool,
}

/// What is known of a pair that goes on.
#[derive(Clone, Copy)]
pub(super) enum Carried<'a> {
    /// It is new, with an overlap that counts as none [m].
    New(f64),
    /// It lies in a lane; whether the rows have changed their order.
    Lane(&'a ContactLanes, u32, bool),
}

impl Carried<'_> {
    /// Asks for the memory, to be there when it is read soon.
    pub fn fetch_ahead(&self) {
        if let Self::Lane(contacts, place, _) = self {
            fetch_ahead(&contacts.blocks, *place as usize / LANES);
        }
    }

    /// What the pair remembers, lower new row first.
    pub fn memory(&self) -> Memory {
        match *self {
            Self::New(offset) => Memory { offset, ..Memory::default() },
            Self::Lane(contacts, place, is_exchanged) => {
                let memory = contacts.lane(place as usize).memory;
                if is_exchanged { memory.exchanged() } else { memory }
            }
        }
    }
}

impl<'a> CarriedPairs<'a> {
    /// Collects the touching pairs of all chunks; old row r has become `new_row[r]` or [`GONE`], and there are `bodies` new
    /// rows, in chunks of `length`. `offsets` are overlaps of new pairs that count as none, by rows, lower first.
    pub fn collect(
        chunks: &'a [Chunk],
        new_row: &[u32],
        offsets: &'a [([u32; 2], f64)],
        bodies: usize,
        length: usize,
    ) -> Self {
        let mut lists: Vec<Vec<Entry>> = chunks.par_iter().map(|chunk| touching(chunk, new_row)).collect();
        let new = |(place, &([low, high], _)): (u32, &([u32; 2], f64))| Entry {
            low,
            high,
            place,
            group: 0,
            is_exchanged: false,
        };
        lists.push((0_u32..).zip(offsets).map(new).collect());
        let count = bodies.div_ceil(length);
        let by_table =
            |pairs: &Vec<Entry>| Buckets::new(pairs.iter().map(|pair| pair.low as usize / length), count);
        let shares: Vec<Buckets> = lists.par_iter().map(by_table).collect();
        let tables = (0..count).into_par_iter().map(|table| {
            let mut entries = Vec::new();
            for (list, (pairs, share)) in (0_u32..).zip(lists.iter().zip(&shares)) {
                entries.extend(share.of(table).iter().map(|&place| (pairs[place as usize], list)));
            }
            RowTable::new(&entries, table * length, length)
        });
        Self { length, tables: tables.collect(), chunks, offsets }
    }

    /// The memory of a pair of rows, lower first.
    pub(super) fn find(&self, [low, high]: [u32; 2]) -> Option<Carried<'a>> {
        let table = self.tables.get(low as usize / self.length.max(1))?;
        let row = low as usize % self.length;
        let range = table.start[row] as usize..table.start[row + 1] as usize;
        let (entry, list) = table.entries[range].iter().find(|(entry, _)| entry.high == high)?;
        Some(match self.chunks.get(*list as usize) {
            None => Carried::New(self.offsets[entry.place as usize].1),
            Some(chunk) => {
                let group = &chunk.groups[usize::from(entry.group)];
                Carried::Lane(&group.contacts, entry.place, entry.is_exchanged)
            }
        })
    }
}

impl RowTable {
    fn new(entries: &[(Entry, u32)], first: usize, length: usize) -> Self {
        let rows = Buckets::new(entries.iter().map(|(entry, _)| entry.low as usize - first), length);
        Self { entries: rows.in_order(entries), start: rows.start }
    }
}

/// The touching pairs that a chunk speaks for and that survive, with their new rows.
fn touching(chunk: &Chunk, new_row: &[u32]) -> Vec<Entry> {
    let contacts = chunk.groups.iter().map(|group| group.contacts.active as usize).sum();
    let mut pairs = Vec::with_capacity(contacts);
    for (group, PairGroup { contacts, .. }) in (0_u16..).zip(&chunk.groups) {
        for place in contacts.touching() {
            let block = &contacts.blocks[place / LANES];
            let (a, b) = (block.a[place % LANES], block.b[place % LANES]);
            // A pair across chunks lives in both; the owner of side a speaks for it.
            if !chunk.owns(a) {
                continue;
            }
            let (a, b) = (new_row[a as usize], new_row[b as usize]);
            if a != GONE && b != GONE {
                let (low, high, is_exchanged) = (a.min(b), a.max(b), a > b);
                pairs.push(Entry { low, high, place: place as u32, group, is_exchanged });
            }
        }
    }
    pairs
}
