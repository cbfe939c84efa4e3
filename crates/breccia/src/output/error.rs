//! Why something could not be written.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A failure of output. Cloneable, so that a background writer can report it more than once.
#[derive(Clone, Debug, thiserror::Error)]
pub enum OutputError {
    /// The operating system refused.
    #[error("cannot {action} {}: {cause}{}", path.display(), remedy(cause))]
    Io {
        /// What was attempted, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        cause: Arc<io::Error>,
    },
    /// The run folder already holds a run.
    #[error(
        "{} already holds a run (found {found}); choose another folder, restart that run, or allow overwriting",
        path.display()
    )]
    RunExists {
        /// The run folder.
        path: PathBuf,
        /// The file that gave it away.
        found: String,
    },
    /// Arrays that belong together differ in length.
    #[error("{what} has {found} values where {expected} are needed")]
    Length {
        /// Name of the array.
        what: String,
        /// Values given.
        found: usize,
        /// Values needed.
        expected: usize,
    },
    /// A file to be continued is not what this run writes.
    #[error("cannot continue {}: {reason}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// The background writer ended early (its thread panicked).
    #[error("the background writer stopped unexpectedly; frames after the last complete one are missing")]
    WriterStopped,
}

impl OutputError {
    /// Wraps the system's answer to `action` on `path`.
    pub fn io(action: &'static str, path: &Path, cause: io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), cause: Arc::new(cause) }
    }
}

fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::StorageFull => "; free some space, then restart from the last checkpoint",
        io::ErrorKind::QuotaExceeded => "; free some of your quota, then restart from the last checkpoint",
        io::ErrorKind::PermissionDenied => "; check who owns the folder and may write there",
        _ => "",
    }
}
