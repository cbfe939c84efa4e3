use super::*;
use glam::dvec2;
use proptest::prelude::*;

/// An L: convex corners and one notch.
fn letter() -> (Outline, Vec<DVec2>) {
    let corners = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)];
    (Outline::new([(0..6).collect()].into_iter()), corners.map(|(x, y)| dvec2(x, y)).to_vec())
}

#[test]
fn points_beside_segments_face_them() {
    let (outline, x) = letter();
    let outside = outline.face(dvec2(2.0, -0.3), &x).unwrap();
    assert_eq!((outside.segment, outside.gap), (0, 0.3));
    let inside = outline.face(dvec2(2.0, 0.9), &x).unwrap();
    assert_eq!(inside.segment, 2);
    assert!((inside.gap + 0.1).abs() < 1e-15);
}

#[test]
fn off_a_convex_corner_the_farther_line_counts() {
    let (outline, x) = letter();
    let right = outline.face(dvec2(3.4, 1.1), &x).unwrap();
    assert_eq!(right.segment, 1);
    assert!((right.gap - 0.4).abs() < 1e-15 && (right.distance - 0.17_f64.sqrt()).abs() < 1e-15);
    assert_eq!(outline.face(dvec2(3.1, 1.4), &x).unwrap().segment, 2);
}

#[test]
fn inside_a_notch_the_deeper_line_counts() {
    let (outline, x) = letter();
    // Behind the notch the vertex is nearest; lines of both faces lie at 0.2 and 0.3.
    let deep = outline.face(dvec2(0.8, 0.7), &x).unwrap();
    assert!((deep.gap + 0.3).abs() < 1e-15 && deep.segment == 2, "{deep:?}");
}

#[test]
fn nothing_is_faced_without_segments() {
    assert_eq!(Outline::default().face(DVec2::ZERO, &[]), None);
}

#[test]
fn crossing_segments_are_told_from_others() {
    let segment = |a: (f64, f64), b: (f64, f64)| [dvec2(a.0, a.1), dvec2(b.0, b.1)];
    let long = segment((0.0, 0.0), (2.0, 2.0));
    assert!(cross(long, segment((0.0, 2.0), (2.0, 0.0))));
    assert!(cross(long, segment((1.0, 1.0), (3.0, 0.0))));
    assert!(!cross(long, segment((1.1, 1.0), (3.0, 0.0))));
    assert!(!cross(long, segment((3.0, 3.0), (4.0, 4.0))));
    assert!(cross(long, segment((1.0, 1.0), (4.0, 4.0))));
}

fn triples(size: f64) -> impl Strategy<Value = Triple> {
    prop::collection::vec((-size..size, -size..size), 3)
        .prop_map(|points| std::array::from_fn(|k| dvec2(points[k].0, points[k].1)))
}

fn segments() -> impl Strategy<Value = Triple> {
    triples(2.0).prop_filter("not too short", |[_, start, end]| start.distance(*end) > 0.3)
}

proptest! {
    #[test]
    fn gradients_are_derivatives_and_invariant(at in segments(), moves in triples(1.0)) {
        let geometry = SegmentGeometry::new(at);
        let step = 1e-6;
        let moved = |way: f64| SegmentGeometry::new(std::array::from_fn(|k| at[k] + way * step * moves[k]));
        let (plus, minus) = (moved(1.0), moved(-1.0));
        let slope = (plus.gap - minus.gap) / (2.0 * step);
        prop_assert!((slope - dot(&geometry.gap_gradient(), &moves)).abs() < 1e-7);
        let slip = geometry.length * (plus.share - minus.share) / (2.0 * step);
        prop_assert!((slip - dot(&geometry.slip_gradient(), &moves)).abs() < 1e-6);
        let change = geometry.gradient_change(&moves);
        for (k, expected) in change.iter().enumerate() {
            let turned = (plus.gap_gradient()[k] - minus.gap_gradient()[k]) / (2.0 * step);
            prop_assert!((turned - *expected).length() < 1e-5);
        }
        for gradient in [geometry.gap_gradient(), geometry.slip_gradient()] {
            prop_assert!((gradient[0] + gradient[1] + gradient[2]).length() < 1e-14);
            let moment: f64 = (0..3).map(|k| at[k].perp_dot(gradient[k])).sum();
            prop_assert!(moment.abs() < 1e-13);
        }
    }

    #[test]
    fn the_faced_segment_is_as_near_as_any(x in -1.0..4.0_f64, y in -1.0..4.0_f64) {
        let (outline, nodes) = letter();
        let point = dvec2(x, y);
        let facing = outline.face(point, &nodes).unwrap();
        // Distance by fine sampling of all segments.
        let sampled = outline.segments.iter().flat_map(|&[a, b]| {
            let (from, to) = (nodes[a as usize], nodes[b as usize]);
            (0..=400).map(move |k| point.distance(from.lerp(to, f64::from(k) / 400.0)))
        });
        let nearest = sampled.fold(f64::INFINITY, f64::min);
        prop_assert!((facing.distance - nearest).abs() < 1e-2 && facing.distance <= nearest + 1e-12);
        let inside = x > 0.0 && y > 0.0 && ((x < 3.0 && y < 1.0) || (x < 1.0 && y < 3.0));
        prop_assert_eq!(facing.gap < 0.0, inside);
    }
}
