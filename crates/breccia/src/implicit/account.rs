//! Phase 4: the state a solution leads to, and where the energy went.

use super::assemble::{Assembly, Inertia, Numbering, external_forces};
use super::contact::GrainContact;
use super::problem::{ContactForce, ContactProblem, NO_BODY, Solution};
use super::setup::{Motion, WallControl};
use super::state::{GrainLedger, GrainState, LoadedContact, StepReport};
use glam::DVec2;

/// Share of the reference force above which a contact counts as loaded.
const LOADED: f64 = 1e-8;

/// A solved step.
pub(super) struct Outcome {
    pub problem: ContactProblem,
    pub numbering: Numbering,
    pub solution: Solution,
    /// Of all its solves.
    pub iterations: u32,
}

impl Outcome {
    /// Whole displacement of a grain or wall: (x, y, arc); of a pressed wall: (way along its normal, 0, 0) [m].
    fn moved(&self, number: usize) -> [f64; 3] {
        let known = self.numbering.known[number];
        match self.numbering.body_of[number] {
            NO_BODY => known,
            body => {
                let unknown = self.solution.displacement[body as usize];
                std::array::from_fn(|axis| known[axis] + unknown[axis])
            }
        }
    }
}

/// The moved state, with forces, ledger and report.
pub(super) fn trial_state(assembly: &Assembly, candidates: &[GrainContact], outcome: &Outcome) -> GrainState {
    let mut next = assembly.state.clone();
    let mut step_loss = move_grains(assembly, outcome, &mut next);
    let (wall_loss, pressure_work) = move_walls(assembly, outcome, &mut next);
    step_loss += wall_loss;
    note_contacts(assembly, candidates, outcome, &mut next);
    note_energy(assembly, candidates, outcome, &mut next.ledger);
    next.ledger.step += step_loss;
    next.ledger.wall_work += pressure_work;
    next.ledger.load_work += load_work(assembly, outcome);
    next.report = StepReport {
        candidates: candidates.len() as u32,
        overlap: candidates.iter().map(|point| -point.gap).fold(0.0, f64::max),
        solve: outcome.solution.report,
        iterations: outcome.iterations,
        parts: 1,
        ..StepReport::default()
    };
    next
}

/// Velocity at the end of a step, and what the θ-rule or the resistance takes out [J per mass or resistance].
fn end_velocity(inertia: Inertia, time_step: f64, before: f64, moved: f64) -> f64 {
    match inertia {
        Inertia::Dynamic { theta } => (moved / time_step - (1.0 - theta) * before) / theta,
        Inertia::Proximal { .. } => 0.0,
    }
}

/// Energy one dof loses by the θ-rule, (θ − ½) M (v − v0)², or by the resistance to motion, M̄ ΔU² [J].
fn loss(assembly: &Assembly, resistance: f64, moved: f64, change: f64) -> f64 {
    match assembly.inertia {
        Inertia::Dynamic { theta } => {
            let mass = resistance * theta * assembly.time_step * assembly.time_step;
            (theta - 0.5) * mass * change * change
        }
        Inertia::Proximal { .. } => resistance * moved * moved,
    }
}

/// Moves the grains; gives what the step itself takes out [J].
fn move_grains(assembly: &Assembly, outcome: &Outcome, next: &mut GrainState) -> f64 {
    let mut lost = 0.0;
    for (number, grain) in assembly.setup.grains.iter().enumerate() {
        let moved = outcome.moved(number);
        next.position[number] += DVec2::new(moved[0], moved[1]);
        next.angle[number] += moved[2] / grain.radius;
        let before = [next.velocity[number].x, next.velocity[number].y, next.spin[number] * grain.radius];
        let after: [f64; 3] = std::array::from_fn(|axis| match (grain.motion[axis], assembly.inertia) {
            (Motion::Prescribed(velocity), Inertia::Dynamic { .. }) if axis == 2 => velocity * grain.radius,
            (Motion::Prescribed(velocity), Inertia::Dynamic { .. }) => velocity,
            _ => end_velocity(assembly.inertia, assembly.time_step, before[axis], moved[axis]),
        });
        next.velocity[number] = DVec2::new(after[0], after[1]);
        next.spin[number] = after[2] / grain.radius;
        if let Some(body) = outcome.problem.bodies.get(outcome.numbering.body_of[number] as usize) {
            for axis in (0..3).filter(|&axis| grain.motion[axis] == Motion::Free) {
                lost += loss(assembly, body.resistance[axis], moved[axis], after[axis] - before[axis]);
            }
        }
    }
    lost
}

/// Moves the walls; gives what the step takes out and the work of pressures [J].
fn move_walls(assembly: &Assembly, outcome: &Outcome, next: &mut GrainState) -> (f64, f64) {
    let (mut lost, mut work) = (0.0, 0.0);
    for place in 0..next.walls.len() {
        let number = assembly.setup.wall_number(place) as usize;
        let moved = outcome.moved(number);
        let before = &assembly.state.walls[place];
        let wall = &mut next.walls[place];
        match wall.control {
            WallControl::Moves(velocity) => {
                wall.offset += wall.normal.dot(DVec2::new(moved[0], moved[1]));
                wall.velocity = velocity;
            }
            WallControl::Pressed { pressure, between, .. } => {
                wall.offset += moved[0];
                let old = before.velocity.dot(before.normal);
                let speed = end_velocity(assembly.inertia, assembly.time_step, old, moved[0]);
                wall.velocity = wall.normal * speed;
                work += pressure * assembly.state.distance_between(between) * moved[0];
                let body = outcome.numbering.body_of[number] as usize;
                lost += loss(assembly, outcome.problem.bodies[body].resistance[0], moved[0], speed - old);
            }
            WallControl::Removed => {}
        }
    }
    (lost, work)
}

/// Keeps loaded contacts, and what they do to walls.
fn note_contacts(assembly: &Assembly, candidates: &[GrainContact], outcome: &Outcome, next: &mut GrainState) {
    let least = LOADED * assembly.scale.force;
    next.walls.iter_mut().for_each(|wall| wall.load = DVec2::ZERO);
    next.contacts.clear();
    let solved = candidates.iter().zip(&outcome.problem.contacts).zip(&outcome.solution.forces);
    for ((contact, cone), &force) in solved.filter(|(_, force)| force.normal > least) {
        if let Some(wall) = assembly.setup.wall_of(contact.master) {
            next.walls[wall].load -= contact_vector(contact, force);
        }
        let slip = cone.relative_motion(&outcome.solution.displacement).1 + cone.slide;
        next.contacts.push(LoadedContact { contact: *contact, force, slip });
    }
}

/// Force of a contact on its slave [N, world].
pub(super) fn contact_vector(contact: &GrainContact, force: ContactForce) -> DVec2 {
    contact.normal * force.normal + contact.normal.perp() * force.tangential
}

/// Work of contacts, split by cause. What contacts do to the bodies comes from springs, is lost, or was put in by
/// motions that are prescribed.
fn note_energy(
    assembly: &Assembly,
    candidates: &[GrainContact],
    outcome: &Outcome,
    ledger: &mut GrainLedger,
) {
    let (mut work, mut prescribed, mut elastic, mut friction) = (0.0, 0.0, 0.0, 0.0);
    let solved = candidates.iter().zip(&outcome.problem.contacts).zip(&outcome.solution.forces);
    for ((contact, cone), force) in solved {
        let (opening, slip) = cone.relative_motion(&outcome.solution.displacement);
        let start =
            if cone.normal_compliance == 0.0 { contact.gap.max(-assembly.recovery) } else { contact.gap };
        let known = force.normal * (cone.gap - start) + force.tangential * cone.slide;
        let spring = cone.tangential_compliance * (force.tangential - cone.carried);
        work += force.normal * opening + force.tangential * slip + known;
        prescribed -= known;
        friction -= force.tangential * (slip + cone.slide + spring);
        elastic += 0.5 * cone.normal_compliance * force.normal * force.normal
            + 0.5 * cone.tangential_compliance * force.tangential * force.tangential;
    }
    ledger.wall_work += prescribed;
    ledger.friction += friction;
    ledger.contact -= work + friction + (elastic - ledger.elastic);
    ledger.elastic = elastic;
}

/// Work of loads on what is free, and of whatever lifts grains along prescribed ways against gravity [J].
fn load_work(assembly: &Assembly, outcome: &Outcome) -> f64 {
    let (setup, state) = (assembly.setup, assembly.state);
    let mut work = 0.0;
    for load in &state.loads {
        let grain = &setup.grains[load.grain as usize];
        let moved = outcome.moved(load.grain as usize);
        let force = [load.force.x, load.force.y, load.moment / grain.radius];
        for axis in (0..3).filter(|&axis| grain.motion[axis] == Motion::Free) {
            work += force[axis] * moved[axis];
        }
    }
    if setup.grains.iter().any(|grain| grain.motion != [Motion::Free; 3]) {
        let weights = external_forces(setup, &GrainState { loads: Vec::new(), ..state.clone() });
        for (number, grain) in setup.grains.iter().enumerate() {
            for axis in (0..2).filter(|&axis| grain.motion[axis] != Motion::Free) {
                work -= weights[number][axis] * outcome.numbering.known[number][axis];
            }
        }
    }
    work
}
