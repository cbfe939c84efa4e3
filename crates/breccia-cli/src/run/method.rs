//! What the program needs of a run, whatever its method.
//!
//! A method steps from instant to instant of one fixed grid, time = number × step (what it does in between, such as
//! shorter steps where a solver asks for them, is its own affair). The recorder, the bar and the report see only this.

use breccia::output::{Column, FrameSet, Image, OutputError, RunFolder};
use breccia::scene::{OutputSettings, Scene};
use breccia::simulation::StepError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::borrow::Borrow;

/// A file of a run that only its method knows of.
pub struct Extra {
    /// Name in the run folder.
    pub name: &'static str,
    /// What it is for, for the report.
    pub what: &'static str,
}

/// What a method tells at the end of a run.
pub struct Account {
    /// Paragraphs of the report, after the headline.
    pub paragraphs: Vec<String>,
    /// Entries of `summary.json` beyond those of every run.
    pub summary: Map<String, Value>,
}

/// A run that can be stepped, shown, saved and told about.
pub trait Method: Sized {
    /// All that a checkpoint has to hold.
    type State: Serialize + DeserializeOwned;

    /// What its bodies are called: `spheres`.
    const BODIES: &'static str;

    /// How its frames are best shown, two lines of the report; the first goes on after "open in ParaView".
    const FRAME_ADVICE: [&'static str; 2] = ["", ""];

    /// The run at its first instant.
    fn begin(scene: &Scene) -> Result<Self, StepError>;

    /// The run where it was saved.
    fn resume(scene: &Scene, state: Self::State) -> Result<Self, StepError>;

    /// What a checkpoint holds.
    fn state(&self) -> impl Borrow<Self::State>;

    /// Step between two instants of a scene [s].
    fn time_step_of(scene: &Scene) -> f64;

    /// Step between two instants [s].
    fn time_step(&self) -> f64;

    /// Steps done since the beginning.
    fn steps_done(&self) -> u64;

    /// Steps of the whole run.
    fn steps_in_all(&self) -> u64;

    /// Number of the instant that rows and frames now tell of; none before there is one.
    fn shown_instant(&self) -> Option<u64>;

    /// Moves on by one step.
    fn step(&mut self) -> Result<(), StepError>;

    /// Whether the run has come to its end.
    fn is_finished(&self) -> bool;

    /// Why a finished run cannot be gone on with by asking for a longer one; nothing if it can.
    fn final_reason(&self) -> Option<&'static str> {
        None
    }

    /// Whether the state can be shown and saved (finite numbers).
    fn is_sound(&self) -> bool;

    /// Bodies present.
    fn body_count(&self) -> u64;

    /// What goes on, for the progress line: name of the phase and the like, with its own separator at the end.
    fn activity(&self) -> String {
        String::new()
    }

    /// A few telling numbers for the progress line.
    fn pulse(&self) -> String;

    /// Columns of the table.
    fn columns(&self) -> Vec<Column>;

    /// A row of the table. `extra` rows are those a longer run would not have: they must leave no trace.
    fn row(&mut self, extra: bool) -> Vec<f64>;

    /// What a frame shows.
    fn frame(&self, settings: &OutputSettings) -> FrameSet;

    /// Begins a new interval for means between frames.
    fn begin_interval(&mut self) {}

    /// Notes time spent writing [s].
    fn add_output_time(&mut self, seconds: f64);

    /// Names of all files [`Method::write_tables`] and [`Method::write_plots`] may make, to be removed when a run
    /// goes on.
    fn extras(&self) -> Vec<Extra> {
        Vec::new()
    }

    /// Writes tables that go with each checkpoint.
    fn write_tables(&self, _folder: &RunFolder) -> Result<(), OutputError> {
        Ok(())
    }

    /// Writes plots at the end.
    fn write_plots(&self, _folder: &RunFolder, _title: &str) -> Result<(), OutputError> {
        Ok(())
    }

    /// The picture of the last instant and what it is coloured by; none where it cannot be drawn.
    fn picture(&self, title: &str) -> Result<Option<(Image, &'static str)>, OutputError>;

    /// What is told at the end of a run that took `elapsed` seconds.
    fn account(&mut self, scene: &Scene, elapsed: f64) -> Account;
}
