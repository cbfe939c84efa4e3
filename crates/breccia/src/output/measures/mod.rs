//! Measures of the bodies of one instant that a scene asks for: heap profiles and distributions of speed.
//!
//! They look at a [`SphereFrame`], not at a run, so that any method with spheres has them.

mod histogram;
mod profile;

pub use histogram::{SpeedHistogram, speed_histogram};
pub use profile::{Flank, HeapProfile, heap_profile};

use super::{Column, Plot, SphereFrame};
use crate::scene::{HistogramPlan, ProfilePlan};
use glam::DVec3;

/// Bodies at one instant.
#[derive(Clone, Copy, Debug)]
pub struct Sighting<'a> {
    /// The instant [s].
    pub time: f64,
    /// Unit vector that points up.
    pub up: DVec3,
    /// The bodies.
    pub spheres: &'a SphereFrame,
}

impl Sighting<'_> {
    /// Rows of the bodies of a group, or of all.
    fn rows(&self, group: Option<u16>) -> impl Iterator<Item = usize> + '_ {
        let wanted = move |row: &usize| group.is_none_or(|group| self.spheres.groups[*row] == group);
        (0..self.spheres.positions.len()).filter(wanted)
    }
}

/// Columns of the table of a profile.
pub fn profile_columns() -> Vec<Column> {
    [("time", "s"), ("place", "m"), ("height", "m"), ("angle", "deg")]
        .map(|(name, unit)| Column::new(name, unit))
        .into()
}

/// Rows of the table of a profile; the angle is that of the whole profile, NaN where no flank could be fitted.
pub fn profile_rows(time: f64, profile: &HeapProfile) -> Vec<Vec<f64>> {
    let angle = profile.angle().map_or(f64::NAN, f64::to_degrees);
    let rows = profile.places.iter().zip(&profile.heights);
    rows.map(|(&place, &height)| vec![time, place, height, angle]).collect()
}

/// The profile with its fitted flanks.
pub fn profile_plot(plan: &ProfilePlan, title: &str, profile: &HeapProfile) -> Plot {
    let (x, y) = plan.labels();
    let mut plot = Plot::new(title, x, y).line("upper edge", &profile.places, &profile.heights);
    for flank in &profile.flanks {
        let ends = [flank.from, flank.to];
        let name = format!("fit: {:.1}°", flank.angle().to_degrees());
        plot = plot.dashed(name, &ends, &ends.map(|place| flank.height_at(place)));
    }
    plot
}

/// Columns of the table of a histogram.
pub fn histogram_columns() -> Vec<Column> {
    [("time", "s"), ("from", "m/s"), ("to", "m/s"), ("count", ""), ("share", ""), ("density", "s/m")]
        .map(|(name, unit)| Column::new(name, unit))
        .into()
}

/// Rows of the table of a histogram.
pub fn histogram_rows(time: f64, histogram: &SpeedHistogram) -> Vec<Vec<f64>> {
    let row = |bin: usize| {
        let (from, to) = histogram.bin(bin);
        let count = histogram.counts[bin] as f64;
        vec![time, from, to, count, histogram.share(bin), histogram.share(bin) / histogram.width]
    };
    (0..histogram.counts.len()).map(row).collect()
}

/// Distributions of speed at several instants [s], and Maxwell's for the mean square speed of the last.
pub fn histogram_plot(plan: &HistogramPlan, title: &str, histograms: &[(f64, SpeedHistogram)]) -> Plot {
    let what = if plan.group.is_some() { "speed of the group [m/s]" } else { "speed [m/s]" };
    let mut plot = Plot::new(title, what, "density [s/m]");
    for (time, histogram) in histograms {
        let middle: Vec<f64> = (0..histogram.counts.len())
            .map(|bin| 0.5 * (histogram.bin(bin).0 + histogram.bin(bin).1))
            .collect();
        let density: Vec<f64> =
            (0..histogram.counts.len()).map(|bin| histogram.share(bin) / histogram.width).collect();
        plot = plot.line(format!("t = {time:.4} s"), &middle, &density);
    }
    if let Some((_, last)) = histograms.last().filter(|(_, last)| last.mean_square > 0.0) {
        let end = last.bin(last.counts.len() - 1).1;
        let speeds: Vec<f64> = (0..=200).map(|k| end * f64::from(k) / 200.0).collect();
        let density: Vec<f64> = speeds.iter().map(|&speed| last.maxwell(speed)).collect();
        plot = plot.dashed("Maxwell", &speeds, &density);
    }
    plot
}
