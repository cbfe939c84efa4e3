//! The first 0.5 s: elements by stage of the search, added up per sphere.

use crate::bench::measure::{all_threads, pool};
use crate::problem::Failure;
use crate::{say, tell};
use breccia::narrow_phase::StageCounts;
use breccia::output::{Plot, read_checkpoint, write_checkpoint};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use breccia::state::State;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

/// Simulated time [s].
const DURATION: f64 = 0.5;
/// Rows of the table.
const ROWS: u64 = 200;
/// Where table and plot go, without their endings.
const FOLDER: &str = "out/bench";

/// Counts per sphere since the start.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Stages {
    /// Instants [s].
    times: Vec<f64>,
    /// Elements on the lists.
    candidates: Vec<f64>,
    /// Elements that met their sphere.
    intersecting: Vec<f64>,
    /// Contacts.
    valid: Vec<f64>,
}

/// State and counts after the first 0.5 s, from `out/bench` or made now and kept there.
pub fn first_half_second(scene: &Scene) -> Result<(State, Stages), Failure> {
    let count = scene.bodies.len();
    let path = Path::new(FOLDER).join(format!("mixer-{count}.state"));
    let kept = match read_checkpoint::<(State, Stages)>(&path) {
        Ok(kept) => kept,
        Err(_) => {
            let made = pool(all_threads())?.install(|| run(scene))?;
            write_checkpoint(&path, &made)?;
            made
        }
    };
    kept.1.write(count)?;
    Ok(kept)
}

fn run(scene: &Scene) -> Result<(State, Stages), Failure> {
    let mut run = Simulation::new(scene);
    let steps = (DURATION / run.setup.time_step).round() as u64;
    let spheres = scene.bodies.len();
    tell::note(&format!(
        "mixing {} spheres for {DURATION} s ({steps} steps) ...",
        say::count(spheres as u64)
    ));
    let (mut sums, mut stages) = (StageCounts::default(), Stages::default());
    let begin = Instant::now();
    let mut told = Instant::now();
    for step in 1..=steps {
        run.step()?;
        run.state.lists.chunks.iter().for_each(|chunk| sums += chunk.report.surfaces.stages);
        if step.is_multiple_of((steps / ROWS).max(1)) {
            stages.note(run.setup.time_of(step), &sums, spheres);
        }
        if told.elapsed().as_secs() >= 5 {
            told = Instant::now();
            let left = begin.elapsed().as_secs_f64() * (steps - step) as f64 / step as f64;
            tell::note(&format!("  {:3} %, {} left", 100 * step / steps, say::wait(left)));
        }
    }
    Ok((run.state, stages))
}

impl Stages {
    fn note(&mut self, time: f64, sums: &StageCounts, spheres: usize) {
        let each = |count: u64| count as f64 / spheres.max(1) as f64;
        self.times.push(time);
        self.candidates.push(each(sums.candidates));
        self.intersecting.push(each(sums.intersecting));
        self.valid.push(each(sums.valid));
    }

    /// Writes the table and, laid out like the paper's Figure 30, the plot.
    fn write(&self, spheres: usize) -> Result<(), Failure> {
        let path = |ending: &str| Path::new(FOLDER).join(format!("mixer-{spheres}-stages.{ending}"));
        let mut text = String::from("time,candidates,intersecting,valid\n");
        for row in 0..self.times.len() {
            let cells = [&self.times, &self.candidates, &self.intersecting, &self.valid];
            let cells: Vec<String> = cells.iter().map(|column| format!("{:.6}", column[row])).collect();
            text += &(cells.join(",") + "\n");
        }
        let table = path("csv");
        std::fs::write(&table, text).map_err(|error| {
            Failure::other(format!("cannot write {}: {error}", table.display()), "run elsewhere")
        })?;
        let plot = Plot::new("Elements by stage of the search", "time [s]", "counts per sphere [–]")
            .log_y()
            .line("candidates", &self.times, &self.candidates)
            .line("intersecting", &self.times, &self.intersecting)
            .line("valid contacts", &self.times, &self.valid);
        Ok(plot.write(&path("svg"))?)
    }

    fn totals(&self) -> [f64; 3] {
        [&self.candidates, &self.intersecting, &self.valid]
            .map(|column| column.last().copied().unwrap_or(0.0))
    }

    /// Sums and ratios.
    pub fn in_words(&self) -> String {
        let [candidates, intersecting, valid] = self.totals();
        format!(
            "elements per sphere in the first {DURATION} s: candidates {}, intersecting {}, valid contacts {}; {:.2} : 1 \
             : {:.3} (paper about 30 : 1 for the first two), in {FOLDER}/mixer-*-stages.csv and .svg\n",
            say::number(candidates),
            say::number(intersecting),
            say::number(valid),
            candidates / intersecting.max(f64::MIN_POSITIVE),
            valid / intersecting.max(f64::MIN_POSITIVE),
        )
    }

    /// Sums as JSON.
    pub fn to_json(&self) -> Value {
        let [candidates, intersecting, valid] = self.totals();
        json!({"candidates": candidates, "intersecting": intersecting, "valid": valid})
    }
}
