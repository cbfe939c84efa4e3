//! How far bodies have moved against their neighbours since the last rebuild.
//!
//! A list goes bad when two bodies have approached by its skin. Twice the largest displacement bounds that, but where
//! neighbours move together, as in a drum or on a chute, it is far too much: there bodies rush while their distances hardly
//! change. Here bodies are sorted into cells when the lists are built; the displacements within a cell span a box, and
//! bodies of two cells have not approached each other by more than their two boxes are across. Where by that the lists do
//! not last, bodies are compared one by one ([`super::closings`]).

use super::Chunking;
use super::closings::{Closings, LargestClosings};
use super::spans::{CompareSpans, Comparison, Span, larger};
use super::waiting::by_stretch;
use crate::broad_phase::CellLayout;
use crate::crew::Habits;
use crate::dispatch::compiled;
use crate::math::{Buckets, SHARE, distinct_and_places};
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

/// Cells compared body by body at a time.
const FEW: usize = 8;

/// Comparisons per body up to which to compare bodies one by one takes less than to build the lists anew. Cells around large bodies
/// hold too many small ones.
const MOST_COMPARED: u64 = 2000;

/// Part of the skin, less the inner one, that has to be used up, as far as boxes tell, for bodies of a cell to be compared one by one when this
/// is done at all.
const CLOSER_LOOK: f64 = 0.6;
/// Part of it beyond which another comparison is not worth its while.
const SPENT: f64 = 0.7;

/// Bodies sorted into cells as they lay at the last rebuild.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Neighbourhoods {
    layout: CellLayout,
    /// Width of the narrowest side of a cell [m].
    width: f64,
    /// Largest radius [m].
    largest: f64,
    /// Skin of the lists [m].
    skin: f64,
    /// Cells by chunk.
    chunks: Vec<ChunkCells>,
    /// What was found when bodies were last compared one by one.
    look: Option<Look>,
}

/// What comparing bodies one by one has found; displacements since are measured from there.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Look {
    /// Centres then [m].
    places: Vec<[f64; 3]>,
    /// For each cell, by how much gaps between its bodies and those around had closed at most [m].
    closed: Vec<f64>,
    /// The largest displacement [m].
    displacement: f64,
    /// Farthest that two displacements in a cell and its neighbours were from each other [m].
    around: f64,
    /// Whether there is no use in looking once more.
    is_last: bool,
    /// Refreshes of the lists until then.
    refreshes: u32,
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
        Self { cells, cell_of, ..Self::default() }
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

/// Bodies that have moved since the last rebuild.
#[derive(Clone, Copy)]
pub(super) struct Moved<'a> {
    /// Where they are.
    pub places: &'a [PlaceRow],
    /// Centres at the last rebuild [m].
    pub built_at: &'a [[f64; 3]],
    /// How their rows are cut into chunks.
    pub chunking: &'a Chunking,
    /// Periods of the domain [m].
    pub period: DVec3,
    /// Who measures.
    pub crew: &'a Habits,
    /// Refreshes of the lists since then.
    pub refreshes: u32,
}

/// The largest of some numbers above zero.
fn largest_of(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// What belongs to the rows of a chunk.
fn rows_of<'a, T>(of_rows: &'a [T], chunking: &Chunking, chunk: usize) -> &'a [T] {
    let Range { start, end } = chunking.rows(chunk);
    &of_rows[start as usize..end as usize]
}

/// The rows of each of `count` cells.
fn rows_by_cell(chunks: &[ChunkCells], count: usize) -> Buckets {
    let cells = |chunk: &ChunkCells| chunk.cell_of.iter().map(|&own| chunk.cells[own as usize]).collect();
    let cells: Vec<Vec<u32>> = chunks.par_iter().map(cells).collect();
    Buckets::of_many(&cells.concat(), count)
}

/// Whether bodies of neighbouring cells are few enough to be compared one by one.
fn can_be_compared(rows: &Buckets) -> bool {
    let bodies = rows.items.len() as u64;
    let squares = rows.start.windows(2).map(|cell| u64::from(cell[1] - cell[0]).pow(2));
    // Of two numbers the product is no more than the mean of the squares; and nobody is compared with more than all.
    let most = (27 * squares.sum::<u64>()).min(bodies * bodies);
    most <= MOST_COMPARED * bodies
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
        Self { layout, width, largest, skin, chunks, look: None }
    }

    /// Largest displacement that is covered at all: bodies with two cells between theirs cannot meet [m].
    pub fn covered(&self) -> f64 {
        self.width - self.largest
    }

    /// How far two displacements in a cell and its neighbours may be from each other for only bodies of neighbouring cells to have come
    /// within `inner` [m] of touching, where none is displaced by more than `displacement` [m]: infinity where that alone says so, none where
    /// it is too much [m].
    fn allowed_around(&self, displacement: f64, inner: f64) -> Option<f64> {
        let beyond_a_cell = self.width - 2.0 * self.largest - inner;
        if 2.0 * displacement <= beyond_a_cell {
            return Some(f64::INFINITY);
        }
        (2.0 * displacement <= beyond_a_cell + self.width).then_some(beyond_a_cell)
    }

    /// Refreshes of the lists from the last rebuild to the last time that bodies were compared one by one, if they were.
    pub fn refreshes_until_look(&self) -> Option<u32> {
        self.look.as_ref().map(|look| look.refreshes)
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        let look = self.look.as_ref().map_or(0, |look| {
            look.places.capacity() * size_of::<[f64; 3]>() + look.closed.capacity() * size_of::<f64>()
        });
        self.chunks.iter().map(ChunkCells::memory_bytes).sum::<usize>() + look
    }

    /// Measures how far bodies are from where they were at the last rebuild; gives an upper bound of the largest displacement [m].
    pub fn measure(&mut self, from: &Moved) -> f64 {
        let Moved { places, chunking, crew, .. } = *from;
        let since = self.look.as_ref().map_or(from.built_at, |look| &look.places);
        crew.for_each_chunk(&mut self.chunks, |number, chunk| {
            chunk.measure(rows_of(places, chunking, number), rows_of(since, chunking, number));
        });
        let since_look = self.chunks.iter().map(|chunk| chunk.farthest).fold(0.0, f64::max).sqrt();
        since_look + self.look.as_ref().map_or(0.0, |look| look.displacement)
    }

    /// For each stretch of rows of each chunk, an upper bound of how much any of its bodies and another that it can meet have closed the gap
    /// between them [m]; none where bodies of cells that are not neighbours can have come within `inner` [m] of touching.
    /// The largest displacement has been measured [m].
    pub fn approaches(&mut self, displacement: f64, inner: f64, from: &Moved) -> Option<Vec<Vec<f64>>> {
        let by_cell = self.closed(displacement, inner, from)?;
        let mut found: Vec<_> = self.chunks.iter_mut().map(|chunk| (chunk, Vec::new())).collect();
        from.crew.for_each_chunk(&mut found, |_, (chunk, approaches)| {
            let closed = |place: &u32| by_cell[chunk.cells[*place as usize] as usize];
            let largest = |rows: &[u32]| rows.iter().fold(0.0, |most, place| larger(closed(place), most));
            *approaches = by_stretch(&chunk.cell_of, largest).collect();
            // Kept until the next time, boxes of beds at rest would take as much room as the bodies' places.
            chunk.spans = Vec::new();
        });
        Some(found.into_iter().map(|(_, approaches)| approaches).collect())
    }

    /// The same for the bodies of each cell.
    fn closed(&mut self, displacement: f64, inner: f64, from: &Moved) -> Option<Vec<f64>> {
        let allowed = self.allowed_around(displacement, inner)?;
        let spans = self.spans();
        let around = self.look.as_ref().map_or(0.0, |look| look.around);
        let (mut bounds, widest) = self.compare(&spans, allowed - around);
        if widest + around > allowed {
            return None;
        }
        let look = self.look.as_ref();
        look.iter().for_each(|look| bounds.iter_mut().zip(&look.closed).for_each(|(b, closed)| *b += closed));
        let room = self.skin - inner;
        if largest_of(&bounds) <= room || look.is_some_and(|look| look.is_last) {
            return Some(bounds);
        }
        let rows = rows_by_cell(&self.chunks, self.layout.count());
        if can_be_compared(&rows) {
            let around = around + self.compare(&spans, 0.0).1;
            self.look_closer(&mut bounds, room, &rows, from);
            let is_last = largest_of(&bounds) > SPENT * room;
            let places = from.places.par_iter().with_min_len(SHARE).map(|place| place.position).collect();
            let (closed, refreshes) = (bounds.clone(), from.refreshes);
            self.look = Some(Look { places, closed, displacement, around, is_last, refreshes });
        }
        Some(bounds)
    }

    /// For each cell the farthest that displacements in it and in one around it are from each other; and the farthest that those in any cell
    /// and its neighbours are from each other, unless that is known not to be more than is allowed [m].
    fn compare(&self, spans: &[Span], allowed: f64) -> (Vec<f64>, f64) {
        let mut across = vec![0.0; spans.len()];
        let compare = compiled::<CompareSpans>();
        let of_part = |(part, across): (usize, &mut [f64])| {
            let mut widest = 0.0;
            let found = Comparison { first: PART * part, across, allowed, widest: &mut widest };
            compare((&self.layout, spans, found));
            widest
        };
        let widest = across.par_chunks_mut(PART).enumerate().map(of_part).reduce(|| 0.0, f64::max);
        (across, widest)
    }

    /// Lowers the bounds [m] of cells that have used up much of the `room` [m], as far as boxes tell, by comparing body by body.
    fn look_closer(&self, bounds: &mut [f64], room: f64, rows: &Buckets, from: &Moved) {
        let floor = CLOSER_LOOK * room;
        let cells: Vec<u32> =
            (0_u32..).zip(&*bounds).filter(|(_, bound)| **bound > floor).map(|(cell, _)| cell).collect();
        let &Moved { places, built_at, period, .. } = from;
        let Self { layout, skin, .. } = self;
        let closings = Closings::new(layout, rows, (places, built_at), period, [*skin, floor]);
        let find = compiled::<LargestClosings>();
        let mut largest = vec![0.0; cells.len()];
        let parts = largest.par_chunks_mut(FEW).zip(cells.par_chunks(FEW));
        parts.for_each(|(largest, cells)| find((&closings, cells, largest)));
        for (&cell, largest) in cells.iter().zip(largest) {
            let bound = &mut bounds[cell as usize];
            *bound = bound.min(largest);
        }
    }

    /// Boxes of the displacements in all cells, from those of the chunks.
    fn spans(&self) -> Vec<Span> {
        let mut spans = vec![Span::EMPTY; self.layout.count()];
        spans.par_chunks_mut(SHARE).enumerate().for_each(|(part, spans)| {
            self.chunks.iter().for_each(|chunk| chunk.add_spans((SHARE * part) as u32, spans));
        });
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crowded_cells_are_not_compared_body_by_body() {
        let spread = |cells: usize| Buckets::new((0..10_000).map(|body| body % cells), 1000);
        assert!(can_be_compared(&spread(1000)));
        assert!(!can_be_compared(&spread(50)));
        let few = Buckets::new((0..1000).map(|_| 0), 1);
        assert!(can_be_compared(&few));
        // One crowded cell among many.
        let heap = (0..10_000).map(|body| if body < 3000 { 0 } else { body % 1000 });
        assert!(!can_be_compared(&Buckets::new(heap, 1000)));
    }
}
