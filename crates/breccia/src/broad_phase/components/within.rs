//! Near spheres of one and the same component: small ones by comparing all, larger ones by sweeping along their longest
//! side, large ones by a grid.

use super::members::Ball;
use super::{ComponentSearch, FoundPairs};
use crate::broad_phase::{BoundsTable, BroadPhase, CellGrid, Image};
use crate::model::Domain;
use rayon::prelude::*;

/// Members up to which all are compared with all.
const DIRECT: usize = 32;
/// Members up to which a sweep is faster than a grid.
const SWEPT: usize = 1024;
/// Members looked at together by the grid of a large component.
const PART: usize = 4096;

impl ComponentSearch {
    /// Adds the near pairs of one component.
    pub(super) fn search_within(&self, bounds: &BoundsTable, component: usize, found: &mut FoundPairs) {
        let range = self.members.range(component);
        if range.len() > SWEPT {
            self.search_large(bounds, component, found);
            return;
        }
        if range.len() > DIRECT {
            self.sweep(bounds, component, found);
            return;
        }
        let first = range.start;
        let mut balls = [Ball::default(); DIRECT];
        let balls = &mut balls[..range.len()];
        for (ball, k) in balls.iter_mut().zip(range) {
            *ball = self.members.ball(bounds, k);
        }
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

    fn sweep(&self, bounds: &BoundsTable, component: usize, found: &mut FoundPairs) {
        let (low, high) = self.members.bounding_box(component);
        let extent = high - low;
        let axis = (1..3).fold(0, |best, axis| if extent[axis] > extent[best] { axis } else { best });
        let range = self.members.range(component);
        let mut sorted: Vec<(Ball, usize)> = range.map(|k| (self.members.ball(bounds, k), k)).collect();
        sorted.sort_unstable_by(|p, q| p.0.centre[axis].total_cmp(&q.0.centre[axis]));
        let widest = sorted.iter().fold(0.0_f64, |most, (ball, _)| most.max(ball.radius)) + self.reach;
        for (k, (ball, place)) in sorted.iter().enumerate() {
            let end = ball.centre[axis] + ball.radius + widest;
            for (other, other_place) in &sorted[k + 1..] {
                if other.centre[axis] > end {
                    break;
                }
                found.work.spheres += 1;
                let reach = ball.radius + other.radius + self.reach;
                if (ball.centre - other.centre).length_squared() < reach * reach {
                    self.keep(bounds, [*place, *other_place], Image::NONE, found);
                }
            }
        }
    }

    fn search_large(&self, bounds: &BoundsTable, component: usize, found: &mut FoundPairs) {
        let range = self.members.range(component);
        let first = range.start;
        let balls: Vec<Ball> = range.map(|k| self.members.ball(bounds, k)).collect();
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
