//! From a coefficient of restitution to the dashpot constant A.
//!
//! An impact in dimensionless form is x'' = −max(0, f(x) + A c(x) x'), x(0) = 0, x'(0) = 1. It ends when the
//! force reaches zero (no attraction), and A is the value for which −x'(end) = e. The usual formula
//! A = −√5 ln e/√(ln² e + π²) holds only if the force may attract until x = 0: it gives 0.55 for e = 0.5.

use super::NormalLaw;

/// Smallest restitution the dashpot is solved for; below it A grows without use.
pub const SMALLEST_RESTITUTION: f64 = 0.01;

/// The constant A of a law for restitution e; 0 for e = 1.
pub fn damping_constant<N: NormalLaw>(restitution: f64) -> f64 {
    if restitution >= 1.0 {
        return 0.0;
    }
    let target = restitution.max(SMALLEST_RESTITUTION);
    let (mut low, mut high) = (0.0, 1.0);
    while rebound::<N>(high) > target {
        low = high;
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if rebound::<N>(middle) > target {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Speed after a unit impact with dashpot constant `a`.
fn rebound<N: NormalLaw>(a: f64) -> f64 {
    const LARGEST_STEP: f64 = 2e-3;
    let force = |x: f64, v: f64| {
        let (elastic, dashpot) = N::approach(x.max(0.0));
        (elastic + a * dashpot * v).max(0.0)
    };
    let (mut x, mut v, mut t) = (0.0_f64, 1.0_f64, 0.0_f64);
    // The dashpot's x^{1/4} has no derivative at 0: begin with tiny, growing steps.
    let mut h = 1e-9_f64;
    loop {
        let (k1x, k1v) = (v, -force(x, v));
        let (k2x, k2v) = (v + 0.5 * h * k1v, -force(x + 0.5 * h * k1x, v + 0.5 * h * k1v));
        let (k3x, k3v) = (v + 0.5 * h * k2v, -force(x + 0.5 * h * k2x, v + 0.5 * h * k2v));
        let (k4x, k4v) = (v + h * k3v, -force(x + h * k3x, v + h * k3v));
        x += h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
        t += h;
        let parting = v < 0.0 && force(x, v) <= 0.0;
        if x <= 0.0 || parting || t > 1e4 {
            return -v;
        }
        h = (0.02 * t).clamp(1e-9, LARGEST_STEP);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Hertz, Linear};
    use super::*;

    #[test]
    fn hertz_constants_match_the_published_solution() {
        // Solved independently to five digits.
        let table = [
            (0.1, 2.77986),
            (0.2, 1.63512),
            (0.3, 1.11186),
            (0.4, 0.79271),
            (0.5, 0.57082),
            (0.6, 0.40441),
            (0.7, 0.27328),
            (0.8, 0.16626),
            (0.9, 0.07662),
            (0.95, 0.03689),
        ];
        for (e, expected) in table {
            let a = damping_constant::<Hertz>(e);
            assert!((a - expected).abs() < 2e-5, "e = {e}: A = {a}, expected {expected}");
        }
    }

    #[test]
    fn linear_constant_matches_the_closed_form() {
        // Force-free end of the damped oscillator x'' + A x' + x = 0 (Schwager & Pöschel 2007), A < 2:
        // e = exp(−A/(2ω) (π − atan(2 (A/2) ω/((A/2)² − ω²)))) with ω² = 1 − A²/4, for A/2 < √½.
        for a in [0.1_f64, 0.3, 0.6, 1.0] {
            let beta = 0.5 * a;
            let omega = (1.0 - beta * beta).sqrt();
            let angle = std::f64::consts::PI - libm::atan(2.0 * beta * omega / (omega * omega - beta * beta));
            let e = libm::exp(-beta / omega * angle);
            assert!((damping_constant::<Linear>(e) - a).abs() < 1e-4 * a, "A = {a}");
        }
    }
}
