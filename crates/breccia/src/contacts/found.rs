//! Near pairs of rows, handed out to chunks.
//!
//! Scenes without bonds are searched sphere by sphere. With bonds whole bodies are searched first; the pairs then come
//! in the order of their rows, which does not depend on how they were found.

use super::bonds::BondedRows;
use crate::broad_phase::{BoundsTable, BroadPhase, Candidate, CellGrid, ComponentSearch, TooLong};
use crate::math::Buckets;
use crate::model::Domain;
use crate::state::Clumps;
use rayon::prelude::*;

/// Candidates of one chunk.
pub(super) struct Found {
    /// Pairs with at least one row in the chunk, lower row first.
    pub own: Vec<Candidate>,
    /// Those of them whose other row lies in another chunk, by that chunk.
    foreign: Vec<(u32, Candidate)>,
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
        let own = |k: usize| self.of_chunk(&grid, k).own;
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

    /// Searches from the rows of a chunk.
    fn of_chunk(&self, grid: &CellGrid, chunk: usize) -> Found {
        let length = self.length;
        // Some ten neighbours each: growing by doubling would copy them several times.
        let mut found = Found { own: Vec::with_capacity(10 * length), foreign: Vec::new() };
        let rows = (chunk * length) as u32..((chunk + 1) * length).min(self.bounds.len()) as u32;
        for row in rows {
            grid.visit_near(&self.bounds, row, &mut |pair| {
                let other = pair.b as usize / length;
                if self.clumps.share(pair.a, pair.b) {
                    return;
                }
                let pair = pair.lower_first();
                found.own.push(pair);
                if other != chunk {
                    found.foreign.push((other as u32, pair));
                }
            });
        }
        found.own = by_lower_row(&found.own, chunk * length, length);
        found.foreign.sort_by_key(|(other, _)| *other);
        found
    }

    /// Hands out pairs, each by its lower row, in the order of rows.
    fn in_order(&self, mut parts: Vec<Vec<Candidate>>, bonded: &BondedRows) -> Vec<Found> {
        parts.par_iter_mut().for_each(|part| {
            part.retain(|pair| !bonded.are_bonded(pair.a, pair.b) && !self.clumps.share(pair.a, pair.b));
            part.sort_unstable();
        });
        (0..self.chunks).into_par_iter().map(|chunk| self.gather(&parts, chunk)).collect()
    }

    /// The pairs of a chunk, from parts each in order.
    fn gather(&self, parts: &[Vec<Candidate>], chunk: usize) -> Found {
        let (first, end) = ((chunk * self.length) as u32, ((chunk + 1) * self.length) as u32);
        let mut own = Vec::new();
        for part in parts {
            let from = part.partition_point(|pair| pair.a < first);
            let length = part[from..].partition_point(|pair| pair.a < end);
            own.extend_from_slice(&part[from..from + length]);
        }
        own.sort_unstable();
        let other = |pair: &Candidate| pair.b as usize / self.length;
        let across = own.iter().filter(|pair| other(pair) != chunk);
        let mut foreign: Vec<_> = across.map(|pair| (other(pair) as u32, *pair)).collect();
        foreign.sort_by_key(|(other, _)| *other);
        Found { own, foreign }
    }
}

/// Pairs sorted by their lower row, which the step reads one after the other; those whose lower row does not lie in the
/// stretch of `length` rows from `first` come last.
fn by_lower_row(pairs: &[Candidate], first: usize, length: usize) -> Vec<Candidate> {
    let place = |pair: &Candidate| (pair.a as usize).wrapping_sub(first).min(length);
    let sorted = Buckets::new(pairs.iter().map(place), length + 1);
    sorted.items.iter().map(|&k| pairs[k as usize]).collect()
}

impl Found {
    /// Pairs with a row in another chunk.
    pub fn for_chunk(&self, chunk: u32) -> impl Iterator<Item = Candidate> + '_ {
        let from = self.foreign.partition_point(|(other, _)| *other < chunk);
        self.foreign[from..].iter().take_while(move |(other, _)| *other == chunk).map(|(_, pair)| *pair)
    }
}
