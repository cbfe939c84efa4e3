//! Why an outline cannot be the boundary of a grain.

use glam::DVec2;

/// Fault of an outline.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// Not enough points.
    #[error("an outline needs at least {least} points, this one has {found}")]
    TooFewPoints {
        /// Points needed.
        least: usize,
        /// Points given.
        found: usize,
    },
    /// More points than a search can number.
    #[error("an outline of {found} points is too long: at most {most} are taken; thin it out first")]
    TooManyPoints {
        /// Points taken.
        most: usize,
        /// Points given.
        found: usize,
    },
    /// Number of knots does not fit.
    #[error("a cubic curve of {points} control points has {} knots, {knots} are given", points + 4)]
    KnotCount {
        /// Knots given.
        knots: usize,
        /// Control points given.
        points: usize,
    },
    /// Number of weights does not fit.
    #[error("{points} control points need as many weights, {weights} are given")]
    WeightCount {
        /// Weights given.
        weights: usize,
        /// Control points given.
        points: usize,
    },
    /// A weight is zero, negative or not a number.
    #[error("weight {index} (counted from 0) is {value}: weights must be greater than 0")]
    Weight {
        /// Its place.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A coordinate, knot or size is not a number.
    #[error("{what} {index} (counted from 0) is not a finite number")]
    NotFinite {
        /// What it is.
        what: &'static str,
        /// Its place.
        index: usize,
    },
    /// Knots do not ascend.
    #[error("knot {index} (counted from 0) is smaller than the one before: knots must ascend")]
    KnotsDescend {
        /// Place of the smaller one.
        index: usize,
    },
    /// End knots are not fourfold.
    #[error("the first four knots must be equal, and the last four: the curve must be clamped")]
    NotClamped,
    /// An interior knot tears the curve.
    #[error(
        "the knot {value} occurs four times or more inside the curve, which tears it: three times make a corner"
    )]
    Torn {
        /// Value of the knot.
        value: f64,
    },
    /// First and last point differ.
    #[error(
        "the outline is open: its last point is {gap:.3e} m away from its first; repeat the first point at the end"
    )]
    Open {
        /// Distance of the ends [m].
        gap: f64,
    },
    /// Nothing inside.
    #[error("the outline encloses no area")]
    NoArea,
    /// The curve comes to a halt.
    #[error("the outline has no tangent at u = {parameter:.4}: move the control points there apart")]
    NoTangent {
        /// Where.
        parameter: f64,
    },
    /// The curve turns round on the spot.
    #[error(
        "the outline turns back on itself at u = {parameter:.4}, near ({:.4e}, {:.4e}) m: a spike without width",
        point.x, point.y
    )]
    Spike {
        /// Where.
        parameter: f64,
        /// The place [m].
        point: DVec2,
    },
    /// The curve crosses itself.
    #[error(
        "the outline crosses itself near ({:.4e}, {:.4e}) m (u = {first:.3} and {second:.3}): a grain needs a simple boundary",
        point.x, point.y
    )]
    Crossing {
        /// One place.
        first: f64,
        /// The other.
        second: f64,
        /// The place [m].
        point: DVec2,
    },
    /// A size that must be positive is not.
    #[error("{what} must be greater than 0, {value} is given")]
    NotPositive {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}
