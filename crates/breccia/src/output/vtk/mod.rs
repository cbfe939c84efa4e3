//! VTK XML PolyData (`.vtp`) and collections of time steps (`.pvd`), as ParaView and VTK read them.

mod compress;
mod pvd;
mod read;
mod write;

pub use pvd::Pvd;
pub use read::ReadError;
pub(super) use write::escape;

use super::OutputError;
use super::atomic::{Durability, write_atomically};
use std::path::Path;

/// Values of a field, tuple by tuple.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldData {
    /// Double precision.
    F64(Vec<f64>),
    /// Single precision.
    F32(Vec<f32>),
    /// Signed 64-bit integers.
    I64(Vec<i64>),
    /// Unsigned 32-bit integers.
    U32(Vec<u32>),
    /// Bytes.
    U8(Vec<u8>),
}

impl FieldData {
    /// Number of values (not tuples).
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::U32(v) => v.len(),
            Self::U8(v) => v.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A named array on points or cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name shown in ParaView.
    pub name: String,
    /// Values per point or cell: 1 for scalars, 3 for vectors.
    pub components: usize,
    /// The values.
    pub data: FieldData,
}

impl Field {
    /// A scalar or vector field.
    pub fn new(name: impl Into<String>, components: usize, data: FieldData) -> Self {
        Self { name: name.into(), components, data }
    }
}

/// Cells of one kind, each a run of point indices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// Point indices of all cells, one after the other.
    pub connectivity: Vec<i64>,
    /// End of each cell in `connectivity`.
    pub offsets: Vec<i64>,
}

impl Cells {
    /// One cell per point, so that points show without a filter.
    pub fn one_per_point(points: usize) -> Self {
        let count = points as i64;
        Self { connectivity: (0..count).collect(), offsets: (1..=count).collect() }
    }

    /// Adds a cell.
    pub fn push(&mut self, points: impl IntoIterator<Item = i64>) {
        self.connectivity.extend(points);
        self.offsets.push(self.connectivity.len() as i64);
    }

    /// Points of each cell. The cells must be sound, as those read from a file are.
    pub fn iter(&self) -> impl Iterator<Item = &[i64]> {
        let starts = std::iter::once(0).chain(self.offsets.iter().copied());
        starts.zip(&self.offsets).map(|(start, &end)| &self.connectivity[start as usize..end as usize])
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }
}

/// Points with vertices, lines and polygons. Cell fields follow that order of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolyData {
    /// Instant [s], stored as VTK's `TimeValue`.
    pub time: Option<f64>,
    /// Named lists of texts about the whole data set.
    pub texts: Vec<(String, Vec<String>)>,
    /// Positions [m].
    pub points: Vec<[f64; 3]>,
    /// Point cells.
    pub vertices: Cells,
    /// Polylines.
    pub lines: Cells,
    /// Polygons.
    pub polys: Cells,
    /// Fields with one tuple per point.
    pub point_fields: Vec<Field>,
    /// Fields with one tuple per cell: vertices, then lines, then polygons.
    pub cell_fields: Vec<Field>,
}

impl PolyData {
    /// Number of cells of all kinds.
    pub fn cell_count(&self) -> usize {
        self.vertices.len() + self.lines.len() + self.polys.len()
    }

    /// Writes a `.vtp` file: appended raw data in zlib-compressed blocks.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        self.check_lengths()?;
        let document = write::Document::of(self);
        write_atomically(path, Durability::Process, |out| document.write_to(out))
    }

    fn check_lengths(&self) -> Result<(), OutputError> {
        let on_points = self.point_fields.iter().map(|f| (f, self.points.len()));
        let on_cells = self.cell_fields.iter().map(|f| (f, self.cell_count()));
        for (field, tuples) in on_points.chain(on_cells) {
            let expected = tuples * field.components;
            if field.data.len() != expected {
                let found = field.data.len();
                return Err(OutputError::Length { what: field.name.clone(), found, expected });
            }
        }
        Ok(())
    }
}

/// Value of an attribute of a tag that stands on one line, as our writers put it.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

/// Undoes [`escape`].
fn unescape(text: &str) -> String {
    let entities = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    entities.iter().fold(text.to_string(), |text, (entity, plain)| text.replace(entity, plain))
}
