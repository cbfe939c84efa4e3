//! Pairs that were bonded once. Templates at rest and bonds that all fail at once: `breccia verify bonded`.

use crate::builders::{MODULUS, RADIUS, empty, kind, one_cluster};
use crate::support::Dice;
use breccia::model::{BondKind, BondStiffness};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use glam::DVec3;

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
