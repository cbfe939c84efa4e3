//! Near pairs of rows, handed out to chunks.
//!
//! Scenes without bonds are searched sphere by sphere. With bonds whole bodies are searched first; the pairs then come
//! in the order of their rows, which does not depend on how they were found.

use super::Chunking;
use super::bonds::BondedRows;
use crate::broad_phase::{
    BoundsTable, Candidate, CellGrid, ComponentSearch, FindNeighbours, NearPair, TooLong,
};
use crate::dispatch::Compiled;
use crate::math::{Buckets, CountingSort};
use crate::model::Domain;
use crate::state::Clumps;
use rayon::prelude::*;

/// Pairs found from the rows of a chunk that belong to others, by chunk.
#[derive(Default)]
pub(super) struct Foreign(CountingSort<NearPair>);

impl Foreign {
    /// Sorts such pairs.
    pub fn of(pairs: &[NearPair], chunking: &Chunking) -> Self {
        let mut by_chunk = CountingSort::default();
        by_chunk.sort(pairs, chunking.count(), |near| chunking.owner(near.rows()) as usize);
        Self(by_chunk)
    }

    /// Pairs that belong to a chunk.
    pub fn for_chunk(&self, chunk: usize) -> &[NearPair] {
        self.0.of(chunk)
    }
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
    /// How rows are cut into chunks.
    pub chunking: &'a Chunking,
    /// The search for neighbours in cells.
    pub find: Compiled<FindNeighbours>,
}

/// What is made of the pairs found from the rows of each chunk. They are handed on chunk by chunk, so that they need not go to memory: the
/// pairs of all are larger than what is made of them.
pub(super) trait Make<T>: Fn(usize, &[NearPair]) -> T + Sync {}

impl<T, F: Fn(usize, &[NearPair]) -> T + Sync> Make<T> for F {}

impl PairSearch<'_> {
    /// All pairs, as the grid finds them; no row has an owner.
    pub fn by_spheres<T: Send>(&self, grid: &CellGrid, make: impl Make<T>) -> Vec<T> {
        let of_chunk = |room: &mut Vec<NearPair>, chunk: usize| {
            self.look_from(grid, chunk, room);
            make(chunk, room)
        };
        self.chunks().into_par_iter().with_max_len(1).map_init(Vec::new, of_chunk).collect()
    }

    /// All pairs that are not bonded, found by the grid, in order.
    pub fn by_spheres_in_order<T: Send>(
        &self,
        grid: &CellGrid,
        bonded: &BondedRows,
        make: impl Make<T>,
    ) -> Vec<T> {
        let own = |room: &mut Vec<NearPair>, chunk: usize| {
            self.look_from(grid, chunk, room);
            room.iter().map(|near| near.pair).collect()
        };
        let parts = self.chunks().into_par_iter().map_init(Vec::new, own).collect();
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
            let grid = CellGrid::of(&self.bounds, self.skin, self.domain);
            return Ok(self.by_spheres_in_order(&grid, bonded, make));
        }
        let parts = search.between(&self.bounds).into_iter().chain(search.within(&self.bounds));
        Ok(self.in_order(parts.map(|part| part.pairs).collect(), bonded, make))
    }

    fn chunks(&self) -> std::ops::Range<usize> {
        0..self.chunking.count()
    }

    /// Finds pairs from the rows of a chunk, lower row first.
    fn look_from(&self, grid: &CellGrid, chunk: usize, found: &mut Vec<NearPair>) {
        let rows = self.chunking.rows(chunk);
        found.clear();
        // Some ten neighbours each: growing by doubling would copy them several times.
        found.reserve(10 * rows.len());
        (self.find)((grid, &self.bounds, rows, found));
        if !self.clumps.is_empty() {
            found.retain(|near| !self.clumps.share(near.pair.a, near.pair.b));
        }
    }

    /// Hands out pairs to the chunks they belong to, in the order of rows.
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
                let owners = part.iter().map(|pair| self.chunking.owner([pair.a, pair.b]) as usize);
                Buckets::new(owners, self.chunks().len())
            })
            .collect();
        let of_chunk = |chunk: usize| make(chunk, &self.gather(&parts, &shares, chunk));
        self.chunks().into_par_iter().map(of_chunk).collect()
    }

    /// The pairs of a chunk, from all parts.
    fn gather(&self, parts: &[Vec<Candidate>], shares: &[Buckets], chunk: usize) -> Vec<NearPair> {
        let (chunking, period) = (self.chunking, self.domain.period());
        let of_chunk = |(part, share): (&'_ Vec<Candidate>, &'_ Buckets)| {
            share.of(chunk).iter().map(|&k| part[k as usize]).collect::<Vec<_>>()
        };
        let mut own: Vec<Candidate> = parts.iter().zip(shares).flat_map(of_chunk).collect();
        let own_row = |pair: &Candidate| chunking.own_row([pair.a, pair.b], chunk);
        let rows = Buckets::new(own.iter().map(own_row), chunking.rows(chunk).len());
        own = rows.in_order(&own);
        own.chunk_by_mut(|p, q| own_row(p) == own_row(q)).for_each(<[Candidate]>::sort_unstable);
        let near = |pair: &Candidate| NearPair { pair: *pair, gap: self.bounds.gap(*pair, period) as f32 };
        own.iter().map(near).collect()
    }
}
