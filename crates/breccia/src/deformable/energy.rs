//! Energies and momenta of a state.

use super::setup::SolidSetup;
use super::state::SolidState;
use glam::DVec2;
use rayon::prelude::*;

/// Energies [J] and momenta of all bodies at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolidBudget {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Kinetic energy of the bodies' mean motions.
    pub translational: f64,
    /// Elastic energy of the bodies.
    pub elastic: f64,
    /// Energy of contacts, normal to surfaces.
    pub contact: f64,
    /// Energy of contacts, along surfaces.
    pub slip: f64,
    /// Energy in the field of gravity, zero at the origin.
    pub gravity: f64,
    /// Energy dissipated by friction since the start.
    pub friction: f64,
    /// Work of loads and prescribed motions since the start.
    pub work: f64,
    /// Momentum [kg m/s].
    pub momentum: DVec2,
    /// Angular momentum about the origin [kg m²/s].
    pub angular_momentum: f64,
}

impl SolidBudget {
    /// H: energy stored [J].
    pub fn stored(&self) -> f64 {
        self.kinetic + self.elastic + self.contact + self.slip + self.gravity
    }

    /// What stays constant [J]: energy stored and dissipated, less the work done.
    pub fn constant(&self) -> f64 {
        self.stored() + self.friction - self.work
    }
}

/// Motion of one body as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyMotion {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass [m].
    pub centre: DVec2,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec2,
    /// Kinetic energy [J].
    pub kinetic: f64,
    /// Elastic energy [J].
    pub elastic: f64,
    /// Angular momentum about the origin [kg m²/s].
    pub angular_momentum: f64,
}

/// Motion of a body; zero for obstacles, which have no mass.
pub fn body_motion(setup: &SolidSetup, state: &SolidState, body: usize) -> BodyMotion {
    let Some(shape) = setup.bodies[body].shape() else { return BodyMotion::default() };
    let range = setup.nodes(body);
    let (x, v) = (&state.positions[range.clone()], &state.velocities[range]);
    let mut momenta = vec![DVec2::ZERO; x.len()];
    shape.pattern.multiply(&shape.mass, v, &mut momenta);
    let mut moments = vec![DVec2::ZERO; x.len()];
    shape.pattern.multiply(&shape.mass, x, &mut moments);
    let mass = shape.total_mass();
    BodyMotion {
        mass,
        centre: moments.iter().sum::<DVec2>() / mass,
        velocity: momenta.iter().sum::<DVec2>() / mass,
        kinetic: 0.5 * v.iter().zip(&momenta).map(|(v, p)| v.dot(*p)).sum::<f64>(),
        elastic: shape.energy(x),
        angular_momentum: x.iter().zip(&momenta).map(|(x, p)| x.perp_dot(*p)).sum(),
    }
}

/// Energies and momenta now.
pub fn budget(setup: &SolidSetup, state: &SolidState) -> SolidBudget {
    let (contact, slip) = state.pairs.energy();
    let weight = setup.weights.iter().zip(&state.positions).map(|(force, x)| force.dot(*x)).sum::<f64>();
    let mut sum = SolidBudget {
        contact,
        slip,
        gravity: -weight,
        friction: state.ledger.friction,
        work: state.ledger.loads + state.ledger.supports,
        ..SolidBudget::default()
    };
    let motions: Vec<BodyMotion> =
        (0..setup.bodies.len()).into_par_iter().map(|body| body_motion(setup, state, body)).collect();
    for motion in motions {
        sum.kinetic += motion.kinetic;
        sum.translational += 0.5 * motion.mass * motion.velocity.length_squared();
        sum.elastic += motion.elastic;
        sum.momentum += motion.mass * motion.velocity;
        sum.angular_momentum += motion.angular_momentum;
    }
    sum
}

/// Bodies joined by contacts with pressure, walls not counted: sizes of the groups, largest first.
pub fn clusters(setup: &SolidSetup, state: &SolidState) -> Vec<u32> {
    let mut leader: Vec<usize> = (0..setup.bodies.len()).collect();
    fn find(leader: &mut [usize], mut body: usize) -> usize {
        while leader[body] != body {
            leader[body] = leader[leader[body]];
            body = leader[body];
        }
        body
    }
    for (pair, memory) in &state.pairs.rows {
        let (own, other) = (setup.particles[pair.point as usize].body as usize, pair.body as usize);
        if memory.pressure > 0.0 && other < setup.bodies.len() {
            let (one, two) = (find(&mut leader, own), find(&mut leader, other));
            leader[one.max(two)] = one.min(two);
        }
    }
    let mut sizes = vec![0; leader.len()];
    (0..leader.len()).for_each(|body| sizes[find(&mut leader, body)] += 1);
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}
