//! Where a run stands in its phases and events.

use crate::scene::{Event, Phase};
use serde::{Deserialize, Serialize};

/// Steps between two looks whether the bodies of a phase have come to rest.
const STEPS_PER_REST_CHECK: u64 = 100;
/// Part of a phase that passes before the first look: bodies that begin at rest are not at their end.
const REST_CHECK_FROM: f64 = 0.1;

/// Where a run stands in its phases and events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgendaState {
    /// Phase under way.
    pub phase: usize,
    /// Step at which it began.
    pub phase_began: u64,
    /// Which events have happened.
    pub done: Vec<bool>,
    /// Whether the run is over.
    pub finished: bool,
}

/// What is to happen when, in a run of any method.
pub struct Timetable<'a> {
    /// Phases.
    pub phases: &'a [Phase],
    /// Events.
    pub events: &'a [Event],
    /// Number of the last step if no phase ends early.
    pub last_step: u64,
    /// Time step [s].
    pub time_step: f64,
}

impl Timetable<'_> {
    /// Number of the last step as things stand: phases that end early shorten the run.
    pub fn last_step(&self, agenda: &AgendaState) -> u64 {
        let ahead = self.phases.get(agenda.phase..).unwrap_or_default();
        if ahead.is_empty() {
            return self.last_step;
        }
        let steps: u64 = ahead.iter().map(|phase| self.steps_of(phase.duration)).sum();
        self.last_step.min(agenda.phase_began.saturating_add(steps))
    }

    /// Begins the next phase, or ends the run after the last, where the time has come or the bodies are at rest.
    pub fn begin_phase_if_due(
        &self,
        agenda: &mut AgendaState,
        step: u64,
        kinetic_energy: impl FnOnce() -> f64,
    ) {
        let Some(phase) = self.phases.get(agenda.phase) else { return };
        let last = agenda.phase + 1 == self.phases.len();
        let elapsed = step - agenda.phase_began;
        let over = !last && elapsed >= self.steps_of(phase.duration);
        let at_rest = phase.until_kinetic_energy.is_some_and(|limit| {
            elapsed.is_multiple_of(STEPS_PER_REST_CHECK)
                && elapsed > self.steps_of(REST_CHECK_FROM * phase.duration)
                && kinetic_energy() < limit
        });
        if over || at_rest {
            self.end_phase(agenda, step);
        }
    }

    /// Whether the phase under way has no more steps after this many steps of the run.
    pub fn is_phase_used_up(&self, agenda: &AgendaState, step: u64) -> bool {
        self.phases
            .get(agenda.phase)
            .is_some_and(|phase| step - agenda.phase_began >= self.steps_of(phase.duration))
    }

    /// Begins the next phase, or ends the run after the last.
    pub fn end_phase(&self, agenda: &mut AgendaState, step: u64) {
        if agenda.phase + 1 == self.phases.len() {
            agenda.finished = true;
        } else {
            agenda.phase += 1;
            agenda.phase_began = step;
        }
    }

    /// Events that are due at a step, in the order of the scene; they count as done.
    pub fn take_due(&self, agenda: &mut AgendaState, step: u64) -> Vec<usize> {
        let due: Vec<usize> = (0..self.events.len())
            .filter(|&event| !agenda.done[event] && self.is_due(agenda, event, step))
            .collect();
        due.iter().for_each(|&event| agenda.done[event] = true);
        due
    }

    fn is_due(&self, agenda: &AgendaState, event: usize, step: u64) -> bool {
        let event = &self.events[event];
        let steps = self.steps_of(event.at);
        match event.phase {
            None => step >= steps,
            Some(phase) if phase == agenda.phase => step >= agenda.phase_began + steps,
            Some(phase) => phase < agenda.phase,
        }
    }

    /// Steps of a duration [s].
    fn steps_of(&self, duration: f64) -> u64 {
        (duration / self.time_step).round() as u64
    }
}
