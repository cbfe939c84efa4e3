//! How a run shows that it goes on: a bar on a terminal, plain lines elsewhere, both on stderr and in the log.

use super::log::Log;
use super::method::Method;
use crate::{say, tell};
use breccia::scene::Scene;
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
    /// Simulated time of the whole run [s].
    duration: f64,
}

impl Progress {
    /// Begins to show a run.
    pub fn new<M: Method>(scene: &Scene, run: &M, log: &mut Log) -> Self {
        let now = Instant::now();
        let total = run.steps_in_all();
        let title = format!(
            "{}\n  {} {}, {} steps of {}, {} thread{}, {:?} instructions",
            scene.title,
            say::count(run.body_count()),
            M::BODIES,
            say::count(total),
            say::seconds(run.time_step()),
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
            bar.set_position(run.steps_done());
            bar
        });
        Self {
            bar,
            begin: now,
            last_bar: now,
            last_line: now,
            first_step: run.steps_done(),
            duration: scene.model.time.duration,
            body_steps: 0.0,
            marks: [Mark { at: now, step: run.steps_done(), body_steps: 0.0 }; 2],
        }
    }

    /// Notes a step, and shows it when it is time to.
    pub fn show<M: Method>(&mut self, run: &M, log: &mut Log) {
        self.body_steps += run.body_count() as f64;
        let bar_due = self.bar.is_some() && self.last_bar.elapsed() >= BAR_INTERVAL;
        let line_due = self.last_line.elapsed() >= LINE_INTERVAL;
        if !(bar_due || line_due) {
            return;
        }
        let (clock, rates) = self.messages(run);
        if let Some(bar) = &self.bar {
            bar.set_position(run.steps_done());
            bar.set_prefix(clock.clone());
            bar.set_message(rates.clone());
            self.last_bar = Instant::now();
        }
        if line_due {
            self.last_line = Instant::now();
            let share = 100.0 * run.steps_done() as f64 / run.steps_in_all() as f64;
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
    pub fn steps(&self, run: &impl Method) -> u64 {
        run.steps_done() - self.first_step
    }

    /// Clears the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Simulated time with what is left to wait, and rates with what happens.
    fn messages<M: Method>(&mut self, run: &M) -> (String, String) {
        let since = self.marks[0];
        let seconds = since.at.elapsed().as_secs_f64().max(1e-9);
        let steps_rate = (run.steps_done() - since.step) as f64 / seconds;
        let body_rate = (self.body_steps - since.body_steps) / seconds;
        if self.marks[1].at.elapsed() >= RATE_INTERVAL {
            let now = Mark { at: Instant::now(), step: run.steps_done(), body_steps: self.body_steps };
            self.marks = [self.marks[1], now];
        }
        let left = run.steps_in_all().saturating_sub(run.steps_done()) as f64;
        let clock = format!(
            "t = {:.4} of {} s  ETA {}",
            run.steps_done() as f64 * run.time_step(),
            self.duration,
            say::wait(left / steps_rate)
        );
        let rates = format!(
            "{}{} {}  {steps_rate:.0} steps/s  {body_rate:.2e} particle-steps/s  {}",
            run.activity(),
            say::count(run.body_count()),
            M::BODIES,
            run.pulse(),
        );
        (clock, rates)
    }
}
