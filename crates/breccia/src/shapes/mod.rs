//! Shapes that can touch. Spheres are rows of the state; walls are analytic surfaces.

mod wall_shape;

pub use wall_shape::{Side, WallShape};
