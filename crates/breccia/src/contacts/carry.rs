//! Memory of contacts carried over when rows are re-ordered and lists are built anew.

use super::{Chunk, Chunking, ContactLanes, PairGroup, RowWork};
use crate::math::{CountingSort, LANES, fetch_ahead};
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
    /// Rows per table, a power of two: log2 of it.
    length_bits: u32,
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
    entries: Vec<Entry>,
}

/// A pair, by its new rows, and where its memory lies.
#[derive(Clone, Copy, Debug)]
struct Entry {
    low: u32,
    high: u32,
    /// The old chunk of the pair; beyond the last one for new pairs.
    chunk: u32,
    /// Place among the offsets, or in the lanes of a group of the chunk.
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

    /// Overlap that counts as none [m].
    pub fn offset(&self) -> f64 {
        match *self {
            Self::New(offset) => offset,
            Self::Lane(contacts, place, _) => contacts.offset(place as usize),
        }
    }

    /// Its stiffness and dashpot scale, if it has had contact.
    pub fn scales(&self) -> Option<(f64, f64)> {
        match *self {
            Self::New(_) => None,
            Self::Lane(contacts, place, _) => Some(contacts.scales(place as usize)),
        }
    }

    /// Gives what the pair remembers, lower new row first, to the contact added last.
    pub fn hand_on(&self, to: &mut ContactLanes) {
        match *self {
            Self::New(offset) => to.set_last(&Memory { offset, ..Memory::default() }),
            Self::Lane(contacts, place, is_exchanged) => to.take_over(contacts, place as usize, is_exchanged),
        }
    }
}

impl<'a> CarriedPairs<'a> {
    /// Collects the touching pairs of all chunks; old row r has become `new_row[r]` or [`GONE`]. `offsets` are overlaps of new pairs among
    /// the `bodies` that count as none, by rows, lower first.
    pub fn collect(
        chunks: &'a [Chunk],
        new_row: &[u32],
        offsets: &'a [([u32; 2], f64)],
        bodies: usize,
    ) -> Self {
        let length = bodies.div_ceil(Chunking::usual_count(bodies)).next_power_of_two();
        let (length_bits, count) = (length.ilog2(), bodies.div_ceil(length));
        let by_table = |pairs: &[Entry]| {
            let mut sort = CountingSort::default();
            sort.sort(pairs, count, |pair| (pair.low >> length_bits) as usize);
            sort
        };
        let old = (0..chunks.len()).into_par_iter();
        let mut shares: Vec<CountingSort<Entry>> =
            old.map(|chunk| by_table(&touching(chunk as u32, &chunks[chunk], new_row))).collect();
        if !offsets.is_empty() {
            shares.push(by_table(&new_pairs(offsets, chunks.len() as u32)));
        }
        let table = |table: usize| {
            let entries: Vec<&[Entry]> = shares.iter().map(|share| share.of(table)).collect();
            RowTable::new(&entries.concat(), table * length, length)
        };
        let tables = (0..count).into_par_iter().map(table).collect();
        Self { length_bits, tables, chunks, offsets }
    }

    /// Adds the work of all pairs to that of the rows.
    pub(super) fn add_work(&self, work: &mut RowWork) {
        let shared: &RowWork = work;
        let of_table = |(number, table): (usize, &RowTable)| {
            let (first, rows) = (number << self.length_bits, table.start.len() - 1);
            let (mut own, mut others) = (vec![0_u32; rows], Vec::new());
            for entry in &table.entries {
                let row = shared.outer_row([entry.low, entry.high]);
                match own.get_mut((row as usize).wrapping_sub(first)) {
                    Some(count) => *count += 1,
                    None => others.push(row),
                }
            }
            (first as u32, own, others)
        };
        let tables: Vec<_> = self.tables.par_iter().enumerate().map(of_table).collect();
        for (first, own, others) in tables {
            let own = (first..).zip(own).filter(|&(_, count)| count > 0);
            own.for_each(|(row, count)| work.add(row, count * RowWork::PAIR));
            others.into_iter().for_each(|row| work.add(row, RowWork::PAIR));
        }
    }

    /// The memory of a pair of rows, lower first.
    pub(super) fn find(&self, [low, high]: [u32; 2]) -> Option<Carried<'a>> {
        let table = self.tables.get((low >> self.length_bits) as usize)?;
        let row = (low & ((1 << self.length_bits) - 1)) as usize;
        let range = table.start[row] as usize..table.start[row + 1] as usize;
        let entry = table.entries[range].iter().find(|entry| entry.high == high)?;
        Some(match self.chunks.get(entry.chunk as usize) {
            None => Carried::New(self.offsets[entry.place as usize].1),
            Some(chunk) => {
                let group = &chunk.groups[usize::from(entry.group)];
                Carried::Lane(&group.contacts, entry.place, entry.is_exchanged)
            }
        })
    }
}

impl RowTable {
    fn new(entries: &[Entry], first: usize, length: usize) -> Self {
        let mut rows = CountingSort::default();
        rows.sort(entries, length, |entry| entry.low as usize - first);
        Self { entries: rows.sorted, start: rows.start }
    }
}

/// New pairs with overlaps that count as none.
fn new_pairs(offsets: &[([u32; 2], f64)], chunk: u32) -> Vec<Entry> {
    let new = |(place, &([low, high], _)): (u32, &([u32; 2], f64))| Entry {
        low,
        high,
        chunk,
        place,
        group: 0,
        is_exchanged: false,
    };
    (0_u32..).zip(offsets).map(new).collect()
}

/// The touching pairs of a chunk that survive, with their new rows.
fn touching(number: u32, chunk: &Chunk, new_row: &[u32]) -> Vec<Entry> {
    let contacts = chunk.groups.iter().map(|group| group.contacts.active as usize).sum();
    let mut pairs = Vec::with_capacity(contacts);
    for (group, PairGroup { contacts, .. }) in (0_u16..).zip(&chunk.groups) {
        for place in contacts.touching() {
            let block = &contacts.blocks[place / LANES];
            let (a, b) = (block.a[place % LANES], block.b[place % LANES]);
            let (a, b) = (new_row[a as usize], new_row[b as usize]);
            if a != GONE && b != GONE {
                let (low, high, is_exchanged) = (a.min(b), a.max(b), a > b);
                let place = place as u32;
                pairs.push(Entry { low, high, chunk: number, place, group, is_exchanged });
            }
        }
    }
    pairs
}
