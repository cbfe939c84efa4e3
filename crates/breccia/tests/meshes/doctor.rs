//! What the doctor mends, and what it says.

use crate::builders::*;
use breccia::shapes::mesh::*;
use glam::DVec3;
use std::f64::consts::PI;

fn built(raw: &RawMesh) -> (PolygonMesh, MeshReport) {
    PolygonMesh::build(raw.clone(), &MeshOptions::default())
}

fn found(report: &MeshReport, kind: FindingKind) -> (usize, Severity) {
    let finding = report.find(kind).unwrap_or_else(|| panic!("no {kind:?} in {report:?}"));
    assert!(!finding.places.is_empty() && finding.places.len() <= 5);
    (finding.count, finding.severity)
}

fn only_notes_size(report: &MeshReport) -> bool {
    report.findings.iter().all(|finding| finding.kind == FindingKind::Size)
}

#[test]
fn healthy_meshes_stay_as_they_are() {
    for raw in [cube(), triangulated(&cube()), icosphere(3), cylinder(8)] {
        let (mesh, report) = built(&raw);
        assert!(only_notes_size(&report), "{report:?}");
        assert_eq!(mesh.vertices, raw.vertices);
        let ids: Vec<Vec<u32>> = mesh.elements.iter().map(|e| e.vertices.as_slice().to_vec()).collect();
        assert_eq!(ids, raw.polygons);
    }
}

#[test]
fn an_unwelded_cylinder_becomes_closed() {
    let n = 64;
    let (mesh, report) = built(&soup(&triangulated(&cylinder(n))));
    assert_eq!(found(&report, FindingKind::Welded), (628, Severity::Note));
    assert_eq!(mesh.vertices.len(), 128);
    assert!(mesh.is_closed());
    let exact = 0.5 * f64::from(n) * (2.0 * PI / f64::from(n)).sin();
    assert!((mesh.volume() - exact).abs() < 1e-6);
    let boundary = mesh.edges.iter().filter(|edge| edge.kind == EdgeKind::Coplanar).count();
    assert_eq!(boundary, 64 + 2 * 61);
}

#[test]
fn vertices_apart_by_rounding_are_joined_and_others_are_not() {
    for (gap, joined) in [(3e-7, true), (1e-5, false)] {
        let mut mesh = soup(&cube());
        for (i, v) in mesh.vertices.iter_mut().enumerate() {
            *v += gap * DVec3::new((i % 2) as f64, (i % 3) as f64 / 2.0, 0.0);
        }
        let (built, report) = built(&mesh);
        assert_eq!(built.is_closed(), joined);
        assert_eq!(report.find(FindingKind::Welded).map(|f| f.severity) == Some(Severity::Mended), joined);
        let options = MeshOptions { weld_tolerance: Some(1e-4), ..Default::default() };
        assert!(PolygonMesh::build(mesh, &options).0.is_closed());
    }
}

#[test]
fn degenerate_and_doubled_elements_are_dropped() {
    let mut mesh = triangulated(&cube());
    mesh.polygons.push(vec![0, 0, 1]);
    mesh.polygons.push(vec![0, 1]);
    mesh.polygons.push(vec![6, 4, 0]);
    let (built, report) = built(&mesh);
    assert_eq!(found(&report, FindingKind::Degenerate), (2, Severity::Mended));
    assert_eq!(found(&report, FindingKind::Duplicate), (1, Severity::Mended));
    assert_eq!(built.elements.len(), 12);
    assert!(built.is_closed());
}

#[test]
fn flipped_elements_and_bodies_inside_out_are_turned() {
    let mut mesh = icosphere(2);
    for i in [3, 77, 200] {
        mesh.polygons[i].reverse();
    }
    let (first, report) = built(&mesh);
    assert_eq!(found(&report, FindingKind::Flipped), (3, Severity::Mended));
    assert!(report.find(FindingKind::InsideOut).is_none());
    let (second, report) = built(&inside_out(&mesh));
    assert_eq!(found(&report, FindingKind::InsideOut), (1, Severity::Mended));
    assert!(first.is_closed() && first.volume() > 4.0);
    assert_eq!(first.volume(), second.volume());
}

#[test]
fn cavities_face_into_the_hollow() {
    let outer = block(DVec3::ZERO, DVec3::splat(3.0));
    let inner = block(DVec3::ONE, DVec3::splat(2.0));
    for inner in [inner.clone(), inside_out(&inner)] {
        let (mesh, _) = built(&together(&outer, &inner));
        assert_eq!(mesh.volume(), 26.0);
        assert!(mesh.contains(DVec3::splat(0.5)) && !mesh.contains(DVec3::splat(1.5)));
    }
    let beside = block(DVec3::splat(4.0), DVec3::splat(5.0));
    assert_eq!(built(&together(&outer, &inside_out(&beside))).0.volume(), 28.0);
}

#[test]
fn facing_can_be_left_alone() {
    let options = MeshOptions { facing: Facing::AsGiven, ..Default::default() };
    let (mesh, report) = PolygonMesh::build(inside_out(&cube()), &options);
    assert!(only_notes_size(&report));
    assert_eq!(mesh.volume(), -1.0);
}

#[test]
fn a_moebius_strip_is_told() {
    let (mesh, report) = built(&moebius(24));
    assert_eq!(found(&report, FindingKind::NonOrientable), (1, Severity::MustFix));
    assert!(report.must_fix());
    assert_eq!(found(&report, FindingKind::Hole).0, 1);
    assert!(!mesh.is_closed());
    let options = MeshOptions { two_sided: true, ..Default::default() };
    let (_, report) = PolygonMesh::build(moebius(24), &options);
    assert!(!report.must_fix());
    assert_eq!(found(&report, FindingKind::NonOrientable).1, Severity::Note);
}

#[test]
fn holes_are_counted_and_measured() {
    let (mesh, report) = built(&plate_with_hole());
    assert_eq!(found(&report, FindingKind::Hole), (2, Severity::Note));
    let text = &report.find(FindingKind::Hole).expect("holes").text;
    assert!(text.contains("12.0000 m") && text.contains("4.0000 m"), "{text}");
    assert!(!mesh.is_closed());
    assert_eq!(mesh.elements.iter().map(|e| e.patch).max(), Some(0));
}

#[test]
fn vertices_on_the_side_of_a_neighbour_become_its_corners() {
    // Two fine rows beside one wide quad.
    let mut mesh = floor(4, 2, 0.25, 0.5);
    let start = mesh.vertices.len() as u32;
    let wide = [(0.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
    mesh.vertices.extend(wide.map(|(x, y)| DVec3::new(x, y, 0.0)));
    mesh.polygons.push((start..start + 4).collect());
    for mesh in [mesh.clone(), soup(&triangulated(&mesh))] {
        let (built, report) = built(&mesh);
        assert_eq!(found(&report, FindingKind::TJunction), (3, Severity::Mended));
        assert_eq!(found(&report, FindingKind::Hole).0, 1);
        assert!(report.find(FindingKind::Concave).is_none(), "{report:?}");
        assert_eq!(built.elements.iter().map(|e| e.patch).max(), Some(0));
        let area: f64 = 2.0;
        assert!((sheet_area(&built) - area).abs() < 1e-6);
    }
}

fn sheet_area(mesh: &PolygonMesh) -> f64 {
    let area = |element: &Element| {
        let corners: Vec<DVec3> = mesh.corners(element).collect();
        let fans = corners.windows(2).skip(1).map(|w| (w[0] - corners[0]).cross(w[1] - corners[0]));
        0.5 * fans.sum::<DVec3>().dot(element.normal)
    };
    mesh.elements.iter().map(area).sum()
}

#[test]
fn many_t_junctions_on_one_side_split_the_neighbour() {
    let mut mesh = floor(20, 1, 0.05, 0.5);
    let start = mesh.vertices.len() as u32;
    let wide = [(0.0, 0.5), (1.0, 0.5), (1.0, 1.0), (0.0, 1.0)];
    mesh.vertices.extend(wide.map(|(x, y)| DVec3::new(x, y, 0.0)));
    mesh.polygons.push((start..start + 4).collect());
    let (built, report) = built(&mesh);
    assert_eq!(found(&report, FindingKind::TJunction), (19, Severity::Mended));
    assert_eq!(found(&report, FindingKind::ManyCorners), (1, Severity::Mended));
    assert_eq!(found(&report, FindingKind::Hole).0, 1);
    assert!((sheet_area(&built) - 1.0).abs() < 1e-12);
}

#[test]
fn warped_and_concave_polygons_are_split() {
    let mut mesh = floor(2, 1, 1.0, 1.0);
    mesh.vertices[5].z = 1e-3;
    let (warped, report) = built(&mesh);
    assert_eq!(found(&report, FindingKind::Warped), (1, Severity::Mended));
    assert_eq!(warped.elements.len(), 3);

    // A comb with four teeth.
    let mut outline = vec![(0.0, 0.0), (8.0, 0.0)];
    for i in (0..8).rev() {
        let tip = if i % 2 == 0 { 3.0 } else { 1.0 };
        outline.extend([(f64::from(i) + 1.0, tip), (f64::from(i), tip)]);
    }
    let points: Vec<DVec3> = outline.iter().map(|&(x, y)| DVec3::new(x, y, 0.0)).collect();
    let ids = (0..points.len() as u32).collect();
    let (comb, report) = built(&raw(points, vec![ids]));
    assert_eq!(found(&report, FindingKind::Concave), (1, Severity::Mended));
    assert!(report.find(FindingKind::SelfCrossing).is_none() && report.find(FindingKind::Overlap).is_none());
    assert!((sheet_area(&comb) - 16.0).abs() < 1e-12);
    assert!(comb.elements.iter().all(|e| e.normal.z > 0.999 && e.patch == 0));
}

#[test]
fn a_disc_of_many_corners_is_split_without_gaps() {
    let n = 1500;
    let (mesh, report) = built(&cylinder(n));
    assert_eq!(found(&report, FindingKind::ManyCorners), (2, Severity::Mended));
    assert_eq!(mesh.elements.len(), 1500 + 2 * 1498);
    assert!(mesh.is_closed() && !report.must_fix());
    let area = 0.5 * f64::from(n) * (2.0 * PI / f64::from(n)).sin();
    assert!((mesh.volume() - area).abs() < 1e-12);
}

#[test]
fn no_tolerance_is_too_small() {
    for tolerance in [0.0, -1.0, f64::NAN, 1e-300] {
        let options = MeshOptions { weld_tolerance: Some(tolerance), ..Default::default() };
        let (mesh, _) = PolygonMesh::build(soup(&triangulated(&cylinder(64))), &options);
        assert!(mesh.is_closed());
    }
}

#[test]
fn a_bow_tie_must_be_mended() {
    let points =
        vec![DVec3::ZERO, DVec3::new(2.0, 1.0, 0.0), DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 0.7, 0.0)];
    let (_, report) = built(&raw(points, vec![vec![0, 1, 2, 3]]));
    assert_eq!(found(&report, FindingKind::SelfCrossing), (1, Severity::MustFix));
}

#[test]
fn overlapping_elements_are_noted() {
    let mut lower = floor(1, 1, 1.0, 1.0);
    let mut upper = lower.clone();
    for v in &mut upper.vertices {
        *v += DVec3::new(0.5, 0.25, 0.0);
    }
    let (_, report) = built(&together(&lower, &upper));
    assert_eq!(found(&report, FindingKind::Overlap), (1, Severity::Note));
    assert_eq!(report.find(FindingKind::Overlap).expect("one").places[0], DVec3::new(0.75, 0.625, 0.0));
    for v in &mut lower.vertices {
        v.z = 1e-6;
    }
    assert!(built(&together(&lower, &upper)).1.find(FindingKind::Overlap).is_none());
}

#[test]
fn intersections_are_found_where_they_are() {
    let shaft = block(DVec3::new(-5.0, -0.5, -0.5), DVec3::new(5.0, 0.5, 0.5));
    let blade = block(DVec3::new(-0.1, -2.0, -0.2), DVec3::new(0.1, 2.0, 0.2));
    let (_, report) = built(&together(&shaft, &blade));
    // The blade's four long sides each pass through two faces of the shaft.
    assert_eq!(found(&report, FindingKind::Intersection), (8, Severity::Note));
    assert!(!report.must_fix());

    // One spike of a sphere pushed through the other side.
    let mut sphere = icosphere(2);
    let pushed = sphere.vertices[0];
    sphere.vertices[0] = -1.5 * pushed;
    let (_, report) = built(&sphere);
    let (count, severity) = found(&report, FindingKind::SelfIntersection);
    assert!(count >= 3 && severity == Severity::MustFix);
}

#[test]
fn edges_of_four_elements_are_boundaries() {
    let a = cube();
    let b = block(DVec3::new(1.0, 1.0, 0.0), DVec3::new(2.0, 2.0, 1.0));
    let (mesh, report) = built(&together(&a, &inside_out(&b)));
    assert_eq!(found(&report, FindingKind::NonManifold), (1, Severity::Note));
    assert_eq!(mesh.edges.iter().filter(|edge| edge.kind == EdgeKind::Boundary).count(), 1);
    assert!(mesh.is_closed());
    assert!((mesh.volume() - 2.0).abs() < 1e-15);
}

#[test]
fn wrong_units_and_empty_meshes_are_told() {
    for (scale, hint) in [(1000.0, "millimetres"), (1e-4, "metres?"), (1.0, "")] {
        let mut mesh = cube();
        mesh.vertices.iter_mut().for_each(|v| *v *= scale);
        let text = built(&mesh).1.find(FindingKind::Size).expect("a size").text.clone();
        assert!(text.contains(hint), "{text}");
        assert_eq!(text.contains("; that is"), !hint.is_empty());
    }
    let (mesh, report) = built(&RawMesh::default());
    assert!(mesh.elements.is_empty() && report.must_fix());
    assert!(mesh.bounding_box().is_none() && !mesh.is_closed() && !mesh.contains(DVec3::ZERO));
}

#[test]
fn unusable_vertices_are_told() {
    let mut mesh = cube();
    mesh.vertices.push(DVec3::new(f64::NAN, 0.0, 0.0));
    mesh.polygons.push(vec![0, 1, 8]);
    mesh.polygons.push(vec![0, 1, 99]);
    let (built, report) = built(&mesh);
    assert_eq!(found(&report, FindingKind::Unreadable), (2, Severity::MustFix));
    assert!(built.is_closed());
}

#[test]
fn groups_follow_their_polygons() {
    let mut mesh = cube();
    mesh.groups = vec![0, 1, 2, 3, 4, 5];
    mesh.polygons.insert(2, vec![0, 1]);
    mesh.groups.insert(2, 9);
    mesh.polygons[1] = vec![1, 3, 7, 7, 5, 5];
    let groups: Vec<u16> = built(&mesh).0.elements.iter().map(|e| e.group).collect();
    assert_eq!(groups, [0, 1, 2, 3, 4, 5]);
}
