//! Tests 6, 8 and 9: disks that meet each other and walls.

use super::stage::{KAPPA, Watch, body, disk, free_run, settings, shape, smooth, step};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::deformable::contact::PressureRule;
use breccia::deformable::{
    MassKind, Refactor, SolidMesh, SolidRun, SolidSettings, SolidSetup, StraightWall, SurfaceProperties,
};
use breccia::output::Plot;
use glam::{DVec2, dvec2};
use std::f64::consts::PI;

struct Case {
    name: &'static str,
    mesh: (usize, usize),
    offset: f64,
    turn: f64,
    kappa: f64,
    time_step: f64,
    /// Velocity of A after the impact [m/s].
    velocity: Option<DVec2>,
}

const OBLIQUE: Case = Case {
    name: "6a oblique",
    mesh: (8, 3),
    offset: 0.7,
    turn: 0.0,
    kappa: KAPPA,
    time_step: 0.01,
    velocity: Some(DVec2::new(-0.373, -0.313)),
};

fn cases() -> Vec<Case> {
    let other = |name, time_step, kappa| Case { name, time_step, kappa, velocity: None, ..OBLIQUE };
    vec![
        OBLIQUE,
        Case {
            name: "6b head-on",
            offset: 0.0,
            turn: PI / 32.0,
            velocity: Some(dvec2(-0.490, 0.0)),
            ..OBLIQUE
        },
        other("6c step 0.02", 0.02, KAPPA),
        other("6c step 0.05", 0.05, KAPPA),
        other("6c κ = 1e3", 0.01, 1e3),
        other("6c κ = 1e5", 0.01, 1e5),
        Case { name: "6d finer mesh", mesh: (16, 6), velocity: Some(dvec2(-0.360, -0.335)), ..OBLIQUE },
    ]
}

fn two_disks(case: &Case, settings: SolidSettings) -> Result<SolidRun, VerifyError> {
    let shape = disk(case.mesh.0, case.mesh.1)?;
    let mut a = body(&shape, case.turn, dvec2(-1.025, 0.0), dvec2(0.5, 0.0));
    let mut b = body(&shape, 0.0, dvec2(1.025, case.offset), dvec2(-0.5, 0.0));
    a.surfaces = vec![SurfaceProperties::smooth(case.kappa)];
    b.surfaces = a.surfaces.clone();
    Ok(free_run(vec![a, b], settings))
}

/// Test 6.
pub fn impact(report: &mut Report) -> Result<(), VerifyError> {
    for case in cases() {
        let refactor = Refactor::EveryIteration;
        let mut run = two_disks(&case, SolidSettings { refactor, ..settings(case.time_step, 1e-10) })?;
        let mut watch = Watch::new(&run);
        let (mut first, mut last) = (f64::INFINITY, 0.0);
        for _ in 0..(0.6 / case.time_step).round() as u32 {
            step(&mut run)?;
            watch.look(&run);
            if run.state.last.active > 0 {
                (first, last) = (f64::min(first, run.state.time - case.time_step), run.state.time);
            }
        }
        let (name, total) = (case.name, &run.state.total);
        watch.report(report, name, [1e-9, 1e-10, 1e-10]);
        report.absolute(format!("{name}: clamps and cuts"), "", 0.0, (total.clamps + total.cuts) as f64, 0.0);
        report.at_most(format!("{name}: most iterations"), "", 8.0, f64::from(total.most_iterations));
        if case.time_step <= 0.02 && case.kappa >= KAPPA {
            report.at_most(format!("{name}: penetration"), "m", 0.004, total.penetration);
        }
        if let Some(expected) = case.velocity {
            let velocity = run.motion(0).velocity;
            report.absolute(format!("{name}: v_x of A after"), "m/s", expected.x, velocity.x, 0.005);
            report.absolute(format!("{name}: v_y of A after"), "m/s", expected.y, velocity.y, 0.005);
        }
        if name == OBLIQUE.name {
            report.absolute("6a oblique: contact lasts", "s", 0.14, last - first, 0.02);
        }
    }
    energies(report)
}

/// Energies through the oblique impact, as a plot.
fn energies(report: &mut Report) -> Result<(), VerifyError> {
    let mut run = two_disks(&OBLIQUE, settings(0.01, 1e-10))?;
    let names = [("time", "s"), ("kinetic", "J"), ("elastic", "J"), ("contact", "J"), ("total", "J")];
    let mut series = Series::new("energies", &names);
    for _ in 0..60 {
        step(&mut run)?;
        let now = run.budget();
        series.push(&[run.state.time, now.kinetic, now.elastic, now.contact, now.stored()]);
    }
    let mut plot = Plot::new("Two disks, oblique impact", "time [s]", "energy [J]");
    for (k, (name, _)) in names.iter().enumerate().skip(1) {
        plot = plot.line(*name, &series.column(0), &series.column(k));
    }
    report.series(series);
    report.plot("energies", plot);
    Ok(())
}

/// Pressure at the mean gap or at the end gap: energy is not kept, and must be seen not to be.
pub fn pressure_rules(report: &mut Report) -> Result<(), VerifyError> {
    let case = Case { mesh: (4, 2), ..OBLIQUE };
    let energy_error = |pressure: PressureRule| -> Result<f64, VerifyError> {
        let mut run = two_disks(&case, SolidSettings { pressure, ..settings(0.02, 1e-10) })?;
        Ok(Watch::steps(&mut run, 30)?.energy)
    };
    report.at_most("conserving: error of H", "", 1e-9, energy_error(PressureRule::Conserving)?);
    report.at_least("mean gap (must fail): error of H", "", 1e-4, energy_error(PressureRule::MeanGap)?);
    report.at_least("end gap (must fail): error of H", "", 1e-2, energy_error(PressureRule::EndGap)?);
    Ok(())
}

/// Test 8.
pub fn wall(report: &mut Report) -> Result<(), VerifyError> {
    let disk = body(&disk(4, 2)?, 0.1, dvec2(1.1, 0.0), dvec2(-0.5, 0.1));
    let wall = StraightWall { name: "wall".into(), point: DVec2::ZERO, normal: DVec2::X, surface: smooth() };
    let setup = SolidSetup::new(vec![disk], vec![wall], DVec2::ZERO, settings(0.02, 1e-10));
    let mut run = SolidRun::new(setup);
    Watch::steps(&mut run, 60)?.report(report, "wall", [1e-10; 3]);
    report.at_most("dynamic against real gap", "m", 1e-14, run.state.total.gap_drift);
    let velocity = run.motion(0).velocity;
    report.absolute("v_x after", "m/s", 0.461, velocity.x, 0.01);
    report.absolute("v_y after", "m/s", 0.1, velocity.y, 1e-10);
    Ok(())
}

/// Test 9.
pub fn step_lengths(report: &mut Report) -> Result<(), VerifyError> {
    let shape = shape(SolidMesh::disk(1.0, 8, 3), MassKind::Lumped)?;
    let a = body(&shape, 0.0, dvec2(-1.025, 0.0), dvec2(0.5, 0.0));
    let b = body(&shape, 0.0, dvec2(1.025, 0.7), dvec2(-0.5, 0.0));
    let mut run = free_run(vec![a, b], settings(0.02, 1e-10));
    let mut watch = Watch::new(&run);
    for time_step in [0.005, 0.02, 0.01].into_iter().cycle().take(54) {
        if !run.step_by(time_step)? {
            return Err(VerifyError::Course(format!("a step of {time_step} did not converge")));
        }
        watch.look(&run);
    }
    report.at_least("penetration on the way", "m", 1e-3, run.state.total.penetration);
    watch.report(report, "steps of 0.005, 0.02, 0.01", [1e-9, 1e-10, 1e-10]);
    Ok(())
}
