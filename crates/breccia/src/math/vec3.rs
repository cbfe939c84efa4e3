//! A spatial vector of reals or lanes.

use super::{Lanes, Real};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::ops::{Add, Mul, Neg, Sub};

/// Three components.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vec3<R> {
    /// x component.
    pub x: R,
    /// y component.
    pub y: R,
    /// z component.
    pub z: R,
}

impl<R: Real> Vec3<R> {
    /// From components.
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(v: DVec3) -> Self {
        Self::new(R::splat(v.x), R::splat(v.y), R::splat(v.z))
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> R {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// Squared length.
    #[inline(always)]
    pub fn length_squared(self) -> R {
        self.dot(self)
    }

    /// The larger of each component and that of another vector.
    #[inline(always)]
    pub fn at_least(self, floor: Self) -> Self {
        Self::new(self.x.at_least(floor.x), self.y.at_least(floor.y), self.z.at_least(floor.z))
    }

    /// The smaller of each component and that of another vector.
    #[inline(always)]
    pub fn at_most(self, ceiling: Self) -> Self {
        Self::new(self.x.at_most(ceiling.x), self.y.at_most(ceiling.y), self.z.at_most(ceiling.z))
    }
}

impl Vec3<Lanes> {
    /// Lane vectors from their index.
    #[inline(always)]
    pub fn from_fn(mut value: impl FnMut(usize) -> DVec3) -> Self {
        let mut out = Self::splat(DVec3::ZERO);
        for k in 0..super::LANES {
            out.set_lane(k, value(k));
        }
        out
    }

    /// The vector of one lane.
    #[inline(always)]
    pub fn lane(&self, k: usize) -> DVec3 {
        DVec3::new(self.x.0[k], self.y.0[k], self.z.0[k])
    }

    /// Sets the vector of one lane.
    #[inline(always)]
    pub fn set_lane(&mut self, k: usize, v: DVec3) {
        self.x.0[k] = v.x;
        self.y.0[k] = v.y;
        self.z.0[k] = v.z;
    }
}

impl<R: Real> Add for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<R: Real> Sub for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<R: Real> Mul<R> for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, scale: R) -> Self {
        Self::new(self.x * scale, self.y * scale, self.z * scale)
    }
}

impl<R: Real> Neg for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}
