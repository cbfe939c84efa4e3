//! The spheres of two components that lie near the lens between their bounding spheres, and which of them are near.

use super::SearchWork;
use super::members::{Ball, Members};
use crate::broad_phase::BoundsTable;
use glam::DVec3;
use std::ops::Range;

/// Products up to this many comparisons are made outright; longer ones by sweeping.
const DIRECT: usize = 256;

/// Spheres of one side with their places among the members.
type Side = Vec<(Ball, u32)>;

/// The two sides of a lens; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Lens {
    a: Side,
    b: Side,
}

/// A box.
#[derive(Clone, Copy)]
struct Region {
    low: DVec3,
    high: DVec3,
}

impl Region {
    /// Whether a sphere reaches in.
    #[inline(always)]
    fn meets(&self, ball: &Ball) -> bool {
        (ball.centre - self.high).max_element() <= ball.radius
            && (self.low - ball.centre).max_element() <= ball.radius
    }

    fn grown(self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }
}

impl Lens {
    /// Takes in the spheres of two components, the second one shifted, that can be near the other's; false when one
    /// side has none.
    ///
    /// A near pair (p, q) passes: |x_p − O_b| ≤ |x_p − x_q| + |x_q − O_b| < r_p + r_q + reach + R_b − r_q.
    pub fn fill(
        &mut self,
        (bounds, members): (&BoundsTable, &Members),
        [a, b]: [usize; 2],
        shift: DVec3,
        reach: f64,
        work: &mut SearchWork,
    ) -> bool {
        let (bound_a, bound_b) = (members.bound(a), members.bound(b));
        let (of_a, of_b) = (members.range(a), members.range(b));
        work.filters += of_a.len() as u64;
        let (low, high) = members.bounding_box(b);
        let region = Region { low: low + shift, high: high + shift }.grown(reach);
        let bound = Ball { centre: bound_b.centre + shift, radius: bound_b.radius + reach };
        gather(&mut self.a, (bounds, members), of_a, DVec3::ZERO, bound, region);
        if self.a.is_empty() {
            return false;
        }
        work.filters += of_b.len() as u64;
        let bound = Ball { centre: bound_a.centre, radius: bound_a.radius + reach };
        let region = region_of(&self.a).grown(reach);
        gather(&mut self.b, (bounds, members), of_b, shift, bound, region);
        !self.b.is_empty()
    }

    /// Visits pairs of places whose spheres come nearer than `reach` [m].
    pub fn visit_near(&mut self, reach: f64, work: &mut SearchWork, mut visit: impl FnMut([usize; 2])) {
        if self.a.len() * self.b.len() <= DIRECT {
            work.spheres += (self.a.len() * self.b.len()) as u64;
            for (p, place) in &self.a {
                for (q, other) in &self.b {
                    if are_near(p, q, reach) {
                        visit([*place as usize, *other as usize]);
                    }
                }
            }
            return;
        }
        self.sweep(reach, work, visit);
    }

    /// The same by sweeping along the longest side of the overlap.
    fn sweep(&mut self, reach: f64, work: &mut SearchWork, mut visit: impl FnMut([usize; 2])) {
        let region = region_of(&self.a);
        let extent = region.high - region.low;
        let axis = (1..3).fold(0, |best, axis| if extent[axis] > extent[best] { axis } else { best });
        for side in [&mut self.a, &mut self.b] {
            side.sort_unstable_by(|p, q| p.0.centre[axis].total_cmp(&q.0.centre[axis]));
        }
        let largest = |side: &Side| side.iter().fold(0.0_f64, |most, (ball, _)| most.max(ball.radius));
        let widest = largest(&self.a) + largest(&self.b) + reach;
        let mut first = 0;
        for (p, place) in &self.a {
            let at = p.centre[axis];
            while self.b.get(first).is_some_and(|(q, _)| q.centre[axis] < at - widest) {
                first += 1;
            }
            for (q, other) in self.b[first..].iter().take_while(|(q, _)| q.centre[axis] <= at + widest) {
                work.spheres += 1;
                if are_near(p, q, reach) {
                    visit([*place as usize, *other as usize]);
                }
            }
        }
    }
}

/// Collects the spheres, shifted, that reach a bounding sphere and a box.
#[inline(always)]
fn gather(
    side: &mut Side,
    (bounds, members): (&BoundsTable, &Members),
    range: Range<usize>,
    shift: DVec3,
    bound: Ball,
    region: Region,
) {
    side.clear();
    let bound = Ball { centre: bound.centre - shift, radius: bound.radius };
    let region = Region { low: region.low - shift, high: region.high - shift };
    for k in range {
        let ball = members.ball(bounds, k);
        if are_near(&ball, &bound, 0.0) && region.meets(&ball) {
            side.push((Ball { centre: ball.centre + shift, radius: ball.radius }, k as u32));
        }
    }
}

fn region_of(side: &Side) -> Region {
    let start = Region { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
    side.iter().fold(start, |region, (ball, _)| Region {
        low: region.low.min(ball.centre - ball.radius),
        high: region.high.max(ball.centre + ball.radius),
    })
}

#[inline(always)]
fn are_near(p: &Ball, q: &Ball, reach: f64) -> bool {
    let reach = p.radius + q.radius + reach;
    (p.centre - q.centre).length_squared() < reach * reach
}
