//! How a run shows that it goes on: a bar on a terminal, plain lines elsewhere, both on stderr and in the log.

use super::log::Log;
use crate::{say, tell};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two updates of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(200);
/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(5);
/// Rates are means over at least this time.
const RATE_INTERVAL: Duration = Duration::from_secs(2);

/// Two lines: what is left, and what is going on. The bar takes what room there is, the message is cut.
const TEMPLATE: &str = "{wide_bar:.cyan/dim} {percent:>3} %  {prefix}\n{wide_msg}";

/// How far the run was at some moment.
#[derive(Clone, Copy)]
struct Mark {
    at: Instant,
    step: u64,
    body_steps: f64,
}

/// Progress of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    begin: Instant,
    last_bar: Instant,
    last_line: Instant,
    first_step: u64,
    body_steps: f64,
    /// Rates are reckoned from the older mark, so that they never rest on a moment alone.
    marks: [Mark; 2],
}

impl Progress {
    /// Begins to show a run.
    pub fn new(scene: &Scene, run: &Simulation, log: &mut Log) -> Self {
        let now = Instant::now();
        let total = run.last_step().saturating_add(1);
        let title = format!(
            "{}\n  {} spheres, {} steps of {}, {} thread{}, {:?} instructions",
            scene.title,
            say::count(run.state.bodies.len() as u64),
            say::count(total),
            say::seconds(run.setup.time_step),
            rayon::current_num_threads(),
            if rayon::current_num_threads() == 1 { "" } else { "s" },
            breccia::dispatch::instruction_set(),
        );
        tell::note(&title);
        log.line(&title);
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let style = ProgressStyle::with_template(TEMPLATE);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸─"));
            bar.set_position(run.state.step);
            bar
        });
        Self {
            bar,
            begin: now,
            last_bar: now,
            last_line: now,
            first_step: run.state.step,
            body_steps: 0.0,
            marks: [Mark { at: now, step: run.state.step, body_steps: 0.0 }; 2],
        }
    }

    /// Notes a step, and shows it when it is time to.
    pub fn show(&mut self, run: &Simulation, log: &mut Log) {
        self.body_steps += run.state.bodies.len() as f64;
        let bar_due = self.bar.is_some() && self.last_bar.elapsed() >= BAR_INTERVAL;
        let line_due = self.last_line.elapsed() >= LINE_INTERVAL;
        if !(bar_due || line_due) {
            return;
        }
        let (clock, rates) = self.messages(run);
        if let Some(bar) = &self.bar {
            bar.set_position(run.state.step);
            bar.set_prefix(clock.clone());
            bar.set_message(rates.clone());
            self.last_bar = Instant::now();
        }
        if line_due {
            self.last_line = Instant::now();
            let share = 100.0 * run.state.step as f64 / run.last_step().saturating_add(1) as f64;
            let text = format!("{share:5.1} %  {clock}  {rates}");
            log.line(&text);
            if self.bar.is_none() {
                tell::note(&text);
            }
        }
    }

    /// Seconds since the run began.
    pub fn elapsed(&self) -> f64 {
        self.begin.elapsed().as_secs_f64().max(1e-9)
    }

    /// Bodies times steps done so far.
    pub fn body_steps(&self) -> f64 {
        self.body_steps
    }

    /// Steps done by this process.
    pub fn steps(&self, run: &Simulation) -> u64 {
        run.state.step - self.first_step
    }

    /// Clears the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Simulated time with what is left to wait, and rates with what happens.
    fn messages(&mut self, run: &Simulation) -> (String, String) {
        let since = self.marks[0];
        let seconds = since.at.elapsed().as_secs_f64().max(1e-9);
        let steps_rate = (run.state.step - since.step) as f64 / seconds;
        let body_rate = (self.body_steps - since.body_steps) / seconds;
        if self.marks[1].at.elapsed() >= RATE_INTERVAL {
            let now = Mark { at: Instant::now(), step: run.state.step, body_steps: self.body_steps };
            self.marks = [self.marks[1], now];
        }
        let left = run.last_step().saturating_add(1).saturating_sub(run.state.step) as f64;
        let phase = run.phase_name().map_or_else(String::new, |name| format!("{name}: "));
        let clock = format!(
            "t = {:.4} of {} s  ETA {}",
            run.time(),
            run.setup.model.time.duration,
            say::wait(left / steps_rate)
        );
        let rates = format!(
            "{phase}{} spheres  {steps_rate:.0} steps/s  {body_rate:.2e} particle-steps/s  E_kin {:.2e} J",
            say::count(run.state.bodies.len() as u64),
            kinetic_energy(run),
        );
        (clock, rates)
    }
}

/// Kinetic energy at the last half step [J]. The table's sample is not used: taking one is part of the record, and
/// what is shown must not change what is written.
fn kinetic_energy(run: &Simulation) -> f64 {
    let bodies = &run.state.bodies;
    let energy_of = |row: usize| {
        let (place, turn) = (&bodies.places[row], &bodies.spins[row]);
        let spin_squared: f64 = turn.spin.iter().map(|s| s * s).sum();
        0.5 * (place.velocity().length_squared() / place.inverse_mass + spin_squared / turn.inverse_inertia)
    };
    (0..bodies.len()).map(energy_of).sum()
}
