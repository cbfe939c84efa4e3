//! Phase 1: phases, events and inlets.

use super::{Simulation, pour};
use crate::scene::Action;
use crate::state::State;
use glam::DVec3;

/// Steps between two looks whether the bodies of a phase have come to rest.
const STEPS_PER_REST_CHECK: u64 = 100;
/// Part of a phase that passes before the first look: bodies that begin at rest are not at their end.
const REST_CHECK_FROM: f64 = 0.1;

impl Simulation {
    /// Does what is due at the instant of the coming step.
    pub fn follow_agenda(&mut self) {
        self.begin_phase_if_due();
        for index in 0..self.setup.events.len() {
            if !self.state.agenda.done[index] && self.is_due(index) {
                self.state.agenda.done[index] = true;
                let action = self.setup.events[index].action.clone();
                self.act(&action);
            }
        }
        pour(&self.setup, &mut self.state);
    }

    /// Number of the last step as things stand: phases that end early shorten the run.
    pub fn last_step(&self) -> u64 {
        let agenda = &self.state.agenda;
        let ahead = self.setup.phases.get(agenda.phase..).unwrap_or_default();
        if ahead.is_empty() {
            return self.setup.last_step;
        }
        let steps: u64 = ahead.iter().map(|phase| self.steps_of(phase.duration)).sum();
        self.setup.last_step.min(agenda.phase_began.saturating_add(steps))
    }

    fn end_phase(&mut self) {
        let agenda = &mut self.state.agenda;
        if agenda.phase + 1 < self.setup.phases.len() {
            agenda.phase += 1;
            agenda.phase_began = self.state.step;
        } else {
            agenda.finished = true;
        }
    }

    /// Name of the phase under way.
    pub fn phase_name(&self) -> Option<&str> {
        self.setup.phases.get(self.state.agenda.phase).map(|phase| phase.name.as_str())
    }

    fn begin_phase_if_due(&mut self) {
        let Some(phase) = self.setup.phases.get(self.state.agenda.phase) else { return };
        let last = self.state.agenda.phase + 1 == self.setup.phases.len();
        let elapsed = self.state.step - self.state.agenda.phase_began;
        let over = !last && elapsed >= self.steps_of(phase.duration);
        let rest_asked_for = phase.until_kinetic_energy.is_some_and(|limit| {
            elapsed.is_multiple_of(STEPS_PER_REST_CHECK)
                && elapsed > self.steps_of(REST_CHECK_FROM * phase.duration)
                && self.kinetic_energy() < limit
        });
        if over || rest_asked_for {
            self.end_phase();
        }
    }

    /// Steps of a duration [s].
    fn steps_of(&self, duration: f64) -> u64 {
        (duration / self.setup.time_step).round() as u64
    }

    /// Kinetic energy at the last half step [J].
    fn kinetic_energy(&self) -> f64 {
        let domain = &self.setup.model.domain;
        self.state.rigid_bodies(domain).map(|body| body.kinetic_energy()).sum()
    }

    fn is_due(&self, index: usize) -> bool {
        let event = &self.setup.events[index];
        let agenda = &self.state.agenda;
        let steps = self.steps_of(event.at);
        match event.phase {
            None => self.state.step >= steps,
            Some(phase) if phase == agenda.phase => self.state.step >= agenda.phase_began + steps,
            Some(phase) => phase < agenda.phase,
        }
    }

    fn act(&mut self, action: &Action) {
        let state = &mut self.state;
        match action {
            Action::RemoveWall(wall) => {
                state.walls_present[wall.0 as usize] = false;
                state.lists_stale = true;
            }
            Action::RemoveBodies(group) => {
                let groups = state.bodies.group.iter().zip(0_u32..);
                state.leaving.extend(groups.filter(|(g, _)| *g == group).map(|(_, row)| row));
                state.lists_stale = true;
            }
            Action::SetVelocity { group, velocity } => {
                let half_kick = state.gravity * (0.5 * self.setup.time_step);
                set_velocity(state, *group, *velocity, half_kick);
            }
            Action::SetGravity(gravity) => {
                let change = *gravity - state.gravity;
                let half_step = 0.5 * self.setup.time_step;
                // Potential, and the kinetic energy of the coming instant, which is reckoned with the next kick.
                let work = state.rigid_bodies(&self.setup.model.domain).map(|body| {
                    let kick = half_step * change.dot(body.velocities[1]);
                    body.mass * (kick - change.dot(body.centres[1]))
                });
                state.ledger.event_work += work.sum::<f64>();
                state.gravity = *gravity;
            }
            Action::SetDamping(rate) => state.damping_rate = *rate,
            Action::Stop => state.agenda.finished = true,
        }
    }
}

/// Gives a group a velocity at this instant; rows hold velocities of half a step before, as in free fall.
fn set_velocity(state: &mut State, group: u16, velocity: DVec3, half_kick: DVec3) {
    let at_half_step = velocity - half_kick;
    let mut work = 0.0;
    let mut energy_of = |before: DVec3, mass: f64| {
        work += 0.5 * (velocity.length_squared() - (before + half_kick).length_squared()) * mass;
    };
    for (clump, motion) in state.clumps.clumps.iter().zip(&mut state.clumps.now) {
        if clump.group == group {
            energy_of(motion.velocity, clump.mass);
            motion.velocity = at_half_step;
        }
    }
    for row in (0..state.bodies.len()).filter(|&row| state.bodies.group[row] == group) {
        let place = &mut state.bodies.places[row];
        match state.clumps.of_row(row) {
            Some(clump) => {
                let motion = &state.clumps.now[clump];
                let arm = state.clumps.members[state.clumps.member_of_row[row] as usize].arm;
                let turning = motion.spin.cross(motion.orientation * arm);
                place.velocity = (at_half_step + turning).to_array();
            }
            None => {
                energy_of(place.velocity(), 1.0 / place.inverse_mass);
                place.velocity = at_half_step.to_array();
            }
        }
    }
    state.ledger.event_work += work;
    // The lists were made for the speeds before.
    state.lists_stale = true;
}
