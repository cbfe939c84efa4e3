//! Contact lists of moving scenes against brute force.

mod lists;
mod on_meshes;
#[path = "../support/mod.rs"]
mod support;
