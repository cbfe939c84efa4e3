//! The boundary of a grain, ready for contact: mass properties, contact knots, foot points.

use super::piece::{Piece, cut};
use super::quadrature::{moments, parameter_at_length};
use super::search_grid::{SearchGrid, search};
use super::simple::check_simple;
use super::{CurvePoint, NurbsCurve, ShapeError};
use glam::DVec2;

/// Contact knots per grain unless said otherwise.
pub const CONTACT_KNOTS: usize = 48;
/// Surroundings prepared for quick searches, in equal-area diameters.
const MARGIN: f64 = 0.3;
/// Points nearer to the outline than this part of the bounding radius take its own normal.
const ON_THE_CURVE: f64 = 1e-9;

/// A fixed point on the boundary of a grain that can touch another grain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactKnot {
    /// Its parameter, in [0, 1).
    pub parameter: f64,
    /// Where it is [m, body].
    pub point: DVec2,
    /// Outward unit normal [body]; at a kink the mean of both sides.
    pub normal: DVec2,
    /// Whether it is a corner.
    pub kink: bool,
}

/// Point of an outline nearest to another point x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootPoint {
    /// Its parameter, in [0, 1).
    pub parameter: f64,
    /// Where it is [m, body].
    pub point: DVec2,
    /// Unit normal [body]: along the line through both points, outward.
    pub normal: DVec2,
    /// Distance of x [m], negative if x is inside.
    pub gap: f64,
    /// Whether the foot point is a corner.
    pub kink: bool,
}

/// The boundary of a grain: a closed, simple NURBS curve that runs counter-clockwise about its centroid,
/// which is the origin of the body.
#[derive(Clone, Debug)]
pub struct NurbsOutline {
    curve: NurbsCurve,
    pieces: Vec<Piece>,
    grid: SearchGrid,
    knots: Vec<ContactKnot>,
    given_centroid: DVec2,
    area: f64,
    perimeter: f64,
    polar_moment: f64,
    bounding_radius: f64,
}

impl NurbsOutline {
    /// Outline from a closed curve, with [`CONTACT_KNOTS`] contact knots.
    ///
    /// # Errors
    /// If the curve crosses itself, encloses nothing or has no tangent somewhere.
    pub fn new(curve: NurbsCurve) -> Result<Self, ShapeError> {
        Self::with_knots(curve, CONTACT_KNOTS)
    }

    /// Outline with about this many contact knots: at equal arc length on each piece between kinks, at least
    /// two intervals on each, and one at every kink.
    ///
    /// # Errors
    /// If the curve crosses itself, encloses nothing or has no tangent somewhere.
    pub fn with_knots(curve: NurbsCurve, contact_knots: usize) -> Result<Self, ShapeError> {
        let as_given = cut(&curve)?;
        check_simple(&as_given)?;
        let given = moments(as_given.iter().map(|piece| &piece.cubic));
        let extent = curve.points().iter().map(|p| p.distance(curve.points()[0])).fold(0.0, f64::max);
        if given.area.is_nan() || given.area.abs() <= 1e-9 * extent * extent {
            return Err(ShapeError::NoArea);
        }
        let given_centroid = given.first / given.area;
        let curve = if given.area < 0.0 { curve.reversed() } else { curve };
        let curve = curve.mapped(|p| p - given_centroid);
        let pieces = cut(&curve)?;
        let centred = moments(pieces.iter().map(|piece| &piece.cubic));
        let diameter = equal_area_diameter(centred.area);
        Ok(Self {
            knots: place_knots(&pieces, contact_knots),
            grid: SearchGrid::build(&pieces, MARGIN * diameter),
            given_centroid,
            area: centred.area,
            perimeter: pieces.iter().map(|piece| piece.length).sum(),
            polar_moment: centred.polar,
            bounding_radius: pieces.iter().map(|piece| piece.reach).fold(0.0, f64::max),
            pieces,
            curve,
        })
    }

    /// The curve [m, body].
    pub fn curve(&self) -> &NurbsCurve {
        &self.curve
    }

    /// Centroid of the curve as it was given [m]: where the body's origin goes to leave the grain in place.
    pub fn given_centroid(&self) -> DVec2 {
        self.given_centroid
    }

    /// Area [m²].
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Perimeter [m].
    pub fn perimeter(&self) -> f64 {
        self.perimeter
    }

    /// Polar moment of the area about the centroid [m⁴]; times density per area it is the moment of inertia.
    pub fn polar_moment(&self) -> f64 {
        self.polar_moment
    }

    /// Radius of the circle about the centroid that holds the outline [m].
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Contact knots, counter-clockwise.
    pub fn knots(&self) -> &[ContactKnot] {
        &self.knots
    }

    /// Mean distance of contact knots [m].
    pub fn knot_spacing(&self) -> f64 {
        self.perimeter / self.knots.len() as f64
    }

    /// Parameters of the kinks, ascending.
    pub fn kinks(&self) -> impl Iterator<Item = f64> + '_ {
        self.pieces.iter().filter(|piece| piece.from.kink).map(|piece| piece.cubic.start)
    }

    /// C, C' and C'' at u, taken modulo 1; at a kink those of the side after it.
    pub fn at(&self, u: f64) -> CurvePoint {
        let u = wrapped(u);
        self.pieces[self.piece_with(u)].cubic.at(u)
    }

    /// C, C' and C'' at u, taken modulo 1; at a kink those of the side before it.
    pub fn before(&self, u: f64) -> CurvePoint {
        let u = wrapped(u);
        let here = self.piece_with(u);
        if u > self.pieces[here].cubic.start {
            return self.pieces[here].cubic.at(u);
        }
        let before = &self.pieces[(here + self.pieces.len() - 1) % self.pieces.len()].cubic;
        before.at(before.end)
    }

    fn piece_with(&self, u: f64) -> usize {
        self.pieces.partition_point(|piece| piece.cubic.start <= u).max(1) - 1
    }

    /// Points of the outline for drawing [m, body]: the ends of its pieces, each split into `parts`.
    pub fn polyline(&self, parts: u32) -> Vec<DVec2> {
        let parts = parts.max(1);
        let on = |piece: &Piece, i: u32| {
            let cubic = &piece.cubic;
            cubic.position(cubic.start + (cubic.end - cubic.start) * f64::from(i) / f64::from(parts))
        };
        self.pieces.iter().flat_map(|piece| (0..parts).map(move |i| on(piece, i))).collect()
    }

    /// Foot point of x [m, body], wherever it is.
    pub fn foot_point(&self, x: DVec2) -> FootPoint {
        let everywhere = self.grid.candidates_within(x, f64::INFINITY).unwrap_or_default();
        self.foot_among(everywhere, x)
    }

    /// Foot point of x [m, body] if x is inside or nearer than `reach` [m].
    #[inline]
    pub fn foot_within(&self, x: DVec2, reach: f64) -> Option<FootPoint> {
        let candidates = self.grid.candidates_within(x, reach)?;
        let foot = self.foot_among(candidates, x);
        (foot.gap < reach).then_some(foot)
    }

    fn foot_among(&self, candidates: &[u32], x: DVec2) -> FootPoint {
        let (number, nearest) = search(&self.pieces, candidates, x);
        let (own, kink) = self.pieces[number as usize].normal_at(nearest.spot);
        let (gap, normal) = self.gap_along(x - nearest.point, own);
        FootPoint { parameter: wrapped(nearest.parameter), point: nearest.point, normal, gap, kink }
    }

    /// Signed distance [m] and normal from the vector to x and the outline's own normal.
    fn gap_along(&self, away: DVec2, own: DVec2) -> (f64, DVec2) {
        let distance = away.length();
        let side = if away.dot(own) >= 0.0 { 1.0 } else { -1.0 };
        let normal =
            if distance > ON_THE_CURVE * self.bounding_radius { away * (side / distance) } else { own };
        (side * distance, normal)
    }

    /// Every foot point of x [m, body] that is a local minimum of the distance, seen from outside and nearer
    /// than `reach` [m]; if x is inside, the nearest alone.
    pub fn foot_points_around(&self, x: DVec2, reach: f64) -> Vec<FootPoint> {
        let nearest = self.foot_point(x);
        if nearest.gap <= 0.0 {
            return vec![nearest];
        }
        let mut found = Vec::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            if piece.centre.distance(x) - piece.radius > reach {
                continue;
            }
            let before = &self.pieces[(number + self.pieces.len() - 1) % self.pieces.len()];
            let arrives = piece.slope(x, piece.cubic.start);
            if piece.from.kink && before.slope(x, before.cubic.end) <= 0.0 && arrives >= 0.0 {
                found.push((piece.cubic.start, piece.from.point, piece.from.normal, true));
            }
            piece.visit_minima(x, |parameter| {
                // A corner at the end is the affair of the next piece.
                if !(piece.to.kink && parameter == piece.cubic.end) {
                    let place = piece.cubic.at(parameter);
                    found.push((parameter, place.position, place.normal(), false));
                }
            });
        }
        let feet = found.into_iter().map(|(parameter, point, own, kink)| {
            let (gap, normal) = self.gap_along(x - point, own);
            FootPoint { parameter: wrapped(parameter), point, normal, gap, kink }
        });
        feet.filter(|foot| foot.gap >= 0.0 && foot.gap < reach).collect()
    }
}

/// Diameter of the circle of this area.
pub fn equal_area_diameter(area: f64) -> f64 {
    (4.0 * area / std::f64::consts::PI).sqrt()
}

/// u modulo 1, in [0, 1).
fn wrapped(u: f64) -> f64 {
    let rest = u - u.floor();
    if rest >= 1.0 { 0.0 } else { rest }
}

/// Contact knots at equal arc length between kinks.
fn place_knots(pieces: &[Piece], wanted: usize) -> Vec<ContactKnot> {
    let perimeter: f64 = pieces.iter().map(|piece| piece.length).sum();
    let first = pieces.iter().position(|piece| piece.from.kink).unwrap_or(0);
    // Runs of pieces between kinks; without any, the whole outline from the seam.
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for step in 0..pieces.len() {
        let number = (first + step) % pieces.len();
        if step == 0 || pieces[number].from.kink {
            runs.push(Vec::new());
        }
        if let Some(run) = runs.last_mut() {
            run.push(number);
        }
    }
    let mut knots: Vec<ContactKnot> = Vec::new();
    for run in runs {
        let length: f64 = run.iter().map(|&number| pieces[number].length).sum();
        let intervals = (wanted as f64 * length / perimeter).round().max(2.0);
        knots.extend(knots_of_run(pieces, &run, length / intervals, intervals as usize));
    }
    knots.sort_by(|a, b| a.parameter.total_cmp(&b.parameter));
    knots
}

/// `count` knots from the start of a run of pieces on, `spacing` [m] apart.
fn knots_of_run(pieces: &[Piece], run: &[usize], spacing: f64, count: usize) -> Vec<ContactKnot> {
    let start = &pieces[run[0]];
    let mut knots = vec![ContactKnot {
        parameter: wrapped(start.cubic.start),
        point: start.from.point,
        normal: start.from.normal,
        kink: start.from.kink,
    }];
    let (mut place, mut passed) = (0, 0.0);
    for i in 1..count {
        let target = spacing * i as f64;
        while place + 1 < run.len() && passed + pieces[run[place]].length < target {
            passed += pieces[run[place]].length;
            place += 1;
        }
        let cubic = &pieces[run[place]].cubic;
        let parameter = parameter_at_length(cubic, target - passed);
        let at = cubic.at(parameter);
        knots.push(ContactKnot {
            parameter: wrapped(parameter),
            point: at.position,
            normal: at.normal(),
            kink: false,
        });
    }
    knots
}
