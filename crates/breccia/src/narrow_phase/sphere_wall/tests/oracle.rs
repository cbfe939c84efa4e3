//! Brute force: a surface as patches over the unit square, searched by dense samples and a shrinking pattern.

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

/// Closest point of a patch. Where a patch runs into a tip only some turns lead down, hence the many starts.
pub fn closest(patch: &Patch, centre: DVec3) -> DVec3 {
    const GRID: i32 = 40;
    const STARTS: i32 = 10;
    let at = |place: (f64, f64)| (patch.at)(place.0, place.1);
    let distance = |place| (at(place) - centre).length();
    let nearest = |places: &mut dyn Iterator<Item = (f64, f64)>| {
        places.min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap_or((0.0, 0.0))
    };
    let mut ends = (0..=STARTS).map(|start| {
        let row = f64::from(start) / f64::from(STARTS);
        let start = nearest(&mut (0..=GRID).map(|column| (row, f64::from(column) / f64::from(GRID))));
        descend(&distance, start, 1.0 / f64::from(STARTS), patch.round)
    });
    at(nearest(&mut ends))
}

/// Steps to the lowest of eight neighbours, or halves the step.
fn descend(distance: &impl Fn((f64, f64)) -> f64, start: (f64, f64), step: f64, round: bool) -> (f64, f64) {
    let first = if round { (-1.0, 2.0) } else { (0.0, 1.0) };
    let (mut best, mut lowest, mut step) = (start, distance(start), step);
    while step > 1e-10 {
        let (from, level) = (best, lowest);
        for (i, j) in (-1..=1).flat_map(|i| (-1..=1).map(move |j| (f64::from(i), f64::from(j)))) {
            let place = ((from.0 + i * step).clamp(first.0, first.1), (from.1 + j * step).clamp(0.0, 1.0));
            if distance(place) < lowest {
                (best, lowest) = (place, distance(place));
            }
        }
        if lowest == level {
            step *= 0.5;
        }
    }
    best
}

/// Distance to the nearest patch of a shape.
pub fn distance(shape: &WallShape, centre: DVec3) -> f64 {
    let nearest = patches(shape).into_iter().map(|patch| (closest(&patch, centre) - centre).length());
    nearest.fold(f64::INFINITY, f64::min)
}
