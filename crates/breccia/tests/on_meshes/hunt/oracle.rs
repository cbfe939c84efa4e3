//! Exact contacts by brute force: local minima of the distance to the surface, from geometry alone.

use breccia::shapes::mesh::PolygonMesh;
use glam::DVec3;

/// Two points closer than this part of the radius are one.
const SAME: f64 = 1e-7;

/// Closest point of a convex polygon: the foot if it is inside, else the nearest point of the outline.
fn closest(corners: &[DVec3], point: DVec3) -> DVec3 {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
    let foot = point - normal * normal.dot(point - corners[0]);
    let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
    if sides().all(|(&a, &b)| (b - a).cross(foot - a).dot(normal) >= 0.0) {
        return foot;
    }
    let on_side = |(&a, &b): (&DVec3, &DVec3)| {
        let share = (point - a).dot(b - a) / (b - a).length_squared();
        a + (b - a) * share.clamp(0.0, 1.0)
    };
    let nearer = |p: DVec3, q: DVec3| if p.distance(point) <= q.distance(point) { p } else { q };
    sides().map(on_side).reduce(nearer).expect("a polygon has sides")
}

/// The point of a mesh nearest to `point`.
pub fn nearest(mesh: &PolygonMesh, point: DVec3) -> DVec3 {
    let feet = mesh.elements.iter().map(|element| closest(&mesh.corners(element).collect::<Vec<_>>(), point));
    let nearer = |p: DVec3, q: DVec3| if p.distance(point) <= q.distance(point) { p } else { q };
    feet.reduce(nearer).expect("a mesh has elements")
}

/// What the surface looks like from a centre.
pub struct View {
    /// Touched points, nearest first.
    pub points: Vec<DVec3>,
    /// Whether the list hangs on rounding: two points nearly equal, one nearly out of reach or nearly hidden.
    pub doubtful: bool,
}

/// Points where a sphere touches a mesh: local minima of the distance to its centre, without those that lie on or
/// behind the tangent plane at a nearer one.
pub fn contacts(mesh: &PolygonMesh, centre: DVec3, radius: f64) -> View {
    let corners = |e: usize| mesh.corners(&mesh.elements[e]).collect::<Vec<_>>();
    let elements: Vec<Vec<DVec3>> = (0..mesh.elements.len()).map(corners).collect();
    let nearest: Vec<DVec3> = elements.iter().map(|corners| closest(corners, centre)).collect();
    let mut doubtful = false;
    let mut minima: Vec<DVec3> = Vec::new();
    for &point in nearest.iter().filter(|point| point.distance(centre) < radius * (1.0 + SAME)) {
        let distance = point.distance(centre);
        doubtful |= distance > radius * (1.0 - SAME);
        // The distance to a convex element has one minimum: the point is a local one of the surface where it is that of
        // every element it lies on.
        let around = elements
            .iter()
            .zip(&nearest)
            .filter(|(corners, _)| closest(corners, point).distance(point) < SAME * radius);
        let lowest = around.map(|(_, other)| other.distance(centre)).fold(distance, f64::min);
        doubtful |=
            lowest < distance && lowest > distance * (1.0 - 1e-6) && lowest < distance * (1.0 - 1e-12);
        if lowest >= distance * (1.0 - 1e-9) && minima.iter().all(|m| m.distance(point) > SAME * radius) {
            minima.push(point);
        }
    }
    minima.sort_by(|a, b| a.distance(centre).total_cmp(&b.distance(centre)));
    let mut points: Vec<DVec3> = Vec::new();
    for point in minima {
        let behind = |other: &&DVec3| {
            let arm = centre - **other;
            let ahead = (centre - point).dot(arm) / arm.length_squared() - 1.0;
            doubtful |= ahead.abs() < 1e-5;
            ahead >= 0.0
        };
        if points.iter().find(behind).is_none() {
            points.push(point);
        }
    }
    View { points, doubtful }
}
