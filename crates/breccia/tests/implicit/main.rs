//! Grains with implicit steps, from outside: closed forms, packings, solvers against each other.

mod build;
mod discs;
mod friction;
mod grains;
mod packing;
mod restitution;
mod solvers;
