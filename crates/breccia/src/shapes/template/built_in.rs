//! Shapes that need no file.

use super::{Template, packing};
use glam::DVec3;
use std::f64::consts::{PI, SQRT_2, TAU};

/// Deepest overlap of rim spheres of a tablet, as a part of their diameter.
const RIM_OVERLAP: f64 = 0.02;

impl Template {
    /// n × n × n touching spheres on a cubic lattice.
    pub fn cube(n: u32, radius: f64) -> Self {
        let at = |k: u32| 2.0 * radius * f64::from(k);
        let cells = (0..n).flat_map(|x| (0..n).flat_map(move |y| (0..n).map(move |z| (x, y, z))));
        Self::new(cells.map(|(x, y, z)| (DVec3::new(at(x), at(y), at(z)), radius)).collect())
    }

    /// Six spheres, each of which touches four others.
    pub fn octahedron(radius: f64) -> Self {
        let arm = SQRT_2 * radius;
        let corners = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis * arm, axis * -arm]);
        Self::new(corners.map(|corner| (corner, radius)).collect())
    }

    /// n touching spheres in a row along x.
    pub fn rod(n: u32, radius: f64) -> Self {
        let at = |k: u32| DVec3::new(2.0 * radius * f64::from(k), 0.0, 0.0);
        Self::new((0..n).map(|k| (at(k), radius)).collect())
    }

    /// n equal spheres packed densely into a ball; neighbours overlap by 2 % of their diameter at most.
    ///
    /// `random` gives numbers equally likely in [0, 1): the same numbers give the same packing.
    pub fn packing(n: u32, radius: f64, random: &mut dyn FnMut() -> f64) -> Self {
        let centres = packing::densest(n as usize, random);
        Self::new(centres.into_iter().map(|centre| (centre * radius, radius)).collect())
    }

    /// A disc across z: a sphere, `rings` rings of equal ones around it, and a rim of smaller ones.
    pub fn tablet(radius: f64, rings: u32, rim_radius: f64) -> Self {
        let on_circle = |circle: f64, place: u32, count: u32| {
            let (sine, cosine) = libm::sincos(TAU * f64::from(place) / f64::from(count));
            DVec3::new(circle * cosine, circle * sine, 0.0)
        };
        let mut spheres = vec![(DVec3::ZERO, radius)];
        for ring in 1..=rings {
            let (circle, count) = (2.0 * radius * f64::from(ring), 6 * ring);
            spheres.extend((0..count).map(|place| (on_circle(circle, place, count), radius)));
        }
        let circle = radius * f64::from(2 * rings + 1) + rim_radius;
        let count = rim_count(circle, rim_radius);
        spheres.extend((0..count).map(|place| (on_circle(circle, place, count), rim_radius)));
        Self::new(spheres)
    }
}

/// Spheres of a radius that fit on a circle side by side, with a slight overlap where that closes the gap.
fn rim_count(circle: f64, radius: f64) -> u32 {
    let fitting = |part: f64| (PI / libm::asin((part * radius / circle).min(1.0))).floor() as u32;
    fitting(1.0 - RIM_OVERLAP).max(1)
}
