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

    /// Coefficients of the lanes.
    #[inline(always)]
    pub fn coefficients<S: Simd>(&self, pair: &PairCoefficients) -> Coefficients<S> {
        Coefficients::uniform(pair, S::load(&self.scale), S::load(&self.damping_scale))
    }

    /// Memory of the lanes; `rolling` is kept apart because not every law needs it.
    #[inline(always)]
    pub fn history<S: Simd>(&self, rolling: &RollingBlock) -> History<S> {
        History {
            tangential: Vec3::load(&self.tangential),
            depth: S::load(&self.depth),
            rolling: Vec3::load(&rolling.torque),
            dashpots: Dashpots {
                normal: S::load_narrow(&self.normal_dashpot),
                tangential: Vec3::load_narrow(&self.tangential_dashpot),
                rolling: Vec3::load_narrow(&rolling.dashpot),
            },
        }
    }

    /// Stores the memory back.
    #[inline(always)]
    pub fn remember<S: Simd>(&mut self, history: &History<S>) {
        self.tangential = history.tangential.store();
        self.depth = history.depth.store();
        self.normal_dashpot = history.dashpots.normal.store_narrow();
        self.tangential_dashpot = history.dashpots.tangential.store_narrow();
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

    /// The memory of a history.
    #[inline(always)]
    pub fn of<S: Simd>(history: &History<S>) -> Self {
        Self { torque: history.rolling.store(), dashpot: history.dashpots.rolling.store_narrow() }
    }
}
