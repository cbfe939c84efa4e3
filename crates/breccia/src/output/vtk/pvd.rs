//! `.pvd`: the list of frames with their times. Rewritten whole after each frame, so it is valid at any moment.

use super::{attribute, unescape};
use crate::output::OutputError;
use crate::output::atomic::{Durability, write_atomically};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A collection of frames of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Pvd {
    path: PathBuf,
    frames: Vec<(f64, String)>,
}

impl Pvd {
    /// An empty collection; the file appears with the first frame.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), frames: Vec::new() }
    }

    /// Reads a collection written earlier; a missing file counts as empty.
    pub fn read(path: impl Into<PathBuf>) -> Result<Self, OutputError> {
        let mut collection = Self::new(path);
        let text = match fs::read_to_string(&collection.path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(collection),
            Err(cause) => return Err(OutputError::io("read", &collection.path, cause)),
        };
        collection.frames = parse(&text).ok_or_else(|| OutputError::Mismatch {
            path: collection.path.clone(),
            reason: "it is not a collection written by breccia".into(),
        })?;
        Ok(collection)
    }

    /// Continues a collection written earlier, without the frames later than `time` [s]; a missing file
    /// counts as empty. The frame files dropped are returned (relative to the collection's folder).
    pub fn resume(path: impl Into<PathBuf>, time: f64) -> Result<(Self, Vec<String>), OutputError> {
        let mut collection = Self::read(path)?;
        let frames = std::mem::take(&mut collection.frames);
        let (kept, dropped) = frames.into_iter().partition(|&(t, _)| t <= time);
        collection.frames = kept;
        if !dropped.is_empty() {
            collection.save()?;
        }
        let dropped = Vec::from_iter(dropped).into_iter().map(|(_, file): (f64, String)| file).collect();
        Ok((collection, dropped))
    }

    /// Adds a frame and rewrites the file. A frame at the same instant or later is replaced, so that times
    /// always increase.
    pub fn push(&mut self, time: f64, file: impl Into<String>) -> Result<(), OutputError> {
        self.frames.retain(|&(t, _)| t < time);
        self.frames.push((time, file.into()));
        self.save()
    }

    /// Times [s] and files, relative to the collection's folder.
    pub fn frames(&self) -> &[(f64, String)] {
        &self.frames
    }

    /// The collection's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn save(&self) -> Result<(), OutputError> {
        write_atomically(&self.path, Durability::Process, |out| self.write_to(out))
    }

    fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"<?xml version=\"1.0\"?>\n")?;
        out.write_all(b"<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n")?;
        out.write_all(b"<Collection>\n")?;
        for (time, file) in &self.frames {
            let file = super::escape(file);
            writeln!(out, "<DataSet timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{file}\"/>")?;
        }
        out.write_all(b"</Collection>\n</VTKFile>\n")
    }
}

/// Frames of a file that [`Pvd::write_to`] wrote; `None` for anything else.
fn parse(text: &str) -> Option<Vec<(f64, String)>> {
    let is_complete = text.contains("type=\"Collection\"") && text.trim_end().ends_with("</VTKFile>");
    let lines = text.lines().filter(|line| line.trim_start().starts_with("<DataSet "));
    let frame = |line: &str| {
        let time = attribute(line, "timestep")?.parse().ok()?;
        Some((time, unescape(attribute(line, "file")?)))
    };
    if is_complete { lines.map(frame).collect() } else { None }
}
