//! The units a scene may use, and the dimensions it must use them in.

use super::suggest;

/// Exponents of kilogram, metre, second and radian.
///
/// Angles are kept apart from plain numbers so that `"50 Hz"` cannot pass for 50 rad/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    exponents: [i8; 4],
}

impl Dimension {
    /// A plain number.
    pub const NONE: Self = Self::new(0, 0, 0, 0);

    /// kg^a m^b s^c rad^d.
    pub const fn new(kilogram: i8, metre: i8, second: i8, radian: i8) -> Self {
        Self { exponents: [kilogram, metre, second, radian] }
    }

    /// This dimension times `other` to a power; none when an exponent leaves its range.
    pub fn times(self, other: Self, power: i32) -> Option<Self> {
        let mut exponents = [0_i8; 4];
        for (axis, exponent) in exponents.iter_mut().enumerate() {
            let sum = i32::from(self.exponents[axis]) + i32::from(other.exponents[axis]) * power;
            *exponent = i8::try_from(sum).ok()?;
        }
        Some(Self { exponents })
    }
}

impl std::fmt::Display for Dimension {
    /// As a product of SI units, such as `kg m^-3`.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<String> = ["kg", "m", "s", "rad"]
            .iter()
            .zip(self.exponents)
            .filter(|&(_, exponent)| exponent != 0)
            .map(|(unit, exponent)| if exponent == 1 { (*unit).into() } else { format!("{unit}^{exponent}") })
            .collect();
        out.write_str(if parts.is_empty() { "a plain number" } else { "" })?;
        out.write_str(&parts.join(" "))
    }
}

/// A unit: 10^ten × factor of its SI unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Decimal part of the scale.
    pub ten: i32,
    /// The rest of the scale.
    pub factor: f64,
    /// Dimension.
    pub dimension: Dimension,
}

const TWO_PI: f64 = 2.0 * std::f64::consts::PI;

/// Units that take prefixes: name, power of ten, dimension.
const PREFIXED: &[(&str, i32, Dimension)] = &[
    ("m", 0, Dimension::new(0, 1, 0, 0)),
    ("g", -3, Dimension::new(1, 0, 0, 0)),
    ("s", 0, Dimension::new(0, 0, 1, 0)),
    ("N", 0, Dimension::new(1, 1, -2, 0)),
    ("Pa", 0, Dimension::new(1, -1, -2, 0)),
    ("J", 0, Dimension::new(1, 2, -2, 0)),
    ("W", 0, Dimension::new(1, 2, -3, 0)),
    ("Hz", 0, Dimension::new(0, 0, -1, 0)),
    ("rad", 0, Dimension::new(0, 0, 0, 1)),
    ("L", -3, Dimension::new(0, 3, 0, 0)),
    ("l", -3, Dimension::new(0, 3, 0, 0)),
    ("bar", 5, Dimension::new(1, -1, -2, 0)),
];

/// Units that stand alone: name, power of ten, factor, dimension.
const PLAIN: &[(&str, i32, f64, Dimension)] = &[
    ("t", 3, 1.0, Dimension::new(1, 0, 0, 0)),
    ("min", 0, 60.0, Dimension::new(0, 0, 1, 0)),
    ("h", 0, 3600.0, Dimension::new(0, 0, 1, 0)),
    ("deg", 0, std::f64::consts::PI / 180.0, Dimension::new(0, 0, 0, 1)),
    ("°", 0, std::f64::consts::PI / 180.0, Dimension::new(0, 0, 0, 1)),
    ("rev", 0, TWO_PI, Dimension::new(0, 0, 0, 1)),
    ("rpm", 0, TWO_PI / 60.0, Dimension::new(0, 0, -1, 1)),
    ("%", -2, 1.0, Dimension::NONE),
];

const PREFIXES: &[(&str, i32)] = &[
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("\u{b5}", -6),
    ("\u{3bc}", -6),
    ("n", -9),
    ("p", -12),
];

/// Names offered when an unknown unit is met; common ones only, so that suggestions are not far-fetched.
const COMMON: &[&str] = &[
    "m", "mm", "cm", "km", "um", "nm", "g", "kg", "mg", "t", "s", "ms", "us", "min", "h", "N", "kN", "mN",
    "Pa", "kPa", "MPa", "GPa", "bar", "J", "mJ", "kJ", "W", "Hz", "kHz", "rad", "deg", "rev", "rpm", "L",
    "mL", "%",
];

/// The unit of a name, exact names before prefixed ones (`min` is a minute, not a milli-inch).
pub fn find(name: &str) -> Option<Unit> {
    if let Some(&(_, ten, factor, dimension)) = PLAIN.iter().find(|unit| unit.0 == name) {
        return Some(Unit { ten, factor, dimension });
    }
    let unit = |name: &str, prefix: i32| {
        let &(_, ten, dimension) = PREFIXED.iter().find(|unit| unit.0 == name)?;
        Some(Unit { ten: ten + prefix, factor: 1.0, dimension })
    };
    unit(name, 0).or_else(|| {
        PREFIXES.iter().find_map(|&(prefix, ten)| name.strip_prefix(prefix).and_then(|rest| unit(rest, ten)))
    })
}

/// A known unit spelled much like `name`.
pub fn nearest(name: &str) -> Option<&'static str> {
    COMMON
        .iter()
        .find(|known| known.eq_ignore_ascii_case(name))
        .copied()
        .or_else(|| suggest::nearest(name, COMMON.iter().copied()))
}
