//! Eight contacts side by side.

use super::{Real, Vec3};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Contacts evaluated together.
pub const LANES: usize = 8;

/// Eight numbers as blocks of contacts keep them in memory.
///
/// The step computes with registers ([`super::Simd`]) loaded from them. The lane-by-lane arithmetic here is the portable
/// form of the same: laws are compared with single numbers through it, on any processor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Lanes(pub [f64; LANES]);

impl Lanes {
    /// Lane values from their index.
    #[inline(always)]
    pub fn from_fn(value: impl FnMut(usize) -> f64) -> Self {
        Self(std::array::from_fn(value))
    }

    /// Sum over lanes in lane order.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let mut total = 0.0;
        for value in self.0 {
            total += value;
        }
        total
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let mut out = self;
        for k in 0..LANES {
            out.0[k] = f(self.0[k]);
        }
        out
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = self;
        for k in 0..LANES {
            out.0[k] = f(self.0[k], other.0[k]);
        }
        out
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl Div for Lanes {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
}

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|a| -a)
    }
}

impl Real for Lanes {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; LANES])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }
    #[inline(always)]
    fn at_least(self, floor: Self) -> Self {
        self.zip(floor, Real::at_least)
    }
    #[inline(always)]
    fn at_most(self, ceiling: Self) -> Self {
        self.zip(ceiling, Real::at_most)
    }
    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        let mut out = then;
        for k in 0..LANES {
            out.0[k] = self.0[k].select_less(other.0[k], then.0[k], otherwise.0[k]);
        }
        out
    }
    #[inline(always)]
    fn less_bits(self, other: Self) -> u32 {
        let mut bits = 0;
        for k in 0..LANES {
            bits |= u32::from(self.0[k] < other.0[k]) << k;
        }
        bits
    }
}

/// Eight numbers in single precision, for what only bookkeeping remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[repr(C, align(32))]
pub struct NarrowLanes(pub [f32; LANES]);

impl NarrowLanes {
    /// Zero in every lane.
    pub const ZERO: Self = Self([0.0; LANES]);
}

impl Vec3<NarrowLanes> {
    /// Zero in every lane.
    pub const ZERO: Self = Self { x: NarrowLanes::ZERO, y: NarrowLanes::ZERO, z: NarrowLanes::ZERO };

    /// The vector of one lane.
    pub fn lane(&self, k: usize) -> DVec3 {
        DVec3::new(f64::from(self.x.0[k]), f64::from(self.y.0[k]), f64::from(self.z.0[k]))
    }

    /// Sets the vector of one lane.
    pub fn set_lane(&mut self, k: usize, v: DVec3) {
        self.x.0[k] = v.x as f32;
        self.y.0[k] = v.y as f32;
        self.z.0[k] = v.z as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A formula with every operation a law may use.
    fn formula<R: Real>(a: R, b: R) -> R {
        let c = (a * b + R::splat(0.3)) / (b.at_least(R::splat(0.5)) - a.at_most(R::splat(0.1)));
        (c * c).sqrt().select_less(R::splat(1.0), -c, c + a)
    }

    #[test]
    fn lanes_give_the_bits_of_single_numbers() {
        let a = Lanes::from_fn(|k| 0.37 * k as f64 - 1.1);
        let b = Lanes::from_fn(|k| 1.0 / (k as f64 + 0.7));
        let together = formula(a, b);
        for k in 0..LANES {
            assert_eq!(together.0[k].to_bits(), formula(a.0[k], b.0[k]).to_bits());
        }
    }

    #[test]
    fn a_nan_survives_clamping() {
        let nan = Lanes::splat(f64::NAN);
        assert!(nan.at_least(Lanes::splat(0.0)).0[3].is_nan());
        assert!(nan.at_most(Lanes::splat(0.0)).0[3].is_nan());
    }
}
