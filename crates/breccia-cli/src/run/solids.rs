//! Deformable bodies: the run as the program sees it.

use super::method::{Account, Method};
use crate::say;
use breccia::deformable::mesh::MeshError;
use breccia::deformable::{Phase, SolidBudget, SolidRun, SolidState, clusters};
use breccia::output::observe_solids::{solid_columns, solid_frame, solid_picture, solid_row};
use breccia::output::{Column, FrameSet, Image, OutputError, render_flat};
use breccia::scene::{OutputSettings, Scene};
use breccia::simulation::StepError;
use serde_json::{Map, Value, json};
use std::borrow::Borrow;

/// Phases as the report names them.
const PHASES: [(Phase, &str); 5] = [
    (Phase::Sort, "sorting"),
    (Phase::SelfContact, "test of self-contact"),
    (Phase::Candidates, "first projection"),
    (Phase::Solve, "solution"),
    (Phase::Account, "accounts"),
];

/// A run and its end.
pub struct Solids {
    run: SolidRun,
    last_step: u64,
}

impl Method for Solids {
    type State = SolidState;

    const BODIES: &'static str = "deformable bodies";

    const FRAME_ADVICE: [&'static str; 2] = [", solids as", "Surface With Edges, coloured by von_mises"];

    fn begin(scene: &Scene) -> Result<Self, StepError> {
        let plan = scene.solids.as_ref().ok_or(MeshError::Empty)?;
        let last_step = (scene.model.time.duration / plan.settings.time_step).round() as u64;
        Ok(Self { run: SolidRun::new(plan.setup()?), last_step })
    }

    fn resume(scene: &Scene, state: SolidState) -> Result<Self, StepError> {
        let mut solids = Self::begin(scene)?;
        solids.run.state = state;
        Ok(solids)
    }

    fn state(&self) -> impl Borrow<SolidState> {
        &self.run.state
    }

    fn time_step_of(scene: &Scene) -> f64 {
        scene.solids.as_ref().map_or(f64::INFINITY, |plan| plan.settings.time_step)
    }

    fn time_step(&self) -> f64 {
        self.run.setup.settings.time_step
    }

    fn steps_done(&self) -> u64 {
        self.run.state.step
    }

    fn steps_in_all(&self) -> u64 {
        self.last_step
    }

    fn shown_instant(&self) -> Option<u64> {
        Some(self.run.state.step)
    }

    fn step(&mut self) -> Result<(), StepError> {
        Ok(self.run.step()?)
    }

    fn is_finished(&self) -> bool {
        self.run.state.step >= self.last_step
    }

    fn is_sound(&self) -> bool {
        self.run.state.positions.iter().all(|x| x.is_finite())
    }

    fn body_count(&self) -> u64 {
        self.run.setup.bodies.len() as u64
    }

    fn pulse(&self) -> String {
        let last = &self.run.state.last;
        format!("{} contacts, {} iterations", last.active, last.iterations)
    }

    fn columns(&self) -> Vec<Column> {
        solid_columns()
    }

    fn row(&mut self, _extra: bool) -> Vec<f64> {
        solid_row(&self.run)
    }

    fn frame(&self, settings: &OutputSettings) -> FrameSet {
        solid_frame(&self.run, settings.contacts)
    }

    fn add_output_time(&mut self, _seconds: f64) {}

    fn picture(&self, title: &str) -> Result<Option<(Image, &'static str)>, OutputError> {
        let (picture, options) = solid_picture(&self.run, title);
        Ok(Some((render_flat(&picture, &options), "von Mises stress")))
    }

    fn account(&mut self, _scene: &Scene, elapsed: f64) -> Account {
        let (run, budget) = (&self.run, self.run.budget());
        Account {
            paragraphs: vec![times(run, elapsed), energies(&budget), solver(run), contacts(run)],
            summary: summary(run, &budget),
        }
    }
}

fn times(run: &SolidRun, elapsed: f64) -> String {
    let timers = run.timers();
    let line = |name: &str, seconds: f64| {
        format!("\n  {name:<26}{:>12} {:>6.1} %", say::seconds(seconds), 100.0 * seconds / elapsed)
    };
    let mut text = "Where the time went".to_owned();
    for (phase, name) in PHASES {
        text += &line(name, timers.seconds(phase));
    }
    text + &line("other", (elapsed - timers.total()).max(0.0))
}

fn energy_lines(budget: &SolidBudget) -> [(&'static str, f64); 9] {
    [
        ("kinetic", budget.kinetic),
        ("of it translation", budget.translational),
        ("elastic", budget.elastic),
        ("contact, normal", budget.contact),
        ("contact, tangential", budget.slip),
        ("gravity", budget.gravity),
        ("lost: friction", budget.friction),
        ("work of loads and motions", budget.work),
        ("sum less work", budget.constant()),
    ]
}

fn energies(budget: &SolidBudget) -> String {
    let mut text = "Energy [J]".to_owned();
    for (name, value) in energy_lines(budget) {
        text += &format!("\n  {name:<26}{value:>14.6e}");
    }
    text
}

fn solver(run: &SolidRun) -> String {
    let total = &run.state.total;
    let steps = total.steps.max(1) as f64;
    format!(
        "Solution\n  {} steps, {} of them shortened first, {} repeated for missed pairs\n  {:.2} iterations a step, at \
         most {}; {} halved corrections\n  {:.3} factorings per body and step; {} sorts",
        say::count(total.steps),
        say::count(total.cuts),
        say::count(total.repeats),
        total.iterations as f64 / steps,
        total.most_iterations,
        say::count(total.halvings),
        total.factorings as f64 / steps / run.setup.bodies.len().max(1) as f64,
        say::count(total.sorts)
    )
}

fn contacts(run: &SolidRun) -> String {
    let (last, total) = (&run.state.last, &run.state.total);
    let cluster = clusters(&run.setup, &run.state).first().copied().unwrap_or(0);
    format!(
        "Contacts\n  {} near pairs, {} touch; the largest cluster has {cluster} bodies\n  largest penetration {:.3e} m, \
         dynamic − real gap {:.3e} m\n  {} nodes met late, up to {:.3e} m deep",
        say::count(u64::from(last.pairs)),
        say::count(u64::from(last.active)),
        total.penetration,
        total.gap_drift,
        say::count(total.clamps),
        total.clamp_depth
    )
}

fn summary(run: &SolidRun, budget: &SolidBudget) -> Map<String, Value> {
    let total = &run.state.total;
    let energy: Map<String, Value> =
        energy_lines(budget).iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let seconds: Map<String, Value> = PHASES
        .iter()
        .map(|(phase, name)| ((*name).to_owned(), json!(run.timers().seconds(*phase))))
        .collect();
    let entries = [
        ("energy_J", json!(energy)),
        ("iterations", json!(total.iterations)),
        ("most_iterations", json!(total.most_iterations)),
        ("cuts", json!(total.cuts)),
        ("clamps", json!(total.clamps)),
        ("penetration_m", json!(total.penetration)),
        ("gap_drift_m", json!(total.gap_drift)),
        ("seconds_by_phase", json!(seconds)),
    ];
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
