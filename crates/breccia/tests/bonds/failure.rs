//! Bonds that break: at their strength, without creating energy.

use crate::builders::*;
use breccia::contacts::bonds::FailureMode;
use breccia::simulation::Simulation;
use glam::DVec3;

const LENGTH: f64 = 2.0 * RADIUS;

/// Two bonded spheres of endless mass, moved and turned at given rates until the bond breaks: what it bore last.
fn bond_at_failure(velocity: DVec3, spin: DVec3) -> (FailureMode, breccia::contacts::bonds::Bond, f64) {
    let strong = breccia::model::BondKind { tensile_strength: 6e5, shear_strength: 4e5, ..kind() };
    let mut scene = one_cluster(1e-6, &[DVec3::ZERO, DVec3::new(LENGTH, 0.0, 0.0)], strong);
    (scene.bodies[1].velocity, scene.bodies[1].spin) = (velocity, spin);
    scene.model.limits.overlap = 1.0;
    let mut run = Simulation::new(&scene);
    let bodies = &mut run.state.bodies;
    bodies.places.iter_mut().for_each(|place| place.inverse_mass = 1e-30);
    bodies.spins.iter_mut().for_each(|spin| spin.inverse_inertia = 1e-30);
    let mut last = None;
    for _ in 0..3_000_000 {
        run.step().expect("a step");
        if let Some(broken) = run.state.broken.first() {
            let (bond, length) = last.expect("it held before");
            return (broken.mode, bond, length);
        }
        let places = &run.state.bodies.last_places;
        let length = places[0].centre().distance(places[1].centre());
        last = Some((run.state.lists.chunks[0].bonds[0].get(0), length));
    }
    panic!("the bond held");
}

#[test]
fn bonds_fail_at_their_strength() {
    // Rates at which a step adds less than 1e-6 of the strength.
    let (mode, _, length) = bond_at_failure(DVec3::new(4e-5, 0.0, 0.0), DVec3::ZERO);
    let stress = MODULUS * (length / LENGTH - 1.0);
    assert!(mode == FailureMode::Tension && (stress / 6e5 - 1.0).abs() < 2e-6, "{mode:?} {stress}");

    let (mode, bond, _) = bond_at_failure(DVec3::ZERO, DVec3::new(0.0, 1e-2, 0.0));
    let stress = bond.memory.bending.length() * 4.0 / (area() * RADIUS);
    assert!(mode == FailureMode::Tension && (stress / 6e5 - 1.0).abs() < 2e-6, "{mode:?} {stress}");

    let (mode, bond, _) = bond_at_failure(DVec3::ZERO, DVec3::new(2e-2, 0.0, 0.0));
    let stress = bond.memory.twist.abs() * 2.0 / (area() * RADIUS);
    assert!(mode == FailureMode::Shear && (stress / 4e5 - 1.0).abs() < 3e-6, "{mode:?} {stress}");

    let (mode, bond, _) = bond_at_failure(DVec3::new(0.0, 8e-5, 0.0), DVec3::ZERO);
    let stress = bond.memory.shear.length() / area();
    assert!(mode == FailureMode::Shear && (stress / 4e5 - 1.0).abs() < 3e-6, "{mode:?} {stress}");
}

#[test]
fn a_cube_that_shatters_keeps_its_books() {
    let weak = breccia::model::BondKind {
        tensile_strength: 2e5,
        shear_strength: 2e5,
        damping_ratio: 0.05,
        ..kind()
    };
    let mut scene = one_cluster(2e-6, &cube(3), weak);
    let turn = glam::DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), 0.7);
    for body in &mut scene.bodies {
        body.position = turn * body.position + DVec3::new(0.0, 0.0, 0.03);
        body.velocity = DVec3::new(0.0, 0.0, -3.0);
    }
    scene.model.walls.push(breccia::model::Wall {
        name: "floor".into(),
        surface: breccia::shapes::WallShape::Plane { point: DVec3::ZERO, normal: DVec3::Z }.into(),
        material: breccia::model::MaterialId(0),
        motion: breccia::motion::PrescribedMotion { parts: Vec::new() },
    });
    let mut run = Simulation::new(&scene);
    let mut worst = 0.0_f64;
    for number in 0..20_000 {
        run.step().expect("a step");
        if number % 20 == 0 {
            worst = worst.max(run.sample().energy.relative_closure_error.abs());
        }
    }
    let energy = run.sample().energy;
    println!("broken {} of 54, closure {worst:e}, fracture {:e}", run.state.broken.len(), energy.fracture);
    assert!(run.state.broken.len() > 10, "{} bonds broke", run.state.broken.len());
    assert!(run.state.fragments.count() > 1);
    assert!(worst < 1e-3, "closure {worst}");
}
