//! Files that appear complete or not at all: written under a temporary name beside the final one, then renamed.

use super::OutputError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Whether a finished file must survive a power cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The file is complete after a crash of the program; the system writes it to disk when it likes.
    Process,
    /// The file is on the disk (fsync of the file and of its folder) before the call returns.
    Disk,
}

/// Writes `path` by way of a temporary file in the same folder; on failure nothing is left behind and what
/// was under `path` before stays.
pub fn write_atomically(
    path: &Path,
    durability: Durability,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    let temporary = write_temporary(path, durability, fill)?;
    replace(&temporary, path)?;
    match durability {
        Durability::Process => Ok(()),
        Durability::Disk => sync_folder_of(path),
    }
}

/// Writes a complete temporary file beside `path` and returns its name; nothing is left behind on failure.
pub(super) fn write_temporary(
    path: &Path,
    durability: Durability,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, OutputError> {
    let temporary = temporary_name(path);
    let written = File::create(&temporary).and_then(|file| fill_file(file, durability, fill));
    written.map(|()| temporary.clone()).map_err(|cause| {
        remove_quietly(&temporary);
        OutputError::io("write", path, cause)
    })
}

/// Moves a finished temporary file to its final name.
pub(super) fn replace(temporary: &Path, path: &Path) -> Result<(), OutputError> {
    fs::rename(temporary, path).map_err(|cause| {
        remove_quietly(temporary);
        OutputError::io("write", path, cause)
    })
}

/// Makes renames in the folder of `path` survive a power cut. Only Unix can open folders for that.
pub(super) fn sync_folder_of(path: &Path) -> Result<(), OutputError> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = folder_of(path);
    File::open(folder).and_then(|f| f.sync_all()).map_err(|cause| OutputError::io("sync", folder, cause))
}

/// Temporary name of `path`: hidden, same folder (a rename must not cross file systems).
pub fn temporary_name(path: &Path) -> PathBuf {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.tmp"))
}

/// Whether a file name is one that [`temporary_name`] gives.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".tmp")
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn fill_file(
    file: File,
    durability: Durability,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffered = BufWriter::with_capacity(1 << 16, file);
    fill(&mut buffered)?;
    let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    match durability {
        Durability::Process => Ok(()),
        Durability::Disk => file.sync_all(),
    }
}

/// A left-over temporary file is harmless, and the first failure is the one worth reporting.
fn remove_quietly(path: &Path) {
    let _ = fs::remove_file(path);
}
