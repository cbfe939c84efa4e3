//! Grains of a picture.

use super::contour::{Contour, contours};
use super::fit::{Fit, FitError, fit_closed};
use super::measure::FormMeasures;
use super::{Brightness, GreyPicture, Threshold};
use glam::DVec2;
use rayon::prelude::*;

/// How to look for grains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TracingOptions {
    /// Level of grey between grains and background, 0 to 255; found by Otsu's method without.
    pub level: Option<f64>,
    /// Whether grains are dark or bright; without, they are what most of the margin is not.
    pub brightness: Option<Brightness>,
    /// Largest distance of a contour from the curve fitted to it [pixels].
    pub tolerance: f64,
    /// Smaller areas are specks, not grains [pixels²].
    pub least_area: f64,
    /// Size of a pixel [m].
    pub pixel: f64,
}

/// A grain found in a picture.
#[derive(Clone, Debug)]
pub struct TracedGrain {
    /// Curve through its contour and errors of the fit [pixels]; coordinates to the right and up from the lower left
    /// corner of the picture.
    pub fit: Fit,
    /// Measures of its form [m].
    pub measures: FormMeasures,
    /// Holes in it, which are ignored.
    pub holes: u32,
    /// Control points about the centroid of the grain [m].
    pub control: Vec<DVec2>,
}

/// Something like a grain that gave no outline.
#[derive(Clone, Debug)]
pub struct Untraced {
    /// A point of its contour [pixels, from the lower left corner].
    pub place: DVec2,
    /// Its area [pixels²].
    pub area: f64,
    /// Why.
    pub reason: FitError,
}

/// What a picture holds.
#[derive(Clone, Debug)]
pub struct Tracing {
    /// Threshold used.
    pub threshold: Threshold,
    /// Whole grains, from the top of the picture down.
    pub grains: Vec<TracedGrain>,
    /// Contours [pixels] of grains cut by the margin, which are left out.
    pub cut: Vec<Contour>,
    /// Number of specks left out.
    pub specks: usize,
    /// Grains that no curve fits.
    pub untraced: Vec<Untraced>,
}

/// Finds the outlines of all grains of a picture.
pub fn trace_grains(picture: &GreyPicture, options: &TracingOptions) -> Tracing {
    let threshold = Threshold::choose(picture, options.level, options.brightness);
    let (outer, holes): (Vec<Contour>, Vec<Contour>) =
        contours(picture, &threshold).into_iter().partition(|contour| contour.area() > 0.0);
    let (large, specks): (Vec<Contour>, Vec<Contour>) =
        outer.into_iter().partition(|contour| contour.area() >= options.least_area);
    let (cut, whole): (Vec<Contour>, Vec<Contour>) = large.into_iter().partition(|contour| contour.cut);
    let holes = holes_of(&whole, &holes);
    let traced: Vec<Result<TracedGrain, Untraced>> =
        whole.par_iter().zip(holes).map(|(contour, holes)| trace(contour, holes, options)).collect();
    let mut tracing =
        Tracing { threshold, grains: Vec::new(), cut, specks: specks.len(), untraced: Vec::new() };
    for result in traced {
        match result {
            Ok(grain) => tracing.grains.push(grain),
            Err(untraced) => tracing.untraced.push(untraced),
        }
    }
    tracing
}

fn trace(contour: &Contour, holes: u32, options: &TracingOptions) -> Result<TracedGrain, Untraced> {
    let fit = fit_closed(&contour.points, options.tolerance).map_err(|reason| Untraced {
        place: contour.points[0],
        area: contour.area(),
        reason,
    })?;
    let in_pixels = FormMeasures::of(&fit.outline);
    let size = options.pixel;
    let measures = FormMeasures {
        area: in_pixels.area * size * size,
        perimeter: in_pixels.perimeter * size,
        diameter: in_pixels.diameter * size,
        inscribed_diameter: in_pixels.inscribed_diameter * size,
        enclosing_diameter: in_pixels.enclosing_diameter * size,
        ..in_pixels
    };
    let control = fit.control.iter().map(|&p| (p - fit.outline.given_centroid()) * size).collect();
    Ok(TracedGrain { fit, measures, holes, control })
}

/// Number of holes in each grain; a hole belongs to the smallest grain around it.
fn holes_of(grains: &[Contour], holes: &[Contour]) -> Vec<u32> {
    let mut counts = vec![0; grains.len()];
    let areas: Vec<f64> = grains.iter().map(Contour::area).collect();
    for hole in holes {
        let around = (0..grains.len()).filter(|&i| hole.points.first().is_some_and(|&p| grains[i].holds(p)));
        if let Some(owner) = around.min_by(|&i, &j| areas[i].total_cmp(&areas[j])) {
            counts[owner] += 1;
        }
    }
    counts
}
