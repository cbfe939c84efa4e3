//! Pouring: at the rate asked for, never into anything, the same spheres for any number of threads.

mod support;

use breccia::scene::Scene;
use breccia::shapes::sphere_volume;
use breccia::simulation::Simulation;
use glam::DVec3;
use support::{materials, scene};

/// An inlet above a floor, in a domain that repeats along x; `inlet` completes the `[[bodies]]` entry.
fn inlet_scene(duration: f64, inlet: &str, more: &str) -> Scene {
    let text = format!(
        r#"
[time]
duration = {duration}
step = 1e-5
[domain]
min = [-0.02, -inf, -1]
max = [0.02, inf, inf]
periodic = ["x"]
{}
[[bodies]]
name = "stream"
kind = "pour"
material = "grain"
region = {{ shape = "box", min = [-0.02, -0.01, 0.01], max = [0.02, 0.01, 0.03] }}
{inlet}
[[wall]]
name = "floor"
material = "steel"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
{more}
"#,
        materials(0.3, 0.4, 0.01)
    );
    scene(&text)
}

/// Every new sphere, as (id, place, radius, time), checked against all that is there when it appears.
fn pour(run: &mut Simulation) -> Vec<(u32, DVec3, f64, f64)> {
    let mut spheres = Vec::new();
    let mut known = run.state.bodies.next_id;
    while !run.is_finished() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        for id in known..run.state.bodies.next_id {
            spheres.push(newcomer(run, id));
        }
        known = run.state.bodies.next_id;
    }
    spheres
}

/// A sphere that appeared in the last step, after a look around it.
fn newcomer(run: &Simulation, id: u32) -> (u32, DVec3, f64, f64) {
    let (bodies, domain) = (&run.state.bodies, &run.setup.model.domain);
    let row = bodies.id.iter().position(|&other| other == id).expect("the new body");
    // Rows before the step: where it was put.
    let place = &bodies.last_places[row];
    for other in (0..bodies.len()).filter(|&other| other != row) {
        let other = &bodies.last_places[other];
        let distance = domain.minimum_image(place.centre() - other.centre()).length();
        assert!(distance >= place.radius + other.radius - 1e-15, "{id} was put into a sphere");
    }
    for wall in run.setup.walls_at(&run.state, run.state.step - 1) {
        assert!(!wall.present || !wall.is_near(place.centre(), place.radius), "{id} was put into a wall");
    }
    (id, place.centre(), place.radius, run.setup.time_of(run.state.step - 1))
}

#[test]
fn a_rate_by_number_is_kept() {
    let inlet = "radius = \"1 mm\"\nrate = \"2000 1/s\"\nstart = \"10 ms\"\nstop = \"70.2 ms\"\nvelocity = [0, 0, -0.5]";
    let mut run = Simulation::new(&inlet_scene(0.09, inlet, ""));
    let spheres = pour(&mut run);
    // Never ahead of the rate, never more than a batch of 50 steps behind.
    for (number, (_, _, radius, time)) in spheres.iter().enumerate() {
        let due = 2000.0 * (time + 1e-5 - 0.01);
        assert!(
            (number + 1) as f64 <= due + 1e-6 && (number + 2) as f64 > due - 2000.0 * 50e-5,
            "{number} at {time}"
        );
        assert_eq!(*radius, 1e-3);
    }
    // 60.2 ms at 2000 1/s: the 120th comes at the very end of the last batch.
    assert_eq!(spheres.len(), 120);
    assert_eq!(run.state.inlets[0].count, 120);
    assert!(spheres.iter().all(|(_, _, _, time)| (0.01..0.0703).contains(time)));
}

#[test]
fn a_rate_by_mass_is_kept() {
    let inlet = "size = { kind = \"uniform\", min = \"0.5 mm\", max = \"1.5 mm\" }\nrate = \"20 g/s\"\nstop = \"0.1 s\"\nvelocity = [0, 0, -0.5]";
    let mut run = Simulation::new(&inlet_scene(0.11, inlet, ""));
    let spheres = pour(&mut run);
    let mass: f64 = spheres.iter().map(|sphere| 2500.0 * sphere_volume(sphere.2)).sum();
    let largest = 2500.0 * sphere_volume(1.5e-3);
    assert!((0.002 - largest..=0.002 + 1e-12).contains(&mass), "{mass}");
    assert!((run.state.inlets[0].mass - mass).abs() < 1e-12 * mass);
    // All of it is still there: nothing leaves this scene.
    assert!((run.sample().mass - mass).abs() < 1e-12 * mass);
}

#[test]
fn a_largest_number_ends_it() {
    let inlet = "radius = \"1 mm\"\nrate = \"5000 1/s\"\nmax_count = 37\nvelocity = [0, 0, -0.5]";
    let mut run = Simulation::new(&inlet_scene(0.03, inlet, ""));
    assert_eq!(pour(&mut run).len(), 37);
}

#[test]
fn a_largest_mass_ends_it() {
    let inlet = "radius = \"1 mm\"\nrate = \"5000 1/s\"\nmax_mass = \"0.2 g\"\nvelocity = [0, 0, -0.5]";
    let mut run = Simulation::new(&inlet_scene(0.03, inlet, ""));
    let one = 2500.0 * sphere_volume(1e-3);
    // Ends with the sphere that reaches it.
    assert_eq!(pour(&mut run).len(), (2e-4 / one).ceil() as usize);
}

/// A plug fills the region and is taken away; what was due meanwhile comes later, at most as fast as it finds room.
#[test]
fn a_blocked_region_delays_and_loses_nothing() {
    let plug = r#"
[[bodies]]
name = "plug"
kind = "list"
material = "grain"
spheres = [{ position = [0, 0, 0.02], radius = "9.05 mm" }]
[[event]]
at = "20 ms"
action = "remove-bodies"
group = "plug"
"#;
    let inlet = "size = { kind = \"uniform\", min = \"0.5 mm\", max = \"0.8 mm\" }\nrate = \"3000 1/s\"\nstop = \"60 ms\"\nvelocity = [0, 0, -0.5]";
    // The region is made as large as the plug, so that no sphere finds room beside it.
    let narrow = |scene: &mut Scene| {
        let half = DVec3::new(5e-3, 5e-3, 5e-3);
        let centre = DVec3::new(0.0, 0.0, 0.02);
        scene.inlets[0].region = breccia::scene::Region::Box { min: centre - half, max: centre + half };
        scene.model.gravity = DVec3::ZERO;
    };
    let mut blocked = inlet_scene(0.061, inlet, plug);
    narrow(&mut blocked);
    let mut free = inlet_scene(0.061, inlet, "");
    narrow(&mut free);
    let late = pour(&mut Simulation::new(&blocked));
    let early = pour(&mut Simulation::new(&free));
    assert!(late[0].3 > 0.02 && early[0].3 < 0.001, "{:?} {:?}", late[0], early[0]);
    assert_eq!((late.len(), early.len()), (180, 180));
    // The sphere that had to wait is the one that comes first; waiting does not favour small ones.
    assert_eq!(late[0].2, early[0].2);
    let mean = late.iter().map(|sphere| sphere.2).sum::<f64>() / 180.0;
    // Four standard deviations of a mean of 180.
    assert!((mean - 0.65e-3).abs() < 4.0 * 0.3e-3 / (12.0_f64 * 180.0).sqrt(), "{mean}");
}

#[test]
fn the_same_spheres_for_any_number_of_threads() {
    let inlet = "size = { kind = \"uniform\", min = \"0.5 mm\", max = \"1.5 mm\" }\nrate = \"8000 1/s\"\nvelocity = [0, 0, -0.5]";
    let scene = inlet_scene(0.05, inlet, "");
    let poured = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
        pool.install(|| pour(&mut Simulation::new(&scene)))
    };
    let alone = poured(1);
    assert!(alone.len() > 300, "{}", alone.len());
    assert_eq!(poured(2), alone);
    assert_eq!(poured(5), alone);
}

#[test]
fn another_seed_other_spheres() {
    let inlet = "radius = \"1 mm\"\nrate = \"2000 1/s\"\nvelocity = [0, 0, -0.5]";
    let mut scene = inlet_scene(0.01, inlet, "");
    let first = pour(&mut Simulation::new(&scene));
    scene.inlets[0].seed += 1;
    let second = pour(&mut Simulation::new(&scene));
    assert_eq!(first.len(), second.len());
    assert!(first.iter().zip(&second).all(|(a, b)| a.1 != b.1));
}
