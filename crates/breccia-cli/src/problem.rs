//! Failures and how they are told.

use crate::tell;
use crate::verify::VerifyError;
use breccia::output::{CheckpointError, OutputError};
use breccia::scene::SceneError;
use breccia::simulation::StepError;
use miette::Report;
use std::process::ExitCode;
use thiserror::Error;

/// Why a command failed.
#[derive(Debug, Error)]
pub enum Failure {
    /// The scene has mistakes.
    #[error("the scene has mistakes")]
    Scene(#[from] SceneError),
    /// The run had to stop.
    #[error("{0}")]
    Step(#[from] StepError),
    /// A file could not be written.
    #[error(
        "{0}\nhelp: mend that and go on from the last checkpoint with --restart, or name another folder with --out"
    )]
    Output(#[from] OutputError),
    /// A checkpoint could not be written or read.
    #[error("{0}\nhelp: start anew with --overwrite, or in another folder with --out")]
    Checkpoint(#[from] CheckpointError),
    /// An experiment could not be made.
    #[error("{0}")]
    Verify(#[from] VerifyError),
    /// Anything else, with its remedy.
    #[error("{what}\nhelp: {help}")]
    Other {
        /// What went wrong.
        what: String,
        /// What to do about it.
        help: String,
    },
}

impl Failure {
    /// A failure in words.
    pub fn other(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Other { what: what.into(), help: help.into() }
    }

    /// Tells the failure on stderr.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Scene(error) => show_scene_error(error),
            other => tell::note(&format!("error: {other}")),
        }
        ExitCode::FAILURE
    }
}

/// All mistakes of a scene, each with its place.
pub fn show_scene_error(error: SceneError) {
    let problems = error.problems().to_vec();
    let count = problems.iter().filter(|problem| problem.file().is_some()).count();
    for problem in problems {
        tell::note(&format!("{:?}", Report::new(problem)));
    }
    if count == 0 {
        return;
    }
    let plural = if count == 1 { "" } else { "s" };
    tell::note(&format!("{count} mistake{plural} in the scene; nothing was run"));
}

/// Warnings of a scene.
pub fn show_warnings(warnings: &[breccia::scene::Problem]) {
    for warning in warnings {
        tell::note(&format!("{:?}", Report::new(warning.clone())));
    }
}
