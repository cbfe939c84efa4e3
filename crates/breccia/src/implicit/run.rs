//! A run of grains: set-up, state, solver.

use super::error::GrainError;
use super::problem::ContactProblem;
use super::setup::{GrainSetup, WallControl};
use super::solver::{BodySchur, ConeSolver};
use super::state::GrainState;
use super::step::{GrainTimers, Tools, first_program, implicit_step};

/// A run of grains with implicit steps.
pub struct GrainRun {
    setup: GrainSetup,
    state: GrainState,
    tools: Tools,
}

impl GrainRun {
    /// A run with the default solver.
    pub fn new(setup: GrainSetup, state: GrainState) -> Result<Self, GrainError> {
        Self::with_solver(setup, state, Box::new(BodySchur::default()))
    }

    /// A run with a solver of one's own choice.
    pub fn with_solver(
        setup: GrainSetup,
        state: GrainState,
        solver: Box<dyn ConeSolver>,
    ) -> Result<Self, GrainError> {
        setup.check()?;
        let run = Self { setup, state, tools: Tools { solver, ready: None, timers: GrainTimers::default() } };
        run.check_walls()?;
        Ok(run)
    }

    fn check_walls(&self) -> Result<(), GrainError> {
        let refuse = |message: String| Err(GrainError::Refused { message });
        let (grains, walls) = (self.setup.grains.len(), self.state.walls.len());
        if self.state.position.len() != grains || self.setup.wall_materials.len() != walls {
            return refuse(format!(
                "{grains} grains and {walls} walls do not fit {} places and {} materials of walls",
                self.state.position.len(),
                self.setup.wall_materials.len()
            ));
        }
        for (number, wall) in self.state.walls.iter().enumerate() {
            if let WallControl::Pressed { between, mass, .. } = wall.control {
                if between.iter().any(|&it| it as usize >= walls) {
                    return refuse(format!("wall {number} is pressed between walls that are not there"));
                }
                let is_dynamic = matches!(self.setup.settings.kind, super::settings::StepKind::Dynamic(_));
                if is_dynamic && (mass.is_nan() || mass <= 0.0) {
                    return refuse(format!("wall {number} is pressed and needs a mass in dynamic steps"));
                }
            }
        }
        if let Some(load) = self.state.loads.iter().find(|load| load.grain as usize >= grains) {
            return refuse(format!("a load acts on grain {}, which is not there", load.grain));
        }
        Ok(())
    }

    /// What does not change.
    pub fn setup(&self) -> &GrainSetup {
        &self.setup
    }

    /// Where the run stands; the whole of a checkpoint.
    pub fn state(&self) -> &GrainState {
        &self.state
    }

    /// The state, to be changed between steps: walls, loads, gravity, velocities.
    pub fn state_mut(&mut self) -> &mut GrainState {
        self.tools.ready = None;
        &mut self.state
    }

    /// The set-up, to be changed between steps: settings, friction.
    pub fn setup_mut(&mut self) -> &mut GrainSetup {
        self.tools.ready = None;
        &mut self.setup
    }

    /// Set-up and state, to go on otherwise.
    pub fn into_parts(self) -> (GrainSetup, GrainState) {
        (self.setup, self.state)
    }

    /// Makes one step. After an error the state is as before.
    pub fn step(&mut self) -> Result<(), GrainError> {
        self.state = implicit_step(&self.setup, &self.state, &mut self.tools)?;
        Ok(())
    }

    /// Makes many steps.
    pub fn steps(&mut self, count: u64) -> Result<(), GrainError> {
        (0..count).try_for_each(|_| self.step())
    }

    /// The program the next step begins with, for study.
    ///
    /// # Errors
    /// If nothing says how large forces are.
    pub fn program(&self) -> Result<ContactProblem, GrainError> {
        first_program(&self.setup, &self.state)
    }

    /// Where the time of the steps so far went.
    pub fn timers(&self) -> GrainTimers {
        self.tools.timers
    }

    /// Takes a wall away.
    pub fn remove_wall(&mut self, wall: usize) {
        if let Some(wall) = self.state_mut().walls.get_mut(wall) {
            wall.control = WallControl::Removed;
        }
    }
}
