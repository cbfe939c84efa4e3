//! The region bodies may occupy.

use crate::math::{Real, Vec3};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What to do with a body whose centre leaves a non-periodic side of the domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitPolicy {
    /// Stop the run with a message that names the body.
    #[default]
    Stop,
    /// Remove the body and count it.
    Remove,
}

/// An axis-aligned box with optional periodic axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Domain {
    /// Lower corner [m, world]; −∞ on an unbounded side.
    pub min: DVec3,
    /// Upper corner [m, world]; +∞ on an unbounded side.
    pub max: DVec3,
    /// Axes on which what leaves one side enters the other; both corners are finite there.
    pub periodic: [bool; 3],
    /// Fate of bodies that leave through the other sides.
    pub on_exit: ExitPolicy,
}

impl Domain {
    /// All of space.
    pub fn unbounded() -> Self {
        Self {
            min: DVec3::NEG_INFINITY,
            max: DVec3::INFINITY,
            periodic: [false; 3],
            on_exit: ExitPolicy::Stop,
        }
    }

    /// Extent along each axis [m]; infinite where unbounded.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// Whether any axis is periodic.
    pub fn is_periodic(&self) -> bool {
        self.periodic.iter().any(|&p| p)
    }

    /// Period vector [m]: the domain's size on periodic axes, zero elsewhere.
    pub fn period(&self) -> DVec3 {
        let size = self.size();
        let side = |axis: usize| if self.periodic[axis] { size[axis] } else { 0.0 };
        DVec3::new(side(0), side(1), side(2))
    }

    /// Whether a point lies beyond a non-periodic side.
    #[inline(always)]
    pub fn is_outside(&self, point: DVec3) -> bool {
        self.is_any_outside::<f64>(Vec3::splat(point))
    }

    /// Whether any of some points lies beyond a non-periodic side.
    #[inline(always)]
    pub fn is_any_outside<R: Real>(&self, point: Vec3<R>) -> bool {
        let mut any = false;
        for (axis, at) in [point.x, point.y, point.z].into_iter().enumerate() {
            let (min, max) = (R::splat(self.min[axis]), R::splat(self.max[axis]));
            any |= !self.periodic[axis] && (at.any_less(min) || max.any_less(at));
        }
        any
    }

    /// Shortest vector equal to `separation` up to periods [m].
    pub fn minimum_image(&self, separation: DVec3) -> DVec3 {
        let mut d = separation;
        for axis in 0..3 {
            if self.periodic[axis] {
                let period = self.max[axis] - self.min[axis];
                d[axis] -= period * (d[axis] / period).round();
            }
        }
        d
    }
}
