//! Ranges of single values.

use super::Notes;
use crate::scene::error::Span;
use crate::scene::read::{Kind, Number, Quantity, Time, Vector};
use glam::DVec3;

/// Notes a value that is not above zero.
pub(super) fn positive<K: Kind>(key: &str, quantity: &Quantity<K>, notes: &mut Notes) -> f64 {
    if quantity.value <= 0.0 {
        notes.error(quantity.span.clone(), format!("`{key}` must be greater than zero"), "not positive");
    }
    quantity.value
}

/// Notes a value below zero.
pub(super) fn not_negative<K: Kind>(key: &str, quantity: &Quantity<K>, notes: &mut Notes) -> f64 {
    if quantity.value < 0.0 {
        notes.error(quantity.span.clone(), format!("`{key}` must not be negative"), "negative");
    }
    quantity.value
}

/// Notes a value outside a closed range.
pub(super) fn within<K: Kind>(
    key: &str,
    quantity: &Quantity<K>,
    low: f64,
    high: f64,
    notes: &mut Notes,
) -> f64 {
    if !(low..=high).contains(&quantity.value) {
        let message = format!("`{key}` must be between {low} and {high}, not {}", quantity.value);
        notes.error(quantity.span.clone(), message, "out of range");
    }
    quantity.value
}

/// The unit vector along `vector`; notes a zero one.
pub(super) fn direction(key: &str, vector: &Vector<Number>, notes: &mut Notes) -> DVec3 {
    unit(key, vector.value, &vector.span, notes).0
}

/// The unit vector along `value` and its length; notes a zero one.
pub(super) fn unit(key: &str, value: DVec3, span: &Span, notes: &mut Notes) -> (DVec3, f64) {
    let largest = value.abs().max_element();
    // Scaled first, so that squares neither vanish nor overflow.
    let scaled = value / largest;
    if !(largest > 0.0 && scaled.is_finite()) {
        notes.error(span.clone(), format!("`{key}` must not be zero: it gives a direction"), "no direction");
        return (DVec3::Z, 0.0);
    }
    let length = scaled.length();
    (scaled / length, length * largest)
}

/// Corners in order on every axis; notes when not.
pub(super) fn corners(min: DVec3, max: DVec3, span: &Span, notes: &mut Notes) {
    if let Some(axis) = (0..3).find(|&axis| min[axis] >= max[axis]) {
        let name = ["x", "y", "z"][axis];
        let message = format!(
            "`min` must be below `max` on every axis; on {name} it is {} and {}",
            min[axis], max[axis]
        );
        notes.error_with_help(span.clone(), message, "empty", "exchange the two, or make the box larger");
    }
}

/// `start` (default 0) and `stop` (default never); notes when they are not in order.
pub(super) fn start_and_stop(
    start: Option<&Quantity<Time>>,
    stop: Option<&Quantity<Time>>,
    notes: &mut Notes,
) -> (f64, f64) {
    let first = start.map_or(0.0, |start| not_negative("start", start, notes));
    let last = stop.map_or(f64::INFINITY, |stop| stop.value);
    if let Some(stop) = stop.filter(|stop| stop.value <= first) {
        let message = format!("`stop` ({last} s) must be after `start` ({first} s)");
        notes.error(stop.span.clone(), message, "before the start");
    }
    (first, last)
}
