//! Free rotation against closed forms.

use crate::support::{materials, scene};
use breccia::simulation::Simulation;
use glam::DVec3;

/// One clump in free flight.
fn flying(template: &str, spin: DVec3, step: f64) -> Simulation {
    let scene = scene(&format!(
        r#"
gravity = [0, 0, 0]
{}
[time]
duration = 10
step = {step}
[[template]]
name = "body"
rigid = true
{template}
[[bodies]]
kind = "list"
material = "grain"
template = "body"
orientation = "none"
positions = [[0, 0, 0]]
velocity = [0.1, 0, 0]
spin = [{}, {}, {}]
"#,
        materials(0.5, 0.5, 0.0),
        spin.x,
        spin.y,
        spin.z
    ));
    Simulation::new(&scene)
}

/// Three arms of unlike lengths: three unlike moments of inertia.
const ASYMMETRIC: &str = r#"
kind = "tablet"
radius = 0.004
rings = 1
"#;

#[test]
fn an_unsteady_top_keeps_energy_and_angular_momentum() {
    let file = tempfile::tempdir().expect("a folder");
    let csv = file.path().join("arms.csv");
    std::fs::write(
        &csv,
        "x,y,z,r\n0,0,0,0.003\n0.004,0,0,0.003\n0.008,0,0,0.003\n0,0.004,0,0.002\n-0.002,0,0.003,0.002\n",
    )
    .expect("a file");
    let template = format!("kind = \"file\"\nfile = {:?}\n", csv.display().to_string());
    let mut run = flying(&template, DVec3::new(3.0, 60.0, -5.0), 5e-5);
    run.step().expect("a step");
    let first = run.sample();
    let turns = |run: &Simulation| run.state.clumps.now[0].orientation * DVec3::X;
    let mut farthest = 0.0_f64;
    let mut energies = (f64::INFINITY, 0.0_f64);
    let start = turns(&run);
    for _ in 0..20_000 {
        run.step().expect("a step");
        let energy = run.sample().energy.rotation;
        energies = (energies.0.min(energy), energies.1.max(energy));
        farthest = farthest.max((turns(&run) - start).length());
    }
    let last = run.sample();
    let momentum =
        (last.angular_momentum - first.angular_momentum).length() / first.angular_momentum.length();
    let spread = (energies.1 - energies.0) / first.energy.rotation;
    println!("angular momentum {momentum:e}, energy {spread:e}, moved {farthest}");
    assert!(momentum < 1e-10 && spread < 1e-9, "{momentum:e} {spread:e}");
    // About its middle axis it does not spin steadily: it turns over.
    assert!(farthest > 1.5);
}

#[test]
fn a_symmetric_top_precesses_at_l_over_i() {
    let mut run = flying(ASYMMETRIC, DVec3::new(20.0, 0.0, 50.0), 1e-5);
    run.step().expect("a step");
    let clump = run.state.clumps.clumps[0];
    let inertia = clump.inertia.to_array();
    // The axis of symmetry is z of the tablet: the largest moment.
    let axis_of = |run: &Simulation| {
        let largest = (0..3).max_by(|&a, &b| inertia[a].total_cmp(&inertia[b])).unwrap_or(0);
        run.state.clumps.now[0].orientation * DVec3::AXES[largest]
    };
    let mut sorted = inertia;
    sorted.sort_by(f64::total_cmp);
    assert!((sorted[1] / sorted[0] - 1.0).abs() < 2e-3, "{sorted:?}");
    let momentum = run.state.clumps.now[0].angular_momentum;
    let rate = momentum.length() / (0.5 * (sorted[0] + sorted[1]));
    let about = momentum.normalize();
    let begin = axis_of(&run);
    let steps = (std::f64::consts::TAU / rate / run.setup.time_step).round() as u64;
    let mut farthest = 0.0_f64;
    for _ in 0..steps {
        run.step().expect("a step");
        farthest = farthest.max((axis_of(&run) - begin).length());
        assert!((axis_of(&run).dot(about) - begin.dot(about)).abs() < 2e-3);
    }
    let missed = (axis_of(&run) - begin).length();
    println!("{steps} steps a turn, back to {missed:e}, farthest {farthest}");
    assert!(missed < 5e-3 * farthest && farthest > 0.3, "{missed} {farthest}");
}

#[test]
fn spheres_of_a_clump_keep_their_distances() {
    let mut run = flying("kind = \"cube\"\nn = 3\nradius = 0.002\n", DVec3::new(30.0, -70.0, 45.0), 2e-5);
    let distances = |run: &Simulation| {
        let mut places: Vec<(u32, DVec3)> = run
            .state
            .bodies
            .id
            .iter()
            .zip(run.state.bodies.rows())
            .map(|(&id, row)| (id, row.centre()))
            .collect();
        places.sort_by_key(|&(id, _)| id);
        places.iter().map(|&(_, place)| (place - places[0].1).length()).collect::<Vec<f64>>()
    };
    let before = distances(&run);
    for _ in 0..2000 {
        run.step().expect("a step");
    }
    let worst = distances(&run).iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-15, "{worst:e}");
    let clump = &run.state.clumps.now[0];
    assert!((clump.position - DVec3::new(0.1 * 0.04, 0.0, 0.0)).length() < 1e-9);
}
