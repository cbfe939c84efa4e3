//! A run that cannot go on stops at once and says what, where and how to help it.

mod support;

use breccia::model::{SearchTrigger, StepChoice};
use breccia::scene::Scene;
use breccia::simulation::{Simulation, StepError};
use glam::{DVec3, dvec3};
use support::{materials, scene};

/// Steps until the run stops; fails if it does not within `steps`.
fn stops(run: &mut Simulation, steps: u64) -> StepError {
    for _ in 0..steps {
        if let Err(error) = run.step() {
            return error;
        }
    }
    panic!("no trouble in {steps} steps");
}

fn assert_says(error: &StepError, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

/// `count` spheres of 1 mm in rows along x, 5 mm apart.
fn row_of_spheres(count: usize, more: &str) -> Scene {
    let text = format!(
        r#"
gravity = [0, 0, 0]
[time]
duration = 1
step = 1e-5
{}
[[bodies]]
kind = "lattice"
material = "grain"
radius = "1 mm"
origin = [0, 0, 0]
spacing = "5 mm"
count = [{count}, 1, 1]
{more}
"#,
        materials(0.5, 0.3, 0.01)
    );
    scene(&text)
}

#[test]
fn a_velocity_that_is_not_a_number_is_named_wherever_it_is() {
    // Few bodies share a chunk, many have several: the bad one may be first, last or between in either.
    for (count, bad) in [(1, 0), (3, 0), (3, 1), (3, 2), (2000, 0), (2000, 777), (2000, 1999)] {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut scene = row_of_spheres(count, "");
            scene.bodies[bad].velocity = dvec3(0.0, value, 0.0);
            let mut run = Simulation::new(&scene);
            let error = stops(&mut run, 1);
            let StepError::NotANumber { body, step, time, .. } = error else { panic!("{error}") };
            assert_eq!((body as usize, step, time), (bad, 0, 0.0));
            assert_says(&error, &[&format!("body {bad}"), "not a number", "help:", "\"auto\""]);
        }
    }
}

#[test]
fn two_bodies_at_one_place_stop_the_run() {
    let mut scene = row_of_spheres(4, "");
    scene.bodies[1].position = scene.bodies[2].position;
    let error = stops(&mut Simulation::new(&scene), 1);
    assert_says(&error, &["started at the same place"]);
    assert!(matches!(error, StepError::NotANumber { body: 1 | 2, step: 0, .. }), "{error}");
}

#[test]
fn an_overlap_beyond_the_limit_names_both_bodies() {
    let mut scene = row_of_spheres(5, "[limits]\noverlap = 0.2\n");
    scene.bodies[3].radius = 2e-3;
    scene.bodies[3].position = scene.bodies[2].position + dvec3(2.7e-3, 0.0, 0.0);
    let mut run = Simulation::new(&scene);
    let error = stops(&mut run, 1);
    let StepError::Overlap { overlap, share, limit, point, .. } = error.clone() else { panic!("{error}") };
    assert!((overlap - 0.3e-3).abs() < 1e-15 && (share - 30.0).abs() < 1e-9 && limit == 20.0);
    assert!((point - dvec3(10e-3 + 1e-3 - 0.15e-3, 0.0, 0.0)).length() < 1e-12, "{point}");
    assert_says(
        &error,
        &["body 2", "body 3", "30.0 %", "the limit is 20.0 %", "help:", "young_modulus", "step 0"],
    );
}

#[test]
fn an_overlap_within_the_limit_runs_on() {
    let mut scene = row_of_spheres(2, "[limits]\noverlap = 0.31\n");
    scene.bodies[1].position = dvec3(1.7e-3, 0.0, 0.0);
    assert_eq!(Simulation::new(&scene).step(), Ok(()));
}

#[test]
fn a_wall_driven_through_bodies_is_named() {
    let wall = r#"
[[wall]]
name = "piston"
material = "steel"
shape = "plane"
point = [-0.005, 0, 0]
normal = [1, 0, 0]
motion = [{ kind = "translation", velocity = [400, 0, 0] }]
"#;
    let error = stops(&mut Simulation::new(&row_of_spheres(3, wall)), 10);
    assert_says(&error, &["body 0", "wall \"piston\"", "%", "a wall moved through bodies", "help:"]);
}

#[test]
fn the_worst_overlap_is_the_one_told() {
    let mut scene = row_of_spheres(6, "[limits]\noverlap = 0.1\n");
    scene.bodies[1].position = scene.bodies[0].position + dvec3(1.8e-3, 0.0, 0.0);
    scene.bodies[4].position = scene.bodies[5].position - dvec3(1.5e-3, 0.0, 0.0);
    let error = stops(&mut Simulation::new(&scene), 1);
    assert_says(&error, &["body 4", "body 5", "50.0 %"]);
}

const DOMAIN: &str = "[domain]\nmin = [-0.01, -0.01, -0.01]\nmax = [0.05, 0.01, 0.01]\n";

#[test]
fn a_body_that_leaves_is_named() {
    let mut scene = row_of_spheres(4, DOMAIN);
    scene.bodies[2].velocity = dvec3(0.0, -3.0, 0.0);
    let mut run = Simulation::new(&scene);
    let error = stops(&mut run, 1000);
    let StepError::LeftDomain { body, position, .. } = error else { panic!("{error}") };
    assert_eq!(body, 2);
    assert!(position.y < -0.01 && position.y > -0.01 - 3.0 * 2e-5, "{position}");
    assert!((run.time() - 0.01 / 3.0).abs() < 2e-5, "{}", run.time());
    assert_says(&error, &["body 2", "left the domain", "help:", "on_exit = \"remove\""]);
}

#[test]
fn a_body_that_may_leave_is_counted() {
    let mut scene = row_of_spheres(4, &format!("{DOMAIN}on_exit = \"remove\"\n"));
    scene.bodies[2].velocity = dvec3(0.0, -3.0, 0.0);
    let mut run = Simulation::new(&scene);
    run.step().unwrap();
    let first = run.sample();
    for _ in 0..400 {
        run.step().unwrap();
    }
    let last = run.sample();
    assert_eq!(run.state.bodies.len(), 3);
    assert_eq!(run.state.bodies.id.iter().filter(|&&id| id == 2).count(), 0);
    assert_eq!(run.state.removed.count, 1);
    assert!((run.state.removed.mass + last.mass - first.mass).abs() < 1e-12 * first.mass);
    // Its kinetic energy is booked as taken out: nothing else moves here.
    let kinetic = 0.5 * run.state.removed.mass * 9.0;
    assert!((last.energy.exchanged + kinetic).abs() < 1e-12 * kinetic, "{:?}", last.energy);
    assert!(last.energy.relative_closure_error.abs() < 1e-12, "{:?}", last.energy);
}

#[test]
fn a_run_goes_on_when_all_bodies_have_left() {
    let mut scene = row_of_spheres(3, &format!("{DOMAIN}on_exit = \"remove\"\n"));
    scene.output.flow_planes = vec![breccia::scene::FlowPlane {
        name: "way out".into(),
        point: dvec3(0.0, 0.005, 0.0),
        normal: DVec3::Y,
    }];
    // Impacts in more than a hundred steps, for a budget that closes.
    scene.model.time.step = StepChoice::Fixed(1e-6);
    // Two meet on the way, so that something is lost, and all leave over the same side.
    for (body, speed) in scene.bodies.iter_mut().zip([1.0, -1.0, 0.0]) {
        body.velocity = dvec3(speed, 3.0, 0.0);
    }
    let mut run = Simulation::new(&scene);
    run.step().unwrap();
    let first = run.sample();
    for _ in 0..4000 {
        run.step().unwrap();
    }
    let last = run.sample();
    assert_eq!((run.state.bodies.len(), run.state.removed.count), (0, 3));
    assert!(last.energy.losses() > 1e-7, "losses are remembered: {:?}", last.energy);
    assert!(last.energy.relative_closure_error.abs() < 1e-3, "{:?}", last.energy);
    let flow = run.state.lists.flows(1)[0];
    assert_eq!(flow.count, 3, "what crossed the plane is remembered");
    assert!((flow.mass - first.mass).abs() < 1e-12 * first.mass);
}

#[test]
fn searches_too_rare_for_the_speed_stop_the_run() {
    let mut scene = row_of_spheres(2, "[limits]\noverlap = 1\n");
    scene.bodies[0].velocity = dvec3(20.0, 0.0, 0.0);
    scene.model.search.trigger = SearchTrigger::EverySteps(1000);
    let mut run = Simulation::new(&scene);
    let error = stops(&mut run, 15);
    assert!(matches!(error, StepError::ListOutrun { interval: 1000, .. }), "{error}");
    assert_says(&error, &["every 1000 steps", "help:", "every_steps", "skin"]);
    scene.model.search.trigger = SearchTrigger::EverySteps(1);
    let mut run = Simulation::new(&scene);
    for _ in 0..100 {
        run.step().unwrap();
    }
    assert!(run.sample().energy.normal_damping > 0.0, "the two met");
}

#[test]
fn a_body_far_too_fast_for_a_period_does_not_hang() {
    let domain = "[domain]\nmin = [-0.01, -0.01, -0.01]\nmax = [0.05, 0.01, 0.01]\nperiodic = [\"x\"]\n";
    let mut scene = row_of_spheres(2, domain);
    scene.bodies[0].velocity = dvec3(1e30, 0.0, 0.0);
    let mut run = Simulation::new(&scene);
    for _ in 0..3 {
        if run.step().is_err() {
            return;
        }
    }
    let place = run.state.bodies.places[0].centre();
    assert!(place.is_finite(), "{place}");
}
