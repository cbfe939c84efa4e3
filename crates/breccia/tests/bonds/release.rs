//! Templates at rest, all bonds let go at once, and pairs that were bonded once.

use crate::builders::{MODULUS, RADIUS, empty, kind, one_cluster};
use crate::support::Dice;
use breccia::model::{BondKind, BondStiffness};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use glam::DVec3;

/// A packing whose spheres overlap, turned and far from the origin, and a body with overlaps that are not bonded.
fn overlapping(modulus: f64) -> Scene {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good_scenes");
    let text = format!(
        r#"
gravity = [0, 0, 0]
[time]
duration = 1
[[material]]
name = "rock"
density = 4800
young_modulus = 2.3e9
poisson_ratio = 0.21
[pair_default]
restitution = 0.35
friction = 0.44
[[bond]]
name = "cement"
young_modulus = {modulus}
damping_ratio = 0
[[template]]
name = "packing"
kind = "packing"
n = 30
radius = 3.3e-3
bond = "cement"
[[template]]
name = "deep"
kind = "file"
file = "template.csv"
scale = 0.001
gap = -0.5
bond = "cement"
[[bodies]]
kind = "list"
material = "rock"
template = "packing"
orientation = {{ axis = [1, 2, 3], angle = "77 deg" }}
positions = [[1.3, -0.7, 2.1]]
[[bodies]]
kind = "list"
material = "rock"
template = "deep"
orientation = {{ axis = [3, -1, 1], angle = "0.6 rad" }}
positions = [[-0.9, 3.7, 1.1]]
"#
    );
    let loaded = breccia::scene::load_str("rest.toml", &text, &folder);
    loaded.unwrap_or_else(|error| panic!("{}", error.plain())).scene
}

#[test]
fn a_fresh_template_with_overlaps_is_at_rest() {
    let scene = overlapping(1e10);
    assert_eq!(scene.offsets.len(), 1);
    let mut run = Simulation::new(&scene);
    for _ in 0..50 {
        run.step().expect("a step");
        let bodies = &run.state.bodies;
        for row in 0..bodies.len() {
            let kick = bodies.places[row].velocity() - bodies.last_places[row].velocity();
            let acceleration = kick.length() / run.setup.time_step;
            assert!(acceleration < 1e-9 * 9.81, "step {}: {acceleration}", run.state.step);
        }
    }
}

/// Kinetic energy [J].
fn kinetic(run: &mut Simulation) -> f64 {
    run.sample().energy.kinetic()
}

/// Lets every bond fail in the next step.
fn let_go(run: &mut Simulation) {
    run.setup.model.bonds.iter_mut().for_each(|kind| kind.tensile_strength = -1e300);
}

#[test]
fn letting_all_bonds_go_sets_free_no_more_than_they_had() {
    for squeeze in [0.0, 0.02, -0.02] {
        let mut scene = overlapping(5e9);
        let mut run = Simulation::new(&scene);
        let step = run.setup.time_step;
        // A field of velocities that squeezes (or stretches) all bonds at once.
        let middle: DVec3 = scene.bodies[..30].iter().map(|body| body.position).sum::<DVec3>() / 30.0;
        for body in &mut scene.bodies[..30] {
            body.velocity = (body.position - middle) * (-squeeze / (60.0 * step));
        }
        run = Simulation::new(&scene);
        for _ in 0..60 {
            run.step().expect("a step");
        }
        let before = run.sample().energy;
        let_go(&mut run);
        run.step().expect("a step");
        let bonds = scene.bonds.len();
        assert_eq!((run.state.broken.len(), run.state.fragments.count()), (bonds, 33));
        let mut most = 0.0_f64;
        for _ in 0..4000 {
            run.step().expect("a step");
            most = most.max(kinetic(&mut run));
        }
        let stored = before.elastic();
        if squeeze == 0.0 {
            assert!(most < 1e-20, "bodies at rest gained {most}");
        } else {
            assert!(stored > 1e-6, "{stored}");
            let gained = most - before.kinetic();
            assert!(gained <= 1.001 * stored, "{squeeze}: gained {gained} of {stored}");
        }
        let closure = run.sample().energy.closure_error.abs();
        assert!(closure <= 2e-3 * (stored + before.kinetic()) + 1e-20, "{squeeze}: {closure} of {stored}");
    }
}

/// Two spheres that overlap at the start by a tenth of their radius.
fn two_spheres(bonded: bool) -> Scene {
    let mut scene = if bonded {
        let weak = BondKind { tensile_strength: 1e3, damping_ratio: 0.1, ..kind() };
        one_cluster(2e-6, &[DVec3::ZERO, DVec3::new(1.9 * RADIUS, 0.0, 0.0)], weak)
    } else {
        let mut scene = empty(2e-6, 1e3);
        scene.bodies.push(scene.bodies[0].clone());
        scene
    };
    assert_eq!(scene.model.laws.rolling, breccia::model::RollingKind::None);
    scene.model.laws.rolling = breccia::model::RollingKind::C;
    scene
}

#[test]
fn a_pair_that_was_bonded_is_as_any_other_once_it_has_parted() {
    let mut scene = two_spheres(true);
    (scene.bodies[0].velocity, scene.bodies[1].velocity) =
        (DVec3::new(-1.0, 0.1, 0.0), DVec3::new(1.0, 0.0, 0.2));
    (scene.bodies[0].spin, scene.bodies[1].spin) = (DVec3::new(5.0, 20.0, 1.0), DVec3::new(0.0, -9.0, 30.0));
    let mut bonded = Simulation::new(&scene);
    let distance = |run: &Simulation| {
        let places = &run.state.bodies.places;
        places[0].centre().distance(places[1].centre())
    };
    while bonded.state.broken.is_empty() || distance(&bonded) < 2.2 * RADIUS {
        bonded.step().expect("a step");
    }
    // Turned around, and a run without bonds from the same places.
    let mut free = two_spheres(false);
    let bodies = &mut bonded.state.bodies;
    for row in 0..2 {
        let place = &mut bodies.places[row];
        place.velocity = (-place.velocity()).to_array();
        let seed = &mut free.bodies[bodies.id[row] as usize];
        (seed.position, seed.velocity) = (place.centre(), place.velocity());
        seed.spin = DVec3::from_array(bodies.spins[row].spin);
    }
    bonded.state.lists_stale = true;
    let mut free = Simulation::new(&free);
    let mut touched = false;
    for step in 0..4000 {
        bonded.step().expect("a step");
        free.step().expect("a step");
        let look = |run: &Simulation| {
            let bodies = &run.state.bodies;
            let mut rows: Vec<_> = (0..2)
                .map(|row| {
                    (
                        bodies.id[row],
                        bodies.places[row].position,
                        bodies.places[row].velocity,
                        bodies.spins[row].spin,
                    )
                })
                .collect();
            rows.sort_by_key(|row| row.0);
            rows
        };
        assert_eq!(look(&bonded), look(&free), "step {step}");
        touched |= distance(&free) < 1.999 * RADIUS;
    }
    assert!(touched, "they met again");
}

#[test]
fn bonds_by_area_and_by_modulus_are_the_same_where_they_should_be() {
    let mut dice = Dice::new(3);
    let run = |stiffness: BondStiffness, velocity: DVec3| {
        let positions = [DVec3::ZERO, DVec3::new(2.0 * RADIUS, 0.0, 0.0)];
        let mut scene = one_cluster(2e-6, &positions, BondKind { stiffness, ..kind() });
        scene.bodies[1].velocity = velocity;
        let mut run = Simulation::new(&scene);
        (0..500).for_each(|_| run.step().expect("a step"));
        run.state.bodies.places[0].position
    };
    let velocity = dice.vector(-0.1, 0.1);
    let per_area = BondStiffness::PerArea(MODULUS / (2.0 * RADIUS));
    assert_eq!(run(BondStiffness::Modulus(MODULUS), velocity), run(per_area, velocity));
}
