//! `breccia run`: a scene from its first step to its folder of results.

mod progress;
mod recorder;
mod report;

use crate::check::{long_step_warning, refused};
use crate::cli::RunOptions;
use crate::problem::{Failure, show_warnings};
use breccia::output::RunFolder;
use breccia::output::run_folder::Existing;
use breccia::scene::Scene;
use breccia::simulation::{Simulation, StepLimits, StepVerdict};
use progress::Progress;
use recorder::{Recorder, Saved};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of an interrupted run, as shells have it for Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Runs a scene.
pub fn run(options: &RunOptions) -> Result<ExitCode, Failure> {
    let loaded = breccia::scene::load(&options.scene)?;
    show_warnings(&loaded.warnings);
    let scene = loaded.scene;
    if StepLimits::of(&scene).judge(&scene.model) == StepVerdict::Refused {
        return Err(refused(&scene));
    }
    if let Some(warning) = long_step_warning(&scene) {
        eprintln!("warning: {warning}");
    }
    let threads = options.threads.unwrap_or(scene.threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        Failure::other(format!("cannot start {threads} threads: {error}"), "ask for fewer")
    })?;
    pool.install(|| run_scene(options, &scene, &loaded.warnings.len()))
}

fn run_scene(options: &RunOptions, scene: &Scene, warnings: &usize) -> Result<ExitCode, Failure> {
    let root = options.out.clone().unwrap_or_else(|| default_folder(&options.scene));
    let (folder, mut simulation) = if options.restart {
        let folder = RunFolder::open(&root)?;
        let simulation = resume(scene, &folder)?;
        (folder, simulation)
    } else {
        let existing = if options.overwrite { Existing::Overwrite } else { Existing::Refuse };
        (create_folder(&root, existing)?, Simulation::new(scene))
    };
    let interrupted = watch_for_interrupt();
    let mut recorder = Recorder::open(folder, scene, &simulation, options.restart)?;
    let mut progress = Progress::new(scene, &simulation, recorder.log());
    let outcome = step_to_end(&mut simulation, &mut recorder, &mut progress, &interrupted);
    progress.finish();
    let ending = Ending::of(outcome)?;
    let wrote = recorder.close(&mut simulation, &ending)?;
    report::print(scene, &mut simulation, &progress, &ending, &wrote, *warnings, options)?;
    ending.into_exit()
}

/// How the stepping ended.
pub enum Ending {
    /// At its end.
    Finished,
    /// By Ctrl-C or a signal.
    Interrupted,
    /// By a failure of the run itself.
    Failed(breccia::simulation::StepError),
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

    fn into_exit(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Finished => Ok(ExitCode::SUCCESS),
            Self::Interrupted => Ok(ExitCode::from(INTERRUPTED)),
            Self::Failed(error) => Err(Failure::Step(error)),
        }
    }
}

/// Steps until the end (true), an interrupt (false) or a failure.
fn step_to_end(
    simulation: &mut Simulation,
    recorder: &mut Recorder,
    progress: &mut Progress,
    interrupted: &AtomicBool,
) -> Result<bool, Failure> {
    while !simulation.is_finished() {
        simulation.step()?;
        recorder.record(simulation)?;
        progress.show(simulation, recorder.last_sample());
        if interrupted.load(Ordering::Relaxed) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn create_folder(root: &Path, existing: Existing) -> Result<RunFolder, Failure> {
    RunFolder::create(root, existing).map_err(|error| match error {
        breccia::output::OutputError::RunExists { .. } => Failure::other(
            format!("{} already holds a run", root.display()),
            "name another folder with --out, go on with --restart, or replace it with --overwrite",
        ),
        other => Failure::Output(other),
    })
}

fn resume(scene: &Scene, folder: &RunFolder) -> Result<Simulation, Failure> {
    let latest = breccia::output::read_latest::<Saved>(&folder.checkpoint())?;
    if let Some(passed) = &latest.passed_over {
        eprintln!("warning: {passed}; going on from {}", latest.path.display());
    }
    if latest.state.scene != recorder::fingerprint(scene) {
        return Err(Failure::other(
            format!("the scene has changed since {} was written", latest.path.display()),
            "restart with the scene as it was (only its duration, threads and output may change), or start anew \
             with --overwrite",
        ));
    }
    Ok(Simulation::resume(scene, latest.state.state))
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
        eprintln!("warning: Ctrl-C will not write a checkpoint: {error}");
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
