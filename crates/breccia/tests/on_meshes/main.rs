//! Spheres on meshes, through whole runs.

#[path = "../support/mod.rs"]
mod support;

mod builders;
mod concave;
mod curved;
mod flat;
mod history;
mod hunt;
mod polygons;
mod rig;
mod same_bits;
mod sizes;
