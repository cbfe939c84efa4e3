//! What a run writes while it goes on: table, frames, checkpoints.

use super::Ending;
use super::saved::{self, fingerprint};
use crate::problem::Failure;
use breccia::diagnostics::{Phase, Sample};
use breccia::output::observe::{frame_of, picture_of, table_columns, table_row};
use breccia::output::writer::QUEUE_LENGTH;
use breccia::output::{
    BackgroundWriter, CheckpointError, FrameSeries, FrameSet, OutputError, RunFolder, Table, atomic,
    breakage_plot, checkpoint, fragment_plot, write_broken_bonds,
};
use breccia::scene::{OutputSettings, Scene};
use breccia::simulation::Simulation;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What the writer's thread does, in the order it was asked for: a checkpoint is stored only after the frames before
/// it, so that a restart from it misses none.
enum Job {
    Frame(Box<FrameSet>),
    Checkpoint(Vec<u8>),
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
    writer: BackgroundWriter<Job>,
    last_checkpoint: Instant,
    last_sample: Option<Sample>,
    frames_written: u64,
    rows_written: u64,
}

impl Recorder {
    /// Opens or continues the files of a run.
    pub fn open(
        folder: RunFolder,
        source: &Path,
        scene: &Scene,
        simulation: &Simulation,
    ) -> Result<Self, Failure> {
        write_scene(&folder, source, scene)?;
        let columns = table_columns(&simulation.setup);
        let (table, series) = if simulation.state.step > 0 {
            // They tell of the end; the run goes on.
            forget(&folder.summary())?;
            for file in [folder.picture(), folder.breakage(), folder.fragments()] {
                forget(&file)?;
            }
            let rows_until = kept_until(simulation, scene.output.table_interval);
            let frames_until = kept_until(simulation, scene.output.frame_interval);
            let table = Table::resume(folder.table(), &columns, rows_until)?;
            (table, FrameSeries::resume(&folder, frames_until)?)
        } else {
            (Table::create(folder.table(), &columns)?, FrameSeries::create(&folder))
        };
        Ok(Self {
            title: scene.title.clone(),
            scene: fingerprint(scene),
            settings: scene.output.clone(),
            frames_written: series.next_index() as u64,
            table,
            writer: start_writer(series, folder.checkpoint())?,
            last_checkpoint: Instant::now(),
            last_sample: None,
            rows_written: 0,
            folder,
        })
    }

    /// Writes what is due after a step.
    pub fn record(&mut self, run: &mut Simulation) -> Result<(), Failure> {
        let begin = Instant::now();
        let step = run.state.step - 1;
        if is_due(step, self.settings.table_interval, run.setup.time_step) {
            self.write_row(run)?;
        } else if run.is_finished() {
            // A longer run has no sample here: its ledger must not know of this one.
            let ledger = run.state.ledger;
            self.write_row(run)?;
            run.state.ledger = ledger;
        }
        if is_due(step, self.settings.frame_interval, run.setup.time_step) {
            self.write_frame(run)?;
            run.begin_interval();
        } else if run.is_finished() {
            // A longer run has no frame here: its means over the interval go on.
            self.write_frame(run)?;
        }
        if self.last_checkpoint.elapsed().as_secs_f64() >= self.settings.checkpoint_interval {
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

    fn write_frame(&mut self, run: &Simulation) -> Result<(), Failure> {
        self.writer.submit(Job::Frame(Box::new(frame_of(
            run,
            self.settings.contacts,
            self.settings.bonds,
        ))))?;
        self.frames_written += 1;
        Ok(())
    }

    fn write_checkpoint(&mut self, run: &Simulation) -> Result<(), Failure> {
        self.writer.submit(Job::Checkpoint(saved::encode(self.scene, run)?))?;
        self.last_checkpoint = Instant::now();
        self.write_broken(run)
    }

    fn write_broken(&self, run: &Simulation) -> Result<(), Failure> {
        if has_bonds(run) {
            write_broken_bonds(run, &self.folder.broken())?;
        }
        Ok(())
    }

    /// What broke when, and into what.
    fn write_plots(&self, run: &Simulation) -> Result<(), Failure> {
        if has_bonds(run) {
            breakage_plot(run, &self.title).write_svg(&self.folder.breakage())?;
            fragment_plot(run, &self.title).write_svg(&self.folder.fragments())?;
        }
        Ok(())
    }

    /// Writes what belongs to the end and waits for all files.
    pub fn close(mut self, run: &mut Simulation, ending: &Ending) -> Result<Wrote, Failure> {
        let begin = Instant::now();
        match ending {
            Ending::Finished | Ending::Interrupted => self.write_checkpoint(run)?,
            // The last good checkpoint stays; the bad state is shown, not saved.
            Ending::Failed(_) if run.state.fastest.is_finite() => {
                self.write_frame(run)?;
                self.write_broken(run)?;
            }
            Ending::Failed(_) => {}
        }
        self.write_plots(run)?;
        let picture = if self.settings.picture && run.state.fastest.is_finite() {
            let (scene, options) = picture_of(run, &self.title);
            breccia::output::render(&scene, &options)?.write_png(&self.folder.picture())?;
            Some(self.folder.picture())
        } else {
            None
        };
        self.writer.finish()?;
        run.timers.add_since(Phase::Output, begin);
        Ok(Wrote { folder: self.folder, frames: self.frames_written, rows: self.rows_written, picture })
    }
}

fn has_bonds(run: &Simulation) -> bool {
    run.state.fragments.bond_count() > 0
}

/// Keeps the scene as it was given and as it was understood.
fn write_scene(folder: &RunFolder, source: &Path, scene: &Scene) -> Result<(), Failure> {
    let given = std::fs::read(source).map_err(|cause| OutputError::io("read", source, cause))?;
    atomic::write_atomically(&folder.scene(), atomic::Durability::Process, |out| out.write_all(&given))?;
    let resolved = breccia::scene::resolved_toml(scene).map_err(|error| {
        Failure::other(format!("cannot write the resolved scene: {error}"), "report this")
    })?;
    atomic::write_atomically(&folder.resolved(), atomic::Durability::Process, |out| {
        out.write_all(resolved.as_bytes())
    })?;
    Ok(())
}

fn start_writer(mut series: FrameSeries, path: PathBuf) -> Result<BackgroundWriter<Job>, OutputError> {
    BackgroundWriter::new(QUEUE_LENGTH, move |job| match job {
        Job::Frame(frame) => series.write(&frame),
        Job::Checkpoint(bytes) => checkpoint::store(&path, &bytes).map_err(as_output_error),
    })
}

/// Rows and frames up to this time [s] stay at a restart. A finished run ends with a row and a frame that a longer
/// one does not have.
fn kept_until(run: &Simulation, interval: f64) -> f64 {
    let (next, time_step) = (run.state.step, run.setup.time_step);
    let is_extra = !run.is_finished() && !is_due(next.saturating_sub(1), interval, time_step);
    run.setup.time_of(next) - if is_extra { 1.5 } else { 0.5 } * time_step
}

fn forget(path: &Path) -> Result<(), OutputError> {
    match std::fs::remove_file(path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            Err(OutputError::io("remove", path, cause))
        }
        _ => Ok(()),
    }
}

fn as_output_error(error: CheckpointError) -> OutputError {
    match error {
        CheckpointError::File(error) => error,
        other => OutputError::io("store", Path::new("checkpoint"), std::io::Error::other(other.to_string())),
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
