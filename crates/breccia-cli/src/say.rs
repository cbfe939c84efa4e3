//! Numbers for people.

/// A time in the unit that suits it.
pub fn seconds(value: f64) -> String {
    match value.abs() {
        v if v >= 7200.0 => format!("{:.1} h", value / 3600.0),
        v if v >= 120.0 => format!("{:.1} min", value / 60.0),
        v if v >= 1.0 || v == 0.0 => format!("{value:.3} s"),
        v if v >= 1e-3 => format!("{:.3} ms", value * 1e3),
        v if v >= 1e-6 => format!("{:.3} µs", value * 1e6),
        _ => format!("{:.3} ns", value * 1e9),
    }
}

/// Time to wait, in whole seconds or minutes.
pub fn wait(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "unknown".into();
    }
    let whole = seconds.max(0.0).ceil() as u64;
    match whole {
        0..120 => format!("{whole} s"),
        120..7200 => format!("{} min {:02} s", whole / 60, whole % 60),
        7200..172_800 => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days", count(whole / 86_400)),
    }
}

/// A number with four significant digits at most.
pub fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    match rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs()) {
        true => rounded.to_string(),
        false => format!("{rounded:e}"),
    }
}

/// A number of bytes.
pub fn bytes(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{:.2} GB", v / 1e9),
        v if v >= 1e6 => format!("{:.1} MB", v / 1e6),
        v => format!("{:.0} kB", (v / 1e3).ceil()),
    }
}

/// A whole number in groups of three.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_read_well() {
        assert_eq!(super::count(1_234_567), "1,234,567");
        assert_eq!(super::count(12), "12");
        assert_eq!(super::seconds(2.5e-6), "2.500 µs");
        assert_eq!(super::bytes(2.5e6), "2.5 MB");
        assert_eq!(super::bytes(600.0), "1 kB");
    }

    #[test]
    fn small_and_large_numbers_have_exponents() {
        assert_eq!(super::number(0.123456), "0.1235");
        assert_eq!(super::number(-40.0), "-40");
        assert_eq!(super::number(1.5e-7), "1.5e-7");
        assert_eq!(super::number(0.0), "0");
    }

    #[test]
    fn waits_are_whole() {
        assert_eq!(super::wait(0.2), "1 s");
        assert_eq!(super::wait(125.0), "2 min 05 s");
        assert_eq!(super::wait(7_290.0), "2 h 01 min");
        assert_eq!(super::wait(1e9), "11,574 days");
        assert_eq!(super::wait(f64::INFINITY), "unknown");
    }
}
