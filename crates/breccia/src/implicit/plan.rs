//! What a scene says of grains, in SI units and indices.

use super::error::GrainError;
use super::settings::GrainSettings;
use super::setup::{FrictionTable, Grain, GrainSetup, Motion, WallControl};
use super::state::{GrainState, WallState};
use crate::model::{MaterialId, Model, Surface, Wall};
use crate::shapes::WallShape;
use crate::shapes::nurbs::{GrainShape, NurbsCurve, NurbsOutline, ShapeError};
use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

/// An outline as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OutlinePlan {
    /// A disc of this radius [m].
    Disc(f64),
    /// A closed clamped cubic curve.
    Curve {
        /// Knots.
        knots: Vec<f64>,
        /// Control points [m].
        points: Vec<DVec2>,
        /// Weights.
        weights: Vec<f64>,
    },
}

impl OutlinePlan {
    /// The plan of a shape.
    pub fn of_shape(shape: &GrainShape) -> Self {
        match shape {
            GrainShape::Disc(radius) => Self::Disc(*radius),
            GrainShape::Outline(outline) => Self::of_curve(outline.curve()),
        }
    }

    /// The plan of a curve.
    pub fn of_curve(curve: &NurbsCurve) -> Self {
        Self::Curve {
            knots: curve.knots().to_vec(),
            points: curve.points().to_vec(),
            weights: curve.weights().to_vec(),
        }
    }

    /// The shape, with so many contact knots.
    ///
    /// # Errors
    /// If there is no such shape.
    pub fn shape(&self, contact_knots: usize) -> Result<GrainShape, ShapeError> {
        match self {
            Self::Disc(radius) => GrainShape::disc(*radius),
            Self::Curve { knots, points, weights } => {
                let curve = NurbsCurve::new(knots, points, weights)?;
                Ok(GrainShape::from(NurbsOutline::with_knots(curve, contact_knots)?))
            }
        }
    }
}

/// A grain to be put into the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrainSeed {
    /// Place of its outline in [`GrainPlan::outlines`].
    pub outline: u32,
    /// Material.
    pub material: MaterialId,
    /// Index of the `[[grains]]` entry it came from.
    pub group: u16,
    /// Centroid [m].
    pub position: DVec2,
    /// Angle, counter-clockwise [rad].
    pub angle: f64,
    /// Velocity [m/s].
    pub velocity: DVec2,
    /// Angular velocity, counter-clockwise [rad/s].
    pub spin: f64,
    /// Whether it is held in place.
    pub fixed: bool,
}

/// What presses a wall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Press {
    /// Pressure on the grains [Pa], over one metre of depth.
    pub pressure: f64,
    /// Two walls whose distance is the pressed length.
    pub between: [u32; 2],
    /// Mass of the wall [kg].
    pub mass: f64,
    /// Instant from which the wall follows its motion instead [s].
    pub until: f64,
}

/// Grains of a scene; walls, materials, gravity, events and output are those of the scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GrainPlan {
    /// Outlines.
    pub outlines: Vec<OutlinePlan>,
    /// Contact knots of an outline.
    pub contact_knots: usize,
    /// Grains.
    pub grains: Vec<GrainSeed>,
    /// Names of the groups of grains.
    pub groups: Vec<String>,
    /// What presses each wall.
    pub presses: Vec<Option<Press>>,
    /// Choices of the method.
    pub settings: GrainSettings,
}

impl GrainPlan {
    /// Set-up and state at the start.
    ///
    /// # Errors
    /// If a shape or the set-up is refused.
    pub fn begin(&self, model: &Model) -> Result<(GrainSetup, GrainState), GrainError> {
        let shapes = self.shapes()?;
        let density = |seed: &GrainSeed| model.material(seed.material).density;
        let grains = self.grains.iter().map(|seed| {
            let shape = &shapes[seed.outline as usize];
            let mut grain = Grain::of_shape(seed.outline, shape, density(seed), u32::from(seed.material.0));
            if seed.fixed {
                grain.motion = [Motion::Prescribed(0.0); 3];
            }
            grain
        });
        let grains = grains.collect();
        let setup = GrainSetup {
            shapes,
            grains,
            friction: friction_table(model),
            wall_materials: model.walls.iter().map(|wall| u32::from(wall.material.0)).collect(),
            settings: self.settings.clone(),
        };
        let places: Vec<(DVec2, f64)> = self.grains.iter().map(|seed| (seed.position, seed.angle)).collect();
        let walls = model.walls.iter().zip(&self.presses).map(|(wall, press)| wall_at_start(wall, press));
        let mut state = GrainState::at_rest(&places, walls.collect(), flat(model.gravity));
        for (number, seed) in self.grains.iter().enumerate().filter(|(_, seed)| !seed.fixed) {
            state.velocity[number] = seed.velocity;
            state.spin[number] = seed.spin;
        }
        Ok((setup, state))
    }

    /// Shapes of the outlines.
    ///
    /// # Errors
    /// If one is refused.
    pub fn shapes(&self) -> Result<Vec<GrainShape>, GrainError> {
        let refused = |error: ShapeError| GrainError::Refused { message: error.to_string() };
        self.outlines.iter().map(|plan| plan.shape(self.contact_knots).map_err(refused)).collect()
    }
}

/// The part of a vector in the plane.
pub fn flat(vector: DVec3) -> DVec2 {
    DVec2::new(vector.x, vector.y)
}

pub(super) fn friction_table(model: &Model) -> FrictionTable {
    let count = model.materials.len() as u16;
    let mut table = FrictionTable::uniform(u32::from(count), 0.0);
    for a in 0..count {
        for b in a..count {
            let pair = model.pairs.id(MaterialId(a), MaterialId(b));
            table.set(u32::from(a), u32::from(b), model.pairs.rows()[pair.0 as usize].friction);
        }
    }
    table
}

/// Planes only, which the scene reader has seen to.
fn wall_at_start(wall: &Wall, press: &Option<Press>) -> WallState {
    let (point, normal) = match &wall.surface {
        Surface::Analytic(WallShape::Plane { point, normal }) => (flat(*point), flat(*normal)),
        _ => (DVec2::ZERO, DVec2::Y),
    };
    let start = flat(wall.motion.pose(0.0).translation);
    let mut state = WallState::at_rest(normal, point + start);
    if let Some(Press { pressure, between, mass, .. }) = *press {
        state.control = WallControl::Pressed { pressure, between, mass };
    }
    state
}
