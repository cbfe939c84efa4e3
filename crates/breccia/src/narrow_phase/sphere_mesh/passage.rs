//! Which side of a one-sided mesh a touch is seen from.

use super::{FeatureKey, MeshQuery, element_height};
use crate::shapes::mesh::{EdgeKind, Element, PolygonMesh};
use glam::DVec3;

/// Slope beyond which a direction points to the back of a surface; folds of no thickness stay undecided.
const BACKWARDS: f64 = 1e-6;

/// Slack for a crossing at the seam of two elements, as a part of the square of a side.
const SEAM: f64 = 1e-12;

/// Depth of a point below an element it lies on, by rounding, as a part of the way to it.
const AROUND: f64 = 1e-9;

/// Whether a centre at `arm` [m] from an edge or a vertex, the closest point around, is behind the surface there.
///
/// The mean of the normals around it tells, weighted by the angles of the elements at a vertex (Bærentzen and
/// Aanæs 2005). A rim has no back.
pub(super) fn is_behind(mesh: &PolygonMesh, key: FeatureKey, arm: DVec3) -> bool {
    let limit = -BACKWARDS * arm.length();
    match key {
        FeatureKey::Facet(_) => false,
        FeatureKey::Edge(id) => {
            let edge = &mesh.edges[id as usize];
            let normals =
                edge.elements.as_slice().iter().map(|&element| mesh.elements[element as usize].normal);
            edge.kind != EdgeKind::Boundary && normals.sum::<DVec3>().dot(arm) < limit
        }
        FeatureKey::Vertex(id) => {
            let around = mesh.vertex_elements(id);
            let faces_away = |&element: &u32| mesh.elements[element as usize].normal.dot(arm) < limit;
            // Where all face the centre, as on top of a convex vertex, there is no need for angles.
            around.iter().any(faces_away)
                && !around.iter().any(|&element| is_on_rim(mesh, element, id))
                && around.iter().map(|&element| angle_normal(mesh, element, id)).sum::<DVec3>().dot(arm)
                    < limit
        }
    }
}

/// Normal of an element times its angle [rad] at a vertex.
fn angle_normal(mesh: &PolygonMesh, element: u32, vertex: u32) -> DVec3 {
    let element = &mesh.elements[element as usize];
    let ids = element.vertices.as_slice();
    let Some(corner) = ids.iter().position(|&id| id == vertex) else { return DVec3::ZERO };
    let tip = mesh.vertices[vertex as usize];
    let to = |place: usize| mesh.vertices[ids[place % ids.len()] as usize] - tip;
    let (next, last) = (to(corner + 1), to(corner + ids.len() - 1));
    libm::atan2(next.cross(last).length(), next.dot(last)) * element.normal
}

/// Whether a side of the element that ends at the vertex is a rim.
fn is_on_rim(mesh: &PolygonMesh, element: u32, vertex: u32) -> bool {
    let edges = mesh.elements[element as usize].edges.as_slice().iter().map(|&id| &mesh.edges[id as usize]);
    edges.into_iter().any(|edge| edge.kind == EdgeKind::Boundary && edge.vertices.contains(&vertex))
}

impl MeshQuery<'_> {
    /// Whether a touch seen from behind, at a `point` [m, mesh frame] of an `element`, lies behind a surface that faces
    /// the centre: then the centre is outside, and the touch no contact. Deep in rough bodies the distance hierarchy
    /// does not find all of these.
    pub fn hides(&self, element: u32, point: DVec3) -> bool {
        let is_before = |&number: &u32| {
            number != element && crosses(self.mesh, &self.mesh.elements[number as usize], self.centre, point)
        };
        self.candidates.iter().any(is_before)
    }
}

/// Whether the straight way from `start` to `end` [m] enters an element from its front.
fn crosses(mesh: &PolygonMesh, element: &Element, start: DVec3, end: DVec3) -> bool {
    let (before, beyond) = (element_height(element, start), element_height(element, end));
    // Elements around the end itself only touch the way, up to rounding.
    if before <= 0.0 || beyond >= -AROUND * start.distance(end) {
        return false;
    }
    let point = start + (end - start) * (before / (before - beyond));
    let ids = element.vertices.as_slice();
    let mut from = mesh.vertices[ids[ids.len() - 1] as usize];
    ids.iter().all(|&id| {
        let to = mesh.vertices[id as usize];
        let along = to - from;
        let side = along.cross(point - from).dot(element.normal);
        from = to;
        side >= -SEAM * along.length_squared()
    })
}
