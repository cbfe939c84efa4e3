//! Contact laws, each written once, for pairs, walls and whatever touches later.
//!
//! A law is a sum of slots: normal ([`Hertz`] or [`Linear`]), friction, rolling. Every formula is generic over
//! [`crate::math::Real`]: the step evaluates eight contacts at a time, tests evaluate one, with the same bits.

mod bond;
mod chosen;
mod coefficients;
mod contact;
mod friction;
mod hertz;
mod linear;
mod normal;
mod restitution;
mod rolling;

pub use bond::{
    BondCoefficients, BondDashpots, BondHistory, BondResponse, BondSpan, bond_energy, bond_stresses,
    evaluate_bond,
};
pub use chosen::ChosenLaws;
pub use coefficients::{Coefficients, PairCoefficients, pair_coefficients};
pub use contact::{Dashpots, Encounter, History, Losses, Response, StiffnessChange, evaluate};
pub use friction::transport;
pub use hertz::Hertz;
pub use linear::Linear;
pub use normal::{NormalLaw, NormalResponse};
pub use restitution::damping_constant;
pub use rolling::{
    BrakedRolling, ElasticRolling, NoRolling, RollingLaw, Unfollowed, rolling_stiffness, tilt,
};

/// Smallest divisor: keeps 0/0 of contacts that are apart at 0.
pub(crate) const TINY: f64 = 1e-280;
