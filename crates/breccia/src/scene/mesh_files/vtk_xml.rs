//! XML VTK files: polygons of `.vtp` and of `.vtu`; text, base64 and appended data, plain or zlib-compressed.

use super::cursor::EXPORT_AGAIN;
use super::error::{Fault, Place};
use super::vtk_arrays::{ByteOrder, Scalar, cell_polygons, cut_cells, strip_triangles};
use super::vtk_data::{Encoding, Stored};
use super::xml::{Tag, next_tag};
use crate::shapes::mesh::{DOUBLE_PRECISION, RawMesh};
use glam::DVec3;
use std::collections::HashMap;

/// Whether the file begins as XML VTK files do.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).contains("<VTKFile")
}

/// Where the numbers of an array are.
struct Array<'a> {
    scalar: Scalar,
    format: String,
    offset: usize,
    text: &'a [u8],
    at: usize,
}

/// A piece: arrays by section and name.
type Piece<'a> = HashMap<(String, String), Array<'a>>;

#[derive(Default)]
struct Document<'a> {
    encoding: Option<Encoding>,
    pieces: Vec<Piece<'a>>,
    appended: Option<(&'a [u8], usize, bool)>,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let document = scan(bytes)?;
    let mut mesh = RawMesh { precision: DOUBLE_PRECISION, ..RawMesh::default() };
    for piece in &document.pieces {
        document.add_piece(piece, &mut mesh)?;
    }
    Ok(mesh)
}

fn fault(at: usize, problem: impl Into<String>, remedy: &str) -> Fault {
    Fault { place: Place::Byte(at), problem: problem.into(), remedy: remedy.to_owned() }
}

/// Finds the arrays; their numbers are not read yet.
fn scan(bytes: &[u8]) -> Result<Document<'_>, Fault> {
    let mut document = Document::default();
    let mut section = String::new();
    let mut at = 0;
    while let Some(tag) = next_tag(bytes, at)? {
        at = tag.text_at;
        match tag.name.as_str() {
            "VTKFile" => document.encoding = Some(read_encoding(&tag)?),
            "Piece" => document.pieces.push(Piece::new()),
            "Points" | "Polys" | "Strips" | "Cells" | "Verts" | "Lines" | "PointData" | "CellData" => {
                section = tag.name.clone();
            }
            "DataArray" => {
                if let (Some(piece), Some(array)) =
                    (document.pieces.last_mut(), wanted_array(&tag, &section)?)
                {
                    // The points have no fixed name.
                    let name = if section == "Points" { "" } else { tag.attribute("Name") };
                    piece.insert((section.clone(), name.to_owned()), array);
                }
            }
            "AppendedData" => {
                let rest = &bytes[tag.text_at..];
                let mark = rest.iter().position(|&byte| byte == b'_');
                let mark =
                    mark.ok_or_else(|| fault(tag.at, "no `_` before the appended data", EXPORT_AGAIN))?;
                let raw = tag.attribute("encoding") == "raw";
                document.appended = Some((&rest[mark + 1..], tag.text_at + mark + 1, raw));
                break;
            }
            _ => {}
        }
    }
    Ok(document)
}

fn read_encoding(tag: &Tag) -> Result<Encoding, Fault> {
    let kind = tag.attribute("type");
    if !matches!(kind, "PolyData" | "UnstructuredGrid") {
        let problem = format!("a VTK file of type `{kind}`");
        return Err(fault(
            tag.at,
            problem,
            "export the surface as PolyData (.vtp) or UnstructuredGrid (.vtu)",
        ));
    }
    let compressed = match tag.attribute("compressor") {
        "" => false,
        "vtkZLibDataCompressor" => true,
        other => {
            let problem = format!("data compressed by `{other}`");
            return Err(fault(tag.at, problem, "save with zlib or without compression"));
        }
    };
    let order = if tag.attribute("byte_order") == "BigEndian" { ByteOrder::Big } else { ByteOrder::Little };
    let header = if tag.attribute("header_type") == "UInt64" { Scalar::U64 } else { Scalar::U32 };
    Ok(Encoding { order, header, compressed })
}

fn wanted_array<'a>(tag: &Tag<'a>, section: &str) -> Result<Option<Array<'a>>, Fault> {
    let named = matches!(tag.attribute("Name"), "connectivity" | "offsets" | "types");
    let wanted = section == "Points" || (named && matches!(section, "Polys" | "Strips" | "Cells"));
    if !wanted {
        return Ok(None);
    }
    let kind = tag.attribute("type");
    let scalar = Scalar::named(kind)
        .ok_or_else(|| fault(tag.at, format!("numbers of type `{kind}`"), EXPORT_AGAIN))?;
    let format = tag.attribute("format").to_ascii_lowercase();
    let offset = match (format.as_str(), tag.attribute("offset").parse()) {
        ("appended", Err(_)) => {
            return Err(fault(tag.at, "an appended array without an offset", EXPORT_AGAIN));
        }
        (_, offset) => offset.unwrap_or(0),
    };
    Ok(Some(Array { scalar, format, offset, text: tag.text, at: tag.at }))
}

impl Document<'_> {
    fn add_piece(&self, piece: &Piece, mesh: &mut RawMesh) -> Result<(), Fault> {
        let get = |section: &str, name: &str| piece.get(&(section.to_owned(), name.to_owned()));
        let Some(points) = get("Points", "") else { return Ok(()) };
        let coordinates = self.values(points)?;
        let first = mesh.vertices.len() as u32;
        let added = coordinates.as_chunks::<3>().0;
        mesh.vertices.extend(added.iter().map(|&point| DVec3::from_array(point)));
        mesh.precision = mesh.precision.max(points.scalar.precision());
        let cells = |section: &str| -> Result<Vec<Vec<u32>>, Fault> {
            let arrays = (get(section, "offsets"), get(section, "connectivity"));
            let (Some(offsets), Some(connectivity)) = arrays else { return Ok(Vec::new()) };
            let cells = cut_cells(&self.values(offsets)?, &self.values(connectivity)?, added.len());
            cells.map_err(|problem| fault(connectivity.at, problem, EXPORT_AGAIN))
        };
        let mut polygons = cells("Polys")?;
        polygons.extend(cells("Strips")?.iter().flat_map(|strip| strip_triangles(strip)));
        if let Some(types) = get("Cells", "types") {
            for (cell, kind) in cells("Cells")?.into_iter().zip(self.values(types)?) {
                polygons.extend(
                    cell_polygons(kind, cell).map_err(|problem| fault(types.at, problem, EXPORT_AGAIN))?,
                );
            }
        }
        polygons.iter_mut().flatten().for_each(|id| *id += first);
        mesh.polygons.append(&mut polygons);
        Ok(())
    }

    fn values(&self, array: &Array) -> Result<Vec<f64>, Fault> {
        let Some(encoding) = &self.encoding else { return Err(fault(0, "no `<VTKFile>` tag", EXPORT_AGAIN)) };
        let stored = match (array.format.as_str(), self.appended) {
            ("ascii", _) => Stored::Text(array.text),
            ("binary", _) => Stored::Base64(array.text),
            ("appended", Some((data, _, raw))) => {
                let data = data.get(array.offset..).unwrap_or_default();
                if raw { Stored::Raw(data) } else { Stored::Base64(data) }
            }
            (other, _) => {
                return Err(fault(
                    array.at,
                    format!("an array of format `{other}` without its data"),
                    EXPORT_AGAIN,
                ));
            }
        };
        stored.values(array.scalar, encoding).map_err(|problem| {
            let at = match (array.format.as_str(), self.appended) {
                ("appended", Some((_, start, _))) => start.saturating_add(array.offset),
                _ => array.at,
            };
            fault(at, problem, EXPORT_AGAIN)
        })
    }
}
