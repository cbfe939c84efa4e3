//! Measures of form.

use super::circles::{largest_inscribed, smallest_enclosing};
use crate::shapes::nurbs::{NurbsOutline, equal_area_diameter};
use std::f64::consts::PI;

/// Samples of curvature along an outline.
const SAMPLES: u32 = 4000;
/// Bends by less than this angle are no corners [rad].
const LEAST_CORNER: f64 = 0.15;

/// Measures of the form of a grain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormMeasures {
    /// Area [m²].
    pub area: f64,
    /// Perimeter [m].
    pub perimeter: f64,
    /// Diameter of the disc of equal area [m].
    pub diameter: f64,
    /// Diameter of the largest circle inside [m].
    pub inscribed_diameter: f64,
    /// Diameter of the smallest circle around [m].
    pub enclosing_diameter: f64,
    /// Sphericity after Wadell, in projection: diameter of the disc of equal area over that of the smallest circle around.
    pub sphericity: f64,
    /// Circularity: 4π area over perimeter squared.
    pub circularity: f64,
    /// Roundness after Wadell: mean radius of the corners over that of the largest circle inside. Corners are the
    /// stretches bent more than that circle, by at least 0.15 rad in all; the radius of one is its length over the
    /// angle it turns. One without corners; none counts 0 at a kink.
    pub roundness: f64,
    /// Number of corners.
    pub corners: u32,
}

/// Classes of roundness after Powers (1953).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PowersClass {
    /// Roundness below 0.17.
    VeryAngular,
    /// 0.17 to 0.25.
    Angular,
    /// 0.25 to 0.35.
    SubAngular,
    /// 0.35 to 0.49.
    SubRounded,
    /// 0.49 to 0.70.
    Rounded,
    /// 0.70 and more.
    WellRounded,
}

impl PowersClass {
    /// Class of a roundness.
    pub fn of(roundness: f64) -> Self {
        match roundness {
            r if r < 0.17 => Self::VeryAngular,
            r if r < 0.25 => Self::Angular,
            r if r < 0.35 => Self::SubAngular,
            r if r < 0.49 => Self::SubRounded,
            r if r < 0.70 => Self::Rounded,
            _ => Self::WellRounded,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::VeryAngular => "very angular",
            Self::Angular => "angular",
            Self::SubAngular => "sub-angular",
            Self::SubRounded => "sub-rounded",
            Self::Rounded => "rounded",
            Self::WellRounded => "well rounded",
        }
    }
}

impl FormMeasures {
    /// Measures of an outline.
    pub fn of(outline: &NurbsOutline) -> Self {
        let inscribed = largest_inscribed(outline).radius;
        let enclosing = smallest_enclosing(&outline.polyline(8)).radius;
        let (area, perimeter) = (outline.area(), outline.perimeter());
        let radii = corner_radii(outline, inscribed);
        let mean = radii.iter().sum::<f64>() / radii.len() as f64;
        Self {
            area,
            perimeter,
            diameter: equal_area_diameter(area),
            inscribed_diameter: 2.0 * inscribed,
            enclosing_diameter: 2.0 * enclosing,
            sphericity: equal_area_diameter(area) / (2.0 * enclosing),
            circularity: 4.0 * PI * area / (perimeter * perimeter),
            roundness: if radii.is_empty() { 1.0 } else { mean / inscribed },
            corners: radii.len() as u32,
        }
    }
}

/// A stretch of an outline that is bent more than the largest circle inside.
#[derive(Clone, Copy, Default)]
struct Bend {
    length: f64,
    turn: f64,
}

/// Radii of all corners [m].
fn corner_radii(outline: &NurbsOutline, inscribed: f64) -> Vec<f64> {
    // A circle is bent just as its inscribed circle: it has no corners.
    let sharp = (1.0 + 1e-6) / inscribed;
    let sample = |i: u32| {
        let place = outline.at((f64::from(i) + 0.5) / f64::from(SAMPLES));
        (place.curvature(), place.first.length() / f64::from(SAMPLES))
    };
    let samples: Vec<(f64, f64)> = (0..SAMPLES).map(sample).collect();
    // From a place outside of all corners once round.
    let first = samples.iter().position(|&(curvature, _)| curvature <= sharp).unwrap_or(0);
    let mut bends = vec![Bend::default()];
    for i in 0..samples.len() {
        let (curvature, length) = samples[(first + i) % samples.len()];
        if curvature > sharp {
            if let Some(bend) = bends.last_mut() {
                bend.length += length;
                bend.turn += curvature * length;
            }
        } else if bends.last().is_some_and(|bend| bend.length > 0.0) {
            bends.push(Bend::default());
        }
    }
    let mut radii: Vec<f64> =
        bends.iter().filter(|bend| bend.turn >= LEAST_CORNER).map(|bend| bend.length / bend.turn).collect();
    let kink_turn = |u: f64| {
        let (before, after) = (outline.before(u).first, outline.at(u).first);
        libm::atan2(before.perp_dot(after), before.dot(after))
    };
    radii.extend(outline.kinks().filter(|&u| kink_turn(u) >= LEAST_CORNER).map(|_| 0.0));
    radii
}
