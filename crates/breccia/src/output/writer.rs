//! A thread that writes while the simulation goes on.

use super::{FrameSeries, FrameSet, OutputError};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Jobs that may wait before [`BackgroundWriter::submit`] blocks: one being written, two waiting.
pub const QUEUE_LENGTH: usize = 2;

/// Writes jobs of kind `J` in order on its own thread.
///
/// The first failure is kept: later jobs are dropped, and every later [`submit`](Self::submit) and
/// [`finish`](Self::finish) returns it. Dropping the writer waits for what was submitted.
pub struct BackgroundWriter<J> {
    queue: Option<SyncSender<J>>,
    thread: Option<JoinHandle<()>>,
    failure: Arc<Mutex<Option<OutputError>>>,
}

impl BackgroundWriter<FrameSet> {
    /// Writes frames to a series.
    pub fn for_frames(mut series: FrameSeries) -> Result<Self, OutputError> {
        Self::new(QUEUE_LENGTH, move |frame: FrameSet| series.write(&frame))
    }
}

impl<J: Send + 'static> BackgroundWriter<J> {
    /// Starts the thread; `write` does one job, `queue_length` bounds the memory that waiting jobs take.
    pub fn new(
        queue_length: usize,
        write: impl FnMut(J) -> Result<(), OutputError> + Send + 'static,
    ) -> Result<Self, OutputError> {
        let (queue, jobs) = sync_channel(queue_length);
        let failure = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&failure);
        let thread = thread::Builder::new()
            .name("breccia-writer".into())
            .spawn(move || work(&jobs, write, &shared))
            .map_err(|cause| OutputError::io("start", "the writer thread".as_ref(), cause))?;
        Ok(Self { queue: Some(queue), thread: Some(thread), failure })
    }

    /// Hands over a job; blocks only while the queue is full. Fails if an earlier job failed.
    pub fn submit(&self, job: J) -> Result<(), OutputError> {
        self.check()?;
        let sent = self.queue.as_ref().map(|queue| queue.send(job));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.first_failure().unwrap_or(OutputError::WriterStopped)),
        }
    }

    /// Whether everything so far went well, without waiting.
    pub fn check(&self) -> Result<(), OutputError> {
        self.first_failure().map_or(Ok(()), Err)
    }

    /// Waits until everything is written.
    pub fn finish(mut self) -> Result<(), OutputError> {
        let joined = self.join();
        self.check()?;
        joined
    }
}

impl<J> BackgroundWriter<J> {
    fn first_failure(&self) -> Option<OutputError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn join(&mut self) -> Result<(), OutputError> {
        self.queue = None;
        let joined = self.thread.take().map_or(Ok(()), JoinHandle::join);
        joined.map_err(|_| OutputError::WriterStopped)
    }
}

impl<J> Drop for BackgroundWriter<J> {
    fn drop(&mut self) {
        // A failure here was or could have been seen through `finish`.
        let _ = self.join();
    }
}

fn work<J>(
    jobs: &Receiver<J>,
    mut write: impl FnMut(J) -> Result<(), OutputError>,
    failure: &Mutex<Option<OutputError>>,
) {
    let mut failed = false;
    // Keeps receiving after a failure: a submitter blocked on a full queue must wake up.
    for job in jobs {
        if failed {
            continue;
        }
        if let Err(error) = write(job) {
            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            failed = true;
        }
    }
}
