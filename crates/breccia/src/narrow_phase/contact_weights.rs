//! How a force at a point of an element is shared among the element's corners.

#[cfg(test)]
mod tests;

use super::sphere_polygon::CornerPoints;
use super::{FeatureKey, MeshTouch};
use crate::shapes::mesh::{MAX_CORNERS, PolygonMesh};
use glam::{DMat3, DVec3};

/// Shares of up to eight vertices; they sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactWeights {
    vertices: [u32; MAX_CORNERS],
    shares: [f64; MAX_CORNERS],
    len: usize,
}

impl ContactWeights {
    /// Shares of the vertices around a touch: both ends of an edge, all corners of a facet, one vertex.
    pub fn of_touch(mesh: &PolygonMesh, touch: &MeshTouch) -> Self {
        match touch.key {
            FeatureKey::Vertex(id) => Self::new(&[id], &[1.0]),
            FeatureKey::Edge(id) => {
                Self::new(&mesh.edges[id as usize].vertices, &[1.0 - touch.eta, touch.eta])
            }
            FeatureKey::Facet(_) => {
                let element = &mesh.elements[touch.element as usize];
                let ids = element.vertices.as_slice();
                let corners = CornerPoints::gather(&mesh.vertices, ids);
                let shares = polygon_weights(corners.as_slice(), element.normal, touch.point);
                Self::new(ids, &shares[..ids.len()])
            }
        }
    }

    /// Shares for a force at a `point` [m, mesh frame] of a feature; `element` tells where on a patch it lies.
    pub fn at_point(mesh: &PolygonMesh, key: FeatureKey, element: u32, point: DVec3) -> Self {
        let eta = match key {
            FeatureKey::Edge(id) => {
                let [start, end] = mesh.edges[id as usize].vertices.map(|end| mesh.vertices[end as usize]);
                (point - start).dot(end - start) / (end - start).length_squared()
            }
            FeatureKey::Facet(_) | FeatureKey::Vertex(_) => 0.0,
        };
        Self::of_touch(mesh, &MeshTouch { key, element, point, normal: DVec3::ZERO, distance: 0.0, eta })
    }

    /// Vertex ids and their shares.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.vertices[..self.len].iter().copied().zip(self.shares[..self.len].iter().copied())
    }

    fn new(ids: &[u32], values: &[f64]) -> Self {
        let (mut vertices, mut shares) = ([0; MAX_CORNERS], [0.0; MAX_CORNERS]);
        vertices[..ids.len()].copy_from_slice(ids);
        shares[..values.len()].copy_from_slice(values);
        Self { vertices, shares, len: ids.len() }
    }
}

/// Nearer to an edge than this part of its length, the two ends of the edge share.
const ON_EDGE: f64 = 1e-9;

/// Wachspress weights of a `point` of a planar convex polygon [m], one per corner (three to eight), then zeros.
///
/// They sum to one, and the corners weighted by them give the point, also where it lies on the outline or by
/// rounding beyond it. Beside nearly straight angles and in slivers a weight may be negative by rounding, above −1e-5.
pub fn polygon_weights(corners: &[DVec3], normal: DVec3, point: DVec3) -> [f64; MAX_CORNERS] {
    let mut weights = match edge_below(corners, point) {
        // Where two edges form a straight angle, all products have small factors that rounding decides.
        Some((edge, share)) => {
            let mut weights = [0.0; MAX_CORNERS];
            weights[edge] = 1.0 - share;
            weights[after(edge, corners)] = share;
            weights
        }
        None => wachspress(corners, normal, point),
    };
    correct(corners, normal, point, &mut weights);
    weights
}

/// The edge that a point lies on, and its place between the start (0) and the end (1).
fn edge_below(corners: &[DVec3], point: DVec3) -> Option<(usize, f64)> {
    let places = corners.iter().enumerate().map(|(edge, &start)| {
        let along = corners[after(edge, corners)] - start;
        let share = ((point - start).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let gap = (point - start - share * along).length_squared();
        (gap / along.length_squared(), edge, share)
    });
    let nearest = places.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (nearest.0 <= ON_EDGE * ON_EDGE).then_some((nearest.1, nearest.2))
}

/// Wachspress weights in the form of products, which hold up to the outline.
fn wachspress(corners: &[DVec3], normal: DVec3, point: DVec3) -> [f64; MAX_CORNERS] {
    let mut sides = [0.0_f64; MAX_CORNERS];
    for (i, &corner) in corners.iter().enumerate() {
        let along = corners[after(i, corners)] - corner;
        sides[i] = along.cross(point - corner).dot(normal).max(0.0);
    }
    let mut weights = [0.0; MAX_CORNERS];
    let mut sum = 0.0;
    let mut before = corners.len() - 1;
    for (i, &corner) in corners.iter().enumerate() {
        let turn = (corner - corners[before]).cross(corners[after(i, corners)] - corner).dot(normal);
        let others = (0..corners.len()).filter(|&a| a != i && a != before);
        weights[i] = others.fold(turn.max(0.0), |product, a| product * sides[a]);
        sum += weights[i];
        before = i;
    }
    if sum > 0.0 {
        weights.map(|weight| weight / sum)
    } else {
        // Outside the polygon: an even start, which the correction moves to the point.
        let even = 1.0 / corners.len() as f64;
        std::array::from_fn(|i| if i < corners.len() { even } else { 0.0 })
    }
}

fn after(corner: usize, corners: &[DVec3]) -> usize {
    if corner + 1 == corners.len() { 0 } else { corner + 1 }
}

/// Moves the weighted sum of the corners onto the point, by the smallest change of the weights that keeps their
/// sum. Products alone lose digits beside nearly straight angles and in slivers.
fn correct(corners: &[DVec3], normal: DVec3, point: DVec3, weights: &mut [f64; MAX_CORNERS]) {
    let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
    let missing =
        corners.iter().zip(&*weights).fold(point, |rest, (&corner, &weight)| rest - weight * corner);
    let mut spread = DMat3::ZERO;
    let mut size = 0.0;
    for &corner in corners {
        let arm = corner - middle;
        spread += DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        size += arm.length_squared();
    }
    let across = normal * size;
    spread += DMat3::from_cols(across * normal.x, across * normal.y, across * normal.z);
    let slope = spread.inverse() * missing;
    if slope.is_finite() {
        for (weight, &corner) in weights.iter_mut().zip(corners) {
            *weight += slope.dot(corner - middle);
        }
    }
}
