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

/// Cells to be compared with those around them, and what is found.
pub(super) struct Comparison<'a> {
    /// Number of the first cell.
    pub first: usize,
    /// For each cell the farthest that a displacement in it can be from one in it or a neighbour [m].
    pub across: &'a mut [f64],
    /// How far two displacements in a cell and its neighbours may be from each other [m]; infinity if that is of no interest.
    pub allowed: f64,
    /// Farthest that they can be from each other, of the cells that are not known to keep to that otherwise [m].
    pub widest: &'a mut f64,
}

/// Finds how far displacements in neighbouring cells can be from each other. Those of two neighbours of a cell are not farther apart than
/// each is from those in the cell: mostly this tells all.
pub(super) struct CompareSpans;

impl Kernel for CompareSpans {
    type On<'a> = (&'a CellLayout, &'a [Span], Comparison<'a>);

    #[inline(always)]
    fn run<S: Simd>((layout, spans, found): Self::On<'_>) {
        for (cell, across) in (found.first..).zip(found.across) {
            let own = spans[cell];
            let is_tight = if own.is_empty() {
                found.allowed == f64::INFINITY
            } else {
                let mut square = 0.0_f64;
                layout.visit_around(cell, |other| square = larger(own.against(&spans[other]), square));
                *across = square.sqrt();
                2.0 * *across <= found.allowed
            };
            if !is_tight {
                let mut all = own;
                layout.visit_around(cell, |other| all = all.and(&spans[other]));
                *found.widest = larger(all.against(&all).sqrt(), *found.widest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::compiled;
    use crate::model::Domain;
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

    /// What is told of cells is what comparing each with all around it says, and no two displacements around a cell are farther apart than
    /// is allowed or told.
    #[test]
    fn compared_cells_are_as_far_apart_as_one_by_one() {
        let mut random = RandomStream::new(4);
        let far = DVec3::new(4.0, 5.0, 3.0);
        for periodic in [[false; 3], [true, false, true]] {
            let domain = Domain { min: DVec3::ZERO, max: far, periodic, ..Domain::unbounded() };
            let layout = CellLayout::new(DVec3::ZERO, far, 1.0, 2.0, 1000, &domain);
            let mut way = || DVec3::from_array([(); 3].map(|()| random.between(-1.0, 1.0)));
            let of_cell = |_| if way().x < -0.2 { Span::EMPTY } else { Span::EMPTY.with(way()).with(way()) };
            let spans: Vec<Span> = (0..layout.count()).map(of_cell).collect();
            let around = |cell: usize| {
                let mut cells = Vec::new();
                layout.visit_around(cell, |other| cells.push(other));
                cells.into_iter().filter(|&other| !spans[other].is_empty())
            };
            let apart = |one: usize, other: usize| spans[one].against(&spans[other]).sqrt();
            for allowed in [0.0, 3.0, 4.0, f64::INFINITY] {
                let (mut across, mut widest) = (vec![0.0; spans.len()], 0.0);
                let found = Comparison { first: 0, across: &mut across, allowed, widest: &mut widest };
                compiled::<CompareSpans>()((&layout, &spans, found));
                for (cell, &across) in across.iter().enumerate() {
                    let own = around(cell).map(|other| apart(cell, other)).fold(0.0, f64::max);
                    assert_eq!(across, if spans[cell].is_empty() { 0.0 } else { own });
                    let pairs = around(cell).flat_map(|one| around(cell).map(move |other| (one, other)));
                    let farthest = pairs.map(|(one, other)| apart(one, other)).fold(0.0, f64::max);
                    assert!(farthest <= allowed.max(widest), "{farthest} in cell {cell}, {allowed} allowed");
                }
                assert_eq!(widest == 0.0, allowed == f64::INFINITY);
            }
        }
    }
}
