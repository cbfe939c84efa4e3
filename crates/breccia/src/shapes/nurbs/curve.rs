//! Closed cubic NURBS curves: clamped, with positive weights, made from control points of several kinds.

use super::{CurvePoint, RationalCubic, ShapeError};
use glam::{DVec2, DVec3};

/// Degree of all curves.
const DEGREE: usize = 3;
/// Most control points taken.
const MOST_POINTS: usize = 20_000;
/// Ends nearer than this part of the extent are the same point.
const CLOSED: f64 = 1e-9;

/// A closed cubic NURBS curve on u ∈ [0, 1], clamped: first and last control point are one and lie on it.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsCurve {
    knots: Vec<f64>,
    points: Vec<DVec2>,
    weights: Vec<f64>,
}

/// A span between two different knots.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnotSpan {
    /// Place of its start among the knots.
    pub index: usize,
    /// Parameter at its start.
    pub start: f64,
    /// Parameter at its end.
    pub end: f64,
    /// Whether its start may be a corner: a knot of multiplicity three or more.
    pub corner: bool,
}

impl NurbsCurve {
    /// Curve from a clamped knot vector (any range, mapped to [0, 1]), control points [m] and weights.
    ///
    /// # Errors
    /// If numbers do not fit together, weights are not positive, or the curve is open or torn.
    pub fn new(knots: &[f64], points: &[DVec2], weights: &[f64]) -> Result<Self, ShapeError> {
        check_points(points, DEGREE + 1)?;
        check_weights(points.len(), weights)?;
        check_knots(knots, points.len())?;
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        let knots: Vec<f64> = knots.iter().map(|knot| (knot - first) / (last - first)).collect();
        let mut points = points.to_vec();
        let end = points.len() - 1;
        let extent = points.iter().map(|p| p.distance(points[0])).fold(0.0, f64::max);
        let gap = points[end].distance(points[0]);
        if gap > CLOSED * extent {
            return Err(ShapeError::Open { gap });
        }
        points[end] = points[0];
        Ok(Self { knots, points, weights: weights.to_vec() })
    }

    /// Smooth curve (C, C', C'' continuous everywhere) from a periodic uniform control polygon [m].
    ///
    /// # Errors
    /// If there are fewer than three points or weights are not positive.
    pub fn from_periodic(points: &[DVec2], weights: &[f64]) -> Result<Self, ShapeError> {
        check_points(points, 3)?;
        check_weights(points.len(), weights)?;
        let count = points.len();
        let homogeneous = |i: usize| (points[i % count] * weights[i % count]).extend(weights[i % count]);
        let (d0, d1, d2) = (homogeneous(0), homogeneous(1), homogeneous(2));
        let seam = (d0 + 4.0 * d1 + d2) / 6.0;
        let mut clamped = vec![seam, (2.0 * d1 + d2) / 3.0];
        clamped.extend((2..=count).map(homogeneous));
        clamped.extend([(d0 + 2.0 * d1) / 3.0, seam]);
        let inner = (1..count).map(|i| i as f64 / count as f64);
        let knots = [0.0; 4].into_iter().chain(inner).chain([1.0; 4]).collect();
        Ok(Self::from_homogeneous(knots, &clamped))
    }

    /// Polygon of these corners [m] as a cubic: every corner a triple knot, control points at the thirds of
    /// its edges. A repeated last corner is dropped.
    ///
    /// # Errors
    /// If fewer than three corners remain.
    pub fn from_polygon(corners: &[DVec2]) -> Result<Self, ShapeError> {
        let repeated = corners.len() > 1 && corners[0] == corners[corners.len() - 1];
        let corners = &corners[..corners.len() - usize::from(repeated)];
        check_points(corners, 3)?;
        let edges = corners.len();
        let mut points = Vec::with_capacity(3 * edges + 1);
        for (i, &from) in corners.iter().enumerate() {
            let edge = corners[(i + 1) % edges] - from;
            points.extend([from, from + edge / 3.0, from + edge * (2.0 / 3.0)]);
        }
        points.push(corners[0]);
        let inner = (1..edges).flat_map(|i| [i as f64 / edges as f64; 3]);
        let knots = [0.0; 4].into_iter().chain(inner).chain([1.0; 4]).collect();
        let weights = vec![1.0; points.len()];
        Ok(Self { knots, points, weights })
    }

    /// Circle of this radius [m] about the origin: four rational arcs, exact.
    pub fn circle(radius: f64) -> Self {
        let axes = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let mut points = Vec::new();
        for (i, &from) in axes.iter().enumerate() {
            // The quadratic arc with weights 1, 1/√2, 1, raised by one degree.
            let start = (from * radius).extend(1.0);
            let end = (axes[(i + 1) % 4] * radius).extend(1.0);
            let corner = ((start + end).truncate() * half).extend(half);
            points.extend([start, (start + 2.0 * corner) / 3.0, (2.0 * corner + end) / 3.0]);
        }
        points.push((axes[0] * radius).extend(1.0));
        let inner = (1..4).flat_map(|i| [0.25 * f64::from(i); 3]);
        let knots = [0.0; 4].into_iter().chain(inner).chain([1.0; 4]).collect();
        Self::from_homogeneous(knots, &points)
    }

    fn from_homogeneous(knots: Vec<f64>, points: &[DVec3]) -> Self {
        let weights = points.iter().map(|p| p.z).collect();
        Self { knots, points: points.iter().map(|p| p.truncate() / p.z).collect(), weights }
    }

    /// Knot vector, from four zeros to four ones.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Control points [m]; the last is the first.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// Weights of the control points.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The same curve run through the other way.
    pub fn reversed(&self) -> Self {
        Self {
            knots: self.knots.iter().rev().map(|knot| 1.0 - knot).collect(),
            points: self.points.iter().rev().copied().collect(),
            weights: self.weights.iter().rev().copied().collect(),
        }
    }

    /// Every control point changed by `map`, which must be affine for the curve to follow.
    pub fn mapped(&self, map: impl Fn(DVec2) -> DVec2) -> Self {
        let points = self.points.iter().map(|&p| map(p)).collect();
        Self { knots: self.knots.clone(), points, weights: self.weights.clone() }
    }

    /// C, C' and C'' at u ∈ [0, 1]; at a knot those of the span after it, at 1 of the last.
    pub fn at(&self, u: f64) -> CurvePoint {
        let spans: Vec<KnotSpan> = self.spans().collect();
        let place = spans.partition_point(|span| span.start <= u).max(1) - 1;
        let span = spans[place];
        self.piece(&span, span.start, span.end).at(u)
    }

    /// Spans of positive length, in order. The first counts as a possible corner: the seam is clamped.
    pub(super) fn spans(&self) -> impl Iterator<Item = KnotSpan> + '_ {
        let last = self.points.len() - 1;
        (DEGREE..=last).filter_map(|index| {
            let (start, end) = (self.knots[index], self.knots[index + 1]);
            let corner = self.knots[index - 2] == start;
            (end > start).then_some(KnotSpan { index, start, end, corner })
        })
    }

    /// Homogeneous Bézier points of the part of a span from `a` to `b`.
    pub(super) fn bezier(&self, span: &KnotSpan, a: f64, b: f64) -> [DVec3; 4] {
        [[a, a, a], [a, a, b], [a, b, b], [b, b, b]].map(|arguments| self.blossom(span.index, arguments))
    }

    /// The part of a span from `a` to `b`.
    pub(super) fn piece(&self, span: &KnotSpan, a: f64, b: f64) -> RationalCubic {
        let mut points = self.bezier(span, span.start, span.end);
        let polynomial = self.has_equal_weights();
        if polynomial {
            points = points.map(|p| (p / self.weights[0]).truncate().extend(1.0));
        }
        RationalCubic::from_bezier(span.start, span.end, points, polynomial).part(a, b)
    }

    fn has_equal_weights(&self) -> bool {
        self.weights.iter().all(|&weight| weight == self.weights[0])
    }

    /// Polar form of the span that starts at knot `index`: de Boor's scheme with one argument per level.
    fn blossom(&self, index: usize, arguments: [f64; 3]) -> DVec3 {
        let base = index - DEGREE;
        let mut d = [0, 1, 2, 3].map(|i| {
            let weight = self.weights[base + i];
            (self.points[base + i] * weight).extend(weight)
        });
        for (level, argument) in arguments.into_iter().enumerate() {
            for j in (level + 1..=DEGREE).rev() {
                let (low, high) = (self.knots[base + j], self.knots[index + j - level]);
                let share = (argument - low) / (high - low);
                d[j] = d[j - 1] * (1.0 - share) + d[j] * share;
            }
        }
        d[DEGREE]
    }
}

fn check_points(points: &[DVec2], least: usize) -> Result<(), ShapeError> {
    if points.len() < least {
        return Err(ShapeError::TooFewPoints { least, found: points.len() });
    }
    if points.len() > MOST_POINTS {
        return Err(ShapeError::TooManyPoints { most: MOST_POINTS, found: points.len() });
    }
    match points.iter().position(|p| !p.is_finite()) {
        Some(index) => Err(ShapeError::NotFinite { what: "point", index }),
        None => Ok(()),
    }
}

fn check_weights(points: usize, weights: &[f64]) -> Result<(), ShapeError> {
    if weights.len() != points {
        return Err(ShapeError::WeightCount { weights: weights.len(), points });
    }
    match weights.iter().position(|&w| !(w > 0.0 && w.is_finite())) {
        Some(index) => Err(ShapeError::Weight { index, value: weights[index] }),
        None => Ok(()),
    }
}

fn check_knots(knots: &[f64], points: usize) -> Result<(), ShapeError> {
    if knots.len() != points + DEGREE + 1 {
        return Err(ShapeError::KnotCount { knots: knots.len(), points });
    }
    if let Some(index) = knots.iter().position(|knot| !knot.is_finite()) {
        return Err(ShapeError::NotFinite { what: "knot", index });
    }
    if let Some(index) = knots.windows(2).position(|pair| pair[1] < pair[0]) {
        return Err(ShapeError::KnotsDescend { index: index + 1 });
    }
    let last = knots.len() - 1;
    let clamped = knots[0] == knots[DEGREE] && knots[last - DEGREE] == knots[last];
    if !clamped || knots[0] == knots[last] {
        return Err(ShapeError::NotClamped);
    }
    // Fourfold knots inside, or five equal ones at an end, leave a control point out of the curve.
    match knots[1..last].windows(DEGREE + 1).find(|run| run[0] == run[DEGREE]) {
        Some(run) => Err(ShapeError::Torn { value: run[0] }),
        None => Ok(()),
    }
}
