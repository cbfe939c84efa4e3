//! The domain and its periodic axes.

use super::{Notes, check};
use crate::model::Domain;
use crate::scene::error::Span;
use crate::scene::file::DomainTable;
use glam::DVec3;

/// Shortest period over largest radius: a sphere and its image must never see the same neighbour twice.
const SHORTEST_PERIOD: f64 = 4.4;

const AXES: [&str; 3] = ["x", "y", "z"];

pub(super) fn resolve(table: Option<&DomainTable>, notes: &mut Notes) -> Domain {
    let mut domain = Domain::unbounded();
    let Some(table) = table else { return domain };
    domain.min = table.min.as_ref().map_or(domain.min, |corner| corner.value);
    domain.max = table.max.as_ref().map_or(domain.max, |corner| corner.value);
    domain.on_exit = table.on_exit.unwrap_or_default();
    let span = table.max.as_ref().or(table.min.as_ref()).map_or(&table.span, |corner| &corner.span);
    check::corners(domain.min, domain.max, span, notes);
    for axis in &table.periodic {
        let index = axis.value.0;
        if domain.periodic[index] {
            notes.error(axis.span.clone(), format!("axis `{}` is listed twice", AXES[index]), "again");
        }
        if domain.min[index].is_finite() && domain.max[index].is_finite() {
            domain.periodic[index] = true;
        } else {
            let message = format!("the periodic axis `{}` needs finite bounds", AXES[index]);
            let help = "give `min` and `max` of [domain] finite numbers on this axis";
            notes.error_with_help(axis.span.clone(), message, "unbounded axis", help);
        }
    }
    domain
}

/// Notes a period too short for the largest sphere.
pub(super) fn check_periods(
    table: Option<&DomainTable>,
    domain: &Domain,
    largest_radius: f64,
    notes: &mut Notes,
) {
    let Some(table) = table else { return };
    for axis in &table.periodic {
        let index = axis.value.0;
        let period = domain.max[index] - domain.min[index];
        if domain.periodic[index] && period < SHORTEST_PERIOD * largest_radius {
            let message = format!(
                "the period along `{}` is {period} m, too short for spheres of radius {largest_radius} m",
                AXES[index]
            );
            let help = format!("make it at least {} m", SHORTEST_PERIOD * largest_radius);
            notes.error_with_help(axis.span.clone(), message, "period too short", help);
        }
    }
}

/// Notes a region that reaches beyond the domain.
pub(super) fn check_inside(domain: &Domain, bounds: (DVec3, DVec3), span: &Span, notes: &mut Notes) {
    let tolerance = 1e-12 * (bounds.1 - bounds.0).max_element();
    for (axis, name) in AXES.iter().enumerate() {
        if bounds.0[axis] < domain.min[axis] - tolerance || bounds.1[axis] > domain.max[axis] + tolerance {
            let message = format!(
                "the region reaches from {} to {} m on {name}, beyond the domain ({} to {} m)",
                bounds.0[axis], bounds.1[axis], domain.min[axis], domain.max[axis]
            );
            let help = "make the region smaller or the domain larger";
            notes.error_with_help(span.clone(), message, "outside the domain", help);
            return;
        }
    }
}
