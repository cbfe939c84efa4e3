//! Words to the terminal that cannot bring the program down: `println!` panics when a reader such as `head` is gone.

use crate::problem::Failure;
use std::io::{ErrorKind, Write};

/// Writes to stdout. A reader that has gone away is no failure; a full disk is.
pub fn out(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::other(format!("cannot write to the standard output: {error}"), "send it elsewhere"))
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr; there is nowhere to complain if that fails.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
