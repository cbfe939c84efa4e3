//! A rotating drum of triangles with lifter bars.
//!
//! 30,000 spheres, friction 0.75 at the drum, which is as soft as they are; D = 0.30 m, L = 0.35 m (as long as --n asks for), 2,784 triangles, Δt = 50 µs. Spheres fall for
//! 0.2 s, then the drum turns at 6 rad/s with its caps; the clock starts 0.2 s later. Peers were measured with the same
//! scene, whose bed loosens while the clock runs: the number of steps belongs to it.

mod mesh;

use super::export::{Handover, export};
use super::grain::{BED, ONE_SPHERE, STEP, scene_of};
use super::measure::{Row, Window, measure, settled, thread_counts};
use super::replay::Replay;
use crate::cli::{BenchOptions, BenchRolling};
use crate::problem::Failure;
use crate::{say, tell};
use breccia::model::{MaterialId, MeshSurface, Surface, Wall};
use breccia::motion::{MotionKind, MotionPart, PrescribedMotion};
use breccia::scene::{BodySeed, RandomStream, Scene};
use glam::DVec3;
use serde_json::json;
use std::process::ExitCode;
use std::sync::Arc;

/// Steps of settling and turning before the clock starts.
const PREPARING_STEPS: u64 = 8_000;
/// Steps timed, unless told otherwise.
const STEPS: u64 = 2_000;
/// Instant the drum starts to turn [s].
const START: f64 = 0.2;
/// Speed of the drum [rad/s].
const SPEED: f64 = 6.0;
/// Length of the drum for 30,000 spheres [m].
const LENGTH: f64 = 0.35;
/// Spacing of the lattice the spheres start from [m].
const SPACING: f64 = 7.7e-3;
/// Room a sphere needs at first [m].
const ROOM: f64 = 4.2e-3;
/// Particle-steps/s of other codes with the same scene, one thread, on two cores of an AMD EPYC server.
const PEERS: [(&str, f64); 2] = [("LIGGGHTS 3.8.0", 2.35e6), ("Kratos DEM 10.4.4", 1.74e5)];

/// Prepares the drum and measures it.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let rolling = options.rolling.unwrap_or(BenchRolling::None);
    let count = options.spheres(BED);
    let scene = scene(count, rolling)?;
    let state = settled(&scene, &format!("drum-{count}-{}", rolling.word()), PREPARING_STEPS)?;
    if let Some(folder) = &options.export {
        export(&scene, &state, &Handover { sides: [0.0; 2] }, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    let window = match (options.steps, options.seconds) {
        (None, Some(seconds)) => Window::Seconds(seconds),
        (steps, _) => Window::Steps(steps.unwrap_or(STEPS)),
    };
    let scene = options.measured(scene);
    let mut rows = Vec::new();
    for threads in thread_counts(options.threads) {
        let mut replay = Replay::default();
        let row = measure(&scene, &state, threads, window, |run| replay.sample(run))?;
        rows.push((row, replay));
    }
    let text = if options.json { json_report(&scene, &rows) } else { table(&scene, &rows) };
    tell::out(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The drum before settling.
fn scene(count: usize, rolling: BenchRolling) -> Result<Scene, Failure> {
    let rest = format!(
        r#"
        [[material]]
        name = "drum"
        density = 1000
        young_modulus = 1e7
        poisson_ratio = 0.2
        [[pair]]
        materials = ["grain", "drum"]
        friction = 0.75
        {ONE_SPHERE}
        "#
    );
    let mut scene = scene_of("drum", rolling, STEP, &rest)?;
    let length = LENGTH * count as f64 / BED as f64;
    fill(&mut scene, count, length)?;
    let mesh = mesh::drum(length).ok_or_else(too_few)?;
    let drum = MaterialId(1);
    scene.model.walls.push(Wall {
        name: "drum".into(),
        surface: Surface::Mesh(Arc::new(MeshSurface::new("drum of the bench", mesh, vec![drum]))),
        material: drum,
        motion: PrescribedMotion {
            parts: vec![MotionPart {
                kind: MotionKind::Rotation { point: DVec3::ZERO, axis: DVec3::Y, speed: SPEED },
                start: START,
                stop: f64::INFINITY,
            }],
        },
    });
    Ok(scene)
}

fn too_few() -> Failure {
    Failure::other(
        "with so few spheres the drum is too short to hold them",
        "raise --n to a thousand or more",
    )
}

/// Puts spheres on the lowest sites of a lattice clear of shell, caps and bars, shaken a little.
fn fill(scene: &mut Scene, count: usize, length: f64) -> Result<(), Failure> {
    let pattern = scene.bodies[0].clone();
    let mut sites = sites(length);
    if sites.len() < count {
        return Err(too_few());
    }
    sites.sort_by(|a, b| a.z.total_cmp(&b.z));
    let mut random = RandomStream::new(777);
    let mut shake = |size: f64| DVec3::from_array([(); 3].map(|()| random.between(-size, size)));
    scene.bodies = sites[..count]
        .iter()
        .map(|&site| BodySeed {
            position: site + shake(1.2e-4),
            radius: 3.5e-3 * (1.0 + shake(0.05).x),
            velocity: shake(0.3),
            ..pattern.clone()
        })
        .collect();
    Ok(())
}

fn sites(length: f64) -> Vec<DVec3> {
    let line = |low: f64, high: f64| {
        let count = ((high - low) / SPACING).max(0.0) as usize + 1;
        (0..count).map(move |k| low + k as f64 * SPACING)
    };
    let across = || line(-mesh::RADIUS, mesh::RADIUS);
    let (low, high) = (ROOM - 0.5 * length, 0.5 * length - ROOM);
    let points = across().flat_map(|x| across().map(move |z| (x, z))).filter(|&(x, z)| is_clear(x, z));
    points
        .flat_map(|(x, z)| line(low, high).map(move |y| DVec3::new(x, y, z)))
        .filter(|p| p.y <= high)
        .collect()
}

/// Whether a place across the axis is clear of shell and bars.
fn is_clear(x: f64, z: f64) -> bool {
    let beside_bars = (0..mesh::LIFTERS).all(|number| {
        let angle = mesh::lifter_angle(number);
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let (along, aside) = (x * cos + z * sin, z * cos - x * sin);
        along < mesh::RADIUS - mesh::LIFTER_HEIGHT - 1.1 * ROOM
            || aside.abs() > 0.5 * mesh::LIFTER_THICKNESS + ROOM
    });
    beside_bars && (x * x + z * z).sqrt() < mesh::inner_radius() - ROOM
}

fn table(scene: &Scene, rows: &[(Row, Replay)]) -> String {
    let count = scene.bodies.len();
    let mut text = format!(
        "drum of {} spheres and {} triangles at {SPEED} rad/s, {:?} instructions\n\
         {:>8} {:>8} {:>18} {:>9}  time by part [%]\n",
        say::count(count as u64),
        say::count(elements(scene) as u64),
        breccia::dispatch::instruction_set(),
        "threads",
        "steps",
        "particle-steps/s",
        "speed-up"
    );
    for (row, replay) in rows {
        text += &format!(
            "{:>8} {:>8} {:>18.3e} {:>9.2}  {}; {} rebuilds, {} of near walls alone, {} refreshes{}\n{:>46}  {}\n",
            row.threads,
            row.steps,
            row.rate,
            row.rate / rows[0].0.rate,
            row.parts(),
            row.timers.rebuilds,
            row.timers.surface_rebuilds,
            row.timers.refreshes,
            row.processor_note(),
            "",
            replay.in_words(row),
        );
    }
    text += &physics(&rows[0].0);
    let alone = &rows[0].0;
    if let Some(share) = alone.processor_share().filter(|_| alone.threads == 1) {
        text += &format!("{:.3e} particle-steps per second of processor on one thread\n", alone.rate / share);
    }
    // Peers ran on one thread: more of ours would be no comparison.
    for (name, rate) in PEERS.into_iter().filter(|_| alone.threads == 1) {
        text += &format!(
            "{:>5.2} times {name} on one thread ({rate:.2e}/s, measured apart on a like machine, not in this run)\n",
            alone.rate / rate
        );
    }
    text
}

fn elements(scene: &Scene) -> usize {
    scene.model.walls.iter().filter_map(Wall::mesh).map(|mesh| mesh.mesh.elements.len()).sum()
}

/// Numbers that show that the drum is the drum.
fn physics(row: &Row) -> String {
    let physics = &row.physics;
    let stages = row.stages_per_sphere();
    format!(
        "elements per sphere and step: candidates {:.3}, intersecting {:.4}, valid contacts {:.4}\n\
         at the end: coordination {:.3} ({:.3} among spheres), kinetic energy {:.4} J, overlap {:.3} % of r in the \
         mean, {:.2} % at most, {}\n\
         mean force on the drum while measuring ({:.3}, {:.3}, {:.3}) N, weight {:.3} N; mean torque about its axis {:.4} N m\n",
        stages[0],
        stages[1],
        stages[2],
        row.coordination,
        physics.pair_coordination,
        physics.kinetic,
        100.0 * physics.mean_overlap,
        100.0 * physics.largest_overlap,
        physics.closure(),
        physics.wall_load.force.x,
        physics.wall_load.force.y,
        physics.wall_load.force.z,
        physics.weight,
        physics.wall_load.torque.y,
    )
}

fn json_report(scene: &Scene, rows: &[(Row, Replay)]) -> String {
    let report = json!({
        "bench": "drum",
        "spheres": scene.bodies.len(),
        "elements": elements(scene),
        "instruction_set": format!("{:?}", breccia::dispatch::instruction_set()),
        "rows": rows.iter().map(|(row, replay)| {
            let mut value = row.to_json();
            value["replayed"] = replay.to_json(row);
            value
        }).collect::<Vec<_>>(),
        "peers_one_thread_measured_apart": PEERS.map(|(name, rate)| json!({"code": name, "particle_steps_per_s": rate})),
    });
    format!("{report:#}\n")
}
