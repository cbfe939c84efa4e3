//! The box around many points.

use glam::DVec3;
use rayon::prelude::*;

/// Items a thread takes at a time where each is little work.
pub(crate) const SHARE: usize = 4096;

/// The smallest and the largest of some numbers above zero; infinity and zero without any. Does not depend on their order.
pub(crate) fn range_of(numbers: impl IndexedParallelIterator<Item = f64>) -> (f64, f64) {
    let pairs = numbers.with_min_len(SHARE).map(|number| (number, number));
    pairs.reduce(|| (f64::INFINITY, 0.0), |a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Lower and upper corner of the box around points [m]; upside down without any. Does not depend on their order.
pub(crate) fn box_around(points: impl IndexedParallelIterator<Item = DVec3>) -> (DVec3, DVec3) {
    let empty = || (DVec3::INFINITY, DVec3::NEG_INFINITY);
    points
        .with_min_len(SHARE)
        .fold(empty, |(low, high), point| (low.min(point), high.max(point)))
        .reduce(empty, |a, b| (a.0.min(b.0), a.1.max(b.1)))
}
