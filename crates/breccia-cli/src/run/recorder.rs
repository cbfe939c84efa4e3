//! What a run writes while it goes on: table, frames, checkpoints, log.

use super::Ending;
use crate::problem::Failure;
use breccia::diagnostics::{Phase, Sample};
use breccia::output::observe::{frame_of, picture_of, table_columns, table_row};
use breccia::output::{
    BackgroundWriter, CheckpointError, FrameSeries, FrameSet, OutputError, RunFolder, Table, atomic,
    checkpoint,
};
use breccia::scene::{OutputSettings, Scene};
use breccia::simulation::Simulation;
use breccia::state::State;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Content of a checkpoint.
#[derive(Serialize, Deserialize)]
pub struct Saved {
    /// Fingerprint of the scene.
    pub scene: u64,
    /// The state.
    pub state: State,
}

/// Borrowed form of [`Saved`], so that the state need not be copied to be saved.
#[derive(Serialize)]
struct SavedRef<'a> {
    scene: u64,
    state: &'a State,
}

/// What of a scene must stay the same for a restart: all but its length, threads and output.
pub fn fingerprint(scene: &Scene) -> u64 {
    let mut scene = scene.clone();
    scene.title.clear();
    scene.threads = 0;
    scene.model.time.duration = 0.0;
    let planes = std::mem::take(&mut scene.output.flow_planes);
    scene.output = OutputSettings { flow_planes: planes, ..no_output() };
    // FNV-1a over the serialised scene: stable, and collisions are no danger here.
    let text = serde_json::to_vec(&scene).unwrap_or_default();
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn no_output() -> OutputSettings {
    OutputSettings {
        frame_interval: 0.0,
        table_interval: 0.0,
        checkpoint_interval: 0.0,
        contacts: false,
        picture: false,
        flow_planes: Vec::new(),
    }
}

/// Files written at the end.
pub struct Wrote {
    /// The run folder.
    pub folder: RunFolder,
    /// Frames in it.
    pub frames: u64,
    /// Rows of the table written by this process.
    pub rows: u64,
    /// The picture, if one was made.
    pub picture: Option<PathBuf>,
}

/// Writes a run's files.
pub struct Recorder {
    folder: RunFolder,
    title: String,
    scene: u64,
    settings: OutputSettings,
    table: Table,
    frames: BackgroundWriter<FrameSet>,
    checkpoints: BackgroundWriter<Vec<u8>>,
    log: Option<File>,
    last_checkpoint: Instant,
    last_sample: Option<Sample>,
    frames_written: u64,
    rows_written: u64,
}

impl Recorder {
    /// Opens or continues the files of a run.
    pub fn open(
        folder: RunFolder,
        scene: &Scene,
        simulation: &Simulation,
        restart: bool,
    ) -> Result<Self, Failure> {
        let columns = table_columns(&simulation.setup);
        // The next step is the first whose rows are not there yet.
        let done = simulation.setup.time_of(simulation.state.step) - 0.5 * simulation.setup.time_step;
        let (table, series) = if restart {
            (Table::resume(folder.table(), &columns, done)?, FrameSeries::resume(&folder, done)?)
        } else {
            let resolved = breccia::scene::resolved_toml(scene).map_err(|error| {
                Failure::other(format!("cannot write the resolved scene: {error}"), "report this")
            })?;
            atomic::write_atomically(&folder.scene(), atomic::Durability::Process, |out| {
                out.write_all(resolved.as_bytes())
            })?;
            (Table::create(folder.table(), &columns)?, FrameSeries::create(&folder))
        };
        let path = folder.checkpoint();
        let store = move |bytes: Vec<u8>| checkpoint::store(&path, &bytes).map_err(as_output_error);
        let log =
            OpenOptions::new().create(true).append(restart).write(true).truncate(!restart).open(folder.log());
        Ok(Self {
            title: scene.title.clone(),
            scene: fingerprint(scene),
            settings: scene.output.clone(),
            frames_written: series.next_index() as u64,
            table,
            frames: BackgroundWriter::for_frames(series)?,
            checkpoints: BackgroundWriter::new(1, store)?,
            log: log.ok(),
            last_checkpoint: Instant::now(),
            last_sample: None,
            rows_written: 0,
            folder,
        })
    }

    /// A handle to the log file.
    pub fn log(&self) -> Option<File> {
        self.log.as_ref().and_then(|file| file.try_clone().ok())
    }

    /// The last row of the table.
    pub fn last_sample(&self) -> Option<&Sample> {
        self.last_sample.as_ref()
    }

    /// Writes what is due after a step.
    pub fn record(&mut self, run: &mut Simulation) -> Result<(), Failure> {
        let begin = Instant::now();
        let step = run.state.step - 1;
        let last = run.is_finished();
        if last || is_due(step, self.settings.table_interval, run.setup.time_step) {
            self.write_row(run)?;
            end_phase_at_rest(run, self.last_sample.as_ref());
        }
        if last || is_due(step, self.settings.frame_interval, run.setup.time_step) {
            self.frames.submit(frame_of(run, self.settings.contacts))?;
            self.frames_written += 1;
        }
        if self.last_checkpoint.elapsed() >= Duration::from_secs_f64(self.settings.checkpoint_interval) {
            self.write_checkpoint(run)?;
        }
        run.timers.add_since(Phase::Output, begin);
        Ok(())
    }

    fn write_row(&mut self, run: &mut Simulation) -> Result<(), Failure> {
        let sample = run.sample();
        self.table.append(&table_row(run, &sample))?;
        self.rows_written += 1;
        self.last_sample = Some(sample);
        Ok(())
    }

    fn write_checkpoint(&mut self, run: &Simulation) -> Result<(), Failure> {
        let bytes = checkpoint::encode(&SavedRef { scene: self.scene, state: &run.state })?;
        self.checkpoints.submit(bytes)?;
        self.last_checkpoint = Instant::now();
        Ok(())
    }

    /// Writes what belongs to the end and waits for all files.
    pub fn close(mut self, run: &mut Simulation, ending: &Ending) -> Result<Wrote, Failure> {
        let begin = Instant::now();
        match ending {
            Ending::Finished | Ending::Interrupted => self.write_checkpoint(run)?,
            // The last good checkpoint stays; the bad state is shown, not saved.
            Ending::Failed(_) if run.state.fastest.is_finite() => {
                self.frames.submit(frame_of(run, self.settings.contacts))?;
                self.frames_written += 1;
            }
            Ending::Failed(_) => {}
        }
        let picture = if self.settings.picture && run.state.fastest.is_finite() {
            let (scene, options) = picture_of(run, &self.title);
            breccia::output::render(&scene, &options)?.write_png(&self.folder.picture())?;
            Some(self.folder.picture())
        } else {
            None
        };
        self.frames.finish()?;
        self.checkpoints.finish()?;
        run.timers.add_since(Phase::Output, begin);
        Ok(Wrote { folder: self.folder, frames: self.frames_written, rows: self.rows_written, picture })
    }
}

fn as_output_error(error: CheckpointError) -> OutputError {
    match error {
        CheckpointError::File(error) => error,
        other => OutputError::io(
            "store",
            std::path::Path::new("checkpoint"),
            std::io::Error::other(other.to_string()),
        ),
    }
}

/// Whether a multiple of `interval` [s] falls nearest to this step.
fn is_due(step: u64, interval: f64, time_step: f64) -> bool {
    if !interval.is_finite() {
        return step == 0;
    }
    let number = (step as f64 * time_step / interval).round();
    (number * interval / time_step).round() as u64 == step
}

/// Ends a phase whose bodies have come to rest, if it asks for that.
fn end_phase_at_rest(run: &mut Simulation, sample: Option<&Sample>) {
    let agenda = &run.state.agenda;
    let Some(phase) = run.setup.phases.get(agenda.phase) else { return };
    let (Some(limit), Some(sample)) = (phase.until_kinetic_energy, sample) else { return };
    let elapsed = (run.state.step - agenda.phase_began) as f64 * run.setup.time_step;
    if elapsed > 0.1 * phase.duration && sample.energy.kinetic() < limit {
        run.end_phase();
    }
}

#[cfg(test)]
mod tests {
    use super::is_due;

    #[test]
    fn intervals_that_are_no_multiples_of_the_step_keep_their_mean() {
        let due: Vec<u64> = (0..50).filter(|&step| is_due(step, 0.25, 0.1)).collect();
        assert_eq!(due.len(), 20);
        assert_eq!(&due[..5], &[0, 3, 5, 8, 10]);
        assert!(is_due(0, f64::INFINITY, 0.1) && !is_due(7, f64::INFINITY, 0.1));
        assert!((0..9).all(|step| is_due(step, 0.01, 0.1)));
    }
}
