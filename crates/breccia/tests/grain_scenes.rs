//! Scenes of grains in the plane: what they mean, how they run, what they refuse.

mod support;

use breccia::implicit::{ScheduledGrains, ScheduledState};
use breccia::output::observe_grains::{grain_columns, grain_frame_of, grain_picture_of, grain_row};
use breccia::output::render_flat;
use breccia::scene::{self, Scene};
use std::path::Path;
use support::scene;

/// A box with a gate, filled with grains of several kinds.
fn gated() -> Scene {
    scene(
        r#"
response = "implicit"
gravity = [0, -1, 0]
[implicit]
normal_stiffness = 1e6
[[material]]
name = "stone"
density = 1
[pair_default]
friction = 0.1
[[outline]]
name = "lobed"
kind = "built-in"
family = "non-convex"
numbers = [3, 8]
diameter = 1
[[outline]]
name = "square"
kind = "polygon"
points = [[0, 0], [0.8, 0], [0.8, 0.8], [0, 0.8]]
[[outline]]
name = "disc"
kind = "disc"
diameter = 0.9
[[grains]]
kind = "rows"
material = "stone"
count = 14
width = 5
origin = [0, 1.2]
[[grains]]
name = "bar"
kind = "list"
material = "stone"
outlines = ["disc"]
positions = [[2.5, 0.5]]
fixed = true
[[wall]]
name = "left"
material = "stone"
shape = "plane"
normal = [1, 0, 0]
[[wall]]
name = "gate"
material = "stone"
shape = "plane"
point = [5, 0, 0]
normal = [-1, 0, 0]
[[wall]]
name = "floor"
material = "stone"
shape = "plane"
normal = [0, 1, 0]
[time]
step = 0.05
[[phase]]
name = "settle"
duration = 8
[[phase]]
name = "slump"
duration = 5
[[event]]
phase = "slump"
action = "remove-wall"
wall = "gate"
"#,
    )
}

fn column(run: &ScheduledGrains, name: &str) -> f64 {
    let place = grain_columns(run).iter().position(|column| column.name == name);
    grain_row(run)[place.unwrap_or_else(|| panic!("no column {name}"))]
}

fn run_to(run: &mut ScheduledGrains, step: u64) {
    while run.steps_done() < step {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn grains_settle_and_flow_when_the_gate_opens() {
    let scene = gated();
    let mut run = ScheduledGrains::new(&scene).expect("a run");
    assert_eq!((run.steps_in_all(), run.plan.grains.len()), (260, 15));
    run_to(&mut run, 159);
    let weight: f64 = run.run.setup().grains[..14].iter().map(|grain| grain.mass).sum();
    let walls = ["left", "gate", "floor"].map(|wall| column(&run, &format!("{wall}_force_y")));
    let on_bar: f64 = run
        .run
        .state()
        .contacts
        .iter()
        .map(|loaded| {
            let (contact, force) = (&loaded.contact, loaded.force_on_slave().y);
            if contact.slave == 14 {
                force
            } else if contact.master == 14 {
                -force
            } else {
                0.0
            }
        })
        .sum();
    let carried = -walls.iter().sum::<f64>() - on_bar;
    println!("weight {weight}, carried {carried}, of it the bar {}", -on_bar);
    assert!((carried / weight - 1.0).abs() < 0.03, "{carried} {weight}");
    let bar = run.run.state().position[14];
    run_to(&mut run, 260);
    assert!(run.is_finished());
    assert_eq!(run.run.state().position[14], bar, "the bar is held");
    assert!(!run.run.state().walls[1].is_there());
    assert_eq!(column(&run, "gate_force_x"), 0.0);
    let farthest = run.run.state().position[..14].iter().map(|place| place.x).fold(0.0, f64::max);
    assert!(farthest > 5.0, "nothing left the box: {farthest}");
    assert!(column(&run, "relative_closure_error").abs() < 1e-9);
    let frame = grain_frame_of(&run, true);
    assert_eq!(frame.grains.as_ref().map(|data| data.polys.len()), Some(15));
    assert!(frame.contacts.is_some_and(|contacts| !contacts.ends.is_empty()));
    assert_eq!(frame.walls.map(|walls| walls.walls.len()), Some(2));
    let (picture, options) = grain_picture_of(&run, "grains");
    let image = render_flat(&picture, &options);
    assert!(image.width > 0);
}

#[test]
fn a_restart_leaves_no_trace_and_threads_do_not_show() {
    let scene = gated();
    let whole = |threads: usize, restart: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut run = ScheduledGrains::new(&scene).expect("a run");
            run_to(&mut run, 70);
            if restart {
                let saved = breccia::output::checkpoint::encode(&run.saved()).expect("bytes");
                let folder = tempfile::tempdir().expect("a folder");
                let path = folder.path().join("checkpoint");
                breccia::output::checkpoint::store(&path, &saved).expect("a file");
                let state: ScheduledState = breccia::output::read_checkpoint(&path).expect("a state");
                run = ScheduledGrains::resume(&scene, state).expect("a run");
            }
            run_to(&mut run, 175);
            breccia::output::checkpoint::encode(&run.saved()).expect("bytes")
        })
    };
    let expected = whole(1, false);
    assert!(whole(1, true) == expected, "a restart shows");
    assert!(whole(3, false) == expected, "threads show");
}

/// The ready scene of a packing, with fewer grains and another porosity.
fn packing(porosity: f64, duration: u32) -> ScheduledGrains {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/compaction/scene.toml");
    let text = std::fs::read_to_string(&path).expect("the scene");
    let text = text
        .replace("count = 144", "count = 36")
        .replace("width = 17", "width = 9")
        .replace("point = [17, 0, 0]", "point = [9, 0, 0]")
        .replace("point = [0, 24, 0]", "point = [0, 13, 0]")
        .replace("until_porosity = 0.19", &format!("until_porosity = {porosity}"))
        .replace("duration = 1000", &format!("duration = {duration}"));
    ScheduledGrains::new(&scene(&text)).expect("a run")
}

#[test]
fn grains_are_packed_to_a_porosity_and_get_their_friction_back() {
    let mut run = packing(0.23, 1000);
    while run.phase_name() == Some("packing") {
        run.step().expect("a step");
    }
    let porosity = column(&run, "porosity");
    println!("porosity {porosity} after {} steps", run.steps_done());
    assert!(porosity <= 0.23 && porosity > 0.2, "{porosity}");
    assert_eq!(run.run.setup().friction.of(0, 0), 0.5);
    while !run.is_finished() {
        run.step().expect("a step");
    }
    assert!((column(&run, "porosity") - porosity).abs() < 0.01, "the packing stays");
}

#[test]
fn a_porosity_out_of_reach_is_told() {
    for (duration, words) in [(1000, "even without friction"), (8, "the phase ended")] {
        let mut run = packing(0.05, duration);
        let error = loop {
            match run.step() {
                Ok(()) => assert!(!run.is_finished(), "nobody told"),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains(words) && error.contains("help: "), "{error}");
    }
}

#[test]
fn a_restart_in_the_middle_of_packing_does_not_show() {
    let last = |restarted: bool| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/compaction/scene.toml");
        let loaded = scene::load(&path).unwrap_or_else(|error| panic!("{}", error.plain()));
        let mut run = ScheduledGrains::new(&loaded.scene).expect("a run");
        run_to(&mut run, 40);
        if restarted {
            run = ScheduledGrains::resume(&loaded.scene, run.saved()).expect("a run");
        }
        run_to(&mut run, 50);
        breccia::output::checkpoint::encode(&run.saved()).expect("bytes")
    };
    assert!(last(true) == last(false), "a restart shows");
}

#[test]
fn pressed_walls_keep_their_pressure() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/biaxial/scene.toml");
    let loaded = scene::load(&path).unwrap_or_else(|error| panic!("{}", error.plain()));
    let mut run = ScheduledGrains::new(&loaded.scene).expect("a run");
    run_to(&mut run, 290);
    let pressure = |run: &ScheduledGrains| {
        let state = run.run.state();
        state.walls[1].load.x / state.distance_between([2, 3])
    };
    let compacted = (pressure(&run), column(&run, "lid_offset"));
    println!("side pressure {}, lid at {}", compacted.0, compacted.1);
    assert!((compacted.0 / 125.0 - 1.0).abs() < 0.01, "{compacted:?}");
    run_to(&mut run, 380);
    assert!((pressure(&run) / 125.0 - 1.0).abs() < 0.03, "{}", pressure(&run));
    // Lowered by 0.012 a step from step 300 on.
    let lowered = column(&run, "lid_offset") - compacted.1;
    assert!((lowered - 0.96).abs() < 0.02, "{lowered}");
    let lid = column(&run, "lid_force_y") / run.run.state().distance_between([0, 1]);
    assert!(lid > 1.3 * 125.0, "the lid meets resistance: {lid}");
}
