//! A settled bed of nearly equal spheres in a square box.
//!
//! 30,000 spheres, r = 3.5 mm ± 5 %, density 1000, E = 10 MPa, ν = 0.2, e = 0.4, µ = 0.5, box 0.2 m × 0.2 m with
//! frictional walls and floor, Δt = 50 µs. Larger beds have a proportionally larger base, so that all are about
//! 0.24 m high. The state is settled once and kept.

use crate::cli::{BenchOptions, BenchRolling};
use crate::problem::Failure;
use crate::{say, tell};
use breccia::diagnostics::{Phase, Timers};
use breccia::output::{read_checkpoint, write_checkpoint};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use breccia::state::State;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Steps of settling from the loose lattice.
const SETTLING_STEPS: u64 = 12_000;
/// Steps before the clock starts.
const WARM_UP_STEPS: u64 = 100;

/// One measurement.
struct Row {
    threads: usize,
    steps: u64,
    seconds: f64,
    rate: f64,
    timers: Timers,
}

/// Prepares the bed and measures it.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let scene = scene(options.n, options.rolling)?;
    let state = settled(&scene, options)?;
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = match options.threads {
        Some(0) => vec![all],
        Some(threads) => vec![threads],
        None if all > 1 => vec![1, all],
        None => vec![1],
    };
    let mut rows = Vec::new();
    let mut coordination = 0.0;
    for threads in threads {
        let (row, z) = pool(threads)?.install(|| measure(&scene, &state, threads, options.seconds))?;
        rows.push(row);
        coordination = z;
    }
    let text = match options.json {
        true => json_report(options, &rows, coordination),
        false => table(options, &rows, coordination),
    };
    tell::out(&(text + "\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::other(format!("cannot start {threads} threads: {error}"), "ask for fewer"))
}

/// The bed before settling.
fn scene(count: usize, rolling: BenchRolling) -> Result<Scene, Failure> {
    let side = 0.2 * (count as f64 / 30_000.0).sqrt();
    let spacing = 0.008;
    let across = ((side / spacing) as usize).max(1);
    let layers = count.div_ceil(across * across);
    let origin = 0.5 * (side - (across - 1) as f64 * spacing);
    let rolling = match rolling {
        BenchRolling::C => "c",
        BenchRolling::ALimited => "a-limited",
        BenchRolling::None => "none",
    };
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

/// The settled state, from its file or made now.
fn settled(scene: &Scene, options: &BenchOptions) -> Result<State, Failure> {
    let path = state_file(options);
    if let Ok(state) = read_checkpoint::<State>(&path) {
        return Ok(state);
    }
    tell::note(&format!("settling {} spheres ({SETTLING_STEPS} steps) ...", say::count(options.n as u64)));
    let mut run = Simulation::new(scene);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    pool(threads)?.install(|| -> Result<(), Failure> {
        let begin = Instant::now();
        for step in 0..SETTLING_STEPS {
            run.step()?;
            if step % 1000 == 999 {
                let left =
                    begin.elapsed().as_secs_f64() * (SETTLING_STEPS - step - 1) as f64 / (step + 1) as f64;
                tell::note(&format!("  {:3} %, {} left", 100 * (step + 1) / SETTLING_STEPS, say::wait(left)));
            }
        }
        Ok(())
    })?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::other(format!("cannot make {}: {error}", folder.display()), "run elsewhere")
        })?;
    }
    write_checkpoint(&path, &run.state)?;
    Ok(run.state)
}

fn state_file(options: &BenchOptions) -> PathBuf {
    let rolling = match options.rolling {
        BenchRolling::C => "c",
        BenchRolling::ALimited => "a-limited",
        BenchRolling::None => "none",
    };
    PathBuf::from(format!("out/bench/bed-{}-{rolling}.state", options.n))
}

fn measure(scene: &Scene, state: &State, threads: usize, seconds: f64) -> Result<(Row, f64), Failure> {
    let mut run = Simulation::resume(scene, state.clone());
    for _ in 0..WARM_UP_STEPS {
        run.step()?;
    }
    run.timers = Timers::default();
    let begin = Instant::now();
    let mut steps = 0;
    loop {
        run.step()?;
        steps += 1;
        if seconds.is_nan() || begin.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    let elapsed = begin.elapsed().as_secs_f64();
    let rate = run.state.bodies.len() as f64 * steps as f64 / elapsed;
    let coordination = run.sample().contacts.coordination;
    Ok((Row { threads, steps, seconds: elapsed, rate, timers: run.timers.clone() }, coordination))
}

/// Resident memory of this process [bytes], where the system tells it.
fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0)
}

fn table(options: &BenchOptions, rows: &[Row], coordination: f64) -> String {
    let mut lines = vec![format!(
        "bed of {} spheres, settled, {:?} instructions, coordination {coordination:.3}",
        say::count(options.n as u64),
        breccia::dispatch::instruction_set()
    )];
    lines.push(format!(
        "{:>8} {:>8} {:>18} {:>9}  time by part [%]",
        "threads", "steps", "particle-steps/s", "speed-up"
    ));
    for row in rows {
        let parts: Vec<String> = Phase::ALL[..5]
            .iter()
            .map(|phase| format!("{} {:.1}", phase.name(), 100.0 * row.timers.seconds(*phase) / row.seconds))
            .collect();
        lines.push(format!(
            "{:>8} {:>8} {:>18.3e} {:>9.2}  {}; {} rebuilds, {} refreshes",
            row.threads,
            row.steps,
            row.rate,
            row.rate / rows[0].rate,
            parts.join(", "),
            row.timers.rebuilds,
            row.timers.refreshes
        ));
    }
    if let Some(bytes) = resident_bytes() {
        lines.push(format!(
            "resident memory {}, {:.0} bytes per sphere (two states)",
            say::bytes(bytes),
            bytes / options.n as f64
        ));
    }
    lines.join("\n")
}

fn json_report(options: &BenchOptions, rows: &[Row], coordination: f64) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let parts: serde_json::Map<String, serde_json::Value> =
                Phase::ALL.iter().map(|p| (p.name().to_owned(), json!(row.timers.seconds(*p)))).collect();
            json!({
                "threads": row.threads,
                "steps": row.steps,
                "seconds": row.seconds,
                "particle_steps_per_s": row.rate,
                "rebuilds": row.timers.rebuilds,
                "seconds_by_part": parts,
            })
        })
        .collect();
    let report = json!({
        "bench": "bed",
        "spheres": options.n,
        "coordination": coordination,
        "instruction_set": format!("{:?}", breccia::dispatch::instruction_set()),
        "resident_bytes": resident_bytes(),
        "rows": rows,
    });
    format!("{report:#}")
}
