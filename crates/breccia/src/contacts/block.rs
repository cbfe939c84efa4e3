//! Eight pair contacts side by side, with what they remember.

use crate::laws::{Coefficients, Dashpots, History, PairCoefficients};
use crate::math::{LANES, Lanes, NarrowLanes, Real, Vec3};
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
    pub fn coefficients(&self, pair: &PairCoefficients) -> Coefficients<Lanes> {
        Coefficients::uniform(pair, self.scale, self.damping_scale)
    }

    /// Memory of the lanes; `rolling` is kept apart because not every law needs it.
    #[inline(always)]
    pub fn history(&self, rolling: &RollingBlock) -> History<Lanes> {
        History {
            tangential: self.tangential,
            depth: self.depth,
            rolling: rolling.torque,
            dashpots: Dashpots {
                normal: self.normal_dashpot.widen(),
                tangential: self.tangential_dashpot.widen(),
                rolling: rolling.dashpot.widen(),
            },
        }
    }

    /// Stores the memory back.
    #[inline(always)]
    pub fn remember(&mut self, history: &History<Lanes>) {
        self.tangential = history.tangential;
        self.depth = history.depth;
        self.normal_dashpot = NarrowLanes::narrow(history.dashpots.normal);
        self.tangential_dashpot = history.dashpots.tangential.narrow();
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
    pub fn of(history: &History<Lanes>) -> Self {
        Self { torque: history.rolling, dashpot: history.dashpots.rolling.narrow() }
    }
}
