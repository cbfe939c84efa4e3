//! Which pieces may hold the foot point of a place, by the cell the place is in.

use super::piece::{Nearest, Piece};
use glam::DVec2;

/// Cells along the longer side.
const CELLS: f64 = 48.0;
/// Cells with more candidates than this keep none and ask for all pieces: they are deep inside.
const MOST_CANDIDATES: usize = 32;

/// Cells over an outline and its surroundings, each with the pieces that can be nearest to any place in it.
/// The lists are complete, so a search among them is exact.
#[derive(Clone, Debug)]
pub(super) struct SearchGrid {
    corner: DVec2,
    per_length: f64,
    cells: [usize; 2],
    /// Distance from the outline to which places are covered [m].
    pub margin: f64,
    /// Per cell, a lower bound of the distance from the grain for places in it; negative where some are inside [m].
    clearance: Vec<f64>,
    /// Where the candidates of each cell begin.
    starts: Vec<u32>,
    candidates: Vec<u32>,
    /// The numbers of all pieces.
    all: Vec<u32>,
}

impl SearchGrid {
    pub fn build(pieces: &[Piece], margin: f64) -> Self {
        let ends = || pieces.iter().map(|piece| (piece.centre, piece.radius));
        let low =
            ends().map(|(c, r)| c - DVec2::splat(r)).fold(DVec2::INFINITY, DVec2::min) - DVec2::splat(margin);
        let high = ends().map(|(c, r)| c + DVec2::splat(r)).fold(DVec2::NEG_INFINITY, DVec2::max);
        let extent = high + DVec2::splat(margin) - low;
        let side = extent.max_element() / CELLS;
        let count = |length: f64| (length / side).ceil().max(1.0) as usize;
        let cells = [count(extent.x), count(extent.y)];
        let mut grid = Self {
            corner: low,
            per_length: 1.0 / side,
            cells,
            margin,
            clearance: Vec::with_capacity(cells[0] * cells[1]),
            starts: vec![0],
            candidates: Vec::new(),
            all: (0..pieces.len() as u32).collect(),
        };
        for cell in 0..cells[0] * cells[1] {
            let step = DVec2::new((cell % cells[0]) as f64 + 0.5, (cell / cells[0]) as f64 + 0.5);
            grid.add_cell(pieces, low + side * step, side * std::f64::consts::FRAC_1_SQRT_2);
        }
        grid
    }

    /// Adds the cell whose places are within `half` of `centre`.
    fn add_cell(&mut self, pieces: &[Piece], centre: DVec2, half: f64) {
        let (number, nearest) = search(pieces, &self.all, centre);
        let distance = nearest.distance_squared.sqrt();
        let (normal, _) = pieces[number as usize].normal_at(nearest.spot);
        let outside = (centre - nearest.point).dot(normal) >= 0.0;
        let spare = 1e-9 * half;
        let clearance = if outside { distance - half - spare } else { -distance - half };
        let before = self.candidates.len();
        if clearance <= self.margin {
            let limit = distance + 2.0 * half + spare;
            let near = |i: &u32| {
                let piece = &pieces[*i as usize];
                piece.centre.distance(centre) - piece.radius <= limit
            };
            self.candidates.extend(self.all.iter().copied().filter(near));
        }
        if self.candidates.len() - before > MOST_CANDIDATES {
            self.candidates.truncate(before);
        }
        self.clearance.push(clearance);
        self.starts.push(self.candidates.len() as u32);
    }

    /// Pieces one of which is nearest to x [m, body]; nothing if x is certainly farther out than `reach` [m].
    #[inline]
    pub fn candidates_within(&self, x: DVec2, reach: f64) -> Option<&[u32]> {
        let at = (x - self.corner) * self.per_length;
        let inside = at.x >= 0.0 && at.y >= 0.0 && at.x < self.cells[0] as f64 && at.y < self.cells[1] as f64;
        if !inside {
            return (reach > self.margin).then_some(&self.all);
        }
        let cell = at.y as usize * self.cells[0] + at.x as usize;
        if self.clearance[cell] >= reach {
            return None;
        }
        let listed = &self.candidates[self.starts[cell] as usize..self.starts[cell + 1] as usize];
        Some(if listed.is_empty() { &self.all } else { listed })
    }
}

/// The candidate nearest to x [m, body], by branch and bound.
pub(super) fn search(pieces: &[Piece], candidates: &[u32], x: DVec2) -> (u32, Nearest) {
    let middle = |i: &u32| pieces[*i as usize].middle.distance_squared(x);
    let bound_squared = candidates.iter().map(middle).fold(f64::INFINITY, f64::min);
    let mut bound = bound_squared.sqrt() * (1.0 + 1e-12);
    let mut best: Option<(u32, Nearest)> = None;
    for &i in candidates {
        let piece = &pieces[i as usize];
        let limit = bound + piece.radius;
        if piece.centre.distance_squared(x) > limit * limit {
            continue;
        }
        let nearest = piece.nearest(x);
        if best.is_none_or(|(_, known)| nearest.distance_squared < known.distance_squared) {
            best = Some((i, nearest));
            bound = bound.min(nearest.distance_squared.sqrt() * (1.0 + 1e-12));
        }
    }
    // Only places that are not numbers leave nothing.
    best.unwrap_or_else(|| (0, pieces[0].nearest(x)))
}
