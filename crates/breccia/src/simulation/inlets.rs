//! Bodies poured in while the run goes on.

use super::Setup;
use crate::narrow_phase::WallNow;
use crate::scene::{Assembly, BodySeed, Inlet, InletAmount, InletStream};
use crate::shapes::sphere_volume;
use crate::state::State;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Steps between two batches: each batch makes the lists be built anew.
const STEPS_PER_BATCH: u64 = 50;
/// Places tried for one sphere before it has to wait for the next batch.
const TRIES: u32 = 200;

/// What an inlet has delivered and still owes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InletState {
    /// Random stream and the sphere to come.
    pub stream: InletStream,
    /// Due but not yet delivered: mass [kg] or number, as the rate is given.
    pub owed: f64,
    /// Spheres or clusters delivered.
    pub count: u64,
    /// Mass delivered [kg].
    pub mass: f64,
}

impl InletState {
    /// An inlet before its first sphere.
    pub fn new(inlet: &Inlet) -> Self {
        Self { stream: InletStream::new(inlet), owed: 0.0, count: 0, mass: 0.0 }
    }

    /// Whether the inlet has delivered all it may.
    fn is_spent(&self, inlet: &Inlet) -> bool {
        inlet.max_count.is_some_and(|most| self.count >= most)
            || inlet.max_mass.is_some_and(|most| self.mass >= most)
    }
}

/// Pours what has become due.
pub fn pour(setup: &Setup, state: &mut State) {
    let time = setup.time_of(state.step);
    let mut poured = Assembly::default();
    for (number, inlet) in setup.inlets.iter().enumerate() {
        if time < inlet.start || state.inlets[number].is_spent(inlet) {
            continue;
        }
        let open = time < inlet.stop;
        if open {
            let rate = match inlet.rate {
                InletAmount::Mass(rate) | InletAmount::Count(rate) => rate,
            };
            state.inlets[number].owed += rate * setup.time_step;
        }
        // What became due since the last batch is not lost when the inlet closes.
        let closes = !open && setup.time_of(state.step.saturating_sub(1)) < inlet.stop;
        if closes || open && state.step.is_multiple_of(STEPS_PER_BATCH) {
            pour_batch(setup, state, number, &mut poured);
        }
    }
    if !poured.bodies.is_empty() {
        state.ledger.exchanged += energy_of(setup, state, &poured);
        let first = state.bodies.len();
        setup.add_bodies(state, &poured.bodies);
        setup.add_clumps(state, first, &poured.clumps);
        setup.add_bonds(state, first, &poured.bonds, &poured.offsets);
    }
}

fn pour_batch(setup: &Setup, state: &mut State, number: usize, poured: &mut Assembly) {
    let inlet = &setup.inlets[number];
    let density = setup.model.material(inlet.material).density;
    let walls = setup.walls_at(state, state.step);
    let crowd = Crowd::around(inlet, setup, state, &poured.bodies);
    let entry = &mut state.inlets[number];
    let first_new = poured.bodies.len();
    while !entry.is_spent(inlet) {
        let radius = entry.stream.next_radius(inlet);
        let volume = inlet.cluster.as_ref().map_or(sphere_volume(radius), |used| used.cluster.volume);
        let mass = density * volume;
        let price = if matches!(inlet.rate, InletAmount::Mass(_)) { mass } else { 1.0 };
        if entry.owed < price {
            break;
        }
        let new = &poured.bodies[first_new..];
        let free = |centre: DVec3, radius: f64| {
            crowd.is_free(setup, centre, radius)
                && new.iter().all(|s| apart(setup, centre, radius, s.position, s.radius))
                && walls.iter().all(|wall: &WallNow| !wall.present || !wall.is_near(centre, radius))
        };
        let Some(place) = entry.stream.propose(inlet, &setup.model.domain, TRIES, free) else { break };
        entry.owed -= price;
        entry.count += 1;
        entry.mass += mass;
        let seed = BodySeed {
            position: place.position,
            radius: place.radius,
            velocity: inlet.velocity,
            spin: DVec3::ZERO,
            material: inlet.material,
            group: inlet.group,
        };
        match &inlet.cluster {
            Some(used) => poured.append(used.place(&seed, &setup.model.domain, entry.stream.random())),
            None => poured.bodies.push(seed),
        }
    }
}

/// Spheres in and near the region of an inlet.
struct Crowd(Vec<(DVec3, f64)>);

impl Crowd {
    fn around(inlet: &Inlet, setup: &Setup, state: &State, poured: &[BodySeed]) -> Self {
        let (low, high) = inlet.region.bounds();
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let near = |&(centre, radius): &(DVec3, f64)| {
            let away = setup.model.domain.minimum_image(centre - middle).abs() - half - radius;
            away.max_element() <= 0.0
        };
        let present = state.bodies.rows().iter().map(|row| (row.centre(), row.radius));
        let coming = poured.iter().map(|seed| (seed.position, seed.radius));
        Self(present.chain(coming).filter(near).collect())
    }

    fn is_free(&self, setup: &Setup, centre: DVec3, radius: f64) -> bool {
        self.0.iter().all(|&(other, other_radius)| apart(setup, centre, radius, other, other_radius))
    }
}

fn apart(setup: &Setup, a: DVec3, radius_a: f64, b: DVec3, radius_b: f64) -> bool {
    let reach = radius_a + radius_b;
    setup.model.domain.minimum_image(a - b).length_squared() >= reach * reach
}

/// Kinetic and gravity energy that bodies bring along [J].
fn energy_of(setup: &Setup, state: &State, poured: &Assembly) -> f64 {
    let density = |seed: &BodySeed| setup.model.material(seed.material).density;
    let energy = |mass: f64, velocity: DVec3, turning: f64, position: DVec3| {
        mass * (0.5 * velocity.length_squared() - state.gravity.dot(position)) + 0.5 * turning
    };
    let mut is_free = vec![true; poured.bodies.len()];
    let mut sum = 0.0;
    for clump in &poured.clumps {
        is_free[clump.first as usize..][..clump.arms.len()].fill(false);
        let density = density(&poured.bodies[clump.first as usize]);
        let spin = clump.orientation.conjugate() * clump.spin;
        let turning = density * (clump.inertia * spin).dot(spin);
        sum += energy(density * clump.volume, clump.velocity, turning, clump.centre);
    }
    for seed in poured.bodies.iter().zip(is_free).filter_map(|(seed, free)| free.then_some(seed)) {
        let mass = density(seed) * sphere_volume(seed.radius);
        let turning = 0.4 * mass * seed.radius * seed.radius * seed.spin.length_squared();
        sum += energy(mass, seed.velocity, turning, seed.position);
    }
    sum
}
