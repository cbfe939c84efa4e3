//! How a run shows that it goes on: a bar on a terminal, plain lines elsewhere.

use crate::say;
use breccia::diagnostics::Sample;
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time between two updates of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(150);
/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Progress of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    log: Option<File>,
    begin: Instant,
    last_bar: Instant,
    last_line: Instant,
    first_step: u64,
    body_steps: f64,
    recent: (Instant, f64, u64),
}

impl Progress {
    /// Begins to show a run.
    pub fn new(scene: &Scene, run: &Simulation, log: Option<File>) -> Self {
        let now = Instant::now();
        let total = run.setup.last_step + 1;
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:32.cyan/dim} {percent:>3}%  {msg}  ETA {eta}");
            let bar = ProgressBar::new(total);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(run.state.step);
            bar.reset_eta();
            bar
        });
        let mut progress = Self {
            bar,
            log,
            begin: now,
            last_bar: now,
            last_line: now,
            first_step: run.state.step,
            body_steps: 0.0,
            recent: (now, 0.0, run.state.step),
        };
        progress.line(&format!(
            "{}: {} spheres, {} steps of {}, {} threads, {:?} instructions",
            scene.title,
            say::count(run.state.bodies.len() as u64),
            say::count(total),
            say::seconds(run.setup.time_step),
            rayon::current_num_threads(),
            breccia::dispatch::instruction_set(),
        ));
        progress
    }

    /// Notes a step, and shows it when it is time to.
    pub fn show(&mut self, run: &Simulation, sample: Option<&Sample>) {
        self.body_steps += run.state.bodies.len() as f64;
        let bar_due = self.bar.is_some() && self.last_bar.elapsed() >= BAR_INTERVAL;
        let line_due = self.last_line.elapsed() >= LINE_INTERVAL;
        if !(bar_due || line_due) {
            return;
        }
        let message = self.message(run, sample);
        if let Some(bar) = &self.bar {
            bar.set_position(run.state.step);
            bar.set_message(message.clone());
            self.last_bar = Instant::now();
        }
        if line_due {
            self.last_line = Instant::now();
            let share = 100.0 * run.state.step as f64 / (run.setup.last_step + 1) as f64;
            let left = self.begin.elapsed().as_secs_f64() * (run.setup.last_step + 1 - run.state.step) as f64
                / (run.state.step - self.first_step).max(1) as f64;
            let text = format!("{share:5.1} %  {message}  ETA {}", say::seconds(left));
            self.write_log(&text);
            if self.bar.is_none() {
                eprintln!("{text}");
            }
        }
    }

    /// Seconds since the run began.
    pub fn elapsed(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
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

    /// A line for terminal and log.
    pub fn line(&mut self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            None => eprintln!("{text}"),
        }
        self.write_log(text);
    }

    fn write_log(&mut self, text: &str) {
        // A log that cannot be written must not stop the run; table and frames report a full disk.
        if let Some(log) = &mut self.log {
            let _ = writeln!(log, "{text}");
        }
    }

    fn message(&mut self, run: &Simulation, sample: Option<&Sample>) -> String {
        let (since, bodies, step) = self.recent;
        let seconds = since.elapsed().as_secs_f64().max(1e-9);
        let steps_rate = (run.state.step - step) as f64 / seconds;
        let body_rate = (self.body_steps - bodies) / seconds;
        if seconds > 2.0 {
            self.recent = (Instant::now(), self.body_steps, run.state.step);
        }
        let kinetic = sample.map_or_else(String::new, |s| format!("  E_kin {:.3e} J", s.energy.kinetic()));
        let phase = run.phase_name().map_or_else(String::new, |name| format!("[{name}] "));
        format!(
            "{phase}t = {:.4} s  {} spheres  {steps_rate:.0} steps/s  {body_rate:.2e} particle-steps/s{kinetic}",
            run.time(),
            say::count(run.state.bodies.len() as u64),
        )
    }
}
