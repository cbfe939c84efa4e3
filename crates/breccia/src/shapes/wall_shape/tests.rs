use super::*;

fn assert_box(shape: &WallShape, low: [f64; 3], high: [f64; 3]) {
    let found = shape.bounding_box().unwrap_or_default();
    let error = (found.0 - DVec3::from(low)).length() + (found.1 - DVec3::from(high)).length();
    assert!(error < 1e-14, "{found:?}");
}

#[test]
fn bounding_boxes_are_tight() {
    let (start, axis, side) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.6, 0.0, 0.8), Side::Both);
    let cylinder = WallShape::Cylinder { start, axis, length: 5.0, radius: 1.0, side };
    assert_box(&cylinder, [0.2, 1.0, 2.4], [4.8, 3.0, 7.6]);
    let cone = WallShape::Cone { start, axis, length: 5.0, start_radius: 10.0, end_radius: 0.0, side };
    assert_box(&cone, [-7.0, -8.0, -3.0], [9.0, 12.0, 9.0]);
    let disc = WallShape::Disc { centre: start, normal: axis, radius: 1.0, hole: 0.5 };
    assert_box(&disc, [0.2, 1.0, 2.4], [1.8, 3.0, 3.6]);
    let rectangle = WallShape::Rectangle {
        centre: start,
        normal: axis,
        along: DVec3::Y,
        half: [2.0, 5.0],
        two_sided: false,
    };
    assert_box(&rectangle, [-3.0, 0.0, 0.0], [5.0, 4.0, 6.0]);
    assert_box(&WallShape::Sphere { centre: start, radius: 2.0, side }, [-1.0, 0.0, 1.0], [3.0, 4.0, 5.0]);
}

#[test]
fn endless_shapes_have_no_box() {
    let (point, normal) = (DVec3::ZERO, DVec3::Z);
    assert_eq!(WallShape::Plane { point, normal }.bounding_box(), None);
    let length = f64::INFINITY;
    let pipe = WallShape::Cylinder { start: point, axis: normal, length, radius: 1.0, side: Side::Inside };
    assert_eq!(pipe.bounding_box(), None);
}

#[test]
fn thin_shells_and_discs_are_two_sided() {
    let sphere = |side| WallShape::Sphere { centre: DVec3::ZERO, radius: 1.0, side };
    assert!(sphere(Side::Inside).is_one_sided() && sphere(Side::Outside).is_one_sided());
    assert!(!sphere(Side::Both).is_one_sided());
    assert!(WallShape::Plane { point: DVec3::ZERO, normal: DVec3::Z }.is_one_sided());
    assert!(
        !WallShape::Disc { centre: DVec3::ZERO, normal: DVec3::Z, radius: 1.0, hole: 0.0 }.is_one_sided()
    );
}
