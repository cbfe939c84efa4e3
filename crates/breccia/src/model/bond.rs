//! Kinds of bonds that hold spheres together.

use serde::{Deserialize, Serialize};

/// Index of a kind of bond in [`super::Model::bonds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BondKindId(pub u16);

/// How stiff a bond is along its axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum BondStiffness {
    /// Young's modulus E_b [Pa]: k_n = E_b/L with the rest length L.
    Modulus(f64),
    /// Stiffness per area k_n [N/m³], whatever the length.
    PerArea(f64),
}

/// What bonds of a kind have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BondKind {
    /// Name used in scenes and output.
    pub name: String,
    /// Axial stiffness.
    pub stiffness: BondStiffness,
    /// Normal over shear stiffness κ [–].
    pub stiffness_ratio: f64,
    /// Tensile strength σ_c [Pa]; infinite for bonds that never break so.
    pub tensile_strength: f64,
    /// Shear strength τ_c [Pa]; infinite for bonds that never break so.
    pub shear_strength: f64,
    /// Damping as a part of the critical one ζ [–].
    pub damping_ratio: f64,
}

impl BondKind {
    /// Normal and shear stiffness per area [N/m³] of a bond with a rest length [m].
    pub fn stiffness_per_area(&self, rest_length: f64) -> (f64, f64) {
        let normal = match self.stiffness {
            BondStiffness::Modulus(modulus) => modulus / rest_length,
            BondStiffness::PerArea(stiffness) => stiffness,
        };
        (normal, normal / self.stiffness_ratio)
    }
}
