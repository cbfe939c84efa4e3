//! Phase 1: phases, events and inlets.

use super::{Simulation, pour};
use crate::scene::Action;
use crate::state::{State, Timetable};
use glam::DVec3;

impl Simulation {
    /// Does what is due at the instant of the coming step.
    pub fn follow_agenda(&mut self) {
        let (step, mut agenda) = (self.state.step, std::mem::take(&mut self.state.agenda));
        self.timetable().begin_phase_if_due(&mut agenda, step, || self.kinetic_energy());
        let due = self.timetable().take_due(&mut agenda, step);
        self.state.agenda = agenda;
        for event in due {
            let action = self.setup.events[event].action.clone();
            self.act(&action);
        }
        pour(&self.setup, &mut self.state);
    }

    /// Number of the last step as things stand: phases that end early shorten the run.
    pub fn last_step(&self) -> u64 {
        self.timetable().last_step(&self.state.agenda)
    }

    fn timetable(&self) -> Timetable<'_> {
        Timetable {
            phases: &self.setup.phases,
            events: &self.setup.events,
            last_step: self.setup.last_step,
            time_step: self.setup.time_step,
        }
    }

    /// Name of the phase under way.
    pub fn phase_name(&self) -> Option<&str> {
        self.setup.phases.get(self.state.agenda.phase).map(|phase| phase.name.as_str())
    }

    /// Kinetic energy at the last half step [J].
    fn kinetic_energy(&self) -> f64 {
        let domain = &self.setup.model.domain;
        self.state.rigid_bodies(domain).map(|body| body.kinetic_energy()).sum()
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
