//! Same bits with clumps: for any number of threads and through a restart.

use crate::support::{Fingerprint, materials, scene, through_checkpoint};
use breccia::scene::Scene;
use breccia::simulation::Simulation;

/// Clumps and spheres poured on a sloping floor across a periodic axis; some leave.
fn pouring() -> Scene {
    scene(&format!(
        r#"
seed = 3
gravity = [3, 2, -9]
{}
[time]
duration = 1
[motion]
track_orientation = true
[domain]
min = [-0.05, -0.05, -0.05]
max = [0.05, 0.05, 0.2]
periodic = ["x"]
on_exit = "remove"
[[template]]
name = "rod"
rigid = true
kind = "rod"
n = 3
radius = 0.002
[[template]]
name = "cube"
rigid = true
kind = "cube"
n = 2
radius = 0.002
[[bodies]]
kind = "random"
material = "grain"
template = "cube"
count = 120
velocity = [0.5, 0.3, -1]
region = {{ shape = "box", min = [-0.05, -0.05, 0.005], max = [0.05, 0.05, 0.09] }}
[[bodies]]
kind = "random"
name = "singles"
material = "grain"
radius = 0.002
count = 200
region = {{ shape = "box", min = [-0.05, -0.05, 0.005], max = [0.05, 0.05, 0.09] }}
[[bodies]]
kind = "pour"
name = "poured"
material = "grain"
template = "rod"
rate = "3000 1/s"
velocity = [0, 0, -1]
region = {{ shape = "box", min = [-0.05, -0.04, 0.1], max = [0.05, 0.04, 0.15] }}
[[wall]]
name = "floor"
material = "steel"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[output]
flow_planes = [{{ name = "gate", point = [0, 0.03, 0], normal = [0, 1, 0] }}]
"#,
        materials(0.5, 0.4, 0.0)
    ))
}

const STEPS: u64 = 3000;
const SAVED: u64 = 1300;

fn states(scene: &Scene, threads: usize) -> (Simulation, Simulation) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let mut run = Simulation::new(scene);
        run.step().expect("a step");
        run.sample();
        (1..SAVED).for_each(|_| run.step().expect("a step"));
        let middle = Simulation::resume(scene, run.state.clone());
        (SAVED..STEPS).for_each(|_| run.step().expect("a step"));
        (middle, run)
    })
}

#[test]
fn clumps_are_the_same_for_any_threads_and_through_a_restart() {
    let scene = pouring();
    let (middle, mut end) = states(&scene, 1);
    let (removed, flow) = (end.state.removed, end.state.flows(1)[0]);
    println!("{} clumps, removed {removed:?}, {flow:?}", end.state.clumps.clumps.len());
    assert!(removed.count > 5 && removed.mass > 0.0, "{removed:?}");
    assert!(end.state.clumps.clumps.len() > middle.state.clumps.clumps.len());
    assert!(flow.count > 0);
    let expected = Fingerprint::of(&end.state);
    for threads in [2, 3] {
        assert_eq!(Fingerprint::of(&states(&scene, threads).1.state), expected, "{threads} threads");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut restarted = through_checkpoint(&scene, &middle.state, folder.path());
    (SAVED..STEPS).for_each(|_| restarted.step().expect("a step"));
    assert_eq!(Fingerprint::of(&restarted.state), expected);
    let sample = end.sample();
    println!("closure {:e}", sample.energy.relative_closure_error);
    assert!(sample.energy.relative_closure_error.abs() < 2e-3);
}
