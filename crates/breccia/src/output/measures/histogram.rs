//! How many bodies have which speed.

use super::Sighting;
use crate::scene::HistogramPlan;
use std::f64::consts::PI;

/// Speeds counted in bins of equal width from zero on.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedHistogram {
    /// Width of a bin [m/s].
    pub width: f64,
    /// Bodies in each bin; the fastest count in the last.
    pub counts: Vec<u64>,
    /// Bodies in all.
    pub total: u64,
    /// Mean of the squared speed [m²/s²].
    pub mean_square: f64,
}

impl SpeedHistogram {
    /// Lower and upper end of a bin [m/s].
    pub fn bin(&self, number: usize) -> (f64, f64) {
        (self.width * number as f64, self.width * (number + 1) as f64)
    }

    /// Part of all bodies that is in a bin [–].
    pub fn share(&self, number: usize) -> f64 {
        self.counts[number] as f64 / self.total.max(1) as f64
    }

    /// Density of Maxwell's distribution with the same mean square speed, √(2/π) v²/s³ exp(−v²/2s²), s² = ⟨v²⟩/3 [s/m].
    pub fn maxwell(&self, speed: f64) -> f64 {
        let variance = self.mean_square / 3.0;
        let squared = speed * speed;
        (2.0 / PI).sqrt() * squared / (variance * variance.sqrt()) * libm::exp(-0.5 * squared / variance)
    }
}

/// Counts speeds. Without `max` in the plan the bins reach to the fastest body.
pub fn speed_histogram(plan: &HistogramPlan, seen: &Sighting) -> SpeedHistogram {
    let speeds: Vec<f64> = seen.rows(plan.group).map(|row| seen.spheres.velocities[row].length()).collect();
    let fastest = speeds.iter().copied().fold(0.0, f64::max);
    let end = plan.max.unwrap_or(if fastest > 0.0 { fastest } else { 1.0 });
    let width = end / plan.bins as f64;
    let mut counts = vec![0; plan.bins];
    for &speed in &speeds {
        counts[((speed / width) as usize).min(plan.bins - 1)] += 1;
    }
    let total = speeds.len() as u64;
    let mean_square = speeds.iter().map(|speed| speed * speed).sum::<f64>() / total.max(1) as f64;
    SpeedHistogram { width, counts, total, mean_square }
}
