//! Walls as polygons, for display only.

use crate::model::Surface;
use crate::motion::Pose;
use crate::shapes::WallShape;
use crate::shapes::mesh::{Edge, EdgeKind, PolygonMesh};
use glam::{DVec2, DVec3};

/// Facets around a full circle.
const AROUND: usize = 96;
/// Rings of a sphere from pole to pole.
const RINGS: usize = 32;
/// Angle between elements of a mesh from which on their edge is drawn [rad].
const SHARP: f64 = 0.35;

/// Thickness of walls in the plane and how far they go beyond the bodies, as parts of the bodies' extent.
const FLAT_WALL: [f64; 2] = [0.02, 0.1];

/// A surface for display [m, world].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallMesh {
    /// Points.
    pub points: Vec<DVec3>,
    /// Polygons as indices of points, in order around.
    pub polys: Vec<Vec<u32>>,
    /// Edges worth drawing: rims and sharp edges, as indices of points.
    pub outline: Vec<[u32; 2]>,
}

/// A straight wall of the plane through a point, with a normal of length 1 towards the bodies, as a thin strip along what lies
/// between two corners [m].
pub fn flat_wall(point: DVec2, normal: DVec2, [low, high]: [DVec2; 2]) -> WallMesh {
    let (middle, extent) = (0.5 * (low + high), (high - low).max_element());
    let foot = middle + normal * normal.dot(point - middle);
    let along = normal.perp();
    let reach = along * ((0.5 * (high - low)).dot(along.abs()) + FLAT_WALL[1] * extent);
    let back = normal * (-FLAT_WALL[0] * extent);
    let corners = [foot - reach, foot + reach, foot + reach + back, foot - reach + back];
    WallMesh {
        points: corners.map(|corner| corner.extend(0.0)).to_vec(),
        polys: vec![vec![0, 1, 2, 3]],
        ..WallMesh::default()
    }
}

/// The part of space in which endless walls are shown [m, world].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipBox {
    /// Lower corner.
    pub min: DVec3,
    /// Upper corner.
    pub max: DVec3,
}

impl ClipBox {
    /// A box around spheres and walls of finite size, with some room; a unit box if there is nothing.
    pub fn around(centres: &[DVec3], radii: &[f64], walls: &[(&Surface, Pose)]) -> Self {
        let nothing = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
        let unit = Self { min: -DVec3::ONE, max: DVec3::ONE };
        let spheres = centres.iter().copied().zip(radii.iter().copied());
        let finite_walls = walls.iter().filter(|(surface, _)| surface.bounding_box().is_some());
        let corners = finite_walls.flat_map(|(surface, pose)| surface_polygons(surface, pose, &unit).points);
        let balls = spheres.chain(corners.map(|corner| (corner, 0.0)));
        let grown = balls
            .filter(|(point, radius)| (*point + *radius).is_finite())
            .fold(nothing, |b, (p, r)| Self { min: b.min.min(p - r), max: b.max.max(p + r) });
        if !grown.min.is_finite() {
            return unit;
        }
        let room = 0.04 * (grown.max - grown.min).max_element();
        Self { min: grown.min - room, max: grown.max + room }
    }

    fn centre(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    fn half_diagonal(&self) -> f64 {
        0.5 * (self.max - self.min).length()
    }
}

/// Polygons of a wall at a pose; those of a mesh in the order of its elements.
pub fn surface_polygons(surface: &Surface, world_from_wall: &Pose, clip: &ClipBox) -> WallMesh {
    match surface {
        Surface::Analytic(shape) => tessellate(shape, world_from_wall, clip),
        Surface::Mesh(mesh) => mesh_polygons(&mesh.mesh).moved(|point| world_from_wall.point_to_world(point)),
    }
}

fn mesh_polygons(mesh: &PolygonMesh) -> WallMesh {
    let is_sharp = |edge: &&Edge| edge.kind == EdgeKind::Boundary || edge.angle.abs() > SHARP;
    WallMesh {
        points: mesh.vertices.clone(),
        polys: mesh.elements.iter().map(|element| element.vertices.as_slice().to_vec()).collect(),
        outline: mesh.edges.iter().filter(is_sharp).map(|edge| edge.vertices).collect(),
    }
}

/// Polygons of an analytic wall at a pose. Planes are cut to the box; endless cylinders reach just across it.
pub fn tessellate(shape: &WallShape, world_from_wall: &Pose, clip: &ClipBox) -> WallMesh {
    let to_world = |point: DVec3| world_from_wall.translation + world_from_wall.rotation * point;
    let turn = |direction: DVec3| world_from_wall.rotation * direction;
    match *shape {
        WallShape::Plane { point, normal } => plane(to_world(point), turn(normal), clip),
        WallShape::Box { min, max, open, .. } => rectangles(min, max, open).moved(to_world),
        WallShape::Cylinder { start, axis, length, radius, .. } => {
            let (start, axis) = (to_world(start), turn(axis));
            let (start, length) = finite_span(start, axis, length, clip);
            band(start, axis, length, [radius, radius])
        }
        WallShape::Cone { start, axis, length, start_radius, end_radius, .. } => {
            band(to_world(start), turn(axis), length, [start_radius, end_radius])
        }
        WallShape::Sphere { centre, radius, .. } => sphere(to_world(centre), radius),
        WallShape::Rectangle { centre, normal, along, half, .. } => {
            let (u, v) = (along * half[0], normal.cross(along) * half[1]);
            let mut mesh = WallMesh::default();
            mesh.add_polygon(&[centre - u - v, centre + u - v, centre + u + v, centre - u + v]);
            mesh.moved(to_world)
        }
        WallShape::Disc { centre, normal, radius, hole } => {
            band(to_world(centre), turn(normal), 0.0, [hole, radius])
        }
    }
}

impl WallMesh {
    fn moved(mut self, to_world: impl Fn(DVec3) -> DVec3) -> Self {
        self.points.iter_mut().for_each(|point| *point = to_world(*point));
        self
    }

    fn add_ring(&mut self, centre: DVec3, axis: DVec3, radius: f64) -> Vec<u32> {
        let (u, v) = axis.any_orthonormal_pair();
        let first = self.points.len() as u32;
        if radius == 0.0 {
            self.points.push(centre);
            return vec![first; AROUND];
        }
        for step in 0..AROUND {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * step as f64 / AROUND as f64);
            self.points.push(centre + radius * (cos * u + sin * v));
        }
        (first..first + AROUND as u32).collect()
    }

    /// Quads between two rings; triangles where one ring is a point.
    fn join_rings(&mut self, a: &[u32], b: &[u32]) {
        for i in 0..AROUND {
            let j = (i + 1) % AROUND;
            let mut poly = vec![a[i], a[j], b[j], b[i]];
            poly.dedup();
            self.polys.push(poly);
        }
    }

    fn outline_ring(&mut self, ring: &[u32]) {
        let next = ring.iter().cycle().skip(1);
        let edges = ring.iter().zip(next).map(|(&a, &b)| [a, b]).filter(|[a, b]| a != b);
        self.outline.extend(edges);
    }

    fn add_polygon(&mut self, corners: &[DVec3]) {
        let first = self.points.len() as u32;
        self.points.extend(corners);
        let ring: Vec<u32> = (first..first + corners.len() as u32).collect();
        self.outline_ring(&ring);
        self.polys.push(ring);
    }
}

/// Lateral surface between two circles; a flat ring for zero length.
fn band(start: DVec3, axis: DVec3, length: f64, radii: [f64; 2]) -> WallMesh {
    let mut mesh = WallMesh::default();
    let a = mesh.add_ring(start, axis, radii[0]);
    let b = mesh.add_ring(start + length * axis, axis, radii[1]);
    mesh.join_rings(&a, &b);
    mesh.outline_ring(&a);
    mesh.outline_ring(&b);
    mesh
}

fn sphere(centre: DVec3, radius: f64) -> WallMesh {
    let mut mesh = WallMesh::default();
    let mut last: Option<Vec<u32>> = None;
    for ring in 0..=RINGS {
        let (sin, cos) = libm::sincos(std::f64::consts::PI * ring as f64 / RINGS as f64);
        let at_pole = ring == 0 || ring == RINGS;
        let ring_radius = if at_pole { 0.0 } else { radius * sin };
        let points = mesh.add_ring(centre + radius * cos * DVec3::Z, DVec3::Z, ring_radius);
        if let Some(last) = &last {
            mesh.join_rings(last, &points);
        }
        last = Some(points);
    }
    mesh
}

/// The faces that are there, each with its own corners.
fn rectangles(min: DVec3, max: DVec3, open: [bool; 6]) -> WallMesh {
    let mut mesh = WallMesh::default();
    for face in (0..6).filter(|&face| !open[face]) {
        let (axis, upper) = (face / 2, face % 2 == 1);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let corner = |far_u: bool, far_v: bool| {
            let mut point = if upper { max } else { min };
            point[u] = if far_u { max[u] } else { min[u] };
            point[v] = if far_v { max[v] } else { min[v] };
            point
        };
        let around = [corner(false, false), corner(true, false), corner(true, true), corner(false, true)];
        mesh.add_polygon(&around);
    }
    mesh
}

/// Intersection of a plane with the box: a large square cut by the six sides (Sutherland–Hodgman).
fn plane(point: DVec3, normal: DVec3, clip: &ClipBox) -> WallMesh {
    let (u, v) = normal.any_orthonormal_pair();
    let foot = clip.centre() - (clip.centre() - point).dot(normal) * normal;
    let reach = 2.0 * clip.half_diagonal();
    let mut polygon: Vec<DVec3> = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
        .map(|(a, b)| foot + reach * (a * u + b * v))
        .into();
    // A plane lying in a side of the box must not fall to rounding.
    let slack = 1e-9 * clip.half_diagonal();
    for axis in 0..3 {
        polygon = cut(&polygon, |p| p[axis] - clip.min[axis] + slack);
        polygon = cut(&polygon, |p| clip.max[axis] - p[axis] + slack);
    }
    let mut mesh = WallMesh::default();
    if polygon.len() >= 3 {
        mesh.add_polygon(&polygon);
    }
    mesh
}

/// The part of a convex polygon where `height` is not negative.
fn cut(polygon: &[DVec3], height: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, &a) in polygon.iter().enumerate() {
        let b = polygon[(index + 1) % polygon.len()];
        let (ha, hb) = (height(a), height(b));
        if ha >= 0.0 {
            kept.push(a);
        }
        if (ha >= 0.0) != (hb >= 0.0) {
            kept.push(a + (ha / (ha - hb)) * (b - a));
        }
    }
    kept
}

/// Start and length of the shown part of a cylinder.
fn finite_span(start: DVec3, axis: DVec3, length: f64, clip: &ClipBox) -> (DVec3, f64) {
    if length.is_finite() {
        return (start, length);
    }
    let half_size = 0.5 * (clip.max - clip.min);
    let reach = half_size.dot(axis.abs());
    let middle = start + (clip.centre() - start).dot(axis) * axis;
    (middle - reach * axis, 2.0 * reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Side;
    use glam::DQuat;
    use std::f64::consts::PI;

    const CLIP: ClipBox = ClipBox { min: DVec3::new(-1.0, -2.0, -3.0), max: DVec3::new(1.0, 2.0, 3.0) };

    fn pose() -> Pose {
        Pose { rotation: DQuat::from_rotation_x(0.3), translation: DVec3::new(0.1, 0.2, 0.3) }
    }

    fn at_rest() -> Pose {
        Pose { rotation: DQuat::IDENTITY, translation: DVec3::ZERO }
    }

    fn area(mesh: &WallMesh) -> f64 {
        let corner = |poly: &[u32], i: usize| mesh.points[poly[i] as usize];
        let fan = |poly: &Vec<u32>| {
            let triangle = |i: usize| {
                let (a, b, c) = (corner(poly, 0), corner(poly, i), corner(poly, i + 1));
                0.5 * (b - a).cross(c - a)
            };
            (1..poly.len() - 1).map(triangle).sum::<DVec3>().length()
        };
        mesh.polys.iter().map(fan).sum()
    }

    /// Distance of a world point from the surface of radius 0.5 about the wall's z axis.
    fn off_axis(point: DVec3) -> f64 {
        let local = pose().rotation.inverse() * (point - pose().translation);
        local.truncate().length()
    }

    #[test]
    fn plane_is_cut_to_the_box() {
        let shape = WallShape::Plane { point: DVec3::new(9.0, 9.0, 0.5), normal: DVec3::Z };
        let mesh = tessellate(&shape, &at_rest(), &CLIP);
        assert!((area(&mesh) - 8.0).abs() < 1e-7);
        assert!(mesh.points.iter().all(|p| (p.z - 0.5).abs() < 1e-12));
        assert_eq!(mesh.outline.len(), 4);
    }

    #[test]
    fn slanted_plane_through_the_centre_is_the_known_hexagon() {
        let clip = ClipBox { min: DVec3::splat(-1.0), max: DVec3::splat(1.0) };
        let normal = DVec3::ONE.normalize();
        let mesh = tessellate(&WallShape::Plane { point: DVec3::ZERO, normal }, &at_rest(), &clip);
        assert_eq!(mesh.polys[0].len(), 6);
        assert!((area(&mesh) - 3.0 * 3.0_f64.sqrt()).abs() < 1e-7);
    }

    #[test]
    fn plane_in_a_side_of_the_box_shows_and_one_outside_does_not() {
        let at = |z: f64| WallShape::Plane { point: DVec3::new(0.0, 0.0, z), normal: DVec3::Z };
        assert!((area(&tessellate(&at(-3.0), &at_rest(), &CLIP)) - 8.0).abs() < 1e-7);
        assert_eq!(tessellate(&at(-3.1), &at_rest(), &CLIP), WallMesh::default());
    }

    #[test]
    fn cylinder_points_lie_on_it_and_endless_ones_cross_the_box() {
        let cylinder = |length| WallShape::Cylinder {
            start: DVec3::ZERO,
            axis: DVec3::Z,
            length,
            radius: 0.5,
            side: Side::Inside,
        };
        let mesh = tessellate(&cylinder(2.0), &pose(), &CLIP);
        assert!(mesh.points.iter().all(|&p| (off_axis(p) - 0.5).abs() < 1e-12));
        assert!((area(&mesh) - 2.0 * PI).abs() < 2e-3 * 2.0 * PI);
        let endless = tessellate(&cylinder(f64::INFINITY), &at_rest(), &CLIP);
        let height = |pick: fn(f64, f64) -> f64| endless.points.iter().map(|p| p.z).reduce(pick).unwrap();
        assert!((height(f64::min) + 3.0).abs() < 1e-12 && (height(f64::max) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn cone_with_a_tip_has_triangles_and_the_right_area() {
        let shape = WallShape::Cone {
            start: DVec3::ZERO,
            axis: DVec3::Z,
            length: 4.0,
            start_radius: 0.0,
            end_radius: 3.0,
            side: Side::Inside,
        };
        let mesh = tessellate(&shape, &pose(), &CLIP);
        assert!(mesh.polys.iter().all(|poly| poly.len() == 3));
        assert_eq!(mesh.outline.len(), AROUND);
        assert!((area(&mesh) / (PI * 3.0 * 5.0) - 1.0).abs() < 2e-3);
    }

    #[test]
    fn disc_with_hole_and_sphere_have_the_right_area() {
        let disc = WallShape::Disc { centre: DVec3::X, normal: DVec3::Y, radius: 2.0, hole: 1.0 };
        assert!((area(&tessellate(&disc, &pose(), &CLIP)) / (3.0 * PI) - 1.0).abs() < 2e-3);
        let ball = WallShape::Sphere { centre: DVec3::X, radius: 2.0, side: Side::Outside };
        let mesh = tessellate(&ball, &pose(), &CLIP);
        assert!((area(&mesh) / (16.0 * PI) - 1.0).abs() < 5e-3);
        let centre = pose().translation + pose().rotation * DVec3::X;
        assert!(mesh.points.iter().all(|p| (p.distance(centre) - 2.0).abs() < 1e-12));
    }

    #[test]
    fn the_box_around_a_scene_holds_spheres_and_finite_walls_but_not_planes() {
        let plane = WallShape::Plane { point: DVec3::splat(1e6), normal: DVec3::Z };
        let disc = WallShape::Disc { centre: DVec3::ZERO, normal: DVec3::Z, radius: 2.0, hole: 0.0 };
        let (plane, disc) = (Surface::from(plane), Surface::from(disc));
        let walls = [(&plane, at_rest()), (&disc, at_rest())];
        let clip = ClipBox::around(&[DVec3::new(0.0, 0.0, 4.0), DVec3::NAN], &[1.0, 1.0], &walls);
        let room = 0.04 * 5.0;
        let expected = [DVec3::new(-2.0, -2.0, 0.0) - room, DVec3::new(2.0, 2.0, 5.0) + room];
        assert!(clip.min.abs_diff_eq(expected[0], 1e-12) && clip.max.abs_diff_eq(expected[1], 1e-12));
        assert_eq!(ClipBox::around(&[], &[], &walls[..1]).max, DVec3::ONE);
    }

    #[test]
    fn box_leaves_out_open_faces() {
        let open = [false, false, false, false, false, true];
        let shape =
            WallShape::Box { min: DVec3::ZERO, max: DVec3::new(1.0, 2.0, 3.0), side: Side::Inside, open };
        let mesh = tessellate(&shape, &pose(), &CLIP);
        assert_eq!(mesh.polys.len(), 5);
        assert!((area(&mesh) - (2.0 + 2.0 * 3.0 + 2.0 * 6.0)).abs() < 1e-12);
    }
}
