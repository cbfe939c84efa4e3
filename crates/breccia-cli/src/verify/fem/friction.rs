//! Test 10, and a body whose two surfaces differ in friction.

use super::stage::{Watch, body, disk, free_run, settings, smooth};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::deformable::{SolidRun, SolidSetup, StraightWall};
use glam::{DVec2, dvec2};
use std::f64::consts::PI;

/// All of it.
pub fn friction(report: &mut Report) -> Result<(), VerifyError> {
    let oblique = two_disks(0.7, 0.0, 0.0)?;
    impact(report, "oblique", oblique, (0.028, 0.005), dvec2(-0.383, -0.256))?;
    let spinning = two_disks(0.0, PI / 32.0, 1.0)?;
    impact(report, "spin 1 on A", spinning, (0.110, 0.01), dvec2(-0.477, -0.245))?;
    wall(report)?;
    two_surfaces(report)
}

fn two_disks(offset: f64, turn: f64, spin: f64) -> Result<SolidRun, VerifyError> {
    let shape = disk(8, 3)?;
    let mut a = body(&shape, turn, dvec2(-1.025, 0.0), DVec2::ZERO).moving(dvec2(0.5, 0.0), spin);
    let mut b = body(&shape, 0.0, dvec2(1.025, offset), dvec2(-0.5, 0.0));
    a.surfaces = vec![smooth().with_friction(0.3)];
    b.surfaces = a.surfaces.clone();
    Ok(free_run(vec![a, b], settings(0.01, 1e-10)))
}

fn impact(
    report: &mut Report,
    name: &str,
    mut run: SolidRun,
    (lost, margin): (f64, f64),
    velocity: DVec2,
) -> Result<(), VerifyError> {
    let start = run.budget().stored();
    Watch::steps(&mut run, 60)?.report(report, &format!("{name}, losses included"), [1e-9, 1e-10, 1e-10]);
    report.at_least(format!("{name}: least loss of a pair"), "J", -1e-15, run.state.total.least_dissipation);
    report.absolute(format!("{name}: lost / H₀"), "", lost, run.state.ledger.friction / start, margin);
    let measured = run.motion(0).velocity;
    report.absolute(format!("{name}: v_x of A after"), "m/s", velocity.x, measured.x, 0.01);
    report.absolute(format!("{name}: v_y of A after"), "m/s", velocity.y, measured.y, 0.01);
    Ok(())
}

fn wall(report: &mut Report) -> Result<(), VerifyError> {
    let surface = smooth().with_friction(0.3);
    let mut disk = body(&disk(4, 2)?, 0.1, dvec2(1.1, 0.0), dvec2(-0.5, 0.3));
    disk.surfaces = vec![surface];
    let wall = StraightWall { name: "wall".into(), point: DVec2::ZERO, normal: DVec2::X, surface };
    let mut run = SolidRun::new(SolidSetup::new(vec![disk], vec![wall], DVec2::ZERO, settings(0.02, 1e-10)));
    Watch::steps(&mut run, 60)?.report(report, "wall, losses included", [1e-10; 3]);
    report.absolute(
        "wall: v_y after (a rigid disk that rolls: 0.2)",
        "m/s",
        0.212,
        run.motion(0).velocity.y,
        0.01,
    );
    Ok(())
}

/// Half of A's rim is rough, the other smooth: the side that touches decides.
fn two_surfaces(report: &mut Report) -> Result<(), VerifyError> {
    for (name, turn, expected, margin) in
        [("rough", PI / 32.0, 0.110, 0.01), ("smooth", PI / 32.0 + PI, 0.0, 0.0)]
    {
        let shape = disk(8, 3)?;
        let mut a = body(&shape, turn, dvec2(-1.025, 0.0), DVec2::ZERO).moving(dvec2(0.5, 0.0), 1.0);
        a.surfaces = vec![smooth(), smooth().with_friction(0.6)];
        let on_right = |&[from, to]: &[u32; 2]| {
            u32::from(shape.mesh.points[from as usize].x + shape.mesh.points[to as usize].x > 0.0)
        };
        a.surface_of_segment = shape.outline.segments.iter().map(on_right).collect();
        let b = body(&shape, 0.0, dvec2(1.025, 0.0), dvec2(-0.5, 0.0));
        let mut run = free_run(vec![a, b], settings(0.01, 1e-10));
        let start = run.budget().stored();
        let title = format!("two surfaces, {name} side first");
        Watch::steps(&mut run, 60)?.report(report, &title, [1e-9, 1e-10, 1e-10]);
        report.absolute(
            format!("{title}: lost / H₀"),
            "",
            expected,
            run.state.ledger.friction / start,
            margin,
        );
    }
    Ok(())
}
