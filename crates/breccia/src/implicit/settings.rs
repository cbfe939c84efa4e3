//! Choices of the implicit method. Lengths are given in mean diameters d, as in the method's own rules.

use super::error::GrainError;
use crate::narrow_phase::grains::KnotSettings;
use serde::{Deserialize, Serialize};

/// What a contact's stiffness refers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StiffnessMeaning {
    /// Every contact point has it.
    #[default]
    PerKnot,
    /// A stretch of 0.1 d of boundary has it: points count by the length they stand for.
    PerLength,
}

/// Stiffness of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stiffness {
    /// Rigid.
    Rigid,
    /// Springs.
    Elastic {
        /// kN [N/m per depth].
        normal: f64,
        /// kT/kN [-].
        tangential_ratio: f64,
        /// What they refer to.
        meaning: StiffnessMeaning,
    },
}

/// Choices of dynamic steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DynamicStep {
    /// θ, from ½ (no numerical dissipation) to 1 [-].
    pub theta: f64,
    /// Most iterations that take the dilation out of sliding (de Saxcé); 0 for none.
    pub saxce_iterations: u32,
    /// Change of the dilation below which that iteration ends, in mean diameters [-].
    pub saxce_tolerance: f64,
}

/// Choices of quasi-static steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StaticStep {
    /// η: resistance to motion per reference stress [-].
    pub resistance: f64,
    /// The same for pressed walls [-].
    pub wall_resistance: f64,
    /// Reach of the search, in mean diameters [-].
    pub reach: f64,
    /// Largest reach before an unstable step is stiffened, in mean diameters [-].
    pub most_reach: f64,
    /// Reference stress; the largest pressure of a wall, else mean weight/d, if none is given [N/m].
    pub reference_stress: Option<f64>,
    /// See [`DynamicStep::saxce_iterations`]: must be 0, the iteration does not converge without inertia.
    pub saxce_iterations: u32,
}

/// Which step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum StepKind {
    /// With inertia.
    Dynamic(DynamicStep),
    /// Without; velocities of walls times the time step are increments.
    QuasiStatic(StaticStep),
}

impl Default for DynamicStep {
    fn default() -> Self {
        Self { theta: 0.7, saxce_iterations: 0, saxce_tolerance: 1e-4 }
    }
}

impl Default for StaticStep {
    fn default() -> Self {
        Self {
            resistance: 1e-3,
            wall_resistance: 1e-2,
            reach: 0.1,
            most_reach: 0.25,
            reference_stress: None,
            saxce_iterations: 0,
        }
    }
}

/// Choices of a run of grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrainSettings {
    /// Dynamic or quasi-static.
    pub kind: StepKind,
    /// Δt [s]; in quasi-static steps what velocities of walls are multiplied with.
    pub time_step: f64,
    /// Stiffness of contacts.
    pub stiffness: Stiffness,
    /// Choices of the narrow phase.
    pub knots: KnotSettings,
    /// Tolerance of the solver [-].
    pub tolerance: f64,
    /// Reference force of the solver; told by pressures, weights, loads and speeds if none is given [N/m].
    pub reference_force: Option<f64>,
    /// Largest penetration that one step removes, in mean diameters; 0.02 in statics, else 0.1 √(g d) Δt, if none
    /// is given. Rigid contacts only [-].
    pub recovery: Option<f64>,
}

impl GrainSettings {
    /// Defaults for a kind of step, rigid.
    pub fn new(kind: StepKind, time_step: f64) -> Self {
        Self {
            kind,
            time_step,
            stiffness: Stiffness::Rigid,
            knots: KnotSettings::default(),
            tolerance: 1e-8,
            reference_force: None,
            recovery: None,
        }
    }

    /// Elastic contacts of stiffness kN [N/m per depth] at every contact point, kT = 2kN/3.
    pub fn with_stiffness(mut self, normal: f64) -> Self {
        self.stiffness =
            Stiffness::Elastic { normal, tangential_ratio: 2.0 / 3.0, meaning: StiffnessMeaning::PerKnot };
        self
    }

    /// Refuses choices outside the method.
    pub fn check(&self) -> Result<(), GrainError> {
        let refuse = |message: &str| Err(GrainError::Refused { message: message.into() });
        if !(self.time_step > 0.0 && self.time_step.is_finite()) {
            return refuse("the time step must be positive");
        }
        if let Stiffness::Elastic { normal, tangential_ratio, .. } = self.stiffness
            && !(normal > 0.0 && tangential_ratio > 0.0 && normal.is_finite() && tangential_ratio.is_finite())
        {
            return refuse("stiffnesses must be positive; take rigid contacts for infinite ones");
        }
        if !(self.tolerance > 0.0 && self.tolerance < 1e-3) {
            return refuse("the tolerance of the solver must be positive and below 1e-3");
        }
        match &self.kind {
            StepKind::Dynamic(it) if !(0.5..=1.0).contains(&it.theta) => {
                refuse("theta must be between 0.5 and 1: below, steps gain energy")
            }
            StepKind::QuasiStatic(it) if it.saxce_iterations > 0 => refuse(
                "the de Saxcé iteration does not converge in quasi-static steps; set saxce_iterations = 0 \
                 or take dynamic steps",
            ),
            StepKind::QuasiStatic(it)
                if !(it.resistance > 0.0 && it.wall_resistance > 0.0 && it.reach > 0.0) =>
            {
                refuse("resistance, wall_resistance and reach of quasi-static steps must be positive")
            }
            _ => Ok(()),
        }
    }
}
