//! Sorted contact detection of disks with 32 surface nodes each: time and work by the tree, by all boxes against all
//! nodes, and by projecting all nodes on all bodies; whole steps; next to the tables of Petőcz and Armero (1998).
//!
//! Detection is one sort and the projection of what it found. Times are the best of several repeats, on one thread.

mod published;

use super::measure::pool;
use crate::cli::BenchOptions;
use crate::disks::lively_disks;
use crate::problem::Failure;
use crate::regression::{against_n_log_n, exponent, parabola_r2};
use crate::tell;
use breccia::broad_phase::{PointFinder, SortCounts};
use breccia::deformable::contact::{begin_candidates, sort_points};
use breccia::deformable::{SolidError, SolidRun, SolidSettings};
use breccia::simulation::StepError;
use published::PUBLISHED;
use std::process::ExitCode;
use std::time::Instant;

/// Bodies of the report: disks in columns and rows, and whether four walls count as well.
const CASES: [(usize, usize, bool); 6] =
    [(3, 3, true), (7, 7, true), (10, 10, true), (14, 14, false), (20, 20, false), (30, 30, false)];

/// Finders in the order of the columns.
const FINDERS: [PointFinder; 3] = [PointFinder::Tree, PointFinder::BruteBoxes, PointFinder::AllToAll];

/// What was measured for one number of bodies.
struct Row {
    bodies: f64,
    /// Seconds of a detection by each finder.
    seconds: [f64; 3],
    counts: SortCounts,
    /// Tests of nodes against bodies without sorting.
    all_to_all: f64,
    /// Seconds of a whole step, and of detection in it, with sorting.
    step: f64,
    detection: f64,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.detection / (self.step - self.detection)
    }

    /// Λ without sorting: the same rest of a step.
    fn unsorted_ratio(&self) -> f64 {
        self.seconds[2] / (self.step - self.detection)
    }
}

/// Measures and tells.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let cases = if options.quick { &CASES[..2] } else { &CASES[..] };
    let steps = options.steps.unwrap_or(if options.quick { 2 } else { 20 });
    let mut rows = Vec::new();
    for &case in cases {
        let row = pool(1)?.install(|| measure(case, steps, options.quick))?;
        tell::note(&format!(
            "N = {}: detection {:.3e} s sorted, {:.3e} s unsorted; step {:.3e} s",
            row.bodies, row.seconds[0], row.seconds[2], row.step
        ));
        rows.push(row);
    }
    let mut text = detection_table(&rows) + &operation_table(&rows) + &ratio_table(&rows);
    text += &fits(&rows);
    if !options.quick {
        text += &many_bodies()?;
    }
    text += &format!("memory at most {}\n", peak_memory());
    tell::out(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn disks((columns, rows, walls): (usize, usize, bool), finder: PointFinder) -> Result<SolidRun, StepError> {
    let settings = SolidSettings { finder, ..SolidSettings::new(0.02) };
    Ok(lively_disks((columns, rows), (8, 3), walls, settings)?)
}

fn measure(case: (usize, usize, bool), steps: u64, quick: bool) -> Result<Row, StepError> {
    let bodies = case.0 * case.1 + if case.2 { 4 } else { 0 };
    let mut run = disks(case, PointFinder::Tree)?;
    // Contacts begin, so that steps have work to do.
    advance(&mut run, if quick { 1 } else { 5 })?;
    let mut seconds = [0.0; 3];
    let (mut counts, mut all_to_all) = (SortCounts::default(), 0.0);
    for (place, finder) in FINDERS.into_iter().enumerate() {
        run.setup.settings.finder = finder;
        // The slowest takes seconds: once is enough.
        let repeats = if finder == PointFinder::AllToAll && bodies > 200 || quick { 1 } else { 7 };
        seconds[place] = f64::INFINITY;
        for _ in 0..repeats {
            let (time, work) = detect(&run);
            seconds[place] = seconds[place].min(time);
            match finder {
                PointFinder::Tree => counts = work,
                PointFinder::AllToAll => {
                    all_to_all = work.point_tests as f64 - run.setup.particles.len() as f64;
                }
                PointFinder::BruteBoxes => {}
            }
        }
    }
    run.setup.settings.finder = PointFinder::Tree;
    run.reset_timers();
    let begin = Instant::now();
    advance(&mut run, steps)?;
    let step = begin.elapsed().as_secs_f64() / steps as f64;
    let detection = run.timers().detection() / steps as f64;
    Ok(Row { bodies: bodies as f64, seconds, counts, all_to_all, step, detection })
}

fn advance(run: &mut SolidRun, steps: u64) -> Result<(), SolidError> {
    (0..steps).try_for_each(|_| run.step())
}

/// One sort and the projection of what it found.
fn detect(run: &SolidRun) -> (f64, SortCounts) {
    let begin = Instant::now();
    let x = &run.state.positions;
    let (list, counts) = sort_points(&run.setup, (x, x), 1.0, 0.02);
    let candidates = begin_candidates(&run.setup, x, &list, &run.state.pairs);
    std::hint::black_box(candidates.len());
    (begin.elapsed().as_secs_f64(), counts)
}

fn detection_table(rows: &[Row]) -> String {
    let mut text = "Seconds of one detection, and the report's Table 2 (DEC Alpha 3000/700):\n\n\
        | N | tree | all boxes | all to all | all to all / tree | published: sorting | published: no sorting |\n\
        |---|---|---|---|---|---|---|\n"
        .to_owned();
    for row in rows {
        let known = PUBLISHED.iter().find(|known| known.bodies == row.bodies);
        let published = |value: Option<f64>| value.map_or("–".to_owned(), |value| value.to_string());
        let [tree, boxes, all] = row.seconds;
        text += &format!(
            "| {} | {tree:.3e} | {boxes:.3e} | {all:.3e} | {:.1} | {} | {} |\n",
            row.bodies,
            all / tree,
            published(known.map(|known| known.sorting)),
            published(known.and_then(|known| known.no_sorting))
        );
    }
    text + "\n"
}

fn operation_table(rows: &[Row]) -> String {
    let mut text = "Work of one sort:\n\n\
        | N | descents | visits | nodes tested at leaves | tree nodes | depth | all-to-all tests | saved |\n\
        |---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for row in rows {
        let counts = &row.counts;
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {} | {:.1} |\n",
            row.bodies,
            counts.descents,
            counts.visits,
            counts.point_tests,
            counts.nodes,
            counts.depth,
            row.all_to_all,
            row.all_to_all / counts.operations() as f64
        );
    }
    text + "\n"
}

fn ratio_table(rows: &[Row]) -> String {
    let mut text =
        "Λ = detection / (step − detection), and the report's Table 3 as printed and as it follows from its \
        Table 2 (* misprinted):\n\n\
        | N | step [s] | detection, % of step | Λ sorting | Λ no sorting | printed | from Table 2 |\n\
        |---|---|---|---|---|---|---|\n"
            .to_owned();
    for row in rows {
        let (printed, recomputed) = published::ratios(row.bodies);
        text += &format!(
            "| {} | {:.4} | {:.2} | {:.4} | {:.3} | {printed} | {recomputed} |\n",
            row.bodies,
            row.step,
            100.0 * row.detection / row.step,
            row.ratio(),
            row.unsorted_ratio()
        );
    }
    text + "\n"
}

fn fits(rows: &[Row]) -> String {
    let points = |value: &dyn Fn(&Row) -> f64| -> Vec<(f64, f64)> {
        rows.iter().map(|row| (row.bodies, value(row))).collect()
    };
    let operations = points(&|row| row.counts.operations() as f64);
    let (sorted, unsorted) = (points(&|row| row.seconds[0]), points(&|row| row.seconds[2]));
    let mut text = format!(
        "Growth N^: operations {:.3}, time sorted {:.3}, time unsorted {:.3}, step {:.3}\n\
         Against N ln N: operations R² {:.5}, time sorted R² {:.5}\n",
        exponent(&operations),
        exponent(&sorted),
        exponent(&unsorted),
        exponent(&points(&|row| row.step)),
        against_n_log_n(&operations).r2,
        against_n_log_n(&sorted).r2
    );
    if rows.len() > 3 {
        text += &format!("Parabola through times unsorted: R² {:.6}\n", parabola_r2(&unsorted));
    }
    text + "published: growth 1.05 and 2.13; \"R\" 0.99985 and 0.999991, which are R²\n\n"
}

/// Operations up to 10,000 bodies.
fn many_bodies() -> Result<String, Failure> {
    let mut points = Vec::new();
    for side in [10, 30, 100] {
        let settings = SolidSettings::new(0.02);
        let run = lively_disks((side, side), (8, 1), false, settings).map_err(StepError::from)?;
        let x = &run.state.positions;
        let (_, counts) = sort_points(&run.setup, (x, x), 1.0, 0.02);
        points.push(((side * side) as f64, counts.operations() as f64));
    }
    Ok(format!("Operations from 100 to 10,000 bodies: growth N^{:.3}\n", exponent(&points)))
}

/// Most memory this process has taken, where the system tells.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
