//! Contact pressure from the dynamic gap: what a penalty stores, it gives back.
//!
//! U(g) = ½κ min(g, 0)². Over a step from g₀ to g₁ the force p with p·(g₁ − g₀) = −ΔU, written without a quotient that
//! can become 0/0.

use serde::{Deserialize, Serialize};

/// Which gap gives the pressure of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PressureRule {
    /// Difference quotient of the energy: conserves it.
    #[default]
    Conserving,
    /// Pressure at the mean gap, as a contrast: does not conserve where contact begins or ends.
    MeanGap,
    /// Pressure at the end of the step, as a contrast: loses energy.
    EndGap,
}

/// Pressure and its slope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pressure {
    /// Force p along the normal, ≥ 0 [N].
    pub force: f64,
    /// ∂p/∂g₁ ≤ 0 [N/m].
    pub slope: f64,
}

/// Energy stored at a gap [J]; stiffness κ in N/m.
pub fn contact_energy(gap: f64, stiffness: f64) -> f64 {
    let depth = gap.min(0.0);
    0.5 * stiffness * depth * depth
}

impl PressureRule {
    /// Pressure of a step from gap `start` to gap `end` [m]; stiffness κ in N/m.
    pub fn pressure(self, start: f64, end: f64, stiffness: f64) -> Pressure {
        match self {
            Self::Conserving => conserving(start, end, 0.5 * stiffness),
            Self::MeanGap => penalty(0.5 * (start + end), 0.5, stiffness),
            Self::EndGap => penalty(end, 1.0, stiffness),
        }
    }
}

fn conserving(start: f64, end: f64, half: f64) -> Pressure {
    match (start <= 0.0, end <= 0.0) {
        (true, true) => Pressure { force: -half * (start + end), slope: -half },
        (false, true) => {
            let share = end / (end - start);
            Pressure { force: -half * end * share, slope: -half * share * (2.0 - share) }
        }
        (true, false) => {
            let share = start / (start - end);
            Pressure { force: -half * start * share, slope: -half * share * share }
        }
        (false, false) => Pressure::default(),
    }
}

fn penalty(gap: f64, end_share: f64, stiffness: f64) -> Pressure {
    if gap < 0.0 {
        Pressure { force: -stiffness * gap, slope: -stiffness * end_share }
    } else {
        Pressure::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KAPPA: f64 = 1e4;

    proptest! {
        #[test]
        fn the_slope_is_the_derivative(start in -0.01..0.01_f64, end in -0.01..0.01_f64) {
            prop_assume!(start.abs() > 1e-4 && end.abs() > 1e-4);
            let step = 1e-8;
            for rule in [PressureRule::Conserving, PressureRule::EndGap] {
                let at = |gap: f64| rule.pressure(start, gap, KAPPA).force;
                let slope = (at(end + step) - at(end - step)) / (2.0 * step);
                let error = (slope - rule.pressure(start, end, KAPPA).slope).abs();
                prop_assert!(error <= 1e-8 * KAPPA, "{rule:?} {error:e}");
            }
        }

        #[test]
        fn the_work_is_the_change_of_energy(start in -1.0..1.0_f64, end in -1.0..1.0_f64) {
            let pressure = PressureRule::Conserving.pressure(start, end, KAPPA);
            let (before, after) = (contact_energy(start, KAPPA), contact_energy(end, KAPPA));
            let missing = pressure.force * (end - start) + after - before;
            prop_assert!(missing.abs() <= 1e-14 * before.max(after), "{missing:e}");
            prop_assert!(pressure.force >= 0.0 && pressure.slope <= 0.0);
        }

        #[test]
        fn a_gap_at_rest_has_the_plain_penalty(gap in -1.0..0.0_f64) {
            let force = PressureRule::Conserving.pressure(gap, gap, KAPPA).force;
            prop_assert!((force + KAPPA * gap).abs() <= 1e-15 * KAPPA);
        }
    }

    #[test]
    fn tiny_gaps_give_numbers() {
        let gaps = [-1e-300, -f64::MIN_POSITIVE, -0.0, 0.0, 1e-300];
        for start in gaps {
            for end in gaps {
                let Pressure { force, slope } = PressureRule::Conserving.pressure(start, end, KAPPA);
                assert!(force.is_finite() && slope.is_finite() && force >= 0.0, "{start:e} {end:e}");
            }
        }
    }
}
