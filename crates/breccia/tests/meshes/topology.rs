//! Edges, patches, volume and inside, against closed forms.

use crate::builders::*;
use breccia::shapes::mesh::{EdgeKind, InsideTest, MeshOptions, PolygonMesh, RawMesh};
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::f64::consts::{FRAC_PI_2, PI};

fn built(raw: &RawMesh) -> PolygonMesh {
    PolygonMesh::build(raw.clone(), &MeshOptions::default()).0
}

fn kinds(mesh: &PolygonMesh, kind: EdgeKind) -> usize {
    mesh.edges.iter().filter(|edge| edge.kind == kind).count()
}

fn patches(mesh: &PolygonMesh) -> usize {
    mesh.elements.iter().map(|e| e.patch).collect::<BTreeSet<_>>().len()
}

#[test]
fn a_cube_has_twelve_convex_edges_of_ninety_degrees() {
    let mesh = built(&cube());
    assert_eq!((mesh.vertices.len(), mesh.elements.len(), mesh.edges.len()), (8, 6, 12));
    for edge in &mesh.edges {
        assert_eq!(edge.kind, EdgeKind::Convex);
        assert!((edge.angle - FRAC_PI_2).abs() < 1e-15);
        assert!(edge.vertices[0] < edge.vertices[1]);
    }
    assert_eq!(patches(&mesh), 6);
    assert!(mesh.is_closed());
    assert_eq!(mesh.volume(), 1.0);
    assert_eq!(mesh.bounding_box(), Some((DVec3::ZERO, DVec3::ONE)));
    for vertex in 0..8 {
        assert_eq!(mesh.vertex_elements(vertex).len(), 3);
    }
    assert!(mesh.vertex_elements(8).is_empty());
}

#[test]
fn elements_know_their_edges_planes_and_neighbours() {
    let mesh = built(&cylinder(7));
    for (e, element) in mesh.elements.iter().enumerate() {
        let ids = element.vertices.as_slice();
        for (k, &edge) in element.edges.as_slice().iter().enumerate() {
            let ends = [ids[k], ids[(k + 1) % ids.len()]];
            let edge = &mesh.edges[edge as usize];
            assert_eq!(edge.vertices, [ends[0].min(ends[1]), ends[0].max(ends[1])]);
            assert!(edge.elements.as_slice().contains(&(e as u32)));
            assert!(mesh.vertex_elements(ids[k]).contains(&(e as u32)));
        }
        for corner in mesh.corners(element) {
            assert!((element.normal.dot(corner) - element.offset).abs() < 1e-15);
        }
        let (low, high) = mesh.element_box(e);
        assert!(mesh.corners(element).all(|c| c.cmpge(low).all() && c.cmple(high).all()));
    }
}

#[test]
fn triangles_of_a_cube_join_to_six_patches() {
    let mesh = built(&triangulated(&cube()));
    assert_eq!((kinds(&mesh, EdgeKind::Convex), kinds(&mesh, EdgeKind::Coplanar)), (12, 6));
    assert_eq!(patches(&mesh), 6);
}

#[test]
fn a_container_is_concave() {
    let options = MeshOptions { facing: breccia::shapes::mesh::Facing::Inwards, ..Default::default() };
    let (mesh, _) = PolygonMesh::build(cube(), &options);
    assert_eq!(kinds(&mesh, EdgeKind::Concave), 12);
    assert!(mesh.edges.iter().all(|edge| (edge.angle + FRAC_PI_2).abs() < 1e-15));
    assert_eq!(mesh.volume(), -1.0);
    assert!(mesh.contains(DVec3::splat(0.5)));
}

#[test]
fn a_fold_of_180_degrees_is_not_coplanar() {
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.2, 0.7, 0.0)];
    let mesh = PolygonMesh::from_polygons(points, &[vec![0, 1, 2], vec![1, 0, 3]], &[], true, 2.2e-16)
        .expect("two triangles");
    let fold = mesh.edges.iter().find(|edge| edge.vertices == [0, 1]).expect("the common edge");
    assert_ne!(fold.kind, EdgeKind::Coplanar);
    assert!((fold.angle.abs() - PI).abs() < 1e-15);
}

#[test]
fn bad_polygons_are_refused() {
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, 2.0 * DVec3::X];
    for polygon in [vec![0, 1], vec![0, 1, 9], vec![0, 1, 3], (0..9).map(|i| i % 3).collect()] {
        assert_eq!(PolygonMesh::from_polygons(points.clone(), &[polygon], &[], false, 0.0), None);
    }
}

#[test]
fn rotated_slivers_stay_one_patch() {
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
    let mut mesh = triangulated(&floor(4, 400, 1.0, 1e-3));
    for v in &mut mesh.vertices {
        *v = turn * *v + DVec3::new(3.0, -2.0, 5.0);
    }
    for mesh in [built(&mesh), built(&soup(&mesh))] {
        assert_eq!(mesh.elements.len(), 3200);
        assert_eq!(patches(&mesh), 1);
        assert_eq!(kinds(&mesh, EdgeKind::Boundary), 808);
    }
}

#[test]
fn bends_above_the_threshold_are_kept() {
    for (bend, kind) in [(2e-6, EdgeKind::Concave), (-2e-6, EdgeKind::Convex), (5e-7, EdgeKind::Coplanar)] {
        let mut mesh = floor(2, 1, 1.0, 1.0);
        for id in [2, 5] {
            mesh.vertices[id].z = bend;
        }
        let mesh = built(&mesh);
        let middle =
            mesh.edges.iter().find(|edge| edge.elements.as_slice().len() == 2).expect("an inner edge");
        assert_eq!(middle.kind, kind);
        assert!((middle.angle + bend).abs() < 1e-15);
    }
}

#[test]
fn a_sphere_has_the_right_volume_and_inside() {
    let mesh = built(&icosphere(4));
    assert_eq!(kinds(&mesh, EdgeKind::Convex), mesh.edges.len());
    // The flat faces lose a share of order h²: 1.5e-3 here.
    let exact = 4.0 / 3.0 * PI;
    assert!(mesh.volume() < exact && mesh.volume() > 0.997 * exact);
    for i in 0..2000 {
        let f = |k: f64| 2.4 * (f64::from(i) * k).fract() - 1.2;
        let point = DVec3::new(f(0.754877666), f(0.569840296), f(0.818_173));
        if (point.length() - 1.0).abs() > 5e-3 {
            assert_eq!(mesh.contains(point), point.length() < 1.0, "{point}");
        }
    }
}

#[test]
fn the_fast_inside_test_agrees_with_the_winding_number() {
    let hollow = together(&block(DVec3::ZERO, DVec3::splat(3.0)), &block(DVec3::ONE, DVec3::splat(2.0)));
    let tilted = |mesh: &RawMesh| {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 1e-7, 0.4, 1e-9);
        RawMesh { vertices: mesh.vertices.iter().map(|v| turn * *v).collect(), ..mesh.clone() }
    };
    for raw in [hollow.clone(), tilted(&hollow), icosphere(2), cylinder(9), triangulated(&hollow)] {
        let mesh = built(&raw);
        let test = InsideTest::new(&mesh);
        let (mut inside, mut outside) = (0, 0);
        // A lattice: on faces, edges and the diagonals of the boxes as well as beside them.
        for i in 0..17i32.pow(3) {
            let place = DVec3::new(f64::from(i % 17), f64::from(i / 17 % 17), f64::from(i / 289));
            for point in [place * 0.25 - 0.5, place * 0.2317 - 1.1] {
                assert_eq!(test.contains(point), mesh.contains(point), "{point}");
                if test.contains(point) { inside += 1 } else { outside += 1 }
            }
        }
        assert!(inside > 50 && outside > 500, "{inside} {outside}");
    }
}

#[test]
fn a_concave_body_contains_what_it_should() {
    // An L: the unit square without its upper right quarter, drawn up by 1.
    let outline = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.5, 0.5), (0.5, 1.0), (0.0, 1.0)];
    let points = [0.0, 1.0].iter().flat_map(|&z| outline.map(|(x, y)| DVec3::new(x, y, z))).collect();
    let mut polygons: Vec<Vec<u32>> = (0..6).map(|i| vec![i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i]).collect();
    polygons.push((0..6).rev().collect());
    polygons.push((6..12).collect());
    let mesh = built(&raw(points, polygons));
    assert!(mesh.is_closed());
    assert!((mesh.volume() - 0.75).abs() < 1e-15);
    assert_eq!(kinds(&mesh, EdgeKind::Concave), 1);
    assert_eq!(patches(&mesh), 8);
    for (x, y, inside) in [(0.25, 0.25, true), (0.75, 0.25, true), (0.25, 0.75, true), (0.75, 0.75, false)] {
        assert_eq!(mesh.contains(DVec3::new(x, y, 0.5)), inside);
        assert!(!mesh.contains(DVec3::new(x, y, 1.5)));
    }
}

/// Kinds of edges by the places of their ends, and patches as sets of element centres.
type Picture = (BTreeSet<([i64; 6], EdgeKind)>, BTreeSet<BTreeSet<[i64; 3]>>);

fn picture(mesh: &PolygonMesh) -> Picture {
    let place = |p: DVec3| p.to_array().map(|x| (x * 1e7).round() as i64);
    let edges = mesh.edges.iter().map(|edge| {
        let mut ends = edge.vertices.map(|id| place(mesh.vertices[id as usize]));
        ends.sort_unstable();
        let [a, b] = ends;
        ([a[0], a[1], a[2], b[0], b[1], b[2]], edge.kind)
    });
    let mut groups = std::collections::BTreeMap::<u32, BTreeSet<[i64; 3]>>::new();
    for element in &mesh.elements {
        let corners = mesh.corners(element).map(|c| c.to_array().map(|x| (x * 1e7).round() as i64));
        let sum = corners.fold([0; 3], |s, c| std::array::from_fn(|i| s[i] + c[i]));
        groups.entry(element.patch).or_default().insert(sum);
    }
    (edges.collect(), groups.into_values().collect())
}

proptest! {
    #[test]
    fn shuffled_elements_give_the_same_edges_and_patches(
        order in Just((0..48usize).collect::<Vec<_>>()).prop_shuffle(),
        turns in proptest::collection::vec(0..3usize, 48),
    ) {
        let plain = soup(&triangulated(&block(DVec3::ZERO, DVec3::new(1.0, 0.3, 0.7))));
        let bumpy = soup(&triangulated(&block(DVec3::new(2.0, 0.0, 0.0), DVec3::new(3.0, 1.0, 1.0))));
        let whole = together(&together(&plain, &bumpy), &soup(&triangulated(&floor(4, 3, 0.3, 0.2))));
        let whole = RawMesh { vertices: whole.vertices.iter().map(|v| *v - 0.1).collect(), ..whole };
        prop_assert_eq!(whole.polygons.len(), 48);
        let polygons = order.iter().zip(&turns).map(|(&i, &turn)| {
            let mut polygon = whole.polygons[i].clone();
            polygon.rotate_left(turn);
            polygon
        });
        let shuffled = RawMesh { polygons: polygons.collect(), ..whole.clone() };
        prop_assert_eq!(picture(&built(&shuffled)), picture(&built(&whole)));
    }

    #[test]
    fn deformed_spheres_are_closed_oriented_and_have_their_volume(
        bumps in proptest::collection::vec(0.7..1.3f64, 42),
        flips in proptest::collection::vec(any::<bool>(), 80),
        centre in proptest::array::uniform3(-10.0..10.0f64),
    ) {
        let mut sphere = icosphere(1);
        for (v, bump) in sphere.vertices.iter_mut().zip(&bumps) {
            *v *= *bump;
        }
        // Volume by the divergence theorem, from the outward polygons as made.
        let exact: f64 = sphere.polygons.iter().map(|p| {
            let [a, b, c] = [p[0], p[1], p[2]].map(|id| sphere.vertices[id as usize]);
            a.dot(b.cross(c)) / 6.0
        }).sum();
        let centre = DVec3::from_array(centre);
        for v in &mut sphere.vertices {
            *v += centre;
        }
        for (polygon, flip) in sphere.polygons.iter_mut().zip(&flips) {
            if *flip {
                polygon.reverse();
            }
        }
        let (mesh, report) = PolygonMesh::build(sphere, &MeshOptions::default());
        prop_assert!(mesh.is_closed());
        prop_assert!(!report.must_fix());
        prop_assert!((mesh.volume() - exact).abs() < 1e-13 * exact.max(1.0));
        prop_assert!(mesh.edges.iter().all(|edge| edge.kind != EdgeKind::Boundary));
        prop_assert!(mesh.contains(centre));
        for (vertex, bump) in mesh.vertices.iter().zip(&bumps) {
            // Radial directions leave a star-shaped body at its vertices.
            let direction = (*vertex - centre) / *bump;
            prop_assert!(mesh.contains(centre + 0.999 * bump * direction));
            prop_assert!(!mesh.contains(centre + 1.001 * bump * direction));
        }
    }
}

#[test]
fn areas_of_elements() {
    let block = built(&block(DVec3::new(1.0, 2.0, 3.0), DVec3::new(3.0, 3.0, 8.0)));
    let mut areas: Vec<f64> = (0..6).map(|element| block.element_area(element)).collect();
    areas.sort_by(f64::total_cmp);
    for (area, exact) in areas.iter().zip([2.0, 2.0, 5.0, 5.0, 10.0, 10.0]) {
        assert!((area - exact).abs() < 1e-12, "{areas:?}");
    }
    let halves = built(&triangulated(&cube()));
    assert!((0..12).all(|element| (halves.element_area(element) - 0.5).abs() < 1e-15));
}
