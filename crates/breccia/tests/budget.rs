//! Momentum and energy are accounted for, whatever comes, goes, moves or changes.

mod support;

use breccia::diagnostics::Sample;
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use glam::{DVec3, dvec3};
use support::{Dice, materials, scene};

/// A scene with gravity along −z, a given step and duration, and restitution, friction, rolling friction.
fn scene_of(step: f64, duration: f64, [restitution, friction, rolling]: [f64; 3], rest: &str) -> Scene {
    let materials = materials(restitution, friction, rolling);
    scene(&format!("[time]\nstep = {step}\nduration = {duration}\n{materials}\n{rest}"))
}

/// A sphere of 2 mm at height `z`.
fn ball(z: f64) -> String {
    format!(
        "[[bodies]]\nname = \"ball\"\nkind = \"list\"\nmaterial = \"grain\"\nradius = \"2 mm\"\npositions = [[0, 0, {z}]]\n"
    )
}

/// A floor at z = 0 that moves as told.
fn floor(motion: &str) -> String {
    format!(
        "[[wall]]\nname = \"floor\"\nmaterial = \"steel\"\nshape = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n\
         motion = [{motion}]\n"
    )
}

/// Runs to the end; gives first and last sample and the largest closure error of any step.
fn balance(scene: &Scene) -> (Simulation, Sample, Sample, f64) {
    let mut run = Simulation::new(scene);
    let mut first = None;
    let (mut last, mut worst) = (Sample::default(), 0.0_f64);
    while !run.is_finished() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        last = run.sample();
        worst = worst.max(last.energy.closure_error.abs());
        first.get_or_insert_with(|| last.clone());
    }
    let turnover = run.state.ledger.turnover;
    (run, first.expect("a step"), last, worst / turnover)
}

/// A crowd of fast spinning spheres without anything else.
fn crowd(periodic: &str, pairs: [f64; 3]) -> Scene {
    let rest = format!(
        r#"
[domain]
min = [-0.02, -0.02, -0.02]
max = [0.02, 0.02, 0.02]
periodic = [{periodic}]
on_exit = "remove"
[[bodies]]
kind = "random"
material = "grain"
size = {{ kind = "uniform", min = "1 mm", max = "2.5 mm" }}
region = {{ shape = "box", min = [-0.015, -0.015, -0.015], max = [0.015, 0.015, 0.015] }}
count = 200
"#
    );
    let mut scene = scene_of(2e-6, 3e-3, pairs, &rest);
    scene.model.gravity = DVec3::ZERO;
    let mut dice = Dice::new(5);
    for body in &mut scene.bodies {
        body.velocity = dice.vector(-0.7, 0.7);
        body.spin = dice.vector(-100.0, 100.0);
    }
    scene
}

#[test]
fn momentum_stays_without_walls() {
    for (periodic, pairs) in [("", [0.6, 0.5, 0.02]), ("\"x\", \"y\", \"z\"", [0.6, 0.5, 0.02])] {
        let (run, first, last, _) = balance(&crowd(periodic, pairs));
        let scale: f64 =
            run.state.bodies.rows().iter().map(|row| row.velocity().length() / row.inverse_mass).sum();
        let off = (last.momentum - first.momentum).length();
        assert!(off < 1e-13 * scale, "{periodic}: {} of {scale}", off / scale);
        assert!(last.energy.losses() > 0.1 * first.energy.kinetic(), "they met: {:?}", last.energy);
        assert_eq!(run.state.removed.count, 0);
        if periodic.is_empty() {
            let off = (last.angular_momentum - first.angular_momentum).length();
            // Samples take velocities at t^n, the integrator keeps them between steps: off by the force times Δt/2.
            assert!(
                off < 1e-4 * first.angular_momentum.length(),
                "{off} of {}",
                first.angular_momentum.length()
            );
        }
    }
}

#[test]
fn a_damped_crowd_closes() {
    let (_, _, last, worst) = balance(&crowd("\"x\", \"y\", \"z\"", [0.6, 0.5, 0.02]));
    assert!(worst < 1e-4, "{worst}: {:?}", last.energy);
    let energy = &last.energy;
    let all = [energy.normal_damping, energy.tangential_damping, energy.sliding, energy.rolling];
    assert!(all.iter().all(|&loss| loss > 0.0), "{energy:?}");
}

#[test]
fn an_elastic_crowd_closes_and_loses_nothing() {
    let mut scene = crowd("\"x\", \"y\", \"z\"", [1.0, 0.0, 0.0]);
    // More than 300 steps per contact.
    scene.model.time.step = breccia::model::StepChoice::Fixed(4e-7);
    scene.model.time.duration = 1.6e-3;
    let (_, _, last, worst) = balance(&scene);
    assert!(worst < 1e-6, "{worst}");
    assert!(last.energy.losses().abs() < 1e-9 * last.energy.kinetic(), "{:?}", last.energy);
}

/// A heap falls onto a rough floor between rough walls and comes to rest.
#[test]
fn a_damped_heap_closes() {
    let rest = format!(
        r#"
{}
[[wall]]
name = "tube"
material = "steel"
shape = "cylinder"
start = [0, 0, 0]
axis = [0, 0, 1]
length = inf
radius = "12 mm"
[[bodies]]
kind = "random"
material = "grain"
size = {{ kind = "uniform", min = "1 mm", max = "1.6 mm" }}
region = {{ shape = "cylinder", from = [0, 0, 0], to = [0, 0, 0.04], radius = "12 mm" }}
count = 250
"#,
        floor("")
    );
    let (_, _, last, worst) = balance(&scene_of(1e-5, 0.25, [0.4, 0.5, 0.02], &rest));
    assert!(worst < 1e-3, "{worst}: {:?}", last.energy);
    assert!(last.energy.kinetic() < 1e-3 * last.energy.losses(), "it came to rest: {:?}", last.energy);
}

/// A ball bounces on a plate that swings: the plate's work is all it gets.
#[test]
fn work_of_a_swinging_plate() {
    let plate = floor("{ kind = \"oscillation\", amplitude = [0, 0, \"1 mm\"], frequency = \"70 Hz\" }");
    for pairs in [[1.0, 0.0, 0.0], [0.8, 0.3, 0.0]] {
        let rest = ball(0.01) + &plate;
        let (_, first, last, worst) = balance(&scene_of(2e-6, 0.3, pairs, &rest));
        let work = last.energy.wall_work;
        let gain = last.energy.mechanical() + last.energy.losses() - first.energy.mechanical();
        assert!(work.abs() > 0.1 * first.energy.gravity, "the plate works: {work}");
        assert!((work - gain).abs() < 1e-4 * work.abs().max(last.energy.kinetic()), "{work} {gain}");
        assert!(worst < 1e-4, "{worst}");
    }
}

/// A belt drags a ball along: work of a wall through friction, until the ball rolls with it.
#[test]
fn work_of_a_belt() {
    let rest = ball(1.9999e-3) + &floor("{ kind = \"translation\", velocity = [0.3, 0, 0] }");
    let (_, _, last, worst) = balance(&scene_of(4e-6, 0.1, [0.5, 0.4, 0.0], &rest));
    assert!(worst < 1e-4, "{worst}: {:?}", last.energy);
    let mass = last.mass;
    // A ball set down at rest on a belt of speed u ends with 2/7 u: work F·u·t = m·(2/7 u)·u.
    let expected = mass * 2.0 / 7.0 * 0.09;
    assert!(
        (last.energy.wall_work - expected).abs() < 5e-3 * expected,
        "{} {expected}",
        last.energy.wall_work
    );
    assert!((last.momentum.x / mass - 0.3 * 2.0 / 7.0).abs() < 2e-3 * 0.3, "{}", last.momentum.x / mass);
}

/// A turning drum lifts and drops its filling.
#[test]
fn work_of_a_turning_drum() {
    let rest = r#"
[domain]
min = [-1, -0.01, -1]
max = [1, 0.01, 1]
periodic = ["y"]
[[wall]]
name = "drum"
material = "grain"
shape = "cylinder"
start = [0, 0, 0]
axis = [0, 1, 0]
length = inf
radius = "20 mm"
motion = [{ kind = "rotation", axis = [0, 1, 0], speed = "120 rpm" }]
[[bodies]]
kind = "random"
material = "grain"
size = { kind = "uniform", min = "1.2 mm", max = "2 mm" }
region = { shape = "cylinder", from = [0, -0.01, 0], to = [0, 0.01, 0], radius = "20 mm" }
count = 200
"#;
    let (_, _, last, worst) = balance(&scene_of(1e-5, 0.2, [0.5, 0.5, 0.05], rest));
    assert!(last.energy.wall_work > 0.1 * last.energy.losses(), "{:?}", last.energy);
    assert!(worst < 1e-3, "{worst}: {:?}", last.energy);
}

/// Bodies and walls taken away take the energy of their contacts along.
#[test]
fn bodies_and_walls_taken_away() {
    let rest = ball(1.99e-3)
        + &floor("")
        + r#"
[[bodies]]
name = "top"
kind = "list"
material = "grain"
radius = "2 mm"
positions = [[0, 0, 5.98e-3], [5e-3, 0, 8e-3]]
[[event]]
at = "10 ms"
action = "remove-bodies"
group = "top"
[[event]]
at = "25 ms"
action = "remove-wall"
wall = "floor"
"#;
    let (run, first, last, worst) = balance(&scene_of(2e-6, 0.04, [0.9, 0.3, 0.01], &rest));
    assert_eq!((run.state.removed.count, last.bodies), (2, 1));
    assert!((run.state.removed.mass - first.mass * 2.0 / 3.0).abs() < 1e-12 * first.mass);
    assert!(last.energy.exchanged < 0.0 && last.energy.elastic() == 0.0, "{:?}", last.energy);
    assert!(worst < 1e-4, "{worst}: {:?}", last.energy);
}

#[test]
fn bodies_poured_in_and_let_out() {
    let rest = r#"
[domain]
min = [-0.02, -0.02, -0.05]
max = [0.02, 0.02, 0.05]
on_exit = "remove"
[[bodies]]
kind = "pour"
material = "grain"
size = { kind = "uniform", min = "1 mm", max = "2 mm" }
region = { shape = "box", min = [-0.012, -0.012, 0.02], max = [0.012, 0.012, 0.04] }
rate = "3000 1/s"
velocity = [0, 0, -0.8]
[[wall]]
name = "ring"
material = "steel"
shape = "disc"
centre = [0, 0, 0]
normal = [0, 0, 1]
radius = "15 mm"
hole = "6 mm"
"#;
    let (run, _, last, worst) = balance(&scene_of(5e-6, 0.15, [0.5, 0.4, 0.01], rest));
    assert!(run.state.inlets[0].count > 300 && run.state.removed.count > 50, "{:?}", run.state.removed);
    let poured = run.state.inlets[0].mass;
    assert!((last.mass + run.state.removed.mass - poured).abs() < 1e-12 * poured);
    assert!(worst < 1e-3, "{worst}: {:?}", last.energy);
}

/// Bodies that leave in free flight take exactly their energy along.
#[test]
fn bodies_let_go_in_free_flight() {
    let rest = r#"
[domain]
min = [-1, -1, -0.05]
max = [1, 1, 1]
on_exit = "remove"
[[bodies]]
kind = "lattice"
material = "grain"
radius = "2 mm"
origin = [0, 0, 0]
spacing = "5 mm"
count = [4, 4, 4]
velocity = [0.3, 0, 0]
"#;
    let (run, first, last, worst) = balance(&scene_of(8e-5, 0.12, [0.5, 0.4, 0.01], rest));
    assert!(run.state.removed.count > 30, "{:?}", run.state.removed);
    assert_eq!(last.bodies as u64 + run.state.removed.count, first.bodies as u64);
    assert!(worst < 1e-10, "{worst}: {:?}", last.energy);
}

#[test]
fn a_change_of_gravity_is_work() {
    let rest = ball(0.02)
        + &floor("")
        + "[[event]]\nat = \"30 ms\"\naction = \"set-gravity\"\ngravity = [2, 0, 5]\n";
    let (_, _, last, worst) = balance(&scene_of(2e-6, 0.06, [1.0, 0.0, 0.0], &rest));
    assert!(last.energy.exchanged.abs() > 0.1 * last.energy.kinetic(), "{:?}", last.energy);
    assert!(worst < 1e-9, "{worst}: {:?}", last.energy);
}

#[test]
fn a_velocity_set_is_work() {
    let rest = ball(0.2)
        + "[[event]]\nat = \"10 ms\"\naction = \"set-velocity\"\ngroup = \"ball\"\nvelocity = [1, 0, 2]\n";
    let (_, _, last, worst) = balance(&scene_of(1e-5, 0.02, [1.0, 0.0, 0.0], &rest));
    // Set at 10 ms, free fall from there.
    let velocity = last.momentum / last.mass;
    let expected = dvec3(1.0, 0.0, 2.0 - 9.81 * (last.time - 0.01));
    assert!((velocity - expected).length() < 1e-12, "{velocity} {expected}");
    assert!(worst < 1e-9, "{worst}: {:?}", last.energy);
}

#[test]
fn applied_loads_work() {
    let rest = ball(0.0)
        + "[[load]]\ngroup = \"ball\"\nforce = [1e-3, 0, 2e-3]\ntorque = [0, 3e-7, 0]\nstart = \"2 ms\"\nstop = \"8 ms\"\n";
    let (_, first, last, worst) = balance(&scene_of(1e-5, 0.01, [1.0, 0.0, 0.0], &rest));
    // Exact before and after; second order in Δt (600 steps) while it acts.
    assert!(worst < 1.0 / (600.0 * 600.0), "{worst}: {:?}", last.energy);
    assert!(last.energy.relative_closure_error.abs() < 1e-12, "{:?}", last.energy);
    // 600 steps of 10 µs. The spin follows at once: ω = M t/I, work ½ I ω².
    let inertia = 0.4 * first.mass * 4e-6;
    let spin = 3e-7 * 6e-3 / inertia;
    assert!((last.energy.rotation - 0.5 * inertia * spin * spin).abs() < 1e-9 * last.energy.rotation);
    assert!((last.momentum.x - 1e-3 * 6e-3).abs() < 1e-9 * 6e-6, "{}", last.momentum);
    assert!(last.energy.load_work > last.energy.rotation);
}

#[test]
fn global_damping_is_a_loss() {
    let mut scene = scene_of(1e-5, 0.05, [1.0, 0.0, 0.0], &(ball(0.0) + "[motion]\ndamping_rate = 40\n"));
    scene.model.gravity = DVec3::ZERO;
    scene.bodies[0].velocity = dvec3(1.0, 2.0, -1.0);
    scene.bodies[0].spin = dvec3(30.0, 0.0, 50.0);
    let (_, first, last, worst) = balance(&scene);
    let decay = libm::exp(-2.0 * 40.0 * last.time);
    let at_start = first.energy.kinetic();
    assert!(
        (last.energy.kinetic() / at_start - decay).abs() < 2e-3 * decay,
        "{}",
        last.energy.kinetic() / at_start
    );
    // Second order in rate · Δt = 4e-4.
    let lost = last.energy.global_damping - first.energy.global_damping;
    assert!((lost - (at_start - last.energy.kinetic())).abs() < 1.6e-7 * at_start, "{lost}");
    assert!(worst < 1.6e-7, "{worst}: {:?}", last.energy);
}

/// A ball falls through a periodic side again and again: its height counts on.
#[test]
fn the_potential_does_not_jump_at_a_periodic_side() {
    let domain =
        "[domain]\nmin = [-0.01, -0.01, -0.01]\nmax = [0.01, 0.01, 0.01]\nperiodic = [\"z\", \"x\"]\n";
    let mut scene = scene_of(1e-5, 0.4, [1.0, 0.0, 0.0], &(ball(0.003) + domain));
    scene.bodies[0].velocity = dvec3(-0.5, 0.0, 0.2);
    let (run, first, last, worst) = balance(&scene);
    let [x, _, z] = run.state.bodies.wraps.of(0);
    assert!(z < -20 && x < -5, "{x}, {z}");
    let fall = 0.003 + 0.2 * last.time - 0.5 * 9.81 * last.time * last.time;
    let potential = first.mass * 9.81 * fall;
    assert!(
        (last.energy.gravity - potential).abs() < 1e-10 * potential.abs(),
        "{} {potential}",
        last.energy.gravity
    );
    assert!(worst < 1e-10, "{worst}");
}

/// A ball circles through a periodic axis five times; a plane across it counts five wherever it stands.
#[test]
fn a_flow_plane_counts_also_at_a_periodic_side() {
    let domain = "[domain]\nmin = [0, -1, -1]\nmax = [0.02, 1, 1]\nperiodic = [\"x\"]\n";
    let mut scene = scene_of(1e-5, 0.1, [1.0, 0.0, 0.0], &(ball(0.0) + domain));
    scene.model.gravity = DVec3::ZERO;
    scene.bodies[0].position.x = 0.0123;
    scene.bodies[0].velocity = dvec3(1.0, 0.5, 0.0);
    let plane =
        |point: DVec3, normal: DVec3| breccia::scene::FlowPlane { name: "plane".into(), point, normal };
    scene.output.flow_planes =
        [0.0, 5e-5, 0.01, 0.01999, 0.02].map(|x| plane(dvec3(x, 0.0, 0.0), DVec3::X)).to_vec();
    scene.output.flow_planes.push(plane(DVec3::ZERO, -DVec3::X));
    scene.output.flow_planes.push(plane(dvec3(0.0, 0.02, 0.0), DVec3::Y));
    let (run, first, ..) = balance(&scene);
    let counts: Vec<i64> = run.state.lists.flows(7).iter().map(|flow| flow.count).collect();
    assert_eq!(counts, [5, 5, 5, 5, 5, -5, 1]);
    assert!((run.state.lists.flows(7)[0].mass - 5.0 * first.mass).abs() < 1e-12 * first.mass);
}
