//! Outlines that are refused, with the reason.

use breccia::shapes::nurbs::{
    GrainFamily, GrainShape, LOBES, NurbsCurve, NurbsOutline, ShapeError, built_in_shape,
};
use glam::DVec2;

fn points(list: &[(f64, f64)]) -> Vec<DVec2> {
    list.iter().map(|&(x, y)| DVec2::new(x, y)).collect()
}

fn polygon(list: &[(f64, f64)]) -> Result<NurbsOutline, ShapeError> {
    NurbsCurve::from_polygon(&points(list)).and_then(NurbsOutline::new)
}

const KNOTS: [f64; 9] = [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 2.0, 2.0];
const LOOP: [(f64, f64); 5] = [(0.0, 0.0), (1.0, -0.3), (1.0, 1.0), (-0.3, 1.0), (0.0, 0.0)];

fn with(knots: &[f64], list: &[(f64, f64)], weights: &[f64]) -> Option<ShapeError> {
    NurbsCurve::new(knots, &points(list), weights).and_then(NurbsOutline::new).err()
}

#[test]
fn a_sound_loop_is_taken() {
    assert_eq!(with(&KNOTS, &LOOP, &[1.0; 5]), None);
}

#[test]
fn numbers_must_fit_together() {
    assert!(matches!(
        with(&KNOTS[1..], &LOOP, &[1.0; 5]),
        Some(ShapeError::KnotCount { knots: 8, points: 5 })
    ));
    assert!(matches!(
        with(&KNOTS, &LOOP, &[1.0; 4]),
        Some(ShapeError::WeightCount { weights: 4, points: 5 })
    ));
    assert!(matches!(with(&KNOTS, &LOOP[..2], &[1.0; 2]), Some(ShapeError::TooFewPoints { .. })));
    let mut weights = [1.0; 5];
    weights[2] = -0.5;
    assert_eq!(with(&KNOTS, &LOOP, &weights), Some(ShapeError::Weight { index: 2, value: -0.5 }));
    let mut list = LOOP;
    list[3].0 = f64::NAN;
    assert_eq!(with(&KNOTS, &list, &[1.0; 5]), Some(ShapeError::NotFinite { what: "point", index: 3 }));
}

#[test]
fn knots_must_be_clamped_and_ascend() {
    let mut knots = KNOTS;
    knots[3] = 0.5;
    assert_eq!(with(&knots, &LOOP, &[1.0; 5]), Some(ShapeError::NotClamped));
    knots = KNOTS;
    knots[4] = 3.0;
    assert_eq!(with(&knots, &LOOP, &[1.0; 5]), Some(ShapeError::KnotsDescend { index: 5 }));
    knots = KNOTS;
    knots[4] = 0.0;
    assert_eq!(with(&knots, &LOOP, &[1.0; 5]), Some(ShapeError::Torn { value: 0.0 }));
}

#[test]
fn open_curves_are_refused_with_their_gap() {
    let mut list = LOOP;
    list[4] = (0.3, 0.4);
    let Some(ShapeError::Open { gap }) = with(&KNOTS, &list, &[1.0; 5]) else { panic!("taken") };
    assert!((gap - 0.5).abs() < 1e-15);
}

#[test]
fn outlines_that_cross_or_touch_themselves_are_refused() {
    let eight = polygon(&[(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.2)]);
    let Err(ShapeError::Crossing { point, .. }) = eight else { panic!("taken") };
    assert!(point.distance(DVec2::splat(6.0 / 11.0)) < 0.01, "told where it crosses: {point}");
    let touching = polygon(&[(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 0.0), (0.0, 1.0)]);
    assert!(matches!(touching, Err(ShapeError::Crossing { .. })));
}

#[test]
fn outlines_without_area_or_with_spikes_are_refused() {
    assert!(matches!(
        polygon(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]),
        Err(ShapeError::Spike { .. } | ShapeError::NoArea)
    ));
    let spike = polygon(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 0.0), (1.0, 1.0)]);
    assert!(matches!(spike, Err(ShapeError::Spike { .. })));
    let doubled = polygon(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 1.0)]);
    assert!(matches!(doubled, Err(ShapeError::NoTangent { .. })), "{doubled:?}");
}

#[test]
fn sizes_must_be_positive() {
    assert!(GrainShape::disc(0.0).is_err());
    assert!(GrainShape::disc(f64::NAN).is_err());
    assert!(built_in_shape(GrainFamily::NonConvex, 3, &LOBES, -1.0).is_err());
}

#[test]
fn messages_say_what_to_do() {
    let open = ShapeError::Open { gap: 0.5 }.to_string();
    assert_eq!(
        open,
        "the outline is open: its last point is 5.000e-1 m away from its first; repeat the first point at the end"
    );
    let weight = ShapeError::Weight { index: 2, value: -0.5 }.to_string();
    assert_eq!(weight, "weight 2 (counted from 0) is -0.5: weights must be greater than 0");
}
