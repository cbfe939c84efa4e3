//! The normal distribution, its inverse, and numbers drawn from a cut-off one.

use crate::scene::random::RandomStream;

/// Probability that a standard normal number lies below `x`.
pub(super) fn probability_below(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The number below which a standard normal number lies with probability `p`, 0 < p < 1.
///
/// P. J. Acklam's rational approximation (relative error 1.2e-9), refined by one Halley step.
fn quantile(p: f64) -> f64 {
    let estimate = acklam(p);
    let error = probability_below(estimate) - p;
    let density = libm::exp(-0.5 * estimate * estimate) / 2.506_628_274_631_000_5;
    if density == 0.0 {
        return estimate;
    }
    let newton = error / density;
    estimate - newton / (1.0 + 0.5 * estimate * newton)
}

fn acklam(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e+01,
        2.209460984245205e+02,
        -2.759285104469687e+02,
        1.38357751867269e+02,
        -3.066479806614716e+01,
        2.506628277459239e+00,
    ];
    const B: [f64; 6] = [
        -5.447609879822406e+01,
        1.615858368580409e+02,
        -1.556989798598866e+02,
        6.680131188771972e+01,
        -1.328068155288572e+01,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-03,
        -3.223964580411365e-01,
        -2.400758277161838e+00,
        -2.549732539343734e+00,
        4.374664141464968e+00,
        2.938163982698783e+00,
    ];
    const D: [f64; 5] =
        [7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00, 1.0];
    const TAIL: f64 = 0.02425;
    let polynomial = |coefficients: &[f64], x: f64| coefficients.iter().fold(0.0, |sum, c| sum * x + c);
    let tail = |p: f64| {
        let q = libm::sqrt(-2.0 * libm::log(p));
        polynomial(&C, q) / polynomial(&D, q)
    };
    if p < TAIL {
        tail(p)
    } else if p > 1.0 - TAIL {
        -tail(1.0 - p)
    } else {
        let q = p - 0.5;
        let r = q * q;
        q * polynomial(&A, r) / polynomial(&B, r)
    }
}

/// Probability that a normal number lies between two bounds.
pub(in crate::scene) fn probability_between(mean: f64, deviation: f64, min: f64, max: f64) -> f64 {
    let (low, high, _) = tail_bounds(mean, deviation, min, max);
    probability_below(high) - probability_below(low)
}

/// Standardised bounds, mirrored to the lower tail, where probabilities keep their digits.
fn tail_bounds(mean: f64, deviation: f64, min: f64, max: f64) -> (f64, f64, f64) {
    let (low, high) = ((min - mean) / deviation, (max - mean) / deviation);
    if low > 0.0 { (-high, -low, -1.0) } else { (low, high, 1.0) }
}

/// A number of the normal distribution cut off at two bounds.
pub(super) fn truncated(stream: &mut RandomStream, mean: f64, deviation: f64, min: f64, max: f64) -> f64 {
    let (low, high, sign) = tail_bounds(mean, deviation, min, max);
    let p = stream.between(probability_below(low), probability_below(high));
    let x = if p > 0.0 && p < 1.0 { quantile(p) } else { low };
    (mean + sign * deviation * x).clamp(min, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_inverts() {
        for p in [1e-12, 1e-6, 0.001, 0.02, 0.3, 0.5, 0.77, 0.99, 1.0 - 1e-9] {
            let back = probability_below(quantile(p));
            assert!((back - p).abs() <= 1e-13 * p.max(1e-3), "{p} {back}");
        }
        assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
    }

    #[test]
    fn moments_of_a_barely_cut_distribution() {
        let mut stream = RandomStream::new(5);
        let n = 100_000;
        let draws: Vec<f64> = (0..n).map(|_| truncated(&mut stream, 3.0, 0.5, 0.5, 5.5)).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(n);
        assert!((mean - 3.0).abs() < 5.0 * 0.5 / 316.0, "{mean}");
        assert!((variance.sqrt() - 0.5).abs() < 0.006, "{variance}");
    }

    #[test]
    fn far_tails_stay_within_their_bounds_and_lean_to_the_mean() {
        let mut stream = RandomStream::new(5);
        let draws: Vec<f64> = (0..1000).map(|_| truncated(&mut stream, 0.0, 1.0, 10.0, 11.0)).collect();
        assert!(draws.iter().all(|x| (10.0..=11.0).contains(x)));
        let mean = draws.iter().sum::<f64>() / 1000.0;
        // Mean of the tail beyond 10 is 10.0981 (Mills ratio).
        assert!((mean - 10.0981).abs() < 0.02, "{mean}");
    }
}
