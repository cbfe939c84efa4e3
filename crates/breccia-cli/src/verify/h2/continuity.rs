//! A sphere guided at a constant overlap from one facet over a right-angled edge to the next.

use super::bounce::{BALL, RADIUS};
use super::shape::{Shape, evenly};
use super::stage::{Probe, hertz_force, rigid};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::output::Plot;
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// Overlap along the path [m].
const OVERLAP: f64 = 0.01;
/// Way on each facet [m].
const RUN_UP: f64 = 0.3;

/// The force stays 76.07 N and turns no faster than the path.
pub fn continuity(report: &mut Report) -> Result<(), VerifyError> {
    let profile =
        [(-1.0, 0.0), (-0.37, 0.0), (-0.11, 0.0), (0.0, 0.0), (0.0, -0.13), (0.0, -0.4), (0.0, -1.0)];
    let shape = Shape::strip(&profile, &evenly(-0.7, 0.8, 7)).triangles();
    let mut probe = Probe::new(&BALL, RADIUS, [rigid(&shape)?])?;
    let arm = RADIUS - OVERLAP;
    let length = 2.0 * RUN_UP + arm * FRAC_PI_2;
    let steps = if report.quick { 2_000 } else { 20_000 };
    let stride = length / f64::from(steps);
    let expected = hertz_force(&BALL, RADIUS, OVERLAP);
    let columns = [("way", "m"), ("force", "N"), ("force_x", "N"), ("force_z", "N"), ("contacts", "")];
    let mut series = Series::new("force", &columns);
    let mut forces: Vec<DVec3> = Vec::new();
    let (mut most_contacts, mut kinds) = (0, std::collections::BTreeSet::new());
    for k in 0..=steps {
        let way = stride * f64::from(k);
        let contacts = probe.contacts_at(place(way, arm))?;
        let force: DVec3 = contacts.iter().map(|contact| contact.force).sum();
        most_contacts = most_contacts.max(contacts.len());
        kinds.extend(contacts.iter().map(|contact| contact.kind));
        forces.push(force);
        if k % (steps / 200) == 0 {
            series.push(&[way, force.length(), force.x, force.z, contacts.len() as f64]);
        }
    }
    let (least, most) = forces
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(a, b), force| (a.min(force.length()), b.max(force.length())));
    report.absolute("force, to the digits given", "N", 76.0726, most, 5e-5);
    report.relative("force against the closed form", "N", expected, least, 1e-9);
    report.at_most("spread of the force / force", "", 1e-9, (most - least) / expected);
    // sin is below the angle, and the chord of the path below its arc: both leave room for rounding.
    let turn = |pair: &[DVec3]| libm::asin((pair[0].normalize().cross(pair[1].normalize())).length());
    let worst = forces.windows(2).map(turn).fold(0.0, f64::max);
    report.at_most(
        "largest turn of the force in a step × arm / step of the path",
        "",
        1.0 + 1e-9,
        worst * arm / stride,
    );
    report.absolute("contacts at once", "", 1.0, most_contacts as f64, 0.0);
    report.absolute("kinds of features met (facet, edge)", "", 2.0, kinds.len() as f64, 0.0);
    let way = series.column(0);
    let plot = Plot::new("Guided over facet, edge, facet", "way [m]", "force [N]")
        .line("|F|", &way, &series.column(1))
        .line("F_x", &way, &series.column(2))
        .line("F_z", &way, &series.column(3))
        .points("paper: 76.063 N", &[0.0, 0.5 * length, length], &[76.063; 3])
        .y_range(-10.0, 90.0);
    report.plot("fig21_force", plot);
    report.series(series);
    Ok(())
}

/// Centre after a way [m]: along the first facet, round the edge, along the second.
fn place(way: f64, arm: f64) -> DVec3 {
    let angle = (way - RUN_UP) / arm;
    if angle < 0.0 {
        DVec3::new(way - RUN_UP, 0.0, arm)
    } else if angle < FRAC_PI_2 {
        let (sine, cosine) = libm::sincos(angle);
        arm * DVec3::new(sine, 0.0, cosine)
    } else {
        DVec3::new(arm, 0.0, arm * (FRAC_PI_2 - angle))
    }
}
