//! A ball that swings in a faceted drum: the plain method jumps at every concave edge, the remedy does not.

use crate::builders::{add_mesh, faceted_drum};
use crate::support::scene;
use breccia::simulation::Simulation;
use glam::DVec3;

const RADIUS: f64 = 0.3;
const SWING: f64 = 1.2;
const GRAVITY: f64 = 9.81;

fn drum(facets: u32, blend: bool, friction: f64) -> Simulation {
    let (sin, cos) = libm::sincos(SWING);
    let arm = 1.0 - RADIUS;
    let text = format!(
        r#"
[time]
duration = 10
step = 5e-5
[[material]]
name = "ball"
density = 100
young_modulus = 1e6
poisson_ratio = 0.2
[[material]]
name = "drum"
density = 1000
young_modulus = "rigid"
poisson_ratio = 0.2
[pair_default]
restitution = 1
friction = {friction}
[law]
rolling = "none"
[[bodies]]
kind = "list"
name = "ball"
material = "ball"
radius = {RADIUS}
positions = [[{}, 0.05, {}]]
"#,
        arm * sin,
        -arm * cos
    );
    let mut scene = scene(&text);
    add_mesh(&mut scene, "drum", faceted_drum(facets, 1.0, 2.0, true), blend);
    Simulation::new(&scene)
}

/// Largest change of the force in a step over the weight, and largest change of energy over that of the swing.
fn swing(mut run: Simulation, seconds: f64) -> (f64, f64) {
    let step = run.setup.time_step;
    let (mut last_force, mut jump, mut drift) = (None::<DVec3>, 0.0_f64, 0.0_f64);
    let mut first = None;
    for number in 0..(seconds / step) as u64 {
        run.step().expect("a step");
        let bodies = &run.state.bodies;
        let force = (bodies.places[0].velocity() - bodies.last_places[0].velocity()) / step;
        jump = jump.max(last_force.map_or(0.0, |last| (force - last).length()));
        last_force = Some(force);
        if number % 20 == 0 {
            let sample = run.sample();
            let energy = &sample.energy;
            let total = energy.translation
                + energy.rotation
                + energy.gravity
                + energy.elastic_normal
                + energy.elastic_tangential
                + energy.sliding
                + energy.tangential_damping;
            let swing = sample.mass * GRAVITY * (1.0 - RADIUS) * (1.0 - libm::cos(SWING));
            drift = drift.max((total - *first.get_or_insert(total)).abs() / swing);
        }
    }
    (jump / GRAVITY, drift)
}

#[test]
fn the_remedy_takes_jumps_and_energy_errors_away() {
    for (facets, seconds) in [(36, 8.0), (72, 8.0), (180, 2.0)] {
        let (jump, drift) = swing(drum(facets, false, 0.0), seconds);
        println!("{facets} plain: jump {jump}, drift {drift}");
        assert!(jump > 0.5, "{facets} facets: the plain method jumps by {jump}");
        let (jump, drift) = swing(drum(facets, true, 0.0), seconds);
        println!("{facets} blend: jump {jump}, drift {drift}");
        assert!(jump < 0.06 && drift < 1e-5, "{facets} facets: jump {jump}, drift {drift}");
    }
}

#[test]
fn the_remedy_holds_for_a_rolling_ball() {
    for facets in [36, 72] {
        let (without, _) = swing(drum(facets, true, 0.0), 2.0);
        let (jump, drift) = swing(drum(facets, true, 0.3), 2.0);
        println!("{facets} rolling: jump {jump} ({without}), drift {drift}");
        assert!(jump <= 1.1 * without && drift < 1e-3, "{facets}: jump {jump} ({without}), drift {drift}");
    }
}
