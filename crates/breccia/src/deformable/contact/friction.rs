//! Friction over a step: an elastic slip limited by the pressure. What it does not store it dissipates, never less than 0.

use serde::{Deserialize, Serialize};

/// Friction of a contact at the start of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Friction {
    /// Coefficient µ.
    pub coefficient: f64,
    /// Tangential stiffness κ_T [N/m].
    pub stiffness: f64,
    /// Elastic slip e [m], along the segment.
    pub slip: f64,
}

/// Friction during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grip {
    /// Tangential force against the slip, along the segment [N].
    pub force: f64,
    /// Elastic slip at the end [m].
    pub slip: f64,
    /// Energy dissipated in the step [J], ≥ 0.
    pub dissipation: f64,
    /// Whether the limit was reached.
    pub slides: bool,
}

impl Friction {
    /// Elastic energy of the slip at the start [J].
    pub fn energy(&self) -> f64 {
        0.5 * self.stiffness * self.slip * self.slip
    }

    /// Friction when the point slips by `slip` [m] under the normal force `pressure` [N].
    pub fn grip(&self, slip: f64, pressure: f64) -> Grip {
        let limit = self.coefficient * pressure;
        let trial = self.stiffness * (self.slip + slip);
        let force = trial.clamp(-limit, limit);
        let end = force / self.stiffness;
        // |t|·|plastic slip| + ½κ(e₁ − e₀)²: the same as work less stored energy, but never negative by round-off.
        let plastic = slip - (end - self.slip);
        let backwards = end - self.slip;
        let dissipation = (force * plastic).max(0.0) + 0.5 * self.stiffness * backwards * backwards;
        Grip { force, slip: end, dissipation, slides: trial.abs() > limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn dissipation_is_work_less_stored_energy_and_not_negative(
            start in -1e-3..1e-3_f64, slip in -1e-2..1e-2_f64, pressure in 0.0..10.0_f64
        ) {
            let friction = Friction { coefficient: 0.3, stiffness: 1e4, slip: start };
            let grip = friction.grip(slip, pressure);
            let stored = 0.5e4 * (grip.slip * grip.slip - start * start);
            let work = grip.force * slip;
            prop_assert!((grip.dissipation - (work - stored)).abs() <= 1e-12);
            prop_assert!(grip.dissipation >= 0.0);
            prop_assert!(grip.force.abs() <= 0.3 * pressure);
        }
    }

    #[test]
    fn without_pressure_nothing_holds() {
        let grip = Friction { coefficient: 0.3, stiffness: 1e4, slip: 0.0 }.grip(1e-3, 0.0);
        assert_eq!((grip.force, grip.slip), (0.0, 0.0));
    }
}
