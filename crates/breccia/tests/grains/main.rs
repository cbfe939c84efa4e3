//! Grains in the plane: their outlines, foot points and contacts.

mod builders;
mod curves;
mod detection;
mod discs;
mod faults;
mod feet;
mod libraries;
mod linearised;
mod measures;
mod tracing;
