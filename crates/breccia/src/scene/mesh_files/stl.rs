//! STL, text and binary. Every facet has vertices of its own; solids become groups.

use super::cursor::{Cursor, EXPORT_AGAIN, shortened};
use super::error::Fault;
use super::groups::Groups;
use crate::shapes::mesh::{RawMesh, SINGLE_PRECISION};
use glam::DVec3;

const HEADER_BYTES: usize = 80;
const COUNT_BYTES: usize = 4;
const FACET_BYTES: usize = 50;

/// Whether the size is the one a binary file declares. Binary files may begin with `solid`, so this comes first.
pub(super) fn has_binary_size(bytes: &[u8]) -> bool {
    facet_count(bytes).is_some_and(|count| {
        count.checked_mul(FACET_BYTES).and_then(|facets| facets.checked_add(HEADER_BYTES + COUNT_BYTES))
            == Some(bytes.len())
    })
}

/// Whether the file begins as a text file does.
pub(super) fn looks_like_text(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(1000)]).to_ascii_lowercase();
    start.trim_start().starts_with("solid") && (start.contains("facet") || start.contains("endsolid"))
}

/// Reads either kind.
pub(super) fn read(bytes: &[u8]) -> Result<RawMesh, Fault> {
    if !has_binary_size(bytes) && looks_like_text(bytes) { read_text(bytes) } else { read_binary(bytes) }
}

fn facet_count(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER_BYTES..HEADER_BYTES + COUNT_BYTES)?.try_into().ok()?;
    Some(u32::from_le_bytes(count) as usize)
}

fn read_binary(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut cursor = Cursor::new(bytes);
    cursor.take(HEADER_BYTES + COUNT_BYTES, "the header of a binary STL file and its count")?;
    let count = facet_count(bytes).unwrap_or(0);
    if count.saturating_mul(FACET_BYTES) > cursor.rest().len() {
        let held = cursor.rest().len() / FACET_BYTES;
        let problem = format!("the header declares {count} triangles, the file holds {held}");
        return Err(Cursor::new(&bytes[..0]).binary_fault(problem, EXPORT_AGAIN));
    }
    let mut mesh = RawMesh { precision: SINGLE_PRECISION, ..RawMesh::default() };
    for _ in 0..count {
        let place = cursor.binary_fault("a coordinate is not finite", "every coordinate must be finite");
        let facet = cursor.take(FACET_BYTES, "a triangle")?;
        let values: &[u8] = &facet[12..48];
        let numbers: Vec<f64> =
            values.as_chunks::<4>().0.iter().map(|&four| f64::from(f32::from_le_bytes(four))).collect();
        if !numbers.iter().all(|x| x.is_finite()) {
            return Err(place);
        }
        push_triangle(&mut mesh, numbers.as_chunks::<3>().0.iter().map(|&p| DVec3::from_array(p)));
    }
    Ok(mesh)
}

fn push_triangle(mesh: &mut RawMesh, corners: impl Iterator<Item = DVec3>) {
    let start = mesh.vertices.len() as u32;
    mesh.vertices.extend(corners);
    mesh.polygons.push((start..mesh.vertices.len() as u32).collect());
}

fn read_text(bytes: &[u8]) -> Result<RawMesh, Fault> {
    let mut cursor = Cursor::new(bytes);
    let mut mesh = RawMesh::default();
    let mut groups = Groups::default();
    while let Some(word) = cursor.word() {
        if !word.eq_ignore_ascii_case("solid") {
            return Err(unexpected(&cursor, &word, "`solid`"));
        }
        let name = cursor.rest_of_line().unwrap_or_default().trim().to_owned();
        let group = groups.number(&name)?;
        read_solid(&mut cursor, &mut mesh)?;
        mesh.groups.resize(mesh.polygons.len(), group);
    }
    mesh.group_names = groups.into_names();
    mesh.precision = cursor.text_precision().max(SINGLE_PRECISION);
    Ok(mesh)
}

fn read_solid(cursor: &mut Cursor, mesh: &mut RawMesh) -> Result<(), Fault> {
    loop {
        match cursor.word() {
            Some(word) if word.eq_ignore_ascii_case("facet") => read_facet(cursor, mesh)?,
            Some(word) if word.eq_ignore_ascii_case("endsolid") => {
                cursor.rest_of_line();
                return Ok(());
            }
            Some(word) => return Err(unexpected(cursor, &word, "`facet` or `endsolid`")),
            None => return Err(cursor.fault("the file ends before `endsolid`", EXPORT_AGAIN)),
        }
    }
}

fn read_facet(cursor: &mut Cursor, mesh: &mut RawMesh) -> Result<(), Fault> {
    keyword(cursor, "normal")?;
    for _ in 0..3 {
        // Normals come from the vertices: those in files are often zero, or even `nan`.
        cursor.number::<f64>("a component of the normal")?;
    }
    keyword(cursor, "outer")?;
    keyword(cursor, "loop")?;
    let mut corners = [DVec3::ZERO; 3];
    for corner in &mut corners {
        keyword(cursor, "vertex")?;
        *corner = cursor.point()?;
    }
    keyword(cursor, "endloop")?;
    keyword(cursor, "endfacet")?;
    push_triangle(mesh, corners.into_iter());
    Ok(())
}

fn keyword(cursor: &mut Cursor, expected: &str) -> Result<(), Fault> {
    match cursor.word() {
        Some(word) if word.eq_ignore_ascii_case(expected) => Ok(()),
        Some(word) => Err(unexpected(cursor, &word, &format!("`{expected}`"))),
        None => Err(cursor.fault(format!("the file ends where `{expected}` was expected"), EXPORT_AGAIN)),
    }
}

fn unexpected(cursor: &Cursor, word: &str, expected: &str) -> Fault {
    cursor.fault(format!("`{}` where {expected} was expected", shortened(word)), EXPORT_AGAIN)
}
