//! Filling a closed surface with equal spheres.

use glam::DVec3;
use std::f64::consts::SQRT_2;

/// Most lattice points looked at.
const MOST_POINTS: f64 = 2e6;

/// A sphere that touches the surface within rounding counts as inside.
const ROUNDING: f64 = 1e-9;

/// How the spheres of a filling are arranged; neighbours touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillLattice {
    /// One sphere per cell: six neighbours.
    Cubic,
    /// Close packing, four spheres per cell: twelve neighbours.
    Fcc,
}

/// The lattice would have more points than are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooManyPoints(pub f64);

/// Equal spheres on a lattice in a box [m] that `holds(centre, radius)` keeps.
///
/// The lattice is tried with points, edges, faces and cells in the middle of the box; the fullest counts.
pub fn fill_lattice(
    (low, high): (DVec3, DVec3),
    radius: f64,
    lattice: FillLattice,
    holds: &dyn Fn(DVec3, f64) -> bool,
) -> Result<Vec<(DVec3, f64)>, TooManyPoints> {
    let (cell, basis): (f64, &[DVec3]) = match lattice {
        FillLattice::Cubic => (2.0 * radius, &[DVec3::ZERO]),
        FillLattice::Fcc => (2.0 * SQRT_2 * radius, &FCC),
    };
    let reach = ((high - low) * (0.5 / cell)).ceil() + 1.0;
    let points = (reach * 2.0 + 1.0).element_product() * basis.len() as f64;
    if points.is_nan() || points > MOST_POINTS {
        return Err(TooManyPoints(points));
    }
    let middle = (low + high) * 0.5;
    let mut best = Vec::new();
    for shift in 0..8_u32 {
        let shift = DVec3::from_array([0, 1, 2].map(|axis| 0.5 * f64::from(shift >> axis & 1)));
        let kept = kept_points(middle, shift, cell, basis, reach, |centre| {
            let inside = centre.cmpge(low).all() && centre.cmple(high).all();
            inside && holds(centre, radius * (1.0 - ROUNDING))
        });
        if kept.len() > best.len() {
            best = kept;
        }
    }
    Ok(best.into_iter().map(|centre| (centre, radius)).collect())
}

/// Points of a face-centred cubic cell.
const FCC: [DVec3; 4] =
    [DVec3::ZERO, DVec3::new(0.0, 0.5, 0.5), DVec3::new(0.5, 0.0, 0.5), DVec3::new(0.5, 0.5, 0.0)];

fn kept_points(
    middle: DVec3,
    shift: DVec3,
    cell: f64,
    basis: &[DVec3],
    reach: DVec3,
    keeps: impl Fn(DVec3) -> bool,
) -> Vec<DVec3> {
    let [x, y, z] = reach.to_array().map(|cells| cells as i32);
    let mut kept = Vec::new();
    for i in -x..=x {
        for j in -y..=y {
            for k in -z..=z {
                let corner = DVec3::new(f64::from(i), f64::from(j), f64::from(k)) + shift;
                let centres = basis.iter().map(|&point| middle + (corner + point) * cell);
                kept.extend(centres.filter(|&centre| keeps(centre)));
            }
        }
    }
    kept
}
