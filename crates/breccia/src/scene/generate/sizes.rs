//! Radii drawn from a size distribution.

use super::normal_deviate;
use crate::scene::random::RandomStream;
use crate::scene::{SieveStep, SizeDistribution};

impl SizeDistribution {
    /// Smallest radius it can give [m].
    pub fn smallest_radius(&self) -> f64 {
        match self {
            Self::Single(radius) => *radius,
            Self::Uniform { min, .. } | Self::TruncatedNormal { min, .. } => *min,
            Self::Sieve(steps) => steps.first().map_or(0.0, |step| 0.5 * step.diameter),
        }
    }

    /// Largest radius it can give [m].
    pub fn largest_radius(&self) -> f64 {
        match self {
            Self::Single(radius) => *radius,
            Self::Uniform { max, .. } | Self::TruncatedNormal { max, .. } => *max,
            Self::Sieve(steps) => steps.last().map_or(0.0, |step| 0.5 * step.diameter),
        }
    }

    /// A radius [m].
    pub fn sample(&self, stream: &mut RandomStream) -> f64 {
        match self {
            Self::Single(radius) => *radius,
            Self::Uniform { min, max } => stream.between(*min, *max),
            Self::TruncatedNormal { mean, deviation, min, max } => {
                normal_deviate::truncated(stream, *mean, *deviation, *min, *max)
            }
            Self::Sieve(steps) => 0.5 * sieve_diameter(steps, stream),
        }
    }
}

/// Diameter drawn by number from a curve by mass.
///
/// Between two sieves the mass is even in ln d, so the number density in ln d goes with d⁻³; both the share of
/// a class and the place within it follow in closed form.
fn sieve_diameter(steps: &[SieveStep], stream: &mut RandomStream) -> f64 {
    let share = |class: &[SieveStep]| {
        let (fine, coarse) = (inverse_cube(class[0].diameter), inverse_cube(class[1].diameter));
        let mass = class[1].passing - class[0].passing;
        mass * (fine - coarse) / libm::log(class[1].diameter / class[0].diameter)
    };
    let total: f64 = steps.windows(2).map(share).sum();
    let mut left = stream.unit() * total;
    let place = stream.unit();
    let mut chosen = None;
    for class in steps.windows(2).filter(|class| class[1].passing > class[0].passing) {
        chosen = Some(class);
        left -= share(class);
        if left < 0.0 {
            break;
        }
    }
    let Some([lower, upper]) = chosen else { return steps.first().map_or(0.0, |step| step.diameter) };
    let (fine, coarse) = (inverse_cube(lower.diameter), inverse_cube(upper.diameter));
    let diameter = 1.0 / libm::cbrt(fine + (coarse - fine) * place);
    diameter.clamp(lower.diameter, upper.diameter)
}

fn inverse_cube(x: f64) -> f64 {
    1.0 / (x * x * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve() -> Vec<SieveStep> {
        [(0.002, 0.0), (0.003, 0.15), (0.004, 0.5), (0.0056, 0.5), (0.008, 1.0)]
            .map(|(diameter, passing)| SieveStep { diameter, passing })
            .to_vec()
    }

    #[test]
    fn sieved_numbers_reproduce_the_curve_by_mass() {
        let steps = curve();
        let sizes = SizeDistribution::Sieve(steps.clone());
        let mut stream = RandomStream::new(11);
        let diameters: Vec<f64> = (0..20_000).map(|_| 2.0 * sizes.sample(&mut stream)).collect();
        let mass_below =
            |limit: f64| -> f64 { diameters.iter().filter(|&&d| d <= limit).map(|d| d * d * d).sum::<f64>() };
        let total = mass_below(1.0);
        for step in &steps {
            let passing = mass_below(step.diameter) / total;
            assert!((passing - step.passing).abs() < 0.02, "{step:?}: {passing}");
        }
        // Log-linear between sieves: half of a class's mass lies below the geometric mean of its bounds.
        let passing = mass_below((0.0056_f64 * 0.008).sqrt()) / total;
        assert!((passing - 0.75).abs() < 0.02, "{passing}");
        let in_gap = diameters.iter().filter(|&&d| d > 0.004 + 1e-12 && d < 0.0056 - 1e-12).count();
        assert_eq!(in_gap, 0, "a class without mass has no spheres");
    }

    #[test]
    fn radii_stay_within_bounds() {
        let mut stream = RandomStream::new(2);
        for sizes in [
            SizeDistribution::Single(0.3),
            SizeDistribution::Uniform { min: 0.1, max: 0.4 },
            SizeDistribution::TruncatedNormal { mean: 0.2, deviation: 0.1, min: 0.15, max: 0.3 },
            SizeDistribution::Sieve(curve()),
        ] {
            for _ in 0..2000 {
                let radius = sizes.sample(&mut stream);
                assert!(
                    (sizes.smallest_radius()..=sizes.largest_radius()).contains(&radius),
                    "{sizes:?} {radius}"
                );
            }
        }
    }
}
