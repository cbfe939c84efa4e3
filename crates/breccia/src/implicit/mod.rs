//! Implicit contact dynamics of rigid grains in the plane: every step is one convex program for the contact forces.
//!
//! Start with `step.rs`: one step, its phases in order. A run is a [`GrainRun`]: a [`GrainSetup`] that does not
//! change, a [`GrainState`] that does, and a solver of the [`problem`].

mod account;
mod assemble;
pub mod assembly;
mod candidates;
mod contact;
mod error;
mod history;
mod measure;
mod packing;
mod plan;
pub mod problem;
mod run;
mod safety;
mod scale;
mod scheduled;
mod settings;
mod setup;
pub mod solver;
mod state;
mod step;

pub use contact::GrainContact;
pub use error::GrainError;
pub use measure::{BoxMeasures, GrainEnergy, GrainMeasures};
pub use packing::Packing;
pub use plan::{GrainPlan, GrainSeed, OutlinePlan, Press};
pub use run::GrainRun;
pub use scheduled::{ScheduledGrains, ScheduledState};
pub use settings::{DynamicStep, GrainSettings, StaticStep, StepKind, Stiffness, StiffnessMeaning};
pub use setup::{FrictionTable, Grain, GrainSetup, Motion, WallControl};
pub use state::{GrainLedger, GrainLoad, GrainState, LoadedContact, StepReport, WallState};
pub use step::GrainTimers;
