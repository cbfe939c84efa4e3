//! Which law fills which slot of a contact.

use serde::{Deserialize, Serialize};

/// Normal slot: elastic force, damping and the stiffness the other slots build on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NormalKind {
    /// Hertz force with the restitution-matched dashpot.
    #[default]
    Hertz,
    /// Linear spring and dashpot.
    Linear,
}

/// Tangential slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrictionKind {
    /// Elastic–frictional spring with memory, capped by Coulomb's µ F_n.
    #[default]
    Coulomb,
    /// No tangential force.
    None,
}

/// Rolling slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RollingKind {
    /// Elastic–plastic rolling spring on the relative rotation; equal and opposite torques.
    #[default]
    C,
    /// Brakes each body's own spin, never beyond zero; no reaction on the partner.
    ALimited,
    /// No rolling resistance.
    None,
}

/// The laws of a run; parameters come from the pair of materials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LawChoice {
    /// Normal slot.
    pub normal: NormalKind,
    /// Tangential slot.
    pub friction: FrictionKind,
    /// Rolling slot.
    pub rolling: RollingKind,
    /// Whether the spring of [`RollingKind::C`] resists relative spin about the normal too.
    pub torsion: bool,
}
