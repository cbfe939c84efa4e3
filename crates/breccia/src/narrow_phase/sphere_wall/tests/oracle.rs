//! Brute force: a surface as patches over the unit square, searched by dense samples along one parameter after the other.

use crate::shapes::WallShape;
use glam::DVec3;
use std::f64::consts::TAU;

/// Maps the unit square onto a part of a surface.
pub struct Patch {
    at: Box<dyn Fn(f64, f64) -> DVec3>,
    /// The first parameter is a full turn, so the search may pass over its ends.
    round: bool,
}

/// The patches of a shape; of a box the closed faces only.
pub fn patches(shape: &WallShape) -> Vec<Patch> {
    match *shape {
        WallShape::Plane { .. } => vec![],
        WallShape::Box { min, max, open, .. } => {
            (0..6).filter(|&face| !open[face]).map(|face| rectangle(min, max, face)).collect()
        }
        WallShape::Cylinder { start, axis, length, radius, .. } => {
            vec![ruled(axis, move |t| (start + axis * (length * t), radius))]
        }
        WallShape::Cone { start, axis, length, start_radius, end_radius, .. } => {
            vec![ruled(axis, move |t| {
                (start + axis * (length * t), start_radius + (end_radius - start_radius) * t)
            })]
        }
        WallShape::Disc { centre, normal, radius, hole } => {
            vec![ruled(normal, move |t| (centre, hole + (radius - hole) * t))]
        }
        WallShape::Rectangle { centre, normal, along, half, .. } => {
            let across = normal.cross(along);
            let at = move |s: f64, t: f64| {
                centre + along * (half[0] * (2.0 * s - 1.0)) + across * (half[1] * (2.0 * t - 1.0))
            };
            vec![Patch { at: Box::new(at), round: false }]
        }
        WallShape::Sphere { centre, radius, .. } => vec![ruled(DVec3::Z, move |t| {
            let (sine, cosine) = libm::sincos(0.5 * TAU * t);
            (centre - radius * cosine * DVec3::Z, radius * sine)
        })],
    }
}

/// Circles about an axis, their centre and radius given by a parameter.
fn ruled(axis: DVec3, circle: impl Fn(f64) -> (DVec3, f64) + 'static) -> Patch {
    let (u, v) = axis.any_orthonormal_pair();
    let at = move |turn: f64, t: f64| {
        let (middle, radius) = circle(t);
        let (sine, cosine) = libm::sincos(TAU * turn);
        middle + radius * (cosine * u + sine * v)
    };
    Patch { at: Box::new(at), round: true }
}

pub fn rectangle(min: DVec3, max: DVec3, face: usize) -> Patch {
    let axis = face / 2;
    let plane = if face % 2 == 1 { max[axis] } else { min[axis] };
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let at = move |s: f64, t: f64| {
        let mut point = DVec3::ZERO;
        point[axis] = plane;
        point[a] = min[a] + (max[a] - min[a]) * s;
        point[b] = min[b] + (max[b] - min[b]) * t;
        point
    };
    Patch { at: Box::new(at), round: false }
}

/// Closest point of a patch, from several starts: first the best first parameter for the second one, then the other way
/// round, and again. Of surfaces of revolution and rectangles the first pass finds it, because neither parameter's best
/// value depends on the other's.
pub fn closest(patch: &Patch, centre: DVec3) -> DVec3 {
    const STARTS: i32 = 4;
    let at = |place: (f64, f64)| (patch.at)(place.0, place.1);
    let distance = |place| (at(place) - centre).length();
    let ends = (1..=STARTS).map(|start| {
        let mut place = (0.0, f64::from(start) / f64::from(STARTS));
        for _ in 0..3 {
            place.0 = lowest(|s| distance((s, place.1)), patch.round);
            place.1 = lowest(|t| distance((place.0, t)), false);
        }
        place
    });
    at(ends.min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or((0.0, 0.0)))
}

/// Where a function of one parameter between 0 and 1 is lowest: dense samples, then thirds around the best. A `round`
/// parameter goes on beyond its ends.
fn lowest(value: impl Fn(f64) -> f64, round: bool) -> f64 {
    const SAMPLES: i32 = 400;
    let sample = |k: i32| f64::from(k) / f64::from(SAMPLES);
    let best = (0..=SAMPLES).min_by(|&a, &b| value(sample(a)).total_cmp(&value(sample(b)))).unwrap_or(0);
    let (mut low, mut high) = (sample(best - 1), sample(best + 1));
    if !round {
        (low, high) = (low.max(0.0), high.min(1.0));
    }
    while high - low > 1e-13 {
        let third = (high - low) / 3.0;
        if value(low + third) < value(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    let ends = [low, high, 0.5 * (low + high)];
    ends.into_iter().min_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(low)
}

/// Distance to the nearest patch of a shape.
pub fn distance(shape: &WallShape, centre: DVec3) -> f64 {
    let nearest = patches(shape).into_iter().map(|patch| (closest(&patch, centre) - centre).length());
    nearest.fold(f64::INFINITY, f64::min)
}
