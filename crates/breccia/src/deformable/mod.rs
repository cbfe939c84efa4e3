//! Deformable bodies in the plane: finite elements, contact by points against segments, steps that conserve energy and
//! momenta.
//!
//! After E. G. Petőcz and F. Armero, "A sorting contact detection algorithm", UCB/SEMM-98/06 (1998), and the conserving
//! schemes of Simo and Tarnow (bodies) and Armero and Petőcz (contact). Start with [`step`].

mod account;
pub mod contact;
mod element;
mod energy;
mod error;
mod material;
pub mod mesh;
mod model;
mod pattern;
mod plan;
mod run;
mod setup;
mod shape;
mod solver;
mod state;
pub mod step;
mod timers;

pub use element::{FiniteElement, GaussPoint, StepLaw, StressRule};
pub use energy::{BodyMotion, SolidBudget, body_motion, budget, clusters};
pub use error::SolidError;
pub use material::ElasticMaterial;
pub use mesh::SolidMesh;
pub use model::{
    BodyForm, Penalty, PlaneMotion, Refactor, SolidBody, SolidSettings, StraightWall, Support,
    SurfaceProperties,
};
pub use pattern::BlockPattern;
pub use plan::{ObstacleSeed, ShapePlan, SolidPlan, SolidSeed, Traction};
pub use run::SolidRun;
pub use setup::{Guided, PairProperties, Particle, SolidSetup};
pub use shape::{ElasticShape, MassKind};
pub use state::{RunTally, SolidLedger, SolidState, StepTally};
pub use timers::{Phase, SolidTimers};
