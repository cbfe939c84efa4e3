//! Deformable bodies of a scene as plain data, and the run they become.

use super::material::ElasticMaterial;
use super::mesh::{MeshError, SolidMesh};
use super::model::{PlaneMotion, SolidBody, SolidSettings, StraightWall, Support, SurfaceProperties};
use super::setup::SolidSetup;
use super::shape::{ElasticShape, MassKind};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A shape that bodies may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapePlan {
    /// Mesh in its own frame [m].
    pub mesh: SolidMesh,
    /// Material.
    pub material: ElasticMaterial,
    /// Depth across the plane [m].
    pub thickness: f64,
    /// How mass is spread over nodes.
    pub mass: MassKind,
}

/// A part of a surface with a load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Traction {
    /// Number of the surface.
    pub surface: u32,
    /// Force per reference area [Pa].
    pub stress: DVec2,
}

/// A body at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidSeed {
    /// Name in messages and tables.
    pub name: String,
    /// Number of its shape.
    pub shape: usize,
    /// Turn of the mesh [rad], counter-clockwise.
    pub angle: f64,
    /// Where the origin of the mesh goes [m].
    pub position: DVec2,
    /// Velocity [m/s].
    pub velocity: DVec2,
    /// Spin about the middle of its box [rad/s], counter-clockwise.
    pub spin: f64,
    /// Its surfaces; the first is the rest of the outline.
    pub surfaces: Vec<SurfaceProperties>,
    /// Surface of each segment of the outline.
    pub surface_of_segment: Vec<u32>,
    /// Held or guided nodes.
    pub supports: Vec<Support>,
    /// Loads on surfaces.
    pub tractions: Vec<Traction>,
}

/// An outline that moves as prescribed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObstacleSeed {
    /// Name in messages and tables.
    pub name: String,
    /// Corners at the start [m], counter-clockwise.
    pub polygon: Vec<DVec2>,
    /// How it moves.
    pub motion: PlaneMotion,
    /// How it behaves in contact.
    pub surface: SurfaceProperties,
}

/// All deformable bodies of a scene, and what they meet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidPlan {
    /// Shapes.
    pub shapes: Vec<ShapePlan>,
    /// Bodies.
    pub bodies: Vec<SolidSeed>,
    /// Obstacles; numbered after the bodies.
    pub obstacles: Vec<ObstacleSeed>,
    /// Straight walls.
    pub walls: Vec<StraightWall>,
    /// Gravity [m/s²].
    pub gravity: DVec2,
    /// How steps are taken.
    pub settings: SolidSettings,
}

impl SolidPlan {
    /// The bodies made ready for a run.
    pub fn setup(&self) -> Result<SolidSetup, MeshError> {
        let mut shapes = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            let ShapePlan { mesh, material, thickness, mass } = shape.clone();
            shapes.push(Arc::new(ElasticShape::new(mesh, material, thickness, mass)?));
        }
        let mut bodies: Vec<SolidBody> =
            self.bodies.iter().map(|seed| seed.body(&shapes[seed.shape])).collect();
        bodies.extend(self.obstacles.iter().map(|seed| {
            SolidBody::obstacle(seed.name.clone(), seed.polygon.clone(), seed.motion, seed.surface)
        }));
        Ok(SolidSetup::new(bodies, self.walls.clone(), self.gravity, self.settings))
    }

    /// Number of nodes of all bodies.
    pub fn node_count(&self) -> usize {
        self.bodies.iter().map(|seed| self.shapes[seed.shape].mesh.points.len()).sum()
    }
}

impl SolidSeed {
    fn body(&self, shape: &Arc<ElasticShape>) -> SolidBody {
        let mut body = SolidBody::new(
            self.name.clone(),
            Arc::clone(shape),
            (self.angle, self.position),
            self.surfaces[0],
        )
        .moving(self.velocity, self.spin);
        body.surfaces.clone_from(&self.surfaces);
        body.surface_of_segment.clone_from(&self.surface_of_segment);
        body.supports.clone_from(&self.supports);
        for traction in &self.tractions {
            body.add_traction(traction.surface, traction.stress);
        }
        for support in &body.supports {
            for &node in &support.nodes {
                let start = support.motion.start_velocity(body.positions[node as usize]);
                let velocity = &mut body.velocities[node as usize];
                (0..2).filter(|&axis| support.axes[axis]).for_each(|axis| velocity[axis] = start[axis]);
            }
        }
        body
    }
}
