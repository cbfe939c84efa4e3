//! What a run writes while it goes on: table, frames, checkpoints.

use super::Ending;
use super::measures::Measures;
use super::method::{Extra, Method};
use super::saved::{self, fingerprint};
use crate::problem::Failure;
use breccia::output::writer::QUEUE_LENGTH;
use breccia::output::{
    BackgroundWriter, CheckpointError, FrameSeries, FrameSet, OutputError, RunFolder, Table, atomic,
    checkpoint,
};
use breccia::scene::{OutputSettings, Scene};
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
    /// What the picture is coloured by, if one was made.
    pub picture: Option<&'static str>,
    /// Files only the method knows of.
    pub extras: Vec<Extra>,
    /// Files of profiles and histograms, and what they are for.
    pub measures: Vec<(String, &'static str)>,
}

/// Writes a run's files.
pub struct Recorder {
    folder: RunFolder,
    title: String,
    scene: u64,
    settings: OutputSettings,
    table: Table,
    measures: Measures,
    writer: BackgroundWriter<Job>,
    last_checkpoint: Instant,
    frames_written: u64,
    rows_written: u64,
}

impl Recorder {
    /// Opens or continues the files of a run.
    pub fn open<M: Method>(
        folder: RunFolder,
        source: &Path,
        scene: &Scene,
        run: &M,
    ) -> Result<Self, Failure> {
        write_scene(&folder, source, scene)?;
        let columns = run.columns();
        let (table, series) = if run.steps_done() > 0 {
            // They tell of the end; the run goes on.
            forget(&folder.summary())?;
            forget(&folder.picture())?;
            for extra in run.extras() {
                let path = folder.root().join(extra.name);
                forget(&path)?;
                if extra.name.ends_with(".svg") {
                    forget(&path.with_extension("png"))?;
                }
            }
            let rows_until =
                kept_until(run, |instant| is_due(instant, scene.output.table_interval, run.time_step()));
            let frames_until =
                kept_until(run, |instant| is_due(instant, scene.output.frame_interval, run.time_step()));
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
            measures: Measures::open(&folder, scene, run)?,
            writer: start_writer(series, folder.checkpoint())?,
            last_checkpoint: Instant::now(),
            rows_written: 0,
            folder,
        })
    }

    /// Writes what is due after a step.
    pub fn record<M: Method>(&mut self, run: &mut M) -> Result<(), Failure> {
        let Some(instant) = run.shown_instant() else { return Ok(()) };
        let begin = Instant::now();
        let is_due = |interval| is_due(instant, interval, run.time_step());
        let (row_due, frame_due) =
            (is_due(self.settings.table_interval), is_due(self.settings.frame_interval));
        if row_due || run.is_finished() {
            self.table.append(&run.row(!row_due))?;
            self.rows_written += 1;
        }
        self.measures.record(run, instant)?;
        if frame_due || run.is_finished() {
            self.write_frame(run)?;
        }
        if frame_due {
            // At the end of a run that has no frame due, means over the interval go on in a longer one.
            run.begin_interval();
        }
        if self.last_checkpoint.elapsed().as_secs_f64() >= self.settings.checkpoint_interval {
            self.write_checkpoint(run)?;
        }
        run.add_output_time(begin.elapsed().as_secs_f64());
        Ok(())
    }

    fn write_frame(&mut self, run: &impl Method) -> Result<(), Failure> {
        self.writer.submit(Job::Frame(Box::new(run.frame(&self.settings))))?;
        self.frames_written += 1;
        Ok(())
    }

    fn write_checkpoint(&mut self, run: &impl Method) -> Result<(), Failure> {
        self.writer.submit(Job::Checkpoint(saved::encode(self.scene, run)?))?;
        self.last_checkpoint = Instant::now();
        Ok(run.write_tables(&self.folder)?)
    }

    /// Writes what belongs to the end and waits for all files.
    pub fn close<M: Method>(mut self, run: &mut M, ending: &Ending) -> Result<Wrote, Failure> {
        let begin = Instant::now();
        match ending {
            Ending::Finished | Ending::Interrupted => self.write_checkpoint(run)?,
            // The last good checkpoint stays; the bad state is shown, not saved.
            Ending::Failed(_) if run.is_sound() && run.shown_instant().is_some() => {
                self.write_frame(run)?;
                run.write_tables(&self.folder)?;
            }
            Ending::Failed(_) => {}
        }
        run.write_plots(&self.folder, &self.title)?;
        if run.is_sound() {
            self.measures.write_plots(&self.folder, &self.title, run)?;
        }
        let shown = if self.settings.picture && run.is_sound() { run.picture(&self.title)? } else { None };
        if let Some((image, _)) = &shown {
            image.write_png(&self.folder.picture())?;
        }
        let picture = shown.map(|(_, colour)| colour);
        self.writer.finish()?;
        run.add_output_time(begin.elapsed().as_secs_f64());
        Ok(Wrote {
            folder: self.folder,
            frames: self.frames_written,
            rows: self.rows_written,
            picture,
            extras: run.extras(),
            measures: self.measures.files(),
        })
    }
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
pub(super) fn kept_until(run: &impl Method, due: impl Fn(u64) -> bool) -> f64 {
    let time_step = run.time_step();
    let Some(last) = run.shown_instant() else { return -0.5 * time_step };
    let is_extra = !run.is_finished() && !due(last);
    (last as f64 + if is_extra { -0.5 } else { 0.5 }) * time_step
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
pub(super) fn is_due(step: u64, interval: f64, time_step: f64) -> bool {
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
