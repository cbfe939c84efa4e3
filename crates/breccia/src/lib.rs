//! breccia: one contact engine for things that touch.

pub mod model;
pub mod motion;
pub mod output;
pub mod scene;
pub mod shapes;
