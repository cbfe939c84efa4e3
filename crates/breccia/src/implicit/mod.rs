//! Implicit contact dynamics of rigid grains in the plane.

mod contact;

pub use contact::GrainContact;
