//! Loads, stores and transpositions of registers; see the module above for why they are sound.

use super::{Avx2Lanes, Avx512Lanes, Sse2Lanes};
use crate::math::{LANES, Lanes, NarrowLanes, Quad, Simd};
use std::arch::x86_64::*;

/// Bytes that come from memory at a time.
const CACHE_LINE: usize = 64;

/// Transposes four rows of four.
///
/// # Safety
/// Needs AVX.
#[inline(always)]
unsafe fn transpose4(rows: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        let low01 = _mm256_unpacklo_pd(rows[0], rows[1]);
        let high01 = _mm256_unpackhi_pd(rows[0], rows[1]);
        let low23 = _mm256_unpacklo_pd(rows[2], rows[3]);
        let high23 = _mm256_unpackhi_pd(rows[2], rows[3]);
        [
            _mm256_permute2f128_pd::<0x20>(low01, low23),
            _mm256_permute2f128_pd::<0x20>(high01, high23),
            _mm256_permute2f128_pd::<0x31>(low01, low23),
            _mm256_permute2f128_pd::<0x31>(high01, high23),
        ]
    }
}

/// Start of `count` numbers of an array from `at` on; beyond the array it panics instead.
#[inline(always)]
fn part<T, const N: usize>(values: &[T; N], at: usize, count: usize) -> *const T {
    values[at..at + count].as_ptr()
}

/// The same for writing.
#[inline(always)]
fn part_mut<T, const N: usize>(values: &mut [T; N], at: usize, count: usize) -> *mut T {
    values[at..at + count].as_mut_ptr()
}

/// Where the quads `STRIDE × row + offset` of a table begin; beyond the table it panics instead.
///
/// `all_below` tells whether all rows are below a number, in one comparison: to compare each took as long as to load them.
#[inline(always)]
fn quads<const WIDTH: usize, const STRIDE: usize>(
    table: &[Quad],
    rows: &[u32],
    offset: usize,
    all_below: impl Fn(&[u32; WIDTH], u32) -> bool,
) -> [*const f64; WIDTH] {
    let Some(rows) = rows.first_chunk::<WIDTH>() else { panic!("{WIDTH} rows are needed") };
    // Rows from this one on have no such quad; a table with more than there are numbers of rows has it for all but the last number.
    let end = table.len().saturating_sub(offset).div_ceil(STRIDE).min(u32::MAX as usize) as u32;
    assert!(all_below(rows, end));
    // A plain loop: `array::from_fn` was not inlined here, and a gather waited for its pointers to come back from memory.
    let mut places = [std::ptr::null(); WIDTH];
    for (place, &row) in places.iter_mut().zip(rows) {
        // SAFETY: the row is below `end`, so STRIDE × row + offset is less than the table's length.
        *place = unsafe { table.as_ptr().add(STRIDE * row as usize + offset).cast() };
    }
    places
}

/// Asks for the cache lines of a row of a table.
#[inline(always)]
fn fetch<T>(table: &[T], row: u32) {
    let place = table.as_ptr().wrapping_add(row as usize).cast::<i8>();
    for line in (0..size_of::<T>()).step_by(CACHE_LINE) {
        // SAFETY: a hint that neither reads nor writes, wherever it points; every x86-64 processor knows it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.wrapping_add(line)) };
    }
}

impl Simd for Sse2Lanes {
    const WIDTH: usize = 2;
    #[inline(always)]
    fn fetch_ahead<T>(table: &[T], row: u32) {
        fetch(table, row);
    }
    #[inline(always)]
    fn load(lanes: &Lanes, at: usize) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm_loadu_pd(part(&lanes.0, at, 2))) }
    }
    #[inline(always)]
    fn store(self, lanes: &mut Lanes, at: usize) {
        // SAFETY: see the module.
        unsafe { _mm_storeu_pd(part_mut(&mut lanes.0, at, 2), self.0) };
    }
    #[inline(always)]
    fn load_narrow(lanes: &NarrowLanes, at: usize) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm_set_pd(f64::from(lanes.0[at + 1]), f64::from(lanes.0[at]))) }
    }
    #[inline(always)]
    fn store_narrow(self, lanes: &mut NarrowLanes, at: usize) {
        let mut wide = [0.0; 2];
        // SAFETY: see the module.
        unsafe { _mm_storeu_pd(wide.as_mut_ptr(), self.0) };
        lanes.0[at] = wide[0] as f32;
        lanes.0[at + 1] = wide[1] as f32;
    }
    #[inline(always)]
    fn columns<const STRIDE: usize>(table: &[Quad], rows: &[u32], offset: usize) -> [Self; 4] {
        let at = quads::<2, STRIDE>(table, rows, offset, |rows, end| rows[0].max(rows[1]) < end);
        // SAFETY: see the module.
        unsafe {
            let (low0, high0) = (_mm_loadu_pd(at[0]), _mm_loadu_pd(at[0].add(2)));
            let (low1, high1) = (_mm_loadu_pd(at[1]), _mm_loadu_pd(at[1].add(2)));
            [
                Self(_mm_unpacklo_pd(low0, low1)),
                Self(_mm_unpackhi_pd(low0, low1)),
                Self(_mm_unpacklo_pd(high0, high1)),
                Self(_mm_unpackhi_pd(high0, high1)),
            ]
        }
    }
    #[inline(always)]
    fn rows(columns: [Self; 4]) -> [Quad; LANES] {
        let mut out = [[0.0; 4]; LANES];
        let [x, y, z, w] = columns.map(|column| column.0);
        // SAFETY: see the module.
        unsafe {
            _mm_storeu_pd(part_mut(&mut out[0], 0, 2), _mm_unpacklo_pd(x, y));
            _mm_storeu_pd(part_mut(&mut out[0], 2, 2), _mm_unpacklo_pd(z, w));
            _mm_storeu_pd(part_mut(&mut out[1], 0, 2), _mm_unpackhi_pd(x, y));
            _mm_storeu_pd(part_mut(&mut out[1], 2, 2), _mm_unpackhi_pd(z, w));
        }
        out
    }
}

impl Simd for Avx2Lanes {
    const WIDTH: usize = 4;
    #[inline(always)]
    fn fetch_ahead<T>(table: &[T], row: u32) {
        fetch(table, row);
    }
    #[inline(always)]
    fn load(lanes: &Lanes, at: usize) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_loadu_pd(part(&lanes.0, at, 4))) }
    }
    #[inline(always)]
    fn store(self, lanes: &mut Lanes, at: usize) {
        // SAFETY: see the module.
        unsafe { _mm256_storeu_pd(part_mut(&mut lanes.0, at, 4), self.0) };
    }
    #[inline(always)]
    fn load_narrow(lanes: &NarrowLanes, at: usize) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_cvtps_pd(_mm_loadu_ps(part(&lanes.0, at, 4)))) }
    }
    #[inline(always)]
    fn store_narrow(self, lanes: &mut NarrowLanes, at: usize) {
        // SAFETY: see the module.
        unsafe { _mm_storeu_ps(part_mut(&mut lanes.0, at, 4), _mm256_cvtpd_ps(self.0)) };
    }
    #[inline(always)]
    fn columns<const STRIDE: usize>(table: &[Quad], rows: &[u32], offset: usize) -> [Self; 4] {
        let at = quads::<4, STRIDE>(table, rows, offset, |rows, end| {
            // SAFETY: see the module. Rows are below the end where they are at most the number before it, and there is one.
            unsafe {
                let rows = _mm_loadu_si128(rows.as_ptr().cast());
                let last = _mm_set1_epi32(end.wrapping_sub(1) as i32);
                end > 0 && _mm_movemask_epi8(_mm_cmpeq_epi32(_mm_max_epu32(rows, last), last)) == 0xffff
            }
        });
        // SAFETY: see the module.
        unsafe {
            let rows = [
                _mm256_loadu_pd(at[0]),
                _mm256_loadu_pd(at[1]),
                _mm256_loadu_pd(at[2]),
                _mm256_loadu_pd(at[3]),
            ];
            let [x, y, z, w] = transpose4(rows);
            [Self(x), Self(y), Self(z), Self(w)]
        }
    }
    #[inline(always)]
    fn rows(columns: [Self; 4]) -> [Quad; LANES] {
        let mut out = [[0.0; 4]; LANES];
        // SAFETY: see the module.
        unsafe {
            let rows = transpose4([columns[0].0, columns[1].0, columns[2].0, columns[3].0]);
            _mm256_storeu_pd(out[0].as_mut_ptr(), rows[0]);
            _mm256_storeu_pd(out[1].as_mut_ptr(), rows[1]);
            _mm256_storeu_pd(out[2].as_mut_ptr(), rows[2]);
            _mm256_storeu_pd(out[3].as_mut_ptr(), rows[3]);
        }
        out
    }
}

impl Simd for Avx512Lanes {
    const WIDTH: usize = 8;
    #[inline(always)]
    fn fetch_ahead<T>(table: &[T], row: u32) {
        fetch(table, row);
    }
    #[inline(always)]
    fn load(lanes: &Lanes, at: usize) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_loadu_pd(part(&lanes.0, at, 8))) }
    }
    #[inline(always)]
    fn store(self, lanes: &mut Lanes, at: usize) {
        // SAFETY: see the module.
        unsafe { _mm512_storeu_pd(part_mut(&mut lanes.0, at, 8), self.0) };
    }
    #[inline(always)]
    fn load_narrow(lanes: &NarrowLanes, at: usize) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_cvtps_pd(_mm256_loadu_ps(part(&lanes.0, at, 8)))) }
    }
    #[inline(always)]
    fn store_narrow(self, lanes: &mut NarrowLanes, at: usize) {
        // SAFETY: see the module.
        unsafe { _mm256_storeu_ps(part_mut(&mut lanes.0, at, 8), _mm512_cvtpd_ps(self.0)) };
    }
    #[inline(always)]
    fn columns<const STRIDE: usize>(table: &[Quad], rows: &[u32], offset: usize) -> [Self; 4] {
        let at = quads::<8, STRIDE>(table, rows, offset, |rows, end| {
            // SAFETY: see the module.
            unsafe {
                let rows = _mm256_loadu_si256(rows.as_ptr().cast());
                _mm256_cmpge_epu32_mask(rows, _mm256_set1_epi32(end as i32)) == 0
            }
        });
        // SAFETY: see the module.
        unsafe {
            // Register k holds rows k and k + 4 side by side.
            let r0 = _mm512_castpd256_pd512(_mm256_loadu_pd(at[0]));
            let r0 = _mm512_insertf64x4::<1>(r0, _mm256_loadu_pd(at[4]));
            let r1 = _mm512_castpd256_pd512(_mm256_loadu_pd(at[1]));
            let r1 = _mm512_insertf64x4::<1>(r1, _mm256_loadu_pd(at[5]));
            let r2 = _mm512_castpd256_pd512(_mm256_loadu_pd(at[2]));
            let r2 = _mm512_insertf64x4::<1>(r2, _mm256_loadu_pd(at[6]));
            let r3 = _mm512_castpd256_pd512(_mm256_loadu_pd(at[3]));
            let r3 = _mm512_insertf64x4::<1>(r3, _mm256_loadu_pd(at[7]));
            let [x, y, z, w] = transpose_halves([r0, r1, r2, r3]);
            [Self(x), Self(y), Self(z), Self(w)]
        }
    }
    #[inline(always)]
    fn rows(columns: [Self; 4]) -> [Quad; LANES] {
        let mut out = [[0.0; 4]; LANES];
        // SAFETY: see the module.
        unsafe {
            // Register k comes back with rows k and k + 4 side by side.
            let pairs = transpose_halves([columns[0].0, columns[1].0, columns[2].0, columns[3].0]);
            for (k, pair) in pairs.into_iter().enumerate() {
                _mm256_storeu_pd(out[k].as_mut_ptr(), _mm512_castpd512_pd256(pair));
                _mm256_storeu_pd(out[k + 4].as_mut_ptr(), _mm512_extractf64x4_pd::<1>(pair));
            }
        }
        out
    }
}

/// Transposes the lower and the upper four by four numbers of four registers.
///
/// # Safety
/// Needs AVX-512 F.
#[inline(always)]
unsafe fn transpose_halves(r: [__m512d; 4]) -> [__m512d; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        let (low01, high01) = (_mm512_unpacklo_pd(r[0], r[1]), _mm512_unpackhi_pd(r[0], r[1]));
        let (low23, high23) = (_mm512_unpacklo_pd(r[2], r[3]), _mm512_unpackhi_pd(r[2], r[3]));
        let even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        [
            _mm512_permutex2var_pd(low01, even, low23),
            _mm512_permutex2var_pd(high01, even, high23),
            _mm512_permutex2var_pd(low01, odd, low23),
            _mm512_permutex2var_pd(high01, odd, high23),
        ]
    }
}
