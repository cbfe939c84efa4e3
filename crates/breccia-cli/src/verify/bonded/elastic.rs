//! Unbroken bonds: periods, bending line, spinning bodies.

use super::stage::*;
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::Rig;
use breccia::diagnostics::{BondLoad, bond_loads};
use breccia::model::AppliedLoad;
use breccia::output::Plot;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Steps in a period.
const RESOLUTION: f64 = 400.0;

/// Two spheres, one bond: axial and twisting oscillation.
pub fn periods(report: &mut Report) -> Result<(), VerifyError> {
    let axial = TAU / (2.0 * MODULUS / LENGTH * area() / mass()).sqrt();
    let measured = period(axial, [DVec3::X * 1e-3, DVec3::ZERO], |load| load.normal_force)?;
    report.relative("axial period", "s", axial, measured, 1e-4);
    let (inertia, polar) = (0.4 * mass() * RADIUS * RADIUS, area() * RADIUS * RADIUS / 2.0);
    let twisting = TAU / (2.0 * MODULUS / LENGTH / RATIO * polar / inertia).sqrt();
    let measured = period(twisting, [DVec3::ZERO, DVec3::X], |load| load.twisting_moment)?;
    report.relative("twisting period", "s", twisting, measured, 1e-4);
    Ok(())
}

/// Mean period of nine oscillations of a quantity of the bond [s] after a push [m/s] and a spin [rad/s] against each other.
fn period(
    expected: f64,
    [push, spin]: [DVec3; 2],
    quantity: impl Fn(&BondLoad) -> f64,
) -> Result<f64, VerifyError> {
    let step = expected / RESOLUTION;
    let mut scene = cemented(&Cement::default(), step, &one(&rod(2)))?;
    for (body, sign) in scene.bodies.iter_mut().zip([-1.0, 1.0]) {
        (body.velocity, body.spin) = (push * sign, spin * sign);
    }
    let mut rig = Rig::of(&scene);
    let mut signal = Vec::new();
    for _ in 0..(11.0 * RESOLUTION) as u32 {
        rig.step()?;
        signal.extend(bond_loads(&rig.run.setup, &rig.run.state).first().map(&quantity));
    }
    let upwards = |pair: &[f64]| (pair[0] < 0.0 && pair[1] >= 0.0).then(|| pair[0] / (pair[0] - pair[1]));
    let crossings: Vec<f64> = signal
        .windows(2)
        .enumerate()
        .filter_map(|(k, pair)| upwards(pair).map(|part| k as f64 + part))
        .collect();
    match crossings[..] {
        [first, .., last] => Ok((last - first) / (crossings.len() - 1) as f64 * step),
        _ => Err(VerifyError::Course("the bond did not oscillate".into())),
    }
}

/// A row of 21 spheres, held at one end and loaded at the other, bends as a beam does.
pub fn cantilever(report: &mut Report) -> Result<(), VerifyError> {
    const BONDS: u32 = 20;
    const LOAD: f64 = 1e-5;
    let stiffness = MODULUS / LENGTH * area();
    let step = 0.2 * (mass() / (3.0 * stiffness)).sqrt();
    let mut scene = cemented(&Cement::default(), step, &one(&rod(BONDS + 1)))?;
    let tip = scene.groups.len() as u16;
    scene.groups.push("tip".into());
    scene.bodies[BONDS as usize].group = tip;
    scene.model.motion.loads.push(AppliedLoad {
        group: tip,
        force: DVec3::new(0.0, 0.0, -LOAD),
        torque: DVec3::ZERO,
        start: 0.0,
        stop: f64::INFINITY,
    });
    // The slowest bending mode is damped to rest; others are faster and damped alike.
    scene.model.motion.damping_rate = 60.0;
    let mut rig = Rig::of(&scene);
    hold(&mut rig.run, 0);
    rig.run_to(1.2)?;
    let deflection = -rig.body(BONDS)?.position.z;
    let (whole, moment) = (f64::from(BONDS) * LENGTH, PI * RADIUS.powi(4) / 4.0);
    let shear = MODULUS / LENGTH / RATIO;
    let beam = LOAD * whole.powi(3) / (3.0 * MODULUS * moment) + LOAD * whole / (shear * LENGTH * area());
    report.relative("deflection of the tip", "m", beam, deflection, 1e-3);
    let chain = beam - LOAD * whole.powi(3) / (3.0 * MODULUS * moment) / (4.0 * f64::from(BONDS * BONDS));
    report.relative("deflection of a chain of 20 bonds", "m", chain, deflection, 1e-4);
    Ok(())
}

const SPIN: f64 = 200.0;
const STEP: f64 = 2e-6;
const TURNS: f64 = 10.0;

/// A spinning cube of 27 keeps its energy and its angular momentum; a damped one its bond forces.
pub fn spinning(report: &mut Report) -> Result<(), VerifyError> {
    let mut rig = spinning_cube(0.0)?;
    report.absolute("bonds of the cube", "", 54.0, rig.run.state.fragments.bond_count() as f64, 0.0);
    rig.step()?;
    let first = rig.run.sample();
    let (mut drift, mut turned) = (0.0_f64, 0.0_f64);
    let mut series = Series::new("energy", &[("turns", ""), ("energy_drift", ""), ("momentum_drift", "")]);
    for number in 0..steps() {
        rig.step()?;
        if number % 50 == 0 {
            let now = rig.run.sample();
            let energy = now.energy.mechanical() / first.energy.mechanical() - 1.0;
            let change = (now.angular_momentum - first.angular_momentum).length();
            let change = change / first.angular_momentum.length();
            (drift, turned) = (drift.max(energy.abs()), turned.max(change));
            if number % 500 == 0 {
                series.push(&[rig.time() * SPIN / TAU, energy, change]);
            }
        }
    }
    report.at_most("drift of energy in 10 turns", "", 5e-4, drift);
    report.at_most("change of angular momentum in 10 turns", "", 1e-12, turned);
    let plot = Plot::new("A spinning cube of 27, undamped", "turns", "change of energy [–]");
    report.plot("energy", plot.line("energy", &series.column(0), &series.column(1)));
    report.series(series);
    damped(report)
}

fn steps() -> u64 {
    (TURNS * TAU / SPIN / STEP) as u64
}

fn spinning_cube(damping: f64) -> Result<Rig, VerifyError> {
    let mut scene = cemented(&Cement { damping, ..Cement::default() }, STEP, &one(&cube()))?;
    spin_about_origin(&mut scene, SPIN * DVec3::new(0.3, -0.5, 0.8).normalize());
    Ok(Rig::of(&scene))
}

/// The largest shear force and bending moment of all bonds over the last five turns.
fn damped(report: &mut Report) -> Result<(), VerifyError> {
    let mut rig = spinning_cube(0.05)?;
    let mut series = Series::new("loads", &[("turns", ""), ("shear", "N"), ("bending", "N m")]);
    for number in 0..steps() {
        rig.step()?;
        if number > steps() / 2 && number % 100 == 0 {
            let loads = bond_loads(&rig.run.setup, &rig.run.state);
            let largest = |of: &dyn Fn(&BondLoad) -> f64| loads.iter().map(of).fold(0.0, f64::max);
            let shear = largest(&|load| load.bond.memory.shear.length());
            let bending = largest(&|load| load.bond.memory.bending.length());
            series.push(&[rig.time() * SPIN / TAU, shear, bending]);
        }
    }
    for (column, name, unit, least) in [(1, "shear force", "N", 1e-3), (2, "bending moment", "N m", 1e-6)] {
        let values = series.column(column);
        let high = values.iter().copied().fold(0.0, f64::max);
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        report.at_least(format!("largest {name}, damped"), unit, least, low);
        report.at_most(
            format!("largest {name}, damped: change in turns 5 to 10"),
            "",
            1e-3,
            high / low - 1.0,
        );
    }
    report.series(series);
    Ok(())
}
