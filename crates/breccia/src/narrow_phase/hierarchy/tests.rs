use super::*;
use crate::narrow_phase::{Touches, touches};
use crate::shapes::{Side, WallShape};
use proptest::prelude::*;

const RADIUS: f64 = 0.5;
const TOLERANCE: f64 = 1e-6;

fn candidates(walls: &[WallShape], centre: DVec3) -> Vec<Candidate> {
    let mut all = Vec::new();
    let mut found = Touches::new();
    for (number, wall) in walls.iter().enumerate() {
        touches(wall, centre, RADIUS, &mut found);
        all.extend(found.as_slice().iter().map(|touch| Candidate {
            arm: centre - touch.point,
            distance: touch.distance,
            kind: touch.kind,
            key: ((number as u64) << 32) | u64::from(touch.feature),
        }));
    }
    all
}

fn real(candidates: &[Candidate]) -> Vec<Candidate> {
    let mut kept = Vec::new();
    survivors(candidates, RADIUS, TOLERANCE, &mut kept);
    kept.iter().map(|&index| candidates[index as usize]).collect()
}

fn kinds(touches: &[Candidate]) -> Vec<FeatureKind> {
    touches.iter().map(|touch| touch.kind).collect()
}

fn floor() -> WallShape {
    WallShape::Plane { point: DVec3::ZERO, normal: DVec3::Z }
}

/// A cylinder of radius 1 upwards from z = 0, and below it a cone that narrows.
fn hopper(side: Side) -> [WallShape; 2] {
    let barrel = WallShape::Cylinder { start: DVec3::ZERO, axis: DVec3::Z, length: 3.0, radius: 1.0, side };
    let (start, axis) = (-DVec3::Z, DVec3::Z);
    [barrel, WallShape::Cone { start, axis, length: 1.0, start_radius: 0.2, end_radius: 1.0, side }]
}

#[test]
fn a_box_corner_keeps_three_faces() {
    let (min, max) = (DVec3::ZERO, DVec3::splat(4.0));
    let container = WallShape::Box { min, max, side: Side::Inside, open: [false; 6] };
    let kept = real(&candidates(&[container], DVec3::new(0.4, 0.42, 0.44)));
    assert_eq!(kinds(&kept), [FeatureKind::Face; 3]);
    assert!(kept.windows(2).all(|pair| pair[0].distance < pair[1].distance), "nearest first");
}

#[test]
fn a_cylinder_on_a_plane_keeps_both() {
    let [barrel, _] = hopper(Side::Inside);
    let kept = real(&candidates(&[barrel, floor()], DVec3::new(0.6, 0.0, 0.45)));
    assert_eq!(kinds(&kept), [FeatureKind::Face; 2]);
}

#[test]
fn the_rim_of_a_disc_in_a_floor_vanishes() {
    let plate = WallShape::Disc { centre: DVec3::ZERO, normal: DVec3::Z, radius: 1.0, hole: 0.0 };
    let all = candidates(&[plate, floor()], DVec3::new(1.2, 0.0, 0.3));
    assert_eq!(kinds(&all), [FeatureKind::Edge, FeatureKind::Face]);
    assert_eq!(kinds(&real(&all)), [FeatureKind::Face]);
}

#[test]
fn a_face_hides_the_rim_of_the_surface_that_goes_on_from_it() {
    let all = candidates(&hopper(Side::Inside), DVec3::new(0.7, 0.0, 0.28));
    assert_eq!(kinds(&all), [FeatureKind::Face, FeatureKind::Edge], "the cone ends below");
    assert_eq!(kinds(&real(&all)), [FeatureKind::Face]);
}

#[test]
fn at_a_concave_joint_both_faces_are_real() {
    let kept = real(&candidates(&hopper(Side::Inside), DVec3::new(0.55, 0.0, 0.02)));
    assert_eq!(kinds(&kept), [FeatureKind::Face; 2]);
}

#[test]
fn one_of_two_coinciding_rims_remains() {
    // Outside the joint is a ridge: the sphere touches the common rim, and no face.
    let diagonal = DVec3::new(3.0, 4.0, 0.0) / 5.0;
    for direction in [DVec3::X, -DVec3::Y, diagonal] {
        let shapes = hopper(Side::Both);
        let all = candidates(&shapes, direction * 1.3 - DVec3::Z * 0.1);
        assert_eq!(kinds(&all), [FeatureKind::Edge; 2]);
        let kept = real(&all);
        assert_eq!(kept.len(), 1);
        let point = direction * 1.3 - DVec3::Z * 0.1 - kept[0].arm;
        assert!((point - direction).length() < 1e-15);
    }
}

#[test]
fn a_touch_behind_a_nearer_surface_vanishes() {
    let below = WallShape::Plane { point: -0.05 * DVec3::Z, normal: DVec3::Z };
    let kept = real(&candidates(&[below, floor()], 0.4 * DVec3::Z));
    assert_eq!(kept.iter().map(|touch| touch.key >> 32).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_centre_behind_a_face_keeps_it_and_its_neighbours() {
    let [barrel, _] = hopper(Side::Inside);
    let centre = DVec3::new(1.1, 0.0, 0.3);
    let kept = real(&candidates(&[barrel.clone(), floor()], centre));
    assert_eq!(kinds(&kept), [FeatureKind::Face; 2]);
    assert!(kept[0].distance < 0.0);
    let on_both = real(&candidates(&[barrel, floor()], DVec3::new(1.0, 0.0, 0.0)));
    assert_eq!(on_both.len(), 2);
}

#[test]
fn an_eliminated_touch_eliminates_nothing() {
    let candidate = |x: f64, z: f64, key| {
        let arm = DVec3::new(x, 0.0, z);
        Candidate { arm, distance: arm.length(), kind: FeatureKind::Edge, key }
    };
    // The first hides the second, the second alone would hide the third.
    let chain = [candidate(0.0, 0.3, 0), candidate(0.1, 0.3, 1), candidate(0.15, 0.29, 2)];
    assert!(chain[1].eliminates(&chain[2], 0.0) && !chain[0].eliminates(&chain[2], TOLERANCE));
    let kept: Vec<_> = real(&chain).iter().map(|touch| touch.key).collect();
    assert_eq!(kept, [0, 2]);
}

fn any_candidates() -> impl Strategy<Value = Vec<Candidate>> {
    // A coarse grid of arms, so that equal distances are common.
    let arm = (-2..3, -2..3, 0..3).prop_map(|(x, y, z)| glam::IVec3::new(x, y, z).as_dvec3() * 0.1);
    let kind = prop_oneof![Just(FeatureKind::Face), Just(FeatureKind::Edge), Just(FeatureKind::Vertex)];
    prop::collection::vec((arm, kind, any::<bool>()), 0..12).prop_map(|all| {
        let number = |(key, (arm, kind, behind)): (usize, (DVec3, FeatureKind, bool))| {
            let sign = if behind && kind == FeatureKind::Face { -1.0 } else { 1.0 };
            Candidate { arm, distance: sign * arm.length(), kind, key: key as u64 }
        };
        all.into_iter().enumerate().map(number).collect()
    })
}

proptest! {
    #[test]
    fn the_order_of_the_candidates_does_not_matter(
        (all, shuffled) in any_candidates().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
    ) {
        prop_assert_eq!(real(&all), real(&shuffled));
    }

    #[test]
    fn survivors_are_those_no_survivor_hides(all in any_candidates()) {
        let kept = real(&all);
        for candidate in &all {
            let hidden = kept.iter().any(|other| {
                other.key != candidate.key && other.distance > 0.0 && other.eliminates(candidate, TOLERANCE)
            });
            let survives = kept.contains(candidate);
            prop_assert!(survives || hidden);
            prop_assert!(survives || candidate.distance > 0.0);
            // Coinciding points hide each other: only the first of them is kept.
            prop_assert!(!survives || !hidden || candidate.distance <= 0.0);
        }
    }
}
