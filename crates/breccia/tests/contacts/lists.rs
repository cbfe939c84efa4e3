//! Skins never miss a contact: at every instant the lists know every pair and every wall that touches.

use crate::support::{Dice, materials, scene};
use breccia::contacts::Partner;
use breccia::diagnostics::contact_records;
use breccia::model::{SearchTrigger, WallId};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use glam::DVec3;
use std::collections::BTreeSet;

/// Ids of touching spheres, lower first.
type Pairs = BTreeSet<(u32, u32)>;
/// Ids of spheres and numbers of walls that touch.
type WallPairs = BTreeSet<(u32, u16)>;

fn known(run: &Simulation) -> (Pairs, WallPairs) {
    let (mut pairs, mut walls) = (Pairs::new(), WallPairs::new());
    for record in contact_records(&run.setup, &run.state) {
        assert!(record.gap < 0.0, "{record:?}");
        match (record.key.a, record.key.b) {
            (Partner::Body(a), Partner::Body(b)) => {
                assert!(pairs.insert((a.min(b), a.max(b))), "{a} and {b} touch twice");
            }
            (Partner::Body(a), Partner::Wall(wall)) => drop(walls.insert((a, wall.0))),
            other => panic!("{other:?}"),
        }
    }
    (pairs, walls)
}

/// Every sphere against every other in every image, and against every wall, at the instant of the last forces.
fn true_contacts(run: &Simulation) -> (Pairs, WallPairs) {
    let (bodies, domain) = (&run.state.bodies, &run.setup.model.domain);
    let now = run.setup.walls_at(&run.state, run.state.step - 1);
    let (mut pairs, mut walls) = (Pairs::new(), WallPairs::new());
    for row in 0..bodies.len() {
        let (place, id) = (&bodies.last_places[row], bodies.id[row]);
        for other_row in 0..row {
            let other = &bodies.last_places[other_row];
            let separation = domain.minimum_image(place.centre() - other.centre());
            if separation.length() < place.radius + other.radius {
                let other = bodies.id[other_row];
                pairs.insert((id.min(other), id.max(other)));
            }
        }
        for (wall, number) in now.iter().zip(0_u16..) {
            if wall.present && wall.is_near(place.centre(), place.radius) {
                walls.insert((id, number));
            }
        }
    }
    (pairs, walls)
}

/// Runs and compares; gives the number of pair and wall contacts seen.
pub fn compare(run: &mut Simulation, steps: u64, every: u64) -> (usize, usize) {
    let mut seen = (0, 0);
    for step in 0..steps {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        if step % every != 0 {
            continue;
        }
        let (pairs, walls) = known(run);
        let (true_pairs, true_walls) = true_contacts(run);
        let off = |set: &Pairs, other: &Pairs| set.difference(other).copied().collect::<Vec<_>>();
        // A gap of the last bit may be judged either way: the lists use 1/distance, this test minimum images.
        let real = |&(a, b): &(u32, u32)| gap(run, a, b).abs() > 1e-15;
        let missed: Vec<_> = off(&true_pairs, &pairs).into_iter().filter(real).collect();
        let invented: Vec<_> = off(&pairs, &true_pairs).into_iter().filter(real).collect();
        assert!(
            missed.is_empty() && invented.is_empty(),
            "step {step}: {missed:?} missed, {invented:?} invented"
        );
        assert_walls(run, &walls, &true_walls);
        seen = (seen.0 + pairs.len(), seen.1 + walls.len());
    }
    seen
}

/// Where walls meet, a touch may be the artefact of another one and is left out; the lists must know it all the same,
/// and the touch of a lone wall must be there.
fn assert_walls(run: &Simulation, walls: &WallPairs, true_walls: &WallPairs) {
    let surfaces = || run.state.lists.chunks.iter().map(|chunk| &chunk.surface);
    let searched = surfaces().flat_map(|surface| &surface.watched.near).map(|near| (near.row, near.wall.0));
    let at_faces = surfaces()
        .flat_map(|surface| &surface.faces)
        .flat_map(|group| group.contacts.lanes().map(|lane| (lane.a, group.wall.0)));
    let near: WallPairs =
        searched.chain(at_faces).map(|(row, wall)| (run.state.bodies.id[row as usize], wall)).collect();
    let step = run.state.step - 1;
    assert!(true_walls.is_subset(&near), "step {step}: {:?} not listed", true_walls.difference(&near));
    assert!(walls.is_subset(true_walls), "step {step}: {:?} invented", walls.difference(true_walls));
    for touch in true_walls.difference(walls) {
        let others = walls.iter().filter(|(id, _)| *id == touch.0).count();
        assert!(others > 0, "step {step}: {touch:?} missed");
    }
}

fn gap(run: &Simulation, a: u32, b: u32) -> f64 {
    let bodies = &run.state.bodies;
    let [a, b] = [a, b].map(|id| {
        let row = bodies.id.iter().position(|&other| other == id).expect("a body of that id");
        &bodies.last_places[row]
    });
    run.setup.model.domain.minimum_image(a.centre() - b.centre()).length() - a.radius - b.radius
}

/// Fast spheres of three sizes in a box that repeats along x and y, between a floor that swings, a lid that comes
/// down and a block that turns.
pub fn storm(seed: u64, count: usize) -> Scene {
    let text = format!(
        r#"
seed = {seed}
gravity = [0, 0, -9.81]
[time]
duration = 1
step = 2e-5
[limits]
overlap = 1
[domain]
min = [-0.05, -0.05, -0.2]
max = [0.05, 0.05, 0.2]
periodic = ["x", "y"]
{}
[[bodies]]
name = "small"
kind = "random"
material = "grain"
count = {count}
size = {{ kind = "uniform", min = "1 mm", max = "3 mm" }}
region = {{ shape = "box", min = [-0.05, -0.05, 0.03], max = [0.05, 0.05, 0.08] }}
[[bodies]]
name = "large"
kind = "random"
material = "grain"
count = 6
radius = "8 mm"
region = {{ shape = "box", min = [-0.05, -0.05, 0.0], max = [0.05, 0.05, 0.03] }}
[[wall]]
name = "floor"
material = "steel"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
motion = [{{ kind = "oscillation", amplitude = [0, 0, "2 mm"], frequency = "120 Hz" }}]
[[wall]]
name = "lid"
material = "steel"
shape = "plane"
point = [0, 0, 0.085]
normal = [0, 0, -1]
motion = [{{ kind = "translation", velocity = [0, 0, -0.5], start = "4 ms" }}]
[[wall]]
name = "paddle"
material = "steel"
shape = "box"
side = "outside"
min = [-0.02, -0.002, 0.0005]
max = [0.02, 0.002, 0.006]
motion = [{{ kind = "rotation", axis = [0, 0, 1], speed = 60 }}]
"#,
        materials(0.9, 0.3, 0.02)
    );
    let mut scene = scene(&text);
    let (paddle, mut dice) = (WallId(2), Dice::new(seed));
    let surface = &scene.model.walls[usize::from(paddle.0)].surface;
    let (low, high) = surface.bounding_box().expect("a box");
    // Nothing may start inside the paddle.
    scene.bodies.retain(|body| {
        let nearest = body.position.clamp(low, high);
        (body.position - nearest).length() > body.radius
    });
    for body in &mut scene.bodies {
        body.velocity = dice.vector(-3.0, 3.0);
        body.spin = dice.vector(-200.0, 200.0);
    }
    scene
}

#[test]
fn a_storm_with_automatic_skins() {
    let mut run = Simulation::new(&storm(1, 400));
    let (pairs, walls) = compare(&mut run, 1500, 3);
    assert!(pairs > 3_000 && walls > 1_000, "{pairs} pair and {walls} wall contacts");
    assert!(run.timers.rebuilds > 10 && run.timers.refreshes > 10, "{:?}", run.timers);
}

#[test]
fn a_storm_with_given_skins() {
    // From a hundredth of the smallest radius to beyond the largest sphere.
    for skin in [1e-5, 1e-4, 2e-3, 1.2e-2] {
        let mut scene = storm(2, 250);
        scene.model.search.skin = Some(skin);
        let mut run = Simulation::new(&scene);
        let (pairs, walls) = compare(&mut run, 400, 1);
        assert!(pairs > 1000 && walls > 400, "skin {skin}: {pairs} and {walls} contacts");
    }
}

#[test]
fn a_storm_with_searches_at_fixed_intervals() {
    for (interval, skin) in [(1, 1e-3), (5, 3e-3), (20, 1e-2)] {
        let mut scene = storm(3, 250);
        scene.model.search.skin = Some(skin);
        scene.model.search.trigger = SearchTrigger::EverySteps(interval);
        let mut run = Simulation::new(&scene);
        compare(&mut run, 300, 1);
        assert_eq!(run.timers.rebuilds, 300_u64.div_ceil(interval));
    }
}

/// A period of 4.4 radii is the shortest a scene may have; two spheres circle through it for a while.
#[test]
fn the_shortest_period_with_a_wide_skin() {
    let text = format!(
        r#"
gravity = [0, 0, 0]
[time]
duration = 1
step = 1e-5
[domain]
min = [0, 0, 0]
max = [0.0045, 0.0045, 0.0045]
periodic = ["x", "y", "z"]
{}
[[bodies]]
kind = "list"
material = "grain"
radius = "1 mm"
spheres = [
  {{ position = [0.0010, 0.0010, 0.0011], velocity = [3, 2, 1] }},
  {{ position = [0.0032, 0.0011, 0.0012], velocity = [-3, 1, 0.5] }},
  {{ position = [0.0012, 0.0033, 0.0034], velocity = [0.3, -2, 2.5] }},
]
"#,
        materials(1.0, 0.0, 0.0)
    );
    for skin in [None, Some(1e-4), Some(2e-3), Some(5e-3), Some(2e-2)] {
        let mut scene = scene(&text);
        scene.model.search.skin = skin;
        let (pairs, _) = compare(&mut Simulation::new(&scene), 6000, 1);
        assert!(pairs > 100, "skin {skin:?}: {pairs} contacts");
    }
}

/// A dense bed of many sizes runs down between walls: neighbours are compared one by one when boxes around their displacements say that lists are
/// used up, and nothing is missed.
#[test]
fn a_bed_that_flows() {
    let text = format!(
        r#"
seed = 5
gravity = [7, 0, -7]
[time]
duration = 1
step = 2e-5
[domain]
min = [-0.02, -0.012, -0.05]
max = [0.02, 0.012, 0.1]
periodic = ["x", "y"]
{}
[[bodies]]
kind = "random"
material = "grain"
count = 700
size = {{ kind = "uniform", min = "0.7 mm", max = "1.3 mm" }}
region = {{ shape = "box", min = [-0.02, -0.012, 0.0], max = [0.02, 0.012, 0.012] }}
[[bodies]]
kind = "list"
material = "grain"
radius = "4 mm"
positions = [[0, 0, 0.017]]
[[wall]]
material = "steel"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
material = "steel"
shape = "box"
side = "outside"
min = [-0.002, -0.012, 0]
max = [0.002, 0.012, 0.003]
"#,
        materials(0.5, 0.5, 0.02)
    );
    let mut scene = scene(&text);
    scene.bodies.retain(|body| {
        let nearest = body.position.clamp(DVec3::new(-0.002, -0.012, 0.0), DVec3::new(0.002, 0.012, 0.003));
        (body.position - nearest).length() > body.radius
    });
    let mut run = Simulation::new(&scene);
    let (settling, _) = compare(&mut run, 4000, 20);
    let before = run.timers.rebuilds;
    let (flowing, _) = compare(&mut run, 4000, 20);
    assert!(settling > 40_000 && flowing > 50_000, "{settling} and {flowing} contacts");
    let rebuilds = run.timers.rebuilds - before;
    assert!((5..20).contains(&rebuilds), "{rebuilds} rebuilds at {} m/s", run.state.fastest);
}

/// Spheres that fly along together are soon far from where the lists were built, and hardly move against each other: lists last, and
/// miss nothing.
#[test]
fn a_swarm_that_flies_along() {
    let text = format!(
        r#"
gravity = [0, 0, 0]
[time]
duration = 1
step = 2e-5
[limits]
overlap = 1
[domain]
min = [-0.03, -1, -1]
max = [0.03, 1, 1]
periodic = ["x"]
{}
[[bodies]]
kind = "random"
material = "grain"
count = 300
size = {{ kind = "uniform", min = "1.5 mm", max = "2.5 mm" }}
region = {{ shape = "box", min = [-0.03, -0.02, -0.02], max = [0.03, 0.02, 0.02] }}
"#,
        materials(0.9, 0.3, 0.02)
    );
    let (mut scene, mut dice) = (scene(&text), Dice::new(8));
    for body in &mut scene.bodies {
        body.velocity = DVec3::new(9.0, 2.0, -1.0) + dice.vector(-0.5, 0.5);
    }
    let mut run = Simulation::new(&scene);
    let (pairs, _) = compare(&mut run, 800, 2);
    assert!(pairs > 2000, "{pairs} contacts");
    // Twice the way would use up the skin within 15 steps.
    assert!(run.timers.rebuilds < 800 / 20, "{:?}", run.timers);
}

/// A wall that sets off at full speed must be noticed in its first step.
#[test]
fn a_wall_that_starts_abruptly() {
    for skin in [2e-5, 1e-4, 1e-3] {
        let text = format!(
            r#"
gravity = [0, 0, 0]
[time]
duration = 1
step = 1e-5
[limits]
overlap = 1
[search]
skin = {skin}
{}
[[bodies]]
kind = "lattice"
material = "grain"
radius = "1 mm"
origin = [0, 0, {}]
spacing = ["3 mm", "3 mm", "2.13 mm"]
count = [3, 3, 6]
[[wall]]
material = "steel"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
motion = [{{ kind = "translation", velocity = [0, 0, 10], start = "0.1 ms", stop = "0.3 ms" }}]
"#,
            materials(0.5, 0.0, 0.0),
            1e-3 + 1.05 * skin
        );
        let (_, walls) = compare(&mut Simulation::new(&scene(&text)), 60, 1);
        assert!(walls > 0, "skin {skin}");
    }
}

/// A position just outside the domain is brought back without a jump of contacts.
#[test]
fn sides_of_a_periodic_domain_do_not_matter() {
    let shifted = |offset: DVec3| {
        let mut scene = storm(4, 150);
        scene.model.walls.truncate(2);
        for body in &mut scene.bodies {
            body.position += offset;
            for axis in 0..2 {
                body.position[axis] = (body.position[axis] + 0.05).rem_euclid(0.1) - 0.05;
            }
        }
        let mut run = Simulation::new(&scene);
        let seen = compare(&mut run, 300, 5);
        (seen, run)
    };
    let (seen, run) = shifted(DVec3::ZERO);
    let (seen_shifted, moved) = shifted(DVec3::new(0.025, -0.0125, 0.0));
    assert_eq!(seen, seen_shifted);
    let place = |run: &Simulation, id: u32| {
        let row = run.state.bodies.id.iter().position(|&other| other == id).expect("a body of that id");
        run.state.bodies.places[row].centre()
    };
    for id in 0..run.state.bodies.len() as u32 {
        let way = place(&moved, id) - place(&run, id) - DVec3::new(0.025, -0.0125, 0.0);
        // Rounding of the shifted start grows with every impact; 1e-9 m is far below any contact.
        assert!(run.setup.model.domain.minimum_image(way).length() < 1e-9, "body {id} is {way} off");
    }
}
