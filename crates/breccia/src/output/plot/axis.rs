//! One axis: values to pixels, and where its ticks are.

use crate::output::ticks::{decade_ticks, round_ticks, tick_text};

/// Ticks wanted on an axis.
const TICKS: usize = 6;

/// A scale between two values laid over two pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    logarithmic: bool,
    low: f64,
    high: f64,
    pixels: [f64; 2],
}

impl Axis {
    /// Spans the values with a little room, or the range given.
    pub(super) fn fitted(
        values: impl Iterator<Item = f64>,
        logarithmic: bool,
        range: Option<[f64; 2]>,
        pixels: [f64; 2],
    ) -> Self {
        let usable = |value: &f64| value.is_finite() && (!logarithmic || *value > 0.0);
        let given = range.filter(|ends| ends.iter().all(usable) && ends[0] < ends[1]);
        let [low, high] = given.unwrap_or_else(|| {
            let empty = [f64::INFINITY, f64::NEG_INFINITY];
            let ends = values.filter(usable).fold(empty, |[a, b], value| [a.min(value), b.max(value)]);
            with_room(ends, logarithmic)
        });
        Self { logarithmic, low, high, pixels }
    }

    /// Whether a value has a place.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    /// Pixel of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        let scale = |x: f64| if self.logarithmic { libm::log10(x) } else { x };
        let part = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low));
        // Far outside is as good as outside, and SVG readers dislike huge numbers.
        self.pixels[0] + part.clamp(-10.0, 10.0) * (self.pixels[1] - self.pixels[0])
    }

    /// Values and texts of the ticks.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if self.logarithmic {
            return decade_ticks(self.low, self.high).into_iter().map(|t| (t, decade_text(t))).collect();
        }
        let ticks = round_ticks(self.low, self.high, TICKS);
        let spacing = ticks.windows(2).next().map_or(self.high - self.low, |pair| pair[1] - pair[0]);
        ticks.into_iter().map(|tick| (tick, tick_text(tick, spacing))).collect()
    }
}

fn with_room([low, high]: [f64; 2], logarithmic: bool) -> [f64; 2] {
    match (low < high, low == high, logarithmic) {
        (true, _, true) => {
            let room = libm::pow(high / low, 0.04);
            [(low / room).max(f64::MIN_POSITIVE), (high * room).min(f64::MAX)]
        }
        (true, _, false) => {
            // Half the span, so that ±1e308 does not overflow.
            let room = 0.08 * (0.5 * high - 0.5 * low);
            [(low - room).max(f64::MIN), (high + room).min(f64::MAX)]
        }
        (_, true, true) => [0.5 * low, (2.0 * low).min(f64::MAX)],
        (_, true, false) => [low - 0.5 * low.abs().max(1e-12), low + 0.5 * low.abs().max(1e-12)],
        _ => [1.0, 10.0],
    }
}

/// `10⁻³` for powers of ten, plain numbers between.
fn decade_text(value: f64) -> String {
    let power = libm::log10(value);
    let whole = libm::round(power);
    if (power - whole).abs() > 1e-9 {
        return tick_text(value, value);
    }
    if (-2.0..=3.0).contains(&whole) {
        return tick_text(value, value.min(1.0));
    }
    let superscript = |c: char| match c {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit.to_digit(10).unwrap_or(0) as usize],
    };
    format!("10{}", (whole as i64).to_string().chars().map(superscript).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fall_on_their_pixels() {
        let linear = Axis::fitted([].into_iter(), false, Some([2.0, 4.0]), [100.0, 0.0]);
        assert_eq!([2.0, 3.0, 4.0].map(|v| linear.place(v)), [100.0, 50.0, 0.0]);
        let decades = Axis::fitted([].into_iter(), true, Some([0.1, 1000.0]), [0.0, 400.0]);
        assert!((decades.place(10.0) - 200.0).abs() < 1e-9);
        assert!(!decades.shows(0.0) && !decades.shows(f64::NAN) && linear.shows(0.0));
    }

    #[test]
    fn ticks_have_texts() {
        let texts = |axis: Axis| axis.ticks().into_iter().map(|tick| tick.1).collect::<Vec<_>>();
        let linear = Axis::fitted([-1.0, 1.0].into_iter(), false, None, [0.0, 1.0]);
        assert_eq!(texts(linear), ["−1.0", "−0.5", "0", "0.5", "1.0"]);
        let decades = Axis::fitted([1e-4, 100.0].into_iter(), true, None, [0.0, 1.0]);
        assert_eq!(texts(decades), ["10⁻⁴", "10⁻³", "0.01", "0.1", "1", "10", "100"]);
        let short = Axis::fitted([].into_iter(), true, Some([1.0, 10.0]), [0.0, 1.0]);
        assert_eq!(texts(short), ["1", "2", "5", "10"]);
    }

    #[test]
    fn odd_data_still_make_an_axis() {
        for values in [vec![], vec![3.0], vec![0.0], vec![f64::NAN, -1.0], vec![f64::MIN, f64::MAX]] {
            for logarithmic in [false, true] {
                let axis = Axis::fitted(values.iter().copied(), logarithmic, None, [0.0, 1.0]);
                assert!(axis.low < axis.high && axis.low.is_finite() && axis.high.is_finite());
                assert!(axis.ticks().len() < 40);
            }
        }
    }
}
