//! Where the time of a run goes.

use std::time::Instant;

/// Phases of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Particles sorted, boxes asked.
    Sort,
    /// Bodies tested for meeting themselves.
    SelfContact,
    /// Near pairs projected where the step starts.
    Candidates,
    /// Newton's method.
    Solve,
    /// Books kept.
    Account,
}

/// Seconds per phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolidTimers {
    seconds: [f64; 5],
}

impl SolidTimers {
    /// Seconds spent in a phase.
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.seconds[phase as usize]
    }

    /// Seconds spent on detection: sorting and the first projection.
    pub fn detection(&self) -> f64 {
        self.seconds(Phase::Sort) + self.seconds(Phase::Candidates)
    }

    /// Seconds of all phases.
    pub fn total(&self) -> f64 {
        self.seconds.iter().sum()
    }

    pub(super) fn begin(&self) -> Instant {
        Instant::now()
    }

    pub(super) fn end(&mut self, phase: Phase, begin: Instant) {
        self.seconds[phase as usize] += begin.elapsed().as_secs_f64();
    }
}
