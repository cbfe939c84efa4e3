//! Spheres on meshes, through whole runs.

#[path = "../support/mod.rs"]
mod support;

mod builders;
mod concave;
