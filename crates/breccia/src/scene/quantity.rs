//! Numbers with units: `"3.5 mm"`, `"40 rpm"`, `"2.5 g/cm3"`, `"1500 1/s"`.
//!
//! A quantity is a number and a product of units with powers. Powers of ten are joined to the decimal number
//! before it becomes a float, so that `"3.5 mm"` is exactly the float nearest to 0.0035.

use super::units::{self, Dimension};

/// Why a text is not a quantity, with the bytes of the text it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantityError {
    /// What is wrong.
    pub message: String,
    /// First and last byte of the offending part.
    pub part: std::ops::Range<usize>,
    /// A unit that may have been meant.
    pub suggestion: Option<String>,
}

impl QuantityError {
    fn new(message: impl Into<String>, part: std::ops::Range<usize>) -> Self {
        Self { message: message.into(), part, suggestion: None }
    }
}

/// A value in SI units and its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Value in kg, m, s, rad.
    pub value: f64,
    /// Dimension of the unit; none for a bare number.
    pub dimension: Dimension,
    /// Whether a unit was written.
    pub has_unit: bool,
}

/// Reads a number with an optional unit.
pub fn parse(text: &str) -> Result<Measured, QuantityError> {
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len().max(start);
    let number_end = start + number_length(&text[start..end]);
    if number_end == start {
        return Err(QuantityError::new("no number at the start", start..end));
    }
    let unit = parse_unit(text, number_end, end)?;
    let value = decimal(&text[start..number_end], unit.ten) * unit.factor;
    if !value.is_finite() {
        return Err(QuantityError::new("the value is too large", start..end));
    }
    Ok(Measured { value, dimension: unit.dimension, has_unit: unit.written })
}

/// Bytes of the decimal number a text begins with; an `e` counts only with digits after it.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        let first = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        (at, at > first)
    };
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let (mut end, mut any) = digits(sign);
    if bytes.get(end) == Some(&b'.') {
        let (after, more) = digits(end + 1);
        if any || more {
            (end, any) = (after, true);
        }
    }
    if !any {
        return 0;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let (after, more) = digits(end + 1 + sign);
        if more {
            end = after;
        }
    }
    end
}

/// The float nearest to a decimal number times a power of ten.
fn decimal(number: &str, ten: i32) -> f64 {
    let (mantissa, exponent) = match number.find(['e', 'E']) {
        Some(at) => (&number[..at], number[at + 1..].parse::<i64>().unwrap_or(i64::from(i32::MAX))),
        None => (number, 0),
    };
    format!("{mantissa}e{}", exponent + i64::from(ten)).parse().unwrap_or(f64::NAN)
}

/// A product of units: 10^ten × factor in SI.
struct UnitProduct {
    ten: i32,
    factor: f64,
    dimension: Dimension,
    written: bool,
}

/// One unit with its power, and where it ends.
struct Factor<'a> {
    name: &'a str,
    start: usize,
    power: i32,
    end: usize,
}

fn parse_unit(text: &str, start: usize, end: usize) -> Result<UnitProduct, QuantityError> {
    let mut product = UnitProduct { ten: 0, factor: 1.0, dimension: Dimension::NONE, written: false };
    let mut at = start;
    let mut divide = false;
    let mut awaiting = None;
    while at < end {
        let rest = &text[at..end];
        let Some(next) = rest.chars().next() else { break };
        if next.is_whitespace() || matches!(next, '*' | '·') {
            at += next.len_utf8();
        } else if next == '/' {
            if divide {
                return Err(QuantityError::new("two `/` without a unit between them", at..at + 1));
            }
            divide = true;
            awaiting = Some(at);
            at += 1;
        } else {
            let factor = read_factor(text, at, end)?;
            multiply(&mut product, &factor, divide)?;
            divide = false;
            awaiting = None;
            at = factor.end;
        }
    }
    match awaiting {
        Some(slash) => Err(QuantityError::new("a unit is missing after `/`", slash..slash + 1)),
        None => Ok(product),
    }
}

fn read_factor(text: &str, start: usize, end: usize) -> Result<Factor<'_>, QuantityError> {
    let rest = &text[start..end];
    if let Some(after) = rest.strip_prefix('1')
        && !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '^'))
    {
        return Ok(Factor { name: "1", start, power: 1, end: start + 1 });
    }
    let is_name = |c: char| c.is_alphabetic() || matches!(c, '%' | '°');
    let name_length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    if name_length == 0 {
        let bad = rest.chars().next().unwrap_or(' ');
        return Err(QuantityError::new(
            format!("unexpected `{bad}` in a unit"),
            start..start + bad.len_utf8(),
        ));
    }
    let name = &rest[..name_length];
    let (power, power_length) = read_power(&rest[name_length..])
        .ok_or_else(|| QuantityError::new("the power of a unit must be between -9 and 9", start..end))?;
    Ok(Factor { name, start, power, end: start + name_length + power_length })
}

/// The power a text begins with (`2`, `^2`, `^-1`, `²`, `⁻¹`) and its length in bytes; 1 when there is none.
fn read_power(text: &str) -> Option<(i32, usize)> {
    let mut written = String::new();
    let mut length = 0;
    for c in text.chars() {
        let plain = match c {
            '^' if length == 0 => ' ',
            '⁻' => '-',
            '¹' => '1',
            '²' => '2',
            '³' => '3',
            '-' if written.trim().is_empty() && length == 1 => '-',
            c if c.is_ascii_digit() => c,
            _ => break,
        };
        written.push(plain);
        length += c.len_utf8();
    }
    if length == 0 {
        return Some((1, 0));
    }
    let power: i32 = written.trim().parse().ok()?;
    (-9..=9).contains(&power).then_some((power, length))
}

fn multiply(product: &mut UnitProduct, factor: &Factor<'_>, divide: bool) -> Result<(), QuantityError> {
    if factor.name == "1" {
        return Ok(());
    }
    let Some(unit) = units::find(factor.name) else {
        let name_end = factor.start + factor.name.len();
        let mut error = QuantityError::new(format!("unknown unit `{}`", factor.name), factor.start..name_end);
        error.suggestion = units::nearest(factor.name).map(str::to_owned);
        return Err(error);
    };
    let power = if divide { -factor.power } else { factor.power };
    product.written = true;
    product.ten += unit.ten * power;
    for _ in 0..power.abs() {
        if power > 0 {
            product.factor *= unit.factor;
        } else {
            product.factor /= unit.factor;
        }
    }
    match product.dimension.times(unit.dimension, power) {
        Some(dimension) => product.dimension = dimension,
        None => {
            return Err(QuantityError::new(
                "the powers of the units are too large",
                factor.start..factor.end,
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn si(text: &str) -> f64 {
        parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}")).value
    }

    #[test]
    fn values_are_exact_decimals() {
        assert_eq!(si("3.5 mm"), 0.0035);
        assert_eq!(si("10 MPa"), 1e7);
        assert_eq!(si("2.5 g/cm3"), 2500.0);
        assert_eq!(si("1e-6 J"), 1e-6);
        assert_eq!(si("9.81 m/s2"), 9.81);
        assert_eq!(si("9.81 m/s^2"), 9.81);
        assert_eq!(si("9.81 m·s⁻²"), 9.81);
        assert_eq!(si("9.81 m s^-2"), 9.81);
        assert_eq!(si("5 kN/m"), 5000.0);
        assert_eq!(si("1500 1/s"), 1500.0);
        assert_eq!(si("2 kg/s"), 2.0);
        assert_eq!(si("0.3 us"), 3e-7);
        assert_eq!(si("0.3 µs"), 3e-7);
        assert_eq!(si("0.3 μs"), 3e-7);
        assert_eq!(si("1.5 t"), 1500.0);
        assert_eq!(si("3 L"), 0.003);
        assert_eq!(si("2 bar"), 2e5);
        assert_eq!(si("-7"), -7.0);
        assert_eq!(si(".5 m"), 0.5);
        assert_eq!(si("30 %"), 0.3);
        assert_eq!(si("2 min"), 120.0);
        assert_eq!(si("1 h"), 3600.0);
        assert_eq!(si("36 km/h"), 10.0);
    }

    #[test]
    fn angles() {
        use std::f64::consts::PI;
        assert_eq!(si("180 deg"), PI);
        assert_eq!(si("1 rev"), 2.0 * PI);
        assert!((si("60 rpm") - 2.0 * PI).abs() < 1e-15);
        assert_eq!(parse("60 rpm").unwrap().dimension, parse("1 rad/s").unwrap().dimension);
        assert_ne!(parse("60 rpm").unwrap().dimension, parse("1 Hz").unwrap().dimension);
    }

    #[test]
    fn dimensions_multiply() {
        let energy = parse("1 N m").unwrap().dimension;
        assert_eq!(energy, parse("1 J").unwrap().dimension);
        assert_eq!(energy, parse("1 kg m^2/s^2").unwrap().dimension);
        assert_eq!(parse("1 Pa").unwrap().dimension, parse("1 N/m2").unwrap().dimension);
    }

    #[test]
    fn mistakes_name_the_part() {
        for (text, fragment, part) in [
            ("mm", "no number", 0..2),
            ("3 mmm", "unknown unit `mmm`", 2..5),
            ("20 degC", "unknown unit `degC`", 3..7),
            ("3 m/", "missing after `/`", 3..4),
            ("3 m//s", "two `/`", 4..5),
            ("3 m^99", "power", 2..6),
            ("3 (m)", "unexpected `(`", 2..3),
            ("1e999 m", "too large", 0..7),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.message.contains(fragment), "{text}: {error:?}");
            assert_eq!(error.part, part, "{text}");
        }
        assert_eq!(parse("3 Mpa").unwrap_err().suggestion.as_deref(), Some("MPa"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn arbitrary_text_never_panics(text in "\\PC{0,24}") {
            if let Err(error) = parse(&text) {
                prop_assert!(text.get(error.part).is_some());
            }
        }

        #[test]
        fn unit_like_text_never_panics(text in "[-+0-9.eE^/* µ²⁻¹a-zA-Z%°]{0,16}") {
            if let Ok(measured) = parse(&text) {
                prop_assert!(measured.value.is_finite());
            }
        }

        #[test]
        fn prefixed_numbers_round_trip(value in -1e6f64..1e6) {
            prop_assert_eq!(si(&format!("{value} m")), value);
            let shifted: f64 = format!("{value:e}").parse().unwrap();
            prop_assert_eq!(si(&format!("{value:e} m")), shifted);
        }
    }
}
