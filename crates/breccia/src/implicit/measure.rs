//! Numbers of a packing: energy, stress, fabric, coordination, porosity, strain.

use super::account::contact_vector;
use super::setup::{GrainSetup, WallControl};
use super::state::GrainState;
use glam::{DMat2, DVec2};

/// Energy of a run and where it went [J/m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrainEnergy {
    /// Of free motion, grains and pressed walls.
    pub kinetic: f64,
    /// Of height, zero at the origin.
    pub gravity: f64,
    /// Of contact springs.
    pub elastic: f64,
}

impl GrainEnergy {
    /// Sum of the parts.
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravity + self.elastic
    }
}

/// Numbers of the contacts of the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrainMeasures {
    /// (1/V) Σ f ⊗ (X_slave − X_master), compression positive, as columns [Pa: force per depth and length].
    pub stress: DMat2,
    /// Mean of n ⊗ n over loaded contacts; trace 1.
    pub fabric: DMat2,
    /// Touching neighbours per grain: pairs of grains count for both, walls for one [-].
    pub coordination: f64,
    /// Loaded contact points.
    pub points: usize,
}

/// Numbers of a rectangular box of four walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxMeasures {
    /// Inner width [m].
    pub width: f64,
    /// Inner height [m].
    pub height: f64,
    /// 1 − area of the grains / area of the box [-].
    pub porosity: f64,
}

impl GrainState {
    /// Energy as it stands.
    pub fn energy(&self, setup: &GrainSetup) -> GrainEnergy {
        let (mut kinetic, mut gravity) = (0.0, 0.0);
        for (number, grain) in setup.grains.iter().enumerate() {
            let (velocity, spin) = (self.velocity[number], self.spin[number]);
            let is_free = grain.motion.map(|motion| motion == super::setup::Motion::Free);
            let of = |axis: usize, mass: f64, speed: f64| {
                if is_free[axis] { 0.5 * mass * speed * speed } else { 0.0 }
            };
            kinetic +=
                of(0, grain.mass, velocity.x) + of(1, grain.mass, velocity.y) + of(2, grain.inertia, spin);
            gravity -= grain.mass * self.gravity.dot(self.position[number]);
        }
        for wall in &self.walls {
            if let WallControl::Pressed { mass, .. } = wall.control {
                kinetic += 0.5 * mass * wall.velocity.length_squared();
            }
        }
        GrainEnergy { kinetic, gravity, elastic: self.ledger.elastic }
    }

    /// What stays the same whatever happens: energy, plus what was lost, less what was put in [J/m].
    pub fn energy_budget(&self, setup: &GrainSetup) -> f64 {
        let ledger = &self.ledger;
        self.energy(setup).total() + ledger.friction + ledger.contact + ledger.step
            - ledger.wall_work
            - ledger.load_work
    }

    /// Numbers of the contacts of the last step, for a volume (area) [m²].
    pub fn measures(&self, setup: &GrainSetup, volume: f64) -> GrainMeasures {
        let (mut stress, mut fabric) = (DMat2::ZERO, DMat2::ZERO);
        let mut neighbours = 0;
        let mut pairs = Vec::with_capacity(self.contacts.len());
        for loaded in &self.contacts {
            let contact = &loaded.contact;
            let is_wall = setup.wall_of(contact.master).is_some();
            let centre = if is_wall { contact.point } else { self.position[contact.master as usize] };
            stress +=
                outer(contact_vector(contact, loaded.force), self.position[contact.slave as usize] - centre);
            fabric += outer(contact.normal, contact.normal);
            pairs.push((contact.master.min(contact.slave), contact.master.max(contact.slave), is_wall));
        }
        pairs.sort_unstable();
        pairs.dedup();
        for (.., is_wall) in &pairs {
            neighbours += if *is_wall { 1 } else { 2 };
        }
        GrainMeasures {
            stress: stress * (1.0 / volume),
            fabric: fabric * (1.0 / self.contacts.len().max(1) as f64),
            coordination: f64::from(neighbours) / setup.grains.len().max(1) as f64,
            points: self.contacts.len(),
        }
    }

    /// Numbers of the rectangle between walls across x and y; where a side is open it ends with the grains.
    pub fn rectangle(&self, setup: &GrainSetup) -> BoxMeasures {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for (place, grain) in self.position.iter().zip(&setup.grains) {
            low = low.min(*place - grain.radius);
            high = high.max(*place + grain.radius);
        }
        for wall in self.walls.iter().filter(|wall| wall.is_there()) {
            match wall.normal {
                DVec2::X => low.x = wall.offset,
                DVec2::NEG_X => high.x = -wall.offset,
                DVec2::Y => low.y = wall.offset,
                DVec2::NEG_Y => high.y = -wall.offset,
                _ => {}
            }
        }
        let size = (high - low).max(DVec2::splat(f64::MIN_POSITIVE));
        let porosity = 1.0 - setup.solid_area() / size.element_product();
        BoxMeasures { width: size.x, height: size.y, porosity }
    }

    /// Numbers of the box between two walls left and right and two below and above.
    pub fn box_measures(&self, setup: &GrainSetup, sides: [u32; 2], ends: [u32; 2]) -> BoxMeasures {
        let (width, height) = (self.distance_between(sides), self.distance_between(ends));
        BoxMeasures { width, height, porosity: 1.0 - setup.solid_area() / (width * height) }
    }
}

/// a ⊗ b.
fn outer(a: DVec2, b: DVec2) -> DMat2 {
    DMat2::from_cols(a * b.x, a * b.y)
}
