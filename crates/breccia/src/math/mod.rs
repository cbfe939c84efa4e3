//! Numbers the laws are written in: one value or eight lanes, the same formulas and the same bits.

mod buckets;
mod distinct;
mod extent;
mod lanes;
mod radix;
mod real;
mod simd;
mod vec3;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use buckets::{Buckets, CountingSort};
pub(crate) use distinct::{FirstMet, distinct, distinct_and_places};
pub(crate) use extent::{SHARE, box_around, range_of};
pub use lanes::{LANES, Lanes, NarrowLanes};
pub(crate) use radix::sort_by_key;
pub use real::{Real, inverses, larger_or_nan};
pub use simd::{Quad, Simd, fetch_ahead};
pub use vec3::Vec3;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2Lanes, Avx512Lanes, Sse2Lanes};
