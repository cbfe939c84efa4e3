//! Grids over bounding spheres, one per range of sizes.
//!
//! Neighbours along z lie side by side in memory, so that a query reads nine runs instead of 27 cells; within a level
//! only the half of the neighbourhood that lies ahead is read.

use super::members::{Ball, Members};
use crate::broad_phase::{CellLayout, Image};
use crate::model::Domain;
use glam::DVec3;
use std::ops::Range;

/// Cells per item a level may hold before its cells are widened.
const CELLS_PER_ITEM: usize = 8;
/// Size classes per doubling of the radius that one level takes in; there are four in a doubling.
const CLASSES_PER_LEVEL: usize = 3;

/// A component in a grid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Item {
    /// Its bounding sphere; of a lone sphere the sphere itself, to the last bit.
    pub ball: Ball,
    /// Its number.
    pub component: u32,
    /// Row of a lone sphere, or [`SEVERAL`].
    pub row: u32,
}

/// In the place of a row: the component has several spheres.
pub(super) const SEVERAL: u32 = u32::MAX;

/// A grid over components of similar size.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    layout: CellLayout,
    /// Largest radius.
    largest: f64,
    /// Items of cell c are `start[c]..start[c + 1]`.
    start: Vec<u32>,
    items: Vec<Item>,
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
        let item = |&component: &u32| {
            let range = members.range(component as usize);
            let row = if range.len() == 1 { members.row(range.start) } else { SEVERAL };
            Item { ball: members.bound(component as usize), component, row }
        };
        let items: Vec<Item> = components.iter().map(item).collect();
        for Item { ball, .. } in &items {
            low = low.min(ball.centre);
            high = high.max(ball.centre);
            largest = largest.max(ball.radius);
        }
        let most = CELLS_PER_ITEM * items.len() + 1000;
        let layout = CellLayout::new(low, high, 2.0 * largest + reach, 1.25, most, domain);
        let mut level = Self { layout, largest, ..Self::default() };
        level.fill(&items);
        level
    }

    fn fill(&mut self, items: &[Item]) {
        let total = self.layout.count();
        let cells: Vec<u32> = items.iter().map(|item| self.layout.number_of(item.ball.centre)).collect();
        // Counted one place late, so that filling moves each start to where it belongs.
        let mut start = vec![0_u32; total + 2];
        for &cell in &cells {
            start[cell as usize + 2] += 1;
        }
        for c in 2..start.len() {
            start[c] += start[c - 1];
        }
        self.items = vec![Item::default(); items.len()];
        for (&item, &cell) in items.iter().zip(&cells) {
            let slot = &mut start[cell as usize + 1];
            self.items[*slot as usize] = item;
            *slot += 1;
        }
        start.pop();
        self.start = start;
    }

    /// Number of components.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Components, cell by cell.
    #[inline(always)]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Whether components of this level are cheaper to find from the coarser one than the other way round.
    pub fn is_asked_by(&self, coarse: &Self, reach: f64) -> bool {
        // Ranges of more than three cells would have to be followed through several images.
        if self.layout.periodic.contains(&true) {
            return false;
        }
        let runs = |asked: &Self| {
            let across =
                1.0 + 2.0 * (self.largest + coarse.largest + reach) * asked.layout.inverse_cell.max_element();
            across * across
        };
        coarse.len() as f64 * runs(self) < self.len() as f64 * runs(coarse)
    }

    /// Visits stretches of items whose bounds may come within `reach` [m] of a sphere of another level.
    #[inline(always)]
    pub fn visit_around(&self, ball: &Ball, reach: f64, mut visit: impl FnMut(Range<usize>, Image)) {
        if self.layout.periodic.contains(&true) {
            self.visit_runs(ball.centre, None, visit);
            return;
        }
        let reach = ball.radius + self.largest + reach;
        let low = (ball.centre - reach - self.layout.origin) * self.layout.inverse_cell;
        let high = (ball.centre + reach - self.layout.origin) * self.layout.inverse_cell;
        let range = |axis: usize| {
            // Negative numbers become 0 in a cast; a range that ends before the grid begins is empty.
            let end =
                if high[axis] < 0.0 { 0 } else { (high[axis] as usize + 1).min(self.layout.cells[axis]) };
            (low[axis] as usize).min(self.layout.cells[axis])..end
        };
        let (xs, ys, zs) = (range(0), range(1), range(2));
        if zs.is_empty() {
            return;
        }
        for x in xs {
            for y in ys.clone() {
                let row = (x * self.layout.cells[1] + y) * self.layout.cells[2];
                let run = self.start[row + zs.start] as usize..self.start[row + zs.end] as usize;
                if !run.is_empty() {
                    visit(run, Image::NONE);
                }
            }
        }
    }

    /// Visits stretches of items ahead of an item of this level, so that over all slots each pair comes once.
    #[inline(always)]
    pub fn visit_ahead(&self, slot: usize, mut visit: impl FnMut(Range<usize>, Image)) {
        let centre = self.items[slot].ball.centre;
        if self.layout.periodic.contains(&true) {
            self.visit_runs(centre, Some(slot), visit);
            return;
        }
        let [x, y, z] = self.layout.cell_of(centre);
        let (from, to) = (z.saturating_sub(1), (z + 2).min(self.layout.cells[2]));
        let row = |x: usize, y: usize| (x * self.layout.cells[1] + y) * self.layout.cells[2];
        visit(slot + 1..self.start[row(x, y) + to] as usize, Image::NONE);
        let mut whole = |x: usize, y: usize| {
            let row = row(x, y);
            visit(self.start[row + from] as usize..self.start[row + to] as usize, Image::NONE);
        };
        if y + 1 < self.layout.cells[1] {
            whole(x, y + 1);
        }
        if x + 1 < self.layout.cells[0] {
            for y in y.saturating_sub(1)..(y + 2).min(self.layout.cells[1]) {
                whole(x + 1, y);
            }
        }
    }

    /// Cell coordinate of a query point, which may lie outside the grid.
    #[inline(always)]
    fn coordinate(&self, axis: usize, at: f64) -> i64 {
        let q = (at - self.layout.origin[axis]) * self.layout.inverse_cell[axis];
        let count = self.layout.cells[axis] as f64;
        // Items in rounding's reach of the last side were clamped into the last cell: so are queries there.
        if self.layout.periodic[axis] {
            q.clamp(0.0, count - 1.0) as i64
        } else {
            let floor = q.floor().clamp(-2.0, count + 1.0);
            if floor == count && q - count < 1e-9 { count as i64 - 1 } else { floor as i64 }
        }
    }

    /// The cell `step` beside a coordinate, if there is one.
    #[inline(always)]
    fn beside(&self, axis: usize, centre: i64, step: i64) -> Option<Beside> {
        let (raw, count) = (centre + step, self.layout.cells[axis] as i64);
        if (0..count).contains(&raw) {
            return Some(Beside { cell: raw as usize, step, image: 0 });
        }
        // Below the first cell lies the last one, seen one period down.
        let (cell, image) = if raw < 0 { (raw + count, -1) } else { (raw - count, 1) };
        self.layout.periodic[axis].then_some(Beside { cell: cell as usize, step, image })
    }

    /// Visits stretches of items around a point of a domain that repeats, each with the image it is seen through.
    /// From an item's own slot, only items ahead of it are visited.
    fn visit_runs(&self, point: DVec3, slot: Option<usize>, mut visit: impl FnMut(Range<usize>, Image)) {
        let centre: [i64; 3] = match slot {
            Some(_) => self.layout.cell_of(point).map(|cell| cell as i64),
            None => std::array::from_fn(|axis| self.coordinate(axis, point[axis])),
        };
        let first = if slot.is_some() { 0 } else { -1 };
        for x in (first..=1).filter_map(|step| self.beside(0, centre[0], step)) {
            let first = if slot.is_some() && x.step == 0 { 0 } else { -1 };
            for y in (first..=1).filter_map(|step| self.beside(1, centre[1], step)) {
                let own = slot.filter(|_| x.step == 0 && y.step == 0);
                let row = (x.cell * self.layout.cells[1] + y.cell) * self.layout.cells[2];
                self.visit_row(row, centre[2], own, |run, z| visit(run, Image::new([x.image, y.image, z])));
            }
        }
    }

    /// Visits stretches of one row of cells along z: one, and two more where the row repeats.
    #[inline(always)]
    fn visit_row(&self, row: usize, z: i64, own: Option<usize>, mut visit: impl FnMut(Range<usize>, i32)) {
        let count = self.layout.cells[2] as i64;
        let first = if own.is_some() { z } else { z - 1 };
        let (from, to) = (first.max(0), (z + 1).min(count - 1));
        if from <= to {
            let begin = own.map_or(self.start[row + from as usize] as usize, |slot| slot + 1);
            visit(begin..self.start[row + to as usize + 1] as usize, 0);
        }
        if self.layout.periodic[2] {
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
