//! A wall: a surface with a material and a prescribed motion.

use super::{MaterialId, MeshSurface};
use crate::motion::PrescribedMotion;
use crate::shapes::WallShape;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Index of a wall in [`super::Model::walls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WallId(pub u16);

/// A rigid boundary of unlimited mass.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wall {
    /// Name used in scenes, events and output.
    pub name: String,
    /// Surface in its own frame, which is the world frame at rest.
    pub surface: Surface,
    /// Material of the surface, where a mesh does not say otherwise.
    pub material: MaterialId,
    /// Prescribed motion of the wall's frame.
    pub motion: PrescribedMotion,
}

impl Wall {
    /// All materials of the surface.
    pub fn materials(&self) -> impl Iterator<Item = MaterialId> + '_ {
        let groups = match &self.surface {
            Surface::Analytic(_) => &[][..],
            Surface::Mesh(mesh) => &mesh.materials,
        };
        std::iter::once(self.material).chain(groups.iter().copied())
    }

    /// The mesh, if the surface is one.
    pub fn mesh(&self) -> Option<&MeshSurface> {
        match &self.surface {
            Surface::Analytic(_) => None,
            Surface::Mesh(mesh) => Some(mesh),
        }
    }
}

/// What a wall looks like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Surface {
    /// A surface known by its formula.
    Analytic(WallShape),
    /// A surface of polygons; shared, because it may be large.
    Mesh(Arc<MeshSurface>),
}

impl Surface {
    /// Lower and upper corner [m, wall frame] of the upright box around a bounded surface.
    pub fn bounding_box(&self) -> Option<(DVec3, DVec3)> {
        match self {
            Self::Analytic(shape) => shape.bounding_box(),
            Self::Mesh(mesh) => mesh.mesh.bounding_box(),
        }
    }
}

impl From<WallShape> for Surface {
    fn from(shape: WallShape) -> Self {
        Self::Analytic(shape)
    }
}
