//! Eight pair contacts side by side, with what they remember.

use crate::laws::{Coefficients, History, PairCoefficients};
use crate::math::{LANES, Lanes, Real, Vec3};
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
    /// Dashpot's share of the normal force [N].
    pub damping_force: Lanes,
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
            damping_force: Lanes::splat(0.0),
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
    pub fn history(&self, rolling: Vec3<Lanes>) -> History<Lanes> {
        History { tangential: self.tangential, depth: self.depth, damping_force: self.damping_force, rolling }
    }

    /// Stores the memory back.
    #[inline(always)]
    pub fn remember(&mut self, history: &History<Lanes>) {
        self.tangential = history.tangential;
        self.depth = history.depth;
        self.damping_force = history.damping_force;
    }
}
