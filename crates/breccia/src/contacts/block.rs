//! Eight pair contacts side by side, with what they remember.

use crate::laws::{Coefficients, Dashpots, History, PairCoefficients};
use crate::math::{LANES, Lanes, NarrowLanes, Real, Simd, Vec3};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Eight contacts between spheres of one pair of materials, seen through one periodic image.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[repr(C, align(64))]
pub struct ContactBlock {
    /// Rows of side a; unused lanes point at the first dummy row.
    pub a: [u32; LANES],
    /// Rows of side b, each above its a; unused lanes point at the second dummy row.
    pub b: [u32; LANES],
    /// Elastic tangential force on a [N, world].
    pub tangential: Vec3<Lanes>,
    /// Remembered depth of the normal law; 0 when apart.
    pub depth: Lanes,
    /// Stiffness scale, fixed while the pair lives.
    pub scale: Lanes,
    /// Dashpot scale, fixed while the pair lives.
    pub damping_scale: Lanes,
}

impl ContactBlock {
    /// A block without contacts; `dummy` is the first dummy row.
    pub fn unused(dummy: u32) -> Self {
        Self {
            a: [dummy; LANES],
            b: [dummy + 1; LANES],
            tangential: Vec3::splat(DVec3::ZERO),
            depth: Lanes::splat(0.0),
            scale: Lanes::splat(1.0),
            damping_scale: Lanes::splat(0.0),
        }
    }

    /// Coefficients of the lanes from `at` on.
    #[inline(always)]
    pub fn coefficients<S: Simd>(&self, at: usize, pair: &PairCoefficients) -> Coefficients<S> {
        Coefficients::uniform(pair, S::load(&self.scale, at), S::load(&self.damping_scale, at))
    }

    /// Memory of the lanes from `at` on; that of rolling and of dashpots is kept apart because not every run needs it.
    #[inline(always)]
    pub fn history<S: Simd>(&self, at: usize) -> History<S> {
        let none = Vec3::splat(DVec3::ZERO);
        History {
            tangential: Vec3::load(&self.tangential, at),
            depth: S::load(&self.depth, at),
            rolling: none,
            dashpots: Dashpots { normal: S::splat(0.0), tangential: none, rolling: none },
        }
    }

    /// Stores the memory back.
    #[inline(always)]
    pub fn remember<S: Simd>(&mut self, at: usize, history: &History<S>) {
        history.tangential.store(&mut self.tangential, at);
        history.depth.store(&mut self.depth, at);
    }
}

/// What the dashpots of eight contacts did in the last step, kept only where losses are followed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[repr(C, align(64))]
pub struct DashpotBlock {
    /// Dashpots' share of the normal force [N].
    pub normal: NarrowLanes,
    /// Dashpots' share of the tangential force on a [N, world].
    pub tangential: Vec3<NarrowLanes>,
}

impl DashpotBlock {
    /// No force in any lane.
    pub const ZERO: Self = Self { normal: NarrowLanes::ZERO, tangential: Vec3::<NarrowLanes>::ZERO };
}
