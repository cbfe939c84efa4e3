//! A rotary mixer with helical blades: where the time goes, compared with a published table.
//!
//! The scene is that of `scenes/mixer`, built into the program. Its first 0.5 s are run once, counting elements by stage
//! of the search; the clock runs from there, with the fast intersection test and without.

mod files;
mod split;
mod stages;

use super::measure::{Row, Window, all_threads, measure};
use super::replay::Replay;
use crate::cli::BenchOptions;
use crate::problem::Failure;
use crate::{say, tell};
use breccia::scene::Scene;
use breccia::state::State;
use serde_json::json;
use split::Split;
use stages::Stages;
use std::process::ExitCode;

/// Steps timed, unless told otherwise.
const STEPS: u64 = 1_000;

/// What was measured.
struct Report {
    spheres: usize,
    elements: usize,
    stages: Stages,
    with_test: Split,
    without_test: Split,
    threads: Vec<Row>,
}

/// Prepares the mixer and measures it.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let scene = files::scene(options.spheres(30_000))?;
    let (state, stages) = stages::first_half_second(&scene)?;
    let window = match (options.steps, options.seconds) {
        (None, Some(seconds)) => Window::Seconds(seconds),
        (steps, _) => Window::Steps(steps.unwrap_or(STEPS)),
    };
    let with_test = split(&scene, &state, window, true)?;
    let without_test = split(&scene, &state, window, false)?;
    let more = thread_counts(options.threads).into_iter();
    let threads = more
        .map(|threads| measure(&scene, &state, threads, window, |_| {}))
        .collect::<Result<Vec<_>, Failure>>()?;
    let meshes = scene.model.walls.iter().filter_map(|wall| wall.mesh());
    let elements = meshes.map(|mesh| mesh.mesh.elements.len()).sum();
    let report = Report { spheres: scene.bodies.len(), elements, stages, with_test, without_test, threads };
    tell::out(&if options.json { report.json() } else { report.table() })?;
    Ok(ExitCode::SUCCESS)
}

/// More threads than one to measure with: 2, 4, 8, … and all, or those asked for.
fn thread_counts(asked: Option<usize>) -> Vec<usize> {
    let most = match asked {
        None | Some(0) => all_threads(),
        Some(threads) => threads,
    };
    let mut counts: Vec<usize> =
        std::iter::successors(Some(2), |count| Some(2 * count)).take_while(|&count| count < most).collect();
    if most > 1 {
        counts.push(most);
    }
    counts
}

/// The split of the time on one thread.
fn split(scene: &Scene, state: &State, window: Window, fast_test: bool) -> Result<Split, Failure> {
    let mut scene = scene.clone();
    scene.model.search.fast_test = fast_test;
    let mut replay = Replay::default();
    let row = measure(&scene, state, 1, window, |run| replay.sample(run))?;
    Ok(Split::new(row, &replay, fast_test))
}

impl Report {
    fn table(&self) -> String {
        let mut text = format!(
            "mixer of {} spheres and {} elements, {:?} instructions, {} steps after the first 0.5 s\n",
            say::count(self.spheres as u64),
            say::count(self.elements as u64),
            breccia::dispatch::instruction_set(),
            say::count(self.with_test.row.steps),
        );
        text += &split::table(&self.with_test, &self.without_test);
        text += &self.stages.in_words();
        text += &self.speed_up();
        let physics = &self.with_test.row.physics;
        text + &format!(
            "at the end: coordination {:.3}, kinetic energy {:.3} J, overlap {:.2} % of r in the mean, {:.1} % at most, \
             {}\n",
            self.with_test.row.coordination,
            physics.kinetic,
            100.0 * physics.mean_overlap,
            100.0 * physics.largest_overlap,
            physics.closure(),
        )
    }

    /// t/t1 over threads.
    fn speed_up(&self) -> String {
        let alone = &self.with_test.row;
        let each = |row: &Row| row.seconds / row.steps as f64;
        let mut text = format!("{:>8} {:>12} {:>8} {:>9}\n", "threads", "ms per step", "t/t1", "speed-up");
        for row in std::iter::once(alone).chain(&self.threads) {
            let ratio = each(row) / each(alone);
            text += &format!(
                "{:>8} {:>12.3} {ratio:>8.3} {:>9.2}{}\n",
                row.threads,
                1e3 * each(row),
                1.0 / ratio,
                row.processor_note(),
            );
        }
        text
    }

    fn json(&self) -> String {
        let report = json!({
            "bench": "mixer",
            "spheres": self.spheres,
            "elements": self.elements,
            "instruction_set": format!("{:?}", breccia::dispatch::instruction_set()),
            "with_fast_test": self.with_test.to_json(),
            "without_fast_test": self.without_test.to_json(),
            "published": split::published_json(),
            "stages_per_sphere_in_half_a_second": self.stages.to_json(),
            "threads": self.threads.iter().map(Row::to_json).collect::<Vec<_>>(),
        });
        format!("{report:#}\n")
    }
}
