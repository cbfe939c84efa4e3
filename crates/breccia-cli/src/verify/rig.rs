//! Scenes as text, and a run with the bodies looked up by id.

use super::VerifyError;
use breccia::contacts::ContactRecord;
use breccia::diagnostics::contact_records;
use breccia::scene::{Scene, load_str};
use breccia::simulation::Simulation;
use glam::DVec3;
use std::f64::consts::PI;
use std::path::Path;

/// Standard gravity of the experiments [m/s²].
pub const GRAVITY: f64 = 9.81;

/// Normal slot of the experiments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Normal {
    /// Hertz law of the materials.
    Hertz,
    /// Linear law.
    Linear {
        /// Normal stiffness [N/m].
        stiffness: f64,
        /// Tangential over normal stiffness [–].
        tangential_ratio: f64,
    },
}

/// Balls of one material and a rigid wall, and what happens where they touch.
#[derive(Clone, Copy, Debug)]
pub struct Stuff {
    /// Density [kg/m³].
    pub density: f64,
    /// Young's modulus [Pa].
    pub young_modulus: f64,
    /// Poisson's ratio [–].
    pub poisson_ratio: f64,
    /// Restitution [–].
    pub restitution: f64,
    /// Friction [–].
    pub friction: f64,
    /// Rolling friction [–].
    pub rolling_friction: f64,
    /// Normal slot.
    pub normal: Normal,
    /// Rolling slot: `c`, `a-limited` or `none`.
    pub rolling: &'static str,
}

impl Default for Stuff {
    /// Elastic, frictionless, Hertz.
    fn default() -> Self {
        Self {
            density: 2500.0,
            young_modulus: 1e8,
            poisson_ratio: 0.25,
            restitution: 1.0,
            friction: 0.0,
            rolling_friction: 0.0,
            normal: Normal::Hertz,
            rolling: "none",
        }
    }
}

impl Stuff {
    /// Materials `ball` and `wall`, the pair and the laws, as part of a scene.
    pub fn toml(&self) -> String {
        let Self {
            density,
            young_modulus,
            poisson_ratio,
            restitution,
            friction,
            rolling_friction,
            rolling,
            ..
        } = self;
        let (law, pair) = match self.normal {
            Normal::Hertz => ("hertz", String::new()),
            Normal::Linear { stiffness, tangential_ratio } => {
                let pair =
                    format!("normal_stiffness = {stiffness:?}\ntangential_ratio = {tangential_ratio:?}");
                ("linear", pair)
            }
        };
        format!(
            r#"
[[material]]
name = "ball"
density = {density:?}
young_modulus = {young_modulus:?}
poisson_ratio = {poisson_ratio:?}

[[material]]
name = "wall"
density = 1000
young_modulus = "rigid"
poisson_ratio = 0.3

[pair_default]
restitution = {restitution:?}
friction = {friction:?}
rolling_friction = {rolling_friction:?}
{pair}

[law]
normal = "{law}"
rolling = "{rolling}"
"#
        )
    }

    /// Mass of a ball [kg].
    pub fn mass(&self, radius: f64) -> f64 {
        4.0 / 3.0 * PI * radius * radius * radius * self.density
    }

    /// E* of two balls or of a ball and the rigid wall [Pa].
    pub fn effective_modulus(&self, partner: Partner) -> f64 {
        let side = self.young_modulus / (1.0 - self.poisson_ratio * self.poisson_ratio);
        match partner {
            Partner::Ball => 0.5 * side,
            Partner::Wall => side,
        }
    }

    /// Overlap of a ball resting on the rigid wall under gravity, Hertz law [m].
    pub fn resting_overlap(&self, radius: f64) -> f64 {
        let stiffness = 4.0 / 3.0 * self.effective_modulus(Partner::Wall) * radius.sqrt();
        libm::pow(self.mass(radius) * GRAVITY / stiffness, 2.0 / 3.0)
    }
}

/// What a ball touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// Another ball.
    Ball,
    /// The rigid wall.
    Wall,
}

/// A wall z = 0 with the bodies above, `motion` as in a scene (`""` for none).
pub fn floor(motion: &str) -> String {
    let motion = if motion.is_empty() { String::new() } else { format!("motion = [{motion}]") };
    format!(
        r#"
[[wall]]
name = "floor"
material = "wall"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
{motion}
"#
    )
}

/// One ball of group `name`.
pub fn ball(name: &str, radius: f64, position: DVec3, velocity: DVec3, spin: DVec3) -> String {
    let vector = |v: DVec3| format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z);
    format!(
        r#"
[[bodies]]
name = "{name}"
kind = "list"
material = "ball"
radius = {radius:?}
positions = [{}]
velocity = {}
spin = {}
"#,
        vector(position),
        vector(velocity),
        vector(spin)
    )
}

/// A body at the instant whose forces were last evaluated.
#[derive(Clone, Copy, Debug)]
pub struct BodyNow {
    /// Centre [m].
    pub position: DVec3,
    /// Velocity, mean of the half steps around [m/s].
    pub velocity: DVec3,
    /// Angular velocity, mean of the half steps around [rad/s].
    pub spin: DVec3,
    /// Velocity half a step later [m/s].
    pub velocity_after: DVec3,
}

/// A run of a scene given as text.
pub struct Rig {
    /// The run.
    pub run: Simulation,
}

impl Rig {
    /// A run of a scene text. Warnings are not shown: some experiments are about long steps.
    pub fn new(text: &str) -> Result<Self, VerifyError> {
        Ok(Self::of(&load(text)?))
    }

    /// A run of a scene.
    pub fn of(scene: &Scene) -> Self {
        Self { run: Simulation::new(scene) }
    }

    /// One step.
    pub fn step(&mut self) -> Result<(), VerifyError> {
        Ok(self.run.step()?)
    }

    /// Steps until forces have been evaluated at the step nearest to `time` [s].
    pub fn run_to(&mut self, time: f64) -> Result<(), VerifyError> {
        let last = (time / self.time_step()).round() as u64;
        while self.run.state.step <= last {
            self.step()?;
        }
        Ok(())
    }

    /// Time step [s].
    pub fn time_step(&self) -> f64 {
        self.run.setup.time_step
    }

    /// Instant of the last evaluation of forces [s].
    pub fn time(&self) -> f64 {
        self.run.setup.time_of(self.run.state.step.saturating_sub(1))
    }

    /// A body by its stable id (the order of the scene).
    pub fn body(&self, id: u32) -> Result<BodyNow, VerifyError> {
        let bodies = &self.run.state.bodies;
        let row = bodies.id.iter().position(|&other| other == id);
        let row = row.ok_or_else(|| VerifyError::Course(format!("body {id} is gone")))?;
        let (before, after) = (&bodies.last_places[row], &bodies.places[row]);
        let [spin_before, spin_after] =
            [&bodies.last_spins[row], &bodies.spins[row]].map(|s| DVec3::from_array(s.spin));
        Ok(BodyNow {
            position: bodies.unwrapped(before, row, &self.run.setup.model.domain),
            velocity: (before.velocity() + after.velocity()) * 0.5,
            spin: (spin_before + spin_after) * 0.5,
            velocity_after: after.velocity(),
        })
    }

    /// Touching contacts.
    pub fn touching(&self) -> Vec<ContactRecord> {
        contact_records(&self.run.setup, &self.run.state)
    }
}

/// A scene from its text.
pub fn load(text: &str) -> Result<Scene, VerifyError> {
    Ok(load_str("verify.toml", text, Path::new(""))?.scene)
}
