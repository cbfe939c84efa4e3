//! Wall contacts put side by side, so that the law works on as many at a time as registers hold.
//!
//! A contact is copied four numbers at a time into a table, of which registers load rows and turn them into columns: numbers
//! written one by one would have to reach the cache before wide registers could read them.

use super::SurfaceContact;
use super::surface_loads::{Met, SurfaceMotion, meet_surface};
use crate::laws::{Coefficients, Dashpots, History, PairCoefficients, RollingLaw};
use crate::math::{LANES, Quad, Simd, Vec3};
use crate::motion::Twist;
use crate::narrow_phase::Side;
use crate::state::{PlaceRow, SpinRow};
use glam::DVec3;

/// Quads of a contact.
const QUADS: usize = 9;
const NORMAL: usize = 0;
const POINT: usize = 1;
const WALL_LINEAR: usize = 2;
const WALL_ANGULAR: usize = 3;
const TANGENTIAL: usize = 4;
const DASHPOT: usize = 5;
const ROLLING: usize = 6;
const ROLLING_DASHPOT: usize = 7;
const RATIOS: usize = 8;

/// Eight wall contacts; lanes not set are those of contacts before, or at rest apart.
pub(super) struct SurfaceLanes {
    /// Rows of the spheres.
    rows: [u32; LANES],
    quads: [[Quad; QUADS]; LANES],
}

/// All that laws see of some contacts.
pub(super) struct SurfaceMeeting<S> {
    pub met: Met<S>,
    pub coefficients: Coefficients<S>,
    pub history: History<S>,
}

#[inline(always)]
fn quad(v: DVec3, last: f64) -> Quad {
    [v.x, v.y, v.z, last]
}

impl SurfaceLanes {
    /// Lanes without contacts; `dummy` is the first dummy row.
    #[inline(always)]
    pub fn new(dummy: u32) -> Self {
        Self { rows: [dummy; LANES], quads: [[[0.0; 4]; QUADS]; LANES] }
    }

    /// Puts a contact into a lane. Its scales are known, `scale_before` is that of the step before.
    #[inline(always)]
    pub fn set(
        &mut self,
        k: usize,
        contact: &SurfaceContact,
        scale_before: f64,
        twist: &Twist,
        pair: &PairCoefficients,
    ) {
        self.rows[k] = contact.row;
        let (own, memory) = (&mut self.quads[k], &contact.memory);
        own[NORMAL] = quad(contact.normal, contact.overlap);
        own[POINT] = quad(contact.point, scale_before);
        own[WALL_LINEAR] = quad(twist.linear, contact.scale);
        own[WALL_ANGULAR] = quad(twist.angular, contact.damping_scale);
        own[TANGENTIAL] = quad(memory.tangential, memory.depth);
        own[DASHPOT] = quad(memory.tangential_dashpot, memory.normal_dashpot);
        own[ROLLING] = quad(memory.rolling, pair.rolling_friction);
        own[ROLLING_DASHPOT] = quad(memory.rolling_dashpot, 0.0);
        own[RATIOS] = [
            pair.tangential_ratio,
            pair.inverse_tangential_ratio,
            pair.tangential_damping_ratio,
            pair.friction,
        ];
    }

    /// The contacts of the lanes from `at` on.
    #[inline(always)]
    pub fn meeting<S: Simd, O: RollingLaw>(
        &self,
        at: usize,
        places: &[PlaceRow],
        spins: &[SpinRow],
    ) -> SurfaceMeeting<S> {
        let (normal, overlap) = self.columns::<S>(at, NORMAL);
        let (point, scale_before) = self.columns::<S>(at, POINT);
        let (linear, scale) = self.columns::<S>(at, WALL_LINEAR);
        let (angular, damping_scale) = self.columns::<S>(at, WALL_ANGULAR);
        let (tangential, depth) = self.columns::<S>(at, TANGENTIAL);
        let (rolling, rolling_friction) = self.columns::<S>(at, ROLLING);
        let (ratios, friction) = self.columns::<S>(at, RATIOS);
        let sphere = Side::<S>::gather(&self.rows[at..at + S::WIDTH], places, spins);
        let twist = SurfaceMotion { linear, angular };
        SurfaceMeeting {
            met: meet_surface(&sphere, normal, overlap, point, &twist),
            coefficients: Coefficients {
                scale,
                scale_before,
                damping_scale,
                tangential_ratio: ratios.x,
                inverse_tangential_ratio: ratios.y,
                tangential_damping_ratio: ratios.z,
                friction,
                rolling_friction,
            },
            history: History { tangential, depth, rolling, dashpots: self.dashpots::<S, O>(at) },
        }
    }

    /// What dashpots did in the last step, where that is followed.
    #[inline(always)]
    fn dashpots<S: Simd, O: RollingLaw>(&self, at: usize) -> Dashpots<S> {
        if !O::FOLLOWS_LOSSES {
            let none = Vec3::splat(DVec3::ZERO);
            return Dashpots { normal: S::splat(0.0), tangential: none, rolling: none };
        }
        let (tangential, normal) = self.columns::<S>(at, DASHPOT);
        let (rolling, _) = self.columns::<S>(at, ROLLING_DASHPOT);
        Dashpots { normal, tangential, rolling }
    }

    #[inline(always)]
    fn columns<S: Simd>(&self, at: usize, offset: usize) -> (Vec3<S>, S) {
        const LANE: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];
        let [x, y, z, last] =
            S::columns::<QUADS>(self.quads.as_flattened(), &LANE[at..at + S::WIDTH], offset);
        (Vec3 { x, y, z }, last)
    }
}
