//! The operations a contact law may use.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or several side by side.
///
/// Only correctly rounded operations are offered (+ − × ÷ √ and comparisons), so that a law gives the same
/// bits one contact at a time, in vector lanes, or on another device. There is no fused multiply-add and no
/// `powf`: δ^{3/2} is δ√δ.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The same value in every lane.
    fn splat(value: f64) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// `floor` where the value is below it. A NaN stays a NaN, so that trouble is not hidden.
    fn at_least(self, floor: Self) -> Self;
    /// `ceiling` where the value is above it. A NaN stays a NaN.
    fn at_most(self, ceiling: Self) -> Self;
    /// `then` in lanes where `self < other`, `otherwise` elsewhere.
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self;
    /// In which lanes `self < other`, the first in the lowest bit.
    fn less_bits(self, other: Self) -> u32;
    /// Whether any lane has `self < other`.
    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        self.less_bits(other) != 0
    }
}

impl Real for f64 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn at_least(self, floor: Self) -> Self {
        if self < floor { floor } else { self }
    }
    #[inline(always)]
    fn at_most(self, ceiling: Self) -> Self {
        if self > ceiling { ceiling } else { self }
    }
    #[inline(always)]
    fn select_less(self, other: Self, then: Self, otherwise: Self) -> Self {
        if self < other { then } else { otherwise }
    }
    #[inline(always)]
    fn less_bits(self, other: Self) -> u32 {
        u32::from(self < other)
    }
}

/// Reciprocals of several numbers from one division of their product, which must be within range: on most processors a
/// division takes as long as ten products.
#[inline(always)]
pub fn inverses<R: Real, const N: usize>(values: [R; N]) -> [R; N] {
    let mut products = values;
    for k in 1..N {
        products[k] = products[k - 1] * values[k];
    }
    let mut inverse = R::splat(1.0) / products[N - 1];
    let mut out = values;
    for k in (1..N).rev() {
        out[k] = inverse * products[k - 1];
        inverse = inverse * values[k];
    }
    out[0] = inverse;
    out
}

/// The larger of two numbers, NaN if either is one (`f64::max` would hide it).
#[inline(always)]
pub fn larger_or_nan(a: f64, b: f64) -> f64 {
    if a.is_nan() || b <= a { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_from_one_division_are_those_of_each() {
        let values = [3.0, 1e-100, 7e20, 1e-30, 0.1];
        for (value, inverse) in values.into_iter().zip(inverses(values)) {
            assert!((value * inverse - 1.0).abs() < 1e-15, "{value} * {inverse}");
        }
        assert_eq!(inverses([4.0]), [0.25]);
    }

    #[test]
    fn a_nan_wins_on_either_side() {
        assert!(larger_or_nan(f64::NAN, 1.0).is_nan() && larger_or_nan(1.0, f64::NAN).is_nan());
        assert_eq!((larger_or_nan(1.0, 2.0), larger_or_nan(2.0, 1.0)), (2.0, 2.0));
    }
}
