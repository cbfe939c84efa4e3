//! Short pieces of an outline, with what the search for a foot point asks of them.

use super::cubic::right_normal;
use super::curve::KnotSpan;
use super::quadrature::length_to;
use super::{NurbsCurve, RationalCubic, ShapeError};
use glam::DVec2;

/// Pieces are at most this part of the perimeter long.
const LONGEST_PIECE: f64 = 1.0 / 96.0;
/// Pieces turn by at most about this angle [rad].
const LARGEST_TURN: f64 = 0.25;
/// One-sided tangents that differ by more than this make a kink [rad].
const KINK_ANGLE: f64 = 1e-6;
/// Pieces are split into this many parts where a foot point may not be the only one.
const CAREFUL_PARTS: u32 = 8;

/// One end of a piece.
#[derive(Clone, Debug)]
pub(super) struct PieceEnd {
    /// C [m, body].
    pub point: DVec2,
    /// C' of this piece [m, body].
    pub tangent: DVec2,
    /// Outward unit normal [body]; at a kink the mean of both sides.
    pub normal: DVec2,
    /// Whether the outline has a corner here.
    pub kink: bool,
}

/// A short piece of an outline.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub cubic: RationalCubic,
    pub from: PieceEnd,
    pub to: PieceEnd,
    /// Centre of a ball that holds the piece [m, body].
    pub centre: DVec2,
    /// Radius of that ball [m].
    pub radius: f64,
    /// Distance from the origin within which the piece lies [m].
    pub reach: f64,
    /// Point at the middle of the parameters [m, body].
    pub middle: DVec2,
    /// Length [m].
    pub length: f64,
    /// C'' there [m, body].
    second: DVec2,
    /// How far C'' departs from that [m].
    second_change: f64,
    /// Largest |C''| [m].
    second_most: f64,
    /// Least |C'|² [m²].
    speed_squared: f64,
}

/// Where on a piece the nearest point lies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Start,
    End,
    Inside { tangent: DVec2 },
}

/// Point of a piece nearest to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub distance_squared: f64,
    pub parameter: f64,
    pub point: DVec2,
    pub spot: Spot,
}

impl Piece {
    fn new(curve: &NurbsCurve, span: &KnotSpan, a: f64, b: f64) -> Self {
        let cubic = curve.piece(span, a, b);
        let end = |u: f64| {
            let place = cubic.at(u);
            let normal = right_normal(place.first);
            PieceEnd { point: place.position, tangent: place.first, normal, kink: false }
        };
        let (from, to) = (end(a), end(b));
        let centre = 0.5 * (from.point + to.point);
        let hull = curve.bezier(span, a, b).map(|p| p.truncate() / p.z);
        let radius = hull.iter().map(|p| p.distance(centre)).fold(0.0, f64::max);
        let reach = hull.iter().map(|p| p.length()).fold(0.0, f64::max);
        let middle = cubic.at(0.5 * (a + b));
        let samples: Vec<_> = (0..=8).map(|i| cubic.at(a + (b - a) * f64::from(i) / 8.0)).collect();
        let most = |f: &dyn Fn(&super::CurvePoint) -> f64| samples.iter().map(f).fold(0.0, f64::max);
        let slowest = samples.iter().map(|s| s.first.length_squared()).fold(f64::INFINITY, f64::min);
        // Samples of a short piece, with something to spare for what lies between them.
        Self {
            centre,
            radius,
            reach,
            middle: middle.position,
            length: length_to(&cubic, b),
            second: middle.second,
            second_change: 1.1 * most(&|s| s.second.distance(middle.second)),
            second_most: 1.1 * most(&|s| s.second.length()),
            speed_squared: 0.9 * slowest,
            from,
            to,
            cubic,
        }
    }

    /// Nearest point to x [m, body].
    pub fn nearest(&self, x: DVec2) -> Nearest {
        let parts = self.parts(x);
        let mut best = self.nearest_between(x, self.at_part(0, parts), self.at_part(1, parts));
        for i in 1..parts {
            let other = self.nearest_between(x, self.at_part(i, parts), self.at_part(i + 1, parts));
            if other.distance_squared < best.distance_squared {
                best = other;
            }
        }
        best
    }

    /// Parameters at which the distance from x [m, body] is locally least, after the start.
    pub fn visit_minima(&self, x: DVec2, mut visit: impl FnMut(f64)) {
        let parts = self.parts(x);
        for i in 0..parts {
            let (a, b) = (self.at_part(i, parts), self.at_part(i + 1, parts));
            if self.slope(x, a) < 0.0 && self.slope(x, b) >= 0.0 {
                visit(self.foot_between(x, a, b));
            }
        }
    }

    /// Parts in which to look for foot points one by one.
    fn parts(&self, x: DVec2) -> u32 {
        if self.has_one_foot(x) { 1 } else { CAREFUL_PARTS }
    }

    /// Parameter at the start of a part.
    fn at_part(&self, i: u32, parts: u32) -> f64 {
        if i == 0 {
            return self.cubic.start;
        }
        if i == parts {
            return self.cubic.end;
        }
        self.cubic.start + (self.cubic.end - self.cubic.start) * (f64::from(i) / f64::from(parts))
    }

    /// Whether ½|C − x|² is convex along the piece, so that its slopes at the ends tell where the least is.
    fn has_one_foot(&self, x: DVec2) -> bool {
        let away = self.middle - x;
        let pull =
            away.dot(self.second) - away.length() * self.second_change - self.radius * self.second_most;
        self.speed_squared + pull > 0.0
    }

    fn nearest_between(&self, x: DVec2, a: f64, b: f64) -> Nearest {
        if self.slope(x, a) >= 0.0 {
            return self.at_parameter(x, a);
        }
        if self.slope(x, b) <= 0.0 {
            return self.at_parameter(x, b);
        }
        self.at_parameter(x, self.foot_between(x, a, b))
    }

    /// Derivative of ½|C − x|² by u [m²].
    pub fn slope(&self, x: DVec2, u: f64) -> f64 {
        if u == self.cubic.start {
            return (self.from.point - x).dot(self.from.tangent);
        }
        if u == self.cubic.end {
            return (self.to.point - x).dot(self.to.tangent);
        }
        let place = self.cubic.at(u);
        (place.position - x).dot(place.first)
    }

    /// Parameter at which ½|C − x|² is least, given that it falls at `low` and rises at `high`: Newton's
    /// method kept in the bracket by bisection.
    pub fn foot_between(&self, x: DVec2, mut low: f64, mut high: f64) -> f64 {
        let enough = 1e-9 * (high - low);
        let (down, up) = (self.slope(x, low), self.slope(x, high));
        let mut u = low + (high - low) * (down / (down - up));
        for _ in 0..60 {
            let place = self.cubic.at(u);
            let away = place.position - x;
            let slope = away.dot(place.first);
            if slope < 0.0 {
                low = u;
            } else {
                high = u;
            }
            let bend = place.first.length_squared() + away.dot(place.second);
            let mut next = u - slope / bend;
            if !(bend > 0.0 && next >= low && next <= high) {
                next = 0.5 * (low + high);
            }
            let change = (next - u).abs();
            u = next;
            // Newton's next error is of the order of the square of its last change.
            if change <= enough {
                break;
            }
        }
        u
    }

    fn at_parameter(&self, x: DVec2, u: f64) -> Nearest {
        let (point, spot) = if u == self.cubic.start {
            (self.from.point, Spot::Start)
        } else if u == self.cubic.end {
            (self.to.point, Spot::End)
        } else {
            let place = self.cubic.at(u);
            (place.position, Spot::Inside { tangent: place.first })
        };
        Nearest { distance_squared: point.distance_squared(x), parameter: u, point, spot }
    }

    /// Outward unit normal at a spot [body], and whether it is a kink.
    pub fn normal_at(&self, spot: Spot) -> (DVec2, bool) {
        match spot {
            Spot::Start => (self.from.normal, self.from.kink),
            Spot::End => (self.to.normal, self.to.kink),
            Spot::Inside { tangent } => (right_normal(tangent), false),
        }
    }
}

/// All pieces of a curve that runs counter-clockwise, kinks marked.
///
/// # Errors
/// If the curve has a place without a tangent, or turns back on itself.
pub(super) fn cut(curve: &NurbsCurve) -> Result<Vec<Piece>, ShapeError> {
    let spans: Vec<KnotSpan> = curve.spans().collect();
    let whole: Vec<RationalCubic> =
        spans.iter().map(|span| curve.piece(span, span.start, span.end)).collect();
    let lengths: Vec<f64> = whole.iter().map(|cubic| length_to(cubic, cubic.end)).collect();
    let longest = lengths.iter().sum::<f64>() * LONGEST_PIECE;
    let mut pieces = Vec::new();
    let mut corners = Vec::new();
    for ((span, cubic), length) in spans.iter().zip(&whole).zip(&lengths) {
        let parts = (length / longest).ceil().max((turn(cubic) / LARGEST_TURN).ceil()).clamp(1.0, 256.0);
        let at =
            |i: f64| if i == parts { span.end } else { span.start + (span.end - span.start) * (i / parts) };
        corners.push((pieces.len(), span.corner));
        pieces.extend((0..parts as u32).map(|i| {
            let (a, b) = (at(f64::from(i)), at(f64::from(i + 1)));
            Piece::new(curve, span, a, b)
        }));
    }
    check_tangents(&pieces)?;
    join_ends(&mut pieces, &corners)?;
    Ok(pieces)
}

/// Angle by which a cubic turns, in either direction [rad].
fn turn(cubic: &RationalCubic) -> f64 {
    let tangent = |i: u32| cubic.at(cubic.start + (cubic.end - cubic.start) * f64::from(i) / 16.0).first;
    (0..16).map(|i| angle_between(tangent(i), tangent(i + 1)).abs()).filter(|a| a.is_finite()).sum()
}

/// Angle from one vector to another [rad].
fn angle_between(from: DVec2, to: DVec2) -> f64 {
    libm::atan2(from.perp_dot(to), from.dot(to))
}

fn check_tangents(pieces: &[Piece]) -> Result<(), ShapeError> {
    let perimeter: f64 = pieces.iter().map(|piece| piece.length).sum();
    let slow = (1e-9 * perimeter) * (1e-9 * perimeter);
    let still = |piece: &&Piece| piece.speed_squared.is_nan() || piece.speed_squared <= slow;
    match pieces.iter().find(still) {
        Some(piece) => Err(ShapeError::NoTangent { parameter: piece.cubic.start }),
        None => Ok(()),
    }
}

/// Finds kinks among the starts of spans, and gives both ends at one the same normal. At smooth joints both ends are
/// made the same to the last bit: were the slopes of the distance of different signs there, a foot point on the joint
/// would be found by neither piece, or by both.
fn join_ends(pieces: &mut [Piece], corners: &[(usize, bool)]) -> Result<(), ShapeError> {
    for &(here, corner) in corners {
        let before = (here + pieces.len() - 1) % pieces.len();
        let (left, right) = (pieces[before].to.tangent, pieces[here].from.tangent);
        if !corner || angle_between(left, right).abs() <= KINK_ANGLE {
            continue;
        }
        let sum = pieces[before].to.normal + pieces[here].from.normal;
        let (parameter, point) = (pieces[here].cubic.start, pieces[here].from.point);
        if sum.length() < 1e-6 {
            return Err(ShapeError::Spike { parameter, point });
        }
        let normal = sum.normalize();
        for end in [(before, false), (here, true)] {
            let piece = &mut pieces[end.0];
            let end = if end.1 { &mut piece.from } else { &mut piece.to };
            end.normal = normal;
            end.kink = true;
        }
    }
    for here in 0..pieces.len() {
        let before = (here + pieces.len() - 1) % pieces.len();
        if !pieces[here].from.kink {
            pieces[before].to = pieces[here].from.clone();
        }
    }
    Ok(())
}
