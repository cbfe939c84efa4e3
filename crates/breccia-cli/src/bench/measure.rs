//! Preparing a settled state once, and timing steps from it.

use crate::problem::Failure;
use crate::{say, tell};
use breccia::diagnostics::{Phase, Timers};
use breccia::output::{read_checkpoint, write_checkpoint};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use breccia::state::State;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Steps before the clock starts.
const WARM_UP_STEPS: u64 = 100;

/// One measurement.
pub struct Row {
    /// Threads used.
    pub threads: usize,
    /// Steps timed.
    pub steps: u64,
    /// Wall-clock time of them [s].
    pub seconds: f64,
    /// Bodies times steps per second.
    pub rate: f64,
    /// Mean number of contacts of a body at the end.
    pub coordination: f64,
    /// Contacts, pairs and walls, at the end.
    pub contacts: u64,
    /// Memory the state holds, lists and buffers included [bytes].
    pub state_bytes: f64,
    /// Time by part.
    pub timers: Timers,
}

/// A pool of threads.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::other(format!("cannot start {threads} threads: {error}"), "ask for fewer"))
}

/// Threads of this machine.
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The state of a scene after `steps` steps, from its file under `out/bench` or made now and kept there.
pub fn settled(scene: &Scene, name: &str, steps: u64) -> Result<State, Failure> {
    let path = PathBuf::from(format!("out/bench/{name}.state"));
    if let Ok(state) = read_checkpoint::<State>(&path) {
        return Ok(state);
    }
    tell::note(&format!("settling {} spheres ({steps} steps) ...", say::count(scene.bodies.len() as u64)));
    let mut run = Simulation::new(scene);
    pool(all_threads())?.install(|| settle(&mut run, steps))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::other(format!("cannot make {}: {error}", folder.display()), "run elsewhere")
    })?;
    write_checkpoint(&path, &run.state)?;
    Ok(run.state)
}

fn settle(run: &mut Simulation, steps: u64) -> Result<(), Failure> {
    let begin = Instant::now();
    let mut told = Instant::now();
    for step in 1..=steps {
        run.step()?;
        if told.elapsed().as_secs() >= 5 {
            told = Instant::now();
            let left = begin.elapsed().as_secs_f64() * (steps - step) as f64 / step as f64;
            tell::note(&format!("  {:3} %, {} left", 100 * step / steps, say::wait(left)));
        }
    }
    Ok(())
}

/// Times steps from a state for about `seconds` [s].
pub fn measure(scene: &Scene, state: &State, threads: usize, seconds: f64) -> Result<Row, Failure> {
    pool(threads)?.install(|| {
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
        let contacts = run.sample().contacts;
        Ok(Row {
            threads,
            steps,
            seconds: elapsed,
            rate: run.state.bodies.len() as f64 * steps as f64 / elapsed,
            coordination: contacts.coordination,
            contacts: contacts.pairs + contacts.walls,
            state_bytes: run.state.memory_bytes() as f64,
            timers: run.timers.clone(),
        })
    })
}

impl Row {
    /// Nanoseconds per contact and step.
    pub fn nanoseconds_per_contact(&self) -> f64 {
        1e9 * self.seconds / (self.steps as f64 * self.contacts.max(1) as f64)
    }

    /// Shares of the parts of a step, in words.
    pub fn parts(&self) -> String {
        let part = |phase: &Phase| {
            format!("{} {:.1}", phase.name(), 100.0 * self.timers.seconds(*phase) / self.seconds)
        };
        Phase::ALL[..5].iter().map(part).collect::<Vec<_>>().join(", ")
    }

    /// The measurement as JSON.
    pub fn to_json(&self) -> Value {
        let parts: serde_json::Map<String, Value> =
            Phase::ALL.iter().map(|p| (p.name().to_owned(), json!(self.timers.seconds(*p)))).collect();
        json!({
            "threads": self.threads,
            "steps": self.steps,
            "seconds": self.seconds,
            "particle_steps_per_s": self.rate,
            "coordination": self.coordination,
            "contacts": self.contacts,
            "ns_per_contact_and_step": self.nanoseconds_per_contact(),
            "rebuilds": self.timers.rebuilds,
            "refreshes": self.timers.refreshes,
            "seconds_by_part": parts,
        })
    }
}
