//! Searching whole bodies or single spheres gives the same run, to the last bit.

use crate::builders::{RADIUS, add_cluster, cube, empty, kind};
use crate::support::{Dice, Fingerprint};
use breccia::model::{BondKind, Domain, ExitPolicy};
use breccia::scene::Scene;
use breccia::simulation::{Simulation, StepError};
use glam::{DQuat, DVec3, dvec3};

/// Cubes and loose spheres thrown together in a box that repeats along two axes, breaking.
fn melee() -> Scene {
    let mut scene = empty(6e-6, 1e3);
    let side = 0.09;
    scene.model.domain = Domain {
        min: DVec3::ZERO,
        max: DVec3::splat(side),
        periodic: [true, true, true],
        on_exit: ExitPolicy::Stop,
    };
    scene.model.limits.overlap = 1.0;
    let mut dice = Dice::new(5);
    let brittle = BondKind { tensile_strength: 2e5, shear_strength: 2e5, damping_ratio: 0.05, ..kind() };
    let turn = DQuat::from_axis_angle(dvec3(1.0, 2.0, -0.5).normalize(), 0.3);
    for k in 0..27_u32 {
        let cell = dvec3(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        let at = (cell + DVec3::splat(0.1)) * (side / 3.0);
        let places: Vec<DVec3> = if k % 3 == 0 {
            vec![at]
        } else {
            cube(3).into_iter().map(|p| (at + turn * p).rem_euclid(DVec3::splat(side))).collect()
        };
        let first = scene.bodies.len();
        add_cluster(&mut scene, &places, brittle.clone());
        let velocity = dice.vector(-3.0, 3.0);
        scene.bodies[first..].iter_mut().for_each(|seed| seed.velocity = velocity);
    }
    scene.bodies[0].position = DVec3::splat(0.048);
    bond_across_sides(&mut scene, side);
    scene
}

/// Bonds of bodies that lie across a side: the builder looks at plain distances.
fn bond_across_sides(scene: &mut Scene, side: f64) {
    let pattern = scene.bonds[0];
    let mut first = 1;
    for count in (0..27).map(|k| if k % 3 == 0 { 1 } else { 27 }) {
        for a in first..first + count {
            for b in a + 1..first + count {
                let d = scene.bodies[a as usize].position - scene.bodies[b as usize].position;
                let near = d - side * (d / side).round();
                if near.length() < 2.1 * RADIUS && d.length() > 0.5 * side {
                    scene.bonds.push(breccia::scene::BondSeed { a, b, ..pattern });
                }
            }
        }
        first += count;
    }
}

fn fingerprint(scene: &Scene, threads: usize) -> (Fingerprint, usize, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let mut run = Simulation::new(scene);
        for _ in 0..1500 {
            run.step().unwrap_or_else(|error| panic!("{error}"));
        }
        (Fingerprint::of(&run.state), run.state.broken.len(), run.timers.rebuilds)
    })
}

#[test]
fn whole_bodies_and_single_spheres_give_the_same_bits() {
    let scene = melee();
    let mut by_spheres = melee();
    by_spheres.model.search.whole_bodies = false;
    let (bits, broken, rebuilds) = fingerprint(&scene, 1);
    assert!(broken > 100 && rebuilds > 5, "{broken} bonds broke, {rebuilds} rebuilds");
    assert_eq!(fingerprint(&by_spheres, 1).0, bits);
    assert_eq!(fingerprint(&scene, 3).0, bits);
    assert_eq!(fingerprint(&by_spheres, 3).0, bits);
}

#[test]
fn a_body_longer_than_half_the_period_is_refused() {
    let rod: Vec<DVec3> = (0..6).map(|k| dvec3(2.0 * RADIUS * f64::from(k), 0.0, 0.0)).collect();
    let mut scene = crate::builders::one_cluster(1e-6, &rod, kind());
    let refused = |scene: &Scene| Simulation::new(scene).step().err();
    scene.model.domain = Domain {
        min: dvec3(-0.01, -0.5, -0.5),
        max: dvec3(-0.01 + 24.5 * RADIUS, 0.5, 0.5),
        periodic: [true, false, false],
        on_exit: ExitPolicy::Stop,
    };
    assert_eq!(refused(&scene), None);
    scene.model.domain.max.x = -0.01 + 23.5 * RADIUS;
    let error = refused(&scene);
    assert!(matches!(error, Some(StepError::BodyTooLong { axis: "x", .. })), "{error:?}");
}
