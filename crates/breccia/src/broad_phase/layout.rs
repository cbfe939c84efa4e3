//! How equal cells fill a box, or the period where there is one.

use super::Image;
use crate::model::Domain;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A uniform grid of cells.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CellLayout {
    /// Lower corner of the first cell [m].
    pub origin: DVec3,
    /// 1/width of the cells [1/m].
    pub inverse_cell: DVec3,
    /// Cells along each axis.
    pub cells: [usize; 3],
    /// Axes on which the last cell is beside the first.
    pub periodic: [bool; 3],
}

impl CellLayout {
    /// Cells at least `width` [m] wide over a box from `low` to `high` [m]; widened by `growth` until there are at most
    /// `most` of them.
    pub fn new(low: DVec3, high: DVec3, mut width: f64, growth: f64, most: usize, domain: &Domain) -> Self {
        loop {
            let layout = Self::of_width(low, high, width, domain);
            let count = layout.cells.iter().try_fold(1_usize, |count, &cells| count.checked_mul(cells));
            if count.is_some_and(|count| count <= most) {
                return layout;
            }
            width *= growth;
        }
    }

    fn of_width(low: DVec3, high: DVec3, width: f64, domain: &Domain) -> Self {
        let mut layout = Self { origin: low, periodic: domain.periodic, ..Self::default() };
        for axis in 0..3 {
            if domain.periodic[axis] {
                let period = domain.max[axis] - domain.min[axis];
                layout.origin[axis] = domain.min[axis];
                layout.cells[axis] = ((period / width) as usize).max(1);
                layout.inverse_cell[axis] = layout.cells[axis] as f64 / period;
            } else {
                layout.cells[axis] = ((high[axis] - low[axis]) / width) as usize + 1;
                layout.inverse_cell[axis] = 1.0 / width;
            }
        }
        layout
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.cells.iter().product()
    }

    /// Cell of a point, clamped to the grid. Along a periodic axis the point lies inside the domain.
    pub fn cell_of(&self, point: DVec3) -> [usize; 3] {
        let q = (point - self.origin) * self.inverse_cell;
        std::array::from_fn(|axis| (q[axis].max(0.0) as usize).min(self.cells[axis] - 1))
    }

    /// A place along an axis and those beside it, some perhaps twice where a period is short, and how many periods away each is seen; how
    /// many they are.
    #[inline(always)]
    fn beside(&self, axis: usize, at: usize) -> ([(usize, i32); 3], usize) {
        let count = self.cells[axis];
        if self.periodic[axis] {
            let before = if at == 0 { (count - 1, -1) } else { (at - 1, 0) };
            let after = if at + 1 == count { (0, 1) } else { (at + 1, 0) };
            return ([before, (at, 0), after], 3);
        }
        let (from, to) = (at.saturating_sub(1), (at + 1).min(count - 1));
        ([(from, 0), (from + 1, 0), (from + 2, 0)], to - from + 1)
    }

    /// Visits the cell with a number and those around it, some perhaps twice where a period is short.
    #[inline(always)]
    pub fn visit_around(&self, number: usize, mut visit: impl FnMut(usize)) {
        self.visit_images_around(number, |cell, _| visit(cell));
    }

    /// The same, with the image in which each is near.
    #[inline(always)]
    pub fn visit_images_around(&self, number: usize, mut visit: impl FnMut(usize, Image)) {
        let [_, ny, nz] = self.cells;
        let at = [number / (ny * nz), number / nz % ny, number % nz];
        let [(xs, x_count), (ys, y_count), (zs, z_count)] = [0, 1, 2].map(|axis| self.beside(axis, at[axis]));
        for &(x, x_step) in &xs[..x_count] {
            for &(y, y_step) in &ys[..y_count] {
                let row = (x * ny + y) * nz;
                for &(z, z_step) in &zs[..z_count] {
                    visit(row + z, Image::new([x_step, y_step, z_step]));
                }
            }
        }
    }

    /// Number of the cell of a point.
    pub fn number_of(&self, point: DVec3) -> u32 {
        self.number(self.cell_of(point)) as u32
    }

    /// Number of a cell.
    pub fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (x * self.cells[1] + y) * self.cells[2] + z
    }
}
