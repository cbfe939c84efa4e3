//! Values that keys of a scene hold: quantities, vectors, words, counts.

use super::{FromScene, Kind, Length, Node, Notes, Number, Time, wrong_type};
use crate::scene::error::Span;
use crate::scene::quantity::{self, Measured};
use crate::scene::suggest;
use crate::scene::units::Dimension;
use glam::{DVec2, DVec3};
use serde_json::{Value, json};
use std::marker::PhantomData;
use toml::de::DeValue;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Located<T> {
    pub(in crate::scene) value: T,
    pub(in crate::scene) span: Span,
}

/// A word or name.
pub(in crate::scene) type Text = Located<String>;

impl<T: FromScene> FromScene for Located<T> {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        Some(Self { value: T::read(node, notes)?, span: node.span() })
    }

    fn schema() -> Value {
        T::schema()
    }
}

impl FromScene for String {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        match node.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => wrong_type(node, "a string", notes),
        }
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl FromScene for bool {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        match node.get_ref() {
            DeValue::Boolean(value) => Some(*value),
            _ => wrong_type(node, "`true` or `false`", notes),
        }
    }

    fn schema() -> Value {
        json!({ "type": "boolean" })
    }
}

impl FromScene for u64 {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        let DeValue::Integer(integer) = node.get_ref() else {
            return wrong_type(node, "a whole number", notes);
        };
        // TOML's own limit is that of i64, and so is that of the written-out scene.
        match i64::from_str_radix(integer.as_str(), integer.radix()).map(u64::try_from) {
            Ok(Ok(value)) => Some(value),
            _ => {
                let message = "expected a whole number from 0 to 9223372036854775807";
                notes.error(node.span(), message, "out of range");
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "type": "integer", "minimum": 0 })
    }
}

/// A number in SI units, with its place.
#[derive(Debug)]
pub(in crate::scene) struct Quantity<K> {
    /// Value in SI units.
    pub(in crate::scene) value: f64,
    /// Where it stands.
    pub(in crate::scene) span: Span,
    kind: PhantomData<K>,
}

impl<K> Clone for Quantity<K> {
    fn clone(&self) -> Self {
        Self { value: self.value, span: self.span.clone(), kind: PhantomData }
    }
}

impl<K: Kind> FromScene for Quantity<K> {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        let value = match node.get_ref() {
            DeValue::String(text) => from_text::<K>(node, text, notes)?,
            _ => from_number::<K>(node, notes)?,
        };
        Some(Self { value, span: node.span(), kind: PhantomData })
    }

    fn schema() -> Value {
        // `inf` has no form in JSON.
        let examples = K::EXAMPLES.iter().filter_map(|example| serde_json::from_str(example).ok());
        json!({ "type": ["number", "string"], "examples": examples.collect::<Vec<Value>>() })
    }
}

fn from_number<K: Kind>(node: &Node<'_>, notes: &mut Notes) -> Option<f64> {
    let value = match node.get_ref() {
        DeValue::Integer(integer) => {
            i128::from_str_radix(integer.as_str(), integer.radix()).map_or(f64::NAN, |value| value as f64)
        }
        DeValue::Float(float) => float.as_str().parse().unwrap_or(f64::NAN),
        _ => return wrong_type(node, &K::expected(), notes),
    };
    if value.is_finite() || (value.is_infinite() && K::INFINITE.is_some()) {
        return Some(value);
    }
    let message = format!("expected {} that is finite", K::NAME);
    notes.error_with_help(node.span(), message, "not finite", format!("write {}", K::examples()));
    None
}

fn from_text<K: Kind>(node: &Node<'_>, text: &str, notes: &mut Notes) -> Option<f64> {
    if let Some(word) = K::INFINITE {
        match text.trim() {
            "inf" | "+inf" => return Some(f64::INFINITY),
            "-inf" => return Some(f64::NEG_INFINITY),
            other if other == word => return Some(f64::INFINITY),
            _ => {}
        }
    }
    let measured = measure(node, text, &K::expected(), notes)?;
    if measured.dimension == K::DIMENSION && (measured.has_unit || K::DIMENSION == Dimension::NONE) {
        return Some(measured.value);
    }
    if !measured.has_unit {
        let message = format!("expected {}, found a number without a unit in quotes", K::NAME);
        let help = format!("write {}; a number without quotes is in SI units", K::examples());
        notes.error_with_help(node.span(), message, "no unit", help);
        return None;
    }
    let message = format!("expected {} [{}], found [{}]", K::NAME, K::DIMENSION, measured.dimension);
    notes.error_with_help(
        node.span(),
        message,
        format!("not {}", K::NAME),
        format!("write for instance {}", K::examples()),
    );
    None
}

/// The measured value of a string; `expected` is what the message asks for.
fn measure(node: &Node<'_>, text: &str, expected: &str, notes: &mut Notes) -> Option<Measured> {
    match quantity::parse(text) {
        Ok(measured) => Some(measured),
        Err(error) => {
            let help = match &error.suggestion {
                Some(unit) => format!("did you mean `{unit}`? expected {expected}"),
                None => format!("expected {expected}"),
            };
            let span = part_of_string(node, text, &error.part, notes);
            notes.error_with_help(
                span,
                format!("`{text}` is not a quantity: {}", error.message),
                "here",
                help,
            );
            None
        }
    }
}

/// Where a part of a string stands in the file; the whole string when escapes make that unclear.
fn part_of_string(node: &Node<'_>, text: &str, part: &Span, notes: &Notes) -> Span {
    let whole = node.span();
    let first = whole.start + 1;
    let verbatim = notes.source().text().get(first..first + text.len()) == Some(text);
    if verbatim && !part.is_empty() { first + part.start..first + part.end } else { whole }
}

/// Three quantities.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Vector<K> {
    /// Components in SI units.
    pub(in crate::scene) value: DVec3,
    /// Where the array stands.
    pub(in crate::scene) span: Span,
    kind: PhantomData<K>,
}

impl<K: Kind> FromScene for Vector<K> {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        let [x, y, z] = components::<K, 3>(node, "three", notes)?;
        Some(Self { value: DVec3::new(x, y, z), span: node.span(), kind: PhantomData })
    }

    fn schema() -> Value {
        json!({ "type": "array", "items": Quantity::<K>::schema(), "minItems": 3, "maxItems": 3 })
    }
}

/// Two quantities: a point or vector of the plane.
#[derive(Clone, Debug)]
pub(in crate::scene) struct Plane<K> {
    /// Components in SI units.
    pub(in crate::scene) value: DVec2,
    kind: PhantomData<K>,
}

impl<K: Kind> FromScene for Plane<K> {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        let [x, y] = components::<K, 2>(node, "two", notes)?;
        Some(Self { value: DVec2::new(x, y), kind: PhantomData })
    }

    fn schema() -> Value {
        json!({ "type": "array", "items": Quantity::<K>::schema(), "minItems": 2, "maxItems": 2 })
    }
}

/// The numbers of an array of so many quantities.
fn components<K: Kind, const N: usize>(node: &Node<'_>, many: &str, notes: &mut Notes) -> Option<[f64; N]> {
    let expected = || format!("an array of {many} numbers, each {}", K::expected());
    let DeValue::Array(items) = node.get_ref() else {
        return wrong_type(node, &expected(), notes);
    };
    if items.len() != N {
        let message = format!("expected {many} components, found {}", items.len());
        let label = format!("{many} components");
        notes.error_with_help(node.span(), message, label, format!("write {}", expected()));
        return None;
    }
    let read: Vec<_> = items.iter().map(|item| Quantity::<K>::read(item, notes)).collect();
    let values: Vec<f64> = read.into_iter().flatten().map(|quantity| quantity.value).collect();
    values.try_into().ok()
}

/// One length for all axes, or one for each.
#[derive(Debug)]
pub(in crate::scene) enum OneOrThree {
    One(Quantity<Length>),
    Three(Vector<Length>),
}

impl FromScene for OneOrThree {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        match node.get_ref() {
            DeValue::Array(_) => Vector::read(node, notes).map(Self::Three),
            _ => Quantity::read(node, notes).map(Self::One),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [Quantity::<Length>::schema(), Vector::<Length>::schema()] })
    }
}

/// One table, or an array of them; none when the key is not given.
#[derive(Debug)]
pub(in crate::scene) struct OneOrMany<T>(pub(in crate::scene) Vec<T>);

impl<T: FromScene> FromScene for OneOrMany<T> {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        match node.get_ref() {
            DeValue::Array(_) => Vec::read(node, notes).map(Self),
            _ => T::read(node, notes).map(|one| Self(vec![one])),
        }
    }

    fn absent() -> Option<Self> {
        Some(Self(Vec::new()))
    }

    fn schema() -> Value {
        json!({ "oneOf": [T::schema(), Vec::<T>::schema()] })
    }
}

/// A quantity, or the word `auto` (held as none).
#[derive(Debug)]
pub(in crate::scene) struct AutoOr<K>(pub(in crate::scene) Option<Quantity<K>>);

/// A time, or the word `off` (held as none).
#[derive(Debug)]
pub(in crate::scene) struct OffOr(pub(in crate::scene) Option<Quantity<Time>>);

impl<K: Kind> FromScene for AutoOr<K> {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        word_or_quantity("auto", node, notes).map(Self)
    }

    fn schema() -> Value {
        json!({ "anyOf": [{ "const": "auto" }, Quantity::<K>::schema()] })
    }
}

impl FromScene for OffOr {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        word_or_quantity("off", node, notes).map(Self)
    }

    fn schema() -> Value {
        json!({ "anyOf": [{ "const": "off" }, Quantity::<Time>::schema()] })
    }
}

fn word_or_quantity<K: Kind>(word: &str, node: &Node<'_>, notes: &mut Notes) -> Option<Option<Quantity<K>>> {
    match node.get_ref() {
        DeValue::String(text) if text == word => Some(None),
        DeValue::String(text) if !text.contains(|c: char| c.is_ascii_digit()) => {
            let message = format!("expected `{word}` or {}, found `{text}`", K::NAME);
            let help = format!("write `\"{word}\"` or {}", K::expected());
            notes.error_with_help(node.span(), message, "unknown word", help);
            None
        }
        _ => Quantity::read(node, notes).map(Some),
    }
}

/// Whether a rate counts mass or spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scene) enum RateKind {
    Mass,
    Count,
}

/// A mass rate [kg/s] or a number rate [1/s]; the unit tells them apart, so there must be one.
#[derive(Debug)]
pub(in crate::scene) struct Rate {
    pub(in crate::scene) value: f64,
    pub(in crate::scene) kind: RateKind,
    pub(in crate::scene) span: Span,
}

impl FromScene for Rate {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        let expected = "a rate with its unit, `\"2 kg/s\"` or `\"100 1/s\"`";
        let DeValue::String(text) = node.get_ref() else {
            return wrong_type(node, expected, notes);
        };
        let measured = measure(node, text, expected, notes)?;
        let kind = if measured.dimension == Dimension::new(1, 0, -1, 0) {
            RateKind::Mass
        } else if measured.dimension == Dimension::new(0, 0, -1, 0) {
            RateKind::Count
        } else {
            let message = format!("expected {expected}, found [{}]", measured.dimension);
            notes.error(node.span(), message, "neither mass nor number per time");
            return None;
        };
        Some(Self { value: measured.value, kind, span: node.span() })
    }

    fn schema() -> Value {
        json!({ "type": "string", "examples": ["2 kg/s", "100 1/s"] })
    }
}

/// A point of a sieve curve: `[opening, passing]`.
#[derive(Debug)]
pub(in crate::scene) struct SievePoint {
    pub(in crate::scene) diameter: Quantity<Length>,
    pub(in crate::scene) passing: Quantity<Number>,
}

impl FromScene for SievePoint {
    fn read(node: &Node<'_>, notes: &mut Notes) -> Option<Self> {
        match node.get_ref() {
            DeValue::Array(items) if items.len() == 2 => {
                let diameter = Quantity::read(&items[0], notes);
                let passing = Quantity::read(&items[1], notes);
                Some(Self { diameter: diameter?, passing: passing? })
            }
            _ => wrong_type(node, "a pair `[opening, passing]` such as `[\"2 mm\", 0.4]`", notes),
        }
    }

    fn schema() -> Value {
        json!({
            "type": "array",
            "prefixItems": [Quantity::<Length>::schema(), Quantity::<Number>::schema()],
            "minItems": 2,
            "maxItems": 2,
        })
    }
}

impl Notes {
    /// Notes a word that is none of those known.
    pub(in crate::scene) fn unknown_word(&mut self, word: Text, what: &str, known: &[&str]) {
        let message = format!("unknown {what} `{}`", word.value);
        let label = suggest::list("expected one of ", known.iter().copied());
        let help = suggest::help(&word.value, known.iter().copied());
        self.error_with_help(word.span, message, label, help);
    }
}
