//! Same bits while clusters break: for any number of threads, and through a restart in the middle of it.

use crate::clusters::HEAD;
use crate::support::{Fingerprint, scene, through_checkpoint};
use breccia::scene::Scene;
use breccia::simulation::Simulation;

/// Cubes that fall on a floor and on each other and break, more of them poured in, across a periodic axis.
fn breaking() -> Scene {
    scene(&format!(
        r#"{HEAD}
[time]
duration = 0.02
[domain]
min = [-0.05, -0.05, -0.01]
max = [0.05, 0.05, 0.2]
periodic = ["x"]
on_exit = "remove"
[[bodies]]
kind = "random"
material = "rock"
template = "cube"
count = 50
velocity = [0.5, 0, -3]
region = {{ shape = "box", min = [-0.05, -0.05, 0.005], max = [0.05, 0.05, 0.09] }}
[[bodies]]
kind = "pour"
material = "rock"
template = "cube"
rate = "2000 1/s"
velocity = [0, 0, -4]
region = {{ shape = "box", min = [-0.05, -0.05, 0.1], max = [0.05, 0.05, 0.15] }}
[[wall]]
name = "floor"
material = "rock"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
"#
    ))
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

const STEPS: u64 = 1500;
const SAVED: u64 = 700;

/// The states after `SAVED` and after all steps, on so many threads.
fn states(scene: &Scene, threads: usize) -> (Simulation, Simulation) {
    pool(threads).install(|| {
        let mut run = Simulation::new(scene);
        (0..SAVED).for_each(|_| run.step().expect("a step"));
        let middle = Simulation::resume(scene, run.state.clone());
        (SAVED..STEPS).for_each(|_| run.step().expect("a step"));
        (middle, run)
    })
}

#[test]
fn breakage_is_the_same_for_any_threads_and_through_a_restart() {
    let scene = breaking();
    let (middle, end) = states(&scene, 1);
    let (before, after) = (middle.state.broken.len(), end.state.broken.len());
    println!("{before} bonds broken at the restart, {after} at the end, {} bodies", end.state.bodies.len());
    assert!(before > 50 && after > before + 50, "{before} {after}");
    assert!(end.state.bodies.len() > middle.state.bodies.len());
    let expected = Fingerprint::of(&end.state);
    for threads in [2, 3] {
        assert_eq!(Fingerprint::of(&states(&scene, threads).1.state), expected, "{threads} threads");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut restarted = through_checkpoint(&scene, &middle.state, folder.path());
    (SAVED..STEPS).for_each(|_| restarted.step().expect("a step"));
    assert_eq!(Fingerprint::of(&restarted.state), expected);
    assert_eq!(restarted.state.broken, end.state.broken);
}

#[test]
fn components_are_those_of_a_search_from_scratch() {
    let scene = breaking();
    let (_, end) = states(&scene, 2);
    let fragments = &end.state.fragments;
    let mut parent: Vec<usize> = (0..end.state.bodies.next_id as usize).collect();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    for bond in (0..fragments.bond_count() as u32).filter(|&bond| fragments.is_alive(bond)) {
        let ends = fragments.ends(bond);
        let (a, b) = (root(&mut parent, ends.a as usize), root(&mut parent, ends.b as usize));
        parent[a] = b;
    }
    let mut label_of_root = std::collections::BTreeMap::new();
    for &id in &end.state.bodies.id {
        let label =
            *label_of_root.entry(root(&mut parent, id as usize)).or_insert(fragments.component_of(id));
        assert_eq!(label, fragments.component_of(id), "body {id}");
    }
    assert_eq!(label_of_root.len(), fragments.count());
    assert!(fragments.count() > 60);
}

#[test]
fn poured_clusters_come_with_their_bonds_and_energy() {
    let mut scene = breaking();
    scene.bodies.clear();
    scene.bonds.clear();
    let mut run = Simulation::new(&scene);
    let mut worst = 0.0_f64;
    for step in 0..1200 {
        run.step().expect("a step");
        if step % 20 == 0 {
            worst = worst.max(run.sample().energy.relative_closure_error.abs());
        }
    }
    let clusters = run.state.inlets[0].count as usize;
    assert!(clusters >= 5, "{clusters}");
    assert_eq!(run.state.bodies.len() + run.state.removed.count as usize, clusters * 27);
    assert_eq!(run.state.fragments.bond_count(), clusters * 54);
    assert!(worst < 2e-3, "closure {worst}");
}
