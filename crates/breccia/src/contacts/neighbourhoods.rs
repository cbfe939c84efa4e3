//! How far bodies have moved against their neighbours since the last rebuild.
//!
//! A list goes bad when two bodies have approached by its skin. Twice the largest displacement bounds that, but where
//! neighbours move together, as in a drum or on a chute, it is far too much: there bodies rush while their distances hardly
//! change. Here bodies are sorted into cells when the lists are built; the displacements within a cell span a box, and
//! bodies of two cells have not approached each other by more than their two boxes are across.

use crate::broad_phase::CellLayout;
use crate::math::{Buckets, SHARE};
use crate::model::Domain;
use crate::state::PlaceRow;
use glam::DVec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Width of cells beyond the largest diameter, in skins: displacements up to half of that are covered.
const REACH: f64 = 2.5;

/// Cells per body, at most.
const MOST_CELLS: usize = 2;

/// Bodies sorted into cells as they lay at the last rebuild.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Neighbourhoods {
    layout: CellLayout,
    /// Largest displacement at which only bodies of neighbouring cells can meet [m].
    pub covered: f64,
    /// Rows of cell c are `rows[start[c]..start[c + 1]]`.
    start: Vec<u32>,
    rows: Vec<u32>,
    /// Cell of each row.
    cell_of: Vec<u32>,
    #[serde(skip)]
    spans: Vec<Span>,
    #[serde(skip)]
    squares: Vec<f64>,
}

/// Box of displacements [m].
#[derive(Clone, Copy, Debug)]
struct Span {
    low: DVec3,
    high: DVec3,
}

impl Span {
    const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    #[inline(always)]
    fn with(self, way: DVec3) -> Self {
        let Self { low, high } = self;
        Self {
            low: DVec3::new(smaller(way.x, low.x), smaller(way.y, low.y), smaller(way.z, low.z)),
            high: DVec3::new(larger(way.x, high.x), larger(way.y, high.y), larger(way.z, high.z)),
        }
    }

    /// Square of the farthest that a displacement of one box can be from one of the other [m²]; 0 if one is empty.
    #[inline(always)]
    fn against(&self, other: &Self) -> f64 {
        let (one, two) = (self.high - other.low, other.high - self.low);
        let x = larger(larger(one.x, two.x), 0.0);
        let y = larger(larger(one.y, two.y), 0.0);
        let z = larger(larger(one.z, two.z), 0.0);
        x * x + y * y + z * z
    }
}

/// The larger of two numbers, the second if one is none: one instruction, where `f64::max` takes four.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two numbers, the second if one is none.
#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

impl Neighbourhoods {
    /// Sorts bodies of a box from `low` to `high` [m] into cells.
    pub fn new(places: &[PlaceRow], (low, high): (DVec3, DVec3), skin: f64, domain: &Domain) -> Self {
        if places.len() < 2 {
            return Self::default();
        }
        let largest =
            places.par_iter().with_min_len(SHARE).map(|place| place.radius).reduce(|| 0.0, f64::max);
        let most = MOST_CELLS * places.len() + 64;
        let width = 2.0 * largest + REACH * skin;
        let layout = CellLayout::new(low, high, width, 1.5, most, domain);
        let rows_of = places.par_iter().with_min_len(SHARE);
        let cell_of: Vec<u32> = rows_of.map(|place| layout.number_of(place.centre())).collect();
        let cells = Buckets::new(cell_of.iter().map(|&cell| cell as usize), layout.count());
        let Buckets { start, items: rows } = cells;
        let narrowest = 1.0 / layout.inverse_cell.max_element();
        let covered = 0.5 * (narrowest - 2.0 * largest);
        Self { layout, covered, start, rows, cell_of, spans: Vec::new(), squares: Vec::new() }
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        (self.start.capacity() + self.rows.capacity() + self.cell_of.capacity()) * size_of::<u32>()
            + self.spans.capacity() * size_of::<Span>()
            + self.squares.capacity() * size_of::<f64>()
    }

    /// For each stretch of `length` rows, an upper bound of how much any of its bodies and another that it can meet have
    /// moved against each other [m], while no displacement exceeds what is covered. `built_at` are the centres at the
    /// last rebuild [m].
    pub fn approaches(&mut self, places: &[PlaceRow], built_at: &[[f64; 3]], length: usize) -> Vec<f64> {
        let cells = self.start.len().saturating_sub(1);
        let (mut spans, mut squares) = (std::mem::take(&mut self.spans), std::mem::take(&mut self.squares));
        spans.resize(cells, Span::EMPTY);
        squares.resize(cells, 0.0);
        let span_of = |cell: usize| {
            let rows = &self.rows[self.start[cell] as usize..self.start[cell + 1] as usize];
            let way = |row: u32| places[row as usize].centre() - DVec3::from_array(built_at[row as usize]);
            rows.iter().fold(Span::EMPTY, |span, &row| span.with(way(row)))
        };
        spans.par_iter_mut().with_min_len(64).enumerate().for_each(|(cell, span)| *span = span_of(cell));
        squares.par_iter_mut().with_min_len(64).enumerate().for_each(|(cell, square)| {
            if self.start[cell] < self.start[cell + 1] {
                *square = self.largest_against(cell, &spans);
            }
        });
        let stretches = self.cell_of.par_chunks(length);
        let largest = |rows: &[u32]| rows.iter().map(|&cell| squares[cell as usize]).fold(0.0, f64::max);
        let approaches = stretches.map(|rows| largest(rows).sqrt()).collect();
        (self.spans, self.squares) = (spans, squares);
        approaches
    }

    /// Square of the farthest that a displacement in a cell can be from one in the cell or a neighbour of it [m²].
    #[inline(always)]
    fn largest_against(&self, cell: usize, spans: &[Span]) -> f64 {
        let [_, ny, nz] = self.layout.cells;
        let at = [cell / (ny * nz), cell / nz % ny, cell % nz];
        let [(xs, x_count), (ys, y_count), (zs, z_count)] = [0, 1, 2].map(|axis| self.beside(axis, at[axis]));
        let mut largest = 0.0_f64;
        let own = spans[cell];
        for x in &xs[..x_count] {
            for y in &ys[..y_count] {
                let row = (x * ny + y) * nz;
                for z in &zs[..z_count] {
                    largest = larger(own.against(&spans[row + z]), largest);
                }
            }
        }
        largest
    }

    /// A place along an axis and those beside it, some perhaps twice where a period is short; how many they are.
    #[inline(always)]
    fn beside(&self, axis: usize, at: usize) -> ([usize; 3], usize) {
        let count = self.layout.cells[axis];
        if self.layout.periodic[axis] {
            return ([(at + count - 1) % count, at, (at + 1) % count], 3);
        }
        let (from, to) = (at.saturating_sub(1), (at + 1).min(count - 1));
        (std::array::from_fn(|k| from + k), to - from + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::RandomStream;

    /// Boxes compared by plain comparisons are as far apart as vectors say.
    #[test]
    fn boxes_are_as_far_apart_as_their_corners() {
        let mut random = RandomStream::new(9);
        let mut way = || DVec3::from_array([(); 3].map(|()| random.between(-1.0, 1.0)));
        for count in 0..6 {
            let ways: [Vec<DVec3>; 2] = [(); 2].map(|()| (0..count).map(|_| way()).collect());
            let [one, two] = ways.clone().map(|ways| ways.into_iter().fold(Span::EMPTY, Span::with));
            let corner = |of: fn(DVec3, DVec3) -> DVec3, start: f64, ways: &[DVec3]| {
                ways.iter().fold(DVec3::splat(start), |corner, &way| of(corner, way))
            };
            let low = ways.each_ref().map(|ways| corner(DVec3::min, f64::INFINITY, ways));
            let high = ways.each_ref().map(|ways| corner(DVec3::max, f64::NEG_INFINITY, ways));
            let across = (high[0] - low[1]).max(high[1] - low[0]).max(DVec3::ZERO);
            assert_eq!(one.against(&two), across.length_squared());
        }
    }
}
