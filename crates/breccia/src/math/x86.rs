//! Register forms of eight lanes for x86-64.
//!
//! SAFETY of every `unsafe` here: the intrinsics need a processor with the instruction set they are named for, and
//! loads need readable memory. The types of this module are used only by kernels that [`crate::dispatch`] hands out
//! after the processor was asked for that instruction set (tests ask as well); pointers come from references to
//! arrays of the loaded length. All other code is safe. Each operation is the correctly rounded one of a single
//! number, in the same order, so the bits are those of [`Lanes`].

#![allow(unsafe_code)]

use super::{LANES, Lanes, NarrowLanes, Quad, Real, Simd};
use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Eight lanes in two 256-bit registers (AVX2).
#[derive(Clone, Copy)]
pub struct Avx2Lanes([__m256d; 2]);

/// Eight lanes in one 512-bit register (AVX-512 F and DQ).
#[derive(Clone, Copy)]
pub struct Avx512Lanes(__m512d);

macro_rules! binary {
    ($trait:ident, $method:ident, $avx2:ident, $avx512:ident) => {
        impl $trait for Avx2Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the module.
                unsafe { Self([$avx2(self.0[0], other.0[0]), $avx2(self.0[1], other.0[1])]) }
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

binary!(Add, add, _mm256_add_pd, _mm512_add_pd);
binary!(Sub, sub, _mm256_sub_pd, _mm512_sub_pd);
binary!(Mul, mul, _mm256_mul_pd, _mm512_mul_pd);
binary!(Div, div, _mm256_div_pd, _mm512_div_pd);

impl Neg for Avx2Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let sign = _mm256_set1_pd(-0.0);
            Self([_mm256_xor_pd(self.0[0], sign), _mm256_xor_pd(self.0[1], sign)])
        }
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

impl Real for Avx2Lanes {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the module.
        unsafe { Self([_mm256_set1_pd(value); 2]) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the module.
        unsafe { Self([_mm256_sqrt_pd(self.0[0]), _mm256_sqrt_pd(self.0[1])]) }
    }
    #[inline(always)]
    fn at_least(self, floor: Self) -> Self {
        // The instruction gives its second operand unless the first is greater: a NaN in `self` stays.
        // SAFETY: see the module.
        unsafe { Self([_mm256_max_pd(floor.0[0], self.0[0]), _mm256_max_pd(floor.0[1], self.0[1])]) }
    }
    #[inline(always)]
    fn at_most(self, ceiling: Self) -> Self {
        // SAFETY: see the module.
        unsafe { Self([_mm256_min_pd(ceiling.0[0], self.0[0]), _mm256_min_pd(ceiling.0[1], self.0[1])]) }
    }
    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        // SAFETY: see the module.
        unsafe {
            let half = |k: usize| {
                let mask = _mm256_cmp_pd::<_CMP_LT_OQ>(self.0[k], other.0[k]);
                _mm256_blendv_pd(otherwise.0[k], then.0[k], mask)
            };
            Self([half(0), half(1)])
        }
    }
    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        // SAFETY: see the module.
        unsafe {
            let low = _mm256_cmp_pd::<_CMP_LT_OQ>(self.0[0], other.0[0]);
            let high = _mm256_cmp_pd::<_CMP_LT_OQ>(self.0[1], other.0[1]);
            _mm256_movemask_pd(_mm256_or_pd(low, high)) != 0
        }
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

impl Simd for Avx2Lanes {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        let at = lanes.0.as_ptr();
        // SAFETY: see the module; both halves lie inside the array of eight.
        unsafe { Self([_mm256_loadu_pd(at), _mm256_loadu_pd(at.add(4))]) }
    }
    #[inline(always)]
    fn store(self) -> Lanes {
        let mut out = Lanes([0.0; LANES]);
        let at = out.0.as_mut_ptr();
        // SAFETY: see the module; both halves lie inside the array of eight.
        unsafe {
            _mm256_storeu_pd(at, self.0[0]);
            _mm256_storeu_pd(at.add(4), self.0[1]);
        }
        out
    }
    #[inline(always)]
    fn load_narrow(lanes: &NarrowLanes) -> Self {
        let at = lanes.0.as_ptr();
        // SAFETY: see the module; both halves lie inside the array of eight.
        unsafe { Self([_mm256_cvtps_pd(_mm_loadu_ps(at)), _mm256_cvtps_pd(_mm_loadu_ps(at.add(4)))]) }
    }
    #[inline(always)]
    fn store_narrow(self) -> NarrowLanes {
        let mut out = NarrowLanes::ZERO;
        let at = out.0.as_mut_ptr();
        // SAFETY: see the module; both halves lie inside the array of eight.
        unsafe {
            _mm_storeu_ps(at, _mm256_cvtpd_ps(self.0[0]));
            _mm_storeu_ps(at.add(4), _mm256_cvtpd_ps(self.0[1]));
        }
        out
    }
    #[inline(always)]
    fn columns(rows: [&Quad; LANES]) -> [Self; 4] {
        // SAFETY: see the module.
        unsafe {
            let row = |k: usize| _mm256_loadu_pd(rows[k].as_ptr());
            let low = transpose4([row(0), row(1), row(2), row(3)]);
            let high = transpose4([row(4), row(5), row(6), row(7)]);
            [0, 1, 2, 3].map(|c| Self([low[c], high[c]]))
        }
    }
    #[inline(always)]
    fn rows(columns: [Self; 4]) -> [Quad; LANES] {
        let mut out = [[0.0; 4]; LANES];
        // SAFETY: see the module.
        unsafe {
            for half in 0..2 {
                let rows = transpose4([0, 1, 2, 3].map(|c| columns[c].0[half]));
                for k in 0..4 {
                    _mm256_storeu_pd(out[4 * half + k].as_mut_ptr(), rows[k]);
                }
            }
        }
        out
    }
}

impl Simd for Avx512Lanes {
    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_loadu_pd(lanes.0.as_ptr())) }
    }
    #[inline(always)]
    fn store(self) -> Lanes {
        let mut out = Lanes([0.0; LANES]);
        // SAFETY: see the module.
        unsafe { _mm512_storeu_pd(out.0.as_mut_ptr(), self.0) };
        out
    }
    #[inline(always)]
    fn load_narrow(lanes: &NarrowLanes) -> Self {
        // SAFETY: see the module.
        unsafe { Self(_mm512_cvtps_pd(_mm256_loadu_ps(lanes.0.as_ptr()))) }
    }
    #[inline(always)]
    fn store_narrow(self) -> NarrowLanes {
        let mut out = NarrowLanes::ZERO;
        // SAFETY: see the module.
        unsafe { _mm256_storeu_ps(out.0.as_mut_ptr(), _mm512_cvtpd_ps(self.0)) };
        out
    }
    #[inline(always)]
    fn columns(rows: [&Quad; LANES]) -> [Self; 4] {
        // SAFETY: see the module.
        unsafe {
            // Register k holds rows k and k + 4 side by side.
            let pair = |k: usize| {
                let low = _mm512_castpd256_pd512(_mm256_loadu_pd(rows[k].as_ptr()));
                _mm512_insertf64x4::<1>(low, _mm256_loadu_pd(rows[k + 4].as_ptr()))
            };
            let (r0, r1, r2, r3) = (pair(0), pair(1), pair(2), pair(3));
            let (low01, high01) = (_mm512_unpacklo_pd(r0, r1), _mm512_unpackhi_pd(r0, r1));
            let (low23, high23) = (_mm512_unpacklo_pd(r2, r3), _mm512_unpackhi_pd(r2, r3));
            let even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            [
                Self(_mm512_permutex2var_pd(low01, even, low23)),
                Self(_mm512_permutex2var_pd(high01, even, high23)),
                Self(_mm512_permutex2var_pd(low01, odd, low23)),
                Self(_mm512_permutex2var_pd(high01, odd, high23)),
            ]
        }
    }
    #[inline(always)]
    fn rows(columns: [Self; 4]) -> [Quad; LANES] {
        let [c0, c1, c2, c3] = columns.map(|c| c.0);
        let mut out = [[0.0; 4]; LANES];
        // SAFETY: see the module.
        unsafe {
            let (low01, high01) = (_mm512_unpacklo_pd(c0, c1), _mm512_unpackhi_pd(c0, c1));
            let (low23, high23) = (_mm512_unpacklo_pd(c2, c3), _mm512_unpackhi_pd(c2, c3));
            // Even rows come from the low halves of each 128-bit lane, odd rows from the high ones.
            let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            let rows04 = _mm512_permutex2var_pd(low01, first, low23);
            let rows15 = _mm512_permutex2var_pd(high01, first, high23);
            let rows26 = _mm512_permutex2var_pd(low01, second, low23);
            let rows37 = _mm512_permutex2var_pd(high01, second, high23);
            for (k, pair) in [rows04, rows15, rows26, rows37].into_iter().enumerate() {
                _mm256_storeu_pd(out[k].as_mut_ptr(), _mm512_castpd512_pd256(pair));
                _mm256_storeu_pd(out[k + 4].as_mut_ptr(), _mm512_extractf64x4_pd::<1>(pair));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation of a register form against the portable lanes, bit by bit.
    fn agrees_with_lanes<S: Simd>() {
        let a = Lanes::from_fn(|k| 0.37 * k as f64 - 1.1);
        let b = Lanes::from_fn(|k| 1.0 / (k as f64 - 3.3));
        let (ra, rb) = (S::load(&a), S::load(&b));
        let same = |register: S, lanes: Lanes| {
            assert_eq!(register.store().0.map(f64::to_bits), lanes.0.map(f64::to_bits));
        };
        same(ra + rb, a + b);
        same(ra - rb, a - b);
        same(ra * rb, a * b);
        same(ra / rb, a / b);
        same(-ra, -a);
        same((ra * ra).sqrt(), (a * a).sqrt());
        same(ra.at_least(rb), a.at_least(b));
        same(ra.at_most(rb), a.at_most(b));
        same(ra.select_less(rb, ra, -rb), a.select_less(b, a, -b));
        same(S::load_narrow(&ra.store_narrow()), NarrowLanes::narrow(a).widen());
        assert_eq!(ra.any_less(rb), a.any_less(b));
        assert!(!ra.any_less(ra));
        let nan = S::splat(f64::NAN);
        assert!(nan.at_least(ra).store().0.iter().all(|x| x.is_nan()));
        assert!(nan.at_most(ra).store().0.iter().all(|x| x.is_nan()));

        let table: [Quad; LANES] = std::array::from_fn(|k| std::array::from_fn(|c| (10 * k + c) as f64));
        let columns = S::columns(std::array::from_fn(|k| &table[k]));
        let expected = Lanes::columns(std::array::from_fn(|k| &table[k]));
        for c in 0..4 {
            same(columns[c], expected[c]);
        }
        assert_eq!(S::rows(columns), table);
    }

    #[test]
    fn registers_give_the_bits_of_lanes() {
        if is_x86_feature_detected!("avx2") {
            agrees_with_lanes::<Avx2Lanes>();
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            agrees_with_lanes::<Avx512Lanes>();
        }
    }
}
