mod concave;
mod convex;
mod fields;
mod flat;
mod sides;

use super::super::sphere_polygon::tests::{closest_of_fan, random_rotation, random_vector};
use super::*;
use crate::scene::RandomStream;
use crate::shapes::mesh::DOUBLE_PRECISION;
use glam::DQuat;

/// Vertices and polygons from which meshes are made.
#[derive(Clone, Debug)]
struct Surface {
    vertices: Vec<DVec3>,
    polygons: Vec<Vec<u32>>,
}

impl Surface {
    /// Triangles over a grid of n × n cells of a given size around the origin; diagonals run at random.
    fn grid(n: i32, cell: f64, random: &mut RandomStream, mut place: impl FnMut(f64, f64) -> DVec3) -> Self {
        let at = |k: i32| (f64::from(k) - 0.5 * f64::from(n)) * cell;
        let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| (i, j)));
        let vertices = vertices.map(|(i, j)| place(at(i), at(j))).collect();
        let id = |i: i32, j: i32| (j * (n + 1) + i) as u32;
        let mut polygons = Vec::new();
        for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            if random.unit() < 0.5 {
                polygons.extend([vec![a, b, c], vec![a, c, d]]);
            } else {
                polygons.extend([vec![a, b, d], vec![b, c, d]]);
            }
        }
        Self { vertices, polygons }
    }

    /// A strip of quads over the points of a profile (x, z), from y = −width to width.
    fn strip(profile: &[(f64, f64)], width: f64) -> Self {
        let points = profile.iter().flat_map(|&(x, z)| [DVec3::new(x, -width, z), DVec3::new(x, width, z)]);
        let quads = (0..profile.len() as u32 - 1).map(|k| vec![2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1]);
        Self { vertices: points.collect(), polygons: quads.collect() }
    }

    /// A box with outward normals.
    fn cuboid(min: DVec3, max: DVec3) -> Self {
        let corner = |k: u32| {
            let pick = |bit: u32, low, high| if k >> bit & 1 == 0 { low } else { high };
            DVec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z))
        };
        let polygons = vec![
            vec![0, 2, 3, 1],
            vec![4, 5, 7, 6],
            vec![0, 1, 5, 4],
            vec![2, 6, 7, 3],
            vec![0, 4, 6, 2],
            vec![1, 3, 7, 5],
        ];
        Self { vertices: (0..8).map(corner).collect(), polygons }
    }

    /// Every triangle in four, by the middles of its sides.
    fn split_in_four(&self) -> Self {
        let mut vertices = self.vertices.clone();
        let mut middles = std::collections::BTreeMap::new();
        let mut polygons = Vec::new();
        for triangle in &self.polygons {
            let [a, b, c] = triangle[..] else { panic!("a triangle") };
            let mut middle = |p: u32, q: u32| {
                *middles.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    vertices.push(0.5 * (vertices[p as usize] + vertices[q as usize]));
                    vertices.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            polygons.extend([vec![a, ab, ca], vec![ab, b, bc], vec![ca, bc, c], vec![ab, bc, ca]]);
        }
        Self { vertices, polygons }
    }

    /// Every polygon with vertices of its own.
    fn unwelded(&self) -> Self {
        let mut vertices = Vec::new();
        let mut polygons = Vec::new();
        for polygon in &self.polygons {
            let first = vertices.len() as u32;
            vertices.extend(polygon.iter().map(|&id| self.vertices[id as usize]));
            polygons.push((first..vertices.len() as u32).collect());
        }
        Self { vertices, polygons }
    }

    fn shuffled(&self, random: &mut RandomStream) -> Self {
        let mut polygons = self.polygons.clone();
        shuffle(&mut polygons, random);
        Self { vertices: self.vertices.clone(), polygons }
    }

    fn moved(&self, rotation: DQuat, offset: DVec3) -> Self {
        let vertices = self.vertices.iter().map(|&v| rotation * v + offset).collect();
        Self { vertices, polygons: self.polygons.clone() }
    }

    fn one_sided(self) -> PolygonMesh {
        self.mesh(false)
    }

    fn two_sided(self) -> PolygonMesh {
        self.mesh(true)
    }

    fn mesh(self, two_sided: bool) -> PolygonMesh {
        PolygonMesh::from_polygons(self.vertices, &self.polygons, &[], two_sided, DOUBLE_PRECISION)
            .expect("a mesh")
    }
}

fn shuffle<T>(items: &mut [T], random: &mut RandomStream) {
    for last in (1..items.len()).rev() {
        items.swap(last, (random.unit() * (last + 1) as f64) as usize);
    }
}

/// The search over all elements of a mesh.
fn search(
    mesh: &PolygonMesh,
    centre: DVec3,
    radius: f64,
) -> (Vec<MeshTouch>, Result<StageCounts, CentrePassed>) {
    let candidates: Vec<u32> = (0..mesh.elements.len() as u32).collect();
    let query = MeshQuery { mesh, candidates: &candidates, centre, radius, fast_test: true, beside: &[] };
    let (low, high) = mesh.bounding_box().expect("elements");
    let tolerance = coplanar_tolerance(mesh.source_precision, low.distance(high), radius);
    let mut out = Vec::new();
    let result = mesh_touches(&query, tolerance, &mut MeshScratch::default(), &mut out);
    (out, result)
}

fn touches(mesh: &PolygonMesh, centre: DVec3, radius: f64) -> Vec<MeshTouch> {
    let (out, result) = search(mesh, centre, radius);
    assert!(result.is_ok(), "{result:?} at {centre}");
    for touch in &out {
        let miss = (centre - touch.point - touch.normal * touch.distance).length();
        assert!(miss < 1e-12 * (radius + centre.length()), "{touch:?} misses {centre} by {miss}");
        assert!((touch.normal.length() - 1.0).abs() < 1e-12 && touch.distance <= radius);
    }
    out
}

fn the_one(mesh: &PolygonMesh, centre: DVec3, radius: f64) -> MeshTouch {
    let all = touches(mesh, centre, radius);
    assert_eq!(all.len(), 1, "{centre}, radius {radius}: {all:?}");
    all[0]
}

/// Closest point of a whole mesh, element by element.
fn closest_point(mesh: &PolygonMesh, centre: DVec3) -> DVec3 {
    let points = mesh.elements.iter().map(|element| {
        let corners: Vec<DVec3> = mesh.corners(element).collect();
        closest_of_fan(&corners, centre)
    });
    points.min_by(|a, b| a.distance(centre).total_cmp(&b.distance(centre))).expect("an element")
}

fn kinds(touches: &[MeshTouch]) -> Vec<FeatureKind> {
    let mut kinds: Vec<_> = touches.iter().map(|touch| touch.key.kind()).collect();
    kinds.sort();
    kinds
}

/// Whether two sets of touches push alike: points, normals and distances within `slack`, in any order.
fn push_alike(one: &[MeshTouch], other: &[MeshTouch], slack: f64) -> bool {
    let alike = |a: &MeshTouch, b: &MeshTouch| {
        a.point.distance(b.point) <= slack
            && a.normal.distance(b.normal) <= slack
            && (a.distance - b.distance).abs() <= slack
    };
    one.len() == other.len() && one.iter().all(|a| other.iter().any(|b| alike(a, b)))
}
