//! Meshes of deformable bodies, built in or from files.

use super::count;
use crate::deformable::SolidMesh;
use crate::deformable::mesh::{Cell, boundary_loops};
use crate::scene::error::Span;
use crate::scene::file::{SolidMeshTable, SolidShapeTable, SolidTable};
use crate::scene::mesh_files::read_mesh;
use crate::scene::read::{Length, Vector};
use crate::scene::resolve::{Notes, check};
use crate::shapes::mesh::RawMesh;
use glam::{DVec2, dvec2};
use std::path::Path;

/// Most elements along a side.
const MOST: u64 = 2000;

/// The mesh of a body; nothing when it cannot be used, which `notes` then says.
pub(super) fn mesh(table: &SolidTable, folder: &Path, notes: &mut Notes) -> Option<SolidMesh> {
    let mut number = |key: &str, given, default| count(key, given, default, MOST, notes) as usize;
    let mesh = match &table.shape {
        SolidShapeTable::Disk(disk) => {
            let core = number("core", disk.core.as_ref(), 8);
            let layers = number("layers", disk.layers.as_ref(), 3);
            SolidMesh::disk(check::positive("radius", &disk.radius, notes), core, layers)
        }
        SolidShapeTable::Ring(ring) => {
            let around = number("around", ring.around.as_ref(), 48).max(3);
            let across = number("across", ring.across.as_ref(), 3);
            let inner = check::positive("inner_radius", &ring.inner_radius, notes);
            if ring.outer_radius.value <= inner {
                let message = "`outer_radius` must be larger than `inner_radius`";
                notes.error(ring.outer_radius.span.clone(), message, "not larger");
                return None;
            }
            SolidMesh::ring(inner, ring.outer_radius.value, around, across)
        }
        SolidShapeTable::Rectangle(shape) => {
            let counts = [number("along", Some(&shape.along), 1), number("up", Some(&shape.up), 1)];
            let width = check::positive("width", &shape.width, notes);
            let height = check::positive("height", &shape.height, notes);
            SolidMesh::rectangle(dvec2(width, height), counts)
        }
        SolidShapeTable::Block(block) => {
            let counts = [number("along", Some(&block.along), 1), number("up", Some(&block.up), 1)];
            let corners = points(&block.corners, &table.span, notes)?;
            let Ok(corners) = <[DVec2; 4]>::try_from(corners) else {
                notes.error(table.span.clone(), "a block has four `corners`", "not four");
                return None;
            };
            SolidMesh::block(corners, counts)
        }
        SolidShapeTable::Mesh(file) => from_file(file, folder, notes)?,
    };
    check_mesh(&mesh, table, notes).then_some(mesh)
}

/// Points in the plane; notes those that leave it.
pub(super) fn points(given: &[Vector<Length>], span: &Span, notes: &mut Notes) -> Option<Vec<DVec2>> {
    if given.len() < 3 {
        notes.error(span.clone(), "`corners` must hold at least three points", "too few corners");
        return None;
    }
    Some(given.iter().map(|point| super::flat_or_zero(Some(point), "corners", notes)).collect())
}

fn check_mesh(mesh: &SolidMesh, table: &SolidTable, notes: &mut Notes) -> bool {
    if notes.has_errors() && mesh.points.iter().any(|point| !point.is_finite()) {
        return false;
    }
    let Err(error) = mesh.check().and_then(|()| boundary_loops(mesh).map(|_| ())) else { return true };
    let help = "corners go counter-clockwise round convex elements; sizes must be positive";
    notes.error_with_help(table.span.clone(), format!("this body cannot be used: {error}"), "its mesh", help);
    false
}

fn from_file(table: &SolidMeshTable, folder: &Path, notes: &mut Notes) -> Option<SolidMesh> {
    let raw = match read_mesh(&folder.join(&table.file.value)) {
        Ok(raw) => raw,
        Err(error) => {
            let message = format!("cannot use the mesh {}", error.what_and_where());
            notes.error_with_help(table.file.span.clone(), message, "named here", error.remedy.clone());
            return None;
        }
    };
    let scale = table.unit.as_ref().map_or(1.0, |unit| unit.value.0);
    match flattened(&raw, scale) {
        Ok(mesh) => Some(mesh),
        Err(message) => {
            let help = "a deformable body is a mesh of triangles and quads in the x–y plane, z = 0";
            notes.error_with_help(table.file.span.clone(), message, "named here", help);
            None
        }
    }
}

/// A mesh of the plane from polygons in space; points of no element are left out.
fn flattened(raw: &RawMesh, scale: f64) -> Result<SolidMesh, String> {
    let size = raw.vertices.iter().fold(0.0_f64, |top, vertex| top.max(vertex.abs().max_element()));
    let mut place = vec![u32::MAX; raw.vertices.len()];
    let mut mesh = SolidMesh::default();
    for (number, polygon) in raw.polygons.iter().enumerate() {
        let mut corners = Vec::with_capacity(4);
        for &vertex in polygon {
            let at = raw.vertices[vertex as usize];
            if at.z.abs() > 1e-6 * size {
                return Err(format!("its point {vertex} lies outside of the plane, at z = {}", at.z));
            }
            let new = &mut place[vertex as usize];
            if *new == u32::MAX {
                *new = mesh.points.len() as u32;
                mesh.points.push(scale * at.truncate());
            }
            corners.push(*new);
        }
        mesh.cells.push(match corners[..] {
            [a, b, c] => Cell::Triangle([a, b, c]),
            [a, b, c, d] => Cell::Quad([a, b, c, d]),
            _ => return Err(format!("its element {number} has {} corners", corners.len())),
        });
    }
    mesh.orient();
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn raw(height: f64, polygons: &[&[u32]]) -> RawMesh {
        let corners = [(9.0, 9.0), (0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0), (4.0, 1.0)];
        RawMesh {
            vertices: corners.iter().map(|&(x, y)| DVec3::new(x, y, height)).collect(),
            polygons: polygons.iter().map(|polygon| polygon.to_vec()).collect(),
            ..RawMesh::default()
        }
    }

    #[test]
    fn polygons_become_elements_counter_clockwise_without_loose_points() {
        let mesh = flattened(&raw(0.0, &[&[4, 3, 2, 1], &[2, 5, 3]]), 0.5).unwrap();
        assert_eq!(mesh.points.len(), 5);
        assert_eq!(mesh.check(), Ok(()));
        assert!((mesh.area() - (1.0 + 0.5)).abs() < 1e-15);
    }

    #[test]
    fn points_off_the_plane_and_large_polygons_are_refused() {
        assert!(flattened(&raw(1.0, &[&[1, 2, 3]]), 1.0).unwrap_err().contains("z = 1"));
        assert!(flattened(&raw(0.0, &[&[1, 2, 5, 3, 4]]), 1.0).unwrap_err().contains("5 corners"));
    }
}
