//! One piece of a curve as a rational cubic in powers, ready for evaluation.

use glam::{DVec2, DVec3};

/// A place on a curve with its derivatives by the parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// C(u) [m].
    pub position: DVec2,
    /// C'(u) [m].
    pub first: DVec2,
    /// C''(u) [m].
    pub second: DVec2,
}

impl CurvePoint {
    /// Unit normal to the right of the curve: outward if it runs counter-clockwise.
    pub fn normal(&self) -> DVec2 {
        right_normal(self.first)
    }

    /// Curvature [1/m], positive where the curve bends to the left (a convex place of a grain).
    pub fn curvature(&self) -> f64 {
        let speed = self.first.length();
        self.first.perp_dot(self.second) / (speed * speed * speed)
    }
}

/// Unit normal to the right of a tangent.
pub(super) fn right_normal(tangent: DVec2) -> DVec2 {
    DVec2::new(tangent.y, -tangent.x) / tangent.length()
}

/// A piece of a NURBS curve between two parameters, as a homogeneous cubic in u − `origin`.
#[derive(Clone, Debug, PartialEq)]
pub struct RationalCubic {
    /// Parameter at its start.
    pub start: f64,
    /// Parameter at its end.
    pub end: f64,
    /// Start of the knot span it belongs to: powers of a long span lose less to rounding than those of its parts.
    origin: f64,
    /// Powers of w C [m].
    top: [DVec2; 4],
    /// Powers of w; not looked at where the weights are all one.
    bottom: [f64; 4],
    polynomial: bool,
}

impl RationalCubic {
    /// Span with these homogeneous Bézier points (w x, w y, w); `polynomial` where all weights are one.
    pub fn from_bezier(start: f64, end: f64, points: [DVec3; 4], polynomial: bool) -> Self {
        let [p0, p1, p2, p3] = points;
        let span = end - start;
        let powers = [
            p0,
            (p1 - p0) * (3.0 / span),
            (p0 - 2.0 * p1 + p2) * (3.0 / (span * span)),
            (p3 - p0 + 3.0 * (p1 - p2)) * (1.0 / (span * span * span)),
        ];
        Self {
            start,
            end,
            origin: start,
            top: powers.map(|p| p.truncate()),
            bottom: powers.map(|p| p.z),
            polynomial,
        }
    }

    /// The same cubic from `start` to `end`.
    pub fn part(self, start: f64, end: f64) -> Self {
        Self { start, end, ..self }
    }

    /// C(u) [m].
    #[inline]
    pub fn position(&self, u: f64) -> DVec2 {
        let t = u - self.origin;
        let [a, b, c, d] = self.top;
        let top = a + (b + (c + d * t) * t) * t;
        if self.polynomial {
            return top;
        }
        let [a, b, c, d] = self.bottom;
        top / (a + (b + (c + d * t) * t) * t)
    }

    /// C, C' and C'' at u.
    #[inline]
    pub fn at(&self, u: f64) -> CurvePoint {
        let t = u - self.origin;
        let [a, b, c, d] = self.top;
        let position = a + (b + (c + d * t) * t) * t;
        let first = b + (2.0 * c + 3.0 * d * t) * t;
        let second = 2.0 * c + 6.0 * d * t;
        if self.polynomial {
            return CurvePoint { position, first, second };
        }
        let [a, b, c, d] = self.bottom;
        let w = a + (b + (c + d * t) * t) * t;
        let w1 = b + (2.0 * c + 3.0 * d * t) * t;
        let w2 = 2.0 * c + 6.0 * d * t;
        let position = position / w;
        let first = (first - w1 * position) / w;
        let second = (second - 2.0 * w1 * first - w2 * position) / w;
        CurvePoint { position, first, second }
    }
}
