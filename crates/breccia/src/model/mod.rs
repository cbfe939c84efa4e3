//! What a run does not change: materials, pairs, laws, walls, domain, settings.
//!
//! Everything here is plain data in SI units. The scene reader fills it, the step only reads it.

mod bond;
mod domain;
mod law_choice;
mod material;
mod mesh_surface;
mod pair;
mod settings;
mod wall;

pub use bond::{BondKind, BondKindId, BondStiffness};
pub use domain::{Domain, ExitPolicy};
pub use law_choice::{FrictionKind, LawChoice, NormalKind, RollingKind};
pub use material::{Material, MaterialId};
pub use mesh_surface::MeshSurface;
pub use pair::{PairId, PairProperties, PairTable};
pub use settings::{
    AppliedLoad, Limits, MotionSettings, SearchSettings, SearchTrigger, StepChoice, TimeSettings,
};
pub use wall::{Surface, Wall, WallId};

use glam::DVec3;
use serde::Serialize;

/// A complete, validated problem description without its moving parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// Acceleration of gravity [m/s², world].
    pub gravity: DVec3,
    /// Region the bodies may occupy and its periodic axes.
    pub domain: Domain,
    /// Materials, indexed by [`MaterialId`].
    pub materials: Vec<Material>,
    /// Contact properties of every pair of materials.
    pub pairs: PairTable,
    /// The law filled into each slot of a contact.
    pub laws: LawChoice,
    /// Walls and meshes, indexed by [`WallId`].
    pub walls: Vec<Wall>,
    /// Kinds of bonds, indexed by [`BondKindId`].
    pub bonds: Vec<BondKind>,
    /// Length and step of the run.
    pub time: TimeSettings,
    /// Neighbour search.
    pub search: SearchSettings,
    /// How bodies move besides contact and gravity.
    pub motion: MotionSettings,
    /// When to stop loudly.
    pub limits: Limits,
    /// Whether the energy that contacts lose is followed step by step; trajectories do not depend on it.
    pub follow_losses: bool,
}

impl Model {
    /// The material of `id`.
    pub fn material(&self, id: MaterialId) -> &Material {
        &self.materials[id.0 as usize]
    }
}
