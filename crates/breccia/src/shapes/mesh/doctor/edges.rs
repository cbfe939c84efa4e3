//! Free and over-shared edges.

use super::report::{FindingKind, MeshReport, Severity, counted};
use crate::shapes::mesh::{EdgeElements, PolygonMesh};
use glam::DVec3;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lengths of holes named in a report.
const LENGTHS_NAMED: usize = 5;

/// Reports edges of more than two elements.
pub(super) fn find_non_manifold(mesh: &PolygonMesh, report: &mut MeshReport) {
    let shared = mesh.edges.iter().filter(|edge| matches!(edge.elements, EdgeElements::Many(_)));
    let places: Vec<_> = shared.map(|edge| middle(mesh, edge.vertices)).collect();
    let text = format!(
        "{} shared by more than two elements, taken for boundaries: fine where sheets meet, else look for \
         walls inside the body",
        counted(places.len(), "edge")
    );
    report.add(FindingKind::NonManifold, Severity::Note, &places, text);
}

/// Reports loops of free edges with their lengths.
pub(super) fn find_holes(mesh: &PolygonMesh, report: &mut MeshReport) {
    let loops = boundary_loops(mesh);
    let places: Vec<DVec3> = loops.iter().map(|(place, _)| *place).collect();
    let mut lengths = String::new();
    for (i, (_, length)) in loops.iter().take(LENGTHS_NAMED).enumerate() {
        // Writing to a text cannot fail.
        let _ = write!(lengths, "{}{length:.4} m", if i == 0 { "" } else { ", " });
    }
    let more = if loops.len() > LENGTHS_NAMED { ", …" } else { "" };
    let text = format!(
        "{} of free edges ({lengths}{more}): right for an open surface, but a body meant to be closed must \
         be repaired there",
        counted(loops.len(), "loop")
    );
    report.add(FindingKind::Hole, Severity::Note, &places, text);
}

fn middle(mesh: &PolygonMesh, ends: [u32; 2]) -> DVec3 {
    let [a, b] = ends.map(|id| mesh.vertices[id as usize]);
    0.5 * (a + b)
}

/// First vertex and length [m] of each chain of free edges, followed without regard to orientation.
fn boundary_loops(mesh: &PolygonMesh) -> Vec<(DVec3, f64)> {
    let mut at_vertex: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    let mut open = vec![false; mesh.edges.len()];
    for (i, edge) in mesh.edges.iter().enumerate() {
        if matches!(edge.elements, EdgeElements::One(_)) {
            open[i] = true;
            edge.vertices.iter().for_each(|&v| at_vertex.entry(v).or_default().push(i));
        }
    }
    let mut loops = Vec::new();
    for (&start, edges) in &at_vertex {
        while edges.iter().any(|&i| open[i]) {
            loops.push((mesh.vertices[start as usize], follow(mesh, &at_vertex, &mut open, start)));
        }
    }
    loops
}

/// Walks along unused free edges from a vertex until it is met again or no edge is left; the length walked [m].
fn follow(mesh: &PolygonMesh, at_vertex: &BTreeMap<u32, Vec<usize>>, open: &mut [bool], start: u32) -> f64 {
    let (mut here, mut length) = (start, 0.0);
    while let Some(i) = at_vertex[&here].iter().copied().find(|&i| open[i]) {
        open[i] = false;
        let [a, b] = mesh.edges[i].vertices;
        length += mesh.vertices[a as usize].distance(mesh.vertices[b as usize]);
        here = if here == a { b } else { a };
        if here == start {
            break;
        }
    }
    length
}
