//! All ways to find the same pairs.

use super::two_level;
use super::uniform::{self, CellRule};
use breccia::broad_phase::{
    BoundsTable, BroadPhase, BruteForce, Candidate, CellGrid, ComponentSearch, SearchWork,
};
use breccia::model::Domain;
use rayon::prelude::*;

/// Items a thread takes at a time.
pub const SLICE: usize = 256;

/// Pairs found and the comparisons it took.
#[derive(Default)]
pub struct Found {
    /// Pairs of spheres of different owners, lower row first.
    pub pairs: Vec<Candidate>,
    /// Comparisons.
    pub work: SearchWork,
}

impl Found {
    /// What parts of a search found together.
    pub fn joined(parts: Vec<Self>) -> Self {
        let mut all = Self {
            pairs: Vec::with_capacity(parts.iter().map(|part| part.pairs.len()).sum()),
            work: SearchWork::default(),
        };
        for part in parts {
            all.pairs.extend_from_slice(&part.pairs);
            all.work.add(&part.work);
        }
        all
    }
}

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// One grid, cells as wide as the largest sphere.
    Weak,
    /// One grid, cells by the smallest sphere.
    MinRule,
    /// A grid per size class.
    HGrid,
    /// The published search.
    TwoLevel,
    /// Ours.
    Default,
}

impl Method {
    /// All of them, ours last.
    pub const ALL: [Self; 5] = [Self::Weak, Self::MinRule, Self::HGrid, Self::TwoLevel, Self::Default];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::MinRule => "minrule",
            Self::HGrid => "hgrid",
            Self::TwoLevel => "twolevel_paper",
            Self::Default => "default",
        }
    }

    /// All pairs of spheres of different owners nearer than `skin` [m] beyond touching, found from scratch.
    pub fn search(self, bounds: &BoundsTable, skin: f64) -> Found {
        match self {
            Self::Weak => uniform::search(bounds, skin, CellRule::LargestDiameter),
            Self::MinRule => uniform::search(bounds, skin, CellRule::SmallestRadius),
            Self::HGrid => hgrid(bounds, skin),
            Self::TwoLevel => two_level::search(bounds, skin),
            Self::Default => by_components(bounds, skin),
        }
    }

    /// Comparisons of one search.
    pub fn work(self, bounds: &BoundsTable, skin: f64) -> SearchWork {
        if self != Self::HGrid {
            return self.search(bounds, skin).work;
        }
        let mut grid = CellGrid::default();
        grid.rebuild(bounds, skin, &Domain::unbounded());
        let spheres = (0..bounds.len() as u32).into_par_iter().map(|a| grid.comparisons(bounds, a)).sum();
        SearchWork { spheres, ..SearchWork::default() }
    }
}

fn hgrid(bounds: &BoundsTable, skin: f64) -> Found {
    let mut grid = CellGrid::default();
    grid.rebuild(bounds, skin, &Domain::unbounded());
    let parts: Vec<Found> = (0..bounds.len())
        .into_par_iter()
        .step_by(SLICE)
        .map(|from| {
            let mut found = Found::default();
            for a in from..(from + SLICE).min(bounds.len()) {
                grid.visit_near(bounds, a as u32, &mut |pair| found.pairs.push(pair.lower_first()));
            }
            found
        })
        .collect();
    Found::joined(parts)
}

fn by_components(bounds: &BoundsTable, skin: f64) -> Found {
    let mut search = ComponentSearch::default();
    // Nothing repeats here, so nothing is too long.
    let fits = search.rebuild(bounds, skin, &Domain::unbounded());
    let parts = if fits.is_ok() { search.between(bounds) } else { Vec::new() };
    Found::joined(parts.into_iter().map(|part| Found { pairs: part.pairs, work: part.work }).collect())
}

/// What comparing searches gave.
pub struct Comparison {
    /// Pairs in the set that was expected.
    pub pairs: usize,
    /// Searches that found another set.
    pub differing: usize,
}

/// Searches by every method for the pairs that brute force finds, or, where that takes too long, those of `hgrid`.
pub fn compare(bounds: &BoundsTable, skin: f64, by_brute_force: bool) -> Comparison {
    let sorted = |mut pairs: Vec<Candidate>| {
        pairs.sort_unstable();
        pairs
    };
    let expected = sorted(if by_brute_force { brute_force(bounds, skin) } else { hgrid(bounds, skin).pairs });
    let differs = |method: &Method| sorted(method.search(bounds, skin).pairs) != expected;
    let differing = Method::ALL.iter().filter(|method| differs(method)).count();
    Comparison { pairs: expected.len(), differing }
}

fn brute_force(bounds: &BoundsTable, skin: f64) -> Vec<Candidate> {
    let mut brute = BruteForce::default();
    brute.rebuild(bounds, skin, &Domain::unbounded());
    let mut pairs = Vec::new();
    for a in 0..bounds.len() as u32 {
        brute.visit_near(bounds, a, &mut |pair| pairs.push(pair));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::clusters::random_walks;
    use breccia::scene::RandomStream;

    #[test]
    fn every_method_finds_what_brute_force_finds() {
        let mut dice = RandomStream::new(1);
        let mut total = 0;
        for number in 0..700 {
            let bounds = random_walks(&mut dice);
            let skin = if number % 2 == 0 { 0.0 } else { dice.between(0.0, 1.0) };
            let found = compare(&bounds, skin, true);
            assert_eq!(found.differing, 0, "scene {number}");
            for method in Method::ALL {
                let work = method.work(&bounds, skin);
                assert!(work.spheres >= found.pairs as u64, "{}", method.name());
            }
            total += found.pairs;
        }
        assert!(total > 50_000, "{total} pairs");
    }
}
