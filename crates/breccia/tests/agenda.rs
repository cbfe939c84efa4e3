//! Phases and events: what happens when.

mod support;

use breccia::simulation::Simulation;
use support::{materials, run_to_end, scene};

/// A damped ball dropped on a floor; it is at rest long before the first phase is over.
fn drop(phases: &str) -> Simulation {
    let text = format!(
        r#"
[time]
step = 2e-5
{}
[[bodies]]
name = "ball"
kind = "list"
material = "grain"
positions = [[0, 0, 0.012]]
radius = 0.01
[[wall]]
name = "floor"
material = "steel"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
{phases}
"#,
        materials(0.3, 0.3, 0.0)
    );
    Simulation::new(&scene(&text))
}

const REST_THEN_THROW: &str = r#"
[[phase]]
name = "rest"
duration = 2
until_kinetic_energy = 1e-9
[[phase]]
name = "throw"
duration = 0.1
[[event]]
phase = "throw"
at = 0.02
action = "set-velocity"
group = "ball"
velocity = [0, 0, 0.1]
"#;

#[test]
fn a_phase_at_rest_ends_early_and_shortens_the_run() {
    let mut run = drop(REST_THEN_THROW);
    assert_eq!(run.last_step(), 105_000);
    while run.phase_name() == Some("rest") {
        run.step().expect("a step");
    }
    let began = run.state.agenda.phase_began;
    assert!(began > 10_000, "the first tenth always passes, but it ended at step {began}");
    assert!(began < 50_000, "at rest the phase ends, not at step {began}");
    assert_eq!(run.last_step(), began + 5_000);
    run_to_end(&mut run);
    assert_eq!(run.state.step, began + 5_001);
    // Thrown 0.02 s after the phase began: 0.08 s of flight at 0.1 m/s under gravity is a hop that has landed.
    assert!(run.state.agenda.done[0]);
}

#[test]
fn a_phase_that_never_rests_lasts_its_whole_time() {
    let mut run = drop(&REST_THEN_THROW.replace("1e-9", "1e-300"));
    run_to_end(&mut run);
    assert_eq!(run.state.step, 105_001);
    assert_eq!(run.state.agenda.phase_began, 100_000);
}

#[test]
fn the_last_phase_may_end_the_run() {
    let mut run = drop("[[phase]]\nname = \"rest\"\nduration = 2\nuntil_kinetic_energy = 1e-9\n");
    run_to_end(&mut run);
    assert!((10_000..50_000).contains(&run.state.step), "{}", run.state.step);
}

#[test]
fn events_without_a_phase_count_from_the_start_and_stop_ends_the_run() {
    let mut run = drop("[[event]]\nat = 0.01\naction = \"stop\"\n[[phase]]\nname = \"all\"\nduration = 1\n");
    run_to_end(&mut run);
    assert_eq!(run.state.step, 501);
}
