//! Register forms of lanes for x86-64.
//!
//! SAFETY of every `unsafe` here: the intrinsics need a processor with the instruction set they are named for, and
//! loads need readable memory. The types of this module are used only by kernels that [`crate::dispatch`] hands out
//! after the processor was asked for that instruction set (tests ask as well); pointers come from references to
//! parts of arrays cut to the loaded length. All other code is safe. Each operation is the correctly rounded one of a single
//! number, in the same order, so the bits are those of single numbers.

#![allow(unsafe_code)]

use super::{LANES, Lanes, NarrowLanes, Quad, Real, Simd};
use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Two lanes in a 128-bit register (SSE2, which every x86-64 processor has).
#[derive(Clone, Copy)]
pub struct Sse2Lanes(__m128d);

/// Four lanes in a 256-bit register (AVX2).
#[derive(Clone, Copy)]
pub struct Avx2Lanes(__m256d);

/// Eight lanes in a 512-bit register (AVX-512 F and DQ).
#[derive(Clone, Copy)]
pub struct Avx512Lanes(__m512d);

macro_rules! binary {
    ($trait:ident, $method:ident, $sse2:ident, $avx2:ident, $avx512:ident) => {
        impl $trait for Sse2Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the module.
                unsafe { Self($sse2(self.0, other.0)) }
            }
        }
        impl $trait for Avx2Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the module.
                unsafe { Self($avx2(self.0, other.0)) }
            }
        }
        impl $trait for Avx512Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the module.
                unsafe { Self($avx512(self.0, other.0)) }
            }
        }
    };
}

binary!(Add, add, _mm_add_pd, _mm256_add_pd, _mm512_add_pd);
binary!(Sub, sub, _mm_sub_pd, _mm256_sub_pd, _mm512_sub_pd);
binary!(Mul, mul, _mm_mul_pd, _mm256_mul_pd, _mm512_mul_pd);
binary!(Div, div, _mm_div_pd, _mm256_div_pd, _mm512_div_pd);

impl Neg for Sse2Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm_xor_pd(self.0, _mm_set1_pd(-0.0))) }
    }
}

impl Neg for Avx2Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))) }
    }
}

impl Neg for Avx512Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_xor_pd(self.0, _mm512_set1_pd(-0.0))) }
    }
}

impl Real for Sse2Lanes {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm_set1_pd(value)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm_sqrt_pd(self.0)) }
    }
    #[inline(always)]
    fn at_least(self, floor: Self) -> Self {
        // The instruction gives its second operand unless the first is greater: a NaN in `self` stays.
        // SAFETY: see the module.
        unsafe { Self(_mm_max_pd(floor.0, self.0)) }
    }
    #[inline(always)]
    fn at_most(self, ceiling: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm_min_pd(ceiling.0, self.0)) }
    }
    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let mask = _mm_cmplt_pd(self.0, other.0);
            Self(_mm_or_pd(_mm_and_pd(mask, then.0), _mm_andnot_pd(mask, otherwise.0)))
        }
    }
    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        // SAFETY: see the module.
        unsafe { _mm_movemask_pd(_mm_cmplt_pd(self.0, other.0)) != 0 }
    }
}

impl Real for Avx2Lanes {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_set1_pd(value)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_sqrt_pd(self.0)) }
    }
    #[inline(always)]
    fn at_least(self, floor: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_max_pd(floor.0, self.0)) }
    }
    #[inline(always)]
    fn at_most(self, ceiling: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm256_min_pd(ceiling.0, self.0)) }
    }
    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let mask = _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0);
            Self(_mm256_blendv_pd(otherwise.0, then.0, mask))
        }
    }
    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        // SAFETY: see the module.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)) != 0 }
    }
}

impl Real for Avx512Lanes {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_set1_pd(value)) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_sqrt_pd(self.0)) }
    }
    #[inline(always)]
    fn at_least(self, floor: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_max_pd(floor.0, self.0)) }
    }
    #[inline(always)]
    fn at_most(self, ceiling: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_min_pd(ceiling.0, self.0)) }
    }
    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let mask = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0);
            Self(_mm512_mask_blend_pd(mask, otherwise.0, then.0))
        }
    }
    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        // SAFETY: see the module.
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) != 0 }
    }
}

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

impl Simd for Sse2Lanes {
    const WIDTH: usize = 2;
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
    fn columns<'a>(row: impl Fn(usize) -> &'a Quad) -> [Self; 4] {
        // SAFETY: see the module.
        unsafe {
            let (low0, high0) = (_mm_loadu_pd(part(row(0), 0, 2)), _mm_loadu_pd(part(row(0), 2, 2)));
            let (low1, high1) = (_mm_loadu_pd(part(row(1), 0, 2)), _mm_loadu_pd(part(row(1), 2, 2)));
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
    fn columns<'a>(row: impl Fn(usize) -> &'a Quad) -> [Self; 4] {
        // SAFETY: see the module.
        unsafe {
            let rows = [
                _mm256_loadu_pd(row(0).as_ptr()),
                _mm256_loadu_pd(row(1).as_ptr()),
                _mm256_loadu_pd(row(2).as_ptr()),
                _mm256_loadu_pd(row(3).as_ptr()),
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
    fn columns<'a>(row: impl Fn(usize) -> &'a Quad) -> [Self; 4] {
        // SAFETY: see the module.
        unsafe {
            // Register k holds rows k and k + 4 side by side.
            let r0 = _mm512_castpd256_pd512(_mm256_loadu_pd(row(0).as_ptr()));
            let r0 = _mm512_insertf64x4::<1>(r0, _mm256_loadu_pd(row(4).as_ptr()));
            let r1 = _mm512_castpd256_pd512(_mm256_loadu_pd(row(1).as_ptr()));
            let r1 = _mm512_insertf64x4::<1>(r1, _mm256_loadu_pd(row(5).as_ptr()));
            let r2 = _mm512_castpd256_pd512(_mm256_loadu_pd(row(2).as_ptr()));
            let r2 = _mm512_insertf64x4::<1>(r2, _mm256_loadu_pd(row(6).as_ptr()));
            let r3 = _mm512_castpd256_pd512(_mm256_loadu_pd(row(3).as_ptr()));
            let r3 = _mm512_insertf64x4::<1>(r3, _mm256_loadu_pd(row(7).as_ptr()));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation of a register form against single numbers, bit by bit.
    fn agrees_with_numbers<S: Simd>() {
        let a = Lanes::from_fn(|k| 0.37 * k as f64 - 1.1);
        let b = Lanes::from_fn(|k| 1.0 / (k as f64 - 3.3));
        for at in (0..LANES).step_by(S::WIDTH) {
            let (ra, rb) = (S::load(&a, at), S::load(&b, at));
            let same = |register: S, number: fn(f64, f64) -> f64| {
                let mut stored = Lanes::splat(0.0);
                register.store(&mut stored, at);
                for k in at..at + S::WIDTH {
                    assert_eq!(stored.0[k].to_bits(), number(a.0[k], b.0[k]).to_bits(), "lane {k}");
                }
            };
            same(ra + rb, |a, b| a + b);
            same(ra - rb, |a, b| a - b);
            same(ra * rb, |a, b| a * b);
            same(ra / rb, |a, b| a / b);
            same(-ra, |a, _| -a);
            same((ra * ra).sqrt(), |a, _| (a * a).sqrt());
            same(ra.at_least(rb), Real::at_least);
            same(ra.at_most(rb), Real::at_most);
            same(ra.select_less(rb, ra, -rb), |a, b| a.select_less(b, a, -b));
            let mut narrow = NarrowLanes::ZERO;
            ra.store_narrow(&mut narrow, at);
            same(S::load_narrow(&narrow, at), |a, _| f64::from(a as f32));
            assert_eq!(ra.any_less(rb), (at..at + S::WIDTH).any(|k| a.0[k] < b.0[k]));
            assert!(!ra.any_less(ra));
            let nan = S::splat(f64::NAN);
            assert!(!nan.at_least(ra).any_less(S::splat(f64::INFINITY)));
            assert!(!nan.at_most(ra).any_less(S::splat(f64::INFINITY)));
        }
        let table: [Quad; LANES] = std::array::from_fn(|k| std::array::from_fn(|c| (10 * k + c) as f64));
        let columns = S::columns(|k| &table[k]);
        for (c, column) in columns.into_iter().enumerate() {
            let mut stored = Lanes::splat(0.0);
            column.store(&mut stored, 0);
            for (k, row) in table[..S::WIDTH].iter().enumerate() {
                assert_eq!(stored.0[k], row[c]);
            }
        }
        assert_eq!(S::rows(columns)[..S::WIDTH], table[..S::WIDTH]);
    }

    #[test]
    fn registers_give_the_bits_of_numbers() {
        agrees_with_numbers::<f64>();
        agrees_with_numbers::<Sse2Lanes>();
        if is_x86_feature_detected!("avx2") {
            agrees_with_numbers::<Avx2Lanes>();
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            agrees_with_numbers::<Avx512Lanes>();
        }
    }
}
