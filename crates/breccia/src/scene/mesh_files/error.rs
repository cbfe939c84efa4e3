//! Why a mesh file cannot be read, and where.

use std::fmt;
use std::path::PathBuf;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, from 1.
    Line(usize),
    /// An offset in a binary file [bytes].
    Byte(usize),
}

/// A mesh file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct MeshFileError {
    /// The file.
    pub file: PathBuf,
    /// Where in it.
    pub place: Place,
    /// What was found and what was expected.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl MeshFileError {
    /// File, place and problem, without the remedy.
    pub fn what_and_where(&self) -> String {
        let file = self.file.display();
        match self.place {
            Place::File => format!("{file}: {}", self.problem),
            Place::Line(line) => format!("{file}, line {line}: {}", self.problem),
            Place::Byte(offset) => format!("{file}, byte {offset}: {}", self.problem),
        }
    }
}

impl fmt::Display for MeshFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what_and_where(), self.remedy)
    }
}

/// A mistake in a file whose name the reader does not know.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub place: Place,
    pub problem: String,
    pub remedy: String,
}

impl Fault {
    /// A mistake of the file as a whole.
    pub fn of_file(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { place: Place::File, problem: problem.into(), remedy: remedy.into() }
    }

    /// The mistake with the name of its file.
    pub fn in_file(self, file: PathBuf) -> MeshFileError {
        MeshFileError { file, place: self.place, problem: self.problem, remedy: self.remedy }
    }
}
