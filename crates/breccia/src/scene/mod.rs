//! From a scene file (TOML) to a model, its first bodies, and what happens when.

mod plan;

pub use plan::{
    Action, BodySeed, Event, FlowPlane, Inlet, InletAmount, OutputSettings, Phase, Region, Scene, SieveStep,
    SizeDistribution,
};
