//! `log.txt`: what the program said.

use breccia::output::RunFolder;
use std::fs::{File, OpenOptions};
use std::io::Write;

/// The log of a run. A log that cannot be written must not stop the run; table and frames report a full disk.
pub struct Log(Option<File>);

impl Log {
    /// Starts the log, or goes on with it.
    pub fn open(folder: &RunFolder, restart: bool) -> Self {
        let mut options = OpenOptions::new();
        if restart {
            options.append(true)
        } else {
            options.write(true).truncate(true)
        };
        Self(options.create(true).open(folder.log()).ok())
    }

    /// Writes a line.
    pub fn line(&mut self, text: &str) {
        if let Some(file) = &mut self.0 {
            let _ = writeln!(file, "{text}");
        }
    }
}
