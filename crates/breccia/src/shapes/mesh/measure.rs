//! Boxes, volume, closedness and the inside of a mesh.

use super::topology::area_vector;
use super::{Element, PolygonMesh};
use glam::DVec3;

impl PolygonMesh {
    /// Corner points of an element [m, mesh frame].
    pub fn corners<'a>(&'a self, element: &'a Element) -> impl Iterator<Item = DVec3> + Clone + 'a {
        element.vertices.as_slice().iter().map(|&id| self.vertices[id as usize])
    }

    /// Lower and upper corner [m, mesh frame] of the upright box around all elements; none without elements.
    pub fn bounding_box(&self) -> Option<(DVec3, DVec3)> {
        let boxes = (0..self.elements.len()).map(|e| self.element_box(e));
        boxes.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Lower and upper corner [m, mesh frame] of the upright box around an element.
    ///
    /// # Panics
    /// When there is no such element.
    pub fn element_box(&self, element: usize) -> (DVec3, DVec3) {
        let infinite = DVec3::splat(f64::INFINITY);
        let corners = self.corners(&self.elements[element]);
        corners.fold((infinite, -infinite), |(low, high), corner| (low.min(corner), high.max(corner)))
    }

    /// Area of an element [m²].
    ///
    /// # Panics
    /// When there is no such element.
    pub fn element_area(&self, element: usize) -> f64 {
        0.5 * area_vector(self.corners(&self.elements[element])).length()
    }

    /// Whether the surface has an inside: every edge is run along equally often in both directions.
    pub fn is_closed(&self) -> bool {
        let mut balance = vec![0i32; self.edges.len()];
        for element in &self.elements {
            for (&start, &edge) in element.vertices.as_slice().iter().zip(element.edges.as_slice()) {
                let upwards = self.edges[edge as usize].vertices[0] == start;
                balance[edge as usize] += if upwards { 1 } else { -1 };
            }
        }
        !self.elements.is_empty() && balance.iter().all(|&sum| sum == 0)
    }

    /// Enclosed volume [m³] of a closed mesh, positive when the normals point outwards.
    pub fn volume(&self) -> f64 {
        let Some((low, high)) = self.bounding_box() else { return 0.0 };
        let origin = 0.5 * (low + high);
        let six_volumes = self.elements.iter().flat_map(|element| self.fan(element));
        six_volumes.map(|[a, b, c]| (a - origin).dot((b - origin).cross(c - origin))).sum::<f64>() / 6.0
    }

    /// Whether a point [m, mesh frame] lies inside a closed mesh, whichever way its normals point.
    ///
    /// The winding number decides, so that seams, edges and vertices need no special cases. It looks at every
    /// element; for many points take an [`InsideTest`](super::InsideTest).
    pub fn contains(&self, point: DVec3) -> bool {
        let Some((low, high)) = self.bounding_box() else { return false };
        if point.cmplt(low).any() || point.cmpgt(high).any() {
            return false;
        }
        let triangles = self.elements.iter().flat_map(|element| self.fan(element));
        let solid_angle: f64 = triangles.map(|triangle| solid_angle(triangle, point)).sum();
        solid_angle.abs() > 2.0 * std::f64::consts::PI
    }

    /// The triangles of an element around its first corner.
    fn fan<'a>(&'a self, element: &'a Element) -> impl Iterator<Item = [DVec3; 3]> + 'a {
        let ids = element.vertices.as_slice();
        ids.windows(2)
            .skip(1)
            .map(move |pair| [ids[0], pair[0], pair[1]].map(|id| self.vertices[id as usize]))
    }
}

/// Solid angle of a triangle seen from a point [sr], positive when its normal points away (van Oosterom and
/// Strackee).
fn solid_angle(triangle: [DVec3; 3], point: DVec3) -> f64 {
    let [a, b, c] = triangle.map(|corner| corner - point);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let adjacent = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * libm::atan2(a.dot(b.cross(c)), adjacent)
}
