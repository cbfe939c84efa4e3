//! Boxes around displacements, and how far those of neighbouring cells are from each other.

use crate::broad_phase::CellLayout;
use crate::dispatch::Kernel;
use crate::math::Simd;
use glam::DVec3;

/// Box of displacements [m]: its upper corner and the opposite of its lower one, so that all of it grows by the larger of two
/// numbers, several at a time. The fourth numbers are not used.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Span([[f64; 4]; 2]);

impl Span {
    pub const EMPTY: Self = Self([[f64::NEG_INFINITY; 4]; 2]);

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0[0][0] == f64::NEG_INFINITY
    }

    #[inline(always)]
    pub fn with(self, way: DVec3) -> Self {
        self.and(&Self([[way.x, way.y, way.z, 0.0], [-way.x, -way.y, -way.z, 0.0]]))
    }

    /// The box around this and another.
    #[inline(always)]
    pub fn and(mut self, other: &Self) -> Self {
        for (own, other) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *own = larger(*other, *own);
        }
        self
    }

    /// Square of the farthest that a displacement of one box can be from one of the other [m²]; 0 if one is empty.
    #[inline(always)]
    pub fn against(&self, other: &Self) -> f64 {
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

/// For some cells, from the given one on: square of the farthest that a displacement in the cell can be from one in it or a
/// neighbour [m²].
pub(super) struct CompareSpans;

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
pub(super) struct SpanAround;

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
