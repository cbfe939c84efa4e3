//! Numbers of a contact that follow from its materials, sizes and masses.

use super::{NormalLaw, damping_constant};
use crate::math::Real;
use crate::model::{FrictionKind, Model, PairId};

/// Constants of a pair of materials under the chosen laws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairCoefficients {
    /// Modulus of the normal law: (4/3) E* for Hertz [Pa], k_n for linear [N/m].
    pub modulus: f64,
    /// Dashpot constant A [–].
    pub damping_constant: f64,
    /// Tangential over normal stiffness [–].
    pub tangential_ratio: f64,
    /// Its inverse [–]; 0 where there is no tangential spring.
    pub inverse_tangential_ratio: f64,
    /// Tangential over normal dashpot coefficient [–].
    pub tangential_damping_ratio: f64,
    /// Coulomb friction µ [–].
    pub friction: f64,
    /// Rolling friction µ_r [–].
    pub rolling_friction: f64,
}

impl PairCoefficients {
    /// Stiffness scale and dashpot scale of a contact with reduced radius [m] and reduced mass [kg].
    pub fn scales<N: NormalLaw>(&self, reduced_radius: f64, reduced_mass: f64) -> (f64, f64) {
        let scale = N::scale(self.modulus, reduced_radius);
        (scale, self.damping_constant * (reduced_mass * scale).sqrt())
    }
}

/// Constants of every pair of materials, indexed by [`PairId`].
pub fn pair_coefficients<N: NormalLaw>(model: &Model) -> Vec<PairCoefficients> {
    // Solving for A takes milliseconds; pairs often share their restitution.
    let mut solved: Vec<(f64, f64)> = Vec::new();
    let mut constant_of = |restitution: f64| match solved.iter().find(|(e, _)| *e == restitution) {
        Some((_, constant)) => *constant,
        None => {
            let constant = damping_constant::<N>(restitution);
            solved.push((restitution, constant));
            constant
        }
    };
    let row = |index: usize| {
        let id = PairId(index as u16);
        let (a, b) = model.pairs.materials(id);
        let (a, b, pair) = (model.material(a), model.material(b), &model.pairs.rows()[index]);
        let tangential_ratio = N::tangential_ratio(a, b, pair);
        PairCoefficients {
            modulus: N::modulus(a, b, pair),
            damping_constant: constant_of(pair.restitution),
            tangential_ratio,
            inverse_tangential_ratio: if tangential_ratio > 0.0 { 1.0 / tangential_ratio } else { 0.0 },
            tangential_damping_ratio: N::tangential_damping_ratio(tangential_ratio),
            friction: if model.laws.friction == FrictionKind::None { 0.0 } else { pair.friction },
            rolling_friction: pair.rolling_friction,
        }
    };
    (0..model.pairs.rows().len()).map(row).collect()
}

/// Everything a law needs to know of a contact besides its motion.
#[derive(Clone, Copy, Debug)]
pub struct Coefficients<R> {
    /// Stiffness scale (S of Hertz) of this contact.
    pub scale: R,
    /// Stiffness scale in the step before; another only beside blended concave edges.
    pub scale_before: R,
    /// Dashpot scale A √(m* S) of this contact.
    pub damping_scale: R,
    /// Tangential over normal stiffness [–].
    pub tangential_ratio: R,
    /// Its inverse [–]; 0 where there is no tangential spring.
    pub inverse_tangential_ratio: R,
    /// Tangential over normal dashpot coefficient [–].
    pub tangential_damping_ratio: R,
    /// Coulomb friction µ [–].
    pub friction: R,
    /// Rolling friction µ_r [–].
    pub rolling_friction: R,
}

impl<R: Real> Coefficients<R> {
    /// The same pair of materials in every lane, with each contact's own scales.
    #[inline(always)]
    pub fn uniform(pair: &PairCoefficients, scale: R, damping_scale: R) -> Self {
        Self {
            scale,
            scale_before: scale,
            damping_scale,
            tangential_ratio: R::splat(pair.tangential_ratio),
            inverse_tangential_ratio: R::splat(pair.inverse_tangential_ratio),
            tangential_damping_ratio: R::splat(pair.tangential_damping_ratio),
            friction: R::splat(pair.friction),
            rolling_friction: R::splat(pair.rolling_friction),
        }
    }
}
