//! Baselines with one grid for all spheres: `weak` and `minrule`.

use super::methods::{Found, SLICE};
use breccia::broad_phase::{BoundsTable, Candidate, Image};
use glam::DVec3;
use rayon::prelude::*;

/// How wide the cells of the one grid are.
#[derive(Clone, Copy, PartialEq)]
pub enum CellRule {
    /// The largest diameter: neighbours lie in the 27 cells around.
    LargestDiameter,
    /// √2 of the smallest radius: as many cells around as the largest neighbour needs.
    SmallestRadius,
}

struct Grid {
    low: DVec3,
    cell: f64,
    cells: [usize; 3],
    start: Vec<u32>,
    /// Sphere, row and owner, cell by cell.
    items: Vec<Item>,
}

#[derive(Clone, Copy, Default)]
struct Item {
    centre: DVec3,
    radius: f64,
    row: u32,
    owner: u32,
}

/// Near pairs of spheres of different owners.
pub fn search(bounds: &BoundsTable, skin: f64, rule: CellRule) -> Found {
    let largest = bounds.radius.iter().copied().fold(0.0, f64::max);
    let smallest = bounds.radius.iter().copied().fold(f64::INFINITY, f64::min);
    let cell = match rule {
        CellRule::LargestDiameter => 2.0 * largest + skin,
        CellRule::SmallestRadius => std::f64::consts::SQRT_2 * smallest,
    };
    let grid = Grid::new(bounds, cell);
    let slices = (0..grid.items.len()).into_par_iter().step_by(SLICE);
    let parts: Vec<Found> = slices
        .map(|from| {
            let mut found = Found::default();
            for slot in from..(from + SLICE).min(grid.items.len()) {
                let reach = grid.items[slot].radius + largest + skin;
                grid.search_from(slot, (reach / cell).ceil() as usize, skin, &mut found);
            }
            found
        })
        .collect();
    Found::joined(parts)
}

impl Grid {
    fn new(bounds: &BoundsTable, cell: f64) -> Self {
        let low = bounds.centre.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = bounds.centre.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let cells = std::array::from_fn(|axis| ((high[axis] - low[axis]) / cell) as usize + 1);
        let total = cells.iter().product::<usize>();
        let mut grid = Self { low, cell, cells, start: vec![0; total + 2], items: Vec::new() };
        let places: Vec<usize> = bounds.centre.iter().map(|&c| grid.flat(grid.cell_of(c))).collect();
        places.iter().for_each(|&place| grid.start[place + 2] += 1);
        for c in 2..grid.start.len() {
            grid.start[c] += grid.start[c - 1];
        }
        grid.items = vec![Item::default(); bounds.len()];
        for (row, &place) in places.iter().enumerate() {
            let slot = &mut grid.start[place + 1];
            let (centre, radius) = (bounds.centre[row], bounds.radius[row]);
            grid.items[*slot as usize] = Item { centre, radius, row: row as u32, owner: bounds.owner[row] };
            *slot += 1;
        }
        grid.start.pop();
        grid
    }

    fn cell_of(&self, point: DVec3) -> [usize; 3] {
        let q = (point - self.low) / self.cell;
        std::array::from_fn(|axis| (q[axis].max(0.0) as usize).min(self.cells[axis] - 1))
    }

    fn flat(&self, cell: [usize; 3]) -> usize {
        (cell[0] * self.cells[1] + cell[1]) * self.cells[2] + cell[2]
    }

    /// Compares an item with those of higher row in the cells around; cells along z lie side by side.
    fn search_from(&self, slot: usize, reach: usize, skin: f64, found: &mut Found) {
        let item = &self.items[slot];
        let cell = self.cell_of(item.centre);
        let around =
            |axis: usize| cell[axis].saturating_sub(reach)..(cell[axis] + reach + 1).min(self.cells[axis]);
        let along = around(2);
        for x in around(0) {
            for y in around(1) {
                let row = (x * self.cells[1] + y) * self.cells[2];
                let run = self.start[row + along.start] as usize..self.start[row + along.end] as usize;
                for other in &self.items[run] {
                    if other.row <= item.row {
                        continue;
                    }
                    found.work.spheres += 1;
                    let reach = item.radius + other.radius + skin;
                    if other.owner != item.owner
                        && (item.centre - other.centre).length_squared() < reach * reach
                    {
                        found.pairs.push(Candidate { a: item.row, b: other.row, image: Image::NONE });
                    }
                }
            }
        }
    }
}
