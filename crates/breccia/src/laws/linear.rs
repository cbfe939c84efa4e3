//! Linear spring and dashpot.
//!
//! F = k δ − c v_n while δ > 0, c = A √(m* k), k_t = ratio · k, c_t = √ratio · c.
//! Source: Cundall & Strack 1979, without attraction at the end of an impact.

use super::{NormalLaw, NormalResponse};
use crate::math::Real;
use crate::model::{Material, PairProperties};

/// Linear force law; its stiffness is a property of the pair of materials.
#[derive(Clone, Copy, Debug)]
pub struct Linear;

impl NormalLaw for Linear {
    fn modulus(_: &Material, _: &Material, pair: &PairProperties) -> f64 {
        // The scene reader demands a stiffness with this law; pairs that never touch may lack one.
        pair.normal_stiffness.unwrap_or(0.0)
    }

    fn tangential_ratio(_: &Material, _: &Material, pair: &PairProperties) -> f64 {
        pair.tangential_ratio
    }

    fn tangential_damping_ratio(tangential_ratio: f64) -> f64 {
        tangential_ratio.sqrt()
    }

    fn scale(modulus: f64, _: f64) -> f64 {
        modulus
    }

    #[inline(always)]
    fn respond<R: Real>(overlap: R, scale: R, damping_scale: R) -> NormalResponse<R> {
        let zero = R::splat(0.0);
        NormalResponse {
            depth: overlap,
            elastic_force: scale * overlap,
            stiffness: Self::stiffness(overlap, scale),
            damping: zero.select_less(overlap, damping_scale, zero),
        }
    }

    #[inline(always)]
    fn stiffness<R: Real>(depth: R, scale: R) -> R {
        let zero = R::splat(0.0);
        zero.select_less(depth, scale, zero)
    }

    fn energy(depth: f64, scale: f64) -> f64 {
        0.5 * scale * depth * depth
    }

    fn overlap(depth: f64) -> f64 {
        depth
    }

    fn approach(x: f64) -> (f64, f64) {
        (x, if x > 0.0 { 1.0 } else { 0.0 })
    }
}
