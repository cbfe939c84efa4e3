//! A run with deformable bodies: what does not change, what does, and where its time goes.

use super::energy::{BodyMotion, SolidBudget, body_motion, budget};
use super::error::SolidError;
use super::setup::SolidSetup;
use super::state::SolidState;
use super::step::{StepTools, solid_step, try_step};
use super::timers::SolidTimers;

/// A run.
#[derive(Clone, Debug)]
pub struct SolidRun {
    /// Bodies, walls, settings.
    pub setup: SolidSetup,
    /// Positions, velocities, contacts.
    pub state: SolidState,
    tools: StepTools,
}

impl SolidRun {
    /// The start of a run.
    pub fn new(setup: SolidSetup) -> Self {
        let state = SolidState::new(&setup);
        Self { setup, state, tools: StepTools::default() }
    }

    /// Goes one whole time step on.
    pub fn step(&mut self) -> Result<(), SolidError> {
        solid_step(&self.setup, &mut self.state, &mut self.tools)
    }

    /// Goes one step of any length [s] on, outside of the grid of whole steps; whether it converged.
    pub fn step_by(&mut self, time_step: f64) -> Result<bool, SolidError> {
        let converged = try_step(&self.setup, &mut self.state, time_step, &mut self.tools)?.is_ok();
        if converged {
            self.state.time += time_step;
        }
        Ok(converged)
    }

    /// Where time went.
    pub fn timers(&self) -> &SolidTimers {
        &self.tools.timers
    }

    /// Forgets where time went so far.
    pub fn reset_timers(&mut self) {
        self.tools.timers = SolidTimers::default();
    }

    /// Energies and momenta now.
    pub fn budget(&self) -> SolidBudget {
        budget(&self.setup, &self.state)
    }

    /// Motion of a body now.
    pub fn motion(&self, body: usize) -> BodyMotion {
        body_motion(&self.setup, &self.state, body)
    }
}
