//! Periodic uniform cubic splines in their own right: what a least-squares fit works on.

use crate::shapes::nurbs::CurvePoint;
use glam::DVec2;

/// A closed uniform cubic spline on u ∈ [0, 1).
pub(super) struct PeriodicSpline {
    pub points: Vec<DVec2>,
}

/// Numbers of the four control points that act at u, and their shares.
pub(super) fn shares(u: f64, count: usize) -> ([usize; 4], [f64; 4]) {
    let (span, t) = span_of(u, count);
    let r = 1.0 - t;
    let shares = [
        r * r * r / 6.0,
        ((3.0 * t - 6.0) * t * t + 4.0) / 6.0,
        (((3.0 - 3.0 * t) * t + 3.0) * t + 1.0) / 6.0,
        t * t * t / 6.0,
    ];
    ([0, 1, 2, 3].map(|i| (span + i) % count), shares)
}

fn span_of(u: f64, count: usize) -> (usize, f64) {
    let along = (u - u.floor()) * count as f64;
    let span = along.floor();
    (span as usize % count, along - span)
}

impl PeriodicSpline {
    /// C, C' and C'' at u, modulo 1.
    pub fn at(&self, u: f64) -> CurvePoint {
        let count = self.points.len();
        let (numbers, shares) = shares(u, count);
        let (_, t) = span_of(u, count);
        let first =
            [-0.5 * (1.0 - t) * (1.0 - t), (1.5 * t - 2.0) * t, (1.0 - 1.5 * t) * t + 0.5, 0.5 * t * t];
        let second = [1.0 - t, 3.0 * t - 2.0, 1.0 - 3.0 * t, t];
        let sum = |shares: [f64; 4]| {
            let parts = numbers.iter().zip(shares).map(|(&i, share)| self.points[i] * share);
            parts.fold(DVec2::ZERO, |sum, part| sum + part)
        };
        let per_u = count as f64;
        CurvePoint { position: sum(shares), first: sum(first) * per_u, second: sum(second) * per_u * per_u }
    }

    /// Parameter nearby at which the curve is nearer to x: one step of Newton's method.
    pub fn nearer(&self, u: f64, x: DVec2) -> f64 {
        let place = self.at(u);
        let away = place.position - x;
        let bend = place.first.length_squared() + away.dot(place.second);
        let bend = bend.max(0.25 * place.first.length_squared());
        let largest = 0.5 / self.points.len() as f64;
        let step = (away.dot(place.first) / bend).clamp(-largest, largest);
        let next = if step.is_finite() { u - step } else { u };
        next - next.floor()
    }
}
