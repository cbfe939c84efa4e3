//! Hertz contact with a dashpot of constant restitution.
//!
//! F = S δ^{3/2} − c v_n,  S = (4/3) E* √R*,  c = A √(m* S) δ^{1/4},
//! k_t = 8 G* √(R* δ) = (6 G*/E*) S √δ.
//! 1/E* = Σ (1−ν²)/E, 1/G* = Σ (2−ν)/G; a rigid side adds nothing.
//!
//! Sources: Hertz 1881; Mindlin 1949 for k_t; Tsuji et al. 1992 for the form of c.

use super::{NormalLaw, NormalResponse};
use crate::math::Real;
use crate::model::{Material, PairProperties};

/// Hertz's force law.
#[derive(Clone, Copy, Debug)]
pub struct Hertz;

/// 1/E* of two materials' sides [1/Pa].
fn compliance(a: &Material, b: &Material) -> f64 {
    let side = |m: &Material| {
        if m.is_rigid() { 0.0 } else { (1.0 - m.poisson_ratio * m.poisson_ratio) / m.young_modulus }
    };
    side(a) + side(b)
}

/// 1/G* of two materials' sides [1/Pa].
fn shear_compliance(a: &Material, b: &Material) -> f64 {
    let side = |m: &Material| if m.is_rigid() { 0.0 } else { (2.0 - m.poisson_ratio) / m.shear_modulus() };
    side(a) + side(b)
}

impl NormalLaw for Hertz {
    fn modulus(a: &Material, b: &Material, _: &PairProperties) -> f64 {
        4.0 / (3.0 * compliance(a, b))
    }

    fn tangential_ratio(a: &Material, b: &Material, _: &PairProperties) -> f64 {
        6.0 * compliance(a, b) / shear_compliance(a, b)
    }

    /// c_t = √(2/3) A √(m* k_t) = √(2κ/3) c_n.
    fn tangential_damping_ratio(tangential_ratio: f64) -> f64 {
        (2.0 * tangential_ratio / 3.0).sqrt()
    }

    fn scale(modulus: f64, reduced_radius: f64) -> f64 {
        modulus * reduced_radius.sqrt()
    }

    #[inline(always)]
    fn respond<R: Real>(overlap: R, scale: R, damping_scale: R) -> NormalResponse<R> {
        let depth = overlap.sqrt();
        let stiffness = scale * depth;
        NormalResponse {
            depth,
            elastic_force: stiffness * overlap,
            stiffness,
            damping: damping_scale * depth.sqrt(),
        }
    }

    #[inline(always)]
    fn stiffness<R: Real>(depth: R, scale: R) -> R {
        scale * depth
    }

    fn energy(depth: f64, scale: f64) -> f64 {
        0.4 * scale * depth * depth * depth * depth * depth
    }

    fn overlap(depth: f64) -> f64 {
        depth * depth
    }

    fn approach(x: f64) -> (f64, f64) {
        let root = x.sqrt();
        (x * root, root.sqrt())
    }
}
