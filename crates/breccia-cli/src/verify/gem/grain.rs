//! Single NURBS grains on a plane.

use super::stage::{GRAVITY, RADIUS, above_plane, dynamic, tilted};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::implicit::{Grain, GrainRun, GrainSettings};
use breccia::shapes::nurbs::{
    GrainFamily, GrainShape, LOBES, NurbsCurve, NurbsOutline, ShapeError, built_in_shape,
};
use glam::DVec2;

fn course(error: ShapeError) -> VerifyError {
    VerifyError::Course(error.to_string())
}

/// Acceptance test 15.
pub fn feet(report: &mut Report) -> Result<(), VerifyError> {
    for number in [8, 13, 15] {
        let shape = built_in_shape(GrainFamily::NonConvex, number, &LOBES, 1.0).map_err(course)?;
        let grain = Grain::of_shape(0, &shape, 1.0, 0);
        let mut settings = dynamic(0.7, 0.05);
        settings.tolerance = 1e-10;
        let place = (shape.bounding_radius() + 0.1, 0.3);
        let mut run = above_plane((shape, grain), place, 0.5, DVec2::new(0.0, -1.0), settings)?;
        run.steps(600)?;
        let (setup, state) = (run.setup(), run.state());
        let weight = setup.grains[0].mass;
        let sum: f64 = state.contacts.iter().map(|it| it.force.normal).sum();
        report.relative(format!("shape {number}: Σp/W"), "", 1.0, sum / weight, 1e-6);
        report.at_most(format!("shape {number}: kinetic energy"), "J/m", 1e-12, state.energy(setup).kinetic);
        let mut feet: Vec<f64> = state
            .contacts
            .iter()
            .filter(|it| it.force.normal > 0.01 * weight)
            .map(|it| it.contact.point.x)
            .collect();
        feet.sort_by(f64::total_cmp);
        feet.dedup_by(|a, b| (*a - *b).abs() < 0.2);
        report.absolute(format!("shape {number}: feet"), "", 2.0, feet.len() as f64, 0.0);
    }
    Ok(())
}

/// Acceptance tests 16 and 17.
pub fn rolling(report: &mut Report) -> Result<(), VerifyError> {
    let (time_step, steps) = (0.005, 400_u32);
    let slope = 3.0_f64.to_radians();
    let acceleration = 2.0 / 3.0 * GRAVITY * libm::sin(slope);
    let time = f64::from(steps) * time_step;
    for (name, stiffness) in [("rigid", None), ("kN = 1e6", Some(1e6)), ("kN = 1e4", Some(1e4))] {
        let mut settings = dynamic(0.7, time_step);
        if let Some(stiffness) = stiffness {
            settings = settings.with_stiffness(stiffness);
        }
        let mut run = circle_on_slope(0.0, (RADIUS, 0.1), settings)?;
        // Springs take up the weight before the plane is tilted.
        run.steps(100)?;
        run.state_mut().gravity = tilted(slope);
        run.steps(u64::from(steps))?;
        let (spin, path) = (run.state().spin[0], run.state().position[0].x);
        report.relative(
            format!("{name}: ω after 400 steps"),
            "rad/s",
            -acceleration * time / RADIUS,
            spin,
            1e-3,
        );
        report.relative(format!("{name}: path"), "m", 0.5 * acceleration * time * time, path, 5e-3);
    }
    let half = 3.75_f64.to_radians();
    for (degrees, moves) in [(3.0, false), (3.6, false), (4.2, true)] {
        let mut settings = dynamic(0.7, time_step);
        settings.knots.refine_minima = false;
        settings.tolerance = 1e-10;
        let mut run = circle_on_slope(degrees, (RADIUS * libm::cos(half), half), settings)?;
        run.steps(400)?;
        let way = run.state().position[0].x;
        if moves {
            report.at_least(format!("fixed knots, {degrees}°: way"), "m", 0.01, way);
        } else {
            report.at_most(format!("fixed knots, {degrees}°: way"), "m", 1e-6, way.abs());
        }
    }
    Ok(())
}

/// A circle of 48 contact knots on a plane tilted by so many degrees.
fn circle_on_slope(
    degrees: f64,
    place: (f64, f64),
    settings: GrainSettings,
) -> Result<GrainRun, VerifyError> {
    let shape = GrainShape::from(NurbsOutline::new(NurbsCurve::circle(RADIUS)).map_err(course)?);
    let grain = Grain::of_shape(0, &shape, 1.0, 0);
    above_plane((shape, grain), place, 0.8, tilted(degrees.to_radians()), settings)
}
