//! Near spheres of one and the same component: small ones by comparing all, large ones by a grid.

use super::{ComponentSearch, FoundPairs};
use crate::broad_phase::{BoundsTable, BroadPhase, CellGrid, Image};
use crate::model::Domain;
use rayon::prelude::*;

/// Members up to which all are compared with all.
const DIRECT: usize = 64;
/// Members looked at together by the grid of a large component.
const PART: usize = 4096;

impl ComponentSearch {
    /// Adds the near pairs of one component.
    pub(super) fn search_within(&self, bounds: &BoundsTable, component: usize, found: &mut FoundPairs) {
        let range = self.members.range(component);
        if range.len() > DIRECT {
            self.search_large(bounds, component, found);
            return;
        }
        let first = range.start;
        let balls = self.members.balls(range);
        found.work.spheres += (balls.len() * balls.len().saturating_sub(1) / 2) as u64;
        for (p, ball) in balls.iter().enumerate() {
            for (q, other) in balls.iter().enumerate().skip(p + 1) {
                let reach = ball.radius + other.radius + self.reach;
                if (ball.centre - other.centre).length_squared() < reach * reach {
                    self.keep(bounds, [first + p, first + q], Image::NONE, found);
                }
            }
        }
    }

    fn search_large(&self, bounds: &BoundsTable, component: usize, found: &mut FoundPairs) {
        let range = self.members.range(component);
        let (first, balls) = (range.start, self.members.balls(range));
        let own = BoundsTable {
            centre: balls.iter().map(|ball| ball.centre).collect(),
            radius: balls.iter().map(|ball| ball.radius).collect(),
            owner: Vec::new(),
        };
        let mut grid = CellGrid::default();
        grid.rebuild(&own, self.reach, &Domain::unbounded());
        let parts: Vec<FoundPairs> = (0..balls.len())
            .into_par_iter()
            .step_by(PART)
            .map(|from| {
                let mut part = FoundPairs::default();
                for p in from..(from + PART).min(balls.len()) {
                    grid.visit_near(&own, p as u32, &mut |pair| {
                        self.keep(bounds, [first + p, first + pair.b as usize], Image::NONE, &mut part);
                    });
                }
                part
            })
            .collect();
        for part in parts {
            found.pairs.extend(part.pairs);
        }
    }
}
