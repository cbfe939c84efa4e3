//! What a run does not change, made ready for stepping.

use super::StepLimits;
use crate::contacts::bonds::{Bond, BondEnds, BondMemory};
use crate::laws::ChosenLaws;
use crate::model::{Model, StepChoice};
use crate::narrow_phase::WallNow;
use crate::scene::{BodySeed, BondSeed, ClumpSeed, Event, FlowPlane, Inlet, OffsetSeed, Phase, Scene};
use crate::shapes::sphere_volume;
use crate::state::{ClumpMotion, NewBody, NewClump, State};
use std::f64::consts::PI;

/// A problem, its laws and its time step.
pub struct Setup {
    /// The problem.
    pub model: Model,
    /// Laws in use.
    pub laws: ChosenLaws,
    /// Time step [s].
    pub time_step: f64,
    /// Number of the last step: its forces are evaluated at the end of the run.
    pub last_step: u64,
    /// Phases.
    pub phases: Vec<Phase>,
    /// Events.
    pub events: Vec<Event>,
    /// Inlets.
    pub inlets: Vec<Inlet>,
    /// Planes whose flow is counted.
    pub flow_planes: Vec<FlowPlane>,
}

impl Setup {
    /// The set-up of a scene.
    pub fn new(scene: &Scene) -> Self {
        let model = scene.model.clone();
        let time_step = match model.time.step {
            StepChoice::Fixed(step) => step,
            StepChoice::Auto => StepLimits::of(scene).automatic(&model),
        };
        Self {
            laws: ChosenLaws::new(&model),
            time_step,
            last_step: (model.time.duration / time_step).round() as u64,
            phases: scene.phases.clone(),
            events: scene.events.clone(),
            inlets: scene.inlets.clone(),
            flow_planes: scene.output.flow_planes.clone(),
            model,
        }
    }

    /// Time of a step [s]; a product, so that it does not drift.
    pub fn time_of(&self, step: u64) -> f64 {
        step as f64 * self.time_step
    }

    /// Walls at the instant of a step.
    pub fn walls_at(&self, state: &State, step: u64) -> Vec<WallNow<'_>> {
        let time = self.time_of(step);
        let walls = self.model.walls.iter().zip(&state.walls_present);
        walls.map(|(wall, &present)| WallNow::at(wall, present, time, self.time_step)).collect()
    }

    /// Bonds bodies last put in, at rest where they are; places in the seeds count from row `first`.
    pub fn add_bonds(&self, state: &mut State, first: usize, bonds: &[BondSeed], offsets: &[OffsetSeed]) {
        // Where bonds can come later, fragments must know all bodies from the start.
        if bonds.is_empty() && offsets.is_empty() && self.model.bonds.is_empty() {
            return;
        }
        let places = &state.bodies.places[first..];
        let ids = &state.bodies.id[first..];
        let distance = |a: u32, b: u32| {
            let separation = places[a as usize].centre() - places[b as usize].centre();
            self.model.domain.minimum_image(separation).length()
        };
        let first_bond = state.fragments.bond_count() as u32;
        for (seed, id) in bonds.iter().zip(first_bond..) {
            let [a, b] = [seed.a, seed.b].map(|row| &places[row as usize]);
            let reduced_mass = 1.0 / (a.inverse_mass + b.inverse_mass);
            let (kind, rest_length) = (&self.model.bonds[usize::from(seed.kind.0)], distance(seed.a, seed.b));
            let (stiffness, _) = kind.stiffness_per_area(rest_length);
            let area = PI * seed.radius * seed.radius;
            let bond = Bond {
                id,
                a: ids[seed.a as usize],
                b: ids[seed.b as usize],
                rest_length,
                radius: seed.radius,
                stiffness,
                damping: 2.0 * kind.damping_ratio * (reduced_mass * stiffness * area).sqrt(),
                strength: seed.strength,
                memory: BondMemory::default(),
            };
            state.lists.waiting.bonds.push((seed.kind, bond));
        }
        for seed in offsets {
            let radii = places[seed.a as usize].radius + places[seed.b as usize].radius;
            let offset = radii - distance(seed.a, seed.b);
            if offset > 0.0 {
                let pair = [seed.a, seed.b].map(|row| ids[row as usize]);
                state.lists.waiting.offsets.push((pair, offset));
            }
        }
        let ends = |seed: &BondSeed| BondEnds { a: ids[seed.a as usize], b: ids[seed.b as usize] };
        let ends: Vec<BondEnds> = bonds.iter().map(ends).collect();
        state.fragments.add(state.bodies.next_id, &ends);
    }

    /// Makes bodies last put in into clumps; places in the seeds count from row `first`.
    pub fn add_clumps(&self, state: &mut State, first: usize, seeds: &[ClumpSeed]) {
        let half_kick = state.gravity * (0.5 * self.time_step);
        for seed in seeds {
            let place = first + seed.first as usize;
            let density = self.model.material(state.bodies.material[place]).density;
            let (mass, inertia) = (density * seed.volume, density * seed.inertia);
            let spin = seed.orientation.conjugate() * seed.spin;
            state.clumps.push(NewClump {
                first_id: state.bodies.id[place],
                group: state.bodies.group[place],
                mass,
                inertia,
                motion: ClumpMotion {
                    position: seed.centre,
                    orientation: seed.orientation,
                    velocity: seed.velocity - half_kick,
                    angular_momentum: seed.orientation * (inertia * spin),
                    spin: seed.spin,
                },
                arms: seed.arms.clone(),
            });
            // Contacts of a sphere know the mass it moves with; how freely the clump turns, they know in the mean.
            for row in place..place + seed.arms.len() {
                let bodies = &mut state.bodies;
                for (places, spins) in [
                    (&mut bodies.places, &mut bodies.spins),
                    (&mut bodies.last_places, &mut bodies.last_spins),
                ] {
                    places[row].inverse_mass = 1.0 / mass;
                    spins[row].inverse_inertia = 3.0 / inertia.element_sum();
                }
            }
        }
        state.clumps.follow(&state.bodies.id);
    }

    /// Puts bodies into the state, velocities taken back by half a step of free fall.
    pub fn add_bodies(&self, state: &mut State, seeds: &[BodySeed]) {
        let half_kick = state.gravity * (0.5 * self.time_step);
        let new = seeds.iter().map(|seed| {
            let density = self.model.material(seed.material).density;
            NewBody {
                position: seed.position,
                radius: seed.radius,
                mass: density * sphere_volume(seed.radius),
                velocity: seed.velocity - half_kick,
                spin: seed.spin,
                material: seed.material,
                group: seed.group,
            }
        });
        state.bodies.extend(new, self.model.motion.track_orientation);
        state.lists_stale = true;
    }
}
