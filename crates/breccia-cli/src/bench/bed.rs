//! A settled bed of nearly equal spheres in a square box.
//!
//! 30,000 spheres, r = 3.5 mm ± 5 %, density 1000, E = 10 MPa, ν = 0.2, e = 0.4, µ = 0.5, box 0.2 m × 0.2 m with
//! frictional walls and floor, Δt = 50 µs. Beds of 70,000 and more are laid out of copies of that one, so that all are
//! about 0.24 m high; --n is rounded to a square number of copies. States are made once and kept.

use super::export::export;
use super::measure::{Row, measure, settled, thread_counts};
use crate::cli::{BenchOptions, BenchRolling};
use crate::problem::Failure;
use crate::{say, tell};
use breccia::scene::{BodySeed, Scene};
use breccia::state::State;
use glam::DVec3;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

/// Steps of settling from the loose lattice.
const SETTLING_STEPS: u64 = 12_000;
/// Steps in which copies laid side by side close up.
const CLOSING_STEPS: u64 = 2_000;
/// Spheres of the bed that large ones are laid out of.
const TILE: usize = 30_000;
/// Side of its base [m].
const TILE_SIDE: f64 = 0.2;

/// Prepares the bed and measures it.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let (scene, state) = prepared(options)?;
    if let Some(folder) = &options.export {
        export(&scene, &state, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    let window = options.window();
    let rows = thread_counts(options.threads)
        .into_iter()
        .map(|threads| measure(&scene, &state, threads, window, |_| {}))
        .collect::<Result<Vec<_>, _>>()?;
    let count = state.bodies.len();
    tell::out(&if options.json { json_report(count, &rows) } else { table(count, &rows) })?;
    Ok(ExitCode::SUCCESS)
}

/// The bed and its settled state. A large one is laid out of copies of the small one, which have to close up.
fn prepared(options: &BenchOptions) -> Result<(Scene, State), Failure> {
    let law = options.rolling.unwrap_or(BenchRolling::C);
    let rolling = law.word();
    let name = |count: usize| format!("bed-{count}-{rolling}");
    let tiles = (options.n as f64 / TILE as f64).sqrt().round() as usize;
    if tiles < 2 {
        let scene = scene(options.n, law)?;
        let state = settled(&scene, &name(options.n), SETTLING_STEPS)?;
        return Ok((scene, state));
    }
    let small = settled(&scene(TILE, law)?, &name(TILE), SETTLING_STEPS)?;
    let mut large = scene(TILE * tiles * tiles, law)?;
    lay_tiles(&mut large, &small, tiles);
    let state = settled(&large, &name(TILE * tiles * tiles), CLOSING_STEPS)?;
    Ok((large, state))
}

/// Replaces the bodies of a scene by copies of a settled bed, side by side.
fn lay_tiles(scene: &mut Scene, bed: &State, tiles: usize) {
    let pattern = scene.bodies[0].clone();
    scene.bodies.clear();
    for tile in 0..tiles * tiles {
        let shift = DVec3::new((tile % tiles) as f64, (tile / tiles) as f64, 0.0) * TILE_SIDE;
        scene.bodies.extend(bed.bodies.rows().iter().map(|row| BodySeed {
            position: row.centre() + shift,
            radius: row.radius,
            ..pattern.clone()
        }));
    }
}

/// The bed before settling.
pub fn scene(count: usize, rolling: BenchRolling) -> Result<Scene, Failure> {
    let side = TILE_SIDE * (count as f64 / TILE as f64).sqrt();
    let spacing = 0.008;
    let across = ((side / spacing) as usize).max(1);
    let layers = count.div_ceil(across * across);
    let origin = 0.5 * (side - (across - 1) as f64 * spacing);
    let rolling = rolling.word();
    let text = format!(
        r#"
        title = "bed"
        gravity = [0, 0, -9.81]
        [time]
        duration = 1e6
        step = 5e-5
        [[material]]
        name = "grain"
        density = 1000
        young_modulus = 1e7
        poisson_ratio = 0.2
        [pair_default]
        restitution = 0.4
        friction = 0.5
        rolling_friction = 0.01
        [law]
        rolling = "{rolling}"
        [[bodies]]
        name = "bed"
        kind = "lattice"
        material = "grain"
        size = {{ kind = "uniform", min = 3.325e-3, max = 3.675e-3 }}
        origin = [{origin}, {origin}, 0.004]
        spacing = {spacing}
        count = [{across}, {across}, {layers}]
        jitter = 2e-4
        [[wall]]
        name = "box"
        material = "grain"
        shape = "box"
        min = [0, 0, 0]
        max = [{side}, {side}, {top}]
        open = ["+z"]
        "#,
        top = 0.1 + layers as f64 * spacing,
    );
    let mut scene = breccia::scene::load_str("bed", &text, Path::new("."))?.scene;
    scene.bodies.truncate(count);
    Ok(scene)
}

fn table(count: usize, rows: &[Row]) -> String {
    let mut text = format!(
        "bed of {} spheres, settled, {:?} instructions, coordination {:.3}\n{:>8} {:>8} {:>18} {:>9}  time by part [%]\n",
        say::count(count as u64),
        breccia::dispatch::instruction_set(),
        rows[0].coordination,
        "threads",
        "steps",
        "particle-steps/s",
        "speed-up"
    );
    for row in rows {
        text += &format!(
            "{:>8} {:>8} {:>18.3e} {:>9.2}  {}; {} rebuilds, {} refreshes\n",
            row.threads,
            row.steps,
            row.rate,
            row.rate / rows[0].rate,
            row.parts(),
            row.timers.rebuilds,
            row.timers.refreshes
        );
    }
    let bytes = rows[0].state_bytes;
    let each = bytes / count as f64;
    text + &format!("memory of the state {}, {each:.0} bytes per sphere\n", say::bytes(bytes))
}

fn json_report(count: usize, rows: &[Row]) -> String {
    let report = json!({
        "bench": "bed",
        "spheres": count,
        "instruction_set": format!("{:?}", breccia::dispatch::instruction_set()),
        "bytes_per_sphere": rows[0].state_bytes / count as f64,
        "rows": rows.iter().map(Row::to_json).collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}
