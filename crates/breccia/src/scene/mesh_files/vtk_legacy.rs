//! Legacy VTK files: polygons of `POLYDATA` and of `UNSTRUCTURED_GRID`, text and binary.

use super::cursor::{Cursor, EXPORT_AGAIN, shortened};
use super::error::Fault;
use super::vtk_arrays::{ByteOrder, Scalar, cell_polygons, cut_cells, strip_triangles};
use crate::shapes::mesh::{DOUBLE_PRECISION, RawMesh};
use glam::DVec3;

const MAGIC: &[u8] = b"# vtk DataFile";

/// Whether the file begins as legacy VTK files do.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Lists of cells as they stand: ends and ids.
type CellLists = (Vec<f64>, Vec<f64>);

struct Reading<'a> {
    cursor: Cursor<'a>,
    binary: bool,
    points: Vec<f64>,
    precision: f64,
    polygons: CellLists,
    strips: CellLists,
    cells: CellLists,
    cell_types: Vec<f64>,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut cursor = Cursor::new(bytes);
    cursor.rest_of_line();
    cursor.rest_of_line();
    let binary = match cursor.word().as_deref() {
        Some("ASCII") => false,
        Some("BINARY") => true,
        other => {
            let problem =
                format!("`{}` where `ASCII` or `BINARY` was expected", shortened(other.unwrap_or("")));
            return Err(cursor.fault(problem, EXPORT_AGAIN));
        }
    };
    let mut reading = Reading {
        cursor,
        binary,
        points: Vec::new(),
        precision: DOUBLE_PRECISION,
        polygons: CellLists::default(),
        strips: CellLists::default(),
        cells: CellLists::default(),
        cell_types: Vec::new(),
    };
    reading.read_sections()?;
    reading.into_mesh()
}

impl Reading<'_> {
    fn fault(&self, problem: impl Into<String>, remedy: &str) -> Fault {
        if self.binary {
            self.cursor.binary_fault(problem, remedy)
        } else {
            self.cursor.fault(problem, remedy)
        }
    }

    fn read_sections(&mut self) -> Result<(), Fault> {
        while let Some(word) = self.cursor.word() {
            match word.to_ascii_uppercase().as_str() {
                "DATASET" => self.read_dataset()?,
                "POINTS" => {
                    let count: usize = self.cursor.number("the number of points")?;
                    let scalar = self.scalar()?;
                    self.points = self.values(count.saturating_mul(3), scalar)?;
                    self.precision = scalar.precision();
                }
                "POLYGONS" => self.polygons = self.cell_lists()?,
                "TRIANGLE_STRIPS" => self.strips = self.cell_lists()?,
                "CELLS" => self.cells = self.cell_lists()?,
                "VERTICES" | "LINES" => {
                    self.cell_lists()?;
                }
                "CELL_TYPES" => {
                    let count = self.cursor.number("the number of cells")?;
                    self.cell_types = self.values(count, Scalar::I32)?;
                }
                "METADATA" => self.skip_metadata(),
                "FIELD" => self.skip_field()?,
                "CELL_DATA" | "POINT_DATA" => return Ok(()),
                _ => {
                    let problem =
                        format!("`{}` where a section such as `POLYGONS` was expected", shortened(&word));
                    return Err(self.fault(problem, "check the counts of the section before"));
                }
            }
        }
        Ok(())
    }

    fn read_dataset(&mut self) -> Result<(), Fault> {
        match self.cursor.word().as_deref() {
            Some("POLYDATA" | "UNSTRUCTURED_GRID") => Ok(()),
            other => {
                let problem = format!("a dataset of kind `{}`", shortened(other.unwrap_or("")));
                Err(self.fault(problem, "export the surface as POLYDATA or UNSTRUCTURED_GRID"))
            }
        }
    }

    fn scalar(&mut self) -> Result<Scalar, Fault> {
        let name = self.cursor.word().unwrap_or_default();
        Scalar::named(&name).ok_or_else(|| {
            self.fault(
                format!("`{}` where a type such as `double` was expected", shortened(&name)),
                EXPORT_AGAIN,
            )
        })
    }

    /// Numbers that follow a header line.
    fn values(&mut self, count: usize, scalar: Scalar) -> Result<Vec<f64>, Fault> {
        if self.binary {
            self.cursor.rest_of_line();
            let bytes = self.cursor.take(count.saturating_mul(scalar.bytes()), "these numbers")?;
            return Ok(scalar.decode(bytes, ByteOrder::Big));
        }
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(self.cursor.number("a number")?);
        }
        Ok(values)
    }

    /// Cells in the layout of version 5 (offsets, connectivity) or of those before (count, ids, count, ids, …).
    fn cell_lists(&mut self) -> Result<CellLists, Fault> {
        let count: usize = self.cursor.number("the number of cells")?;
        let size: usize = self.cursor.number("the size of the cell list")?;
        if self.cursor.peek().as_deref() == Some("OFFSETS") {
            self.cursor.word();
            let scalar = self.scalar()?;
            let mut offsets = self.values(count, scalar)?;
            if self.cursor.word().as_deref() != Some("CONNECTIVITY") {
                return Err(self.fault("no `CONNECTIVITY` after `OFFSETS`", EXPORT_AGAIN));
            }
            let scalar = self.scalar()?;
            let ids = self.values(size, scalar)?;
            offsets.drain(..offsets.len().min(1));
            return Ok((offsets, ids));
        }
        let list = self.values(size, Scalar::I32)?;
        self.cut_counted(count, &list)
    }

    fn cut_counted(&self, count: usize, list: &[f64]) -> Result<CellLists, Fault> {
        let (mut ends, mut ids) = CellLists::default();
        let mut rest = list;
        for _ in 0..count {
            let cell =
                rest.split_first().and_then(|(&n, tail)| tail.get(..n as usize).map(|ids| (ids, tail)));
            let Some((cell, tail)) = cell else {
                let problem = format!("the list of {} numbers ends within one of {count} cells", list.len());
                return Err(self.fault(problem, EXPORT_AGAIN));
            };
            ids.extend(cell);
            ends.push(ids.len() as f64);
            rest = &tail[cell.len()..];
        }
        Ok((ends, ids))
    }

    /// Metadata reaches to the next empty line.
    fn skip_metadata(&mut self) {
        self.cursor.rest_of_line();
        while self.cursor.rest_of_line().is_some_and(|line| !line.trim().is_empty()) {}
    }

    fn skip_field(&mut self) -> Result<(), Fault> {
        self.cursor.word();
        let arrays: usize = self.cursor.number("the number of arrays")?;
        for _ in 0..arrays {
            self.cursor.word();
            let components: usize = self.cursor.number("the number of components")?;
            let tuples: usize = self.cursor.number("the number of tuples")?;
            let scalar = self.scalar()?;
            self.values(components.saturating_mul(tuples), scalar)?;
        }
        Ok(())
    }

    fn into_mesh(self) -> Result<RawMesh, Fault> {
        let vertices: Vec<DVec3> =
            self.points.as_chunks::<3>().0.iter().map(|&point| DVec3::from_array(point)).collect();
        let cut = |(ends, ids): &CellLists| cut_cells(ends, ids, vertices.len());
        let whole = |problem: String| Fault::of_file(problem, EXPORT_AGAIN);
        let mut polygons = cut(&self.polygons).map_err(whole)?;
        polygons.extend(cut(&self.strips).map_err(whole)?.iter().flat_map(|strip| strip_triangles(strip)));
        let cells = cut(&self.cells).map_err(whole)?;
        if cells.len() != self.cell_types.len() {
            return Err(whole(format!("{} cells, but {} cell types", cells.len(), self.cell_types.len())));
        }
        for (cell, &kind) in cells.into_iter().zip(&self.cell_types) {
            polygons.extend(cell_polygons(kind, cell).map_err(whole)?);
        }
        Ok(RawMesh { vertices, polygons, precision: self.precision, ..RawMesh::default() })
    }
}
