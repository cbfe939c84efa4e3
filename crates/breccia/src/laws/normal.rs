//! The normal slot: elastic force, damping, and the stiffness that friction and rolling build on.

use crate::math::Real;
use crate::model::{Material, PairProperties};

/// What the normal slot gives for one overlap.
#[derive(Clone, Copy, Debug)]
pub struct NormalResponse<R> {
    /// What a contact remembers of its overlap (√δ for Hertz, δ for linear).
    pub depth: R,
    /// Elastic force [N], ≥ 0.
    pub elastic_force: R,
    /// Stiffness k_n [N/m] that friction and rolling scale from; 0 when apart.
    pub stiffness: R,
    /// Dashpot coefficient c_n [N s/m]; 0 when apart.
    pub damping: R,
}

/// A force along the normal that depends on overlap and approach speed.
///
/// `modulus` is the constant of a pair of materials, `scale` that of one contact (modulus and size together),
/// `damping_scale` is A √(m* scale) with the constant A of [`NormalLaw::approach`].
pub trait NormalLaw: Copy + Send + Sync + 'static {
    /// Constant of a pair of materials from which [`NormalLaw::scale`] follows.
    fn modulus(a: &Material, b: &Material, pair: &PairProperties) -> f64;
    /// Tangential stiffness over [`NormalResponse::stiffness`] [–].
    fn tangential_ratio(a: &Material, b: &Material, pair: &PairProperties) -> f64;
    /// Tangential over normal dashpot coefficient [–], from the tangential ratio.
    fn tangential_damping_ratio(tangential_ratio: f64) -> f64;
    /// Stiffness scale of one contact from the modulus and the reduced radius [m].
    fn scale(modulus: f64, reduced_radius: f64) -> f64;
    /// Force, stiffness and dashpot at an overlap ≥ 0 [m].
    fn respond<R: Real>(overlap: R, scale: R, damping_scale: R) -> NormalResponse<R>;
    /// Stiffness [N/m] at a remembered depth.
    fn stiffness<R: Real>(depth: R, scale: R) -> R;
    /// Elastic force [N] at a remembered depth.
    fn elastic_force(depth: f64, scale: f64) -> f64 {
        Self::stiffness(depth, scale) * Self::overlap(depth)
    }
    /// Elastic energy [J] at a remembered depth.
    fn energy(depth: f64, scale: f64) -> f64;
    /// Overlap [m] of a remembered depth.
    fn overlap(depth: f64) -> f64;
    /// Dimensionless elastic force and dashpot coefficient per A at overlap x, for matching restitution.
    fn approach(x: f64) -> (f64, f64);
}
