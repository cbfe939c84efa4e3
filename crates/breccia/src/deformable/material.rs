//! What bodies are made of.

use serde::{Deserialize, Serialize};

/// A St. Venant–Kirchhoff material in plane strain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElasticMaterial {
    /// Lamé's first constant λ [Pa].
    pub lame_lambda: f64,
    /// Shear modulus G, Lamé's second constant [Pa].
    pub shear_modulus: f64,
    /// Density in the reference state [kg/m³].
    pub density: f64,
}

impl ElasticMaterial {
    /// From Young's modulus E [Pa], Poisson's ratio ν and density [kg/m³].
    pub fn from_young(young_modulus: f64, poisson_ratio: f64, density: f64) -> Self {
        let shear_modulus = 0.5 * young_modulus / (1.0 + poisson_ratio);
        let lame_lambda = 2.0 * shear_modulus * poisson_ratio / (1.0 - 2.0 * poisson_ratio);
        Self { lame_lambda, shear_modulus, density }
    }

    /// Young's modulus E [Pa].
    pub fn young_modulus(&self) -> f64 {
        let (lambda, shear) = (self.lame_lambda, self.shear_modulus);
        shear * (3.0 * lambda + 2.0 * shear) / (lambda + shear)
    }

    /// λ + 2G [Pa]: stiffness against compression without sideways strain.
    pub fn p_wave_modulus(&self) -> f64 {
        self.lame_lambda + 2.0 * self.shear_modulus
    }

    /// Speed of pressure waves [m/s].
    pub fn p_wave_speed(&self) -> f64 {
        (self.p_wave_modulus() / self.density).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sets_of_constants_agree() {
        let material = ElasticMaterial { lame_lambda: 2000.0, shear_modulus: 1000.0, density: 1.0 };
        assert!((material.young_modulus() - 8000.0 / 3.0).abs() < 1e-10);
        assert!((material.p_wave_speed() - 63.245_553_203).abs() < 1e-6);
        let same = ElasticMaterial::from_young(material.young_modulus(), 1.0 / 3.0, 1.0);
        assert!((same.lame_lambda - 2000.0).abs() < 1e-9 && (same.shear_modulus - 1000.0).abs() < 1e-9);
    }
}
