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
    /// Dashpots' share of the normal force [N].
    pub normal_dashpot: NarrowLanes,
    /// Dashpots' share of the tangential force on a [N, world].
    pub tangential_dashpot: Vec3<NarrowLanes>,
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
            normal_dashpot: NarrowLanes::ZERO,
            tangential_dashpot: Vec3::<NarrowLanes>::ZERO,
            scale: Lanes::splat(1.0),
            damping_scale: Lanes::splat(0.0),
        }
    }

    /// Coefficients of the lanes from `at` on.
    #[inline(always)]
    pub fn coefficients<S: Simd>(&self, at: usize, pair: &PairCoefficients) -> Coefficients<S> {
        Coefficients::uniform(pair, S::load(&self.scale, at), S::load(&self.damping_scale, at))
    }

    /// Memory of the lanes from `at` on; that of rolling is kept apart because not every law needs it.
    #[inline(always)]
    pub fn history<S: Simd>(&self, at: usize) -> History<S> {
        let none = Vec3::splat(DVec3::ZERO);
        History {
            tangential: Vec3::load(&self.tangential, at),
            depth: S::load(&self.depth, at),
            rolling: none,
            dashpots: Dashpots {
                normal: S::load_narrow(&self.normal_dashpot, at),
                tangential: Vec3::load_narrow(&self.tangential_dashpot, at),
                rolling: none,
            },
        }
    }

    /// Stores the memory back.
    #[inline(always)]
    pub fn remember<S: Simd>(&mut self, at: usize, history: &History<S>) {
        history.tangential.store(&mut self.tangential, at);
        history.depth.store(&mut self.depth, at);
        history.dashpots.normal.store_narrow(&mut self.normal_dashpot, at);
        history.dashpots.tangential.store_narrow(&mut self.tangential_dashpot, at);
    }
}

/// Rolling memory of eight contacts, kept only by laws that have one.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RollingBlock {
    /// Elastic rolling torque on a [N m, world].
    pub torque: Vec3<Lanes>,
    /// Dashpot's share of the rolling torque on a [N m, world].
    pub dashpot: Vec3<NarrowLanes>,
}

impl RollingBlock {
    /// No torque in any lane.
    #[inline(always)]
    pub fn zero() -> Self {
        Self { torque: Vec3::splat(DVec3::ZERO), dashpot: Vec3::<NarrowLanes>::ZERO }
    }

    /// Puts the memory of the lanes from `at` on into a history.
    #[inline(always)]
    pub fn recall<S: Simd>(&self, at: usize, history: &mut History<S>) {
        history.rolling = Vec3::load(&self.torque, at);
        history.dashpots.rolling = Vec3::load_narrow(&self.dashpot, at);
    }

    /// Stores the memory back.
    #[inline(always)]
    pub fn remember<S: Simd>(&mut self, at: usize, history: &History<S>) {
        history.rolling.store(&mut self.torque, at);
        history.dashpots.rolling.store_narrow(&mut self.dashpot, at);
    }
}
