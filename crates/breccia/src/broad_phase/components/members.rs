//! Spheres sorted by component, unwrapped, and the bounds of components.

use crate::broad_phase::{BoundsTable, Image};
use crate::model::Domain;
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;
use thiserror::Error;

/// A sphere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ball {
    /// Centre [m, world].
    pub centre: DVec3,
    /// Radius [m].
    pub radius: f64,
}

/// A component that is too long for a periodic axis.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "the body that holds item {item} is {length:.4e} m long along {}, where the domain repeats after {period:.4e} m",
    ["x", "y", "z"][*axis]
)]
pub struct TooLong {
    /// One of its items.
    pub item: u32,
    /// The axis: 0, 1 or 2.
    pub axis: usize,
    /// Length along it, radii included [m].
    pub length: f64,
    /// Period along it [m].
    pub period: f64,
}

/// Bounds of a component.
#[derive(Clone, Copy, Debug, Default)]
struct Hull {
    ball: Ball,
    low: DVec3,
    high: DVec3,
}

/// The spheres of all components.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    /// Members of component c are `start[c]..start[c + 1]`, by ascending row.
    start: Vec<u32>,
    rows: Vec<u32>,
    /// Periods by which members must be moved for their component to hang together; empty when nothing repeats.
    turns: Vec<[i8; 3]>,
    period: DVec3,
    hulls: Vec<Hull>,
}

impl Members {
    /// Sorts spheres by owner and bounds each owner's.
    pub fn new(bounds: &BoundsTable, domain: &Domain) -> Self {
        let mut members = Self::sorted(bounds);
        if domain.is_periodic() {
            members.period = domain.period();
            members.turns = vec![[0; 3]; members.rows.len()];
            members.unwrap(bounds, domain);
        }
        let hull = |c: usize| members.hull_of(bounds, members.range(c));
        members.hulls = (0..members.count()).into_par_iter().with_min_len(256).map(hull).collect();
        members
    }

    fn sorted(bounds: &BoundsTable) -> Self {
        let rows = bounds.len() as u32;
        if bounds.owner.is_empty() {
            return Self { start: (0..=rows).collect(), rows: (0..rows).collect(), ..Self::default() };
        }
        let owners = bounds.owner.iter().max().map_or(0, |&most| most as usize + 1);
        // Counted one place late, so that filling moves each start to where it belongs.
        let mut start = vec![0_u32; owners + 2];
        for &owner in &bounds.owner {
            start[owner as usize + 2] += 1;
        }
        for c in 2..start.len() {
            start[c] += start[c - 1];
        }
        let mut sorted = vec![0_u32; bounds.len()];
        for (row, &owner) in (0_u32..).zip(&bounds.owner) {
            let slot = &mut start[owner as usize + 1];
            sorted[*slot as usize] = row;
            *slot += 1;
        }
        start.pop();
        Self { start, rows: sorted, ..Self::default() }
    }

    /// Puts each component together: members where they are nearest to the first one, the centre inside the domain.
    fn unwrap(&mut self, bounds: &BoundsTable, domain: &Domain) {
        for c in 0..self.count() {
            let range = self.range(c);
            if range.len() < 2 {
                continue;
            }
            for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
                let period = self.period[axis];
                let first = bounds.centre[self.rows[range.start] as usize][axis];
                let (mut weight, mut sum) = (0.0, 0.0);
                for k in range.clone() {
                    let row = self.rows[k] as usize;
                    let (at, radius) = (bounds.centre[row][axis], bounds.radius[row]);
                    let turns = -((at - first) / period).round();
                    self.turns[k][axis] = turns as i8;
                    let volume = radius * radius * radius;
                    sum += volume * (at + turns * period);
                    weight += volume;
                }
                let back = -((sum / weight - domain.min[axis]) / period).floor();
                for k in range.clone() {
                    self.turns[k][axis] += back as i8;
                }
            }
        }
    }

    /// Number of components, empty ones included.
    pub fn count(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Places of a component's members.
    #[inline(always)]
    pub fn range(&self, component: usize) -> Range<usize> {
        self.start[component] as usize..self.start[component + 1] as usize
    }

    /// Row of a member.
    #[inline(always)]
    pub fn row(&self, member: usize) -> u32 {
        self.rows[member]
    }

    /// A member where its component hangs together.
    #[inline(always)]
    pub fn ball(&self, bounds: &BoundsTable, member: usize) -> Ball {
        let row = self.rows[member] as usize;
        let (centre, radius) = (bounds.centre[row], bounds.radius[row]);
        if self.turns.is_empty() {
            return Ball { centre, radius };
        }
        let turns = self.turns[member].map(f64::from);
        Ball { centre: centre + DVec3::from_array(turns) * self.period, radius }
    }

    /// Bounding sphere of a component.
    #[inline(always)]
    pub fn bound(&self, component: usize) -> Ball {
        self.hulls[component].ball
    }

    /// Bounding box of a component [m].
    #[inline(always)]
    pub fn bounding_box(&self, component: usize) -> (DVec3, DVec3) {
        (self.hulls[component].low, self.hulls[component].high)
    }

    /// Whether the boxes of two components, the second one shifted, come nearer than `reach` [m].
    pub fn boxes_meet(&self, [a, b]: [usize; 2], shift: DVec3, reach: f64) -> bool {
        let (a, b) = (&self.hulls[a], &self.hulls[b]);
        (b.low + shift - a.high).max_element() <= reach && (a.low - b.high - shift).max_element() <= reach
    }

    /// Image in which row b must be seen from row a, for components seen through `image`. None is too far to matter.
    #[inline(always)]
    pub fn image_between(&self, [a, b]: [usize; 2], image: Image) -> Option<Image> {
        if self.turns.is_empty() {
            return Some(image);
        }
        let (of_a, of_b, steps) = (self.turns[a], self.turns[b], image.steps());
        let steps = std::array::from_fn(|k| steps[k] + i32::from(of_b[k]) - i32::from(of_a[k]));
        // Rows lie inside the domain: through an image two periods away they are at least one period apart.
        steps.iter().all(|step| (-1..=1).contains(step)).then(|| Image::new(steps))
    }

    /// Largest coordinate of any bound, by amount [m].
    pub fn largest_coordinate(&self) -> f64 {
        let filled = (0..self.count()).filter(|&c| !self.range(c).is_empty());
        filled.fold(0.0, |most, c| {
            let hull = &self.hulls[c];
            most.max(hull.low.abs().max_element()).max(hull.high.abs().max_element())
        })
    }

    /// Refuses components that a query through the nearest images could not tell from their own images.
    pub fn check_reach(&self, skin: f64, domain: &Domain) -> Result<(), TooLong> {
        self.check(domain, |hull, axis, period| {
            let centre = hull.ball.centre[axis];
            (hull.high[axis] - centre).max(centre - hull.low[axis]) <= 0.5 * (period - skin)
        })
    }

    /// Refuses components of several spheres that are longer than half a period.
    pub fn check_length(&self, domain: &Domain) -> Result<(), TooLong> {
        self.check(domain, |hull, axis, period| hull.high[axis] - hull.low[axis] <= 0.5 * period)
    }

    fn check(&self, domain: &Domain, fits: impl Fn(&Hull, usize, f64) -> bool) -> Result<(), TooLong> {
        for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
            let period = domain.max[axis] - domain.min[axis];
            for c in (0..self.count()).filter(|&c| self.range(c).len() > 1) {
                let hull = &self.hulls[c];
                if !fits(hull, axis, period) {
                    let length = hull.high[axis] - hull.low[axis];
                    return Err(TooLong { item: self.row(self.range(c).start), axis, length, period });
                }
            }
        }
        Ok(())
    }

    /// Bounds of members: around their volume-weighted centre, and a box.
    fn hull_of(&self, bounds: &BoundsTable, range: Range<usize>) -> Hull {
        if range.len() == 1 {
            // The sphere itself, to the last bit.
            let ball = self.ball(bounds, range.start);
            return Hull { ball, low: ball.centre - ball.radius, high: ball.centre + ball.radius };
        }
        let (mut sum, mut weight) = (DVec3::ZERO, 0.0);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for k in range.clone() {
            let ball = self.ball(bounds, k);
            let volume = ball.radius * ball.radius * ball.radius;
            sum += volume * ball.centre;
            weight += volume;
            low = low.min(ball.centre - ball.radius);
            high = high.max(ball.centre + ball.radius);
        }
        let centre = sum / weight;
        let mut most = 0.0_f64;
        for k in range {
            let ball = self.ball(bounds, k);
            let (squared, room) = ((ball.centre - centre).length_squared(), most - ball.radius);
            // Roots are slow, and few spheres reach farther than those before.
            if room <= 0.0 || squared > room * room {
                most = most.max(squared.sqrt() + ball.radius);
            }
        }
        Hull { ball: Ball { centre, radius: most }, low, high }
    }
}
