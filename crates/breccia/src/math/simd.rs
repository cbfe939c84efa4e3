//! Eight lanes in registers: what the pair loop computes with.
//!
//! [`Lanes`] is the portable form and the one kept in memory. Its explicit register forms live in `x86`: the
//! compiler turns loops over arrays into vector arithmetic by itself, but not the gathering of eight rows, which
//! took longer than the law.

use super::{LANES, Lanes, NarrowLanes, Real, Vec3};

/// Four numbers that lie together in memory.
pub type Quad = [f64; 4];

/// Eight lanes with loads, stores and transpositions.
pub trait Simd: Real {
    /// From memory.
    fn load(lanes: &Lanes) -> Self;
    /// To memory.
    fn store(self) -> Lanes;
    /// From single precision in memory.
    fn load_narrow(lanes: &NarrowLanes) -> Self;
    /// To single precision in memory.
    fn store_narrow(self) -> NarrowLanes;
    /// Column c of eight rows of four.
    fn columns(rows: [&Quad; LANES]) -> [Self; 4];
    /// Eight rows of four from their columns.
    fn rows(columns: [Self; 4]) -> [Quad; LANES];
}

impl Simd for Lanes {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        *lanes
    }
    #[inline(always)]
    fn store(self) -> Lanes {
        self
    }
    #[inline(always)]
    fn load_narrow(lanes: &NarrowLanes) -> Self {
        lanes.widen()
    }
    #[inline(always)]
    fn store_narrow(self) -> NarrowLanes {
        NarrowLanes::narrow(self)
    }
    #[inline(always)]
    fn columns(rows: [&Quad; LANES]) -> [Self; 4] {
        std::array::from_fn(|c| Self::from_fn(|k| rows[k][c]))
    }
    #[inline(always)]
    fn rows(columns: [Self; 4]) -> [Quad; LANES] {
        std::array::from_fn(|k| std::array::from_fn(|c| columns[c].0[k]))
    }
}

impl<S: Simd> Vec3<S> {
    /// From memory.
    #[inline(always)]
    pub fn load(lanes: &Vec3<Lanes>) -> Self {
        Self { x: S::load(&lanes.x), y: S::load(&lanes.y), z: S::load(&lanes.z) }
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self) -> Vec3<Lanes> {
        Vec3 { x: self.x.store(), y: self.y.store(), z: self.z.store() }
    }

    /// From single precision in memory.
    #[inline(always)]
    pub fn load_narrow(lanes: &Vec3<NarrowLanes>) -> Self {
        Self { x: S::load_narrow(&lanes.x), y: S::load_narrow(&lanes.y), z: S::load_narrow(&lanes.z) }
    }

    /// To single precision in memory.
    #[inline(always)]
    pub fn store_narrow(self) -> Vec3<NarrowLanes> {
        Vec3 { x: self.x.store_narrow(), y: self.y.store_narrow(), z: self.z.store_narrow() }
    }
}
