//! What a run of grains does not change: shapes, grains, materials, settings.

use super::error::GrainError;
use super::settings::GrainSettings;
use crate::shapes::nurbs::GrainShape;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// How a degree of freedom of a grain moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Motion {
    /// By forces.
    #[default]
    Free,
    /// With a given velocity [m/s or rad/s]; 0 holds it.
    Prescribed(f64),
}

/// A grain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grain {
    /// Place of its shape in [`GrainSetup::shapes`].
    pub shape: u32,
    /// Place of its material in the table of friction.
    pub material: u32,
    /// Mass per depth [kg/m].
    pub mass: f64,
    /// Moment of inertia about its centroid, per depth [kg·m].
    pub inertia: f64,
    /// Area [m²].
    pub area: f64,
    /// Radius of the bounding circle about the centroid [m].
    pub radius: f64,
    /// Along x, along y, rotation.
    pub motion: [Motion; 3],
}

impl Grain {
    /// A free grain of a shape, its mass by density [kg/m³] (per unit depth).
    pub fn of_shape(place: u32, shape: &GrainShape, density: f64, material: u32) -> Self {
        Self {
            shape: place,
            material,
            mass: density * shape.area(),
            inertia: density * shape.polar_moment(),
            area: shape.area(),
            radius: shape.bounding_radius(),
            motion: [Motion::Free; 3],
        }
    }

    /// Diameter of the disc of equal area [m].
    pub fn equal_area_diameter(&self) -> f64 {
        2.0 * (self.area / std::f64::consts::PI).sqrt()
    }
}

/// What a wall does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum WallControl {
    /// Moves with a velocity [m/s, world]; zero for a fixed wall.
    Moves(DVec2),
    /// Slides along its normal, pressed onto the grains.
    Pressed {
        /// Pressure on the grains [N/m, force per length].
        pressure: f64,
        /// Two parallel walls whose distance is the loaded length.
        between: [u32; 2],
        /// Mass per depth, for dynamic steps [kg/m].
        mass: f64,
    },
    /// No longer there.
    Removed,
}

/// Friction of pairs of materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrictionTable {
    materials: u32,
    values: Vec<f64>,
}

impl FrictionTable {
    /// A table with one coefficient [-] for all pairs of so many materials.
    pub fn uniform(materials: u32, friction: f64) -> Self {
        Self { materials, values: vec![friction; (materials * materials) as usize] }
    }

    /// Sets the coefficient [-] of a pair.
    pub fn set(&mut self, a: u32, b: u32, friction: f64) {
        for (row, column) in [(a, b), (b, a)] {
            if row < self.materials && column < self.materials {
                self.values[(row * self.materials + column) as usize] = friction;
            }
        }
    }

    /// The same with every coefficient times a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        Self { materials: self.materials, values: self.values.iter().map(|value| value * factor).collect() }
    }

    /// Coefficient [-] of a pair; zero for materials not in the table.
    pub fn of(&self, a: u32, b: u32) -> f64 {
        if a < self.materials && b < self.materials {
            self.values[(a * self.materials + b) as usize]
        } else {
            0.0
        }
    }
}

/// Everything a run of grains does not change.
#[derive(Clone, Debug)]
pub struct GrainSetup {
    /// Shapes.
    pub shapes: Vec<GrainShape>,
    /// Grains.
    pub grains: Vec<Grain>,
    /// Friction of pairs of materials.
    pub friction: FrictionTable,
    /// Material of each wall; also the number of walls.
    pub wall_materials: Vec<u32>,
    /// Choices of the method.
    pub settings: GrainSettings,
}

impl GrainSetup {
    /// Mean equal-area diameter d, the length all tolerances refer to [m].
    pub fn mean_diameter(&self) -> f64 {
        self.grains.iter().map(Grain::equal_area_diameter).sum::<f64>() / self.grains.len().max(1) as f64
    }

    /// Mean mass per depth [kg/m].
    pub fn mean_mass(&self) -> f64 {
        self.grains.iter().map(|grain| grain.mass).sum::<f64>() / self.grains.len().max(1) as f64
    }

    /// Sum of the grains' areas [m²].
    pub fn solid_area(&self) -> f64 {
        self.grains.iter().map(|grain| grain.area).sum()
    }

    /// Number of a wall among masters of contacts.
    pub fn wall_number(&self, wall: usize) -> u32 {
        (self.grains.len() + wall) as u32
    }

    /// Wall of a master's number, if it is one.
    pub fn wall_of(&self, number: u32) -> Option<usize> {
        (number as usize).checked_sub(self.grains.len())
    }

    /// Number of contact knots around a grain, at least 1.
    pub fn knot_ring(&self, grain: u32) -> u32 {
        match &self.shapes[self.grains[grain as usize].shape as usize] {
            GrainShape::Outline(outline) => outline.knots().len().max(1) as u32,
            GrainShape::Disc(_) => 1,
        }
    }

    /// Material of a grain or wall by its number.
    pub fn material(&self, number: u32) -> u32 {
        match self.wall_of(number) {
            Some(wall) => self.wall_materials[wall],
            None => self.grains[number as usize].material,
        }
    }

    /// Refuses what no step could make sense of.
    pub fn check(&self) -> Result<(), GrainError> {
        let refuse = |message: String| Err(GrainError::Refused { message });
        if self.grains.is_empty() {
            return refuse("there are no grains".into());
        }
        for (number, grain) in self.grains.iter().enumerate() {
            let is_sound = [grain.mass, grain.inertia, grain.area, grain.radius]
                .iter()
                .all(|&it| it > 0.0 && it.is_finite());
            if !is_sound {
                return refuse(format!(
                    "grain {number} has a mass, inertia, area or radius that is not positive"
                ));
            }
            if grain.shape as usize >= self.shapes.len() {
                return refuse(format!(
                    "grain {number} has shape {}, but there are {}",
                    grain.shape,
                    self.shapes.len()
                ));
            }
        }
        if self.friction.values.iter().any(|&it| !(it >= 0.0 && it.is_finite())) {
            return refuse("a coefficient of friction is negative or not finite".into());
        }
        self.settings.check()
    }
}
