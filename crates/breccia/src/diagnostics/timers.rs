//! Where the time went.

use std::time::Instant;

/// Parts of a run that are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Neighbour lists built anew.
    Rebuild,
    /// Neighbour lists refreshed.
    Refresh,
    /// Pair contacts.
    Pairs,
    /// Wall contacts.
    Surfaces,
    /// Motion of bodies.
    Motion,
    /// Bonds that failed taken out, fragments found.
    Breakage,
    /// Samples, frames, checkpoints.
    Output,
}

impl Phase {
    /// All parts, in the order of a step.
    pub const ALL: [Self; 7] = [
        Self::Rebuild,
        Self::Refresh,
        Self::Pairs,
        Self::Surfaces,
        Self::Motion,
        Self::Breakage,
        Self::Output,
    ];

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rebuild => "list rebuild",
            Self::Refresh => "list refresh",
            Self::Pairs => "pair contacts",
            Self::Surfaces => "wall contacts",
            Self::Motion => "motion",
            Self::Breakage => "breakage",
            Self::Output => "output",
        }
    }
}

/// Seconds by part, and how often lists were touched.
///
/// Pairs, surfaces and motion run inside chunks on all threads: their seconds are those of the threads divided
/// by their number.
#[derive(Clone, Debug, Default)]
pub struct Timers {
    seconds: [f64; Phase::ALL.len()],
    /// Rebuilds so far.
    pub rebuilds: u64,
    /// Searches for near walls apart from rebuilds so far.
    pub surface_rebuilds: u64,
    /// Refreshes so far.
    pub refreshes: u64,
}

impl Timers {
    /// Adds time to a part [s].
    pub fn add(&mut self, phase: Phase, seconds: f64) {
        self.seconds[phase as usize] += seconds;
    }

    /// Adds the time since `begin` to a part.
    pub fn add_since(&mut self, phase: Phase, begin: Instant) {
        self.add(phase, begin.elapsed().as_secs_f64());
    }

    /// Time of a part so far [s].
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.seconds[phase as usize]
    }
}
