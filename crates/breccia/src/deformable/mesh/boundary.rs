//! Loops around a mesh: sides that belong to one element, joined end to start.

use super::{MeshError, SolidMesh};
use std::collections::BTreeMap;

/// A closed line of boundary points with the material on its left: counter-clockwise outside, clockwise round holes.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundaryLoop {
    /// Points in order; the last joins the first.
    pub nodes: Vec<u32>,
    /// Area enclosed, negative round holes [m²].
    pub area: f64,
}

impl BoundaryLoop {
    /// Whether it runs round a hole.
    pub fn is_hole(&self) -> bool {
        self.area < 0.0
    }
}

/// All loops of a checked mesh, each from its lowest point number on, in the order of those.
pub fn boundary_loops(mesh: &SolidMesh) -> Result<Vec<BoundaryLoop>, MeshError> {
    let mut sides = BTreeMap::new();
    for [from, to] in mesh.cells.iter().flat_map(|cell| cell.sides()) {
        if sides.insert((from, to), ()).is_some() {
            return Err(MeshError::Branching { from, to });
        }
    }
    let outer = sides.keys().filter(|&&(from, to)| !sides.contains_key(&(to, from)));
    let mut following = BTreeMap::new();
    for &(from, to) in outer {
        if following.insert(from, to).is_some() {
            return Err(MeshError::Pinched { point: from, at: mesh.points[from as usize] });
        }
    }
    let mut loops = Vec::new();
    while let Some((&start, _)) = following.first_key_value() {
        let mut nodes = Vec::new();
        let mut here = start;
        while let Some(next) = following.remove(&here) {
            nodes.push(here);
            here = next;
        }
        let area = signed_area(mesh, &nodes);
        loops.push(BoundaryLoop { nodes, area });
    }
    Ok(loops)
}

fn signed_area(mesh: &SolidMesh, nodes: &[u32]) -> f64 {
    let at = |k: usize| mesh.points[nodes[k % nodes.len()] as usize];
    (0..nodes.len()).map(|k| 0.5 * at(k).perp_dot(at(k + 1))).sum()
}

#[cfg(test)]
mod tests {
    use super::super::Cell;
    use super::*;
    use glam::dvec2;

    /// Unit squares of a checkerboard, by column and row.
    fn squares(places: &[(u32, u32)]) -> SolidMesh {
        let mut mesh = SolidMesh::default();
        for row in 0..5 {
            mesh.points.extend((0..5).map(|column| dvec2(f64::from(column), f64::from(row))));
        }
        for &(column, row) in places {
            let corner = row * 5 + column;
            mesh.cells.push(Cell::Quad([corner, corner + 1, corner + 6, corner + 5]));
        }
        mesh
    }

    #[test]
    fn a_frame_has_an_outer_loop_and_a_hole() {
        let frame = squares(&[(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)]);
        let loops = boundary_loops(&frame).unwrap();
        let areas: Vec<f64> = loops.iter().map(|found| found.area).collect();
        assert_eq!(areas, [9.0, -1.0]);
        assert_eq!(loops[0].nodes[..3], [0, 1, 2]);
    }

    #[test]
    fn squares_that_touch_in_a_corner_are_refused() {
        let error = boundary_loops(&squares(&[(0, 0), (1, 1)])).unwrap_err();
        assert!(matches!(error, MeshError::Pinched { point: 6, .. }), "{error}");
    }

    #[test]
    fn one_square_twice_is_refused() {
        let error = boundary_loops(&squares(&[(0, 0), (0, 0)])).unwrap_err();
        assert!(matches!(error, MeshError::Branching { .. }), "{error}");
    }
}
