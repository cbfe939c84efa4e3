//! Spheres, clusters and meshes: the explicit run as the program sees it.

use super::method::{Account, Extra, Method};
use crate::say;
use breccia::diagnostics::{EnergyBudget, Phase, Sample, bond_statistics};
use breccia::output::observe::{frame_of, picture_of, table_columns, table_row};
use breccia::output::{
    Column, FrameSet, Image, OutputError, RunFolder, breakage_plot, fragment_plot, render, write_broken_bonds,
};
use breccia::scene::{InletAmount, OutputSettings, Scene};
use breccia::simulation::{Setup, Simulation, StepError};
use breccia::state::State;
use serde_json::{Map, Value, json};
use std::borrow::Borrow;

impl Method for Simulation {
    type State = State;

    const BODIES: &'static str = "spheres";

    const FRAME_ADVICE: [&'static str; 2] = [", spheres as", "Point Gaussian or Glyph, scaled by radius"];

    fn begin(scene: &Scene) -> Result<Self, StepError> {
        Ok(Self::new(scene))
    }

    fn resume(scene: &Scene, state: State) -> Result<Self, StepError> {
        Ok(Simulation::resume(scene, state))
    }

    fn state(&self) -> impl Borrow<State> {
        &self.state
    }

    fn time_step_of(scene: &Scene) -> f64 {
        Setup::new(scene).time_step
    }

    fn time_step(&self) -> f64 {
        self.setup.time_step
    }

    fn steps_done(&self) -> u64 {
        self.state.step
    }

    fn steps_in_all(&self) -> u64 {
        self.last_step().saturating_add(1)
    }

    fn shown_instant(&self) -> Option<u64> {
        // A step shows the instant it began at: forces are known there.
        self.state.step.checked_sub(1)
    }

    fn step(&mut self) -> Result<(), StepError> {
        Simulation::step(self)
    }

    fn is_finished(&self) -> bool {
        Simulation::is_finished(self)
    }

    fn final_reason(&self) -> Option<&'static str> {
        let reason = "an event or bodies at rest ended it; change the scene and start anew to go further";
        self.state.agenda.finished.then_some(reason)
    }

    fn is_sound(&self) -> bool {
        self.state.fastest.is_finite()
    }

    fn body_count(&self) -> u64 {
        self.state.bodies.len() as u64
    }

    fn activity(&self) -> String {
        self.phase_name().map_or_else(String::new, |name| format!("{name}: "))
    }

    fn pulse(&self) -> String {
        format!("E_kin {:.2e} J", kinetic_energy(self))
    }

    fn columns(&self) -> Vec<Column> {
        table_columns(&self.setup)
    }

    fn row(&mut self, extra: bool) -> Vec<f64> {
        let ledger = self.state.ledger;
        let sample = self.sample();
        let row = table_row(self, &sample);
        if extra {
            self.state.ledger = ledger;
        }
        row
    }

    fn frame(&self, settings: &OutputSettings) -> FrameSet {
        frame_of(self, settings.contacts, settings.bonds)
    }

    fn begin_interval(&mut self) {
        Simulation::begin_interval(self);
    }

    fn add_output_time(&mut self, seconds: f64) {
        self.timers.add(Phase::Output, seconds);
    }

    fn extras(&self) -> Vec<Extra> {
        if !has_bonds(self) {
            return Vec::new();
        }
        vec![
            Extra { name: "broken.csv", what: "bonds that broke: when, how, with what energy" },
            Extra { name: "breakage.svg", what: "share of broken bonds over time (and .png)" },
            Extra { name: "fragments.svg", what: "sizes of the fragments at the end (and .png)" },
        ]
    }

    fn write_tables(&self, folder: &RunFolder) -> Result<(), OutputError> {
        if has_bonds(self) {
            write_broken_bonds(self, &folder.broken())?;
        }
        Ok(())
    }

    fn write_plots(&self, folder: &RunFolder, title: &str) -> Result<(), OutputError> {
        if has_bonds(self) {
            breakage_plot(self, title).write(&folder.breakage())?;
            fragment_plot(self, title).write(&folder.fragments())?;
        }
        Ok(())
    }

    fn picture(&self, title: &str) -> Result<Option<(Image, &'static str)>, OutputError> {
        let (scene, options) = picture_of(self, title);
        let colour = if has_bonds(self) { "size of fragments" } else { "speed" };
        Ok(Some((render(&scene, &options)?, colour)))
    }

    fn account(&mut self, scene: &Scene, elapsed: f64) -> Account {
        let sample = self.sample();
        let paragraphs = vec![
            times(self, elapsed),
            budget(self, &sample.energy),
            bodies(scene, self, &sample),
            bonds(self),
        ];
        Account { paragraphs, summary: summary(self, &sample) }
    }
}

fn has_bonds(run: &Simulation) -> bool {
    run.state.fragments.bond_count() > 0
}

/// Kinetic energy at the half step [J], near enough for a progress line.
fn kinetic_energy(run: &Simulation) -> f64 {
    run.state.rigid_bodies(&run.setup.model.domain).map(|body| body.kinetic_energy()).sum()
}

fn summary(run: &Simulation, sample: &Sample) -> Map<String, Value> {
    let budget: Map<String, Value> = budget_lines(run, &sample.energy)
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    let times: Map<String, Value> =
        Phase::ALL.iter().map(|phase| (phase.name().to_owned(), json!(run.timers.seconds(*phase)))).collect();
    let entries = [
        ("removed", json!(run.state.removed.count)),
        ("bonds", bond_summary(run)),
        ("coordination", json!(sample.contacts.coordination)),
        ("largest_overlap_m", json!(sample.contacts.largest_overlap)),
        ("energy_J", json!(budget)),
        (
            "relative_closure_error",
            run.setup.model.follow_losses.then_some(sample.energy.relative_closure_error).into(),
        ),
        ("seconds_by_phase", json!(times)),
    ];
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn times(run: &Simulation, elapsed: f64) -> String {
    let line = |name: &str, seconds: f64| {
        format!("\n  {name:<26}{:>12} {:>6.1} %", say::seconds(seconds), 100.0 * seconds / elapsed)
    };
    let known: f64 = Phase::ALL.iter().map(|&phase| run.timers.seconds(phase)).sum();
    let mut text = "Where the time went".to_owned();
    for phase in Phase::ALL {
        text += &line(phase.name(), run.timers.seconds(phase));
    }
    text += &line("other", (elapsed - known).max(0.0));
    text + &format!(
        "\n  neighbour lists rebuilt {} times, refreshed {} times",
        say::count(run.timers.rebuilds),
        say::count(run.timers.refreshes)
    )
}

/// Lines of the budget: name and value [J].
fn budget_lines(run: &Simulation, energy: &EnergyBudget) -> Vec<(&'static str, f64)> {
    let closure = run.setup.model.follow_losses.then_some((CLOSURE, energy.closure_error));
    let lines = [
        ("kinetic, translation", energy.translation),
        ("kinetic, rotation", energy.rotation),
        ("elastic, normal", energy.elastic_normal),
        ("elastic, tangential", energy.elastic_tangential),
        ("elastic, rolling", energy.elastic_rolling),
        ("elastic, bonds", energy.elastic_bonds),
        ("gravity", energy.gravity),
        ("work of walls", energy.wall_work),
        ("work of loads", energy.load_work),
        ("brought in and out", energy.exchanged),
        ("lost: normal damping", energy.normal_damping),
        ("lost: tangential damping", energy.tangential_damping),
        ("lost: sliding", energy.sliding),
        ("lost: rolling", energy.rolling),
        ("lost: in contacts", energy.unfollowed),
        ("lost: damping of bonds", energy.bond_damping),
        ("lost: fracture", energy.fracture),
        ("lost: global damping", energy.global_damping),
    ];
    lines.into_iter().chain(closure).collect()
}

/// Name of the closure error among the lines of the budget.
const CLOSURE: &str = "closure error";

fn budget(run: &Simulation, energy: &EnergyBudget) -> String {
    let mut text = "Energy budget [J]".to_owned();
    for (name, value) in budget_lines(run, energy) {
        if value != 0.0 || name == CLOSURE {
            text += &format!("\n  {name:<26}{value:>14.6e}");
        }
    }
    if !run.setup.model.follow_losses {
        return text + "\n  losses of contacts are not followed: told is what the balance lacks";
    }
    text + &format!(
        "\n  the closure error is {:.2e} of the energy turned over",
        energy.relative_closure_error.abs()
    )
}

fn bodies(scene: &Scene, run: &Simulation, sample: &Sample) -> String {
    let mut text = format!(
        "Bodies\n  {} present, {} removed",
        say::count(sample.bodies as u64),
        say::count(run.state.removed.count)
    );
    for (inlet, state) in run.setup.inlets.iter().zip(&run.state.inlets) {
        let name = &scene.groups[inlet.group as usize];
        let price = match inlet.rate {
            InletAmount::Mass(_) => state.mass / state.count.max(1) as f64,
            InletAmount::Count(_) => 1.0,
        };
        let what = if inlet.cluster.is_some() { "clusters" } else { "spheres" };
        let short = if state.owed > 2.0 * price { " (less than asked for: its region was full)" } else { "" };
        text += &format!(
            "\n  inlet \"{name}\" delivered {} {what}, {:.4} kg{short}",
            say::count(state.count),
            state.mass
        );
    }
    text + &format!(
        "\n  {} pair contacts, {} wall contacts\n  coordination {:.3}, largest overlap {:.3e} m",
        say::count(sample.contacts.pairs),
        say::count(sample.contacts.walls),
        sample.contacts.coordination,
        sample.contacts.largest_overlap
    )
}

fn bonds(run: &Simulation) -> String {
    if run.state.fragments.bond_count() == 0 {
        return String::new();
    }
    let bonds = bond_statistics(&run.state);
    format!(
        "Bonds\n  {} hold, {} broke by tension, {} by shear: {:.1} % of all\n  {} fragments, the heaviest {} kg",
        say::count(bonds.holding),
        say::count(bonds.broken_tension),
        say::count(bonds.broken_shear),
        100.0 * bonds.broken_share,
        say::count(bonds.fragments),
        say::number(bonds.largest_mass)
    )
}

/// Numbers about bonds; nothing without any.
fn bond_summary(run: &Simulation) -> Value {
    if run.state.fragments.bond_count() == 0 {
        return Value::Null;
    }
    let bonds = bond_statistics(&run.state);
    json!({
        "holding": bonds.holding,
        "broken_tension": bonds.broken_tension,
        "broken_shear": bonds.broken_shear,
        "broken_share": bonds.broken_share,
        "fragments": bonds.fragments,
        "largest_fragment_mass_kg": bonds.largest_mass,
    })
}
