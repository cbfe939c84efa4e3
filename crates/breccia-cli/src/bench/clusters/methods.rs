//! All ways to find the same pairs.

use super::two_level;
use super::uniform::{self, CellRule};
use breccia::broad_phase::{BoundsTable, BroadPhase, Candidate, CellGrid, ComponentSearch, SearchWork};
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

#[cfg(test)]
mod tests {
    use super::*;
    use breccia::broad_phase::BruteForce;
    use breccia::scene::RandomStream;
    use glam::DVec3;

    /// Polydisperse random-walk bodies and singles.
    fn scene(dice: &mut RandomStream) -> BoundsTable {
        let mut bounds = BoundsTable::default();
        let ratio = [1.0, 2.0, 8.0][(dice.unit() * 3.0) as usize];
        let side = dice.between(4.0, 20.0);
        for owner in 0..dice.between(1.0, 30.0) as u32 {
            let mut at = DVec3::from_array(std::array::from_fn(|_| dice.between(-side, side)));
            let count = if dice.unit() < 0.4 { 1 } else { dice.between(2.0, 30.0) as usize };
            for _ in 0..count {
                let radius = dice.between(1.0, ratio);
                bounds.centre.push(at);
                bounds.radius.push(radius);
                bounds.owner.push(2 * owner);
                let step = DVec3::from_array(std::array::from_fn(|_| dice.between(-1.0, 1.0)));
                at += 1.8 * radius * step.normalize_or(DVec3::X);
            }
        }
        bounds
    }

    #[test]
    fn every_method_finds_what_brute_force_finds() {
        let mut dice = RandomStream::new(1);
        let mut total = 0;
        for number in 0..700 {
            let bounds = scene(&mut dice);
            let skin = if number % 2 == 0 { 0.0 } else { dice.between(0.0, 1.0) };
            let mut brute = BruteForce::default();
            brute.rebuild(&bounds, skin, &Domain::unbounded());
            let mut expected = Vec::new();
            for a in 0..bounds.len() as u32 {
                brute.visit_near(&bounds, a, &mut |pair| expected.push(pair));
            }
            expected.sort_unstable();
            total += expected.len();
            for method in Method::ALL {
                let mut found = method.search(&bounds, skin).pairs;
                found.sort_unstable();
                assert_eq!(found, expected, "scene {number}, {}", method.name());
                let work = method.work(&bounds, skin);
                assert!(work.spheres >= expected.len() as u64, "{}", method.name());
            }
        }
        assert!(total > 50_000, "{total} pairs");
    }
}
