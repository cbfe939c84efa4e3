//! How measurements of whole scenes are told: a row per number of threads.

use super::measure::{Row, measure, thread_counts};
use crate::cli::BenchOptions;
use crate::problem::Failure;
use crate::{say, tell};
use breccia::scene::Scene;
use breccia::state::State;
use serde_json::json;
use std::process::ExitCode;

/// Measures a prepared scene with the threads asked for and tells it.
pub fn measure_and_tell(
    name: &str,
    scene: &Scene,
    state: &State,
    options: &BenchOptions,
) -> Result<ExitCode, Failure> {
    let rows = thread_counts(options.threads)
        .into_iter()
        .map(|threads| measure(scene, state, threads, options.window(), |_| {}))
        .collect::<Result<Vec<_>, _>>()?;
    let count = state.bodies.len();
    tell::out(&if options.json { json_report(name, count, &rows) } else { table(name, count, &rows) })?;
    Ok(ExitCode::SUCCESS)
}

fn table(name: &str, count: usize, rows: &[Row]) -> String {
    let mut text = format!(
        "{name} of {} spheres, {:?} instructions, coordination {:.3}\n{:>8} {:>8} {:>18} {:>9}  time by part [%]\n",
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
            "{:>8} {:>8} {:>18.3e} {:>9.2}  {}; {} rebuilds, {} refreshes{}\n",
            row.threads,
            row.steps,
            row.rate,
            row.rate / rows[0].rate,
            row.parts(),
            row.timers.rebuilds,
            row.timers.refreshes,
            row.processor_note()
        );
    }
    let bytes = rows[0].state_bytes;
    let each = bytes / count as f64;
    text + &format!("memory of the state {}, {each:.0} bytes per sphere\n", say::bytes(bytes))
}

fn json_report(name: &str, count: usize, rows: &[Row]) -> String {
    let report = json!({
        "bench": name,
        "spheres": count,
        "instruction_set": format!("{:?}", breccia::dispatch::instruction_set()),
        "bytes_per_sphere": rows[0].state_bytes / count as f64,
        "rows": rows.iter().map(Row::to_json).collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}
