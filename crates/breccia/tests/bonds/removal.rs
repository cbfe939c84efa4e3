//! Bodies that leave take their bonds along.

use crate::clusters::HEAD;
use crate::support::scene;
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use std::collections::BTreeSet;

/// Rods, cubes and a box that they leave sphere by sphere.
fn leaving() -> Scene {
    scene(&format!(
        r#"{HEAD}
[[template]]
name = "rod"
kind = "rod"
n = 6
radius = "2 mm"
bond = "cement"
[time]
duration = 0.06
[domain]
min = [-0.1, -0.1, -0.1]
max = [0.1, 0.1, 0.1]
on_exit = "remove"
[[bodies]]
name = "rods"
kind = "lattice"
material = "rock"
template = "rod"
origin = [0.03, -0.05, -0.05]
spacing = "6 mm"
count = [1, 10, 4]
velocity = [1.5, 0, 0]
[[bodies]]
name = "cubes"
kind = "lattice"
material = "rock"
template = "cube"
orientation = "random"
origin = [-0.05, -0.05, 0.02]
spacing = "21 mm"
count = [1, 4, 2]
[[event]]
at = "30 ms"
action = "remove-bodies"
group = "cubes"
"#
    ))
}

/// Live bonds as the chunks hold them.
fn live_in_lists(run: &Simulation) -> BTreeSet<u32> {
    let chunks = run.state.lists.chunks.iter();
    chunks.flat_map(|chunk| &chunk.bonds).flat_map(|group| group.bonds().map(|bond| bond.id)).collect()
}

#[test]
fn bonds_go_with_their_bodies_and_do_not_count_as_broken() {
    let scene = leaving();
    let made = scene.bonds.len();
    let mut run = Simulation::new(&scene);
    let mut seen_parts = BTreeSet::new();
    let mut worst = 0.0_f64;
    while !run.is_finished() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        // Bodies leave at the next rebuild; between the two lists and fragments agree.
        if run.state.leaving.is_empty() && run.state.step.is_multiple_of(20) {
            let fragments = &run.state.fragments;
            let live = live_in_lists(&run);
            assert!((0..made as u32).all(|bond| fragments.is_alive(bond) == live.contains(&bond)));
            let components: BTreeSet<u32> =
                run.state.bodies.id.iter().map(|&id| fragments.component_of(id)).collect();
            assert_eq!(components.len(), fragments.count());
            for &component in &components {
                let members = fragments.members(component);
                assert!(members.windows(2).all(|pair| pair[0] < pair[1]));
                assert!(members.iter().all(|id| run.state.bodies.id.contains(id)));
            }
            seen_parts.extend(components.iter().map(|&component| fragments.members(component).len()));
            worst = worst.max(run.sample().energy.relative_closure_error.abs());
        }
    }
    assert_eq!(run.state.removed.count, (40 * 6 + 8 * 27) as u64);
    assert_eq!((run.state.fragments.count(), run.state.fragments.live_count()), (0, 0));
    assert!(run.state.broken.is_empty(), "{:?}", run.state.broken);
    assert_eq!(run.state.fragments.lost_count(), made);
    assert_eq!(run.state.ledger.fracture, 0.0);
    // Rods leave one sphere after the other.
    assert_eq!(seen_parts, BTreeSet::from([1, 2, 3, 4, 5, 6, 27]));
    assert!(worst < 1e-3, "closure {worst}");
}
