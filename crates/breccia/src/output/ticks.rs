//! Round numbers for axes and legends.

/// Multiples of 1, 2 or 5 times a power of ten within [`low`, `high`], about `wanted` of them.
pub(super) fn round_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return vec![low];
    }
    let step = round_step(span / wanted.max(1) as f64);
    let slack = 1e-9 * span;
    let first = ((low - slack) / step).ceil();
    let count = (((high + slack) / step).floor() - first) as usize;
    // Multiples, not a running sum: 0.1 + 0.1 + 0.1 would print badly.
    (0..=count).map(|i| (first + i as f64) * step).collect()
}

fn round_step(rough: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors.into_iter().find(|factor| factor * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Powers of ten within [`low`, `high`], both positive; with 2 and 5 between where there are few, and only every
/// few powers where there are many.
pub(super) fn decade_ticks(low: f64, high: f64) -> Vec<f64> {
    let first = libm::floor(libm::log10(low) + 1e-9) as i32;
    let last = libm::ceil(libm::log10(high) - 1e-9) as i32;
    let factors: &[f64] = if last - first <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let stride = ((last - first) as usize / 9).max(1);
    let powers = (first..=last).step_by(stride).map(|power| libm::pow(10.0, f64::from(power)));
    let ticks = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
    ticks.filter(|tick| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(tick)).collect()
}

/// A tick's number, with no more digits than the distance to the next tick calls for.
pub(super) fn tick_text(value: f64, spacing: f64) -> String {
    let size = value.abs().max(spacing.abs());
    if value.abs() < 1e-9 * spacing.abs() || size == 0.0 {
        return "0".into();
    }
    let exponent = |x: f64| libm::floor(libm::log10(x) + 1e-9) as i32;
    let decimals = (-exponent(spacing.abs().max(f64::MIN_POSITIVE))).max(0);
    if (1e-3..1e5).contains(&size) {
        return minus_sign(format!("{value:.0$}", decimals as usize));
    }
    let digits = (exponent(size) - exponent(spacing.abs().max(f64::MIN_POSITIVE))).clamp(0, 8);
    minus_sign(format!("{value:.0$e}", digits as usize))
}

fn minus_sign(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(round_ticks(0.0, 1.0, 5), [0.0, 0.2, 0.4, 3.0 * 0.2, 0.8, 1.0]);
        assert_eq!(round_ticks(-7.0, 12.0, 4), [-5.0, 0.0, 5.0, 10.0]);
        assert_eq!(round_ticks(3.0, 3.0, 5), [3.0]);
        assert_eq!(decade_ticks(9e-4, 15.0), [1e-3, 1e-2, 1e-1, 1.0, 10.0]);
        assert_eq!(decade_ticks(1.0, 10.0), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!(decade_ticks(1e-20, 1e20).len(), 11);
    }

    #[test]
    fn numbers_have_the_digits_they_need() {
        let texts =
            |values: &[f64], spacing| values.iter().map(|&v| tick_text(v, spacing)).collect::<Vec<_>>();
        assert_eq!(texts(&[0.0, 3.0 * 0.2, 1.0], 0.2), ["0", "0.6", "1.0"]);
        assert_eq!(texts(&[-10.0, 250.0], 10.0), ["−10", "250"]);
        assert_eq!(texts(&[2e-7, 1.5e6], 5e-8), ["2.0e−7", "1.50000000e6"]);
        assert_eq!(texts(&[2e5, 1e6], 2e5), ["2e5", "1.0e6"]);
    }
}
