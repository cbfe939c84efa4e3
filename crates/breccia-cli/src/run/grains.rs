//! Grains in the plane: the implicit run as the program sees it.

use super::method::{Account, Method};
use crate::say;
use breccia::implicit::{ScheduledGrains, ScheduledState, StepKind};
use breccia::output::observe_grains::{grain_columns, grain_frame_of, grain_picture_of, grain_row};
use breccia::output::{Column, FrameSet, Image, OutputError, render_flat};
use breccia::scene::{OutputSettings, Scene};
use breccia::simulation::StepError;
use serde_json::{Map, Value, json};
use std::borrow::Borrow;
use std::time::Duration;

/// A run of grains, and the time spent writing.
pub struct GrainMethod {
    run: ScheduledGrains,
    output_time: f64,
}

impl Method for GrainMethod {
    type State = ScheduledState;

    const BODIES: &'static str = "grains";

    fn begin(scene: &Scene) -> Result<Self, StepError> {
        Ok(Self { run: ScheduledGrains::new(scene)?, output_time: 0.0 })
    }

    fn resume(scene: &Scene, state: ScheduledState) -> Result<Self, StepError> {
        Ok(Self { run: ScheduledGrains::resume(scene, state)?, output_time: 0.0 })
    }

    fn state(&self) -> impl Borrow<ScheduledState> {
        self.run.saved()
    }

    fn time_step_of(scene: &Scene) -> f64 {
        scene.grains.as_ref().map_or(0.0, |plan| plan.settings.time_step)
    }

    fn time_step(&self) -> f64 {
        self.run.plan.settings.time_step
    }

    fn steps_done(&self) -> u64 {
        self.run.steps_done()
    }

    fn steps_in_all(&self) -> u64 {
        self.run.steps_in_all()
    }

    fn shown_instant(&self) -> Option<u64> {
        Some(self.run.steps_done())
    }

    fn step(&mut self) -> Result<(), StepError> {
        Ok(self.run.step()?)
    }

    fn is_finished(&self) -> bool {
        self.run.is_finished()
    }

    fn final_reason(&self) -> Option<&'static str> {
        let reason = "an event or grains at rest ended it; change the scene and start anew to go further";
        self.run.agenda.finished.then_some(reason)
    }

    fn is_sound(&self) -> bool {
        self.run.run.state().position.iter().all(|place| place.is_finite())
    }

    fn body_count(&self) -> u64 {
        self.run.plan.grains.len() as u64
    }

    fn activity(&self) -> String {
        self.run.phase_name().map_or_else(String::new, |name| format!("{name}: "))
    }

    fn pulse(&self) -> String {
        let (setup, state) = (self.run.run.setup(), self.run.run.state());
        format!(
            "E_kin {:.2e} J/m  {} contact points  {} iterations",
            state.energy(setup).kinetic,
            say::count(state.contacts.len() as u64),
            state.report.iterations
        )
    }

    fn columns(&self) -> Vec<Column> {
        grain_columns(&self.run)
    }

    fn row(&mut self, _extra: bool) -> Vec<f64> {
        grain_row(&self.run)
    }

    fn frame(&self, settings: &OutputSettings) -> FrameSet {
        grain_frame_of(&self.run, settings.contacts)
    }

    fn add_output_time(&mut self, seconds: f64) {
        self.output_time += seconds;
    }

    fn picture(&self, title: &str) -> Result<Option<(Image, &'static str)>, OutputError> {
        let (scene, options) = grain_picture_of(&self.run, title);
        Ok(Some((render_flat(&scene, &options), "pressure")))
    }

    fn account(&mut self, _scene: &Scene, elapsed: f64) -> Account {
        let paragraphs = vec![self.times(elapsed), self.budget(), self.packing()];
        Account { paragraphs, summary: self.summary() }
    }
}

impl GrainMethod {
    fn parts(&self) -> [(&'static str, f64); 4] {
        let timers = self.run.run.timers();
        let seconds = |time: Duration| time.as_secs_f64();
        let rest = seconds(timers.total) - seconds(timers.search) - seconds(timers.solve);
        [
            ("search of contacts", seconds(timers.search)),
            ("solver", seconds(timers.solve)),
            ("rest of the step", rest.max(0.0)),
            ("output", self.output_time),
        ]
    }

    fn times(&self, elapsed: f64) -> String {
        let mut text = "Where the time went".to_owned();
        for (name, seconds) in self.parts() {
            text +=
                &format!("\n  {name:<26}{:>12} {:>6.1} %", say::seconds(seconds), 100.0 * seconds / elapsed);
        }
        text
    }

    fn budget_lines(&self) -> [(&'static str, f64); 9] {
        let (setup, state) = (self.run.run.setup(), self.run.run.state());
        let (energy, ledger) = (state.energy(setup), &state.ledger);
        [
            ("kinetic", energy.kinetic),
            ("elastic", energy.elastic),
            ("gravity", energy.gravity),
            ("work of walls", ledger.wall_work),
            ("work of loads", ledger.load_work),
            ("lost: friction", ledger.friction),
            ("lost: closing and opening", ledger.contact),
            ("lost: theta or resistance", ledger.step),
            ("closure error", self.run.closure_error().0),
        ]
    }

    fn budget(&self) -> String {
        let mut text = "Energy budget [J per metre of depth]".to_owned();
        for (name, value) in self.budget_lines() {
            if value != 0.0 || name == "closure error" {
                text += &format!("\n  {name:<26}{value:>14.6e}");
            }
        }
        let relative = self.run.closure_error().1.abs();
        text + &format!("\n  the closure error is {relative:.2e} of the energy turned over")
    }

    fn packing(&self) -> String {
        let (setup, state) = (self.run.run.setup(), self.run.run.state());
        let measures = state.measures(setup, 1.0);
        let mode = match setup.settings.kind {
            StepKind::Dynamic(_) => "dynamic",
            StepKind::QuasiStatic(_) => "quasi-static",
        };
        format!(
            "Grains\n  {} present, {mode} steps\n  {} loaded contact points, coordination {:.3}\n  \
             {} solves were redone",
            say::count(setup.grains.len() as u64),
            say::count(measures.points as u64),
            measures.coordination,
            say::count(state.redone)
        )
    }

    fn summary(&self) -> Map<String, Value> {
        let named = |lines: &[(&str, f64)]| -> Map<String, Value> {
            lines.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
        };
        let state = self.run.run.state();
        let entries = [
            ("energy_J_per_m", json!(named(&self.budget_lines()))),
            ("relative_closure_error", json!(self.run.closure_error().1)),
            ("redone_solves", json!(state.redone)),
            ("solves", json!(self.run.run.timers().solves)),
            ("contact_points", json!(state.contacts.len())),
            ("seconds_by_phase", json!(named(&self.parts()))),
        ];
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
