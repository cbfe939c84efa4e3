use breccia::output::atomic::{Durability, temporary_name, write_atomically};
use breccia::output::run_folder::Existing;
use breccia::output::{BackgroundWriter, FrameSeries, FrameSet, OutputError, RunFolder, SphereFrame};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc;

fn set(time: f64) -> FrameSet {
    FrameSet { time, spheres: Some(SphereFrame::default()), ..FrameSet::default() }
}

/// Submits until an earlier failure comes back; it must within a few frames, as the queue is short.
fn submit_until_failure(writer: &BackgroundWriter<FrameSet>) -> OutputError {
    (1..1000).find_map(|step| writer.submit(set(f64::from(step))).err()).expect("no error came back")
}

#[test]
fn everything_submitted_is_there_after_finish() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    let writer = BackgroundWriter::for_frames(FrameSeries::create(&folder)).unwrap();
    for step in 0..20 {
        writer.submit(set(f64::from(step))).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(fs::read_dir(folder.frames()).unwrap().count(), 20);
    assert_eq!(fs::read_to_string(folder.collection("spheres")).unwrap().matches("<DataSet").count(), 20);
}

#[test]
fn dropping_the_writer_waits_for_what_was_submitted() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    let writer = BackgroundWriter::for_frames(FrameSeries::create(&folder)).unwrap();
    writer.submit(set(0.0)).unwrap();
    drop(writer);
    assert!(folder.frames().join("spheres_000000.vtp").exists());
}

/// `/dev/full` answers every write as a full disk does; the writer meets it behind its temporary name.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_comes_back_as_an_error_and_leaves_no_partial_file() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    let doomed = folder.frames().join("spheres_000002.vtp");
    std::os::unix::fs::symlink("/dev/full", temporary_name(&doomed)).unwrap();
    let writer = BackgroundWriter::for_frames(FrameSeries::create(&folder)).unwrap();
    let error = submit_until_failure(&writer);
    assert!(matches!(&error, OutputError::Io { path, cause, .. }
        if *path == doomed && cause.kind() == io::ErrorKind::StorageFull));
    assert!(error.to_string().contains("No space left on device"), "{error}");
    assert!(writer.submit(set(1e6)).is_err() && writer.check().is_err());
    assert_eq!(writer.finish().unwrap_err().to_string(), error.to_string());
    // Frames 0 and 1 are complete and collected; nothing else lies around.
    assert_eq!(fs::read_dir(folder.frames()).unwrap().count(), 2);
    assert_eq!(fs::read_to_string(folder.collection("spheres")).unwrap().matches("<DataSet").count(), 2);
}

#[test]
fn a_folder_deleted_under_the_run_is_named() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path().join("run"), Existing::Refuse).unwrap();
    let writer = BackgroundWriter::for_frames(FrameSeries::create(&folder)).unwrap();
    fs::remove_dir_all(folder.root()).unwrap();
    writer.submit(set(0.0)).unwrap();
    let error = writer.finish().unwrap_err().to_string();
    assert!(error.contains("spheres_000000.vtp") && error.contains("No such file"), "{error}");
}

#[test]
fn the_queue_takes_two_jobs_without_waiting_for_the_disk() {
    let (release, gate) = mpsc::channel::<()>();
    let writer =
        BackgroundWriter::new(2, move |_: u32| gate.recv().map_err(|_| OutputError::WriterStopped)).unwrap();
    // Neither is written yet, and both calls return.
    for job in 0..2 {
        writer.submit(job).unwrap();
    }
    for _ in 0..2 {
        release.send(()).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn a_panicking_job_is_an_error_not_a_hang() {
    let writer =
        BackgroundWriter::new(1, |job: u32| if job == 1 { panic!("expected by this test") } else { Ok(()) })
            .unwrap();
    writer.submit(0).unwrap();
    let outcome = (1..100).find_map(|job| writer.submit(job).err());
    assert!(matches!(outcome, Some(OutputError::WriterStopped)));
    assert!(matches!(writer.finish(), Err(OutputError::WriterStopped)));
}

/// Fails after some bytes, as a disk does that fills up midway.
struct FillsUp<'a> {
    inner: &'a mut dyn Write,
    room: usize,
}

impl Write for FillsUp<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = self.inner.write(&bytes[..bytes.len().min(self.room)])?;
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[test]
fn a_disk_that_fills_midway_keeps_the_old_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("file");
    fs::write(&path, "old").unwrap();
    for room in [0, 1, 70_000, 199_999] {
        let outcome = write_atomically(&path, Durability::Disk, |out| {
            FillsUp { inner: out, room }.write_all(&vec![1; 200_000])
        });
        assert!(matches!(outcome, Err(OutputError::Io { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
    write_atomically(&path, Durability::Disk, |out| FillsUp { inner: out, room: 200_000 }.write_all(&[2; 9]))
        .unwrap();
    assert_eq!(fs::read(&path).unwrap(), [2; 9]);
}
