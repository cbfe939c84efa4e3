//! Rigid bodies as the books see them: spheres of their own and clumps alike.

use super::{Clumps, State};
use crate::contacts::{Flow, StepTotals};
use crate::model::Domain;
use glam::DVec3;

/// A sphere or a clump; pairs of values belong to the half steps or instants before and after the last step.
#[derive(Clone, Copy, Debug)]
pub struct RigidBody {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass, without periodic jumps [m, world].
    pub centres: [DVec3; 2],
    /// Velocity of the centre [m/s, world].
    pub velocities: [DVec3; 2],
    /// Angular velocity [rad/s, world].
    pub spins: [DVec3; 2],
    /// Angular momentum about the centre [kg m²/s, world].
    pub angular_momenta: [DVec3; 2],
    /// Kinetic energy of rotation at the instant between the half steps, ½ L^{n−½}·J⁻¹ L^{n+½} [J].
    pub rotation_energy: f64,
}

impl RigidBody {
    /// Kinetic energy at the later half step [J].
    pub fn kinetic_energy(&self) -> f64 {
        let translation = self.mass * self.velocities[1].length_squared();
        0.5 * (translation + self.spins[1].dot(self.angular_momenta[1]))
    }
}

impl State {
    /// All rigid bodies: spheres in the order of their rows, then clumps.
    pub fn rigid_bodies<'a>(&'a self, domain: &'a Domain) -> impl Iterator<Item = RigidBody> + 'a {
        let free = |row: &usize| self.clumps.member_of_row.get(*row).is_none_or(|&m| m == Clumps::FREE);
        let spheres = (0..self.bodies.len()).filter(free).map(move |row| self.sphere(row, domain));
        spheres.chain((0..self.clumps.clumps.len()).map(|number| self.clump(number)))
    }

    /// Losses and works of all steps so far.
    pub fn totals(&self) -> StepTotals {
        let mut totals = self.lists.totals();
        totals.add(&self.clumps.totals);
        totals
    }

    /// What crossed each of the flow planes so far.
    pub fn flows(&self, planes: usize) -> Vec<Flow> {
        let mut flows = self.lists.flows(planes);
        for (sum, flow) in flows.iter_mut().zip(&self.clumps.flows) {
            sum.add(flow.mass, flow.count);
        }
        flows
    }

    /// Number of rigid bodies.
    pub fn rigid_body_count(&self) -> usize {
        self.bodies.len() - self.clumps.members.len() + self.clumps.clumps.len()
    }

    /// What a row counts as when bodies are counted by rows [kg]: a clump by its first sphere, with all of its mass.
    pub fn share_of_body(&self, row: usize) -> (u64, f64) {
        let mass = 1.0 / self.bodies.places[row].inverse_mass;
        match self.clumps.of_row(row) {
            Some(clump) if self.clumps.clumps[clump].first_id != self.bodies.id[row] => (0, 0.0),
            _ => (1, mass),
        }
    }

    fn sphere(&self, row: usize, domain: &Domain) -> RigidBody {
        let bodies = &self.bodies;
        let places = [&bodies.last_places[row], &bodies.places[row]];
        let spins = [&bodies.last_spins[row], &bodies.spins[row]];
        let [old, new] = spins.map(|spin| DVec3::from_array(spin.spin));
        RigidBody {
            mass: 1.0 / places[0].inverse_mass,
            centres: places.map(|place| bodies.unwrapped(place, row, domain)),
            velocities: places.map(|place| place.velocity()),
            spins: [old, new],
            angular_momenta: [old, new].map(|spin| spin / spins[0].inverse_inertia),
            rotation_energy: 0.5 * old.dot(new) / spins[0].inverse_inertia,
        }
    }

    fn clump(&self, number: usize) -> RigidBody {
        let clump = &self.clumps.clumps[number];
        let motions = [&self.clumps.before[number], &self.clumps.now[number]];
        let back = motions[0].orientation.conjugate();
        let [old, new] = motions.map(|motion| back * motion.angular_momentum);
        RigidBody {
            mass: clump.mass,
            centres: motions.map(|motion| motion.position),
            velocities: motions.map(|motion| motion.velocity),
            spins: motions.map(|motion| motion.spin),
            angular_momenta: motions.map(|motion| motion.angular_momentum),
            rotation_energy: 0.5 * old.dot(new / clump.inertia),
        }
    }
}
