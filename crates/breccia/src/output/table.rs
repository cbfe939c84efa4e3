//! `table.csv`: the time series of a run. One header row with units, numbers that read back to the same bits.

use super::OutputError;
use super::atomic::{Durability, write_atomically};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name: `kinetic_energy`.
    pub name: String,
    /// Unit: `J`; empty for plain numbers.
    pub unit: String,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }

    /// `kinetic_energy [J]`, quoted where CSV needs it.
    fn header(&self) -> String {
        let title = match self.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        };
        let title = title.replace(['\n', '\r'], " ");
        if title.contains([',', '"']) { format!("\"{}\"", title.replace('"', "\"\"")) } else { title }
    }
}

/// An open table. The first column is the time [s].
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    file: File,
    columns: usize,
    /// Bytes of complete rows: what the file is cut back to when a row fails.
    length: u64,
}

impl Table {
    /// Starts a table, replacing one that is there.
    pub fn create(path: impl Into<PathBuf>, columns: &[Column]) -> Result<Self, OutputError> {
        let path = path.into();
        Self::start_with(path, columns, &header_row(columns))
    }

    /// Continues a table: rows later than `time` [s] and a half-written last row are dropped. A missing
    /// table is started; one with other columns is refused.
    pub fn resume(path: impl Into<PathBuf>, columns: &[Column], time: f64) -> Result<Self, OutputError> {
        let path = path.into();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Self::create(path, columns),
            Err(cause) => return Err(OutputError::io("read", &path, cause)),
        };
        let kept = rows_until(&text, columns, time)
            .map_err(|reason| OutputError::Mismatch { path: path.clone(), reason })?;
        Self::start_with(path, columns, &kept)
    }

    /// Appends a row and hands it to the system. A row that fails (full disk) leaves no part behind.
    pub fn append(&mut self, values: &[f64]) -> Result<(), OutputError> {
        if values.len() != self.columns {
            let what = format!("a row of {}", self.path.display());
            return Err(OutputError::Length { what, found: values.len(), expected: self.columns });
        }
        // `{:?}` of f64 is the shortest text that reads back to the same bits.
        let mut row = values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(",");
        row.push('\n');
        self.file.write_all(row.as_bytes()).map_err(|cause| {
            let _ = self.file.set_len(self.length);
            OutputError::io("write", &self.path, cause)
        })?;
        self.length += row.len() as u64;
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn start_with(path: PathBuf, columns: &[Column], text: &str) -> Result<Self, OutputError> {
        write_atomically(&path, Durability::Process, |out| out.write_all(text.as_bytes()))?;
        let opened = OpenOptions::new().append(true).open(&path).and_then(|mut file| {
            let length = file.seek(SeekFrom::End(0))?;
            Ok((file, length))
        });
        let (file, length) = opened.map_err(|cause| OutputError::io("open", &path, cause))?;
        Ok(Self { path, file, columns: columns.len(), length })
    }
}

fn header_row(columns: &[Column]) -> String {
    let mut row = columns.iter().map(Column::header).collect::<Vec<_>>().join(",");
    row.push('\n');
    row
}

/// Header and complete rows up to `time`, or why the text is not this table.
fn rows_until(text: &str, columns: &[Column], time: f64) -> Result<String, String> {
    let header = header_row(columns);
    let Some(rows) = text.strip_prefix(&header) else {
        let found = text.lines().next().unwrap_or_default();
        return Err(format!("its columns are `{found}`, this run writes `{}`", header.trim_end()));
    };
    let mut kept = header;
    for row in rows.split_inclusive('\n').filter(|row| row.ends_with('\n')) {
        let first = row.split(',').next().unwrap_or_default().trim_end();
        let row_time: f64 = first.parse().map_err(|_| format!("`{first}` is not a time"))?;
        if row_time <= time {
            kept.push_str(row);
        }
    }
    Ok(kept)
}
