//! Rigid clumps: motion, contacts, books, same bits.

#[path = "../support/mod.rs"]
mod support;

mod contacts;
mod rotation;
mod same_bits;
mod scenes;
