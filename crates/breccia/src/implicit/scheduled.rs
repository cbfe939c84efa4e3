//! A run of grains that follows a scene: walls in motion, pressed walls, phases and events.

use super::error::GrainError;
use super::packing::{Packing, missed};
use super::plan::{GrainPlan, Press, flat, friction_table};
use super::run::GrainRun;
use super::setup::WallControl;
use super::state::GrainState;
use crate::model::Model;
use crate::scene::{Action, Event, OutputSettings, Phase, Scene};
use crate::state::{AgendaState, Timetable};
use serde::{Deserialize, Serialize};

/// All that changes in a run of grains from a scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScheduledState {
    /// The grains.
    pub grains: GrainState,
    /// Phases and events.
    pub agenda: AgendaState,
    /// Energy budget at the start [J/m].
    pub first_budget: f64,
    /// Largest energy in motion, springs, losses or work so far [J/m].
    pub turnover: f64,
    /// The packing under way.
    pub packing: Packing,
}

/// A run of grains from a scene.
pub struct ScheduledGrains {
    /// The grains.
    pub run: GrainRun,
    /// The problem.
    pub model: Model,
    /// What the scene says of grains.
    pub plan: GrainPlan,
    /// What is written.
    pub output: OutputSettings,
    /// Phases and events.
    pub agenda: AgendaState,
    /// Energy budget at the start [J/m].
    pub first_budget: f64,
    /// Largest energy in motion, springs, losses or work so far [J/m].
    pub turnover: f64,
    /// The packing under way.
    pub packing: Packing,
    phases: Vec<Phase>,
    events: Vec<Event>,
    last_step: u64,
}

impl ScheduledGrains {
    /// A run at its first instant.
    ///
    /// # Errors
    /// If the scene has no grains or its set-up is refused.
    pub fn new(scene: &Scene) -> Result<Self, GrainError> {
        let Some(plan) = scene.grains.clone() else {
            return Err(GrainError::Refused { message: "the scene has no grains".into() });
        };
        let (setup, state) = plan.begin(&scene.model)?;
        let first_budget = state.energy_budget(&setup);
        let mut run = Self {
            run: GrainRun::new(setup, state)?,
            model: scene.model.clone(),
            output: scene.output.clone(),
            agenda: AgendaState { done: vec![false; scene.events.len()], ..AgendaState::default() },
            first_budget,
            turnover: 0.0,
            packing: Packing::default(),
            phases: scene.phases.clone(),
            events: scene.events.clone(),
            last_step: (scene.model.time.duration / plan.settings.time_step).round() as u64,
            plan,
        };
        run.note_turnover();
        Ok(run)
    }

    /// A run continued from a saved state.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn resume(scene: &Scene, saved: ScheduledState) -> Result<Self, GrainError> {
        let mut run = Self::new(scene)?;
        *run.run.state_mut() = saved.grains;
        (run.agenda, run.first_budget, run.turnover) = (saved.agenda, saved.first_budget, saved.turnover);
        run.packing = saved.packing;
        Ok(run)
    }

    /// What a checkpoint holds.
    pub fn saved(&self) -> ScheduledState {
        ScheduledState {
            grains: self.run.state().clone(),
            agenda: self.agenda.clone(),
            first_budget: self.first_budget,
            turnover: self.turnover,
            packing: self.packing.clone(),
        }
    }

    /// Steps done.
    pub fn steps_done(&self) -> u64 {
        self.run.state().step
    }

    /// Steps of the whole run, as things stand.
    pub fn steps_in_all(&self) -> u64 {
        self.timetable().last_step(&self.agenda)
    }

    /// Whether the run has come to its end.
    pub fn is_finished(&self) -> bool {
        self.agenda.finished || self.steps_done() >= self.steps_in_all()
    }

    /// Name of the phase under way.
    pub fn phase_name(&self) -> Option<&str> {
        self.phases.get(self.agenda.phase).map(|phase| phase.name.as_str())
    }

    /// What is missing in the energy budget since the start [J/m], and over the energy turned over [–].
    pub fn closure_error(&self) -> (f64, f64) {
        let error = self.run.state().energy_budget(self.run.setup()) - self.first_budget;
        (error, if self.turnover > 0.0 { error / self.turnover } else { 0.0 })
    }

    /// One step.
    ///
    /// # Errors
    /// If it fails; the state is as before.
    pub fn step(&mut self) -> Result<(), GrainError> {
        self.follow_agenda();
        if self.agenda.finished {
            return Ok(());
        }
        let target = self.phases.get(self.agenda.phase).and_then(|phase| phase.until_porosity);
        if let Some(target) = target {
            let pressure = self.plan.presses.iter().flatten().map(|press| press.pressure).fold(0.0, f64::max);
            self.packing.prepare(&mut self.run, &friction_table(&self.model), (pressure, target))?;
        }
        self.control_walls();
        self.run.step()?;
        self.note_turnover();
        target.map_or(Ok(()), |target| self.end_packing_if_due(target))
    }

    /// Ends a packing phase that has reached its porosity; friction and steps are those of the scene again.
    fn end_packing_if_due(&mut self, target: f64) -> Result<(), GrainError> {
        let (step, size) = (self.steps_done(), self.run.state().rectangle(self.run.setup()));
        if size.porosity > target {
            let used_up = self.timetable().is_phase_used_up(&self.agenda, step);
            return if used_up {
                Err(missed(&size, target, "the phase ended with the box packed"))
            } else {
                Ok(())
            };
        }
        let mut agenda = self.agenda.clone();
        self.timetable().end_phase(&mut agenda, step);
        self.agenda = agenda;
        self.packing = Packing::default();
        let setup = self.run.setup_mut();
        setup.friction = friction_table(&self.model);
        setup.settings.kind = self.plan.settings.kind;
        Ok(())
    }

    fn timetable(&self) -> Timetable<'_> {
        Timetable {
            phases: &self.phases,
            events: &self.events,
            last_step: self.last_step,
            time_step: self.plan.settings.time_step,
        }
    }

    fn follow_agenda(&mut self) {
        let (step, mut agenda) = (self.steps_done(), self.agenda.clone());
        let kinetic = || self.run.state().energy(self.run.setup()).kinetic;
        self.timetable().begin_phase_if_due(&mut agenda, step, kinetic);
        let due = self.timetable().take_due(&mut agenda, step);
        self.agenda = agenda;
        for event in due {
            let action = self.events[event].action.clone();
            self.act(&action);
        }
    }

    fn act(&mut self, action: &Action) {
        match action {
            Action::RemoveWall(wall) => self.run.remove_wall(usize::from(wall.0)),
            Action::SetGravity(gravity) => {
                let before = self.run.state().energy_budget(self.run.setup());
                self.run.state_mut().gravity = flat(*gravity);
                self.first_budget += self.run.state().energy_budget(self.run.setup()) - before;
            }
            Action::SetVelocity { group, velocity } => {
                let before = self.run.state().energy_budget(self.run.setup());
                let plan = &self.plan;
                let state = self.run.state_mut();
                for (number, seed) in plan.grains.iter().enumerate() {
                    if seed.group == *group && !seed.fixed {
                        state.velocity[number] = flat(*velocity);
                    }
                }
                self.first_budget += self.run.state().energy_budget(self.run.setup()) - before;
            }
            Action::Stop => self.agenda.finished = true,
            // Refused when the scene is read.
            Action::RemoveBodies(_) | Action::SetDamping(_) => {}
        }
    }

    /// Walls that move as prescribed get their mean velocity over the coming step; pressed ones are let go in time.
    fn control_walls(&mut self) {
        let time_step = self.plan.settings.time_step;
        let begin = self.steps_done() as f64 * time_step;
        for (number, wall) in self.model.walls.iter().enumerate() {
            let pressed = |press: &Press| begin < press.until - 0.5 * time_step;
            if !self.run.state().walls[number].is_there()
                || self.plan.presses[number].as_ref().is_some_and(pressed)
            {
                continue;
            }
            let [from, to] = [begin, begin + time_step].map(|t| flat(wall.motion.pose(t).translation));
            let control = WallControl::Moves((to - from) / time_step);
            // Only where it changes: the search made after the last step stays good.
            if self.run.state().walls[number].control != control {
                self.run.state_mut().walls[number].control = control;
            }
        }
    }

    fn note_turnover(&mut self) {
        let state = self.run.state();
        let (energy, ledger) = (state.energy(self.run.setup()), &state.ledger);
        let lost = ledger.friction + ledger.contact + ledger.step;
        let parts =
            [energy.kinetic + energy.elastic, lost.abs(), (ledger.wall_work + ledger.load_work).abs()];
        self.turnover = parts.iter().fold(self.turnover, |most, part| most.max(*part));
    }
}
