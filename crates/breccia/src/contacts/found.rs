//! Near pairs of rows, handed out to chunks.
//!
//! Scenes without bonds are searched sphere by sphere. With bonds whole bodies are searched first; the pairs then come
//! in the order of their rows, which does not depend on how they were found.

use super::bonds::BondedRows;
use crate::broad_phase::{
    BoundsTable, BroadPhase, Candidate, CellGrid, ComponentSearch, FindNeighbours, NearPair, TooLong,
};
use crate::dispatch::Compiled;
use crate::math::Buckets;
use crate::model::Domain;
use crate::state::Clumps;
use rayon::prelude::*;

/// Candidates of one chunk.
pub(super) struct Found {
    /// Pairs with at least one row in the chunk, lower row first.
    pub own: Vec<NearPair>,
    /// Those of them whose other row lies in another chunk, by that chunk.
    foreign: Vec<(u32, NearPair)>,
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

impl PairSearch<'_> {
    /// All pairs, as the grid finds them; no row has an owner.
    pub fn by_spheres(&self) -> Vec<Found> {
        let grid = self.grid();
        (0..self.chunks).into_par_iter().map(|k| self.of_chunk(&grid, k)).collect()
    }

    /// All pairs that are not bonded, found by the grid, in order.
    pub fn by_spheres_in_order(&self, bonded: &BondedRows) -> Vec<Found> {
        let grid = self.grid();
        let own = |k: usize| self.near_rows_of(&grid, k).iter().map(|near| near.pair).collect();
        self.in_order((0..self.chunks).into_par_iter().map(own).collect(), bonded)
    }

    /// All pairs that are not bonded, found by whole bodies, in order. A body that is too long for the domain is
    /// refused when it is `new`; if it has become so, spheres are searched one by one.
    pub fn by_bodies(mut self, new: bool, bonded: &BondedRows) -> Result<Vec<Found>, TooLong> {
        let mut search = ComponentSearch::default();
        let fits = search.rebuild(&self.bounds, self.skin, self.domain);
        if new {
            search.check_lengths(self.domain)?;
        }
        if fits.is_err() {
            self.bounds.owner.clear();
            return Ok(self.by_spheres_in_order(bonded));
        }
        let parts = search.between(&self.bounds).into_iter().chain(search.within(&self.bounds));
        Ok(self.in_order(parts.map(|part| part.pairs).collect(), bonded))
    }

    fn grid(&self) -> CellGrid {
        let mut grid = CellGrid::default();
        grid.rebuild(&self.bounds, self.skin, self.domain);
        grid
    }

    /// Pairs found from the rows of a chunk, lower row first.
    fn near_rows_of(&self, grid: &CellGrid, chunk: usize) -> Vec<NearPair> {
        let rows = (chunk * self.length) as u32..((chunk + 1) * self.length).min(self.bounds.len()) as u32;
        // Some ten neighbours each: growing by doubling would copy them several times.
        let mut found = Vec::with_capacity(10 * rows.len());
        (self.find)((grid, &self.bounds, rows, &mut found));
        if !self.clumps.is_empty() {
            found.retain(|near| !self.clumps.share(near.pair.a, near.pair.b));
        }
        found.iter_mut().for_each(|near| near.pair = near.pair.lower_first());
        found
    }

    /// Searches from the rows of a chunk.
    fn of_chunk(&self, grid: &CellGrid, chunk: usize) -> Found {
        let found = self.near_rows_of(grid, chunk);
        self.handed_out(by_lower_row(&found, chunk * self.length, self.length), chunk)
    }

    /// The pairs of a chunk, and for which others they are as well.
    fn handed_out(&self, own: Vec<NearPair>, chunk: usize) -> Found {
        let mut foreign = Vec::new();
        for near in &own {
            let chunks = [near.pair.a, near.pair.b].map(|row| row as usize / self.length);
            if chunks[0] != chunks[1] {
                let other = if chunks[0] == chunk { chunks[1] } else { chunks[0] };
                foreign.push((other as u32, *near));
            }
        }
        foreign.sort_by_key(|(other, _)| *other);
        Found { own, foreign }
    }

    /// Hands out pairs, each by its lower row, in the order of rows.
    fn in_order(&self, mut parts: Vec<Vec<Candidate>>, bonded: &BondedRows) -> Vec<Found> {
        let shares: Vec<Buckets> = parts
            .par_iter_mut()
            .map(|part| {
                part.retain(|pair| !bonded.are_bonded(pair.a, pair.b) && !self.clumps.share(pair.a, pair.b));
                Buckets::new(part.iter().map(|pair| pair.a as usize / self.length), self.chunks)
            })
            .collect();
        (0..self.chunks).into_par_iter().map(|chunk| self.gather(&parts, &shares, chunk)).collect()
    }

    /// The pairs of a chunk, from all parts.
    fn gather(&self, parts: &[Vec<Candidate>], shares: &[Buckets], chunk: usize) -> Found {
        let (first, period) = (chunk * self.length, self.domain.period());
        let of_chunk = |(part, share): (&'_ Vec<Candidate>, &'_ Buckets)| {
            share.of(chunk).iter().map(|&k| part[k as usize]).collect::<Vec<_>>()
        };
        let mut own: Vec<Candidate> = parts.iter().zip(shares).flat_map(of_chunk).collect();
        let rows = Buckets::new(own.iter().map(|pair| pair.a as usize - first), self.length);
        own = rows.in_order(&own);
        own.chunk_by_mut(|p, q| p.a == q.a).for_each(<[Candidate]>::sort_unstable);
        let near = |pair: &Candidate| NearPair { pair: *pair, gap: self.bounds.gap(*pair, period) as f32 };
        self.handed_out(own.iter().map(near).collect(), chunk)
    }
}

/// Pairs sorted by their lower row, which the step reads one after the other; those whose lower row does not lie in the
/// stretch of `length` rows from `first` come last.
fn by_lower_row(pairs: &[NearPair], first: usize, length: usize) -> Vec<NearPair> {
    let place = |near: &NearPair| (near.pair.a as usize).wrapping_sub(first).min(length);
    Buckets::new(pairs.iter().map(place), length + 1).in_order(pairs)
}

impl Found {
    /// Pairs with a row in another chunk.
    pub fn for_chunk(&self, chunk: u32) -> impl Iterator<Item = NearPair> + '_ {
        let from = self.foreign.partition_point(|(other, _)| *other < chunk);
        self.foreign[from..].iter().take_while(move |(other, _)| *other == chunk).map(|(_, pair)| *pair)
    }
}
