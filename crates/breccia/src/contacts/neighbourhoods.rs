//! How far bodies have moved against their neighbours since the last rebuild.
//!
//! A list goes bad when two bodies have approached by its skin. Twice the largest displacement bounds that, but where
//! neighbours move together, as in a drum or on a chute, it is far too much: there bodies rush while their distances hardly
//! change. Here bodies are sorted into cells when the lists are built; the displacements within a cell span a box, and
//! bodies of two cells have not approached each other by more than their two boxes are across.

use super::Chunking;
use super::waiting::by_stretch;
use crate::broad_phase::CellLayout;
use crate::crew::Habits;
use crate::dispatch::{Kernel, compiled};
use crate::math::{SHARE, Simd, distinct_and_places};
use crate::model::Domain;
use crate::state::PlaceRow;
use glam::DVec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Width of cells beyond the largest diameter, in skins.
const REACH: f64 = 2.0;

/// Cells looked at together.
const PART: usize = 256;

/// Cells per body, at most.
const MOST_CELLS: usize = 2;

/// Bodies sorted into cells as they lay at the last rebuild.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Neighbourhoods {
    layout: CellLayout,
    /// Width of the narrowest side of a cell [m].
    width: f64,
    /// Largest radius [m].
    largest: f64,
    /// Cells by chunk.
    chunks: Vec<ChunkCells>,
}

/// Cells that the rows of a chunk lie in. Each chunk is measured for itself, by the thread that moves its rows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ChunkCells {
    /// Their numbers.
    cells: Vec<u32>,
    /// Place of each row's cell among them.
    cell_of: Vec<u32>,
    /// Boxes of the displacements of the chunk's rows, by cell.
    #[serde(skip)]
    spans: Vec<Span>,
    /// Square of the largest displacement [m²].
    #[serde(skip)]
    farthest: f64,
}

impl ChunkCells {
    fn new(places: &[PlaceRow], layout: &CellLayout) -> Self {
        let numbers = places.iter().map(|place| layout.number_of(place.centre())).collect();
        let (cells, cell_of) = distinct_and_places(numbers);
        Self { cells, cell_of, spans: Vec::new(), farthest: 0.0 }
    }

    /// Finds how far the rows have moved from where they were.
    fn measure(&mut self, places: &[PlaceRow], built_at: &[[f64; 3]]) {
        self.spans.clear();
        self.spans.resize(self.cells.len(), Span::EMPTY);
        self.farthest = 0.0;
        for ((place, &from), &cell) in places.iter().zip(built_at).zip(&self.cell_of) {
            let way = place.centre() - DVec3::from_array(from);
            self.farthest = larger(way.length_squared(), self.farthest);
            let span = &mut self.spans[cell as usize];
            *span = span.with(way);
        }
    }

    /// Widens the boxes of some cells, from the given one on, by those of the chunk's rows.
    fn add_spans(&self, first: u32, spans: &mut [Span]) {
        let place = |cell: u32| self.cells.partition_point(|own| *own < cell);
        let own = place(first)..place(first + spans.len() as u32);
        for (cell, own) in self.cells[own.clone()].iter().zip(&self.spans[own]) {
            let span = &mut spans[(cell - first) as usize];
            *span = span.and(own);
        }
    }

    /// Memory held [bytes].
    fn memory_bytes(&self) -> usize {
        (self.cells.capacity() + self.cell_of.capacity()) * size_of::<u32>()
            + self.spans.capacity() * size_of::<Span>()
    }
}

/// Box of displacements [m]: its upper corner and the opposite of its lower one, so that all of it grows by the larger of two
/// numbers, several at a time. The fourth numbers are not used.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Span([[f64; 4]; 2]);

impl Span {
    const EMPTY: Self = Self([[f64::NEG_INFINITY; 4]; 2]);

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.0[0][0] == f64::NEG_INFINITY
    }

    #[inline(always)]
    fn with(self, way: DVec3) -> Self {
        self.and(&Self([[way.x, way.y, way.z, 0.0], [-way.x, -way.y, -way.z, 0.0]]))
    }

    /// The box around this and another.
    #[inline(always)]
    fn and(mut self, other: &Self) -> Self {
        for (own, other) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *own = larger(*other, *own);
        }
        self
    }

    /// Square of the farthest that a displacement of one box can be from one of the other [m²]; 0 if one is empty.
    #[inline(always)]
    fn against(&self, other: &Self) -> f64 {
        let ([high, low], [other_high, other_low]) = (&self.0, &other.0);
        let mut across = [0.0; 4];
        for k in 0..4 {
            across[k] = larger(larger(high[k] + other_low[k], other_high[k] + low[k]), 0.0);
        }
        across[0] * across[0] + across[1] * across[1] + across[2] * across[2]
    }
}

/// The larger of two numbers, the second if one is none: one instruction, where `f64::max` takes four.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// What belongs to the rows of a chunk.
fn rows_of<'a, T>(of_rows: &'a [T], chunking: &Chunking, chunk: usize) -> &'a [T] {
    let Range { start, end } = chunking.rows(chunk);
    &of_rows[start as usize..end as usize]
}

impl Neighbourhoods {
    /// Sorts bodies of a box from `low` to `high` [m] into cells.
    pub fn new(
        places: &[PlaceRow],
        chunking: &Chunking,
        (low, high): (DVec3, DVec3),
        skin: f64,
        domain: &Domain,
    ) -> Self {
        if places.len() < 2 {
            return Self::default();
        }
        let largest =
            places.par_iter().with_min_len(SHARE).map(|place| place.radius).reduce(|| 0.0, f64::max);
        let most = MOST_CELLS * places.len() + 64;
        let width = 2.0 * largest + REACH * skin;
        let layout = CellLayout::new(low, high, width, 1.5, most, domain);
        let of_chunk = |chunk| ChunkCells::new(rows_of(places, chunking, chunk), &layout);
        let chunks = (0..chunking.count()).into_par_iter().map(of_chunk).collect();
        let width = 1.0 / layout.inverse_cell.max_element();
        Self { layout, width, largest, chunks }
    }

    /// Largest displacement that is covered at all: bodies with two cells between theirs cannot meet [m].
    pub fn covered(&self) -> f64 {
        self.width - self.largest
    }

    /// Whether only bodies of neighbouring cells can have come within `inner` [m] of touching, where none is displaced by more
    /// than `displacement` [m]; `spans` are the boxes of all cells.
    fn cover(&self, spans: &[Span], displacement: f64, inner: f64) -> bool {
        let beyond_a_cell = self.width - 2.0 * self.largest - inner;
        2.0 * displacement <= beyond_a_cell
            || (2.0 * displacement <= beyond_a_cell + self.width
                && self.widest_around(spans) <= beyond_a_cell)
    }

    /// Farthest that two displacements in a cell and its neighbours are from each other, of all cells [m]. Two cells with one
    /// between them are both neighbours of that one.
    fn widest_around(&self, spans: &[Span]) -> f64 {
        let look = compiled::<SpanAround>();
        let of_part = |first: usize| {
            let mut squares = [0.0; PART];
            let count = PART.min(spans.len() - first);
            look((&self.layout, spans, first, &mut squares[..count]));
            squares[..count].iter().copied().fold(0.0, f64::max)
        };
        let parts = (0..spans.len()).into_par_iter().step_by(PART);
        parts.map(of_part).reduce(|| 0.0, f64::max).sqrt()
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.chunks.iter().map(ChunkCells::memory_bytes).sum()
    }

    /// Measures how far bodies are from where they were at the last rebuild; gives the largest displacement [m].
    pub fn measure(
        &mut self,
        places: &[PlaceRow],
        chunking: &Chunking,
        built_at: &[[f64; 3]],
        crew: &Habits,
    ) -> f64 {
        crew.for_each_chunk(&mut self.chunks, |number, chunk| {
            chunk.measure(rows_of(places, chunking, number), rows_of(built_at, chunking, number));
        });
        self.chunks.iter().map(|chunk| chunk.farthest).fold(0.0, f64::max).sqrt()
    }

    /// For each stretch of rows of each chunk, an upper bound of how much any of its bodies and another that it can meet have moved against
    /// each other [m]; none where bodies of cells that are not neighbours can have come within `inner` [m] of touching. The largest
    /// displacement has been measured [m].
    pub fn approaches(&mut self, displacement: f64, inner: f64) -> Option<Vec<Vec<f64>>> {
        let spans = self.take_spans();
        if !self.cover(&spans, displacement, inner) {
            return None;
        }
        let Self { layout, chunks, .. } = self;
        let mut squares = vec![0.0; spans.len()];
        let compare = compiled::<CompareSpans>();
        squares.par_chunks_mut(PART).enumerate().for_each(|(part, squares)| {
            compare((layout, &spans, PART * part, squares));
        });
        let of_chunk = |chunk: &ChunkCells| {
            let square = |place: &u32| squares[chunk.cells[*place as usize] as usize];
            let largest = |rows: &[u32]| rows.iter().fold(0.0, |most, place| larger(square(place), most));
            by_stretch(&chunk.cell_of, |rows| largest(rows).sqrt()).collect::<Vec<f64>>()
        };
        Some(chunks.par_iter().map(of_chunk).collect())
    }

    /// Boxes of the displacements in all cells, from those of the chunks. None are kept until the next time: in beds at rest they would take
    /// as much room as the bodies' places.
    fn take_spans(&mut self) -> Vec<Span> {
        let mut spans = vec![Span::EMPTY; self.layout.count()];
        spans.par_chunks_mut(SHARE).enumerate().for_each(|(part, spans)| {
            self.chunks.iter().for_each(|chunk| chunk.add_spans((SHARE * part) as u32, spans));
        });
        self.chunks.par_iter_mut().for_each(|chunk| chunk.spans = Vec::new());
        spans
    }
}

/// For some cells, from the given one on: square of the farthest that a displacement in the cell can be from one in it or a
/// neighbour [m²].
struct CompareSpans;

impl Kernel for CompareSpans {
    type On<'a> = (&'a CellLayout, &'a [Span], usize, &'a mut [f64]);

    #[inline(always)]
    fn run<S: Simd>((layout, spans, first, squares): Self::On<'_>) {
        for (cell, square) in (first..).zip(squares) {
            let (mut largest, own) = (0.0_f64, spans[cell]);
            if !own.is_empty() {
                layout.visit_around(cell, |other| largest = larger(own.against(&spans[other]), largest));
            }
            *square = largest;
        }
    }
}

/// For some cells, from the given one on: square of the farthest that two displacements in the cell and its neighbours are from each
/// other [m²].
struct SpanAround;

impl Kernel for SpanAround {
    type On<'a> = (&'a CellLayout, &'a [Span], usize, &'a mut [f64]);

    #[inline(always)]
    fn run<S: Simd>((layout, spans, first, squares): Self::On<'_>) {
        for (cell, square) in (first..).zip(squares) {
            let mut span = Span::EMPTY;
            layout.visit_around(cell, |other| span = span.and(&spans[other]));
            *square = span.against(&span);
        }
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
