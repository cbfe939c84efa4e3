//! Grids over bounding spheres, one per range of sizes.
//!
//! Neighbours along z lie side by side in memory, so that a query reads nine runs instead of 27 cells; within a level
//! only the half of the neighbourhood that lies ahead is read.

use super::members::{Ball, Members};
use crate::broad_phase::Image;
use crate::model::Domain;
use glam::DVec3;
use std::ops::Range;

/// Cells per item a level may hold before its cells are widened.
const CELLS_PER_ITEM: usize = 8;
/// Size classes per doubling of the radius that one level takes in; there are four in a doubling.
const CLASSES_PER_LEVEL: usize = 3;

/// A grid over components of similar size.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    origin: DVec3,
    inverse_cell: DVec3,
    cells: [usize; 3],
    periodic: [bool; 3],
    /// Items of cell c are `start[c]..start[c + 1]`.
    start: Vec<u32>,
    items: Vec<(u32, Ball)>,
}

/// A cell coordinate next to another.
#[derive(Clone, Copy)]
struct Beside {
    cell: usize,
    step: i64,
    image: i32,
}

/// Sorts components into levels, fine ones first; none is empty.
pub(super) fn sort_into_levels(members: &Members, reach: f64, domain: &Domain) -> Vec<Level> {
    let filled = || (0..members.count() as u32).filter(|&c| !members.range(c as usize).is_empty());
    let smallest = filled().fold(f64::INFINITY, |least, c| least.min(members.bound(c as usize).radius));
    let class = |c: u32| {
        // Four times log2 of the ratio, by its exponent: exact, hence the same on every machine.
        let ratio = members.bound(c as usize).radius / smallest;
        let fourth = (ratio * ratio) * (ratio * ratio);
        ((fourth.to_bits() >> 52) as i64 - 1023).max(0) as usize
    };
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for component in filled() {
        let class = class(component);
        if classes.len() <= class {
            classes.resize_with(class + 1, Vec::new);
        }
        classes[class].push(component);
    }
    let mut levels = Vec::new();
    let mut next = 0;
    while next < classes.len() {
        if classes[next].is_empty() {
            next += 1;
            continue;
        }
        let end = (next + CLASSES_PER_LEVEL).min(classes.len());
        let components = classes[next..end].concat();
        levels.push(Level::new(members, &components, reach, domain));
        next = end;
    }
    levels
}

impl Level {
    fn new(members: &Members, components: &[u32], reach: f64, domain: &Domain) -> Self {
        let (mut low, mut high, mut largest) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0_f64);
        let items: Vec<(u32, Ball)> = components.iter().map(|&c| (c, members.bound(c as usize))).collect();
        for (_, ball) in &items {
            low = low.min(ball.centre);
            high = high.max(ball.centre);
            largest = largest.max(ball.radius);
        }
        let mut level = Self { periodic: domain.periodic, ..Self::default() };
        let mut width = 2.0 * largest + reach;
        loop {
            level.lay_out(low, high, width, domain);
            let total = level.cells.iter().try_fold(1_usize, |t, &n| t.checked_mul(n));
            if total.is_some_and(|t| t <= CELLS_PER_ITEM * items.len() + 1000) {
                break;
            }
            width *= 1.25;
        }
        level.fill(&items);
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

    fn fill(&mut self, items: &[(u32, Ball)]) {
        let total = self.cells.iter().product::<usize>();
        let cells: Vec<u32> = items.iter().map(|(_, ball)| self.flat(self.cell_of(ball.centre))).collect();
        // Counted one place late, so that filling moves each start to where it belongs.
        let mut start = vec![0_u32; total + 2];
        for &cell in &cells {
            start[cell as usize + 2] += 1;
        }
        for c in 2..start.len() {
            start[c] += start[c - 1];
        }
        self.items = vec![(0, Ball::default()); items.len()];
        for (&item, &cell) in items.iter().zip(&cells) {
            let slot = &mut start[cell as usize + 1];
            self.items[*slot as usize] = item;
            *slot += 1;
        }
        start.pop();
        self.start = start;
    }

    /// Cell of a point, clamped to the grid.
    fn cell_of(&self, point: DVec3) -> [usize; 3] {
        let q = (point - self.origin) * self.inverse_cell;
        std::array::from_fn(|axis| (q[axis].max(0.0) as usize).min(self.cells[axis] - 1))
    }

    fn flat(&self, cell: [usize; 3]) -> u32 {
        ((cell[0] * self.cells[1] + cell[1]) * self.cells[2] + cell[2]) as u32
    }

    /// Number of components.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Components and their bounding spheres, cell by cell.
    #[inline(always)]
    pub fn items(&self) -> &[(u32, Ball)] {
        &self.items
    }

    /// A component and its bounding sphere.
    #[inline(always)]
    pub fn item(&self, slot: usize) -> (u32, Ball) {
        self.items[slot]
    }

    /// Cell coordinate of a query point, which may lie outside the grid.
    #[inline(always)]
    fn coordinate(&self, axis: usize, at: f64) -> i64 {
        let q = (at - self.origin[axis]) * self.inverse_cell[axis];
        let count = self.cells[axis] as f64;
        // Items in rounding's reach of the last side were clamped into the last cell: so are queries there.
        if self.periodic[axis] {
            q.clamp(0.0, count - 1.0) as i64
        } else {
            let floor = q.floor().clamp(-2.0, count + 1.0);
            if floor == count && q - count < 1e-9 { count as i64 - 1 } else { floor as i64 }
        }
    }

    /// The cell `step` beside a coordinate, if there is one.
    #[inline(always)]
    fn beside(&self, axis: usize, centre: i64, step: i64) -> Option<Beside> {
        let (raw, count) = (centre + step, self.cells[axis] as i64);
        if (0..count).contains(&raw) {
            return Some(Beside { cell: raw as usize, step, image: 0 });
        }
        // Below the first cell lies the last one, seen one period down.
        let (cell, image) = if raw < 0 { (raw + count, -1) } else { (raw - count, 1) };
        self.periodic[axis].then_some(Beside { cell: cell as usize, step, image })
    }

    /// Visits stretches of items around a point, each with the image it is seen through. From an item's own slot,
    /// only items ahead of it are visited, so that over all slots each pair comes once.
    #[inline(always)]
    pub fn visit_runs(&self, point: DVec3, slot: Option<usize>, mut visit: impl FnMut(Range<usize>, Image)) {
        let centre: [i64; 3] = match slot {
            Some(_) => self.cell_of(point).map(|cell| cell as i64),
            None => std::array::from_fn(|axis| self.coordinate(axis, point[axis])),
        };
        let first = if slot.is_some() { 0 } else { -1 };
        for x in (first..=1).filter_map(|step| self.beside(0, centre[0], step)) {
            let first = if slot.is_some() && x.step == 0 { 0 } else { -1 };
            for y in (first..=1).filter_map(|step| self.beside(1, centre[1], step)) {
                let own = slot.filter(|_| x.step == 0 && y.step == 0);
                let row = (x.cell * self.cells[1] + y.cell) * self.cells[2];
                self.visit_row(row, centre[2], own, |run, z| visit(run, Image::new([x.image, y.image, z])));
            }
        }
    }

    /// Visits stretches of one row of cells along z: one, and two more where the row repeats.
    #[inline(always)]
    fn visit_row(&self, row: usize, z: i64, own: Option<usize>, mut visit: impl FnMut(Range<usize>, i32)) {
        let count = self.cells[2] as i64;
        let first = if own.is_some() { z } else { z - 1 };
        let (from, to) = (first.max(0), (z + 1).min(count - 1));
        if from <= to {
            let begin = own.map_or(self.start[row + from as usize] as usize, |slot| slot + 1);
            visit(begin..self.start[row + to as usize + 1] as usize, 0);
        }
        if self.periodic[2] {
            let cell =
                |c: i64| self.start[row + c as usize] as usize..self.start[row + c as usize + 1] as usize;
            if first < 0 {
                visit(cell(count - 1), -1);
            }
            if z + 1 == count {
                visit(cell(0), 1);
            }
        }
    }
}
