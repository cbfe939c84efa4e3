//! Container, block and thin-walled box.

use super::*;

const MIN: DVec3 = DVec3::new(-1.0, -0.5, 0.0);
const MAX: DVec3 = DVec3::new(1.0, 1.0, 3.0);
const CLOSED: [bool; 6] = [false; 6];
const TOPLESS: [bool; 6] = [false, false, false, false, false, true];

fn wall(side: Side, open: [bool; 6]) -> WallShape {
    WallShape::Box { min: MIN, max: MAX, side, open }
}

fn nearby() -> impl Strategy<Value = DVec3> {
    (-2.5..2.5, -2.0..2.5, -1.5..4.5).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn within() -> impl Strategy<Value = DVec3> {
    (MIN.x..MAX.x, MIN.y..MAX.y, MIN.z..MAX.z).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn is_within(point: DVec3) -> bool {
    point.cmpgt(MIN).all() && point.cmplt(MAX).all()
}

/// Local minima of the distance to a set of rectangles, by brute force: the closest point of each, unless another that
/// holds this point comes nearer; no point twice.
fn local_minima(open: [bool; 6], centre: DVec3) -> Vec<DVec3> {
    let all: Vec<_> =
        (0..6).filter(|&face| !open[face]).map(|face| oracle::rectangle(MIN, MAX, face)).collect();
    let mut minima: Vec<DVec3> = Vec::new();
    for patch in &all {
        let point = oracle::closest(patch, centre);
        let distance = (point - centre).length();
        let beaten = all.iter().any(|other| {
            let meets = (oracle::closest(other, point) - point).length() < 1e-6;
            meets && (oracle::closest(other, centre) - centre).length() < distance - 1e-7
        });
        let known = minima.iter().any(|found| (*found - point).length() < 1e-6);
        if !beaten && !known {
            minima.push(point);
        }
    }
    minima
}

proptest! {
    #[test]
    fn a_thin_box_is_touched_at_every_local_minimum(open in any::<[bool; 6]>(), centre in nearby()) {
        // Near the plane of a face two local minima merge: their distances differ by height²/(2 distance), which
        // must stay above the 1e-7 to which brute force knows a distance.
        let planes = [centre - MIN, centre - MAX];
        prop_assume!(planes.iter().all(|height| height.abs().min_element() > 2e-3));
        let touches = found(&wall(Side::Both, open), centre, FAR);
        let expected = local_minima(open, centre);
        prop_assert_eq!(touches.len(), expected.len(), "{:?} {:?}", touches, expected);
        for touch in &touches {
            assert_consistent(touch, centre);
            prop_assert!(touch.distance >= 0.0);
            prop_assert!(expected.iter().any(|point| (*point - touch.point).length() < 1e-6));
        }
    }

    #[test]
    fn a_block_is_touched_at_its_closest_point(centre in nearby()) {
        let block = wall(Side::Outside, CLOSED);
        let touch = the_one(&block, centre);
        assert_consistent(&touch, centre);
        let depth = oracle::distance(&block, centre);
        let expected = if is_within(centre) { -depth } else { depth };
        prop_assert!((touch.distance - expected).abs() < 1e-9);
    }

    #[test]
    fn a_container_is_touched_at_each_face_from_within(open in any::<[bool; 6]>(), centre in within()) {
        let touches = found(&wall(Side::Inside, open), centre, FAR);
        prop_assert_eq!(touches.len(), open.iter().filter(|open| !**open).count());
        for touch in &touches {
            assert_consistent(touch, centre);
            prop_assert!(touch.kind == FeatureKind::Face && touch.distance >= 0.0);
        }
        let nearest = touches.iter().map(|touch| touch.distance).fold(f64::INFINITY, f64::min);
        let expected = oracle::distance(&wall(Side::Inside, open), centre);
        prop_assert!(nearest == expected || (nearest - expected).abs() < 1e-9);
    }

    #[test]
    fn beyond_the_rim_a_container_is_a_thin_box(x in -2.5..2.5, y in -2.0..2.5, z in 3.0..5.0) {
        let centre = DVec3::new(x, y, z);
        let rim = |touch: &WallTouch| touch.kind != FeatureKind::Face;
        let mut container = found(&wall(Side::Inside, TOPLESS), centre, FAR);
        let mut thin = found(&wall(Side::Both, TOPLESS), centre, FAR);
        container.retain(rim);
        thin.retain(rim);
        prop_assert_eq!(container, thin);
    }

    #[test]
    fn distances_are_continuous(from in nearby(), to in nearby(), open in any::<[bool; 6]>()) {
        let steps = 400;
        let step = (to - from) / f64::from(steps);
        for shape in [wall(Side::Both, open), wall(Side::Outside, CLOSED)] {
            let nearest = |k: i32| {
                let all = found(&shape, from + step * f64::from(k), FAR);
                all.iter().map(|touch| touch.distance).fold(FAR, f64::min)
            };
            for k in 0..steps {
                let change = (nearest(k + 1) - nearest(k)).abs();
                prop_assert!(change <= step.length() * (1.0 + 1e-9) + 1e-13, "{change} at step {k}");
            }
        }
    }
}

#[test]
fn a_centre_pressed_through_one_face_is_still_held_by_the_others() {
    let centre = DVec3::new(-1.1, -0.3, 0.2);
    let touches = found(&wall(Side::Inside, CLOSED), centre, 0.5);
    let summary: Vec<_> = touches.iter().map(|touch| (touch.normal, touch.distance)).collect();
    assert_eq!(touches.len(), 3, "{summary:?}");
    for (touch, (normal, distance)) in
        touches.iter().zip([(DVec3::X, -0.1), (DVec3::Y, 0.2), (DVec3::Z, 0.2)])
    {
        assert_eq!((touch.kind, touch.normal), (FeatureKind::Face, normal));
        assert!((touch.distance - distance).abs() < 1e-15, "{summary:?}");
    }
}

#[test]
fn a_container_lets_go_at_half_its_extent() {
    let container = wall(Side::Inside, CLOSED);
    let (held, free) = (DVec3::new(0.0, -1.2, 1.5), DVec3::new(0.0, -1.3, 1.5));
    let lowest =
        |centre| found(&container, centre, 0.5).iter().map(|touch| touch.distance).fold(FAR, f64::min);
    assert!((lowest(held) + 0.7).abs() < 1e-15);
    assert_eq!(lowest(free), FAR);
    // A floor goes on past the side walls only as far as these hold.
    let beside = |x: f64| found(&container, DVec3::new(x, 0.3, 0.2), 0.5).len();
    assert_eq!((beside(-0.9), beside(-1.9), beside(-2.1)), (2, 2, 0));
}

#[test]
fn a_sphere_leans_on_the_rim_of_an_open_container() {
    let container = wall(Side::Inside, TOPLESS);
    let edge = found(&container, DVec3::new(0.7, 0.0, 3.4), 0.6);
    assert_eq!(edge.len(), 1);
    assert_eq!((edge[0].kind, edge[0].point), (FeatureKind::Edge, DVec3::new(1.0, 0.0, 3.0)));
    assert!((edge[0].distance - 0.5).abs() < 1e-15);
    let corner = found(&container, DVec3::new(1.2, 1.1, 3.2), 0.4);
    assert_eq!(corner.len(), 1);
    assert_eq!((corner[0].kind, corner[0].point), (FeatureKind::Vertex, MAX));
    assert!((corner[0].distance - 0.3).abs() < 1e-15);
}

#[test]
fn a_block_without_a_top_is_not_touched_there() {
    let trough = wall(Side::Outside, TOPLESS);
    assert!(found(&trough, DVec3::new(0.0, 0.2, 3.1), FAR).is_empty());
    assert!(found(&trough, DVec3::new(0.0, 0.2, 2.9), FAR).is_empty());
    assert_eq!(the_one(&trough, DVec3::new(1.3, 0.2, 3.4)).kind, FeatureKind::Edge);
    assert!((the_one(&trough, DVec3::new(0.9, 0.2, 1.0)).distance + 0.1).abs() < 1e-15);
}

#[test]
fn features_have_different_numbers() {
    let block = wall(Side::Outside, CLOSED);
    let mut numbers = Vec::new();
    for (x, y, z) in (0..27).map(|k| (k / 9, k / 3 % 3, k % 3)) {
        let pick = |low: f64, high: f64, k: i32| low - 0.5 + 0.5 * f64::from(k) * (high - low + 1.0);
        let centre = DVec3::new(pick(MIN.x, MAX.x, x), pick(MIN.y, MAX.y, y), pick(MIN.z, MAX.z, z));
        if !is_within(centre) {
            numbers.push(the_one(&block, centre).feature);
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 26);
}
