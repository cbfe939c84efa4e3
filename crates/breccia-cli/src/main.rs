//! The `breccia` program.
fn main() {}
