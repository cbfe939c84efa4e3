//! Making spheres: sizes, places without overlap, lattices, pouring.

mod lattice;
mod mesh_region;
mod normal_deviate;
mod place;
mod pour;
mod region;
mod sizes;
mod sphere_grid;

pub(super) use lattice::lattice_points;
pub use mesh_region::MeshRegion;
pub(super) use normal_deviate::probability_between as normal_probability_between;
pub(super) use place::{Amount, RandomFill, Refusal, fill_region};
pub use pour::{InletStream, Proposal};
pub(super) use sphere_grid::SphereGrid;

/// Volume of a sphere [m³].
pub(super) fn sphere_volume(radius: f64) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius
}
