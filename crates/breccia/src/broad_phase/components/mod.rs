//! Search by whole bodies: bounding spheres of components first, their spheres only where two components may touch.
//!
//! A component is what one owner holds together: a bonded cluster, a clump, or a lone sphere. Grids are laid over the
//! bounding spheres, one per range of sizes; of two components that come near, only the spheres in the lens between
//! their bounding spheres are compared.

mod lens;
mod levels;
mod members;
mod within;

pub use members::TooLong;

use super::{BoundsTable, Candidate, Image};
use crate::model::Domain;
use glam::DVec3;
use lens::Lens;
use levels::{Item, Level, SEVERAL, sort_into_levels};
use members::Members;
use rayon::prelude::*;
use std::ops::Range;

/// Components looked at together, at least.
const SMALLEST_PART: usize = 64;
/// Parts of a search, at most about: a fixed number, so that results can be merged without locks.
const PARTS: usize = 256;
/// What rounding may add to a distance, as a part of the largest coordinate.
const ROUNDING: f64 = 1e-12;

/// Comparisons made by a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchWork {
    /// Bounding spheres against bounding spheres.
    pub bounds: u64,
    /// Spheres against the bounds of another component.
    pub filters: u64,
    /// Spheres against spheres.
    pub spheres: u64,
}

impl SearchWork {
    /// Adds other comparisons.
    pub fn add(&mut self, other: &Self) {
        self.bounds += other.bounds;
        self.filters += other.filters;
        self.spheres += other.spheres;
    }
}

/// Pairs found by one part of a search, in no particular order.
#[derive(Clone, Debug, Default)]
pub struct FoundPairs {
    /// The pairs, each once.
    pub pairs: Vec<Candidate>,
    /// What finding them took.
    pub work: SearchWork,
}

/// Components with their bounds, sorted into grids.
#[derive(Clone, Debug, Default)]
pub struct ComponentSearch {
    skin: f64,
    /// Skin and room for rounding: what filters reach; the last test is exact.
    reach: f64,
    period: DVec3,
    members: Members,
    levels: Vec<Level>,
}

impl ComponentSearch {
    /// Takes in spheres and their owners (all their own without owners); pairs closer than `skin` [m] beyond touching
    /// are to be found. Refuses components too long for the period to tell their images apart.
    pub fn rebuild(&mut self, bounds: &BoundsTable, skin: f64, domain: &Domain) -> Result<(), TooLong> {
        self.skin = skin;
        self.period = domain.period();
        self.members = Members::new(bounds, domain);
        self.members.check_reach(skin, domain)?;
        self.reach = skin + ROUNDING * self.members.largest_coordinate().max(self.period.max_element());
        self.levels = sort_into_levels(&self.members, self.reach, domain);
        Ok(())
    }

    /// Refuses components of several spheres that are longer than half the period along an axis: they could meet
    /// their own images.
    pub fn check_lengths(&self, domain: &Domain) -> Result<(), TooLong> {
        self.members.check_length(domain)
    }

    /// Near pairs of spheres of different components, in parts.
    pub fn between(&self, bounds: &BoundsTable) -> Vec<FoundPairs> {
        let part = self.members.count().div_ceil(PARTS).max(SMALLEST_PART);
        let slices: Vec<(usize, Range<usize>)> = self
            .levels
            .iter()
            .enumerate()
            .flat_map(|(level, grid)| {
                let starts = (0..grid.len()).step_by(part);
                starts.map(move |from| (level, from..(from + part).min(grid.len())))
            })
            .collect();
        slices.into_par_iter().map(|(level, slots)| self.search(bounds, level, slots)).collect()
    }

    /// Near pairs of spheres of one and the same component, in parts. None of them is seen through an image in which
    /// the component does not hang together.
    pub fn within(&self, bounds: &BoundsTable) -> Vec<FoundPairs> {
        let part = self.members.count().div_ceil(PARTS).max(1);
        let parts = (0..self.members.count()).into_par_iter().step_by(part);
        parts
            .map(|from| {
                let mut found = FoundPairs::default();
                for component in from..(from + part).min(self.members.count()) {
                    self.search_within(bounds, component, &mut found);
                }
                found
            })
            .collect()
    }

    /// Searches from some components of a level: in their own level and in those that leave it to this one to ask.
    fn search(&self, bounds: &BoundsTable, level: usize, slots: Range<usize>) -> FoundPairs {
        let mut found = FoundPairs::default();
        let mut lens = Lens::default();
        let grid = &self.levels[level];
        let asks = |other: &usize| match (self.levels.get(*other), *other < level) {
            (Some(fine), true) => fine.is_asked_by(grid, self.reach),
            (Some(coarse), false) => *other > level && !grid.is_asked_by(coarse, self.reach),
            (None, _) => false,
        };
        let others: Vec<&Level> = (0..self.levels.len()).filter(asks).map(|k| &self.levels[k]).collect();
        for slot in slots {
            let own = &grid.items()[slot];
            grid.visit_ahead(slot, |run, image| {
                self.search_run(bounds, own, &grid.items()[run], image, &mut lens, &mut found);
            });
            for other in &others {
                other.visit_around(&own.ball, self.reach, |run, image| {
                    self.search_run(bounds, own, &other.items()[run], image, &mut lens, &mut found);
                });
            }
        }
        found
    }

    /// One component against neighbours that lie side by side in a grid.
    #[inline(always)]
    fn search_run(
        &self,
        bounds: &BoundsTable,
        own: &Item,
        others: &[Item],
        image: Image,
        lens: &mut Lens,
        found: &mut FoundPairs,
    ) {
        found.work.bounds += others.len() as u64;
        let shift = if image == Image::NONE { DVec3::ZERO } else { image.shift(self.period) };
        let (centre, radius) = (own.ball.centre - shift, own.ball.radius + self.reach);
        for other in others {
            let reach = radius + other.ball.radius;
            if (centre - other.ball.centre).length_squared() >= reach * reach {
                continue;
            }
            if own.row != SEVERAL && other.row != SEVERAL {
                found.work.spheres += 1;
                let pair = Candidate { a: own.row, b: other.row, image };
                if bounds.reaches(pair, self.period, self.skin) {
                    found.pairs.push(pair.lower_first());
                }
            } else {
                self.compare(bounds, [own.component, other.component], image, shift, lens, found);
            }
        }
    }

    /// Spheres of two components whose bounding spheres are near.
    fn compare(
        &self,
        bounds: &BoundsTable,
        [a, b]: [u32; 2],
        image: Image,
        shift: DVec3,
        lens: &mut Lens,
        found: &mut FoundPairs,
    ) {
        let members = &self.members;
        if !members.boxes_meet([a as usize, b as usize], shift, self.reach) {
            return;
        }
        let work = &mut found.work;
        if !lens.fill((bounds, members), [a as usize, b as usize], shift, self.reach, work) {
            return;
        }
        lens.visit_near(self.reach, work, |pair| {
            if let Some(pair) = self.candidate(bounds, pair, image) {
                found.pairs.push(pair);
            }
        });
    }

    fn keep(&self, bounds: &BoundsTable, members: [usize; 2], image: Image, found: &mut FoundPairs) {
        found.pairs.extend(self.candidate(bounds, members, image));
    }

    /// The pair of two members, b's component seen through `image`, if it is near by the exact test.
    #[inline(always)]
    fn candidate(&self, bounds: &BoundsTable, [a, b]: [usize; 2], image: Image) -> Option<Candidate> {
        let image = self.members.image_between([a, b], image)?;
        let pair = Candidate { a: self.members.row(a), b: self.members.row(b), image };
        bounds.reaches(pair, self.period, self.skin).then(|| pair.lower_first())
    }
}
