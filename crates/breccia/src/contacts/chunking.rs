//! How rows are cut into chunks, and which chunk has a contact across two of them.

use super::bonds::LiveBond;
use super::{CarriedPairs, OwnSides, SurfaceContact};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Rows that are never parted.
const GRAIN: u32 = 16;

/// Rows cut into chunks of about the same work.
///
/// Chunks have ranks: from both ends of the rows towards the middle. A contact across two chunks belongs to that of lower rank.
/// Two threads that begin at the two ends then hardly ever wait for each other: what a chunk needs to know from others has been
/// found when its turn comes. One thread works in the order of ranks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Chunking {
    /// First row of each chunk, and the number of rows in the end.
    starts: Vec<u32>,
    /// The chunk of each grain of rows.
    of_grain: Vec<u32>,
}

impl Chunking {
    /// So many bodies cut into chunks of about the same `work`. How many chunks there are depends on the number of bodies alone, never on
    /// threads.
    pub fn new(bodies: usize, work: &RowWork) -> Self {
        let chunks = Self::usual_count(bodies);
        let whole: u64 = work.of_grain.iter().map(|&work| u64::from(work)).sum();
        let (mut starts, mut of_grain) = (vec![0], Vec::with_capacity(work.of_grain.len()));
        let mut before = 0;
        for (grain, work) in (0..).zip(work.of_grain.iter().map(|&work| u64::from(work))) {
            // A grain on the line between two chunks goes to the one that has more of it.
            let next = starts.len() as u64;
            let is_full = (2 * before + work) * chunks as u64 > 2 * whole * next;
            if is_full && starts[starts.len() - 1] < grain * GRAIN {
                starts.push(grain * GRAIN);
            }
            of_grain.push(starts.len() as u32 - 1);
            before += work;
        }
        starts.push(bodies as u32);
        Self { starts, of_grain }
    }

    /// Number of chunks for so many bodies, if they are alike.
    pub(super) fn usual_count(bodies: usize) -> usize {
        match bodies {
            // One at least, also without bodies: chunks keep the sums of the run.
            0..=511 => 1,
            512..=2047 => bodies / 256,
            // Shorter chunks share too many of their contacts with others.
            2048..=8191 => 4 * bodies.div_ceil(4096),
            8192..=199_999 => 16 * bodies.div_ceil(16 * 2048),
            _ => 16 * bodies.div_ceil(16 * 8192),
        }
    }

    /// Number of chunks, one at least.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rows of a chunk.
    #[inline(always)]
    pub fn rows(&self, chunk: usize) -> Range<u32> {
        self.starts[chunk]..self.starts[chunk + 1]
    }

    /// The chunk of a row.
    #[inline(always)]
    pub fn of_row(&self, row: u32) -> u32 {
        self.of_grain[(row / GRAIN) as usize]
    }

    /// Place of a chunk in the order in which `count` chunks are worked on.
    #[inline(always)]
    pub fn rank(chunk: u32, count: u32) -> u32 {
        if chunk < count.div_ceil(2) { 2 * chunk } else { 2 * (count - 1 - chunk) + 1 }
    }

    /// The chunk that has a contact between two rows.
    #[inline(always)]
    pub fn owner(&self, [a, b]: [u32; 2]) -> u32 {
        let (of_a, of_b) = (self.of_row(a), self.of_row(b));
        let rank = |chunk: u32| Self::rank(chunk, self.count() as u32);
        if rank(of_a) <= rank(of_b) { of_a } else { of_b }
    }

    /// Which sides of a contact between two rows, one of which at least is in a chunk, are in it.
    #[inline(always)]
    pub fn own_sides(&self, rows: [u32; 2], chunk: usize) -> OwnSides {
        let Range { start, end } = self.rows(chunk);
        OwnSides::within(rows, start, end - start)
    }

    /// Place in a chunk of the row of a contact between two rows, of the first one if both are in it.
    #[inline(always)]
    pub fn own_row(&self, rows: [u32; 2], chunk: usize) -> usize {
        let [a, b] = rows;
        let own = if self.own_sides(rows, chunk) == OwnSides::B { b } else { a };
        (own - self.starts[chunk]) as usize
    }

    /// Parts of a slice with an entry for each row, chunk after chunk; all empty if the slice is.
    pub fn split<'a, T>(&self, mut rows: &'a mut [T]) -> Vec<&'a mut [T]> {
        let length = |pair: &[u32]| (pair[1] - pair[0]) as usize;
        let take = |count: usize| rows.split_off_mut(..count).unwrap_or_default();
        self.starts.windows(2).map(length).map(take).collect()
    }
}

/// How much work the rows of some bodies are in a step, in tenths of what a contact of two spheres takes.
///
/// It is told from the contacts of the lists before, hence the same for any number of threads.
#[derive(Clone, Debug, Default)]
pub struct RowWork {
    of_grain: Vec<u32>,
    rows: u32,
}

impl RowWork {
    /// A body without contacts.
    const BODY: u32 = 6;
    /// Two spheres.
    pub(super) const PAIR: u32 = 10;
    /// A sphere and a wall.
    const WALL: u32 = 16;
    /// A bond.
    const BOND: u32 = 10;

    /// Bodies without contacts.
    pub fn of_bodies(bodies: usize) -> Self {
        let rows = bodies as u32;
        let grain = |first: u32| Self::BODY * GRAIN.min(rows - first);
        Self { of_grain: (0..rows).step_by(GRAIN as usize).map(grain).collect(), rows }
    }

    /// Bodies with contacts and bonds that carry over from the lists before.
    pub(super) fn of_contacts(
        bodies: usize,
        pairs: &CarriedPairs,
        walls: &[SurfaceContact],
        bonds: &[LiveBond],
    ) -> Self {
        let mut work = Self::of_bodies(bodies);
        pairs.add_work(&mut work);
        walls.iter().for_each(|contact| work.add(contact.row, Self::WALL));
        for LiveBond { bond, .. } in bonds {
            work.add(work.outer_row([bond.a.min(bond.b), bond.a.max(bond.b)]), Self::BOND);
        }
        work
    }

    /// The one of two rows whose chunk most likely has a contact between them: the outer one.
    #[inline(always)]
    pub fn outer_row(&self, [low, high]: [u32; 2]) -> u32 {
        if u64::from(low) + u64::from(high) < u64::from(self.rows) { low } else { high }
    }

    /// Adds work of a row.
    #[inline(always)]
    pub fn add(&mut self, row: u32, work: u32) {
        self.of_grain[(row / GRAIN) as usize] += work;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::RandomStream;

    #[test]
    fn ranks_are_all_numbers_once_and_rise_from_both_ends() {
        for bodies in [0, 1, 600, 1000, 2048, 5000, 30_000, 300_000] {
            let count = Chunking::new(bodies, &RowWork::of_bodies(bodies)).count() as u32;
            let mut ranks: Vec<u32> = (0..count).map(|chunk| Chunking::rank(chunk, count)).collect();
            let (low, high) = ranks.split_at(ranks.len().div_ceil(2));
            assert!(low.is_sorted() && high.iter().rev().is_sorted());
            ranks.sort_unstable();
            assert_eq!(ranks, (0..count).collect::<Vec<_>>());
        }
    }

    /// Every row is in one chunk, and where grains are small beside a chunk all chunks are about the same work.
    #[test]
    fn chunks_hold_all_rows_once_and_are_about_the_same_work() {
        let mut random = RandomStream::new(5);
        for bodies in [0, 1, 15, 511, 512, 700, 3200, 8192, 30_000, 250_001] {
            let mut work = RowWork::of_bodies(bodies);
            let busy = random.unit();
            for row in 0..bodies as u32 {
                let contacts = if f64::from(row) < busy * bodies as f64 { 5.0 } else { 1.0 };
                work.add(row, (contacts * 10.0 * random.unit()) as u32);
            }
            let chunking = Chunking::new(bodies, &work);
            let ranges: Vec<Range<u32>> = (0..chunking.count()).map(|chunk| chunking.rows(chunk)).collect();
            assert_eq!(chunking.count(), Chunking::usual_count(bodies));
            assert!(ranges[0].start == 0 && ranges[ranges.len() - 1].end == bodies as u32);
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            for (chunk, rows) in ranges.iter().enumerate() {
                assert!(bodies == 0 || !rows.is_empty(), "chunk {chunk} of {bodies} bodies");
                assert!(rows.clone().all(|row| chunking.of_row(row) == chunk as u32));
            }
            let mut marks = vec![0_usize; bodies];
            chunking.split(&mut marks).into_iter().enumerate().for_each(|(chunk, rows)| rows.fill(chunk));
            assert!((0..).zip(&marks).all(|(row, &chunk)| chunking.rows(chunk).contains(&row)));
            if bodies >= 30_000 {
                let of = |rows: &Range<u32>| {
                    let grains = rows.start / GRAIN..rows.end.div_ceil(GRAIN);
                    work.of_grain[grains.start as usize..grains.end as usize].iter().sum::<u32>()
                };
                let (least, most) = ranges
                    .iter()
                    .fold((u32::MAX, 0), |(least, most), rows| (least.min(of(rows)), most.max(of(rows))));
                assert!(most * 100 < least * 105, "{least} to {most}");
            }
        }
    }

    #[test]
    fn a_contact_belongs_to_one_of_its_chunks() {
        let mut work = RowWork::of_bodies(1800);
        (0..900).for_each(|row| work.add(row, 7));
        let chunks = Chunking::new(1800, &work);
        assert_eq!(chunks.count(), 7);
        for a in (0..1800).step_by(5) {
            for b in (a + 1..1800).step_by(7) {
                let owner = chunks.owner([a, b]);
                let own = (chunks.of_row(a) == owner, chunks.of_row(b) == owner);
                let expected = match own {
                    (true, true) => OwnSides::Both,
                    (true, false) => OwnSides::A,
                    (false, true) => OwnSides::B,
                    _ => panic!("{a} and {b} belong to {owner}"),
                };
                assert_eq!(chunks.own_sides([a, b], owner as usize), expected);
                assert_eq!(chunks.owner([b, a]), owner);
            }
        }
    }

    /// Of contacts within a half of the rows and across chunks.
    #[test]
    fn the_outer_row_is_in_the_chunk_of_a_contact() {
        let work = RowWork::of_bodies(8000);
        let chunks = Chunking::new(8000, &work);
        for (a, b) in [(0, 10), (1500, 2500), (5500, 6500), (7000, 7999), (10, 7000)] {
            assert_eq!(chunks.of_row(work.outer_row([a, b])), chunks.owner([a, b]), "{a}, {b}");
        }
    }
}
