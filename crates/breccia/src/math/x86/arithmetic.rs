//! Operations on registers; see the module above for why they are sound.

use super::{Avx2Lanes, Avx512Lanes, Sse2Lanes};
use crate::math::Real;
use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

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
    fn less_bits(self, other: Self) -> u32 {
        // SAFETY: see the module.
        unsafe { _mm_movemask_pd(_mm_cmplt_pd(self.0, other.0)) as u32 }
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
    fn less_bits(self, other: Self) -> u32 {
        // SAFETY: see the module.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)) as u32 }
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
    fn less_bits(self, other: Self) -> u32 {
        // SAFETY: see the module.
        unsafe { u32::from(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0)) }
    }
}
