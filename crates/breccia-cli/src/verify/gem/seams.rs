//! Places where contacts could be lost or doubled: the seam of a curve, kinks, both passes, discs on grains.

use super::stage::{GRAVITY, MASS, RADIUS, above_plane, disc, dynamic, tilted};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::implicit::{FrictionTable, Grain, GrainRun, GrainSetup, GrainState, Motion};
use breccia::shapes::nurbs::{GrainShape, NurbsCurve, NurbsOutline, ShapeError};
use glam::DVec2;

/// Stiffness: a doubled contact would sink in half as deep, a lost one fall through.
const STIFFNESS: f64 = 1e5;

/// All of them.
pub fn seams(report: &mut Report) -> Result<(), VerifyError> {
    seam(report)?;
    on_grain(report, "circle on circle", circle()?, circle()?, 2.0 * RADIUS)?;
    on_grain(report, "disc on circle", GrainShape::Disc(RADIUS), circle()?, 2.0 * RADIUS)?;
    let corner = polygon(&[(0.0, 0.6), (-0.6, 0.0), (0.0, -0.6), (0.6, 0.0)])?;
    on_grain(report, "disc on a corner", GrainShape::Disc(RADIUS), corner.clone(), RADIUS + 0.6)?;
    on_grain(report, "circle on a corner", circle()?, corner, RADIUS + 0.6)?;
    hollow(report)
}

fn course(error: ShapeError) -> VerifyError {
    VerifyError::Course(error.to_string())
}

fn circle() -> Result<GrainShape, VerifyError> {
    Ok(GrainShape::from(NurbsOutline::new(NurbsCurve::circle(RADIUS)).map_err(course)?))
}

fn polygon(corners: &[(f64, f64)]) -> Result<GrainShape, VerifyError> {
    let corners: Vec<DVec2> = corners.iter().map(|&corner| DVec2::from(corner)).collect();
    Ok(GrainShape::from(
        NurbsOutline::new(NurbsCurve::from_polygon(&corners).map_err(course)?).map_err(course)?,
    ))
}

/// A circle at rest on its seam, beside it, and on knots of full multiplicity.
fn seam(report: &mut Report) -> Result<(), VerifyError> {
    for degrees in [270.0, 269.9, 270.1, 0.0, 180.0, 45.0] {
        let (shape, settings) = (circle()?, dynamic(1.0, 0.02).with_stiffness(STIFFNESS));
        let mut grain = Grain::of_shape(0, &shape, 1.0, 0);
        grain.mass = MASS;
        let place = (RADIUS, f64::to_radians(degrees));
        let mut run = above_plane((shape, grain), place, 0.5, tilted(0.0), settings)?;
        run.steps(60)?;
        let overlap = (RADIUS - run.state().position[0].y) * STIFFNESS / (MASS * GRAVITY);
        report.relative(format!("circle turned by {degrees}°: overlap kN/W"), "", 1.0, overlap, 1e-4);
    }
    Ok(())
}

/// A grain that rests on one that is held: one contact, not two.
fn on_grain(
    report: &mut Report,
    name: &str,
    upper: GrainShape,
    lower: GrainShape,
    distance: f64,
) -> Result<(), VerifyError> {
    let mut top = Grain { shape: 1, ..Grain::of_shape(0, &upper, 1.0, 0) };
    top.mass = MASS;
    top.motion = [Motion::Prescribed(0.0), Motion::Free, Motion::Prescribed(0.0)];
    let run = pile(lower, upper, top, DVec2::new(0.0, distance), STIFFNESS)?;
    let overlap = (distance - run.state().position[1].y) * STIFFNESS / (MASS * GRAVITY);
    report.relative(format!("{name}: overlap kN/W"), "", 1.0, overlap, 1e-4);
    report.absolute(format!("{name}: contacts"), "", 1.0, run.state().contacts.len() as f64, 0.0);
    Ok(())
}

/// `upper` let go above `lower`, which is held.
fn pile(
    lower: GrainShape,
    upper: GrainShape,
    top: Grain,
    place: DVec2,
    stiffness: f64,
) -> Result<GrainRun, VerifyError> {
    let mut base = Grain::of_shape(0, &lower, 1.0, 0);
    base.motion = [Motion::Prescribed(0.0); 3];
    let setup = GrainSetup {
        shapes: vec![lower, upper],
        grains: vec![base, top],
        friction: FrictionTable::uniform(1, 0.5),
        wall_materials: vec![],
        settings: dynamic(1.0, 0.02).with_stiffness(stiffness),
    };
    let state = GrainState::at_rest(&[(DVec2::ZERO, 0.0), (place, 0.0)], vec![], tilted(0.0));
    let mut run = GrainRun::new(setup, state)?;
    run.steps(150)?;
    Ok(run)
}

/// A disc in a right-angled notch rests on two points, each with W/√2 (no friction is needed).
fn hollow(report: &mut Report) -> Result<(), VerifyError> {
    let notch = polygon(&[(1.5, 1.0), (0.0, -0.5), (-1.5, 1.0), (-1.5, -1.5), (1.5, -1.5)])?;
    let GrainShape::Outline(outline) = &notch else {
        return Err(VerifyError::Course("a polygon is no outline".into()));
    };
    // Shapes are moved to their centroid.
    let bottom = DVec2::new(0.0, -0.5) - outline.given_centroid();
    let place = bottom + DVec2::new(0.0, RADIUS * 2.0_f64.sqrt() + 1e-3);
    let run = pile(notch.clone(), GrainShape::Disc(RADIUS), Grain { shape: 1, ..disc(true) }, place, 1e6)?;
    let forces: Vec<f64> = run.state().contacts.iter().map(|it| it.force.normal).collect();
    report.absolute("disc in a notch: contacts", "", 2.0, forces.len() as f64, 0.0);
    let lift: f64 = run
        .state()
        .contacts
        .iter()
        .map(|it| it.contact.normal.y * it.force.normal + it.contact.normal.x * it.force.tangential)
        .sum();
    report.relative("disc in a notch: lift/W", "", 1.0, lift / (MASS * GRAVITY), 1e-5);
    report.at_most("disc in a notch: speed", "m/s", 1e-6, run.state().velocity[1].length());
    Ok(())
}
