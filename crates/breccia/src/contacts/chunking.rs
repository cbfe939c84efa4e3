//! How rows are cut into chunks, and which chunk has a contact across two of them.

use super::OwnSides;

/// Rows cut into chunks of the same length.
///
/// Chunks have ranks: from both ends of the rows towards the middle. A contact across two chunks belongs to that of lower rank.
/// Two threads that begin at the two ends then hardly ever wait for each other: what a chunk needs to know from others has been
/// found when its turn comes. One thread works in the order of ranks.
#[derive(Clone, Copy, Debug)]
pub struct Chunking {
    /// Rows of a chunk; the last one may have fewer.
    pub length: u32,
    /// Number of chunks, one at least.
    pub count: u32,
}

impl Chunking {
    /// For so many bodies: a function of their number alone, never of threads.
    pub fn new(bodies: usize) -> Self {
        let chunks = match bodies {
            0..=511 => 1,
            512..=2047 => bodies / 256,
            // Shorter chunks share too many of their contacts with others.
            2048..=8191 => 4 * bodies.div_ceil(4096),
            8192..=199_999 => 16 * bodies.div_ceil(16 * 2048),
            _ => 16 * bodies.div_ceil(16 * 8192),
        };
        let length = bodies.div_ceil(chunks).max(1);
        // One at least, also without bodies: chunks keep the sums of the run.
        Self { length: length as u32, count: bodies.div_ceil(length).max(1) as u32 }
    }

    /// The chunk of a row.
    #[inline(always)]
    pub fn of_row(self, row: u32) -> u32 {
        row / self.length
    }

    /// The first row of a chunk.
    #[inline(always)]
    pub fn first(self, chunk: u32) -> u32 {
        chunk * self.length
    }

    /// Place of a chunk in the order in which `count` chunks are worked on.
    #[inline(always)]
    pub fn rank(chunk: u32, count: u32) -> u32 {
        if chunk < count.div_ceil(2) { 2 * chunk } else { 2 * (count - 1 - chunk) + 1 }
    }

    /// The chunk that has a contact between two rows.
    #[inline(always)]
    pub fn owner(self, [a, b]: [u32; 2]) -> u32 {
        let (of_a, of_b) = (self.of_row(a), self.of_row(b));
        let rank = |chunk: u32| Self::rank(chunk, self.count);
        if rank(of_a) <= rank(of_b) { of_a } else { of_b }
    }

    /// Whether a contact between two rows, one of which at least is in a chunk, belongs to that chunk.
    #[inline(always)]
    pub fn belongs(self, rows: [u32; 2], chunk: u32) -> bool {
        // Most have both rows in it, which is told without a division.
        self.own_sides(rows, chunk) == OwnSides::Both || self.owner(rows) == chunk
    }

    /// Which sides of a contact between two rows, one of which at least is in a chunk, are in it.
    #[inline(always)]
    pub fn own_sides(self, rows: [u32; 2], chunk: u32) -> OwnSides {
        OwnSides::within(rows, self.first(chunk), self.length)
    }

    /// Place in a chunk of the row of a contact between two rows, of the first one if both are in it.
    #[inline(always)]
    pub fn own_row(self, rows: [u32; 2], chunk: u32) -> usize {
        let [a, b] = rows;
        let own = if self.own_sides(rows, chunk) == OwnSides::B { b } else { a };
        (own - self.first(chunk)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_all_numbers_once_and_rise_from_both_ends() {
        for bodies in [0, 1, 600, 1000, 2048, 5000, 30_000, 300_000] {
            let chunks = Chunking::new(bodies);
            let mut ranks: Vec<u32> =
                (0..chunks.count).map(|chunk| Chunking::rank(chunk, chunks.count)).collect();
            let (low, high) = ranks.split_at(ranks.len().div_ceil(2));
            assert!(low.is_sorted() && high.iter().rev().is_sorted());
            ranks.sort_unstable();
            assert_eq!(ranks, (0..chunks.count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_contact_belongs_to_one_of_its_chunks() {
        let chunks = Chunking { length: 10, count: 7 };
        for a in 0..70 {
            for b in a + 1..70 {
                let owner = chunks.owner([a, b]);
                let own = (chunks.of_row(a) == owner, chunks.of_row(b) == owner);
                let expected = match own {
                    (true, true) => OwnSides::Both,
                    (true, false) => OwnSides::A,
                    (false, true) => OwnSides::B,
                    _ => panic!("{a} and {b} belong to {owner}"),
                };
                assert_eq!(chunks.own_sides([a, b], owner), expected);
                assert_eq!(chunks.owner([b, a]), owner);
                for chunk in [chunks.of_row(a), chunks.of_row(b)] {
                    assert_eq!(chunks.belongs([a, b], chunk), chunk == owner);
                }
            }
        }
    }
}
