//! Bonds that break: at their strength, and with their books kept.

use super::stage::*;
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Rig};
use breccia::contacts::bonds::FailureMode;
use breccia::diagnostics::bond_loads;
use breccia::output::Plot;
use glam::DVec3;

const STRONG: Cement = Cement { modulus: MODULUS, tensile: 6e5, shear: 4e5, damping: 0.0 };
/// Part of the strength that a step adds.
const PER_STEP: f64 = 5e-7;
const STEP: f64 = 1e-6;

/// Two spheres on prescribed paths: pulled, bent, sheared, twisted, pressed.
pub fn strengths(report: &mut Report) -> Result<(), VerifyError> {
    let (normal, shear) = (MODULUS / LENGTH, MODULUS / LENGTH / RATIO);
    // Rates of stress: k_n v; k_n ω R; k_s v; k_s ω R.
    let pull = PER_STEP * STRONG.tensile / normal / STEP;
    let slide = PER_STEP * STRONG.shear / shear / STEP;
    let cases = [
        ("pure tension", DVec3::X * pull, DVec3::ZERO, FailureMode::Tension),
        ("pure bending", DVec3::ZERO, DVec3::Y * (pull / RADIUS), FailureMode::Tension),
        ("pure shear", DVec3::Y * slide, DVec3::ZERO, FailureMode::Shear),
        ("pure twist", DVec3::ZERO, DVec3::X * (slide / RADIUS), FailureMode::Shear),
    ];
    for (name, velocity, spin, mode) in cases {
        let end = load_until_failure(velocity, spin, (2.2 / PER_STEP) as u64)?;
        let Some((found, stress)) = end else {
            return Err(VerifyError::Course(format!("{name}: the bond held")));
        };
        let as_expected = f64::from(u8::from(found == mode));
        report.absolute(format!("{name}: fails in the right mode"), "", 1.0, as_expected, 0.0);
        report.relative(format!("{name}: largest stress borne / strength"), "", 1.0, stress, 1e-6);
    }
    // Ten times the tensile strength, in larger steps.
    let held = load_until_failure(-DVec3::X * (1e3 * pull), DVec3::ZERO, (10.0 / (1e3 * PER_STEP)) as u64)?;
    let breaks = held.map_or(0.0, |_| 1.0);
    report.absolute("pressed to ten times the tensile strength: breaks", "", 0.0, breaks, 0.0);
    Ok(())
}

/// Moves and turns one sphere at given rates: how the bond failed, and the stress over strength one step before.
fn load_until_failure(
    velocity: DVec3,
    spin: DVec3,
    steps: u64,
) -> Result<Option<(FailureMode, f64)>, VerifyError> {
    let mut scene = cemented(&STRONG, STEP, &one(&rod(2)))?;
    (scene.bodies[1].velocity, scene.bodies[1].spin) = (velocity, spin);
    let mut rig = Rig::of(&scene);
    (0..2).for_each(|id| hold(&mut rig.run, id));
    let mut stress = 0.0;
    for _ in 0..steps {
        rig.step()?;
        if let Some(broken) = rig.run.state.broken.first() {
            return Ok(Some((broken.mode, stress)));
        }
        let loads = bond_loads(&rig.run.setup, &rig.run.state);
        stress = loads.first().map_or(0.0, |load| load.tension.max(load.shear));
    }
    Ok(None)
}

/// A cube falls on a floor and breaks: what it had is found again in motion, springs, losses and fracture.
pub fn cube_drop(report: &mut Report) -> Result<(), VerifyError> {
    const START: DVec3 = DVec3::new(0.0, 0.0, 0.03);
    let floor = "[[wall]]\nname = \"floor\"\nmaterial = \"rock\"\nshape = \"plane\"\nnormal = [0, 0, 1]\n";
    let cement = Cement { tensile: 2e5, shear: 2e5, damping: 0.05, ..Cement::default() };
    let mut scene = cemented(&cement, 2e-6, &(one_at(START, &cube()) + floor))?;
    scene.model.gravity = DVec3::new(0.0, 0.0, -GRAVITY);
    let turn = glam::DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), 0.7);
    for body in &mut scene.bodies {
        body.position = turn * (body.position - START) + START;
        body.velocity = DVec3::new(0.0, 0.0, -3.0);
    }
    let mut rig = Rig::of(&scene);
    let columns = ["time", "kinetic", "bonds", "contacts", "gravity", "losses", "fracture", "missing"];
    let columns = columns.map(|name| (name, if name == "time" { "s" } else { "J" }));
    let mut series = Series::new("energies", &columns);
    let mut worst = 0.0_f64;
    for number in 0..20_000 {
        rig.step()?;
        if number % 20 == 0 {
            let e = rig.run.sample().energy;
            worst = worst.max(e.relative_closure_error.abs());
            let (contacts, losses) = (e.elastic() - e.elastic_bonds, e.losses() - e.fracture);
            series.push(&[
                rig.time(),
                e.kinetic(),
                e.elastic_bonds,
                contacts,
                e.gravity,
                losses,
                e.fracture,
                e.closure_error,
            ]);
        }
    }
    report.at_least("bonds broken of 54", "", 10.0, rig.run.state.broken.len() as f64);
    report.at_least("parts", "", 2.0, rig.run.state.fragments.count() as f64);
    report.at_most("energy missing / energy in motion", "", 1e-3, worst);
    let mut plot = Plot::new("A cube that breaks on a floor", "time [s]", "energy [J]");
    for (column, (name, _)) in columns.iter().enumerate().skip(1) {
        plot = plot.line(*name, &series.column(0), &series.column(column));
    }
    report.plot("energies", plot);
    report.series(series);
    Ok(())
}
