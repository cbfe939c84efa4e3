//! Sums over the contacts of a chunk, kept in lanes until the end.

use super::StepTotals;
use crate::laws::Losses;
use crate::math::Simd;

/// Losses summed in lanes, and the largest overlap beyond the limit.
pub(super) struct LossSums<S> {
    losses: Losses<S>,
    excess: S,
}

impl<S: Simd> LossSums<S> {
    #[inline(always)]
    pub fn new() -> Self {
        let zero = S::splat(0.0);
        let losses = Losses { normal_damping: zero, tangential_damping: zero, sliding: zero, rolling: zero };
        Self { losses, excess: S::splat(f64::NEG_INFINITY) }
    }

    /// Adds losses, weighted 1 for contacts that count here and 0 for copies that count elsewhere.
    #[inline(always)]
    pub fn add(&mut self, losses: &Losses<S>, weight: S) {
        let sums = &mut self.losses;
        sums.normal_damping = sums.normal_damping + losses.normal_damping * weight;
        sums.tangential_damping = sums.tangential_damping + losses.tangential_damping * weight;
        sums.sliding = sums.sliding + losses.sliding * weight;
        sums.rolling = sums.rolling + losses.rolling * weight;
    }

    /// Notes overlaps beyond the limit [m].
    #[inline(always)]
    pub fn note_excess(&mut self, excess: S) {
        self.excess = self.excess.at_least(excess);
    }

    #[inline(always)]
    pub fn add_to(&self, totals: &mut StepTotals) {
        totals.add_losses(&Losses {
            normal_damping: self.losses.normal_damping.store().sum(),
            tangential_damping: self.losses.tangential_damping.store().sum(),
            sliding: self.losses.sliding.store().sum(),
            rolling: self.losses.rolling.store().sum(),
        });
    }

    #[inline(always)]
    pub fn largest_excess(&self) -> f64 {
        self.excess.store().0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}
