//! What is left of the equations of motion at a trial position.

use crate::deformable::contact::{Candidate, Evaluated, evaluate};
use crate::deformable::setup::SolidSetup;
use glam::DVec2;
use rayon::prelude::*;

/// What a step starts from.
pub struct StepInput<'a> {
    /// Positions at the start [m].
    pub x0: &'a [DVec2],
    /// Velocities at the start [m/s].
    pub v0: &'a [DVec2],
    /// Velocities of the middle of the step before [m/s]: the first guess.
    pub guess: &'a [DVec2],
    /// Time at the start [s].
    pub time: f64,
    /// Length of the step [s].
    pub time_step: f64,
}

/// M·v₀ per body [kg m/s]: what inertia of a step starts from.
pub fn start_momenta(setup: &SolidSetup, input: &StepInput) -> Vec<Vec<DVec2>> {
    let of = |body: usize| {
        let range = setup.nodes(body);
        let mut momenta = vec![DVec2::ZERO; range.len()];
        if let Some(shape) = setup.bodies[body].shape() {
            shape.pattern.multiply(&shape.mass, &input.v0[range], &mut momenta);
        }
        momenta
    };
    (0..setup.bodies.len()).into_par_iter().map(of).collect()
}

/// The equations of motion at a trial position.
pub struct Residual {
    /// What is left per body and node [N]; at prescribed nodes the force of the support.
    pub bodies: Vec<Vec<DVec2>>,
    /// Squared norm over free unknowns, per body [N²].
    pub squares: Vec<f64>,
    /// Norm over free unknowns of all bodies [N].
    pub norm: f64,
    /// Larger of the norms of elastic and of inertial forces [N].
    pub scale: f64,
    /// Contacts.
    pub contacts: Vec<Evaluated>,
    /// Whether all is finite and no element is turned inside out.
    pub sound: bool,
}

/// One body's share.
struct Share {
    residual: Vec<DVec2>,
    elastic: f64,
    inertial: f64,
    sound: bool,
}

impl Residual {
    /// Evaluates a trial position `x1` [m].
    pub fn new(
        setup: &SolidSetup,
        input: &StepInput,
        momenta: &[Vec<DVec2>],
        candidates: &[Candidate],
        x1: &[DVec2],
        project: bool,
    ) -> Self {
        let middle: Vec<DVec2> = input.x0.iter().zip(x1).map(|(from, to)| 0.5 * (*from + *to)).collect();
        let contacts = evaluate(setup, candidates, (input.x0, x1, &middle), project);
        let shares: Vec<Share> = (0..setup.bodies.len())
            .into_par_iter()
            .map(|body| body_share(setup, input, &momenta[body], x1, body))
            .collect();
        let (elastic, inertial): (f64, f64) =
            shares.iter().fold((0.0, 0.0), |sum, share| (sum.0 + share.elastic, sum.1 + share.inertial));
        let mut sound = shares.iter().all(|share| share.sound);
        let mut bodies: Vec<Vec<DVec2>> = shares.into_iter().map(|share| share.residual).collect();
        for contact in &contacts {
            if contact.step.pressure.force > 0.0 {
                subtract_contact(setup, contact, &mut bodies);
            }
        }
        let squares: Vec<f64> =
            (0..bodies.len()).map(|body| free_square(setup, body, &bodies[body])).collect();
        let norm = squares.iter().sum::<f64>().sqrt();
        sound &= norm.is_finite();
        Self { bodies, squares, norm, scale: elastic.max(inertial).sqrt(), contacts, sound }
    }
}

/// (2/Δt²) M Δx − (2/Δt) M v₀ + f − loads of one body.
fn body_share(setup: &SolidSetup, input: &StepInput, momenta: &[DVec2], x1: &[DVec2], body: usize) -> Share {
    let range = setup.nodes(body);
    let mut share =
        Share { residual: vec![DVec2::ZERO; range.len()], elastic: 0.0, inertial: 0.0, sound: true };
    let Some(shape) = setup.bodies[body].shape() else { return share };
    let (x0, x1) = (&input.x0[range.clone()], &x1[range.clone()]);
    share.sound = shape.add_forces(x0, x1, setup.settings.stress, &mut share.residual);
    share.elastic = share.residual.iter().map(|force| force.length_squared()).sum();
    let moves: Vec<DVec2> = x0.iter().zip(x1).map(|(from, to)| *to - *from).collect();
    let mut moved = vec![DVec2::ZERO; moves.len()];
    shape.pattern.multiply(&shape.mass, &moves, &mut moved);
    let rate = 2.0 / input.time_step;
    let terms = share.residual.iter_mut().zip(&moved).zip(momenta.iter().zip(&setup.loads[range]));
    for ((residual, moved), (momentum, load)) in terms {
        let inertia = rate * rate * 0.5 * *moved;
        share.inertial += inertia.length_squared();
        *residual += inertia - rate * *momentum - *load;
    }
    share
}

fn subtract_contact(setup: &SolidSetup, contact: &Evaluated, bodies: &mut [Vec<DVec2>]) {
    let count = if contact.opposite.is_wall() { 1 } else { 3 };
    for (&node, force) in contact.nodes.iter().zip(contact.step.forces).take(count) {
        let body = setup.body_of(node as usize);
        bodies[body][node as usize - setup.first_node[body]] -= force;
    }
}

fn free_square(setup: &SolidSetup, body: usize, residual: &[DVec2]) -> f64 {
    let held = &setup.held[setup.nodes(body)];
    let free = |(vector, held): (&DVec2, &[bool; 2])| {
        let x = if held[0] { 0.0 } else { vector.x };
        let y = if held[1] { 0.0 } else { vector.y };
        x * x + y * y
    };
    residual.iter().zip(held).map(free).sum()
}
