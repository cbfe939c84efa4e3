//! Newton's third law: what two spheres do to each other cancels, in force and in moment.

use crate::support::{materials, scene};
use breccia::simulation::Simulation;
use glam::DVec3;

/// Two unequal spinning spheres that meet off centre, nothing else.
fn meeting(laws: &str) -> Simulation {
    let text = format!(
        r#"
gravity = [0, 0, 0]
[time]
duration = 2e-3
step = 1e-6
{}
{laws}
[[bodies]]
kind = "list"
material = "grain"
spheres = [
  {{ position = [0.001, 0.002, 0.003], radius = "1 mm", velocity = [1.2, 0.1, -0.3], spin = [10, 500, -80] }},
  {{ position = [0.0047, 0.0031, 0.0022], radius = "2 mm", velocity = [-0.4, -0.2, 0.1], spin = [70, -90, 200] }},
]
"#,
        materials(0.7, 0.4, 0.05)
    );
    Simulation::new(&scene(&text))
}

/// Linear and angular momentum about the origin between two steps, from rows alone. Unlike a sample, which takes
/// means of the half steps, this is what the integrator conserves: positions at t^n with velocities at t^{n−½}.
fn momenta(run: &Simulation) -> (DVec3, DVec3, f64) {
    let (mut linear, mut angular, mut touched) = (DVec3::ZERO, DVec3::ZERO, 0.0_f64);
    for row in 0..2 {
        let (place, spin) = (&run.state.bodies.places[row], &run.state.bodies.spins[row]);
        let momentum = place.velocity() / place.inverse_mass;
        linear += momentum;
        angular += place.centre().cross(momentum) + DVec3::from_array(spin.spin) / spin.inverse_inertia;
        touched = touched.max(momentum.length());
    }
    (linear, angular, touched)
}

#[test]
fn momentum_and_angular_momentum_of_two_spheres_stay() {
    for laws in [
        "[law]\nrolling = \"c\"",
        "[law]\nrolling = \"none\"",
        "[law]\nnormal = \"linear\"\nrolling = \"c\"",
        "[law]\nrolling = \"c\"\ntorsion = true",
    ] {
        let mut run = meeting(laws);
        let (linear, angular, scale) = momenta(&run);
        let mut contacts = 0;
        while !run.is_finished() {
            run.step().unwrap();
            contacts += run.sample().contacts.pairs;
            let (now, now_angular, _) = momenta(&run);
            assert!(
                (now - linear).length() < 1e-13 * scale,
                "{laws}: momentum {}",
                (now - linear).length() / scale
            );
            let off = (now_angular - angular).length() / angular.length();
            assert!(off < 1e-13, "{laws}: angular momentum is off by {off} at step {}", run.state.step);
        }
        let lost = run.sample().energy;
        assert!(contacts > 50 && lost.normal_damping > 0.0, "{laws}: they met: {contacts}");
        assert!(lost.sliding + lost.tangential_damping > 0.0, "{laws}: and rubbed");
    }
}

/// The braked kind takes spin without giving it to the partner; linear momentum stays all the same.
#[test]
fn braked_rolling_keeps_linear_momentum_alone() {
    let mut run = meeting("[law]\nrolling = \"a-limited\"");
    let (linear, _, scale) = momenta(&run);
    while !run.is_finished() {
        run.step().unwrap();
    }
    assert!((momenta(&run).0 - linear).length() < 1e-13 * scale);
    assert!(run.sample().energy.rolling > 0.0);
}
