//! One check for each row of the paper's Table 1: what a method of contact with meshes should be able to do.

mod geometry;
mod means;

use super::bounce::{BALL, RADIUS};
use super::shape::Shape;
use super::stage::{Probe, hertz_force, rigid};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::output::Plot;
use glam::DVec3;

/// The rows of the table, top to bottom.
pub fn table1(report: &mut Report) -> Result<(), VerifyError> {
    wide_size_ratio(report)?;
    geometry::element_types(report)?;
    geometry::shape_flexibility(report)?;
    geometry::multi_contact(report)?;
    means::simple(report)?;
    means::efficient(report)?;
    geometry::accurate(report)?;
    means::low_storage(report)?;
    means::deformable(report)?;
    large_indentation(report)?;
    geometry::continuity(report)
}

/// Spheres from 1/100 of to 100 times the size of the elements: one contact, the force of the plane.
fn wide_size_ratio(report: &mut Report) -> Result<(), VerifyError> {
    let shape = Shape::plate(60.0, 60).triangles();
    let columns = [("ratio", ""), ("candidates", ""), ("intersecting", ""), ("valid", ""), ("error", "")];
    let mut series = Series::new("size_ratio", &columns);
    let mut worst = 0.0_f64;
    for ratio in [0.01, 0.1, 1.0, 10.0, 100.0] {
        let mut probe = Probe::new(&BALL, ratio, [rigid(&shape)?])?;
        let overlap = 0.01 * ratio;
        let force = probe.force_at(DVec3::new(0.31, 0.17, ratio - overlap))?;
        let counts = probe.counts();
        let expected = DVec3::Z * hertz_force(&BALL, ratio, overlap);
        let error = (force - expected).length() / expected.z;
        worst = worst.max(error);
        let [candidates, intersecting, valid] =
            [counts.candidates, counts.intersecting, counts.valid].map(|count| count as f64);
        series.push(&[ratio, candidates, intersecting, valid, error]);
    }
    report.at_most("wide size ratio (1/100 to 100): error of the force, relative", "", 1e-9, worst);
    let most = series.column(3).into_iter().fold(0.0, f64::max);
    report.absolute("wide size ratio: contacts", "", 1.0, most, 0.0);
    let ratio = series.column(0);
    let plot = Plot::new("Elements looked at", "radius / size of elements", "number")
        .points("candidates", &ratio, &series.column(1))
        .points("intersecting", &ratio, &series.column(2))
        .points("valid", &ratio, &series.column(3))
        .log_x()
        .log_y();
    report.plot("size_ratio", plot);
    report.series(series);
    Ok(())
}

/// Overlaps up to 98 % of the radius on a flat mesh: one contact, the force of the plane.
fn large_indentation(report: &mut Report) -> Result<(), VerifyError> {
    let mut probe = Probe::new(&BALL, RADIUS, [rigid(&Shape::plate(2.0, 23).triangles())?])?;
    let (mut worst, mut most) = (0.0_f64, 0);
    for k in 1..=98 {
        let overlap = 0.01 * f64::from(k) * RADIUS;
        let contacts = probe.contacts_at(DVec3::new(0.013, 0.027, RADIUS - overlap))?;
        let force: DVec3 = contacts.iter().map(|contact| contact.force).sum();
        let expected = DVec3::Z * hertz_force(&BALL, RADIUS, overlap);
        worst = worst.max((force - expected).length() / expected.z);
        most = most.max(contacts.len());
    }
    report.at_most("large indentation (to 0.98 R): error of the force, relative", "", 1e-9, worst);
    report.absolute("large indentation: contacts", "", 1.0, most as f64, 0.0);
    Ok(())
}
