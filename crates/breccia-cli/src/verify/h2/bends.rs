//! Friction of a ball dragged over a surface that bends at every edge: the contact goes from facet to edge to facet.

use super::drag::{BALL, OVERLAP, RADIUS, loading};
use super::shape::Shape;
use super::stage::{Probe, rigid};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use glam::DVec3;

/// Length of the facets [m].
const FACET: f64 = 10e-3;
/// Turn of the surface at each edge [rad], downwards.
const BEND: f64 = 0.15;
/// Facets of the surface; the first and the last are longer.
const FACETS: u32 = 12;
/// Way of the centre from look to look [m].
const STRIDE: f64 = 1e-5;

/// What friction remembers passes from feature to feature: only the first loading is missing.
pub fn over_bends(report: &mut Report) -> Result<(), VerifyError> {
    let corners = corners();
    let profile: Vec<(f64, f64)> = corners.iter().map(|corner| (corner.x, corner.z)).collect();
    let mut probe = Probe::new(&BALL, RADIUS, [rigid(&Shape::strip(&profile, &[-1.0, 1.0]))?])?;
    let (mut work, mut full_work, mut before) = (0.0, 0.0, 0.0);
    let (mut features, mut last_feature) = (0, None);
    let mut steps = 0;
    for (place, direction) in path(&corners) {
        let contacts = probe.contacts_moving(place, direction * STRIDE)?;
        let force: DVec3 = contacts.iter().map(|contact| contact.force).sum();
        let friction = -force.dot(direction);
        work += 0.5 * (before + friction) * STRIDE;
        full_work += BALL.friction * force.dot(direction.cross(DVec3::Y)) * STRIDE;
        before = friction;
        let feature = contacts.first().map(|contact| (contact.kind, contact.feature));
        features += u32::from(feature != last_feature);
        last_feature = feature;
        steps += 1;
    }
    report.absolute("bends: features met", "", f64::from(2 * FACETS - 1), f64::from(features), 0.0);
    let deficit = 1.0 - work / full_work;
    report.at_most("bends: deficit", "", 1e-3, deficit);
    let first = loading() / (2.0 * STRIDE * f64::from(steps));
    report.relative("bends: deficit of the first loading", "", first, deficit, 0.05);
    Ok(())
}

/// Direction along a facet.
fn along(facet: u32) -> DVec3 {
    let (sine, cosine) = libm::sincos(BEND * f64::from(facet));
    DVec3::new(cosine, 0.0, -sine)
}

/// Points of the profile.
fn corners() -> Vec<DVec3> {
    let mut corners = vec![DVec3::ZERO];
    for facet in 0..FACETS {
        let length = if facet == 0 || facet + 1 == FACETS { 1.0 } else { FACET };
        let last = corners[corners.len() - 1];
        corners.push(last + length * along(facet));
    }
    corners
}

/// Places of the centre at a constant overlap, and the direction of motion there.
fn path(corners: &[DVec3]) -> Vec<(DVec3, DVec3)> {
    let arm = RADIUS - OVERLAP;
    let turned = |angle: f64| {
        let (sine, cosine) = libm::sincos(angle);
        (DVec3::new(cosine, 0.0, -sine), DVec3::new(sine, 0.0, cosine))
    };
    let mut path = Vec::new();
    for facet in 0..FACETS {
        let (direction, normal) = turned(BEND * f64::from(facet));
        let end = corners[facet as usize + 1];
        let steps = (FACET / STRIDE).round() as u32;
        // The first facet is entered, and the last left, a length of the others from its edge.
        let start = if facet + 1 == FACETS { corners[facet as usize] } else { end - FACET * direction };
        path.extend(
            (0..steps).map(|k| (start + f64::from(k) * STRIDE * direction + arm * normal, direction)),
        );
        if facet + 1 < FACETS {
            let steps = (BEND * arm / STRIDE).round() as u32;
            path.extend((0..steps).map(|k| {
                let (direction, normal) = turned(BEND * (f64::from(facet) + f64::from(k) / f64::from(steps)));
                (end + arm * normal, direction)
            }));
        }
    }
    path
}
