//! breccia: one contact engine for things that touch.
//!
//! Start with [`step`]: one step, phase by phase. A run is a [`simulation::Simulation`]: a fixed set-up and a
//! changing state, made from a [`scene::Scene`].

pub mod broad_phase;
pub mod contacts;
mod crew;
pub mod deformable;
pub mod diagnostics;
pub mod dispatch;
pub mod implicit;
pub mod laws;
pub mod math;
pub mod model;
pub mod motion;
pub mod narrow_phase;
pub mod output;
pub mod scene;
pub mod shapes;
pub mod simulation;
pub mod state;
pub mod step;
