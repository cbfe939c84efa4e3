//! Sums over the contacts of a chunk, kept by lane until the end.

use super::StepTotals;
use crate::laws::Losses;
use crate::math::{Lanes, Real, Simd};

/// Losses summed lane by lane, whatever the number of lanes worked on at a time, and the largest overlap beyond
/// the limit.
pub(super) struct LossSums {
    losses: Losses<Lanes>,
    excess: Lanes,
}

impl LossSums {
    #[inline(always)]
    pub fn new() -> Self {
        let zero = Lanes::splat(0.0);
        let losses = Losses { normal_damping: zero, tangential_damping: zero, sliding: zero, rolling: zero };
        Self { losses, excess: Lanes::splat(f64::NEG_INFINITY) }
    }

    /// Adds losses of the lanes from `at` on; unused lanes lose nothing.
    #[inline(always)]
    pub fn add<S: Simd>(&mut self, at: usize, losses: &Losses<S>) {
        add(&mut self.losses.normal_damping, at, losses.normal_damping);
        add(&mut self.losses.tangential_damping, at, losses.tangential_damping);
        add(&mut self.losses.sliding, at, losses.sliding);
        add(&mut self.losses.rolling, at, losses.rolling);
    }

    /// Adds losses of the lanes from `at` on, weighted 1 for lanes in use and 0 for those that hold anything.
    #[inline(always)]
    pub fn add_weighted<S: Simd>(&mut self, at: usize, losses: &Losses<S>, weight: S) {
        let Losses { normal_damping, tangential_damping, sliding, rolling } = *losses;
        self.add(
            at,
            &Losses {
                normal_damping: normal_damping * weight,
                tangential_damping: tangential_damping * weight,
                sliding: sliding * weight,
                rolling: rolling * weight,
            },
        );
    }

    /// Notes overlaps beyond the limit [m].
    #[inline(always)]
    pub fn note_excess<S: Simd>(&mut self, at: usize, excess: S) {
        S::load(&self.excess, at).at_least(excess).store(&mut self.excess, at);
    }

    pub fn add_to(&self, totals: &mut StepTotals) {
        totals.add_losses(&Losses {
            normal_damping: self.losses.normal_damping.sum(),
            tangential_damping: self.losses.tangential_damping.sum(),
            sliding: self.losses.sliding.sum(),
            rolling: self.losses.rolling.sum(),
        });
    }

    pub fn largest_excess(&self) -> f64 {
        self.excess.0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Adds to the lanes from `at` on.
#[inline(always)]
fn add<S: Simd>(sum: &mut Lanes, at: usize, value: S) {
    (S::load(sum, at) + value).store(sum, at);
}
