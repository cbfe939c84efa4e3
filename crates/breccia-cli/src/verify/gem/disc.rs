//! One disc, or two, against closed forms.

use super::stage::{GRAVITY, MASS, RADIUS, disc, disc_on_plane, dynamic, tilted};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::implicit::{DynamicStep, FrictionTable, GrainLoad, GrainRun, GrainSetup, GrainState, StepKind};
use breccia::output::Plot;
use breccia::shapes::nurbs::GrainShape;
use glam::DVec2;

/// Acceptance tests 6, 13 and 14.
pub fn rest(report: &mut Report) -> Result<(), VerifyError> {
    let weight = MASS * GRAVITY;
    for theta in [0.5, 0.7, 1.0] {
        let mut settings = dynamic(theta, 0.005);
        settings.tolerance = 1e-10;
        let mut run = disc_on_plane(true, 0.0, 0.5, tilted(0.0), settings)?;
        run.steps(50)?;
        let force = -run.state().walls[0].load.y;
        report.relative(format!("force at rest over weight, θ = {theta}"), "", 1.0, force / weight, 1e-7);
        report.at_most(format!("speed at rest, θ = {theta}"), "m/s", 1e-7, run.state().velocity[0].length());
    }
    for (stiffness, tolerance) in [(1e5, 1e-6), (1e8, 1e-4)] {
        let settings = dynamic(1.0, 0.02).with_stiffness(stiffness);
        let mut run = disc_on_plane(true, 0.0, 0.5, tilted(0.0), settings)?;
        run.steps(60)?;
        let overlap = RADIUS - run.state().position[0].y;
        report.relative(
            format!("overlap kN/W, kN = {stiffness:e}"),
            "",
            1.0,
            overlap * stiffness / weight,
            tolerance,
        );
    }
    for stiffness in [1e5, 1e8] {
        let settings = dynamic(1.0, 0.02).with_stiffness(stiffness);
        let mut run = disc_on_plane(false, 0.0, 0.5, tilted(0.0), settings)?;
        run.steps(20)?;
        let start = run.state().position[0].x;
        run.state_mut().loads.push(GrainLoad { grain: 0, force: DVec2::new(0.3 * weight, 0.0), moment: 0.0 });
        run.steps(60)?;
        let shear = (run.state().position[0].x - start) * stiffness * 2.0 / 3.0 / (0.3 * weight);
        report.relative(format!("shear kT/F after 60 steps, kN = {stiffness:e}"), "", 1.0, shear, 5e-3);
    }
    Ok(())
}

/// Acceptance tests 7, 8, 9 and 12.
pub fn sliding(report: &mut Report) -> Result<(), VerifyError> {
    let (speed, time_step, friction) = (2.0, 0.005, 0.5);
    let mut run =
        disc_on_plane(false, friction * speed * time_step, friction, tilted(0.0), dynamic(1.0, time_step))?;
    run.state_mut().velocity[0].x = speed;
    run.steps(60)?;
    let slowed = (speed - run.state().velocity[0].x) / (60.0 * time_step);
    report.relative("deceleration of a sliding disc over µg", "", 1.0, slowed / (friction * GRAVITY), 5e-3);

    let mut settings = dynamic(1.0, time_step);
    settings.kind = StepKind::Dynamic(DynamicStep { theta: 1.0, saxce_iterations: 8, saxce_tolerance: 0.0 });
    settings.tolerance = 1e-10;
    let mut run = disc_on_plane(false, 0.0, friction, tilted(0.0), settings)?;
    run.state_mut().velocity[0].x = speed;
    let mut hop = 0.0_f64;
    for _ in 0..60 {
        run.step()?;
        hop = hop.max((run.state().position[0].y - RADIUS).abs());
    }
    let slowed = (speed - run.state().velocity[0].x) / (60.0 * time_step);
    report.relative("the same by de Saxcé from no gap", "", 1.0, slowed / (friction * GRAVITY), 1e-4);
    report.at_most("hop by de Saxcé", "m", 1e-7, hop);

    begin_to_roll(report)?;
    incline(report)
}

fn begin_to_roll(report: &mut Report) -> Result<(), VerifyError> {
    let (speed, time_step, friction) = (2.0, 0.002, 0.3);
    let mut run =
        disc_on_plane(true, friction * speed * time_step, friction, tilted(0.0), dynamic(1.0, time_step))?;
    run.state_mut().velocity[0].x = speed;
    let mut series = Series::new("rolling", &[("time", "s"), ("velocity", "m/s"), ("slip", "m/s")]);
    for step in 1..=200 {
        run.step()?;
        let (velocity, spin) = (run.state().velocity[0].x, run.state().spin[0]);
        series.push(&[f64::from(step) * time_step, velocity, velocity + spin * RADIUS]);
    }
    let (velocity, slips) = (run.state().velocity[0].x, series.column(2));
    report.relative("rolling speed over V0", "", 2.0 / 3.0, velocity / speed, 1e-4);
    report.relative("−ωR/v", "", 1.0, -run.state().spin[0] * RADIUS / velocity, 1e-4);
    // Slip falls linearly until it is gone.
    let time = time_step * (21.0 + 70.0 * slips[20] / (slips[20] - slips[90]));
    report.relative("time until rolling", "s", speed / (3.0 * friction * GRAVITY), time, 1e-2);
    let plot = Plot::new("A sliding disc begins to roll", "time [s]", "velocity, slip [m/s]")
        .line("velocity", &series.column(0), &series.column(1))
        .line("slip", &series.column(0), &slips);
    report.plot("rolling", plot);
    report.series(series);
    Ok(())
}

fn incline(report: &mut Report) -> Result<(), VerifyError> {
    let friction = 0.4;
    let limit = libm::atan(friction);
    let cases =
        [("0.98 atan µ", 0.98 * limit), ("1.02 atan µ", 1.02 * limit), ("35°", 35.0_f64.to_radians())];
    for (name, angle) in cases {
        let mut settings = dynamic(1.0, 0.002);
        settings.tolerance = 1e-10;
        let mut run = disc_on_plane(false, 0.0, friction, tilted(angle), settings)?;
        run.steps(500)?;
        if angle < limit {
            report.at_most(format!("creep at {name}"), "m", 1e-6, run.state().position[0].x.abs());
        } else {
            let expected = GRAVITY * (libm::sin(angle) - friction * libm::cos(angle));
            report.relative(
                format!("acceleration at {name}"),
                "m/s²",
                expected,
                run.state().velocity[0].x,
                5e-3,
            );
        }
    }
    Ok(())
}

/// Acceptance tests 10 and 11.
pub fn restitution(report: &mut Report) -> Result<(), VerifyError> {
    let mut plot = Plot::new("Restitution by the gap inside the step", "s [–]", "e [–]");
    for theta in [0.5, 0.7, 0.85, 1.0] {
        let mut measured = Vec::new();
        let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
        for share in shares {
            let expected = if share <= 1.0 - theta {
                (1.0 - theta - share) / theta
            } else {
                (1.0 - theta) * (share - 1.0 + theta) / (theta * theta)
            };
            let e = impact(theta, share)?;
            report.absolute(format!("e, θ = {theta}, s = {share}"), "", expected, e, 1e-3);
            measured.push(e);
        }
        plot = plot.line(format!("θ = {theta}"), &shares, &measured);
    }
    report.plot("restitution", plot);
    Ok(())
}

/// Speed of separation of two equal discs that met at speed 1.
fn impact(theta: f64, share: f64) -> Result<f64, VerifyError> {
    let time_step = 0.01;
    let setup = GrainSetup {
        shapes: vec![GrainShape::Disc(RADIUS)],
        grains: vec![disc(true), disc(true)],
        friction: FrictionTable::uniform(1, 0.0),
        wall_materials: vec![],
        settings: dynamic(theta, time_step),
    };
    let apart = DVec2::new(2.0 * RADIUS + share * time_step, 0.0);
    let mut state = GrainState::at_rest(&[(DVec2::ZERO, 0.0), (apart, 0.0)], vec![], DVec2::ZERO);
    state.velocity = vec![DVec2::new(0.5, 0.0), DVec2::new(-0.5, 0.0)];
    let mut run = GrainRun::new(setup, state)?;
    run.steps(4)?;
    Ok(run.state().velocity[1].x - run.state().velocity[0].x)
}
