//! Biaxial compression: left wall and floor fixed, lid lowered, right wall under constant pressure.

use super::compaction::Compaction;
use super::grain_box::BoxWall;
use crate::implicit::{BoxMeasures, GrainError, GrainRun, GrainSetup, GrainState, WallControl};
use glam::DVec2;

/// How a box is compressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BiaxialPlan {
    /// Pressure of the right wall, σ3 [N/m].
    pub pressure: f64,
    /// Axial strain per step [-].
    pub strain_step: f64,
    /// Steps over which strain steps grow to that.
    pub ramp: u64,
    /// Friction between grains [-].
    pub friction: f64,
}

impl BiaxialPlan {
    /// Strain steps of 0.0014 after a ramp of 20.
    pub fn new(pressure: f64, friction: f64) -> Self {
        Self { pressure, strain_step: 1.4e-3, ramp: 20, friction }
    }
}

/// A row of results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BiaxialRow {
    /// ε_a = 1 − H/H0 [-].
    pub axial_strain: f64,
    /// ε_v = 1 − WH/(W0 H0), compaction positive [-].
    pub volume_strain: f64,
    /// σ1, on the lid [N/m].
    pub lid_stress: f64,
    /// σ3, on the right wall [N/m].
    pub side_stress: f64,
    /// Porosity [-].
    pub porosity: f64,
    /// Touching neighbours per grain [-].
    pub coordination: f64,
    /// Solves of the step that were redone.
    pub redone: u32,
}

impl BiaxialRow {
    /// σ1 − σ3 [N/m].
    pub fn deviator(&self) -> f64 {
        self.lid_stress - self.side_stress
    }
}

/// A biaxial test under way.
pub struct Biaxial {
    /// The run.
    pub run: GrainRun,
    plan: BiaxialPlan,
    start: BoxMeasures,
    first_step: u64,
}

impl Biaxial {
    /// Starts from a compacted box.
    ///
    /// # Errors
    /// If the set-up is refused.
    pub fn new(compacted: Compaction, plan: BiaxialPlan) -> Result<Self, GrainError> {
        let Compaction { mut setup, mut state, .. } = compacted;
        setup.friction.set(0, 0, plan.friction);
        state.step = 0;
        let pressed = WallControl::Pressed { pressure: plan.pressure, between: BoxWall::ENDS, mass: 0.0 };
        state.walls[BoxWall::Right as usize].control = pressed;
        state.walls[BoxWall::Lid as usize].control = WallControl::Moves(DVec2::ZERO);
        let start = state.box_measures(&setup, BoxWall::SIDES, BoxWall::ENDS);
        let first_step = state.step;
        Ok(Self { run: GrainRun::new(setup, state)?, plan, start, first_step })
    }

    /// Goes on from a state of a test that started at `start`.
    ///
    /// # Errors
    /// If the set-up is refused.
    pub fn resume(
        setup: GrainSetup,
        state: GrainState,
        plan: BiaxialPlan,
        start: BoxMeasures,
    ) -> Result<Self, GrainError> {
        Ok(Self { run: GrainRun::new(setup, state)?, plan, start, first_step: 0 })
    }

    /// The box before the test.
    pub fn start(&self) -> BoxMeasures {
        self.start
    }

    /// One increment.
    ///
    /// # Errors
    /// If the step fails.
    pub fn step(&mut self) -> Result<BiaxialRow, GrainError> {
        let done = self.run.state().step - self.first_step;
        let share = if done < self.plan.ramp { (done + 1) as f64 / self.plan.ramp as f64 } else { 1.0 };
        let down = self.plan.strain_step * share * self.start.height / self.run.setup().settings.time_step;
        self.run.state_mut().walls[BoxWall::Lid as usize].control =
            WallControl::Moves(DVec2::new(0.0, -down));
        let loaded = self.run.state().box_measures(self.run.setup(), BoxWall::SIDES, BoxWall::ENDS);
        self.run.step()?;
        Ok(self.row(&loaded))
    }

    /// Results, stresses by the size of the box that was loaded.
    fn row(&self, loaded: &BoxMeasures) -> BiaxialRow {
        let (setup, state) = (self.run.setup(), self.run.state());
        let now = state.box_measures(setup, BoxWall::SIDES, BoxWall::ENDS);
        let stress = |wall: BoxWall, length: f64| {
            let wall = &state.walls[wall as usize];
            -wall.normal.dot(wall.load) / length
        };
        BiaxialRow {
            axial_strain: 1.0 - now.height / self.start.height,
            volume_strain: 1.0 - now.width * now.height / (self.start.width * self.start.height),
            lid_stress: stress(BoxWall::Lid, loaded.width),
            side_stress: stress(BoxWall::Right, loaded.height),
            porosity: now.porosity,
            coordination: state.measures(setup, now.width * now.height).coordination,
            redone: state.report.redone,
        }
    }
}
