//! Measures of form against closed forms.

use crate::builders::{Dice, circle, lobed, polygon, square};
use breccia::shapes::nurbs::{NurbsCurve, NurbsOutline};
use breccia::shapes::tracing::{FormMeasures, PowersClass, largest_inscribed, smallest_enclosing};
use glam::{DVec2, DVec3};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// A square of half side `half` with quarter circles of radius `r` for corners, exact.
fn rounded_square(half: f64, r: f64) -> NurbsOutline {
    let mut points: Vec<DVec3> = Vec::new();
    let turns = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
    let place = |turn: DVec2, x: f64, y: f64| turn.rotate(DVec2::new(x, y)).extend(1.0);
    for (i, &turn) in turns.iter().enumerate() {
        // The right side upwards, its upper corner, and on to the next side.
        let (from, to) = (place(turn, half, r - half), place(turn, half, half - r));
        let end = place(turn, half - r, half);
        let corner = place(turn, half, half) * FRAC_1_SQRT_2;
        let thirds = |a: DVec3, b: DVec3| [a, a + (b - a) / 3.0, a + (b - a) * (2.0 / 3.0)];
        points.extend(thirds(from, to));
        points.extend([to, (to + 2.0 * corner) / 3.0, (2.0 * corner + end) / 3.0]);
        assert!(i < 4);
    }
    points.push(points[0]);
    let inner = (1..8).flat_map(|i| [f64::from(i) / 8.0; 3]);
    let knots: Vec<f64> = [0.0; 4].into_iter().chain(inner).chain([1.0; 4]).collect();
    let flat: Vec<DVec2> = points.iter().map(|p| p.truncate() / p.z).collect();
    let weights: Vec<f64> = points.iter().map(|p| p.z).collect();
    NurbsOutline::new(NurbsCurve::new(&knots, &flat, &weights).expect("a curve")).expect("an outline")
}

#[test]
fn a_rounded_square_has_the_roundness_of_its_corners() {
    let (half, r) = (0.5, 0.15);
    let outline = rounded_square(half, r);
    assert_eq!(outline.kinks().count(), 0);
    let measures = FormMeasures::of(&outline);
    let area = 4.0 * half * half - (4.0 - PI) * r * r;
    assert!((measures.area - area).abs() < 1e-14);
    assert!((measures.perimeter - (8.0 * (half - r) + 2.0 * PI * r)).abs() < 1e-13);
    assert!((measures.inscribed_diameter - 2.0 * half).abs() < 1e-8);
    let enclosing = 2.0 * (2.0_f64.sqrt() * (half - r) + r);
    assert!((measures.enclosing_diameter - enclosing).abs() < 1e-4);
    assert!((measures.sphericity - (4.0 * area / PI).sqrt() / enclosing).abs() < 1e-4);
    assert_eq!(measures.corners, 4);
    assert!((measures.roundness - r / half).abs() < 1e-12, "{}", measures.roundness);
    assert_eq!(PowersClass::of(measures.roundness), PowersClass::SubAngular);
}

#[test]
fn a_circle_is_round_and_a_square_is_not() {
    let disc = FormMeasures::of(&circle(0.5));
    assert!((disc.sphericity - 1.0).abs() < 1e-4 && (disc.circularity - 1.0).abs() < 1e-12);
    assert_eq!((disc.roundness, disc.corners), (1.0, 0));
    assert_eq!(PowersClass::of(disc.roundness).name(), "well rounded");
    let sharp = FormMeasures::of(&square(1.0));
    assert_eq!((sharp.roundness, sharp.corners), (0.0, 4));
    assert!((sharp.sphericity - (2.0 / PI).sqrt()).abs() < 1e-12);
    assert!((sharp.circularity - PI / 4.0).abs() < 1e-12);
    assert!((sharp.inscribed_diameter - 1.0).abs() < 1e-8);
}

/// The ends of an ellipse: radius of curvature and turn from its tangent angle, integrated finely.
#[test]
fn an_ellipse_has_two_corners() {
    let (a, b) = (0.6_f64, 0.3_f64);
    let curve = NurbsCurve::circle(1.0).mapped(|p| DVec2::new(a * p.x, b * p.y));
    let measures = FormMeasures::of(&NurbsOutline::new(curve).expect("an ellipse"));
    assert!((measures.inscribed_diameter - 2.0 * b).abs() < 1e-8);
    assert!((measures.enclosing_diameter - 2.0 * a).abs() < 1e-6);
    assert!((measures.sphericity - (b / a).sqrt()).abs() < 1e-5);
    let (mut length, mut turn) = (0.0, 0.0);
    let step = 1e-5;
    for i in 0..(PI / 2.0 / step) as u32 {
        let t = (f64::from(i) + 0.5) * step;
        let speed = (a * a * t.sin().powi(2) + b * b * t.cos().powi(2)).sqrt();
        let curvature = a * b / speed.powi(3);
        if curvature > 1.0 / b {
            length += speed * step;
            turn += curvature * speed * step;
        }
    }
    assert_eq!(measures.corners, 2);
    assert!((measures.roundness - length / turn / b).abs() < 1e-3, "{}", measures.roundness);
}

#[test]
fn circles_inside_and_around_beat_all_others() {
    let mut dice = Dice(40);
    for number in 0..16 {
        let outline = lobed(number);
        let (inside, around) = (largest_inscribed(&outline), smallest_enclosing(&outline.polyline(8)));
        let half = outline.bounding_radius();
        let points = outline.polyline(8);
        let reach = |x: DVec2| points.iter().map(|p| p.distance(x)).fold(0.0, f64::max);
        assert!((reach(around.centre) - around.radius).abs() < 1e-9, "it holds all points and touches one");
        assert!((outline.foot_point(inside.centre).gap + inside.radius).abs() < 1e-12);
        for _ in 0..2000 {
            let x = DVec2::new(dice.between(-half, half), dice.between(-half, half));
            assert!(-outline.foot_point(x).gap <= inside.radius + 1e-9);
            assert!(reach(x) >= around.radius - 1e-9);
        }
    }
    let triangle = polygon(&[(0.0, 0.0), (3.0, 0.0), (0.0, 4.0)]);
    assert!((largest_inscribed(&triangle).radius - 1.0).abs() < 1e-7, "inradius of the 3-4-5 triangle");
    assert!((smallest_enclosing(&triangle.polyline(1)).radius - 2.5).abs() < 1e-12);
}
