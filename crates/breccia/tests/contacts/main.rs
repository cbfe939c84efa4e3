//! Contact lists of moving scenes against brute force.

mod lists;
#[path = "../support/mod.rs"]
mod support;
