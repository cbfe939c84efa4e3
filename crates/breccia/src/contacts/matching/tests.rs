use super::*;
use crate::motion::Pose;
use crate::narrow_phase::{FeatureKey, MeshQuery, MeshScratch, mesh_touches};
use crate::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};
use proptest::prelude::*;

const RADIUS: f64 = 0.5;

fn mark(feature: u32, x: f64, normal: DVec3) -> ContactMark {
    ContactMark { surface: 0, feature, kind: FeatureKind::Edge, point: DVec3::new(x, 0.0, 0.0), normal }
}

fn matched(new: &[ContactMark], old: &[ContactMark], reach: f64) -> Vec<Option<u32>> {
    let mut out = vec![Some(9)];
    match_contacts(new, old, |_| reach, &mut MatchScratch::default(), &mut out);
    out
}

/// Contacts of a sphere with a mesh, as number 0.
fn marks(mesh: &PolygonMesh, centre: DVec3) -> Vec<ContactMark> {
    let candidates: Vec<u32> = (0..mesh.elements.len() as u32).collect();
    let query =
        MeshQuery { mesh, candidates: &candidates, centre, radius: RADIUS, fast_test: true, beside: &[] };
    let mut touches = Vec::new();
    mesh_touches(&query, 1e-6, &mut MeshScratch::default(), &mut touches).unwrap();
    let mark = |touch: &crate::narrow_phase::MeshTouch| ContactMark {
        surface: 0,
        feature: touch.key.number(),
        kind: touch.key.kind(),
        point: touch.point,
        normal: touch.normal,
    };
    touches.iter().map(mark).collect()
}

/// A strip of quads over the points of a profile (x, z), 2 wide.
fn strip(profile: &[(f64, f64)]) -> PolygonMesh {
    let vertices =
        profile.iter().flat_map(|&(x, z)| [DVec3::new(x, -1.0, z), DVec3::new(x, 1.0, z)]).collect();
    let quads: Vec<Vec<u32>> =
        (0..profile.len() as u32 - 1).map(|k| vec![2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1]).collect();
    PolygonMesh::from_polygons(vertices, &quads, &[], false, DOUBLE_PRECISION).unwrap()
}

#[test]
fn same_names_match_before_nearer_others() {
    let old = [mark(1, 0.0, DVec3::Z), mark(2, 0.1, DVec3::Z)];
    let new = [mark(2, 0.0, DVec3::Z), mark(1, 5.0, DVec3::Z)];
    assert_eq!(matched(&new, &old, 0.2), [Some(1), Some(0)]);
}

#[test]
fn names_of_other_surfaces_do_not_match() {
    let old = [mark(1, 0.0, DVec3::Z)];
    let new = [ContactMark { surface: 1, ..old[0] }];
    assert_eq!(matched(&new, &old, 0.2), [None]);
}

#[test]
fn a_renamed_contact_must_be_near_and_face_the_same_way() {
    let old = [mark(1, 0.0, DVec3::Z)];
    assert_eq!(matched(&[mark(2, 0.2, DVec3::Z)], &old, 0.2), [Some(0)]);
    assert_eq!(matched(&[mark(2, 0.201, DVec3::Z)], &old, 0.2), [None]);
    let tilted =
        |degrees: f64| DVec3::new(libm::sin(degrees.to_radians()), 0.0, libm::cos(degrees.to_radians()));
    assert_eq!(matched(&[mark(2, 0.0, tilted(59.0))], &old, 0.2), [Some(0)]);
    assert_eq!(matched(&[mark(2, 0.0, tilted(61.0))], &old, 0.2), [None]);
}

#[test]
fn a_memory_is_given_once_and_to_the_nearest() {
    let old = [mark(1, 0.0, DVec3::Z)];
    let new = [mark(2, 0.1, DVec3::Z), mark(3, -0.05, DVec3::Z)];
    assert_eq!(matched(&new, &old, 0.2), [None, Some(0)]);
    let equally_far = [mark(3, 0.05, DVec3::Z), mark(2, -0.05, DVec3::Z)];
    assert_eq!(matched(&equally_far, &old, 0.2), [None, Some(0)], "the lower name decides");
}

#[test]
fn nothing_matches_nothing() {
    assert_eq!(matched(&[], &[mark(1, 0.0, DVec3::Z)], 1.0), []);
    assert_eq!(matched(&[mark(1, 0.0, DVec3::Z)], &[], 1.0), [None]);
}

#[test]
fn reach_grows_with_the_path_of_the_centre() {
    assert_eq!(matching_reach(0.0, 1e-3, RADIUS), 0.01);
    assert!((matching_reach(3.0, 1e-3, RADIUS) - 0.016).abs() < 1e-15);
}

#[test]
fn on_a_flat_mesh_the_name_is_the_same_however_it_is_cut() {
    let coarse = strip(&[(-2.0, 0.0), (2.0, 0.0)]);
    let fine = strip(&[(-2.0, 0.0), (-1.5, 0.0), (-0.3, 0.0), (0.1, 0.0), (0.2, 0.0), (2.0, 0.0)]);
    let start = marks(&coarse, DVec3::new(-1.6, 0.0, 0.48));
    for x in [-1.6, -1.0, 0.0, 0.15, 1.2] {
        let now = marks(&fine, DVec3::new(x, 0.0, 0.48));
        assert_eq!(matched(&now, &start, 0.0), [Some(0)], "at {x}");
    }
}

/// Follows a sphere along a path over a mesh; the number of steps at which some contact began without memory.
fn beginnings(mesh: &PolygonMesh, path: impl Iterator<Item = DVec3>) -> (usize, usize) {
    let mut before: Vec<ContactMark> = Vec::new();
    let mut last = None;
    let (mut begun, mut names) = (0, std::collections::BTreeSet::new());
    for centre in path {
        let now = marks(mesh, centre);
        let path_of_step = last.map_or(0.0, |last: DVec3| last.distance(centre));
        let found = matched(&now, &before, matching_reach(path_of_step, 1.0, RADIUS));
        begun += found.iter().filter(|old| old.is_none()).count();
        names.extend(now.iter().map(|mark| mark.feature));
        (before, last) = (now, Some(centre));
    }
    (begun, names.len())
}

#[test]
fn sliding_over_a_ridge_keeps_the_memory() {
    let ridge = strip(&[(-2.0, -0.6), (0.0, 0.0), (2.0, -0.6)]);
    let slope = 0.3_f64;
    let normal = DVec3::new(-slope, 0.0, 1.0).normalize();
    let distance = 0.48;
    let mirrored = |p: DVec3| DVec3::new(-p.x, p.y, p.z);
    let up =
        (0..50).map(|k| DVec3::new(-1.0 + 0.02 * f64::from(k), 0.0, (-1.0 + 0.02 * f64::from(k)) * slope));
    let up: Vec<DVec3> = up.map(|p| p + distance * normal).collect();
    let over = (0..20).map(|k| {
        let x = -normal.x.abs() + 2.0 * normal.x.abs() * f64::from(k) / 19.0;
        distance * DVec3::new(x, 0.0, libm::sqrt(1.0 - x * x))
    });
    let down: Vec<DVec3> = up.iter().rev().map(|&p| mirrored(p)).collect();
    let path = up.iter().copied().chain(over).chain(down);
    assert_eq!(beginnings(&ridge, path), (1, 3), "facet, edge and facet, one contact");
}

#[test]
fn rolling_over_a_right_angled_edge_keeps_the_memory() {
    let block = strip(&[(-2.0, 0.0), (0.0, 0.0), (0.0, -2.0)]);
    let distance = 0.49;
    let top = (0..20).map(|k| DVec3::new(-0.2 + 0.01 * f64::from(k), 0.0, distance));
    let round = (0..100).map(|k| {
        let (sine, cosine) = libm::sincos(f64::from(k) * std::f64::consts::FRAC_PI_2 / 99.0);
        distance * DVec3::new(sine, 0.0, cosine)
    });
    let side = (0..20).map(|k| DVec3::new(distance, 0.0, -0.01 * f64::from(k)));
    assert_eq!(beginnings(&block, top.chain(round).chain(side)), (1, 3));
}

#[test]
fn a_second_plane_begins_without_memory() {
    let corner = strip(&[(-2.0, 0.0), (0.0, 0.0), (0.0, 2.0)]);
    let path = (0..50).map(|k| DVec3::new(-1.0 + 0.0105 * f64::from(k), 0.0, 0.49));
    assert_eq!(beginnings(&corner, path), (2, 2));
}

#[test]
fn contacts_move_with_a_rotating_body() {
    // The sphere is fixed in space; a cross of edges turns below it, so on the mesh its contact runs in a circle.
    let ridge = strip(&[(-2.0, -0.6), (0.0, 0.0), (2.0, -0.6)]);
    let step = 1e-3;
    let spin = 2.0;
    let world_centre = DVec3::new(0.4, 0.0, 0.36);
    let frame = |k: u32| Pose::from_turn(DVec3::ZERO, DVec3::Z, spin * step * f64::from(k));
    let path = (0..3000).map(|k| frame(k).point_to_body(world_centre));
    let (begun, names) = beginnings(&ridge, path);
    assert_eq!((begun, names), (1, 3));
}

#[test]
fn passing_a_two_sided_sheet_shows() {
    let up = ContactMark { kind: FeatureKind::Face, ..mark(4, 0.0, DVec3::Z) };
    let down = ContactMark { normal: -DVec3::Z, ..up };
    assert!(has_changed_sides(&down, &up) && !has_changed_sides(&up, &up));
    assert!(!has_changed_sides(&ContactMark { feature: 5, ..down }, &up));
    let edge = |m: ContactMark| ContactMark { kind: FeatureKind::Edge, ..m };
    assert!(!has_changed_sides(&edge(down), &edge(up)), "a sphere may roll round an edge");
}

#[test]
fn kinds_have_names_of_their_own() {
    let names = [FeatureKey::Facet(3), FeatureKey::Edge(3), FeatureKey::Vertex(3)].map(FeatureKey::number);
    assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2]);
}

fn any_marks() -> impl Strategy<Value = Vec<ContactMark>> {
    // A coarse grid, so that equal distances are common; names are unique.
    let place = (0..4_i32, prop::bool::ANY);
    prop::collection::btree_map(0..10_u32, place, 0..6).prop_map(|all| {
        let normal = |tilted: bool| if tilted { DVec3::new(0.6, 0.0, 0.8) } else { DVec3::Z };
        all.into_iter().map(|(name, (x, tilted))| mark(name, f64::from(x), normal(tilted))).collect()
    })
}

proptest! {
    #[test]
    fn matching_is_one_to_one_and_free_of_order(
        (new, shuffled) in any_marks().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        (old, mixed) in any_marks().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
    ) {
        let names = |new: &[ContactMark], old: &[ContactMark]| {
            let found = matched(new, old, 1.0);
            let pairs = new.iter().zip(found);
            let mut pairs: Vec<_> =
                pairs.map(|(mark, found)| (mark.feature, found.map(|k| old[k as usize].feature))).collect();
            pairs.sort();
            pairs
        };
        let pairs = names(&new, &old);
        prop_assert_eq!(&pairs, &names(&shuffled, &mixed));
        let mut used: Vec<_> = pairs.iter().filter_map(|pair| pair.1).collect();
        used.sort();
        prop_assert!(used.windows(2).all(|two| two[0] != two[1]));
        for (now, found) in &pairs {
            let known = old.iter().any(|mark| mark.feature == *now);
            prop_assert!(!known || *found == Some(*now), "a known name goes on");
        }
    }
}
