//! Unbroken bonds: periods, bending line, spinning bodies.

use crate::builders::*;
use breccia::simulation::Simulation;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

const LENGTH: f64 = 2.0 * RADIUS;

fn pair_on_x() -> [DVec3; 2] {
    [DVec3::ZERO, DVec3::new(LENGTH, 0.0, 0.0)]
}

/// Time of the n-th upward zero crossing of a signal, interpolated [steps].
fn crossing(signal: &[f64], n: usize) -> f64 {
    let crossings = signal.windows(2).enumerate().filter(|(_, pair)| pair[0] < 0.0 && pair[1] >= 0.0);
    let (at, pair) = crossings.skip(n).map(|(k, pair)| (k as f64, pair)).next().expect("a crossing");
    at + pair[0] / (pair[0] - pair[1])
}

#[test]
fn axial_period() {
    let normal = MODULUS / LENGTH * area();
    let period = TAU / (2.0 * normal / mass()).sqrt();
    let step = period / 400.0;
    let mut scene = one_cluster(step, &pair_on_x(), kind());
    scene.bodies[0].velocity = DVec3::new(-1e-3, 0.0, 0.0);
    scene.bodies[1].velocity = DVec3::new(1e-3, 0.0, 0.0);
    let mut run = Simulation::new(&scene);
    let mut signal = Vec::new();
    for _ in 0..4500 {
        run.step().expect("a step");
        let places = &run.state.bodies.last_places;
        signal.push(places[0].centre().distance(places[1].centre()) - LENGTH);
    }
    let measured = (crossing(&signal, 9) - crossing(&signal, 0)) / 9.0 * step;
    assert!((measured / period - 1.0).abs() < 1e-4, "{measured} {period}");
}

#[test]
fn twist_period() {
    let (inertia, polar) = (0.4 * mass() * RADIUS * RADIUS, area() * RADIUS * RADIUS / 2.0);
    let shear = MODULUS / LENGTH / RATIO;
    let period = TAU / (2.0 * shear * polar / inertia).sqrt();
    let step = period / 400.0;
    let mut scene = one_cluster(step, &pair_on_x(), kind());
    scene.bodies[0].spin = DVec3::new(-1.0, 0.0, 0.0);
    scene.bodies[1].spin = DVec3::new(1.0, 0.0, 0.0);
    let mut run = Simulation::new(&scene);
    let mut signal = Vec::new();
    for _ in 0..4500 {
        run.step().expect("a step");
        signal.push(run.state.lists.chunks[0].bonds[0].get(0).memory.twist);
    }
    let measured = (crossing(&signal, 9) - crossing(&signal, 0)) / 9.0 * step;
    assert!((measured / period - 1.0).abs() < 1e-4, "{measured} {period}");
}

#[test]
fn a_cantilever_bends_as_a_beam_does() {
    let spheres: Vec<DVec3> = (0..21).map(|k| DVec3::new(f64::from(k) * LENGTH, 0.0, 0.0)).collect();
    let stiff = MODULUS / LENGTH * area();
    let step = 0.2 * (mass() / (3.0 * stiff)).sqrt();
    let mut scene = one_cluster(step, &spheres, kind());
    let load = 1e-5;
    scene.groups.push("tip".into());
    scene.bodies[20].group = scene.groups.len() as u16 - 1;
    scene.model.motion.loads.push(breccia::model::AppliedLoad {
        group: scene.groups.len() as u16 - 1,
        force: DVec3::new(0.0, 0.0, -load),
        torque: DVec3::ZERO,
        start: 0.0,
        stop: f64::INFINITY,
    });
    // The slowest bending mode is damped to rest; others are faster and damped alike.
    scene.model.motion.damping_rate = 60.0;
    let mut run = Simulation::new(&scene);
    run.step().expect("a step");
    // The first sphere is held: nothing moves what is infinitely heavy.
    let held = run.state.bodies.id.iter().position(|&id| id == 0).expect("the first sphere");
    let bodies = &mut run.state.bodies;
    for places in [&mut bodies.places, &mut bodies.last_places] {
        places[held].inverse_mass = 1e-30;
    }
    for spins in [&mut bodies.spins, &mut bodies.last_spins] {
        spins[held].inverse_inertia = 1e-30;
    }
    for _ in 0..(1.2 / step) as u64 {
        run.step().expect("a step");
    }
    let tip = run.state.bodies.id.iter().position(|&id| id == 20).expect("the tip");
    let deflection = -run.state.bodies.places[tip].position[2];
    let (whole, moment) = (20.0 * LENGTH, PI * RADIUS.powi(4) / 4.0);
    let shear = MODULUS / LENGTH / RATIO;
    let beam = load * whole.powi(3) / (3.0 * MODULUS * moment) + load * whole / (shear * LENGTH * area());
    assert!((deflection / beam - 1.0).abs() < 1e-3, "{deflection} {beam}");
}

#[test]
fn a_spinning_cube_keeps_energy_and_angular_momentum() {
    let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
    let spin = 200.0 * axis;
    let step = 2e-6;
    let mut scene = one_cluster(step, &cube(3), kind());
    assert_eq!(scene.bonds.len(), 54);
    for body in &mut scene.bodies {
        body.velocity = spin.cross(body.position);
        body.spin = spin;
    }
    let mut run = Simulation::new(&scene);
    run.step().expect("a step");
    let first = run.sample();
    let (mut drift, mut turned) = (0.0_f64, 0.0_f64);
    for number in 0..(10.0 * TAU / 200.0 / step) as u64 {
        run.step().expect("a step");
        if number % 50 == 0 {
            let now = run.sample();
            drift = drift.max((now.energy.mechanical() / first.energy.mechanical() - 1.0).abs());
            let change = now.angular_momentum - first.angular_momentum;
            turned = turned.max(change.length() / first.angular_momentum.length());
        }
    }
    println!("energy {drift:e}, angular momentum {turned:e}");
    assert!(drift < 5e-4, "energy drifts by {drift}");
    assert!(turned < 1e-12, "angular momentum changes by {turned}");
}
