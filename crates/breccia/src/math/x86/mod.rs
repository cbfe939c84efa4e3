//! Register forms of lanes for x86-64.
//!
//! SAFETY of every `unsafe` here: the intrinsics need a processor with the instruction set they are named for, and
//! loads need readable memory. The types of this module are used only by kernels that [`crate::dispatch`] hands out
//! after the processor was asked for that instruction set (tests ask as well); pointers come from references to
//! parts of arrays cut to the loaded length, or to rows of a table that were compared with its length (`quads`). All other code is safe. Each operation is the correctly rounded one of a single
//! number, in the same order, so the bits are those of single numbers.

#[allow(unsafe_code)]
mod arithmetic;
#[allow(unsafe_code)]
mod memory;

use std::arch::x86_64::{__m128d, __m256d, __m512d};

/// Two lanes in a 128-bit register (SSE2, which every x86-64 processor has).
#[derive(Clone, Copy)]
pub struct Sse2Lanes(__m128d);

/// Four lanes in a 256-bit register (AVX2).
#[derive(Clone, Copy)]
pub struct Avx2Lanes(__m256d);

/// Eight lanes in a 512-bit register (AVX-512 F, VL and DQ).
#[derive(Clone, Copy)]
pub struct Avx512Lanes(__m512d);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{LANES, Lanes, NarrowLanes, Quad, Real, Simd};

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
            let bits = (0..S::WIDTH).map(|k| u32::from(a.0[at + k] < b.0[at + k]) << k).sum();
            assert_eq!((ra.less_bits(rb), ra.any_less(rb)), (bits, bits != 0));
            assert!(!ra.any_less(ra));
            let nan = S::splat(f64::NAN);
            assert!(!nan.at_least(ra).any_less(S::splat(f64::INFINITY)));
            assert!(!nan.at_most(ra).any_less(S::splat(f64::INFINITY)));
        }
        let table: [Quad; LANES] = std::array::from_fn(|k| std::array::from_fn(|c| (10 * k + c) as f64));
        let rows: [u32; LANES] = std::array::from_fn(|k| k as u32);
        let columns = S::columns::<1>(&table, &rows, 0);
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
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
        {
            agrees_with_numbers::<Avx512Lanes>();
        }
    }
}
