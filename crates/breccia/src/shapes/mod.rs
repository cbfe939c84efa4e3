//! Shapes that can touch. Spheres are rows of the state; walls are analytic surfaces or meshes;
//! templates are bodies of several spheres; grains in the plane have outlines.

pub mod mesh;
pub mod nurbs;
pub mod template;
pub mod tracing;
mod wall_shape;

pub use wall_shape::{Side, WallShape};

/// Volume of a sphere [m³].
pub fn sphere_volume(radius: f64) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius
}
