//! Smooth closed curves through points, by least squares.

use super::spline::{PeriodicSpline, shares};
use crate::shapes::nurbs::{NurbsCurve, NurbsOutline, ShapeError};
use glam::DVec2;

/// Numbers of control points tried, one after the other.
const CONTROL_POINTS: [usize; 18] =
    [6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 50, 60, 75, 90, 110, 140, 180, 240];
/// Fits per number of control points, with parameters moved to the feet of the points in between.
const ROUNDS: usize = 6;

/// A closed cubic curve fitted to points.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Its periodic uniform control polygon [unit of the points], all weights one.
    pub control: Vec<DVec2>,
    /// The outline about its own centroid.
    pub outline: NurbsOutline,
    /// Largest distance of a point from the curve [unit of the points].
    pub largest_error: f64,
    /// Root of the mean square of these distances [unit of the points].
    pub rms_error: f64,
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// Too few points.
    #[error("{0} points are too few for a smooth outline")]
    TooFewPoints(usize),
    /// No curve is near enough.
    #[error(
        "no smooth curve of at most {most} control points comes nearer than {best:.3} (tolerance {tolerance:.3})"
    )]
    Tolerance {
        /// Most control points tried.
        most: usize,
        /// Largest error of the best curve [unit of the points].
        best: f64,
        /// Tolerance asked for [unit of the points].
        tolerance: f64,
    },
    /// The curve is no outline.
    #[error("the curve through the points is no outline: {0}")]
    Shape(#[from] ShapeError),
}

/// Closed cubic curve, periodic and uniform, with as few control points as keep all points within `tolerance` of it.
///
/// # Errors
/// If there are too few points, no curve is near enough, or the curve crosses itself.
pub fn fit_closed(points: &[DVec2], tolerance: f64) -> Result<Fit, FitError> {
    let points = without_repeats(points);
    if points.len() < 6 {
        return Err(FitError::TooFewPoints(points.len()));
    }
    let (mut best, mut most, mut fault) = (f64::INFINITY, 0, None);
    for &count in
        CONTROL_POINTS.iter().filter(|&&count| count == CONTROL_POINTS[0] || 2 * count <= points.len())
    {
        most = count;
        let Some((spline, error)) = fit_with(&points, count) else { continue };
        best = best.min(error);
        if error <= tolerance {
            match finished(spline, &points) {
                Ok(fit) => return Ok(fit),
                Err(error) => fault = Some(error),
            }
        }
    }
    Err(fault.map_or(FitError::Tolerance { most, best, tolerance }, FitError::Shape))
}

fn without_repeats(points: &[DVec2]) -> Vec<DVec2> {
    let mut kept: Vec<DVec2> = points.to_vec();
    kept.dedup();
    while kept.len() > 1 && kept[0] == kept[kept.len() - 1] {
        kept.pop();
    }
    kept
}

fn finished(spline: PeriodicSpline, points: &[DVec2]) -> Result<Fit, ShapeError> {
    let curve = NurbsCurve::from_periodic(&spline.points, &vec![1.0; spline.points.len()])?;
    let outline = NurbsOutline::new(curve)?;
    let errors = points.iter().map(|&x| outline.foot_point(x - outline.given_centroid()).gap.abs());
    let (largest, squares) = errors.fold((0.0, 0.0), |(most, sum), e| (f64::max(most, e), sum + e * e));
    let rms_error = (squares / points.len() as f64).sqrt();
    Ok(Fit { control: spline.points, outline, largest_error: largest, rms_error })
}

/// Best spline with so many control points, and the largest distance of a point from it.
fn fit_with(points: &[DVec2], count: usize) -> Option<(PeriodicSpline, f64)> {
    let (mut parameters, weights) = by_length(points);
    let mut best: Option<(PeriodicSpline, f64)> = None;
    for _ in 0..ROUNDS {
        let spline = least_squares(points, &parameters, &weights, count)?;
        for (u, &x) in parameters.iter_mut().zip(points) {
            *u = spline.nearer(spline.nearer(*u, x), x);
        }
        let distances = parameters.iter().zip(points).map(|(&u, x)| spline.at(u).position.distance(*x));
        let error = distances.fold(0.0, f64::max);
        if best.as_ref().is_none_or(|(_, known)| error < *known) {
            best = Some((spline, error));
        }
    }
    best
}

/// Parameters of points by the length of the polygon through them, and the length each stands for.
fn by_length(points: &[DVec2]) -> (Vec<f64>, Vec<f64>) {
    let count = points.len();
    let edge = |i: usize| points[i].distance(points[(i + 1) % count]);
    let total: f64 = (0..count).map(edge).sum();
    let mut along = 0.0;
    let mut parameters = Vec::with_capacity(count);
    for i in 0..count {
        parameters.push(along / total);
        along += edge(i);
    }
    let weights = (0..count).map(|i| 0.5 * (edge(i) + edge((i + count - 1) % count))).collect();
    (parameters, weights)
}

/// Spline of least weighted squares of distances at given parameters.
fn least_squares(
    points: &[DVec2],
    parameters: &[f64],
    weights: &[f64],
    count: usize,
) -> Option<PeriodicSpline> {
    let mut matrix = vec![0.0; count * count];
    let mut right = vec![DVec2::ZERO; count];
    for ((&x, &u), &weight) in points.iter().zip(parameters).zip(weights) {
        let (numbers, shares) = shares(u, count);
        for (&i, &share) in numbers.iter().zip(&shares) {
            right[i] += x * (weight * share);
            for (&j, &other) in numbers.iter().zip(&shares) {
                matrix[i * count + j] += weight * share * other;
            }
        }
    }
    // A trace of bending stiffness decides where a span has no point of its own.
    let stiffness = 1e-7 * weights.iter().sum::<f64>() / count as f64;
    for i in 0..count {
        let bend = [(i, 1.0), ((i + 1) % count, -2.0), ((i + 2) % count, 1.0)];
        for (row, a) in bend {
            for (column, b) in bend {
                matrix[row * count + column] += stiffness * a * b;
            }
        }
    }
    let points = solve(matrix, right)?;
    Some(PeriodicSpline { points })
}

/// Solves a symmetric positive definite system by Cholesky's method.
fn solve(mut matrix: Vec<f64>, mut right: Vec<DVec2>) -> Option<Vec<DVec2>> {
    let count = right.len();
    for row in 0..count {
        for column in 0..=row {
            let mut sum = matrix[row * count + column];
            for k in 0..column {
                sum -= matrix[row * count + k] * matrix[column * count + k];
            }
            if row > column {
                matrix[row * count + column] = sum / matrix[column * count + column];
            } else if sum > 0.0 {
                matrix[row * count + row] = sum.sqrt();
            } else {
                return None;
            }
        }
    }
    for row in 0..count {
        for k in 0..row {
            right[row] = right[row] - right[k] * matrix[row * count + k];
        }
        right[row] /= matrix[row * count + row];
    }
    for row in (0..count).rev() {
        for k in row + 1..count {
            right[row] = right[row] - right[k] * matrix[k * count + row];
        }
        right[row] /= matrix[row * count + row];
    }
    Some(right)
}
