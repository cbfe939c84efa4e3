//! Deformable bodies: the acceptance tests of the energy–momentum scheme with contact.

mod bodies;
mod boxes;
mod builders;
mod free;
mod friction;
mod impact;
mod loads;
mod refusals;
mod same_bits;
mod sharp;
mod sorting;
