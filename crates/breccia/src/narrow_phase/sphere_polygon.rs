//! A sphere against one planar convex polygon: whether they meet, and where.
//!
//! The closest point of a convex polygon to a point that projects outside it lies on an edge that sees the
//! projection outside, so only such edges are looked at. The inside is told by the polygon's own normal, whichever
//! side the sphere is on. Only + − × ÷ √ are used.

#[cfg(test)]
pub(super) mod tests;

use crate::shapes::mesh::MAX_CORNERS;
use glam::DVec3;

/// Part of a polygon that holds the closest point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolygonFeature {
    /// The inside, or a point of the outline straight below the sphere.
    Facet,
    /// The edge from this corner to the next.
    Edge(u8),
    /// This corner.
    Vertex(u8),
}

/// The closest point of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolygonTouch {
    /// Where on the polygon it lies.
    pub feature: PolygonFeature,
    /// Closest point [m].
    pub point: DVec3,
    /// Distance to the centre [m], ≥ 0.
    pub distance: f64,
    /// Place on an edge, from 0 at the end with the lower vertex id to 1 at the other; 0 elsewhere.
    pub eta: f64,
}

/// A planar convex polygon.
#[derive(Clone, Copy, Debug)]
pub struct Polygon<'a> {
    /// Corners [m], counter-clockwise seen from the tip of the normal; three to eight.
    pub corners: &'a [DVec3],
    /// Ids of the corners: points of an edge are computed from the lower id to the higher, so that all polygons
    /// around the edge find the same bits.
    pub ids: &'a [u32],
    /// Unit normal.
    pub normal: DVec3,
}

impl Polygon<'_> {
    /// Signed distance [m] of a point from the plane, positive on the side of the normal.
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.corners[0])
    }

    /// Whether a point of the polygon is no farther from `centre` [m] than `radius` [m] (fast intersection test).
    pub fn intersects(&self, centre: DVec3, radius: f64) -> bool {
        let height = self.height(centre);
        height.abs() <= radius && self.reaches(centre, radius, height)
    }

    /// The fast intersection test for a centre whose `height` [m] is known to be within `radius` [m].
    pub(super) fn reaches(&self, centre: DVec3, radius: f64, height: f64) -> bool {
        let foot = centre - height * self.normal;
        let square = radius * radius;
        let mut inside = true;
        for edge in 0..self.corners.len() {
            let start = self.corners[edge];
            let along = self.corners[self.after(edge)] - start;
            let length_squared = along.length_squared();
            let side = along.cross(foot - start).dot(self.normal);
            if side >= 0.0 {
                continue;
            }
            // All of a convex polygon lies beyond the line of an edge that is out of reach.
            if side * side > (square - height * height) * length_squared {
                return false;
            }
            inside = false;
            let arm = centre - start;
            let share = arm.dot(along);
            let nearer_end = if share < 0.0 { arm } else { arm - along };
            let beside = (0.0..=length_squared).contains(&share);
            if beside || nearer_end.length_squared() <= square {
                return true;
            }
        }
        inside
    }

    /// The point of the polygon closest to `centre` [m].
    pub fn closest(&self, centre: DVec3) -> PolygonTouch {
        let height = self.height(centre);
        let foot = centre - height * self.normal;
        let mut best: Option<PolygonTouch> = None;
        for edge in 0..self.corners.len() {
            let start = self.corners[edge];
            let along = self.corners[self.after(edge)] - start;
            if along.cross(foot - start).dot(self.normal) >= 0.0 {
                continue;
            }
            let found = self.closest_on_edge(edge, centre);
            if best.is_none_or(|best| found.distance < best.distance) {
                best = Some(found);
            }
        }
        best.unwrap_or(PolygonTouch {
            feature: PolygonFeature::Facet,
            point: foot,
            distance: height.abs(),
            eta: 0.0,
        })
    }

    fn closest_on_edge(&self, edge: usize, centre: DVec3) -> PolygonTouch {
        let next = self.after(edge);
        let (low, high) = if self.ids[edge] < self.ids[next] { (edge, next) } else { (next, edge) };
        let start = self.corners[low];
        let along = self.corners[high] - start;
        let share = (centre - start).dot(along) / along.length_squared();
        let (feature, point, eta) = if share < 0.0 {
            (PolygonFeature::Vertex(low as u8), start, 0.0)
        } else if share > 1.0 {
            (PolygonFeature::Vertex(high as u8), self.corners[high], 0.0)
        } else {
            (PolygonFeature::Edge(edge as u8), start + share * along, share)
        };
        PolygonTouch { feature, point, distance: (centre - point).length(), eta }
    }

    fn after(&self, corner: usize) -> usize {
        if corner + 1 == self.corners.len() { 0 } else { corner + 1 }
    }
}

/// Corner points of one polygon, gathered from a list of vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct CornerPoints {
    points: [DVec3; MAX_CORNERS],
    len: usize,
}

impl CornerPoints {
    /// The vertices with these ids, of which there are at most eight.
    pub fn gather(vertices: &[DVec3], ids: &[u32]) -> Self {
        let mut points = [DVec3::ZERO; MAX_CORNERS];
        for (point, &id) in points.iter_mut().zip(ids) {
            *point = vertices[id as usize];
        }
        Self { points, len: ids.len() }
    }

    pub fn as_slice(&self) -> &[DVec3] {
        &self.points[..self.len]
    }
}
