//! Same bits with moving meshes: for any number of threads, any instruction set, through restarts; and, for a ball
//! alone, for any skin.

use crate::polygons::{Cut, Polygons, lines};
use crate::rig::{Ball, Law, add_wall, meshed, plane, stage, trajectory};
use crate::support::{Dice, Fingerprint, Fnv, add_table_row, scene, through_checkpoint};
use breccia::motion::{MotionKind, MotionPart, PrescribedMotion};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use glam::DVec3;
use std::f64::consts::TAU;
use std::process::Command;

/// Steps of a run.
const STEPS: u64 = 600;
/// Steps between two table rows.
const TABLE: u64 = 25;

fn moving(kind: MotionKind) -> PrescribedMotion {
    PrescribedMotion { parts: vec![MotionPart { kind, start: 0.0, stop: f64::INFINITY }] }
}

/// The inside of a drum about the y axis with ribs along it, 24 facets and 8 ribs, open at its ends.
fn ribbed_drum(radius: f64, width: f64) -> Polygons {
    let outline = |k: u32| {
        let (place, rib) = (k % 5, k / 5);
        let angle = TAU * (f64::from(rib) + [0.0, 0.33, 0.66, 0.8, 0.86][place as usize]) / 8.0;
        let (sin, cos) = libm::sincos(angle);
        let far = if place == 3 || place == 4 { 0.85 * radius } else { radius };
        DVec3::new(far * sin, 0.0, -far * cos)
    };
    let corners: Vec<f64> = (0..=40).map(f64::from).collect();
    let map = |k: f64, y: f64| outline(k as u32 % 40) + DVec3::new(0.0, y, 0.0);
    Polygons::surface(&corners, &lines(4, -0.5 * width, 0.5 * width), Cut::Triangles, map)
}

/// A turning drum with ribs, a plate that moves through the bed, planes at the ends.
fn mill(laws: &str) -> Scene {
    let text = format!(
        r#"
seed = 7
[time]
duration = 0.1
step = "20 us"
[[material]]
name = "glass"
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[[material]]
name = "steel"
density = 7800
young_modulus = "rigid"
poisson_ratio = 0.3
[pair_default]
restitution = 0.6
friction = 0.5
rolling_friction = 0.02
[law]
rolling = "{laws}"
[motion]
track_orientation = true
[[bodies]]
name = "glass"
kind = "random"
material = "glass"
size = {{ kind = "uniform", min = "2 mm", max = "3 mm" }}
region = {{ shape = "box", min = [-0.036, -0.039, -0.046], max = [0.036, 0.039, 0.01] }}
count = 1300
"#
    );
    let mut scene = scene(&text);
    let mut dice = Dice::new(3);
    for body in &mut scene.bodies {
        body.velocity = 20.0 * body.position + dice.vector(-0.3, 0.3);
        body.spin = dice.vector(-100.0, 100.0);
    }
    let turn = MotionKind::Rotation { point: DVec3::ZERO, axis: DVec3::Y, speed: 40.0 };
    add_wall(&mut scene, plane(DVec3::new(0.0, -0.04, 0.0), DVec3::Y), PrescribedMotion::default());
    add_wall(&mut scene, plane(DVec3::new(0.0, 0.04, 0.0), DVec3::NEG_Y), PrescribedMotion::default());
    add_wall(&mut scene, meshed(ribbed_drum(0.07, 0.09).mesh(), true), moving(turn));
    let plate = Polygons::room(DVec3::new(0.05, 0.06, 0.008), &lines(3, 0.0, 1.0), Cut::Pentagons).flipped();
    let plate = plate.placed(glam::DQuat::IDENTITY, DVec3::new(-0.025, -0.03, 0.014));
    let shift = MotionKind::Translation { velocity: DVec3::new(0.1, 0.0, -0.8) };
    add_wall(&mut scene, meshed(plate.mesh(), false), moving(shift));
    scene
}

fn run_on(run: &mut Simulation, table: &mut Fnv) -> (Fingerprint, Fnv) {
    while run.state.step < STEPS {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        if run.state.step.is_multiple_of(TABLE) {
            add_table_row(table, run);
        }
    }
    (Fingerprint::of(&run.state), *table)
}

/// What the scene is meant to make happen.
fn assert_busy(run: &Simulation) {
    let contacts = || run.state.lists.chunks.iter().flat_map(|chunk| chunk.surface.held());
    let on = |wall: u16| contacts().filter(|contact| contact.wall.0 == wall).count();
    let counts = [0, 1, 2, 3].map(on);
    let chunks = run.state.lists.chunks.len();
    let enough = counts.iter().all(|&count| count > 3) && chunks > 2;
    assert!(enough && run.timers.rebuilds > 3, "{counts:?}, {chunks} chunks, {:?}", run.timers.rebuilds);
}

#[test]
fn moving_meshes_with_any_number_of_threads() {
    for laws in ["c", "a-limited"] {
        let scene = mill(laws);
        let outcome = |threads: usize| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
            pool.install(|| {
                let mut run = Simulation::new(&scene);
                let end = run_on(&mut run, &mut Fnv::new());
                assert_busy(&run);
                end
            })
        };
        let alone = outcome(1);
        for threads in [2, 3, 8] {
            assert_eq!(outcome(threads), alone, "{laws} with {threads} threads");
        }
    }
}

#[test]
fn moving_meshes_through_restarts() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = mill("c");
    let mut run = Simulation::new(&scene);
    let mut table = Fnv::new();
    let mut stops = Vec::new();
    while run.state.step < STEPS {
        if [1, 73, 74, 200, 311].contains(&run.state.step) {
            stops.push((run.state.clone(), table));
        }
        run.step().unwrap_or_else(|error| panic!("{error}"));
        if run.state.step.is_multiple_of(TABLE) {
            add_table_row(&mut table, &mut run);
        }
    }
    let whole = (Fingerprint::of(&run.state), table);
    assert_eq!(stops.len(), 5);
    for (state, mut table) in stops {
        let mut run = through_checkpoint(&scene, &state, folder.path());
        assert_eq!(run_on(&mut run, &mut table), whole, "restart at step {}", state.step);
    }
}

#[test]
fn moving_meshes_on_any_instruction_set() {
    let program = std::env::current_exe().expect("this program");
    let outcome = |set: &str| {
        let child = Command::new(&program)
            .args(["same_bits::prints_a_fingerprint", "--exact", "--ignored", "--nocapture"])
            .env("BRECCIA_SIMD", set)
            .output()
            .expect("the test program runs again");
        let text = String::from_utf8_lossy(&child.stdout).into_owned();
        let line = text.lines().find_map(|line| line.split_once("outcome ")).map(|(_, rest)| rest.to_owned());
        line.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&child.stderr)))
    };
    let baseline = outcome("baseline");
    for set in ["avx2", "avx512"] {
        assert_eq!(outcome(set), baseline, "{set} against baseline");
    }
}

/// Run in processes of their own, because the set is chosen by the environment.
#[test]
#[ignore = "a helper of moving_meshes_on_any_instruction_set"]
fn prints_a_fingerprint() {
    println!("\noutcome {:?}", run_on(&mut Simulation::new(&mill("c")), &mut Fnv::new()));
}

/// A ball thrown into the corner of a room, between several facets, a moving plate and an analytic wall.
fn corner(skin: f64, blend: bool) -> Scene {
    let law = Law { rolling: "c", restitution: 0.5, friction: 0.5, rolling_friction: 0.05 };
    let ball = Ball {
        position: DVec3::new(0.02, 0.025, 0.03),
        velocity: DVec3::new(-0.5, -0.6, -0.4),
        spin: DVec3::new(30.0, -10.0, 20.0),
        radius: 0.01,
    };
    let mut scene = stage(&law, 2e-5, DVec3::new(-1.0, -2.0, -9.0), &[ball]);
    scene.model.search.skin = Some(skin * ball.radius);
    let room = Polygons::room(DVec3::splat(0.1), &lines(7, 0.0, 1.0), Cut::Pentagons);
    add_wall(&mut scene, meshed(room.shuffled(4).mesh(), blend), PrescribedMotion::default());
    add_wall(&mut scene, plane(DVec3::new(0.0, 0.0, 0.003), DVec3::Z), PrescribedMotion::default());
    let grid = lines(9, -0.1, 0.1);
    let slope = Polygons::surface(&grid, &grid, Cut::Triangles, |x, y| DVec3::new(x, y, 0.004 + 0.2 * x));
    let swing =
        MotionKind::Oscillation { amplitude: DVec3::new(0.0, 0.0, 1e-3), frequency: 30.0, phase: 0.0 };
    add_wall(&mut scene, meshed(slope.mesh(), blend), moving(swing));
    scene
}

#[test]
fn a_ball_alone_does_not_depend_on_the_skin() {
    for blend in [false, true] {
        let exact = trajectory(&corner(1e-3, blend), 10_000, 100);
        for skin in [0.05, 0.3, 0.8, 3.0] {
            assert_eq!(trajectory(&corner(skin, blend), 10_000, 100), exact, "skin {skin}, blend {blend}");
        }
    }
}
