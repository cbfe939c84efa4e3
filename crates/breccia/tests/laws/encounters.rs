//! Single contacts for the tests, random or steered.

use breccia::laws::{Coefficients, Dashpots, Encounter, History};
use breccia::math::{Lanes, Vec3};
use glam::DVec3;
use proptest::prelude::*;

/// A contact of numbers, before it becomes lanes or scalars.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub normal: DVec3,
    pub overlap: f64,
    pub velocity: DVec3,
    pub spin: DVec3,
    pub turn_rate: f64,
    pub masses: [f64; 3],
    pub radius: f64,
    pub scale: f64,
    pub damping_scale: f64,
    pub ratios: [f64; 2],
    pub friction: f64,
    pub rolling_friction: f64,
    pub tangential: DVec3,
    pub depth: f64,
    pub rolling: DVec3,
    pub dashpots: [DVec3; 3],
}

pub fn vec3(v: DVec3) -> Vec3<f64> {
    Vec3::new(v.x, v.y, v.z)
}

pub fn glam(v: Vec3<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

impl Case {
    pub fn encounter(&self) -> Encounter<f64> {
        Encounter {
            normal: vec3(self.normal),
            overlap: self.overlap,
            velocity: vec3(self.velocity),
            inverse_mass: 1.0 / self.masses[0],
            inverse_tangential_mass: 1.0 / self.masses[1],
            inverse_inertia: 1.0 / self.masses[2],
            relative_spin: vec3(self.spin),
            turn_rate: self.turn_rate,
            reduced_radius: self.radius,
        }
    }

    pub fn coefficients(&self) -> Coefficients<f64> {
        Coefficients {
            scale: self.scale,
            scale_before: self.scale,
            damping_scale: self.damping_scale,
            tangential_ratio: self.ratios[0],
            inverse_tangential_ratio: 1.0 / self.ratios[0],
            tangential_damping_ratio: self.ratios[1],
            friction: self.friction,
            rolling_friction: self.rolling_friction,
        }
    }

    pub fn history(&self) -> History<f64> {
        let [normal, tangential, rolling] = self.dashpots;
        History {
            tangential: vec3(self.tangential),
            depth: self.depth,
            rolling: vec3(self.rolling),
            dashpots: Dashpots { normal: normal.x, tangential: vec3(tangential), rolling: vec3(rolling) },
        }
    }
}

/// Eight cases side by side.
pub fn lanes(cases: &[Case; 8]) -> (Encounter<Lanes>, Coefficients<Lanes>, History<Lanes>) {
    let number = |of: &dyn Fn(&Case) -> f64| Lanes::from_fn(|k| of(&cases[k]));
    let vector = |of: &dyn Fn(&Case) -> DVec3| Vec3::<Lanes>::from_fn(|k| of(&cases[k]));
    let encounter = Encounter {
        normal: vector(&|c| c.normal),
        overlap: number(&|c| c.overlap),
        velocity: vector(&|c| c.velocity),
        inverse_mass: number(&|c| 1.0 / c.masses[0]),
        inverse_tangential_mass: number(&|c| 1.0 / c.masses[1]),
        inverse_inertia: number(&|c| 1.0 / c.masses[2]),
        relative_spin: vector(&|c| c.spin),
        turn_rate: number(&|c| c.turn_rate),
        reduced_radius: number(&|c| c.radius),
    };
    let coefficients = Coefficients {
        scale: number(&|c| c.scale),
        scale_before: number(&|c| c.scale),
        damping_scale: number(&|c| c.damping_scale),
        tangential_ratio: number(&|c| c.ratios[0]),
        inverse_tangential_ratio: number(&|c| 1.0 / c.ratios[0]),
        tangential_damping_ratio: number(&|c| c.ratios[1]),
        friction: number(&|c| c.friction),
        rolling_friction: number(&|c| c.rolling_friction),
    };
    let history = History {
        tangential: vector(&|c| c.tangential),
        depth: number(&|c| c.depth),
        rolling: vector(&|c| c.rolling),
        dashpots: Dashpots {
            normal: number(&|c| c.dashpots[0].x),
            tangential: vector(&|c| c.dashpots[1]),
            rolling: vector(&|c| c.dashpots[2]),
        },
    };
    (encounter, coefficients, history)
}

fn vectors(reach: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-reach..reach).prop_map(DVec3::from_array)
}

fn or_zero(values: impl Strategy<Value = f64>) -> impl Strategy<Value = f64> {
    (any::<u8>(), values).prop_map(|(die, value)| if die < 50 { 0.0 } else { value })
}

/// Contacts of millimetre spheres of soft materials, some apart, some new, some without friction.
pub fn cases() -> impl Strategy<Value = Case> {
    let motion = (vectors(1.0), or_zero(1e-7..1e-4), vectors(2.0), vectors(100.0), -100.0..100.0_f64);
    let body = (prop::array::uniform3(1e-6..1e-4), 5e-4..5e-3_f64, 1e4..1e6_f64, or_zero(1e-3..0.5));
    let law = (prop::array::uniform2(0.2..1.2_f64), or_zero(0.0..1.0), or_zero(0.0..0.2));
    let memory = (vectors(0.1), or_zero(1e-4..1e-2), vectors(1e-5), prop::array::uniform3(vectors(0.01)));
    (motion, body, law, memory).prop_map(|(motion, body, law, memory)| {
        let (direction, overlap, velocity, spin, turn_rate) = motion;
        let normal = direction.try_normalize().unwrap_or(DVec3::X);
        let old = memory.1 > 0.0;
        let [mass, tangential_mass, inertia] = body.0;
        Case {
            normal,
            overlap,
            velocity,
            spin,
            turn_rate,
            masses: [mass, tangential_mass, 1e-6 * inertia],
            radius: body.1,
            scale: body.2,
            damping_scale: body.3,
            ratios: law.0,
            friction: law.1,
            rolling_friction: law.2,
            // A contact that did not touch remembers nothing.
            tangential: if old { memory.0 } else { DVec3::ZERO },
            depth: memory.1,
            rolling: if old { memory.2 } else { DVec3::ZERO },
            dashpots: if old { memory.3 } else { [DVec3::ZERO; 3] },
        }
    })
}
