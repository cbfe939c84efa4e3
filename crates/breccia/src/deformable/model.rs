//! What a run with deformable bodies is made of.

use super::contact::PressureRule;
use super::element::StressRule;
use super::shape::ElasticShape;
use crate::broad_phase::PointFinder;
use crate::narrow_phase::node_segment::Outline;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Normal stiffness of contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Penalty {
    /// Force per depth of one point [N/m].
    PerPoint(f64),
    /// Pressure per depth [Pa/m], times the reference area a point stands for: for graded meshes.
    PerArea(f64),
}

/// How a surface behaves in contact. A pair has the mean of its two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceProperties {
    /// Coefficient of friction µ.
    pub friction: f64,
    /// Normal stiffness κ.
    pub penalty: Penalty,
    /// Tangential stiffness as a multiple of the normal one.
    pub tangential_ratio: f64,
}

impl SurfaceProperties {
    /// Without friction; stiffness of one point in N/m.
    pub fn smooth(penalty: f64) -> Self {
        Self { friction: 0.0, penalty: Penalty::PerPoint(penalty), tangential_ratio: 1.0 }
    }

    /// The same with friction µ.
    pub fn with_friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }
}

/// A prescribed motion in the plane: x(t) = c + v t + R(ωt) (X − c).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaneMotion {
    /// Velocity v [m/s].
    pub velocity: DVec2,
    /// Rate of turning ω, counter-clockwise [rad/s].
    pub spin: f64,
    /// Point turned about, at the start [m].
    pub centre: DVec2,
}

impl PlaneMotion {
    /// Position [m] at time t [s] of what started at `start` [m].
    pub fn position(&self, start: DVec2, time: f64) -> DVec2 {
        let angle = self.spin * time;
        let turn = DVec2::new(libm::cos(angle), libm::sin(angle));
        self.centre + self.velocity * time + turn.rotate(start - self.centre)
    }

    /// Velocity [m/s] at the start of what started at `start` [m].
    pub fn start_velocity(&self, start: DVec2) -> DVec2 {
        self.velocity + self.spin * (start - self.centre).perp()
    }
}

/// Nodes of a body whose motion is prescribed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Support {
    /// Numbers of the nodes within the body.
    pub nodes: Vec<u32>,
    /// Which axes are held.
    pub axes: [bool; 2],
    /// How they move; at rest by default.
    pub motion: PlaneMotion,
}

/// What a body is.
#[derive(Clone, Debug)]
pub enum BodyForm {
    /// Elastic finite elements.
    Elastic(Arc<ElasticShape>),
    /// An outline with prescribed motion.
    Obstacle {
        /// Segments.
        outline: Outline,
        /// How it moves.
        motion: PlaneMotion,
    },
}

/// A body at the start.
#[derive(Clone, Debug)]
pub struct SolidBody {
    /// Name in messages and tables.
    pub name: String,
    /// What it is.
    pub form: BodyForm,
    /// Positions of its nodes at the start [m].
    pub positions: Vec<DVec2>,
    /// Velocities of its nodes at the start [m/s].
    pub velocities: Vec<DVec2>,
    /// Its surfaces.
    pub surfaces: Vec<SurfaceProperties>,
    /// Surface of each segment of its outline.
    pub surface_of_segment: Vec<u32>,
    /// Held or guided nodes.
    pub supports: Vec<Support>,
    /// Constant forces on nodes [N].
    pub loads: Vec<(u32, DVec2)>,
}

impl SolidBody {
    /// An elastic body with one surface, its mesh turned by `angle` [rad] and then shifted by `shift` [m], at rest.
    pub fn new(
        name: impl Into<String>,
        shape: Arc<ElasticShape>,
        (angle, shift): (f64, DVec2),
        surface: SurfaceProperties,
    ) -> Self {
        let positions = shape.mesh.clone().placed(angle, shift).points;
        Self {
            name: name.into(),
            velocities: vec![DVec2::ZERO; positions.len()],
            positions,
            surfaces: vec![surface],
            surface_of_segment: vec![0; shape.outline.segments.len()],
            form: BodyForm::Elastic(shape),
            supports: Vec::new(),
            loads: Vec::new(),
        }
    }

    /// A polygon [m], counter-clockwise, that moves as prescribed whatever touches it.
    pub fn obstacle(
        name: impl Into<String>,
        polygon: Vec<DVec2>,
        motion: PlaneMotion,
        surface: SurfaceProperties,
    ) -> Self {
        let outline = Outline::new([(0..polygon.len() as u32).collect()].into_iter());
        Self {
            name: name.into(),
            velocities: polygon.iter().map(|&point| motion.start_velocity(point)).collect(),
            surfaces: vec![surface],
            surface_of_segment: vec![0; outline.segments.len()],
            form: BodyForm::Obstacle { outline, motion },
            positions: polygon,
            supports: Vec::new(),
            loads: Vec::new(),
        }
    }

    /// The same with a velocity [m/s] and a spin [rad/s] about the centroid of its nodes' box.
    pub fn moving(mut self, velocity: DVec2, spin: f64) -> Self {
        let (low, high) = crate::broad_phase::extent(self.positions.iter().copied());
        let motion = PlaneMotion { velocity, spin, centre: 0.5 * (low + high) };
        self.velocities = self.positions.iter().map(|&point| motion.start_velocity(point)).collect();
        self
    }

    /// Its outline.
    pub fn outline(&self) -> &Outline {
        match &self.form {
            BodyForm::Elastic(shape) => &shape.outline,
            BodyForm::Obstacle { outline, .. } => outline,
        }
    }

    /// Its elastic shape; nothing for an obstacle.
    pub fn shape(&self) -> Option<&ElasticShape> {
        match &self.form {
            BodyForm::Elastic(shape) => Some(shape),
            BodyForm::Obstacle { .. } => None,
        }
    }

    /// Presses on every segment of a surface with a constant traction [Pa, in the plane], by its reference area.
    pub fn add_traction(&mut self, surface: u32, traction: DVec2) {
        let BodyForm::Elastic(shape) = &self.form else { return };
        for (&[from, to], &of) in shape.outline.segments.iter().zip(&self.surface_of_segment) {
            if of == surface {
                let ends = [from, to].map(|node| shape.mesh.points[node as usize]);
                let half = 0.5 * ends[0].distance(ends[1]) * shape.thickness * traction;
                self.loads.extend([(from, half), (to, half)]);
            }
        }
    }
}

/// A straight rigid wall: bodies are where normal·(x − point) ≥ 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StraightWall {
    /// Name in messages and tables.
    pub name: String,
    /// A point of the face [m].
    pub point: DVec2,
    /// Unit normal towards the bodies.
    pub normal: DVec2,
    /// How it behaves in contact.
    pub surface: SurfaceProperties,
}

impl StraightWall {
    /// Four walls around the inside of a box [m]: left, right, bottom, top.
    pub fn inside_box(low: DVec2, high: DVec2, surface: SurfaceProperties) -> [Self; 4] {
        let wall = |name: &str, point, normal| Self { name: name.to_string(), point, normal, surface };
        [
            wall("left", low, DVec2::X),
            wall("right", high, -DVec2::X),
            wall("bottom", low, DVec2::Y),
            wall("top", high, -DVec2::Y),
        ]
    }
}

/// When the matrices of bodies are factored anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refactor {
    /// In every iteration: Newton's method, quadratic.
    EveryIteration,
    /// Where iterations converge slowly; else the factor of the reference state serves, turned as the body is.
    #[default]
    WhenSlow,
}

/// How steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidSettings {
    /// Time step [s]; shortened for a while where a step does not converge.
    pub time_step: f64,
    /// Residual at which a step is accepted, relative to elastic and inertial forces.
    pub tolerance: f64,
    /// Iterations after which a step is given up.
    pub iterations: u32,
    /// Iterations in which points may change the segment they face.
    pub projections: u32,
    /// Steps between sorts.
    pub steps_between_sorts: u32,
    /// Way a point may travel between sorts, as a multiple of that at the largest speed: both sides move, and some more.
    pub reach_factor: f64,
    /// How points near bodies are found.
    pub finder: PointFinder,
    /// When matrices are factored anew.
    pub refactor: Refactor,
    /// Which strain gives the stress.
    pub stress: StressRule,
    /// Which gap gives the pressure.
    pub pressure: PressureRule,
}

impl SolidSettings {
    /// Settings for a time step [s].
    pub fn new(time_step: f64) -> Self {
        Self {
            time_step,
            tolerance: 1e-9,
            iterations: 15,
            projections: 8,
            steps_between_sorts: 1,
            reach_factor: 3.0,
            finder: PointFinder::default(),
            refactor: Refactor::default(),
            stress: StressRule::default(),
            pressure: PressureRule::default(),
        }
    }
}
