//! Energies, budget and contact statistics at one instant.
//!
//! After step n both half steps around t^n are at hand. With the kinetic energy ½ m v^{n−½}·v^{n+½} and forces
//! averaged over each interval the sum kinetic + elastic + losses − work changes only by the quadrature error of
//! the springs, second order in Δt.

use crate::contacts::{Chunk, LaneView};
use crate::laws::{PairCoefficients, bond_energy};
use crate::simulation::Setup;
use crate::state::State;
use glam::DVec3;

/// Mechanical energy by kind [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBudget {
    /// Kinetic energy of translation.
    pub translation: f64,
    /// Kinetic energy of rotation.
    pub rotation: f64,
    /// Elastic energy of normal springs.
    pub elastic_normal: f64,
    /// Elastic energy of tangential springs.
    pub elastic_tangential: f64,
    /// Elastic energy of rolling springs.
    pub elastic_rolling: f64,
    /// Elastic energy of bonds.
    pub elastic_bonds: f64,
    /// Potential energy of gravity, zero at the origin.
    pub gravity: f64,
    /// Work of moving walls so far.
    pub wall_work: f64,
    /// Work of applied loads so far.
    pub load_work: f64,
    /// Energy brought by bodies put in, less that of bodies taken out, and work of events so far.
    pub exchanged: f64,
    /// Lost to normal dashpots so far.
    pub normal_damping: f64,
    /// Lost to tangential dashpots and stiffness changes so far.
    pub tangential_damping: f64,
    /// Lost to sliding so far.
    pub sliding: f64,
    /// Lost to rolling resistance so far.
    pub rolling: f64,
    /// Lost in contacts since the first sample where that is not followed by its causes: what the balance lacks.
    pub unfollowed: f64,
    /// Lost to the dashpots of bonds so far.
    pub bond_damping: f64,
    /// Set free by breaking bonds so far.
    pub fracture: f64,
    /// Lost to global damping so far.
    pub global_damping: f64,
    /// What is missing in the balance since the first sample.
    pub closure_error: f64,
    /// Closure error over the largest energy that has been in motion, springs, losses or work [–].
    pub relative_closure_error: f64,
}

impl EnergyBudget {
    /// Kinetic energy [J].
    pub fn kinetic(&self) -> f64 {
        self.translation + self.rotation
    }

    /// Elastic energy [J].
    pub fn elastic(&self) -> f64 {
        self.elastic_normal + self.elastic_tangential + self.elastic_rolling + self.elastic_bonds
    }

    /// Kinetic, elastic and gravity [J].
    pub fn mechanical(&self) -> f64 {
        self.kinetic() + self.elastic() + self.gravity
    }

    /// All that was lost [J].
    pub fn losses(&self) -> f64 {
        let contacts = self.normal_damping + self.tangential_damping + self.sliding + self.rolling;
        contacts + self.unfollowed + self.bond_damping + self.fracture + self.global_damping
    }

    /// All that was put in [J].
    pub fn inputs(&self) -> f64 {
        self.wall_work + self.load_work + self.exchanged
    }
}

/// Numbers about the contacts of one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactStatistics {
    /// Touching pairs of bodies.
    pub pairs: u64,
    /// Contacts with walls.
    pub walls: u64,
    /// Mean number of contacts of a body (a wall contact counts once).
    pub coordination: f64,
    /// Mean overlap of touching contacts [m].
    pub mean_overlap: f64,
    /// Largest overlap [m].
    pub largest_overlap: f64,
}

/// A row of the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Instant [s].
    pub time: f64,
    /// Step number.
    pub step: u64,
    /// Number of bodies; a clump is one.
    pub bodies: usize,
    /// Total mass [kg].
    pub mass: f64,
    /// Energies.
    pub energy: EnergyBudget,
    /// Linear momentum [kg m/s, world].
    pub momentum: DVec3,
    /// Angular momentum about the origin [kg m²/s, world].
    pub angular_momentum: DVec3,
    /// Contacts.
    pub contacts: ContactStatistics,
}

/// Looks at the state right after a step: everything is told for the instant whose forces were evaluated.
pub fn take_sample(setup: &Setup, state: &mut State) -> Sample {
    let step = state.step.saturating_sub(1);
    let mut sample = Sample {
        time: step as f64 * setup.time_step,
        step,
        bodies: state.rigid_body_count(),
        ..Sample::default()
    };
    add_motion(setup, state, &mut sample);
    add_contacts(setup, state, &mut sample);
    let totals = state.totals();
    let energy = &mut sample.energy;
    energy.wall_work = state.ledger.wall_work;
    energy.load_work = totals.load_work;
    energy.exchanged = state.ledger.exchanged + state.ledger.event_work;
    energy.normal_damping = totals.normal_damping;
    energy.tangential_damping = totals.tangential_damping;
    energy.sliding = totals.sliding;
    energy.rolling = totals.rolling;
    energy.bond_damping = totals.bond_damping;
    energy.fracture = state.ledger.fracture;
    energy.global_damping = totals.global_damping;
    close(energy, state, setup.model.follow_losses);
    sample
}

/// Fills in the closure error, or what was lost in contacts where that is not followed: then nothing can be missing.
fn close(energy: &mut EnergyBudget, state: &mut State, follows_losses: bool) {
    let balance = energy.mechanical() + energy.losses() - energy.inputs();
    let reference = *state.ledger.reference.get_or_insert(balance);
    if !follows_losses {
        // What braking of spins took is known, but a part of it alone would be told as rolling.
        energy.unfollowed = reference - balance + std::mem::take(&mut energy.rolling);
        return;
    }
    let in_play = [energy.kinetic() + energy.elastic(), energy.losses(), energy.inputs().abs()];
    state.ledger.turnover = in_play.iter().copied().fold(state.ledger.turnover, f64::max);
    energy.closure_error = balance - reference;
    energy.relative_closure_error =
        if state.ledger.turnover > 0.0 { energy.closure_error / state.ledger.turnover } else { 0.0 };
}

fn add_motion(setup: &Setup, state: &State, sample: &mut Sample) {
    for body in state.rigid_bodies(&setup.model.domain) {
        let ([old, new], place) = (body.velocities, body.centres[0]);
        let velocity = (old + new) * 0.5;
        sample.mass += body.mass;
        sample.energy.translation += 0.5 * body.mass * old.dot(new);
        sample.energy.rotation += body.rotation_energy;
        sample.energy.gravity -= body.mass * state.gravity.dot(place);
        sample.momentum += velocity * body.mass;
        let [old, new] = body.angular_momenta;
        sample.angular_momentum += place.cross(velocity * body.mass) + (old + new) * 0.5;
    }
}

fn add_contacts(setup: &Setup, state: &State, sample: &mut Sample) {
    let statistics = &mut sample.contacts;
    let mut overlap_sum = 0.0;
    let mut note = |depth: f64| {
        let overlap = (setup.laws.overlap)(depth);
        overlap_sum += overlap;
        statistics.largest_overlap = statistics.largest_overlap.max(overlap);
    };
    for chunk in &state.lists.chunks {
        for (lane, _) in counted_lanes(setup, chunk) {
            statistics.pairs += 1;
            note(lane.memory.depth);
        }
        for contact in chunk.surface.held() {
            statistics.walls += 1;
            note(contact.memory.depth);
        }
    }
    let contacts = statistics.pairs + statistics.walls;
    if contacts > 0 {
        statistics.mean_overlap = overlap_sum / contacts as f64;
    }
    if sample.bodies > 0 {
        statistics.coordination = (2 * statistics.pairs + statistics.walls) as f64 / sample.bodies as f64;
    }
    add_elastic_energy(setup, state, &mut sample.energy);
}

/// Touching pair contacts of a chunk.
fn counted_lanes<'a>(
    setup: &'a Setup,
    chunk: &'a Chunk,
) -> impl Iterator<Item = (LaneView, &'a PairCoefficients)> + 'a {
    chunk.groups.iter().flat_map(move |group| {
        let pair = &setup.laws.pairs[group.pair.0 as usize];
        group.contacts.lanes().filter(|lane| lane.memory.depth > 0.0).map(move |lane| (lane, pair))
    })
}

fn add_elastic_energy(setup: &Setup, state: &State, energy: &mut EnergyBudget) {
    let places = &state.bodies.places;
    for chunk in &state.lists.chunks {
        for (lane, pair) in counted_lanes(setup, chunk) {
            let (a, b) = (places[lane.a as usize].radius, places[lane.b as usize].radius);
            add_springs(setup, energy, &lane.memory, lane.scale, pair, a * b / (a + b));
        }
        energy.elastic_bonds += bond_energies(setup, state, chunk);
        for contact in chunk.surface.held() {
            let pair = &setup.laws.pairs[contact.pair.0 as usize];
            let radius = places[contact.row as usize].radius;
            add_springs(setup, energy, &contact.memory, contact.scale, pair, radius);
        }
    }
}

/// Elastic energy of the bonds of a chunk [J], at the instant of the last forces.
fn bond_energies(setup: &Setup, state: &State, chunk: &Chunk) -> f64 {
    let period = setup.model.domain.period();
    let mut sum = 0.0;
    for group in &chunk.bonds {
        let (kind, shift) = (&setup.model.bonds[usize::from(group.kind.0)], group.image.shift(period));
        for bond in group.bonds() {
            let [a, b] = [bond.a, bond.b].map(|row| state.bodies.last_places[row as usize].centre());
            sum += bond_energy((b - a + shift).length(), &bond.coefficients(kind), &bond.history());
        }
    }
    sum
}

fn add_springs(
    setup: &Setup,
    energy: &mut EnergyBudget,
    memory: &crate::contacts::Memory,
    scale: f64,
    pair: &PairCoefficients,
    reduced_radius: f64,
) {
    energy.elastic_normal += (setup.laws.normal_energy)(memory.depth, scale);
    let stiffness = (setup.laws.stiffness)(memory.depth, scale);
    if stiffness > 0.0 {
        energy.elastic_tangential +=
            memory.tangential.length_squared() / (2.0 * pair.tangential_ratio * stiffness);
    }
    let rolling_stiffness = crate::laws::rolling_stiffness(stiffness, pair.rolling_friction * reduced_radius);
    if rolling_stiffness > 0.0 {
        energy.elastic_rolling += memory.rolling.length_squared() / (2.0 * rolling_stiffness);
    }
}

/// Kinetic, elastic and gravity energy of the coming instant [J], for what is put in or taken out before it. Its kinetic
/// part is ½ m v·(v + g Δt): exact for bodies in free flight.
pub fn mechanical_energy(setup: &Setup, state: &State) -> f64 {
    let mut energy = EnergyBudget::default();
    for body in state.rigid_bodies(&setup.model.domain) {
        let velocity = body.velocities[1];
        let kicked = velocity + state.gravity * setup.time_step;
        energy.translation += 0.5 * body.mass * velocity.dot(kicked);
        energy.rotation += 0.5 * body.spins[1].dot(body.angular_momenta[1]);
        energy.gravity -= body.mass * state.gravity.dot(body.centres[1]);
    }
    add_elastic_energy(setup, state, &mut energy);
    energy.mechanical()
}
