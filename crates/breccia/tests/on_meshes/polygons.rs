//! Surfaces cut into elements in many ways.

use crate::support::Dice;
use breccia::shapes::mesh::{
    DOUBLE_PRECISION, Facing, MeshOptions, PolygonMesh, RawMesh, SINGLE_PRECISION, Severity,
};
use glam::{DQuat, DVec3};
use std::collections::HashMap;

/// Points closer than this are one [m].
const WELD: f64 = 1e-8;

/// How a cell of four corners is cut.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    Quad,
    Triangles,
    /// A square in the middle and four pentagons around it.
    Pentagons,
}

/// Corners and polygons of a surface.
#[derive(Clone, Debug, Default)]
pub struct Polygons {
    pub vertices: Vec<DVec3>,
    pub polygons: Vec<Vec<u32>>,
}

impl Polygons {
    /// The surface `map(u, v)` in cells between lines of u and v; it faces along ∂u × ∂v.
    pub fn surface(us: &[f64], vs: &[f64], cut: Cut, map: impl Fn(f64, f64) -> DVec3) -> Self {
        let mut surface = Self::default();
        for u in us.windows(2) {
            for v in vs.windows(2) {
                let corners = [map(u[0], v[0]), map(u[1], v[0]), map(u[1], v[1]), map(u[0], v[1])];
                surface.add_cell(corners, cut);
            }
        }
        surface.welded()
    }

    /// The inside of a box from the origin to `size`, each face between the given lines (0 to 1).
    pub fn room(size: DVec3, lines: &[f64], cut: Cut) -> Self {
        let mut room = Self::default();
        for axis in 0..3 {
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            for high in [false, true] {
                let face = Self::surface(lines, lines, cut, |u, v| {
                    let mut point = DVec3::ZERO;
                    let (on_b, on_c) = if high { (v, u) } else { (u, v) };
                    (point[axis], point[b], point[c]) = (f64::from(u8::from(high)), on_b, on_c);
                    point * size
                });
                room.append(&face);
            }
        }
        room.welded()
    }

    /// Regular hexagons with sides of `side` [m] in the plane z = 0, facing up, within `half` [m] of the z axis.
    pub fn honeycomb(side: f64, half: f64) -> Self {
        let (across, rise) = (side * 3.0_f64.sqrt(), 1.5 * side);
        let mut comb = Self::default();
        let rows = (half / rise).ceil() as i32;
        let columns = (half / across).ceil() as i32;
        for row in -rows..=rows {
            for column in -columns..=columns {
                let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
                let centre = DVec3::new((f64::from(column) + shift) * across, f64::from(row) * rise, 0.0);
                let corner = |k: i32| {
                    let (sin, cos) = libm::sincos((f64::from(k) + 0.5) * std::f64::consts::FRAC_PI_3);
                    centre + side * DVec3::new(cos, sin, 0.0)
                };
                comb.add(&(0..6).map(corner).collect::<Vec<_>>());
            }
        }
        comb.welded()
    }

    fn add_cell(&mut self, [a, b, c, d]: [DVec3; 4], cut: Cut) {
        let at = |u: f64, v: f64| {
            a * ((1.0 - u) * (1.0 - v)) + b * (u * (1.0 - v)) + c * (u * v) + d * ((1.0 - u) * v)
        };
        match cut {
            Cut::Quad => self.add(&[a, b, c, d]),
            Cut::Triangles => {
                self.add(&[a, b, c]);
                self.add(&[a, c, d]);
            }
            Cut::Pentagons => {
                let middles = [at(0.5, 0.0), at(1.0, 0.5), at(0.5, 1.0), at(0.0, 0.5)];
                let inner = [at(0.5, 0.25), at(0.75, 0.5), at(0.5, 0.75), at(0.25, 0.5)];
                self.add(&inner);
                for (k, corner) in [a, b, c, d].into_iter().enumerate() {
                    let last = (k + 3) % 4;
                    self.add(&[corner, middles[k], inner[k], inner[last], middles[last]]);
                }
            }
        }
    }

    /// Adds a polygon with corners of its own.
    pub fn add(&mut self, corners: &[DVec3]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(corners);
        self.polygons.push((first..first + corners.len() as u32).collect());
    }

    /// Adds another surface, unwelded.
    pub fn append(&mut self, other: &Self) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&other.vertices);
        self.polygons.extend(other.polygons.iter().map(|ids| ids.iter().map(|id| id + first).collect()));
    }

    /// The same surface with points at one place made one.
    pub fn welded(&self) -> Self {
        let mut places = HashMap::new();
        let mut welded = Self::default();
        let mut id_of = |vertex: DVec3, vertices: &mut Vec<DVec3>| {
            let key = (vertex / WELD).round().to_array().map(|x| x as i64);
            *places.entry(key).or_insert_with(|| {
                vertices.push(vertex);
                vertices.len() as u32 - 1
            })
        };
        for polygon in &self.polygons {
            let ids = polygon.iter().map(|&id| id_of(self.vertices[id as usize], &mut welded.vertices));
            let ids = ids.collect();
            welded.polygons.push(ids);
        }
        welded
    }

    /// Every polygon cut at the middles of its sides: triangles into four, others about their centre.
    pub fn split_in_four(&self) -> Self {
        let mut split = Self::default();
        for polygon in &self.polygons {
            let corners: Vec<DVec3> = polygon.iter().map(|&id| self.vertices[id as usize]).collect();
            let count = corners.len();
            let middle = |k: usize| {
                // The same bits from both sides.
                let (a, b) = (corners[k % count], corners[(k + 1) % count]);
                0.5 * (a + b)
            };
            if count == 3 {
                split.add(&[middle(0), middle(1), middle(2)]);
            }
            let centre = corners.iter().copied().sum::<DVec3>() / count as f64;
            for (k, &corner) in corners.iter().enumerate() {
                let piece = [middle(k + count - 1), corner, middle(k), centre];
                split.add(&piece[..if count == 3 { 3 } else { 4 }]);
            }
        }
        split.welded()
    }

    /// Elements, vertices and first corners in another order.
    pub fn shuffled(&self, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut new_ids: Vec<u32> = (0..self.vertices.len() as u32).collect();
        shuffle(&mut new_ids, &mut dice);
        let mut vertices = self.vertices.clone();
        for (old, &new) in new_ids.iter().enumerate() {
            vertices[new as usize] = self.vertices[old];
        }
        let mut polygons = self.polygons.clone();
        shuffle(&mut polygons, &mut dice);
        for polygon in &mut polygons {
            polygon.iter_mut().for_each(|id| *id = new_ids[*id as usize]);
            let turn = (dice.unit() * polygon.len() as f64) as usize;
            polygon.rotate_left(turn);
        }
        Self { vertices, polygons }
    }

    /// Turned about the origin, then shifted [m].
    pub fn placed(&self, turn: DQuat, shift: DVec3) -> Self {
        let vertices = self.vertices.iter().map(|&vertex| turn * vertex + shift).collect();
        Self { vertices, polygons: self.polygons.clone() }
    }

    /// Facing the other way.
    pub fn flipped(&self) -> Self {
        let polygons = self.polygons.iter().map(|ids| ids.iter().rev().copied().collect()).collect();
        Self { vertices: self.vertices.clone(), polygons }
    }

    /// The mesh as it is.
    pub fn mesh(&self) -> PolygonMesh {
        let (vertices, polygons) = (self.vertices.clone(), &self.polygons);
        PolygonMesh::from_polygons(vertices, polygons, &[], false, DOUBLE_PRECISION).expect("clean polygons")
    }

    /// The mesh after a way through an STL file: triangles that share nothing, in single precision, and the doctor.
    pub fn through_stl(&self) -> PolygonMesh {
        let mut raw = RawMesh { precision: SINGLE_PRECISION, ..RawMesh::default() };
        for polygon in &self.polygons {
            for k in 1..polygon.len() - 1 {
                let first = raw.vertices.len() as u32;
                raw.vertices.extend([0, k, k + 1].map(|corner| {
                    let vertex = self.vertices[polygon[corner] as usize];
                    DVec3::from_array(vertex.to_array().map(|x| f64::from(x as f32)))
                }));
                raw.polygons.push((first..first + 3).collect());
            }
        }
        let options = MeshOptions { facing: Facing::AsGiven, ..MeshOptions::default() };
        let (mesh, report) = PolygonMesh::build(raw, &options);
        let must_fix = report.findings.iter().find(|finding| finding.severity == Severity::MustFix);
        assert!(must_fix.is_none(), "the doctor gives up: {must_fix:?}");
        mesh
    }
}

fn shuffle<T>(items: &mut [T], dice: &mut Dice) {
    for k in (1..items.len()).rev() {
        items.swap(k, ((k + 1) as f64 * dice.unit()) as usize);
    }
}

/// `count` + 1 lines at equal distances from `low` to `high`.
pub fn lines(count: u32, low: f64, high: f64) -> Vec<f64> {
    (0..=count).map(|k| low + (high - low) * f64::from(k) / f64::from(count)).collect()
}

/// Lines between which broad cells and cells a thousand times narrower take turns.
pub fn sliver_lines(count: u32, low: f64, high: f64) -> Vec<f64> {
    let width = (high - low) / f64::from(count);
    let pair = |k: u32| {
        let start = low + f64::from(k) * width;
        [start, start + 1e-3 * width]
    };
    (0..count).flat_map(pair).chain([high]).collect()
}
