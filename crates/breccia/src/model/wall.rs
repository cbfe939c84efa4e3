//! A wall: an analytic surface with a material and a prescribed motion.

use super::MaterialId;
use crate::motion::PrescribedMotion;
use crate::shapes::WallShape;
use serde::{Deserialize, Serialize};

/// Index of a wall in [`super::Model::walls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WallId(pub u16);

/// A rigid boundary of unlimited mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// Name used in scenes, events and output.
    pub name: String,
    /// Surface in its own frame, which is the world frame at rest.
    pub shape: WallShape,
    /// Material of the surface.
    pub material: MaterialId,
    /// Prescribed motion of the wall's frame.
    pub motion: PrescribedMotion,
}
