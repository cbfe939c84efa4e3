//! A run: a fixed set-up and a changing state.

mod account;
mod agenda;
mod breakage;
mod checks;
mod inlets;
mod setup;
mod time_step;
mod upkeep;

pub use account::account;
pub use breakage::break_bonds;
pub use checks::{StepError, check};
pub use inlets::{InletState, pour};
pub use setup::Setup;
pub use time_step::{StepLimits, StepVerdict};
pub use upkeep::keep_lists_valid;

use crate::contacts::{MeshSums, WallLoad};
use crate::crew::Habits;
use crate::diagnostics::{Sample, Timers, take_sample};
use crate::scene::Scene;
use crate::state::{AgendaState, Bodies, Ledger, Removed, State};
use crate::step::explicit_step;

/// A run that can be stepped and looked at.
pub struct Simulation {
    /// What does not change.
    pub setup: Setup,
    /// What changes.
    pub state: State,
    /// Where the time went.
    pub timers: Timers,
    /// What threads know from earlier steps.
    pub(crate) habits: Habits,
}

impl Simulation {
    /// A run at its first instant.
    pub fn new(scene: &Scene) -> Self {
        let setup = Setup::new(scene);
        let mut state = State {
            step: 0,
            gravity: setup.model.gravity,
            damping_rate: setup.model.motion.damping_rate,
            walls_present: vec![true; setup.model.walls.len()],
            wall_loads: vec![WallLoad::default(); setup.model.walls.len()],
            wall_powers: vec![0.0; setup.model.walls.len()],
            mesh_sums: MeshSums::new(&setup.model.walls),
            bodies: Bodies::new(),
            clumps: Default::default(),
            lists: Default::default(),
            lists_stale: true,
            leaving: Vec::new(),
            fastest: 0.0,
            agenda: AgendaState { done: vec![false; setup.events.len()], ..AgendaState::default() },
            inlets: setup.inlets.iter().map(InletState::new).collect(),
            fragments: Default::default(),
            broken: Vec::new(),
            ledger: Ledger::default(),
            removed: Removed::default(),
        };
        setup.add_bodies(&mut state, &scene.bodies);
        setup.add_clumps(&mut state, 0, &scene.clumps);
        setup.add_bonds(&mut state, 0, &scene.bonds, &scene.offsets);
        Self { setup, state, timers: Timers::default(), habits: Habits::default() }
    }

    /// A run continued from a saved state. Where its contacts remember something else than laws ask for, lists are built anew.
    pub fn resume(scene: &Scene, mut state: State) -> Self {
        let setup = Setup::new(scene);
        state.lists_stale |= !state.lists.fit(setup.laws.remembered);
        Self { setup, state, timers: Timers::default(), habits: Habits::default() }
    }

    /// Time of the step to be done next [s].
    pub fn time(&self) -> f64 {
        self.setup.time_of(self.state.step)
    }

    /// Whether the run has come to its end.
    pub fn is_finished(&self) -> bool {
        self.state.agenda.finished || self.state.step > self.last_step()
    }

    /// One step.
    pub fn step(&mut self) -> Result<(), StepError> {
        explicit_step(self)
    }

    /// Begins a new interval for the loads on elements of meshes: those seen from now on are means over the steps to
    /// come.
    pub fn begin_interval(&mut self) {
        self.state.mesh_sums.begin(self.state.step, &mut self.state.lists.chunks);
    }

    /// Energies and contacts at the instant of the last step.
    pub fn sample(&mut self) -> Sample {
        take_sample(&self.setup, &mut self.state)
    }
}
