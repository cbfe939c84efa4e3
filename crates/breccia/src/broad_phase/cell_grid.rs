//! Cells of one size per size class: small items ask their own class and all larger ones.
//!
//! With one grid for all sizes a few large bodies make cells so wide that small ones meet thousands of
//! strangers; with a grid per doubling of the radius each query reads 27 cells that fit.

mod neighbours;

pub use neighbours::{FindNeighbours, NearPair};

use super::{BoundsTable, BroadPhase, Candidate, CellLayout, Image};
use crate::math::{Buckets, SHARE, box_around, range_of};
use crate::model::Domain;
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;

/// Cells per item a level may hold before its cells are widened.
const CELLS_PER_ITEM: usize = 8;

/// Steps (x, y) to the rows of cells visited from a cell, besides its own: the others visit it.
const LATER_ROWS: [[i64; 2]; 4] = [[0, 1], [1, -1], [1, 0], [1, 1]];

/// Items of a query compared together.
const BATCH: usize = 32;

/// Hierarchy of uniform grids.
#[derive(Clone, Debug, Default)]
pub struct CellGrid {
    skin: f64,
    period: DVec3,
    smallest: f64,
    levels: Vec<Level>,
}

/// One uniform grid over the items of one size class.
#[derive(Clone, Debug, Default)]
struct Level {
    layout: CellLayout,
    /// Items of cell c are `items[start[c]..start[c + 1]]`, ascending.
    start: Vec<u32>,
    items: Vec<u32>,
    /// Centre and radius of each of `items`: a query reads them one after the other.
    balls: Vec<[f64; 4]>,
    /// The same as four lists, for copying them to lanes.
    columns: [Vec<f64>; 4],
}

/// A cell coordinate reached by a stencil step, and the image it was reached through.
#[derive(Clone, Copy)]
struct Reached {
    cell: usize,
    step: i32,
}

impl Level {
    fn new(bounds: &BoundsTable, items: &[u32], skin: f64, domain: &Domain) -> Self {
        let (low, high) = box_around(items.par_iter().map(|&item| bounds.centre[item as usize]));
        let radii = items.par_iter().with_min_len(SHARE).map(|&item| bounds.radius[item as usize]);
        let largest = radii.reduce(|| 0.0, f64::max);
        let most = CELLS_PER_ITEM * items.len() + 1000;
        let layout = CellLayout::new(low, high, 2.0 * largest + skin, 1.5, most, domain);
        let mut level = Self { layout, ..Self::default() };
        level.fill(bounds, items);
        level
    }

    fn fill(&mut self, bounds: &BoundsTable, items: &[u32]) {
        let shared = items.par_iter().with_min_len(SHARE);
        let cells: Vec<u32> = shared.map(|&i| self.layout.number_of(bounds.centre[i as usize])).collect();
        let sorted = Buckets::of_many(&cells, self.layout.count());
        self.items = sorted.in_order(items);
        self.start = sorted.start;
        let ball = |&item: &u32| {
            let [x, y, z] = bounds.centre[item as usize].to_array();
            [x, y, z, bounds.radius[item as usize]]
        };
        self.balls = self.items.par_iter().with_min_len(SHARE).map(ball).collect();
        let column = |k: usize| self.balls.par_iter().with_min_len(SHARE).map(|ball| ball[k]).collect();
        self.columns = [0, 1, 2, 3].map(column);
    }

    /// The cell `step` cells on from `cell` along an axis, if there is one.
    #[inline(always)]
    fn beside(&self, axis: usize, cell: i64, step: i64) -> Option<Reached> {
        let (count, raw) = (self.layout.cells[axis] as i64, cell + step);
        let (cell, step) = if (0..count).contains(&raw) {
            (raw, 0)
        } else if self.layout.periodic[axis] {
            // Below the first cell lies the last one, seen one period down.
            if raw < 0 { (raw + count, -1) } else { (raw - count, 1) }
        } else {
            return None;
        };
        Some(Reached { cell: cell as usize, step })
    }

    /// The up to three cells around a coordinate of one axis.
    #[inline(always)]
    fn around(&self, axis: usize, at: f64) -> ([Reached; 3], usize) {
        let count = self.layout.cells[axis] as i64;
        // A query point may lie outside a coarser level's box: do not clamp before stepping.
        let q = ((at - self.layout.origin[axis]) * self.layout.inverse_cell[axis])
            .floor()
            .clamp(-2.0, count as f64 + 1.0) as i64;
        let centre = if self.layout.periodic[axis] { q.clamp(0, count - 1) } else { q };
        self.steps_from(axis, centre, -1)
    }

    /// The cells from `first` steps beside a cell to one step after it.
    #[inline(always)]
    fn steps_from(&self, axis: usize, cell: i64, first: i64) -> ([Reached; 3], usize) {
        let mut out = [Reached { cell: 0, step: 0 }; 3];
        let mut found = 0;
        for reached in (first..=1).filter_map(|step| self.beside(axis, cell, step)) {
            out[found] = reached;
            found += 1;
        }
        (out, found)
    }

    /// Items of the cells `zs` in the row of cells (x, y), by runs that lie together in memory and are seen through one
    /// image.
    #[inline(always)]
    fn runs_in_row(&self, [x, y]: [Reached; 2], zs: &[Reached], mut visit: impl FnMut(Range<usize>, Image)) {
        let row = (x.cell * self.layout.cells[1] + y.cell) * self.layout.cells[2];
        for run in zs.chunk_by(|a, b| a.step == b.step && a.cell + 1 == b.cell) {
            let (first, last) = (row + run[0].cell, row + run[run.len() - 1].cell);
            let items = self.start[first] as usize..self.start[last + 1] as usize;
            visit(items, Image::new([x.step, y.step, run[0].step]));
        }
    }

    /// Visits all cells around a point.
    #[inline(always)]
    fn visit_runs(&self, point: DVec3, mut visit: impl FnMut(Range<usize>, Image)) {
        let (xs, nx) = self.around(0, point.x);
        let (ys, ny) = self.around(1, point.y);
        let (zs, nz) = self.around(2, point.z);
        for &x in &xs[..nx] {
            for &y in &ys[..ny] {
                self.runs_in_row([x, y], &zs[..nz], &mut visit);
            }
        }
    }

    /// Visits what comes after an item of this level: the rest of its own cell, and those half of the cells around it
    /// from which it is not visited itself.
    #[inline(always)]
    fn visit_later_runs(&self, item: u32, point: DVec3, mut visit: impl FnMut(Range<usize>, Image)) {
        let cell = self.layout.cell_of(point);
        let mates = self.items_of(self.layout.number(cell));
        let next = mates.start + self.items[mates].partition_point(|&mate| mate <= item);
        let mut is_own = true;
        self.visit_half_around(cell, |run, image| {
            let from = if is_own { next } else { run.start };
            is_own = false;
            visit(from..run.end, image);
        });
    }

    /// Visits a cell, first of all, and those half of the cells around it from which it is not visited itself.
    #[inline(always)]
    fn visit_half_around(&self, cell: [usize; 3], mut visit: impl FnMut(Range<usize>, Image)) {
        let at = cell.map(|along| along as i64);
        let (after, count) = self.steps_from(2, at[2], 0);
        let here = [cell[0], cell[1]].map(|cell| Reached { cell, step: 0 });
        self.runs_in_row(here, &after[..count], &mut visit);
        let (zs, count) = self.steps_from(2, at[2], -1);
        for [x, y] in LATER_ROWS {
            if let (Some(x), Some(y)) = (self.beside(0, at[0], x), self.beside(1, at[1], y)) {
                self.runs_in_row([x, y], &zs[..count], &mut visit);
            }
        }
    }

    /// Places of the items of a cell.
    fn items_of(&self, cell: usize) -> Range<usize> {
        self.start[cell] as usize..self.start[cell + 1] as usize
    }
}

impl CellGrid {
    /// The cells of all items.
    pub fn of(bounds: &BoundsTable, skin: f64, domain: &Domain) -> Self {
        let mut grid = Self::default();
        grid.rebuild(bounds, skin, domain);
        grid
    }

    /// Number of items that a query for item `a` compares it with.
    pub fn comparisons(&self, bounds: &BoundsTable, a: u32) -> u64 {
        let mut count = 0;
        self.visit_levels(bounds, a, |_, run, _| count += run.len() as u64);
        count
    }

    /// Visits what an item is compared with: half of its own level, all of the larger ones.
    #[inline(always)]
    fn visit_levels(&self, bounds: &BoundsTable, a: u32, mut visit: impl FnMut(&Level, Range<usize>, Image)) {
        let (centre, own) = (bounds.centre[a as usize], self.class(bounds.radius[a as usize]));
        self.levels[own].visit_later_runs(a, centre, |run, image| visit(&self.levels[own], run, image));
        for level in self.levels[own + 1..].iter().filter(|level| !level.items.is_empty()) {
            level.visit_runs(centre, |run, image| visit(level, run, image));
        }
    }

    /// Items of each size class, ascending.
    fn classes(&self, radii: &[f64], largest: f64) -> Vec<Vec<u32>> {
        if radii.is_empty() {
            return Vec::new();
        }
        let mut classes = vec![Vec::new(); self.class(largest) + 1];
        if let [all] = &mut classes[..] {
            *all = (0..radii.len() as u32).collect();
        } else {
            (0_u32..).zip(radii).for_each(|(item, &radius)| classes[self.class(radius)].push(item));
        }
        classes
    }

    fn class(&self, radius: f64) -> usize {
        // log2 of the ratio by its exponent: exact, hence the same on every machine.
        let ratio = radius / self.smallest;
        ((ratio.to_bits() >> 52) as i64 - 1023).max(0) as usize
    }
}

impl BroadPhase for CellGrid {
    fn rebuild(&mut self, bounds: &BoundsTable, skin: f64, domain: &Domain) {
        self.skin = skin;
        self.period = domain.period();
        let (smallest, largest) = range_of(bounds.radius.par_iter().copied());
        self.smallest = smallest;
        let classes = self.classes(&bounds.radius, largest);
        self.levels.clear();
        self.levels.extend(classes.iter().map(|items| {
            if items.is_empty() { Level::default() } else { Level::new(bounds, items, skin, domain) }
        }));
    }

    fn visit_near(&self, bounds: &BoundsTable, a: u32, visit: &mut impl FnMut(Candidate)) {
        let (centre, reach) = (bounds.centre[a as usize], bounds.radius[a as usize] + self.skin);
        self.visit_levels(bounds, a, |level, run, image| {
            // Nothing is taken off an unshifted place: −0 would not matter, but costs.
            let seen = if image == Image::NONE { centre } else { centre - image.shift(self.period) };
            let batches = level.items[run.clone()].chunks(BATCH).zip(level.balls[run].chunks(BATCH));
            for (items, balls) in batches {
                // Which of them are near cannot be foretold: they are noted without a branch.
                let (mut near, mut count) = ([0; BATCH], 0);
                for (&b, &[x, y, z, radius]) in items.iter().zip(balls) {
                    let separation = seen - DVec3::new(x, y, z);
                    near[count % BATCH] = b;
                    count += usize::from(separation.length_squared() < (reach + radius) * (reach + radius));
                }
                // An item may meet itself where a period is one cell.
                for &b in near[..count].iter().filter(|&&b| b != a && !bounds.same_owner(a, b)) {
                    visit(Candidate { a, b, image });
                }
            }
        });
    }
}
