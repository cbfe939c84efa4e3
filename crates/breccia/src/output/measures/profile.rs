//! The upper edge of a heap and the angle of its flanks.
//!
//! Around an upright axis the height at a distance is the mean, over directions, of the highest point of any sphere there;
//! along a horizontal axis it is the highest point of all, the silhouette. Where no sphere is, the height is zero. A flank is
//! a straight line through the points between 15 and 85 % of the largest height, from the top down.

use super::Sighting;
use crate::scene::{ProfileAxis, ProfilePlan};
use glam::DVec3;
use std::f64::consts::TAU;

/// Directions around an upright axis.
const SECTORS: usize = 180;
/// Part of the height between which flanks are fitted.
const FITTED: (f64, f64) = (0.15, 0.85);
/// Fewest points of a flank.
const FEWEST: usize = 3;

/// A profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeapProfile {
    /// Places along the axis, or distances from it [m].
    pub places: Vec<f64>,
    /// Heights of the upper edge above the foot [m].
    pub heights: Vec<f64>,
    /// Flanks that could be fitted: one around an axis, up to two along one.
    pub flanks: Vec<Flank>,
}

/// A straight line fitted to a flank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flank {
    /// First place of the fit [m].
    pub from: f64,
    /// Last place of the fit [m].
    pub to: f64,
    /// Height at place zero [m].
    pub intercept: f64,
    /// Height per length along the axis [–].
    pub slope: f64,
}

impl Flank {
    /// Angle of the flank with the horizontal [rad].
    pub fn angle(&self) -> f64 {
        libm::atan(self.slope.abs())
    }

    /// Height of the line at a place [m].
    pub fn height_at(&self, place: f64) -> f64 {
        self.intercept + self.slope * place
    }
}

impl HeapProfile {
    /// Angle of repose [rad]: mean of the flanks; none where no flank could be fitted.
    pub fn angle(&self) -> Option<f64> {
        let sum: f64 = self.flanks.iter().map(Flank::angle).sum();
        (!self.flanks.is_empty()).then(|| sum / self.flanks.len() as f64)
    }
}

/// Measures the heap that bodies make.
pub fn heap_profile(plan: &ProfilePlan, seen: &Sighting) -> HeapProfile {
    let rows: Vec<usize> = seen.rows(plan.group).collect();
    if rows.is_empty() {
        return HeapProfile::default();
    }
    let frame = Frame::new(plan, seen, &rows);
    let tops: Vec<Top> = rows.iter().map(|&row| frame.top(seen, row)).collect();
    let farthest = tops.iter().map(|top| top.distance(plan.along) + top.radius).fold(0.0, f64::max);
    let reach = plan.reach.unwrap_or(farthest);
    let bins = plan.bins;
    let (places, heights) = match plan.along {
        ProfileAxis::Radius => {
            let places: Vec<f64> = (0..bins).map(|k| reach * (k as f64 + 0.5) / bins as f64).collect();
            let heights = around(&tops, &places);
            (places, heights)
        }
        ProfileAxis::Axis(_) => {
            let places: Vec<f64> =
                (0..bins).map(|k| reach * ((2 * k + 1) as f64 / bins as f64 - 1.0)).collect();
            let heights = along(&tops, &places);
            (places, heights)
        }
    };
    let flanks = flanks(&places, &heights);
    HeapProfile { places, heights, flanks }
}

/// Directions in which a profile is measured.
struct Frame {
    centre: DVec3,
    up: DVec3,
    /// Two horizontal directions; the first is that of the axis, where there is one.
    first: DVec3,
    second: DVec3,
}

impl Frame {
    fn new(plan: &ProfilePlan, seen: &Sighting, rows: &[usize]) -> Self {
        let up = seen.up;
        let wanted = match plan.along {
            ProfileAxis::Radius => DVec3::ZERO,
            ProfileAxis::Axis(axis) => DVec3::AXES[axis],
        };
        let flat = wanted - up * wanted.dot(up);
        let first = flat.try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
        let spheres = seen.spheres;
        let below_centre = || {
            let cube = |row: usize| spheres.radii[row] * spheres.radii[row] * spheres.radii[row];
            let weight: f64 = rows.iter().map(|&row| cube(row)).sum();
            let middle = rows.iter().map(|&row| spheres.positions[row] * cube(row)).sum::<DVec3>() / weight;
            let lowest = rows.iter().map(|&row| spheres.positions[row].dot(up) - spheres.radii[row]);
            middle + up * (lowest.fold(f64::INFINITY, f64::min) - middle.dot(up))
        };
        let centre = plan.centre.unwrap_or_else(below_centre);
        Self { centre, up, first, second: up.cross(first) }
    }

    fn top(&self, seen: &Sighting, row: usize) -> Top {
        let arm = seen.spheres.positions[row] - self.centre;
        Top {
            x: arm.dot(self.first),
            y: arm.dot(self.second),
            height: arm.dot(self.up),
            radius: seen.spheres.radii[row],
        }
    }
}

/// A sphere as seen from above.
struct Top {
    x: f64,
    y: f64,
    height: f64,
    radius: f64,
}

impl Top {
    fn distance(&self, along: ProfileAxis) -> f64 {
        match along {
            ProfileAxis::Radius => libm::hypot(self.x, self.y),
            ProfileAxis::Axis(_) => self.x.abs(),
        }
    }

    /// Height of its surface at a squared horizontal distance from its centre [m].
    fn edge(&self, squared: f64) -> Option<f64> {
        let rest = self.radius * self.radius - squared;
        (rest > 0.0).then(|| self.height + rest.sqrt())
    }
}

/// Mean upper edge on circles about the axis.
fn around(tops: &[Top], radii: &[f64]) -> Vec<f64> {
    let mut highest = vec![[0.0_f64; SECTORS]; radii.len()];
    for top in tops {
        let distance = libm::hypot(top.x, top.y);
        let direction = libm::atan2(top.y, top.x);
        for (circle, &radius) in highest.iter_mut().zip(radii) {
            if (radius - distance).abs() >= top.radius {
                continue;
            }
            for sector in sectors_within(radius, distance, direction, top.radius) {
                let angle = TAU * sector as f64 / SECTORS as f64 - direction;
                let squared =
                    radius * radius + distance * distance - 2.0 * radius * distance * libm::cos(angle);
                if let Some(edge) = top.edge(squared) {
                    let cell = &mut circle[sector.rem_euclid(SECTORS as i64) as usize];
                    *cell = cell.max(edge);
                }
            }
        }
    }
    highest.iter().map(|circle| circle.iter().sum::<f64>() / SECTORS as f64).collect()
}

/// Directions in which a circle of `radius` passes below a disc of `reach` at a distance from the axis.
fn sectors_within(radius: f64, distance: f64, direction: f64, reach: f64) -> std::ops::RangeInclusive<i64> {
    let cosine = (radius * radius + distance * distance - reach * reach) / (2.0 * radius * distance);
    let half = if cosine > -1.0 { libm::acos(cosine.min(1.0)) } else { 0.5 * TAU };
    let number = |angle: f64| angle / TAU * SECTORS as f64;
    let first = number(direction - half).ceil() as i64;
    let last = (number(direction + half).floor() as i64).min(first + SECTORS as i64 - 1);
    first..=last
}

/// Silhouette along an axis.
fn along(tops: &[Top], places: &[f64]) -> Vec<f64> {
    let mut highest = vec![0.0_f64; places.len()];
    for top in tops {
        for (height, &place) in highest.iter_mut().zip(places) {
            if let Some(edge) = top.edge((place - top.x) * (place - top.x)) {
                *height = height.max(edge);
            }
        }
    }
    highest
}

fn flanks(places: &[f64], heights: &[f64]) -> Vec<Flank> {
    let top = (0..heights.len()).fold(0, |best, k| if heights[k] > heights[best] { k } else { best });
    let largest = heights[top];
    let outwards: Vec<usize> = (top..heights.len()).collect();
    let inwards: Vec<usize> = (0..=top).rev().collect();
    let sides = [inwards, outwards];
    sides.iter().filter_map(|side| fit(side, places, heights, largest)).collect()
}

/// The line through the points of one side, from the top down to where it first falls below the fitted part.
fn fit(side: &[usize], places: &[f64], heights: &[f64], largest: f64) -> Option<Flank> {
    let (low, high) = (FITTED.0 * largest, FITTED.1 * largest);
    let flank: Vec<usize> =
        side.iter().copied().take_while(|&k| heights[k] >= low).filter(|&k| heights[k] <= high).collect();
    if flank.len() < FEWEST {
        return None;
    }
    let count = flank.len() as f64;
    let mean = |values: &[f64]| flank.iter().map(|&k| values[k]).sum::<f64>() / count;
    let (x, y) = (mean(places), mean(heights));
    let (mut square, mut product) = (0.0, 0.0);
    for &k in &flank {
        square += (places[k] - x) * (places[k] - x);
        product += (places[k] - x) * (heights[k] - y);
    }
    let slope = product / square;
    let (first, last) = (flank[0], flank[flank.len() - 1]);
    let (from, to) = (places[first.min(last)], places[first.max(last)]);
    Some(Flank { from, to, intercept: y - slope * x, slope })
}
