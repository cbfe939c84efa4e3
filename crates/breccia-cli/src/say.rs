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

/// A number of bytes.
pub fn bytes(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{:.2} GB", v / 1e9),
        v if v >= 1e6 => format!("{:.1} MB", v / 1e6),
        v => format!("{:.0} kB", v / 1e3),
    }
}

/// A whole number with thin groups of three.
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
    }
}
