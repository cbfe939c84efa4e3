//! Sizes and regions of generated spheres.

use super::{Notes, check};
use crate::scene::error::Span;
use crate::scene::file::{NormalTable, SieveTable, SizeTable};
use crate::scene::generate::normal_probability_between;
use crate::scene::plan::{SieveStep, SizeDistribution};
use crate::scene::read::{Length, Quantity};

/// Stands for a size that is wrong, which has been noted; fits anywhere, so that nothing more is said of it.
const UNKNOWN: SizeDistribution = SizeDistribution::Single(0.0);

/// The distribution of a group: exactly one of `radius` and `size`.
pub(super) fn resolve(
    radius: Option<&Quantity<Length>>,
    size: Option<&SizeTable>,
    header: &Span,
    notes: &mut Notes,
) -> SizeDistribution {
    match (radius, size) {
        (Some(radius), None) => SizeDistribution::Single(check::positive("radius", radius, notes)),
        (None, Some(size)) => resolve_table(size, notes),
        (Some(radius), Some(_)) => {
            let help = "leave one of them out";
            notes.error_with_help(
                radius.span.clone(),
                "give `radius` or `size`, not both",
                "and `size`",
                help,
            );
            UNKNOWN
        }
        (None, None) => {
            let help = "write `radius = \"3 mm\"` or `size = { kind = \"uniform\", min = \"2 mm\", max = \"4 mm\" }`";
            notes.error_with_help(
                header.clone(),
                "these spheres have no size",
                "needs `radius` or `size`",
                help,
            );
            UNKNOWN
        }
    }
}

fn resolve_table(table: &SizeTable, notes: &mut Notes) -> SizeDistribution {
    match table {
        SizeTable::Uniform(uniform) => {
            let (min, max) = bounds(&uniform.min, &uniform.max, notes);
            SizeDistribution::Uniform { min, max }
        }
        SizeTable::Normal(normal) => resolve_normal(normal, notes),
        SizeTable::Sieve(sieve) => resolve_sieve(sieve, notes),
    }
}

fn bounds(min: &Quantity<Length>, max: &Quantity<Length>, notes: &mut Notes) -> (f64, f64) {
    let low = check::positive("min", min, notes);
    if max.value < low {
        let message = format!("`max` ({} m) must not be below `min` ({low} m)", max.value);
        notes.error(max.span.clone(), message, "below `min`");
    }
    (low, max.value)
}

fn resolve_normal(table: &NormalTable, notes: &mut Notes) -> SizeDistribution {
    let (min, max) = bounds(&table.min, &table.max, notes);
    let deviation = check::positive("deviation", &table.deviation, notes);
    let mean = table.mean.value;
    if deviation > 0.0 && min < max && normal_probability_between(mean, deviation, min, max) <= 1e-300 {
        let message = "nothing of this distribution lies between `min` and `max`";
        let help = "bring `mean` closer to the bounds or make `deviation` larger";
        notes.error_with_help(table.mean.span.clone(), message, "too far from the bounds", help);
    }
    SizeDistribution::TruncatedNormal { mean, deviation, min, max }
}

fn resolve_sieve(table: &SieveTable, notes: &mut Notes) -> SizeDistribution {
    let points = &table.points;
    if points.len() < 2 {
        let help = "write for instance `points = [[\"2 mm\", 0], [\"4 mm\", 0.6], [\"8 mm\", 1]]`";
        notes.error_with_help(
            table.span.clone(),
            "a sieve curve needs two points or more",
            "too few points",
            help,
        );
    }
    for point in points {
        check::positive("opening", &point.diameter, notes);
        check::within("passing", &point.passing, 0.0, 1.0, notes);
    }
    for pair in points.windows(2) {
        if pair[1].diameter.value <= pair[0].diameter.value {
            notes.error(
                pair[1].diameter.span.clone(),
                "sieve openings must increase",
                "not above the one before",
            );
        }
        if pair[1].passing.value < pair[0].passing.value {
            notes.error(pair[1].passing.span.clone(), "passing must not decrease", "below the one before");
        }
    }
    if let (Some(first), Some(last)) = (points.first(), points.last()) {
        if first.passing.value != 0.0 {
            let help = "add the opening that nothing passes";
            notes.error_with_help(first.passing.span.clone(), "a sieve curve must begin at 0", "not 0", help);
        }
        if last.passing.value != 1.0 {
            let help = "add the opening that everything passes; fractions, not percent";
            notes.error_with_help(last.passing.span.clone(), "a sieve curve must end at 1", "not 1", help);
        }
    }
    let step = |point: &crate::scene::read::SievePoint| SieveStep {
        diameter: point.diameter.value,
        passing: point.passing.value,
    };
    SizeDistribution::Sieve(points.iter().map(step).collect())
}
