//! The drum as triangles: shell, end caps and lifter bars, all facing inwards.

use breccia::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};
use glam::DVec3;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// Radius of the shell's corners [m].
pub const RADIUS: f64 = 0.15;
/// Corners around.
const SEGMENTS: usize = 64;
/// Rings of the shell.
const RINGS: usize = 16;
/// Lifter bars.
pub const LIFTERS: usize = 6;
/// Height of a lifter bar [m].
pub const LIFTER_HEIGHT: f64 = 0.020;
/// Thickness of a lifter bar [m].
pub const LIFTER_THICKNESS: f64 = 0.006;
/// Stretches of a lifter bar.
const LIFTER_STRETCHES: usize = 8;
/// The bars stand this far off the shell [m]: nothing gets in between, and no corner of theirs pierces it.
const LIFTER_GAP: f64 = 2e-4;
/// Radii of the two inner rings of an end cap, as parts of the shell's.
const CAP_RINGS: [f64; 2] = [0.5, 0.2];

/// Distance from the axis to the shell where it is flat [m].
pub fn inner_radius() -> f64 {
    RADIUS * libm::cos(PI / SEGMENTS as f64)
}

/// Angle of a lifter bar [rad].
pub fn lifter_angle(number: usize) -> f64 {
    TAU * (number as f64 + 0.5) / LIFTERS as f64
}

/// The drum around the y axis, `length` [m] long, its middle at the origin; none for a length without extent.
pub fn drum(length: f64) -> Option<PolygonMesh> {
    let mut soup = Soup::default();
    shell(&mut soup, length);
    for side in [-0.5, 0.5] {
        cap(&mut soup, side * length);
    }
    for number in 0..LIFTERS {
        lifter(&mut soup, length, lifter_angle(number));
    }
    let groups = vec![0; soup.triangles.len()];
    PolygonMesh::from_polygons(soup.vertices, &soup.triangles, &groups, false, DOUBLE_PRECISION)
}

fn shell(soup: &mut Soup, length: f64) {
    for i in 0..SEGMENTS {
        for j in 0..RINGS {
            let [low, high] = [j, j + 1].map(|ring| length * (ring as f64 / RINGS as f64 - 0.5));
            let middle = around(1.0, 2 * i + 1, 2 * SEGMENTS, 0.0);
            let corners = [(i, low), (i + 1, low), (i + 1, high), (i, high)];
            soup.quad(corners.map(|(i, y)| around(RADIUS, i, SEGMENTS, y)), -middle);
        }
    }
}

/// A ring of quads, fans to a ring of sixteen, and sixteen triangles in the middle.
fn cap(soup: &mut Soup, y: f64) {
    let inwards = DVec3::new(0.0, -y, 0.0);
    let [half, fifth] = CAP_RINGS.map(|part| part * RADIUS);
    let rim = |i| around(RADIUS, i, SEGMENTS, y);
    let ring = |i| around(half, i, SEGMENTS, y);
    let hub = |i| around(fifth, i, SEGMENTS, y);
    for i in 0..SEGMENTS {
        soup.quad([rim(i), rim(i + 1), ring(i + 1), ring(i)], inwards);
    }
    for i in (0..SEGMENTS).step_by(4) {
        for k in i..i + 4 {
            soup.triangle([ring(k), ring(k + 1), hub(i + 2)], inwards);
        }
        soup.triangle([hub(i + 2), ring(i + 4), hub(i + 6)], inwards);
        soup.triangle([hub(i + 2), hub(i + 6), DVec3::new(0.0, y, 0.0)], inwards);
    }
}

/// Both sides and the top of a bar; its foot and ends are closed by shell and caps.
fn lifter(soup: &mut Soup, length: f64, angle: f64) {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let (outwards, aside) = (DVec3::new(cos, 0.0, sin), DVec3::new(-sin, 0.0, cos));
    let foot = inner_radius() - LIFTER_GAP;
    let (top, half) = (foot - LIFTER_HEIGHT, 0.5 * LIFTER_THICKNESS);
    let at = |radius: f64, side: f64, y: f64| outwards * radius + aside * side + DVec3::Y * y;
    for j in 0..LIFTER_STRETCHES {
        let [low, high] = [j, j + 1].map(|k| length * (k as f64 / LIFTER_STRETCHES as f64 - 0.5));
        for side in [-half, half] {
            let corners =
                [at(foot, side, low), at(foot, side, high), at(top, side, high), at(top, side, low)];
            soup.quad(corners, aside * side);
        }
        soup.quad(
            [at(top, -half, low), at(top, -half, high), at(top, half, high), at(top, half, low)],
            -outwards,
        );
    }
}

/// Corner `i` of `count` around the axis, at `y`.
fn around(radius: f64, i: usize, count: usize, y: f64) -> DVec3 {
    let angle = TAU * (i % count) as f64 / count as f64;
    DVec3::new(radius * libm::cos(angle), y, radius * libm::sin(angle))
}

/// Triangles that share vertices of the same bits.
#[derive(Default)]
struct Soup {
    vertices: Vec<DVec3>,
    known: BTreeMap<[u64; 3], u32>,
    triangles: Vec<Vec<u32>>,
}

impl Soup {
    fn quad(&mut self, [a, b, c, d]: [DVec3; 4], facing: DVec3) {
        self.triangle([a, b, c], facing);
        self.triangle([a, c, d], facing);
    }

    fn triangle(&mut self, corners: [DVec3; 3], facing: DVec3) {
        let [a, b, c] = corners;
        let mut ids = corners.map(|corner| self.vertex(corner)).to_vec();
        if (b - a).cross(c - a).dot(facing) < 0.0 {
            ids.swap(1, 2);
        }
        self.triangles.push(ids);
    }

    fn vertex(&mut self, point: DVec3) -> u32 {
        // Adding zero makes one of the two zeros.
        let key = (point + DVec3::ZERO).to_array().map(f64::to_bits);
        let next = self.vertices.len() as u32;
        let id = *self.known.entry(key).or_insert(next);
        if id == next {
            self.vertices.push(point);
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use breccia::shapes::mesh::EdgeKind;

    #[test]
    fn the_drum_has_its_counts_and_faces_inwards() {
        let mesh = drum(0.35).expect("a mesh");
        assert_eq!(mesh.elements.len(), 2048 + 448 + 288);
        let bars = mesh.elements.len() - 288;
        for element in &mesh.elements[..bars] {
            let middle = mesh.corners(element).sum::<DVec3>() / 3.0;
            assert!(element.normal.dot(middle) < 0.0, "{element:?}");
        }
        // Shell and caps are welded: free edges are those of the bars alone, foot and ends.
        let free = mesh.edges.iter().filter(|edge| edge.kind == EdgeKind::Boundary).count();
        assert_eq!(free, LIFTERS * (2 * LIFTER_STRETCHES + 2 * 3));
    }

    #[test]
    fn bars_are_convex_at_their_top_and_the_vessel_concave() {
        let mesh = drum(0.35).expect("a mesh");
        let convex = mesh.edges.iter().filter(|edge| edge.kind == EdgeKind::Convex).count();
        assert_eq!(convex, LIFTERS * 2 * LIFTER_STRETCHES);
        let concave = mesh.edges.iter().filter(|edge| edge.kind == EdgeKind::Concave).count();
        assert_eq!(concave, SEGMENTS * RINGS + 2 * SEGMENTS);
    }
}
