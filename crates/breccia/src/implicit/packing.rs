//! Packing to a porosity inside a run: walls press, and where the box has come to rest too loose, friction gives way.

use super::assembly::{has_come_to_rest, overdamped_step};
use super::error::GrainError;
use super::measure::BoxMeasures;
use super::run::GrainRun;
use super::settings::StepKind;
use super::setup::FrictionTable;
use serde::{Deserialize, Serialize};

/// What is left of friction each time the box has come to rest above its porosity, and below which part it is gone.
const EASED: f64 = 0.8;
const NO_FRICTION: f64 = 0.02;

/// Where a packing stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    /// Part of the friction that is left [–].
    pub friction: f64,
    /// Width and height together after each step since friction was changed [m].
    sizes: Vec<f64>,
}

impl Default for Packing {
    fn default() -> Self {
        Self { friction: 1.0, sizes: Vec::new() }
    }
}

impl Packing {
    /// Prepares the next step of a box that is still too loose.
    ///
    /// # Errors
    /// If the box is at rest without any friction.
    pub(super) fn prepare(
        &mut self,
        run: &mut GrainRun,
        friction: &FrictionTable,
        (pressure, target): (f64, f64),
    ) -> Result<(), GrainError> {
        let (size, diameter) = (run.state().rectangle(run.setup()), run.setup().mean_diameter());
        self.sizes.push(size.width + size.height);
        if has_come_to_rest(&self.sizes, diameter) {
            self.ease(&size, target)?;
        }
        let setup = run.setup_mut();
        setup.friction = friction.scaled(self.friction);
        setup.settings.kind = StepKind::QuasiStatic(overdamped_step(&size, diameter, pressure));
        Ok(())
    }

    fn ease(&mut self, size: &BoxMeasures, target: f64) -> Result<(), GrainError> {
        if self.friction == 0.0 {
            return Err(missed(size, target, "even without friction the grains only compact"));
        }
        let eased = EASED * self.friction;
        self.friction = if eased < NO_FRICTION { 0.0 } else { eased };
        self.sizes.clear();
        Ok(())
    }
}

/// A porosity that was not reached.
pub(super) fn missed(size: &BoxMeasures, target: f64, how: &str) -> GrainError {
    GrainError::TargetMissed {
        message: format!(
            "{how} to a porosity of {:.4}, `until_porosity` asks for {target:.4}\n\
             help: allow a longer phase, take more grains (walls count less), other shapes, or a larger porosity",
            size.porosity
        ),
    }
}
