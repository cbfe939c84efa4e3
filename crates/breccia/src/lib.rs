//! breccia: one contact engine for things that touch.

pub mod laws;
pub mod math;
pub mod model;
pub mod motion;
pub mod narrow_phase;
pub mod scene;
pub mod shapes;
