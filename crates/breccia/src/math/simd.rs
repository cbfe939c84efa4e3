//! Lanes in registers: what the pair loop computes with.
//!
//! A block of eight contacts is worked off in parts of [`Simd::WIDTH`] lanes: one number where nothing is known of
//! the processor, two with SSE2, four with AVX2, eight with AVX-512. Each width fits its registers; eight lanes in 256-bit
//! registers spilled so much that they were slower than one number at a time.

use super::{LANES, Lanes, NarrowLanes, Real, Vec3};

/// Four numbers that lie together in memory.
pub type Quad = [f64; 4];

/// Some lanes of a block, with loads, stores and transpositions. `at` is the first lane of the part.
pub trait Simd: Real {
    /// Number of lanes; divides [`LANES`].
    const WIDTH: usize;
    /// From memory.
    fn load(lanes: &Lanes, at: usize) -> Self;
    /// To memory.
    fn store(self, lanes: &mut Lanes, at: usize);
    /// From single precision in memory.
    fn load_narrow(lanes: &NarrowLanes, at: usize) -> Self;
    /// To single precision in memory.
    fn store_narrow(self, lanes: &mut NarrowLanes, at: usize);
    /// Columns of a table of quads: for each lane of the part, of the quad `STRIDE × row + offset`. Panics where there is none.
    fn columns<const STRIDE: usize>(table: &[Quad], rows: &[u32], offset: usize) -> [Self; 4];
    /// Rows of four from their columns, one for each lane of the part.
    fn rows(columns: [Self; 4]) -> [Quad; LANES];
    /// Asks for a row of a table, to be there when it is read soon; it may lie beyond the end. Changes nothing else.
    #[inline(always)]
    fn fetch_ahead<T>(_table: &[T], _row: u32) {}
}

/// Asks for a row of a table, outside of kernels.
#[inline(always)]
pub fn fetch_ahead<T>(table: &[T], row: usize) {
    #[cfg(target_arch = "x86_64")]
    super::Sse2Lanes::fetch_ahead(table, row as u32);
    #[cfg(not(target_arch = "x86_64"))]
    f64::fetch_ahead(table, row as u32);
}

impl Simd for f64 {
    const WIDTH: usize = 1;
    #[inline(always)]
    fn load(lanes: &Lanes, at: usize) -> Self {
        lanes.0[at]
    }
    #[inline(always)]
    fn store(self, lanes: &mut Lanes, at: usize) {
        lanes.0[at] = self;
    }
    #[inline(always)]
    fn load_narrow(lanes: &NarrowLanes, at: usize) -> Self {
        Self::from(lanes.0[at])
    }
    #[inline(always)]
    fn store_narrow(self, lanes: &mut NarrowLanes, at: usize) {
        lanes.0[at] = self as f32;
    }
    #[inline(always)]
    fn columns<const STRIDE: usize>(table: &[Quad], rows: &[u32], offset: usize) -> [Self; 4] {
        table[STRIDE * rows[0] as usize + offset]
    }
    #[inline(always)]
    fn rows(columns: [Self; 4]) -> [Quad; LANES] {
        let mut out = [[0.0; 4]; LANES];
        out[0] = columns;
        out
    }
}

impl<S: Simd> Vec3<S> {
    /// From memory.
    #[inline(always)]
    pub fn load(lanes: &Vec3<Lanes>, at: usize) -> Self {
        Self { x: S::load(&lanes.x, at), y: S::load(&lanes.y, at), z: S::load(&lanes.z, at) }
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self, lanes: &mut Vec3<Lanes>, at: usize) {
        self.x.store(&mut lanes.x, at);
        self.y.store(&mut lanes.y, at);
        self.z.store(&mut lanes.z, at);
    }

    /// From single precision in memory.
    #[inline(always)]
    pub fn load_narrow(lanes: &Vec3<NarrowLanes>, at: usize) -> Self {
        Self {
            x: S::load_narrow(&lanes.x, at),
            y: S::load_narrow(&lanes.y, at),
            z: S::load_narrow(&lanes.z, at),
        }
    }

    /// To single precision in memory.
    #[inline(always)]
    pub fn store_narrow(self, lanes: &mut Vec3<NarrowLanes>, at: usize) {
        self.x.store_narrow(&mut lanes.x, at);
        self.y.store_narrow(&mut lanes.y, at);
        self.z.store_narrow(&mut lanes.z, at);
    }
}
