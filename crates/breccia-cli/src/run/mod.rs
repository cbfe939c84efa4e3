//! `breccia run`: a scene from its first step to its folder of results.

mod grains;
mod log;
mod measures;
mod method;
mod progress;
mod recorder;
mod report;
mod saved;
mod solids;
mod spheres;

use crate::check::{long_step_warning, refuse_endless, refused};
use crate::cli::RunOptions;
use crate::problem::{Failure, show_warnings};
use crate::tell;
use breccia::output::run_folder::Existing;
use breccia::output::{OutputError, RunFolder};
use breccia::scene::Scene;
use breccia::simulation::{Simulation, StepError, StepLimits, StepVerdict};
use grains::GrainMethod;
use log::Log;
use method::Method;
use progress::Progress;
use recorder::Recorder;
use solids::Solids;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of an interrupted run, as shells have it for Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Beyond this, threads only eat memory.
const MOST_THREADS: usize = 1024;

/// What is to be run, and what was odd about it.
pub struct Request<'a> {
    options: &'a RunOptions,
    scene: &'a Scene,
    warnings: Vec<String>,
}

/// How the stepping ended.
pub enum Ending {
    /// At its end.
    Finished,
    /// By Ctrl-C or a signal.
    Interrupted,
    /// By a failure of the run itself.
    Failed(StepError),
}

/// Runs a scene.
pub fn run(options: &RunOptions) -> Result<ExitCode, Failure> {
    let loaded = breccia::scene::load(&options.scene)?;
    show_warnings(&loaded.warnings);
    let scene = &loaded.scene;
    refuse_impossible(scene)?;
    let mut warnings: Vec<String> = loaded.warnings.iter().map(|warning| warning.plain()).collect();
    if let Some(warning) = long_step_warning(scene).filter(|_| scene.is_explicit()) {
        tell::note(&format!("warning: {warning}"));
        warnings.push(format!("warning: {warning}"));
    }
    let threads = options.threads.unwrap_or(scene.threads);
    if threads > MOST_THREADS {
        return Err(Failure::other(
            format!("{threads} threads are too many: at most {MOST_THREADS} are started"),
            "0 takes as many as the machine has",
        ));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        Failure::other(format!("cannot start {threads} threads: {error}"), "ask for fewer with --threads")
    })?;
    let request = Request { options, scene, warnings };
    pool.install(|| match (&scene.grains, &scene.solids) {
        (Some(_), _) => request.run::<GrainMethod>(),
        (_, Some(_)) => request.run::<Solids>(),
        (None, None) => request.run::<Simulation>(),
    })
}

impl Request<'_> {
    fn run<M: Method>(&self) -> Result<ExitCode, Failure> {
        let root = self.options.out.clone().unwrap_or_else(|| default_folder(&self.options.scene));
        refuse_to_bury(&self.options.scene, &root)?;
        let interrupted = watch_for_interrupt();
        let (folder, mut simulation) = self.begin::<M>(&root)?;
        let mut log = Log::open(&folder, simulation.steps_done() > 0);
        log.line(&format!("breccia {}: {}", env!("CARGO_PKG_VERSION"), self.options.scene.display()));
        self.warnings.iter().for_each(|warning| log.line(warning));
        let outcome = self.step_and_record(folder, &mut simulation, &mut log, &interrupted);
        if let Err(failure) = &outcome {
            log.line(&format!("error: {failure}"));
        }
        outcome
    }

    /// The run folder and the run, at its first step or at its last checkpoint.
    fn begin<M: Method>(&self, root: &Path) -> Result<(RunFolder, M), Failure> {
        let existing = if self.options.overwrite { Existing::Overwrite } else { Existing::Refuse };
        if !self.options.restart {
            return Ok((create_folder(root, existing)?, M::begin(self.scene)?));
        }
        let folder = RunFolder::open(root).map_err(|error| {
            Failure::other(
                format!("there is no run to go on with: {error}"),
                "leave out --restart, or name its folder with --out",
            )
        })?;
        if let Some(simulation) = saved::resume::<M>(self.scene, &folder)? {
            let time = simulation.steps_done() as f64 * simulation.time_step();
            tell::note(&format!("going on at t = {time:.6} s"));
            return Ok((folder, simulation));
        }
        tell::note("no checkpoint had been written yet: starting from the beginning");
        Ok((create_folder(root, Existing::Overwrite)?, M::begin(self.scene)?))
    }

    fn step_and_record<M: Method>(
        &self,
        folder: RunFolder,
        simulation: &mut M,
        log: &mut Log,
        interrupted: &AtomicBool,
    ) -> Result<ExitCode, Failure> {
        let mut recorder = Recorder::open(folder, &self.options.scene, self.scene, simulation)?;
        let mut progress = Progress::new(self.scene, simulation, log);
        let outcome = step_to_end(simulation, &mut recorder, &mut progress, log, interrupted);
        progress.finish();
        let ending = Ending::of(outcome)?;
        let told = recorder.close(simulation, &ending).and_then(|wrote| {
            let text = report::end_of_run(self, simulation, &progress, &ending, &wrote)?;
            log.line(&text);
            tell::out(&(text + "\n"))
        });
        match (ending, told) {
            // Why the run failed matters more than that its last files could not be written.
            (Ending::Failed(error), told) => {
                told.unwrap_or_else(|also| tell::note(&format!("warning: {also}")));
                Err(Failure::Step(error))
            }
            (_, Err(failure)) => Err(failure),
            (Ending::Finished, Ok(())) => Ok(ExitCode::SUCCESS),
            (Ending::Interrupted, Ok(())) => Ok(ExitCode::from(INTERRUPTED)),
        }
    }
}

impl Ending {
    fn of(outcome: Result<bool, Failure>) -> Result<Self, Failure> {
        match outcome {
            Ok(true) => Ok(Self::Finished),
            Ok(false) => Ok(Self::Interrupted),
            Err(Failure::Step(error)) => Ok(Self::Failed(error)),
            Err(other) => Err(other),
        }
    }
}

/// Steps until the end (true), an interrupt (false) or a failure.
fn step_to_end<M: Method>(
    simulation: &mut M,
    recorder: &mut Recorder,
    progress: &mut Progress,
    log: &mut Log,
    interrupted: &AtomicBool,
) -> Result<bool, Failure> {
    if simulation.shown_instant() == Some(0) {
        recorder.record(simulation)?;
    }
    while !simulation.is_finished() {
        simulation.step()?;
        recorder.record(simulation)?;
        progress.show(simulation, log);
        if interrupted.load(Ordering::Relaxed) && !simulation.is_finished() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Refuses time steps that cannot be run and runs that would not end.
fn refuse_impossible(scene: &Scene) -> Result<(), Failure> {
    if !scene.is_explicit() {
        return Ok(());
    }
    if StepLimits::of(scene).judge(&scene.model) == StepVerdict::Refused {
        return Err(refused(scene));
    }
    refuse_endless(scene)
}

fn create_folder(root: &Path, existing: Existing) -> Result<RunFolder, Failure> {
    RunFolder::create(root, existing).map_err(|error| match error {
        OutputError::RunExists { .. } => Failure::other(
            format!("{} already holds a run", root.display()),
            "name another folder with --out, go on with --restart, or replace it with --overwrite",
        ),
        other => Failure::other(other.to_string(), "name another folder with --out"),
    })
}

/// A run writes its own `scene.toml`: it must not be the one that is run.
fn refuse_to_bury(scene: &Path, root: &Path) -> Result<(), Failure> {
    let written = root.join("scene.toml");
    match (scene.canonicalize(), written.canonicalize()) {
        (Ok(scene), Ok(written)) if scene == written => Err(Failure::other(
            format!("a run in {} would replace the scene {}", root.display(), scene.display()),
            "name another folder with --out",
        )),
        _ => Ok(()),
    }
}

/// A flag raised by Ctrl-C or a request to end; a second one ends the program at once.
fn watch_for_interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let handler = move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tell::note(&format!("warning: Ctrl-C will not write a checkpoint: {error}"));
    }
    flag
}

/// `out/NAME`, after the scene file or, for `scene.toml`, its folder.
fn default_folder(scene: &Path) -> PathBuf {
    let stem = scene.file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy().into_owned());
    let parent = scene.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let name = if stem == "scene" { parent.unwrap_or(stem) } else { stem };
    Path::new("out").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_folders_are_named_after_the_scene() {
        assert_eq!(default_folder(Path::new("scenes/hopper/scene.toml")), Path::new("out/hopper"));
        assert_eq!(default_folder(Path::new("my.toml")), Path::new("out/my"));
        assert_eq!(default_folder(Path::new("scene.toml")), Path::new("out/scene"));
    }
}
