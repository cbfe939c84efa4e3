//! Preparing a settled state once, and timing steps from it.

use super::processor::processor_seconds;
use crate::problem::Failure;
use crate::{say, tell};
use breccia::contacts::WallLoad;
use breccia::diagnostics::{Phase, Sample, Timers};
use breccia::narrow_phase::StageCounts;
use breccia::output::{read_checkpoint, write_checkpoint};
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use breccia::state::State;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Steps before the clock starts: so many, or so few that a large scene takes about as long as a small one.
const WARM_UP_STEPS: std::ops::RangeInclusive<u64> = 10..=100;
/// Particle-steps of warming up, within those steps.
const WARM_UP: u64 = 10_000_000;

/// Shortest measurement whose processor time is told [s]: the system counts it in hundredths.
const SHORTEST_SHARED: f64 = 0.5;

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
    /// Memory the run holds, lists and buffers included [bytes].
    pub state_bytes: f64,
    /// Time by part.
    pub timers: Timers,
    /// Processor time of all threads [s], where the system tells.
    pub processor: Option<f64>,
    /// Elements of meshes by stage of the search, summed over the steps.
    pub stages: StageCounts,
    /// Whether it was the physics meant.
    pub physics: Physics,
}

/// Numbers about the state at the end of a measurement.
pub struct Physics {
    /// Mean number of contacts of a body with other bodies.
    pub pair_coordination: f64,
    /// Kinetic energy [J].
    pub kinetic: f64,
    /// Mean overlap over the mean radius [–].
    pub mean_overlap: f64,
    /// Largest overlap over the mean radius [–].
    pub largest_overlap: f64,
    /// Error of the energy balance since the first sample over the energy turned over [–]; none where losses are not followed.
    pub closure_error: Option<f64>,
    /// Force and torque on all walls together, means over the steps measured.
    pub wall_load: WallLoad,
    /// Weight of all bodies [N].
    pub weight: f64,
}

/// How long a measurement takes.
#[derive(Clone, Copy)]
pub enum Window {
    /// About so long [s], one step at least.
    Seconds(f64),
    /// So many steps.
    Steps(u64),
}

impl Window {
    fn is_over(self, steps: u64, begin: Instant) -> bool {
        match self {
            Self::Seconds(seconds) => seconds.is_nan() || begin.elapsed().as_secs_f64() >= seconds,
            Self::Steps(wanted) => steps >= wanted,
        }
    }
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

/// Numbers of threads to measure with: the one asked for (0 for all), or one and all.
pub fn thread_counts(asked: Option<usize>) -> Vec<usize> {
    match asked {
        Some(0) => vec![all_threads()],
        Some(threads) => vec![threads],
        None if all_threads() > 1 => vec![1, all_threads()],
        None => vec![1],
    }
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

/// Times steps from a state; `look` sees the run at the end, off the clock.
pub fn measure(
    scene: &Scene,
    state: &State,
    threads: usize,
    window: Window,
    look: impl FnOnce(&Simulation) + Send,
) -> Result<Row, Failure> {
    pool(threads)?.install(|| {
        let mut run = Simulation::resume(scene, state.clone());
        for _ in 0..warm_up_steps(run.state.bodies.len()) {
            run.step()?;
        }
        // The energy balance is told against this instant.
        run.sample();
        run.timers = Timers::default();
        let mut stages = StageCounts::default();
        let mut wall_load = WallLoad::default();
        let processor = processor_seconds();
        let begin = Instant::now();
        let mut steps = 0;
        loop {
            run.step()?;
            steps += 1;
            run.state.lists.chunks.iter().for_each(|chunk| stages += chunk.report.surfaces.stages);
            run.state.wall_loads.iter().for_each(|load| wall_load.add(load));
            if window.is_over(steps, begin) {
                break;
            }
        }
        let elapsed = begin.elapsed().as_secs_f64();
        let processor = processor.zip(processor_seconds()).map(|(before, after)| after - before);
        let sample = run.sample();
        let contacts = sample.contacts;
        look(&run);
        Ok(Row {
            threads,
            steps,
            seconds: elapsed,
            rate: run.state.bodies.len() as f64 * steps as f64 / elapsed,
            coordination: contacts.coordination,
            contacts: contacts.pairs + contacts.walls,
            state_bytes: run.state.memory_bytes() as f64,
            timers: run.timers.clone(),
            processor,
            stages,
            physics: Physics::of(&run, &sample, mean(&wall_load, steps)),
        })
    })
}

fn warm_up_steps(bodies: usize) -> u64 {
    (WARM_UP / bodies.max(1) as u64).clamp(*WARM_UP_STEPS.start(), *WARM_UP_STEPS.end())
}

fn mean(sum: &WallLoad, steps: u64) -> WallLoad {
    let part = 1.0 / steps as f64;
    WallLoad { force: sum.force * part, torque: sum.torque * part }
}

impl Physics {
    /// How well the energy balance closes, in words.
    pub fn closure(&self) -> String {
        self.closure_error
            .map_or_else(|| "losses not followed".to_owned(), |error| format!("energy closed to {error:.1e}"))
    }

    fn of(run: &Simulation, sample: &Sample, wall_load: WallLoad) -> Self {
        let rows = run.state.bodies.rows();
        let bodies = rows.len().max(1) as f64;
        let radius = rows.iter().map(|row| row.radius).sum::<f64>() / bodies;
        Self {
            pair_coordination: 2.0 * sample.contacts.pairs as f64 / bodies,
            kinetic: sample.energy.kinetic(),
            mean_overlap: sample.contacts.mean_overlap / radius,
            largest_overlap: sample.contacts.largest_overlap / radius,
            closure_error: run.setup.model.follow_losses.then_some(sample.energy.relative_closure_error),
            wall_load,
            weight: sample.mass * run.state.gravity.length(),
        }
    }
}

impl Row {
    /// Seconds that the work took [s]: of the processor for one thread, where the system tells; of the clock otherwise.
    pub fn busy_seconds(&self) -> f64 {
        match self.processor_share() {
            Some(share) if self.threads == 1 => self.seconds * share,
            _ => self.seconds,
        }
    }

    /// Nanoseconds per contact and step, by [`Row::busy_seconds`].
    pub fn nanoseconds_per_contact(&self) -> f64 {
        1e9 * self.busy_seconds() / (self.steps as f64 * self.contacts.max(1) as f64)
    }

    /// Nanoseconds per body and step, by [`Row::busy_seconds`].
    pub fn nanoseconds_per_step(&self) -> f64 {
        1e9 * self.busy_seconds() / (self.rate * self.seconds)
    }

    /// Part of a processor that each thread had [–]; below 1 where threads wait for each other or other programs run.
    ///
    /// None for measurements too short for the clock of the system.
    pub fn processor_share(&self) -> Option<f64> {
        let seconds = self.processor.filter(|_| self.seconds > SHORTEST_SHARED)?;
        Some(seconds / (self.seconds * self.threads as f64))
    }

    /// The same in words, where one thread alone was disturbed.
    pub fn processor_note(&self) -> String {
        match self.processor_share() {
            Some(share) if self.threads == 1 && share < 0.97 => {
                format!(" (disturbed: it had {:.0} % of a core)", 100.0 * share)
            }
            Some(share) if self.threads > 1 => format!(" ({:.0} % of {} cores)", 100.0 * share, self.threads),
            _ => String::new(),
        }
    }

    /// Elements per body and step: candidates, intersecting ones, valid contacts.
    pub fn stages_per_sphere(&self) -> [f64; 3] {
        // rate × seconds = bodies × steps
        let each = self.rate * self.seconds;
        [self.stages.candidates, self.stages.intersecting, self.stages.valid].map(|count| count as f64 / each)
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
        let (stages, physics) = (self.stages_per_sphere(), &self.physics);
        json!({
            "threads": self.threads,
            "steps": self.steps,
            "seconds": self.seconds,
            "particle_steps_per_s": self.rate,
            "processor_share": self.processor_share(),
            "coordination": self.coordination,
            "contacts": self.contacts,
            "ns_per_contact_and_step": self.nanoseconds_per_contact(),
            "rebuilds": self.timers.rebuilds,
            "refreshes": self.timers.refreshes,
            "seconds_by_part": parts,
            "stages_per_sphere_and_step": {
                "candidates": stages[0], "intersecting": stages[1], "valid": stages[2]
            },
            "physics": {
                "pair_coordination": physics.pair_coordination,
                "kinetic_energy": physics.kinetic,
                "mean_overlap_over_radius": physics.mean_overlap,
                "largest_overlap_over_radius": physics.largest_overlap,
                "relative_closure_error": physics.closure_error,
                "mean_wall_force": physics.wall_load.force.to_array(),
                "mean_wall_torque": physics.wall_load.torque.to_array(),
                "weight": physics.weight,
            },
        })
    }
}
