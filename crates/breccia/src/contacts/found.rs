//! Near pairs of rows, handed out to chunks.
//!
//! Scenes without bonds are searched sphere by sphere. With bonds whole bodies are searched first; the pairs then come
//! in the order of their rows, which does not depend on how they were found.

use super::bonds::BondedRows;
use crate::broad_phase::{
    BoundsTable, BroadPhase, Candidate, CellGrid, ComponentSearch, FindNeighbours, NearPair, TooLong,
};
use crate::dispatch::Compiled;
use crate::math::{Buckets, CountingSort};
use crate::model::Domain;
use crate::state::Clumps;
use rayon::prelude::*;

/// Pairs of a chunk that have a row in another one, by that chunk.
#[derive(Default)]
pub(super) struct Foreign(CountingSort<NearPair>);

impl Foreign {
    /// Those of the pairs of the rows from `first` to `end`, all lower row first, where chunks have `length` rows.
    pub fn of(pairs: &[NearPair], (first, end): (u32, u32), length: usize, chunks: usize) -> Self {
        let is_foreign = |near: &&NearPair| near.pair.a < first || near.pair.b >= end;
        let foreign: Vec<NearPair> = pairs.iter().filter(is_foreign).copied().collect();
        let other = |near: &NearPair| if near.pair.a < first { near.pair.a } else { near.pair.b };
        let mut by_chunk = CountingSort::default();
        by_chunk.sort(&foreign, chunks, |near| other(near) as usize / length);
        Self(by_chunk)
    }

    /// Pairs with a row in another chunk.
    pub fn for_chunk(&self, chunk: usize) -> &[NearPair] {
        self.0.of(chunk)
    }
}

/// Room of a search, used again from chunk to chunk.
#[derive(Default)]
struct Room {
    found: Vec<NearPair>,
    by_lower_row: CountingSort<NearPair>,
}

/// What is searched, and for which chunks.
pub(super) struct PairSearch<'a> {
    /// Spheres of the rows, and their owners for a search by bodies.
    pub bounds: BoundsTable,
    /// Spheres that move as one, which do not touch each other.
    pub clumps: &'a Clumps,
    /// Reach of the lists beyond touching [m].
    pub skin: f64,
    /// The domain.
    pub domain: &'a Domain,
    /// Rows of a chunk.
    pub length: usize,
    /// Number of chunks.
    pub chunks: usize,
    /// The search for neighbours in cells.
    pub find: Compiled<FindNeighbours>,
}

/// What is made of the pairs of each chunk: those with at least one row in it, lower row first. They are handed on chunk by
/// chunk, so that they need not go to memory: the pairs of all are larger than what is made of them.
pub(super) trait Make<T>: Fn(usize, &[NearPair]) -> T + Sync {}

impl<T, F: Fn(usize, &[NearPair]) -> T + Sync> Make<T> for F {}

impl PairSearch<'_> {
    /// All pairs, as the grid finds them; no row has an owner.
    pub fn by_spheres<T: Send>(&self, make: impl Make<T>) -> Vec<T> {
        let grid = self.grid();
        let of_chunk = |room: &mut Room, chunk: usize| {
            self.look_from(&grid, chunk, &mut room.found);
            room.sort_by_lower_row(chunk * self.length, self.length);
            make(chunk, &room.by_lower_row.sorted)
        };
        (0..self.chunks).into_par_iter().map_init(Room::default, of_chunk).collect()
    }

    /// All pairs that are not bonded, found by the grid, in order.
    pub fn by_spheres_in_order<T: Send>(&self, bonded: &BondedRows, make: impl Make<T>) -> Vec<T> {
        let grid = self.grid();
        let own = |room: &mut Vec<NearPair>, chunk: usize| {
            self.look_from(&grid, chunk, room);
            room.iter().map(|near| near.pair).collect()
        };
        let parts = (0..self.chunks).into_par_iter().map_init(Vec::new, own).collect();
        self.in_order(parts, bonded, make)
    }

    /// All pairs that are not bonded, found by whole bodies, in order. A body that is too long for the domain is
    /// refused when it is `new`; if it has become so, spheres are searched one by one.
    pub fn by_bodies<T: Send>(
        mut self,
        new: bool,
        bonded: &BondedRows,
        make: impl Make<T>,
    ) -> Result<Vec<T>, TooLong> {
        let mut search = ComponentSearch::default();
        let fits = search.rebuild(&self.bounds, self.skin, self.domain);
        if new {
            search.check_lengths(self.domain)?;
        }
        if fits.is_err() {
            self.bounds.owner.clear();
            return Ok(self.by_spheres_in_order(bonded, make));
        }
        let parts = search.between(&self.bounds).into_iter().chain(search.within(&self.bounds));
        Ok(self.in_order(parts.map(|part| part.pairs).collect(), bonded, make))
    }

    fn grid(&self) -> CellGrid {
        let mut grid = CellGrid::default();
        grid.rebuild(&self.bounds, self.skin, self.domain);
        grid
    }

    /// Finds pairs from the rows of a chunk, lower row first.
    fn look_from(&self, grid: &CellGrid, chunk: usize, found: &mut Vec<NearPair>) {
        let rows = (chunk * self.length) as u32..((chunk + 1) * self.length).min(self.bounds.len()) as u32;
        found.clear();
        // Some ten neighbours each: growing by doubling would copy them several times.
        found.reserve(10 * rows.len());
        (self.find)((grid, &self.bounds, rows, found));
        if !self.clumps.is_empty() {
            found.retain(|near| !self.clumps.share(near.pair.a, near.pair.b));
        }
    }

    /// Hands out pairs, each by its lower row, in the order of rows.
    fn in_order<T: Send>(
        &self,
        mut parts: Vec<Vec<Candidate>>,
        bonded: &BondedRows,
        make: impl Make<T>,
    ) -> Vec<T> {
        let shares: Vec<Buckets> = parts
            .par_iter_mut()
            .map(|part| {
                part.retain(|pair| !bonded.are_bonded(pair.a, pair.b) && !self.clumps.share(pair.a, pair.b));
                Buckets::new(part.iter().map(|pair| pair.a as usize / self.length), self.chunks)
            })
            .collect();
        let of_chunk = |chunk: usize| make(chunk, &self.gather(&parts, &shares, chunk));
        (0..self.chunks).into_par_iter().map(of_chunk).collect()
    }

    /// The pairs of a chunk, from all parts.
    fn gather(&self, parts: &[Vec<Candidate>], shares: &[Buckets], chunk: usize) -> Vec<NearPair> {
        let (first, period) = (chunk * self.length, self.domain.period());
        let of_chunk = |(part, share): (&'_ Vec<Candidate>, &'_ Buckets)| {
            share.of(chunk).iter().map(|&k| part[k as usize]).collect::<Vec<_>>()
        };
        let mut own: Vec<Candidate> = parts.iter().zip(shares).flat_map(of_chunk).collect();
        let rows = Buckets::new(own.iter().map(|pair| pair.a as usize - first), self.length);
        own = rows.in_order(&own);
        own.chunk_by_mut(|p, q| p.a == q.a).for_each(<[Candidate]>::sort_unstable);
        let near = |pair: &Candidate| NearPair { pair: *pair, gap: self.bounds.gap(*pair, period) as f32 };
        own.iter().map(near).collect()
    }
}

impl Room {
    /// Sorts pairs by their lower row, since the step reads those one after the other; pairs whose lower row does not lie in
    /// the stretch of `length` rows from `first` come last.
    fn sort_by_lower_row(&mut self, first: usize, length: usize) {
        let place = |near: &NearPair| (near.pair.a as usize).wrapping_sub(first).min(length);
        self.by_lower_row.sort(&self.found, length + 1, place);
    }
}
