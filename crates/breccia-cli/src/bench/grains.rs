//! What an implicit step of NURBS grains costs, by part, and how the default solver compares with clarabel on the
//! same program.
//!
//! Packings are copies of a compacted box of 95 non-convex grains side by side: 2 × 2, 4 × 4, 8 × 8. The dynamic rows
//! are the first steps of a column whose wall was taken away, the static ones the first steps of a biaxial test.

use crate::cli::BenchOptions;
use crate::problem::Failure;
use crate::tell;
use breccia::implicit::assembly::{BoxWall, Compaction, CompactionPlan, GrainMix, compact};
use breccia::implicit::solver::{BodySchur, ConeSolver, Reference};
use breccia::implicit::{
    DynamicStep, GrainError, GrainRun, GrainSettings, GrainSetup, GrainState, StaticStep, StepKind,
    WallControl,
};
use breccia::shapes::nurbs::{BUILT_IN_SHAPES, GrainFamily, LOBES, built_in_shape};
use glam::DVec2;
use serde_json::json;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Grains of one copy.
const GRAINS: usize = 95;
/// Confining pressure [N/m].
const PRESSURE: f64 = 125.0;
/// Contact stiffness [N/m].
const STIFFNESS: f64 = 1e8;
/// Friction.
const FRICTION: f64 = 0.5;
/// Steps measured per row; the fastest counts, the machine may be busy otherwise.
const STEPS: u64 = 5;

/// A row of the table.
struct Row {
    kind: &'static str,
    grains: usize,
    points: usize,
    iterations: u32,
    step: Duration,
    search: Duration,
    solve: Duration,
    reference: Option<(Duration, u32)>,
}

impl Row {
    fn speed_up(&self) -> Option<f64> {
        self.reference.map(|(time, _)| time.as_secs_f64() / self.solve.as_secs_f64())
    }

    fn search_share(&self) -> f64 {
        self.search.as_secs_f64() / self.step.as_secs_f64()
    }
}

/// Measures all rows.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let threads = options.threads.unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::other(format!("cannot start threads: {error}"), "ask for fewer"))?;
    let rows =
        pool.install(|| rows(options.spheres(if options.quick { 1_520 } else { 6_080 }))).map_err(failure)?;
    let text = if options.json { json_of(&rows, threads) } else { table(&rows) };
    tell::out(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn failure(error: GrainError) -> Failure {
    Failure::other(format!("the packing of the bench failed: {error}"), "please report this")
}

/// Rows of the packings of at most so many grains.
fn rows(most: usize) -> Result<Vec<Row>, GrainError> {
    let tile = tile()?;
    let mut rows = Vec::new();
    for copies in [1_usize, 2, 4, 8].into_iter().filter(|copies| is_shown(copies * copies * GRAINS, most)) {
        for is_dynamic in [true, false] {
            let (setup, state) = tiled(&tile, copies, is_dynamic);
            rows.push(measure(GrainRun::new(setup, state)?, is_dynamic)?);
        }
    }
    Ok(rows)
}

/// The single box is for those who ask for no more.
fn is_shown(grains: usize, most: usize) -> bool {
    if grains == GRAINS { most < 4 * GRAINS } else { grains <= most }
}

/// A compacted box of non-convex grains.
fn tile() -> Result<Compaction, GrainError> {
    let shapes = (0..BUILT_IN_SHAPES)
        .map(|number| built_in_shape(GrainFamily::NonConvex, number, &LOBES, 1.0))
        .collect::<Result<_, _>>()
        .map_err(|error| GrainError::Refused { message: error.to_string() })?;
    let mix = GrainMix { shapes, count: GRAINS, density: 1.0, seed: 11 };
    let settings =
        GrainSettings::new(StepKind::QuasiStatic(StaticStep::default()), 1.0).with_stiffness(STIFFNESS);
    compact(&mix, &CompactionPlan::new(PRESSURE), &settings)
}

/// `copies` × `copies` of the box as one, about to collapse or to be compressed.
fn tiled(tile: &Compaction, copies: usize, is_dynamic: bool) -> (GrainSetup, GrainState) {
    let Compaction { mut setup, mut state, .. } = tile.tiled(copies, copies);
    let height = state.distance_between(BoxWall::ENDS);
    setup.friction.set(0, 0, FRICTION);
    if is_dynamic {
        setup.settings.kind = StepKind::Dynamic(DynamicStep::default());
        setup.settings.time_step = 0.05;
        state.gravity = DVec2::new(0.0, -1.0);
        setup.friction.set(0, setup.wall_materials[BoxWall::Floor as usize], FRICTION);
        state.walls[BoxWall::Lid as usize].control = WallControl::Removed;
        state.walls[BoxWall::Right as usize].control = WallControl::Removed;
    } else {
        let down = 1.4e-3 * height;
        state.walls[BoxWall::Lid as usize].control = WallControl::Moves(DVec2::new(0.0, -down));
    }
    (setup, state)
}

/// Times steps by part, and both solvers on the program the next step begins with.
fn measure(mut run: GrainRun, is_dynamic: bool) -> Result<Row, GrainError> {
    run.step()?;
    let mut best: Option<(Duration, Duration)> = None;
    for _ in 0..STEPS {
        let before = run.timers();
        run.step()?;
        let after = run.timers();
        // A step that was redone counts as the mean of its rounds.
        let rounds = (after.solves - before.solves) as u32;
        let (step, search) = ((after.total - before.total) / rounds, (after.search - before.search) / rounds);
        if best.is_none_or(|(fastest, _)| step < fastest) {
            best = Some((step, search));
        }
    }
    let (step, search) = best.unwrap_or_default();
    let program = run.program()?;
    let mut own = BodySchur::default();
    let solved = |error| GrainError::Solver { step: 0, source: error, suspects: String::new() };
    let mut solve = Duration::MAX;
    let mut iterations = 0;
    for _ in 0..3 {
        let begin = Instant::now();
        iterations = own.solve(&program).map_err(solved)?.report.iterations;
        solve = solve.min(begin.elapsed());
    }
    let begin = Instant::now();
    // A reference that gives up is told as such, not as a time.
    let reference =
        Reference::default().solve(&program).ok().map(|it| (begin.elapsed(), it.report.iterations));
    Ok(Row {
        kind: if is_dynamic { "dynamic" } else { "static" },
        grains: run.setup().grains.len(),
        points: program.contacts.len(),
        iterations,
        step,
        search,
        solve,
        reference,
    })
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:>8} {:>7} {:>8} {:>11} {:>9} {:>8} {:>9} {:>12} {:>9}\n",
        "step",
        "grains",
        "points",
        "iterations",
        "step [s]",
        "search",
        "solve [s]",
        "clarabel [s]",
        "speed-up"
    );
    for row in rows {
        let (time, speed_up) = match (row.reference, row.speed_up()) {
            (Some((time, iterations)), Some(speed_up)) => {
                (format!("{:.3} ({iterations})", time.as_secs_f64()), format!("{speed_up:.1}"))
            }
            _ => ("gave up".into(), "-".into()),
        };
        text += &format!(
            "{:>8} {:>7} {:>8} {:>11} {:>9.3} {:>6.0} % {:>9.3} {time:>12} {speed_up:>9}\n",
            row.kind,
            row.grains,
            row.points,
            row.iterations,
            row.step.as_secs_f64(),
            100.0 * row.search_share(),
            row.solve.as_secs_f64(),
        );
    }
    text
}

fn json_of(rows: &[Row], threads: usize) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "step": row.kind, "grains": row.grains, "points": row.points, "iterations": row.iterations,
                "step_s": row.step.as_secs_f64(), "search_s": row.search.as_secs_f64(),
                "solve_s": row.solve.as_secs_f64(),
                "clarabel_s": row.reference.map(|it| it.0.as_secs_f64()),
                "clarabel_iterations": row.reference.map(|it| it.1), "speed_up": row.speed_up(),
            })
        })
        .collect();
    format!("{:#}\n", json!({"bench": "grains", "threads": threads, "rows": rows}))
}
