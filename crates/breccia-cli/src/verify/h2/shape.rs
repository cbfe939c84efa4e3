//! Surfaces of the experiments, as vertices and polygons.

use crate::verify::VerifyError;
use breccia::scene::RandomStream;
use breccia::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// Vertices [m] and polygons from which a mesh is made; normals point to where the polygons run counter-clockwise.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Corners [m].
    pub vertices: Vec<DVec3>,
    /// Corner ids of each polygon.
    pub polygons: Vec<Vec<u32>>,
}

impl Shape {
    /// Quads between the lines x ∈ `xs` and y ∈ `ys` [m] at height z = `height(x, y)`, normals upwards.
    pub fn grid(xs: &[f64], ys: &[f64], mut height: impl FnMut(f64, f64) -> f64) -> Self {
        let points = ys.iter().flat_map(|&y| xs.iter().map(move |&x| (x, y)));
        let vertices = points.map(|(x, y)| DVec3::new(x, y, height(x, y))).collect();
        let (columns, rows) = (xs.len() as u32, ys.len() as u32);
        let cells = (1..rows).flat_map(|j| (1..columns).map(move |i| j * columns + i));
        let quad = |upper: u32| vec![upper - columns - 1, upper - columns, upper, upper - 1];
        Self { vertices, polygons: cells.map(quad).collect() }
    }

    /// A flat square z = 0 of n × n quads, `size` [m] wide, around the origin.
    pub fn plate(size: f64, n: u32) -> Self {
        let lines = evenly(-0.5 * size, 0.5 * size, n);
        Self::grid(&lines, &lines, |_, _| 0.0)
    }

    /// Quads over a profile of points (x, z) [m], between lines y ∈ `ys` [m].
    pub fn strip(profile: &[(f64, f64)], ys: &[f64]) -> Self {
        let places: Vec<f64> = (0_u32..).zip(profile).map(|(k, _)| f64::from(k)).collect();
        let mut shape = Self::grid(&places, ys, |_, _| 0.0);
        for vertex in &mut shape.vertices {
            let (x, z) = profile[vertex.x as usize];
            *vertex = DVec3::new(x, vertex.y, z);
        }
        shape
    }

    /// Four triangles that fall from a tip at the origin at 45°.
    pub fn pyramid(size: f64) -> Self {
        let corner = |x: f64, y: f64| size * DVec3::new(x, y, -1.0);
        let vertices =
            vec![DVec3::ZERO, corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        Self { vertices, polygons: (0..4).map(|k| vec![0, 1 + k, 1 + (k + 1) % 4]).collect() }
    }

    /// A plane z = 0 with a hole of `n` corners at radius `inner` [m], out to radius `outer` [m].
    pub fn ring(n: u32, inner: f64, outer: f64) -> Self {
        let circle = |radius: f64| {
            (0..n).map(move |k| {
                let (y, x) = libm::sincos(TAU * f64::from(k) / f64::from(n));
                radius * DVec3::new(x, y, 0.0)
            })
        };
        let polygons = (0..n).map(|k| vec![k, n + k, n + (k + 1) % n, (k + 1) % n]).collect();
        Self { vertices: circle(inner).chain(circle(outer)).collect(), polygons }
    }

    /// A regular polygon z = 0 of `n` corners at `radius` [m].
    pub fn regular(n: u32, radius: f64) -> Self {
        let vertices = Self::ring(n, radius, 2.0 * radius).vertices[..n as usize].to_vec();
        Self { vertices, polygons: vec![(0..n).collect()] }
    }

    /// A box with normals outwards.
    pub fn cuboid(min: DVec3, max: DVec3) -> Self {
        let corner = |k: u32| {
            let pick = |bit: u32, low, high| if k >> bit & 1 == 0 { low } else { high };
            DVec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z))
        };
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
            .map(Vec::from);
        Self { vertices: (0..8).map(corner).collect(), polygons: sides.into() }
    }

    /// The same surface seen from its other side.
    pub fn turned_inside_out(mut self) -> Self {
        self.polygons.iter_mut().for_each(|polygon| polygon.reverse());
        self
    }

    /// Every polygon cut into triangles, the diagonals of neighbours in turn.
    pub fn triangles(&self) -> Self {
        let mut polygons = Vec::new();
        for (number, polygon) in self.polygons.iter().enumerate() {
            let mut ids = polygon.clone();
            ids.rotate_left(number % 2);
            polygons.extend(ids[1..].windows(2).map(|pair| vec![ids[0], pair[0], pair[1]]));
        }
        Self { vertices: self.vertices.clone(), polygons }
    }

    /// Every triangle or quad in four, by the middles of its sides.
    pub fn split_in_four(&self) -> Self {
        let mut vertices = self.vertices.clone();
        let mut middles = BTreeMap::new();
        let mut polygons = Vec::new();
        for polygon in &self.polygons {
            let n = polygon.len();
            let mut middle = |p: u32, q: u32| {
                *middles.entry((p.min(q), p.max(q))).or_insert_with(|| {
                    vertices.push(0.5 * (vertices[p as usize] + vertices[q as usize]));
                    vertices.len() as u32 - 1
                })
            };
            let between: Vec<u32> = (0..n).map(|k| middle(polygon[k], polygon[(k + 1) % n])).collect();
            if n == 3 {
                polygons.extend((0..n).map(|k| vec![between[(k + 2) % n], polygon[k], between[k]]));
                polygons.push(between);
            } else {
                let centre = vertices.len() as u32;
                let sum: DVec3 = polygon.iter().map(|&id| vertices[id as usize]).sum();
                vertices.push(sum / n as f64);
                polygons
                    .extend((0..n).map(|k| vec![between[(k + n - 1) % n], polygon[k], between[k], centre]));
            }
        }
        Self { vertices, polygons }
    }

    /// The same polygons in another order.
    pub fn shuffled(&self, random: &mut RandomStream) -> Self {
        let mut shape = self.clone();
        for last in (1..shape.polygons.len()).rev() {
            shape.polygons.swap(last, (random.unit() * (last + 1) as f64) as usize);
        }
        shape
    }

    /// The surface turned about the origin, then shifted [m].
    pub fn moved(&self, rotation: DQuat, offset: DVec3) -> Self {
        let vertices = self.vertices.iter().map(|&vertex| rotation * vertex + offset).collect();
        Self { vertices, polygons: self.polygons.clone() }
    }

    /// The surface shifted [m].
    pub fn at(&self, offset: DVec3) -> Self {
        self.moved(DQuat::IDENTITY, offset)
    }

    /// Several surfaces as one, not welded.
    pub fn all_of(shapes: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for shape in shapes {
            let first = all.vertices.len() as u32;
            all.vertices.extend(shape.vertices);
            all.polygons.extend(
                shape.polygons.iter().map(|polygon| polygon.iter().map(|&id| first + id).collect::<Vec<_>>()),
            );
        }
        all
    }

    /// The mesh, touched from the side of its normals.
    pub fn mesh(&self) -> Result<PolygonMesh, VerifyError> {
        PolygonMesh::from_polygons(self.vertices.clone(), &self.polygons, &[], false, DOUBLE_PRECISION)
            .ok_or_else(|| VerifyError::Course("a mesh of the experiment has a polygon without area".into()))
    }
}

/// `n` + 1 numbers at equal distances from `low` to `high`.
pub fn evenly(low: f64, high: f64, n: u32) -> Vec<f64> {
    (0..=n).map(|k| low + (high - low) * f64::from(k) / f64::from(n)).collect()
}

/// A rotation, all equally likely.
pub fn random_rotation(random: &mut RandomStream) -> DQuat {
    loop {
        let mut draw = || random.between(-1.0, 1.0);
        let q = DQuat::from_xyzw(draw(), draw(), draw(), draw());
        if (0.01..=1.0).contains(&q.length_squared()) {
            return q.normalize();
        }
    }
}
