//! Curves, mass properties and contact knots against closed forms (acceptance tests 1 to 3).

use crate::builders::{all_outlines, arrow, built_in, circle, kinked, lobed, square};
use breccia::shapes::nurbs::{
    BUILT_IN_SHAPES, GrainFamily, GrainShape, NurbsCurve, NurbsOutline, built_in_diameter, convex_hull,
};
use glam::DVec2;
use std::f64::consts::PI;

#[test]
fn a_rational_circle_is_exact() {
    let outline = circle(1.0);
    for i in 0..1000 {
        let radius = outline.at(f64::from(i) / 1000.0).position.length();
        assert!((radius - 1.0).abs() < 1e-14, "{radius}");
    }
    assert!((outline.area() - PI).abs() < 1e-14, "{:e}", outline.area() - PI);
    assert!((outline.polar_moment() - PI / 2.0).abs() < 1e-14, "{:e}", outline.polar_moment() - PI / 2.0);
    assert!((outline.perimeter() - 2.0 * PI).abs() < 1e-13);
    assert!(outline.given_centroid().length() < 1e-14);
    assert!((outline.bounding_radius() - 1.0).abs() < 1e-3);
}

#[test]
fn derivatives_are_those_of_differences() {
    for outline in all_outlines() {
        for i in 0..200 {
            let u = (f64::from(i) + 0.37) / 200.0;
            let h = 1e-5;
            let (before, here, after) = (outline.at(u - h), outline.at(u), outline.at(u + h));
            let first = (after.position - before.position) / (2.0 * h);
            let second = (after.first - before.first) / (2.0 * h);
            let scale = here.second.length().max(1.0);
            assert!((first - here.first).length() < 1e-7 * scale, "C' at {u}");
            assert!((second - here.second).length() < 1e-5 * scale, "C'' at {u}");
        }
    }
}

#[test]
fn periodic_curves_have_no_seam() {
    for number in 0..16 {
        let outline = lobed(number);
        let (before, after) = (outline.before(0.0), outline.at(0.0));
        assert!((before.position - after.position).length() < 1e-11);
        assert!((before.first - after.first).length() < 1e-11);
        assert!(
            (before.second - after.second).length() < 1e-11,
            "{:e}",
            (before.second - after.second).length()
        );
    }
}

/// Weights that differ: the clamped form must still be the periodic curve, which evaluates its basis directly.
#[test]
fn periodic_curves_with_weights_are_the_periodic_curves() {
    let count = 9;
    let at = |i: usize| {
        let angle = 2.0 * PI * i as f64 / count as f64;
        DVec2::new(angle.cos(), 0.7 * angle.sin())
    };
    let points: Vec<DVec2> = (0..count).map(at).collect();
    let weights: Vec<f64> = (0..count).map(|i| 0.5 + 0.3 * i as f64).collect();
    let curve = NurbsCurve::from_periodic(&points, &weights).expect("a curve");
    for step in 0..300 {
        let u = f64::from(step) / 300.0;
        let span = (u * count as f64).floor() as usize % count;
        let t = u * count as f64 - span as f64;
        let basis = [
            (1.0 - t).powi(3) / 6.0,
            (3.0 * t.powi(3) - 6.0 * t * t + 4.0) / 6.0,
            (-3.0 * t.powi(3) + 3.0 * t * t + 3.0 * t + 1.0) / 6.0,
            t.powi(3) / 6.0,
        ];
        let (mut top, mut bottom) = (DVec2::ZERO, 0.0);
        for (j, share) in basis.iter().enumerate() {
            let i = (span + j) % count;
            top += points[i] * (weights[i] * share);
            bottom += weights[i] * share;
        }
        assert!((curve.at(u).position - top / bottom).length() < 1e-14, "u = {u}");
    }
}

#[test]
fn kinks_are_where_tangents_differ() {
    let drop = kinked();
    assert_eq!(drop.kinks().collect::<Vec<_>>(), [0.0]);
    let (before, after) = (drop.before(0.0), drop.at(0.0));
    assert!((before.position - after.position).length() < 1e-15);
    assert!(before.first.normalize().dot(after.first.normalize()) < 0.9);
    assert_eq!(circle(1.0).kinks().count(), 0, "full multiplicity alone makes no kink");
    assert_eq!(square(1.0).kinks().collect::<Vec<_>>(), [0.0, 0.25, 0.5, 0.75]);
    assert_eq!(lobed(7).kinks().count(), 0);
}

#[test]
fn a_square_has_the_moments_of_a_square() {
    let outline = square(0.8);
    assert!((outline.area() - 0.64).abs() < 1e-15);
    assert!((outline.perimeter() - 3.2).abs() < 1e-14);
    assert!((outline.polar_moment() - 0.8_f64.powi(4) / 6.0).abs() < 1e-15);
    assert!((outline.given_centroid() - DVec2::splat(0.4)).length() < 1e-15);
    assert!((outline.bounding_radius() - 0.8 * 0.5_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn clockwise_outlines_are_turned() {
    let corners = [DVec2::ZERO, DVec2::Y, DVec2::ONE, DVec2::X];
    let outline = NurbsOutline::new(NurbsCurve::from_polygon(&corners).expect("corners")).expect("a square");
    assert!((outline.area() - 1.0).abs() < 1e-15);
    for knot in outline.knots() {
        assert!(knot.normal.dot(knot.point) > 0.0, "normals point outward");
    }
}

#[test]
fn contact_knots_are_equally_far_apart_between_kinks() {
    for outline in all_outlines() {
        let knots = outline.knots();
        let kinks: Vec<f64> = outline.kinks().collect();
        let length = |a: f64, b: f64| -> f64 {
            let at = |i: u32| outline.at(a + (b - a) * f64::from(i) / 2000.0).position;
            (0..2000).map(|i| at(i).distance(at(i + 1))).sum()
        };
        for kink in &kinks {
            assert!(knots.iter().any(|knot| knot.kink && knot.parameter == *kink), "every kink is a knot");
        }
        assert!(knots.iter().all(|knot| !knot.kink || kinks.contains(&knot.parameter)));
        let mut spacing = None;
        for (knot, next) in knots.iter().zip(knots.iter().cycle().skip(1)) {
            let end = if next.parameter > knot.parameter { next.parameter } else { next.parameter + 1.0 };
            let here = length(knot.parameter, end);
            if let Some(before) = spacing.filter(|_| !knot.kink) {
                assert!((here - before) / here < 1e-5, "{here} after {before}");
            }
            spacing = Some(here);
            assert!((knot.normal.length() - 1.0).abs() < 1e-14);
        }
        assert!((40..=60).contains(&knots.len()), "{} knots", knots.len());
    }
}

#[test]
fn pseudo_normals_halve_the_corner() {
    let knots =
        square(1.0).knots().iter().filter(|knot| knot.kink).map(|knot| knot.normal).collect::<Vec<_>>();
    let half = 0.5_f64.sqrt();
    let expected = [(-half, -half), (half, -half), (half, half), (-half, half)];
    for (normal, (x, y)) in knots.iter().zip(expected) {
        assert!((*normal - DVec2::new(x, y)).length() < 1e-15, "{normal}");
    }
}

#[test]
fn families_of_built_in_shapes_have_equal_areas() {
    let mut diameters = 0.0;
    for number in 0..BUILT_IN_SHAPES {
        let diameter = built_in_diameter(number);
        diameters += diameter;
        for family in [GrainFamily::NonConvex, GrainFamily::AngularConvex, GrainFamily::Disc] {
            let shape = built_in(family, number);
            assert!((shape.equal_area_diameter() - diameter).abs() < 1e-12, "{family:?} {number}");
        }
    }
    assert!((diameters / 16.0 - 1.0).abs() < 1e-15);
}

/// Area of an outline over that of its hull.
fn solidity(shape: &GrainShape) -> f64 {
    let GrainShape::Outline(outline) = shape else { return 1.0 };
    let hull = convex_hull(outline.polyline(64));
    let area = |polygon: &[DVec2]| {
        let next = polygon.iter().cycle().skip(1);
        0.5 * polygon.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f64>()
    };
    outline.area() / area(&hull)
}

#[test]
fn built_in_shapes_are_as_non_convex_as_they_should_be() {
    let solidities: Vec<f64> = (0..16).map(|s| solidity(&built_in(GrainFamily::NonConvex, s))).collect();
    assert!((solidities[0] - 0.99995).abs() < 1e-5, "{}", solidities[0]);
    let least = solidities.iter().copied().fold(1.0, f64::min);
    assert!((least - 0.887).abs() < 5e-4, "{least}");
    for number in 0..16 {
        let outline = lobed(number);
        let hollow = |u: u32| outline.at(f64::from(u) / 500.0).curvature();
        assert!((0..500).map(hollow).fold(0.0, f64::min) < 0.0, "shape {number} has a hollow");
        let convex = built_in(GrainFamily::AngularConvex, number);
        assert!((solidity(&convex) - 1.0).abs() < 1e-5, "hull {number}");
    }
}

#[test]
fn points_of_polygons_lie_on_their_edges() {
    let outline = arrow();
    let corners: Vec<DVec2> =
        outline.knots().iter().filter(|knot| knot.kink).map(|knot| knot.point).collect();
    assert_eq!(corners.len(), 4);
    for i in 0..400 {
        let edge = i / 100;
        let along = f64::from(i % 100) / 100.0;
        let (from, to) = (corners[edge as usize], corners[(edge as usize + 1) % 4]);
        let expected = from + (to - from) * along;
        assert!((outline.at(f64::from(i) / 400.0).position - expected).length() < 1e-14);
    }
}
