//! How long a step may be.
//!
//! Rayleigh time of a sphere: Δt_R = π r √(ρ/G)/(0.1631 ν + 0.8766). Hertz contact of two bodies meeting at
//! speed v: t_c = 2.87 (m*²/(R* E*² v))^{1/5}; of the linear law: t_c = π √(m*/k). Bonds:
//! Δt_b = min √(m/(3 k_n A)), √(I_s/(3 (k_s A r² + k_n I))) over the spheres of all bonds.

use crate::laws::{Hertz, NormalLaw};
use crate::model::{BondKind, Material, MaterialId, Model, NormalKind, StepChoice, Wall};
use crate::scene::Scene;
use crate::shapes::sphere_volume;
use std::f64::consts::PI;

/// Longest step as a part of the Rayleigh time that is run at all [–].
const RAYLEIGH_REFUSAL: f64 = 0.5;
/// Fewest steps per contact of the linear law that are run at all [–].
const LINEAR_REFUSAL: f64 = 8.0;

/// Recommended step as a part of that of the bonds [–].
const BOND_FRACTION: f64 = 0.25;
/// Longest step as a part of that of the bonds that is run at all [–].
const BOND_REFUSAL: f64 = 0.6;

/// Bounds of the time step, and what they come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimits {
    /// Rayleigh time of the most delicate body [s]; infinite where the law is linear.
    pub rayleigh: f64,
    /// Shortest expected contact [s].
    pub contact: f64,
    /// Time of the stiffest bond Δt_b [s]; infinite without bonds.
    pub bond: f64,
    /// Impact speed the contact is reckoned with [m/s].
    pub speed: f64,
}

/// What is thought of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepVerdict {
    /// Within the recommendation.
    Good,
    /// Longer than recommended; runs with a warning.
    Long,
    /// Too long to be run.
    Refused,
}

impl StepLimits {
    /// The bounds of a scene.
    pub fn of(scene: &Scene) -> Self {
        let smallest = smallest_radii(scene);
        let speed = scene.model.time.expected_speed.unwrap_or_else(|| expected_speed(scene)).max(1e-6);
        let linear = scene.model.laws.normal == NormalKind::Linear;
        let delicate = smallest.iter().map(|&(id, radius)| rayleigh_time(scene.model.material(id), radius));
        Self {
            rayleigh: if linear { f64::INFINITY } else { delicate.fold(f64::INFINITY, f64::min) },
            contact: shortest_contact(scene, &smallest, speed),
            bond: shortest_bond(scene),
            speed,
        }
    }

    /// The recommended step [s].
    pub fn automatic(&self, model: &Model) -> f64 {
        let step = (model.time.rayleigh_fraction * self.rayleigh)
            .min(self.contact / model.time.steps_per_contact)
            .min(BOND_FRACTION * self.bond);
        if step.is_finite() { step } else { model.time.duration / 1000.0 }
    }

    /// What is thought of the step a scene asks for.
    pub fn judge(&self, model: &Model) -> StepVerdict {
        let automatic = self.automatic(model);
        let step = match model.time.step {
            StepChoice::Fixed(step) => step,
            StepChoice::Auto => automatic,
        };
        if step > self.refusal() {
            StepVerdict::Refused
        } else if step > automatic * (1.0 + 1e-9) {
            StepVerdict::Long
        } else {
            StepVerdict::Good
        }
    }

    /// The longest step that is run at all [s].
    pub fn refusal(&self) -> f64 {
        self.refusal_of_contacts().min(BOND_REFUSAL * self.bond)
    }

    /// Whether that is for the sake of bonds.
    pub fn bonds_refuse(&self) -> bool {
        BOND_REFUSAL * self.bond < self.refusal_of_contacts()
    }

    fn refusal_of_contacts(&self) -> f64 {
        if self.rayleigh.is_finite() {
            RAYLEIGH_REFUSAL * self.rayleigh
        } else {
            self.contact / LINEAR_REFUSAL
        }
    }
}

/// Δt_b of all bonds, now and to be poured.
fn shortest_bond(scene: &Scene) -> f64 {
    let model = &scene.model;
    let density = |id: MaterialId| model.material(id).density;
    let now = scene.bonds.iter().map(|seed| {
        let [a, b] = [seed.a, seed.b].map(|place| &scene.bodies[place as usize]);
        let length = model.domain.minimum_image(a.position - b.position).length();
        let kind = &model.bonds[usize::from(seed.kind.0)];
        let spheres = [(a.radius, density(a.material)), (b.radius, density(b.material))];
        bond_time(kind, length, seed.radius, spheres)
    });
    let poured = scene.inlets.iter().filter_map(|inlet| Some((inlet, inlet.cluster.as_ref()?)));
    let later = poured.filter(|(_, used)| used.cluster.rigid.is_none()).flat_map(|(inlet, used)| {
        let (cluster, density) = (&used.cluster, density(inlet.material));
        let kind = &model.bonds[usize::from(cluster.kind.0)];
        cluster.bonds.iter().map(move |&[a, b]| {
            let [(at_a, a_radius), (at_b, b_radius)] = [a, b].map(|place| cluster.spheres[place as usize]);
            let spheres = [(a_radius, density), (b_radius, density)];
            bond_time(kind, at_a.distance(at_b), cluster.bond_radius([a, b]), spheres)
        })
    });
    now.chain(later).fold(f64::INFINITY, f64::min)
}

/// Δt_b of one bond [s]; spheres are told by radius [m] and density [kg/m³].
fn bond_time(kind: &BondKind, length: f64, radius: f64, spheres: [(f64, f64); 2]) -> f64 {
    let (normal, shear) = kind.stiffness_per_area(length);
    let square = radius * radius;
    let area = PI * square;
    let times = spheres.map(|(r, density)| {
        let mass = density * sphere_volume(r);
        let stretching = mass / (3.0 * normal * area);
        let turning = 0.4 * mass * r * r / (3.0 * area * (shear * r * r + normal * 0.25 * square));
        stretching.min(turning).sqrt()
    });
    times[0].min(times[1])
}

fn rayleigh_time(material: &Material, radius: f64) -> f64 {
    if material.is_rigid() {
        return f64::INFINITY;
    }
    let wave = (material.density / material.shear_modulus()).sqrt();
    PI * radius * wave / (0.1631 * material.poisson_ratio + 0.8766)
}

/// Smallest radius of bodies of each material, now and to be poured.
fn smallest_radii(scene: &Scene) -> Vec<(MaterialId, f64)> {
    let now = scene.bodies.iter().map(|body| (body.material, body.radius));
    let later = scene.inlets.iter().map(|inlet| (inlet.material, inlet.radii().0));
    let mut smallest: Vec<(MaterialId, f64)> = Vec::new();
    for (material, radius) in now.chain(later) {
        match smallest.iter_mut().find(|(id, _)| *id == material) {
            Some((_, least)) => *least = least.min(radius),
            None => smallest.push((material, radius)),
        }
    }
    smallest
}

/// Largest of initial speeds, inlet speeds, wall speeds and free fall through the scene [m/s].
fn expected_speed(scene: &Scene) -> f64 {
    let initial = scene.bodies.iter().map(|body| body.velocity.length());
    let poured = scene.inlets.iter().map(|inlet| inlet.velocity.length());
    let (low, high) = scene.extent();
    let (middle, reach) = ((low + high) * 0.5, (high - low).length() * 0.5);
    let walls =
        scene.model.walls.iter().map(|wall| wall.motion.max_speed(middle, reach, scene.model.time.duration));
    let gravity = scene.model.gravity;
    let height = (high - low).dot(gravity.abs()) / gravity.length().max(f64::MIN_POSITIVE);
    let fall = (2.0 * gravity.length() * height).sqrt();
    initial.chain(poured).chain(walls).filter(|speed| speed.is_finite()).fold(fall, f64::max)
}

fn shortest_contact(scene: &Scene, smallest: &[(MaterialId, f64)], speed: f64) -> f64 {
    let model = &scene.model;
    let mut shortest = f64::INFINITY;
    for &(a, radius) in smallest {
        let mass = |id: MaterialId, r: f64| sphere_volume(r) * model.material(id).density;
        for &(b, other) in smallest {
            let reduced_radius = radius * other / (radius + other);
            let (m, n) = (mass(a, radius), mass(b, other));
            shortest = shortest.min(contact_time(model, a, b, reduced_radius, m * n / (m + n), speed));
        }
        for material in model.walls.iter().flat_map(Wall::materials) {
            shortest = shortest.min(contact_time(model, a, material, radius, mass(a, radius), speed));
        }
    }
    shortest
}

fn contact_time(model: &Model, a: MaterialId, b: MaterialId, radius: f64, mass: f64, speed: f64) -> f64 {
    let pair = &model.pairs.rows()[model.pairs.id(a, b).0 as usize];
    match model.laws.normal {
        NormalKind::Linear => pair.normal_stiffness.map_or(f64::INFINITY, |k| PI * (mass / k).sqrt()),
        NormalKind::Hertz => {
            let effective_modulus = 0.75 * Hertz::modulus(model.material(a), model.material(b), pair);
            let base = mass * mass / (radius * effective_modulus * effective_modulus * speed);
            2.87 * libm::pow(base, 0.2)
        }
    }
}
