//! Elastic materials.

use serde::{Deserialize, Serialize};

/// Index of a material in [`super::Model::materials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MaterialId(pub u16);

/// A homogeneous isotropic elastic material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Name used in scenes and output.
    pub name: String,
    /// Mass density [kg/m³].
    pub density: f64,
    /// Young's modulus [Pa]; infinite for a rigid wall material.
    pub young_modulus: f64,
    /// Poisson's ratio [–], −1 < ν ≤ 0.5.
    pub poisson_ratio: f64,
}

impl Material {
    /// Shear modulus G = E / (2 (1 + ν)) [Pa].
    pub fn shear_modulus(&self) -> f64 {
        self.young_modulus / (2.0 * (1.0 + self.poisson_ratio))
    }

    /// Whether contacts treat this side as undeformable.
    pub fn is_rigid(&self) -> bool {
        self.young_modulus.is_infinite()
    }
}
