//! Plane, sphere, cylinder, cone, disc, rectangle.

use super::*;
use crate::motion::Pose;

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Inside), Just(Side::Outside), Just(Side::Both)]
}

fn round_shape(side: impl Strategy<Value = Side>) -> impl Strategy<Value = WallShape> {
    let numbers = (vector(1.0), direction(), 0.3..2.0, 0.2..1.5, prop_oneof![Just(0.0), 0.1..1.5], side);
    (numbers, 0..5, any::<bool>()).prop_map(|((start, axis, length, radius, other, side), kind, swap)| {
        let (start_radius, end_radius) = if swap { (other, radius) } else { (radius, other) };
        match kind {
            0 => WallShape::Cylinder { start, axis, length, radius, side },
            1 => WallShape::Cone { start, axis, length, start_radius, end_radius, side },
            2 => WallShape::Sphere { centre: start, radius, side },
            3 => WallShape::Rectangle {
                centre: start,
                normal: axis,
                along: axis.any_orthonormal_vector(),
                half: [length, radius],
                two_sided: side == Side::Both,
            },
            _ => WallShape::Disc { centre: start, normal: axis, radius: radius + other, hole: other },
        }
    })
}

fn moved(shape: &WallShape, pose: &Pose) -> WallShape {
    let (place, turn) = (|p: DVec3| pose.point_to_world(p), |d: DVec3| pose.direction_to_world(d));
    match shape.clone() {
        WallShape::Plane { point, normal } => WallShape::Plane { point: place(point), normal: turn(normal) },
        WallShape::Cylinder { start, axis, length, radius, side } => {
            WallShape::Cylinder { start: place(start), axis: turn(axis), length, radius, side }
        }
        WallShape::Cone { start, axis, length, start_radius, end_radius, side } => {
            let (start, axis) = (place(start), turn(axis));
            WallShape::Cone { start, axis, length, start_radius, end_radius, side }
        }
        WallShape::Sphere { centre, radius, side } => {
            WallShape::Sphere { centre: place(centre), radius, side }
        }
        WallShape::Disc { centre, normal, radius, hole } => {
            WallShape::Disc { centre: place(centre), normal: turn(normal), radius, hole }
        }
        WallShape::Rectangle { centre, normal, along, half, two_sided } => {
            let (centre, normal, along) = (place(centre), turn(normal), turn(along));
            WallShape::Rectangle { centre, normal, along, half, two_sided }
        }
        block @ WallShape::Box { .. } => block,
    }
}

proptest! {
    #[test]
    fn the_touch_is_the_closest_point(shape in round_shape(Just(Side::Both)), centre in vector(3.0)) {
        let touch = the_one(&shape, centre);
        assert_consistent(&touch, centre);
        prop_assert!(touch.distance >= 0.0);
        let expected = oracle::distance(&shape, centre);
        prop_assert!((touch.distance - expected).abs() < 1e-9, "{touch:?}, brute force {expected}");
        prop_assert!(oracle::distance(&shape, touch.point) < 1e-8, "{touch:?} is off the surface");
    }

    #[test]
    fn one_sided_faces_push_to_their_side(shape in round_shape(side()), centre in vector(3.0)) {
        let both = the_one(&moved_to_both(&shape), centre);
        match found(&shape, centre, FAR)[..] {
            [touch] => {
                assert_consistent(&touch, centre);
                prop_assert_eq!((touch.kind, touch.feature), (both.kind, both.feature));
                prop_assert!((touch.point - both.point).length() < 1e-13);
                prop_assert_eq!(touch.distance.abs(), both.distance);
                prop_assert!(touch.distance >= 0.0 || touch.kind == FeatureKind::Face);
            }
            // Let go: only a face, from behind, and beyond its own extent.
            [] => prop_assert!(both.kind == FeatureKind::Face && both.distance >= extent(&shape)),
            _ => prop_assert!(false, "more than one touch"),
        }
    }

    #[test]
    fn the_distance_is_continuous(
        shape in round_shape(Just(Side::Both)), from in vector(3.0), to in vector(3.0),
    ) {
        let steps = 400;
        let step = (to - from) / f64::from(steps);
        let distance = |k: i32| the_one(&shape, from + step * f64::from(k)).distance;
        for k in 0..steps {
            let change = (distance(k + 1) - distance(k)).abs();
            prop_assert!(change <= step.length() * (1.0 + 1e-9) + 1e-13, "{change} at step {k}");
        }
    }

    #[test]
    fn rigid_motion_of_wall_and_sphere_changes_nothing(
        shape in round_shape(side()), centre in vector(2.0), shift in vector(5.0), axis in direction(), angle in 0.0..6.0,
    ) {
        let pose = Pose::from_translation(shift).compose(&Pose::from_turn(DVec3::ZERO, axis, angle));
        let here = found(&shape, centre, 1.0);
        let there = found(&moved(&shape, &pose), pose.point_to_world(centre), 1.0);
        prop_assert_eq!(here.len(), there.len());
        for (a, b) in here.iter().zip(&there) {
            prop_assert_eq!((a.kind, a.feature), (b.kind, b.feature));
            prop_assert!((a.distance - b.distance).abs() < 1e-12);
            prop_assert!((pose.point_to_world(a.point) - b.point).length() < 1e-9);
            prop_assert!((pose.direction_to_world(a.normal) - b.normal).length() < 1e-9);
        }
    }

    #[test]
    fn a_centre_on_the_axis_has_a_unit_normal(
        shape in round_shape(side()), height in -3.0..3.0, tiny in prop_oneof![Just(0.0), 1e-300..1e-12],
    ) {
        let (origin, axis) = match shape {
            WallShape::Cylinder { start, axis, .. } | WallShape::Cone { start, axis, .. } => (start, axis),
            WallShape::Disc { centre, normal, .. } => (centre, normal),
            _ => return Ok(()),
        };
        for height in [height, 0.0] {
            let centre = origin + axis * height + axis.any_orthonormal_vector() * tiny;
            for touch in found(&shape, centre, FAR) {
                assert_consistent(&touch, centre);
            }
        }
    }
}

fn moved_to_both(shape: &WallShape) -> WallShape {
    let mut both = shape.clone();
    match &mut both {
        WallShape::Cylinder { side, .. } | WallShape::Cone { side, .. } | WallShape::Sphere { side, .. } => {
            *side = Side::Both;
        }
        WallShape::Rectangle { two_sided, .. } => *two_sided = true,
        WallShape::Plane { .. } | WallShape::Disc { .. } | WallShape::Box { .. } => {}
    }
    both
}

fn extent(shape: &WallShape) -> f64 {
    match *shape {
        WallShape::Cylinder { radius, .. } | WallShape::Sphere { radius, .. } => radius,
        WallShape::Cone { start_radius, end_radius, .. } => start_radius.max(end_radius),
        WallShape::Rectangle { half, .. } => half[0].min(half[1]),
        _ => f64::INFINITY,
    }
}

#[test]
fn a_plane_holds_at_any_depth() {
    let plane = WallShape::Plane { point: DVec3::new(5.0, 0.0, 1.0), normal: DVec3::Z };
    for (z, distance) in [(3.5, 2.5), (1.0, 0.0), (-99.0, -100.0)] {
        let touch = the_one(&plane, DVec3::new(1.0, 2.0, z));
        assert_eq!((touch.distance, touch.normal), (distance, DVec3::Z));
        assert_eq!(touch.point, DVec3::new(1.0, 2.0, 1.0));
    }
    assert!(found(&plane, 2.0 * DVec3::Z, 1.0).is_empty(), "a touch at the reach itself is none");
}

#[test]
fn an_endless_cylinder_has_no_rims() {
    let (start, axis, length) = (DVec3::ZERO, DVec3::Z, f64::INFINITY);
    let pipe = WallShape::Cylinder { start, axis, length, radius: 1.0, side: Side::Inside };
    for z in [-1e6, 0.0, 1e6] {
        let touch = the_one(&pipe, DVec3::new(0.75, 0.0, z));
        assert_eq!((touch.kind, touch.distance, touch.normal), (FeatureKind::Face, 0.25, -DVec3::X));
    }
}

#[test]
fn a_cylinder_ends_in_rims() {
    let (start, axis) = (DVec3::ZERO, DVec3::Z);
    let tube = WallShape::Cylinder { start, axis, length: 2.0, radius: 1.0, side: Side::Inside };
    let below = the_one(&tube, DVec3::new(0.7, 0.0, -0.4));
    assert_eq!((below.kind, below.feature, below.point), (FeatureKind::Edge, 1, DVec3::X));
    assert!((below.distance - 0.5).abs() < 1e-15);
    let above = the_one(&tube, DVec3::new(0.0, 1.3, 2.4));
    assert_eq!((above.kind, above.feature), (FeatureKind::Edge, 2));
    assert_eq!(above.point, DVec3::new(0.0, 1.0, 2.0));
}

#[test]
fn a_pointed_cone_ends_in_a_vertex() {
    let (start, axis, side) = (DVec3::ZERO, DVec3::Z, Side::Outside);
    let tip = WallShape::Cone { start, axis, length: 1.0, start_radius: 0.0, end_radius: 1.0, side };
    let touch = the_one(&tip, DVec3::new(0.3, 0.0, -0.4));
    assert_eq!((touch.kind, touch.feature, touch.point), (FeatureKind::Vertex, 1, DVec3::ZERO));
    let within = the_one(&tip, DVec3::new(0.0, 0.0, 0.5));
    assert!((within.distance + 0.5_f64.sqrt() / 2.0).abs() < 1e-15, "{within:?}");
}

#[test]
fn a_disc_is_touched_on_both_sides_and_at_its_rims() {
    let ring = WallShape::Disc { centre: DVec3::ZERO, normal: DVec3::Z, radius: 2.0, hole: 1.0 };
    let below = the_one(&ring, DVec3::new(1.5, 0.0, -0.3));
    assert_eq!((below.kind, below.normal, below.distance), (FeatureKind::Face, -DVec3::Z, 0.3));
    assert_eq!(the_one(&ring, DVec3::new(3.0, 0.0, 0.0)).feature, 1);
    let hole = the_one(&ring, DVec3::new(0.0, 0.6, 0.3));
    assert_eq!((hole.kind, hole.feature, hole.point), (FeatureKind::Edge, 2, DVec3::Y));
    assert!((hole.distance - 0.5).abs() < 1e-15);
}

#[test]
fn a_rectangle_has_a_face_edges_and_corners() {
    let sheet = |two_sided| WallShape::Rectangle {
        centre: DVec3::ZERO,
        normal: DVec3::Z,
        along: DVec3::X,
        half: [2.0, 1.0],
        two_sided,
    };
    let below = DVec3::new(1.5, 0.5, -0.25);
    let touch = the_one(&sheet(true), below);
    assert_eq!((touch.kind, touch.feature, touch.normal), (FeatureKind::Face, 4, -DVec3::Z));
    assert_eq!(touch.distance, 0.25);
    let pushed_back = the_one(&sheet(false), below);
    assert_eq!((pushed_back.normal, pushed_back.distance), (DVec3::Z, -0.25));
    assert!(found(&sheet(false), -1.01 * DVec3::Z, FAR).is_empty(), "let go beyond half of the shorter side");
    let edge = the_one(&sheet(false), DVec3::new(2.3, 0.5, -0.4));
    assert_eq!((edge.kind, edge.point), (FeatureKind::Edge, DVec3::new(2.0, 0.5, 0.0)));
    assert!((edge.distance - 0.5).abs() < 1e-15);
    let corner = the_one(&sheet(false), DVec3::new(-2.2, 1.2, 0.1));
    assert_eq!((corner.kind, corner.point), (FeatureKind::Vertex, DVec3::new(-2.0, 1.0, 0.0)));
    // Every feature has a number of its own.
    let places = [-3.0, 0.0, 3.0].map(|x| [-3.0, 0.0, 3.0].map(|y| DVec3::new(x, y, 0.5)));
    let mut features: Vec<u32> =
        places.iter().flatten().map(|&at| the_one(&sheet(true), at).feature).collect();
    features.sort_unstable();
    assert_eq!(features, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn one_sided_surfaces_let_go_of_a_sphere_far_on_the_wrong_side() {
    let bowl = WallShape::Sphere { centre: DVec3::ZERO, radius: 1.0, side: Side::Inside };
    assert!((the_one(&bowl, 1.9 * DVec3::X).distance + 0.9).abs() < 1e-15);
    assert!(found(&bowl, 2.1 * DVec3::X, FAR).is_empty());
    let ball = WallShape::Sphere { centre: DVec3::ZERO, radius: 1.0, side: Side::Outside };
    assert_eq!(the_one(&ball, DVec3::ZERO).distance, -1.0);
}
