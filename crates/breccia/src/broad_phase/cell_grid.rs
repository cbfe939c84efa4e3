//! Cells of one size per size class: small items ask their own class and all larger ones.
//!
//! With one grid for all sizes a few large bodies make cells so wide that small ones meet thousands of
//! strangers; with a grid per doubling of the radius each query reads 27 cells that fit.

use super::{BoundsTable, BroadPhase, Candidate, Image};
use crate::model::Domain;
use glam::DVec3;

/// Cells per item a level may hold before its cells are widened.
const CELLS_PER_ITEM: usize = 8;

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
    origin: DVec3,
    inverse_cell: DVec3,
    cells: [usize; 3],
    periodic: [bool; 3],
    /// Items of cell c are `items[start[c]..start[c + 1]]`, ascending.
    start: Vec<u32>,
    items: Vec<u32>,
}

/// A cell coordinate reached by a stencil step, and the image it was reached through.
#[derive(Clone, Copy)]
struct Reached {
    cell: usize,
    step: i32,
}

impl Level {
    fn new(bounds: &BoundsTable, items: &[u32], skin: f64, domain: &Domain) -> Self {
        let (mut low, mut high, mut largest) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0_f64);
        for &item in items {
            low = low.min(bounds.centre[item as usize]);
            high = high.max(bounds.centre[item as usize]);
            largest = largest.max(bounds.radius[item as usize]);
        }
        let mut level = Self { periodic: domain.periodic, ..Self::default() };
        let mut width = 2.0 * largest + skin;
        loop {
            level.lay_out(low, high, width, domain);
            let total = level.cells.iter().try_fold(1_usize, |t, &n| t.checked_mul(n));
            if total.is_some_and(|t| t <= CELLS_PER_ITEM * items.len() + 1000) {
                break;
            }
            width *= 1.5;
        }
        level.fill(bounds, items);
        level
    }

    fn lay_out(&mut self, low: DVec3, high: DVec3, width: f64, domain: &Domain) {
        for axis in 0..3 {
            if domain.periodic[axis] {
                let period = domain.max[axis] - domain.min[axis];
                self.origin[axis] = domain.min[axis];
                self.cells[axis] = ((period / width) as usize).max(1);
                self.inverse_cell[axis] = self.cells[axis] as f64 / period;
            } else {
                self.origin[axis] = low[axis];
                self.cells[axis] = ((high[axis] - low[axis]) / width) as usize + 1;
                self.inverse_cell[axis] = 1.0 / width;
            }
        }
    }

    fn fill(&mut self, bounds: &BoundsTable, items: &[u32]) {
        let total = self.cells.iter().product::<usize>();
        self.start = vec![0; total + 1];
        let cells: Vec<u32> =
            items.iter().map(|&i| self.flat(self.cell_of(bounds.centre[i as usize]))).collect();
        for &cell in &cells {
            self.start[cell as usize + 1] += 1;
        }
        for c in 0..total {
            self.start[c + 1] += self.start[c];
        }
        let mut next = self.start.clone();
        self.items = vec![0; items.len()];
        for (&item, &cell) in items.iter().zip(&cells) {
            let slot = &mut next[cell as usize];
            self.items[*slot as usize] = item;
            *slot += 1;
        }
    }

    /// Cell of a point, clamped to the grid. Along a periodic axis the point lies inside the domain.
    fn cell_of(&self, point: DVec3) -> [usize; 3] {
        let q = (point - self.origin) * self.inverse_cell;
        std::array::from_fn(|axis| (q[axis].max(0.0) as usize).min(self.cells[axis] - 1))
    }

    fn flat(&self, cell: [usize; 3]) -> u32 {
        ((cell[0] * self.cells[1] + cell[1]) * self.cells[2] + cell[2]) as u32
    }

    /// The up to three cells around a coordinate of one axis.
    #[inline(always)]
    fn around(&self, axis: usize, at: f64) -> ([Reached; 3], usize) {
        let count = self.cells[axis] as i64;
        // A query point may lie outside a coarser level's box: do not clamp before stepping.
        let q = ((at - self.origin[axis]) * self.inverse_cell[axis]).floor().clamp(-2.0, count as f64 + 1.0)
            as i64;
        let centre = if self.periodic[axis] { q.clamp(0, count - 1) } else { q };
        let mut out = [Reached { cell: 0, step: 0 }; 3];
        let mut found = 0;
        for step in -1..=1 {
            let raw = centre + step;
            let (cell, image) = if (0..count).contains(&raw) {
                (raw, 0)
            } else if self.periodic[axis] {
                // Below the first cell lies the last one, seen one period down.
                if raw < 0 { (raw + count, -1) } else { (raw - count, 1) }
            } else {
                continue;
            };
            out[found] = Reached { cell: cell as usize, step: image };
            found += 1;
        }
        (out, found)
    }

    #[inline(always)]
    fn visit(&self, point: DVec3, mut visit: impl FnMut(u32, Image)) {
        let (xs, nx) = self.around(0, point.x);
        let (ys, ny) = self.around(1, point.y);
        let (zs, nz) = self.around(2, point.z);
        for x in &xs[..nx] {
            for y in &ys[..ny] {
                let row = (x.cell * self.cells[1] + y.cell) * self.cells[2];
                for z in &zs[..nz] {
                    let cell = row + z.cell;
                    let image = Image::new([x.step, y.step, z.step]);
                    let (from, to) = (self.start[cell] as usize, self.start[cell + 1] as usize);
                    for &item in &self.items[from..to] {
                        visit(item, image);
                    }
                }
            }
        }
    }
}

impl CellGrid {
    /// Number of items that a query for item `a` compares it with.
    pub fn comparisons(&self, bounds: &BoundsTable, a: u32) -> u64 {
        let own = self.class(bounds.radius[a as usize]);
        let mut count = 0;
        for (class, level) in self.levels.iter().enumerate().skip(own) {
            if !level.items.is_empty() {
                level.visit(bounds.centre[a as usize], |b, _| count += u64::from(class > own || b > a));
            }
        }
        count
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
        self.smallest = bounds.radius.iter().copied().fold(f64::INFINITY, f64::min);
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for (item, &radius) in (0_u32..).zip(&bounds.radius) {
            let class = self.class(radius);
            if classes.len() <= class {
                classes.resize_with(class + 1, Vec::new);
            }
            classes[class].push(item);
        }
        self.levels.clear();
        self.levels.extend(classes.iter().map(|items| {
            if items.is_empty() { Level::default() } else { Level::new(bounds, items, skin, domain) }
        }));
    }

    fn visit_near(&self, bounds: &BoundsTable, a: u32, visit: &mut impl FnMut(Candidate)) {
        let centre = bounds.centre[a as usize];
        let own = self.class(bounds.radius[a as usize]);
        for (class, level) in self.levels.iter().enumerate().skip(own) {
            if level.items.is_empty() {
                continue;
            }
            level.visit(centre, |b, image| {
                let pair = Candidate { a, b, image };
                if (class > own || b > a) && bounds.is_near(pair, self.period, self.skin) {
                    visit(pair);
                }
            });
        }
    }
}
