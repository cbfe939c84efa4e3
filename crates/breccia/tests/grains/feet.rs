//! Foot points and signs against samples (acceptance test 4).

use crate::builders::{Dice, all_outlines, arrow, is_inside, kinked, lobed, samples};
use breccia::shapes::nurbs::NurbsOutline;
use glam::DVec2;
use proptest::prelude::*;

/// A point anywhere in the box about an outline, a fifth wider than it.
fn anywhere(outline: &NurbsOutline, dice: &mut Dice) -> DVec2 {
    let half = 1.2 * outline.bounding_radius();
    DVec2::new(dice.between(-half, half), dice.between(-half, half))
}

fn check_foot(outline: &NurbsOutline, points: &[DVec2], x: DVec2) {
    let foot = outline.foot_point(x);
    let radius = outline.bounding_radius();
    let least = points.iter().map(|p| p.distance(x)).fold(f64::INFINITY, f64::min);
    assert!(foot.gap.abs() <= least + 1e-12 * radius, "{} from {x}, a sample is at {least}", foot.gap.abs());
    assert!(foot.gap.abs() >= least - 2e-4 * radius, "nearer than any sample can explain");
    assert!((outline.at(foot.parameter).position - foot.point).length() < 1e-12 * radius);
    assert!(
        (foot.point + foot.gap * foot.normal - x).length() < 1e-9 * radius,
        "the normal joins both points"
    );
    assert!((foot.normal.length() - 1.0).abs() < 1e-12);
    // The polyline of the samples stands for the curve to its sagitta.
    if foot.gap.abs() > 1e-6 {
        assert_eq!(foot.gap < 0.0, is_inside(points, x), "side of {x}, gap {}", foot.gap);
    }
}

#[test]
fn foot_points_are_as_near_as_the_nearest_of_20000_samples() {
    let mut dice = Dice(7);
    for outline in all_outlines() {
        let points = samples(&outline, 20_000);
        for _ in 0..400 {
            let x = anywhere(&outline, &mut dice);
            check_foot(&outline, &points, x);
        }
    }
}

/// Near the outline, where contacts are, and at the seam and kinks.
#[test]
fn foot_points_near_the_outline_are_exact() {
    let mut dice = Dice(8);
    for outline in all_outlines() {
        for i in 0..400 {
            let u = if i < 40 { dice.between(-1e-3, 1e-3) } else { dice.roll() };
            let place = outline.at(u);
            let bound = 0.9 / place.curvature().abs().max(8.0);
            let away = dice.between(-1.0, 1.0) * bound.min(0.05);
            let x = place.position + away * place.normal();
            let foot = outline.foot_point(x);
            assert!(foot.gap.abs() <= away.abs() + 1e-13, "{} instead of {away}", foot.gap);
            let points = samples(&outline, 4000);
            assert!(i % 20 != 0 || (foot.gap < 0.0) == is_inside(&points, x) || foot.gap.abs() < 1e-5);
            let within = outline.foot_within(x, 0.06);
            assert_eq!(within, Some(foot), "the quick search gives the same");
        }
    }
}

#[test]
fn the_quick_search_finds_what_is_within_reach_and_nothing_else() {
    let mut dice = Dice(9);
    for outline in all_outlines() {
        for _ in 0..2000 {
            let x = anywhere(&outline, &mut dice) * 2.0;
            let reach = dice.between(0.0, 0.6);
            let foot = outline.foot_point(x);
            assert_eq!(outline.foot_within(x, reach), (foot.gap < reach).then_some(foot));
        }
    }
}

#[test]
fn a_corner_is_the_foot_of_all_points_in_its_cone() {
    let outline = arrow();
    let tip = outline.knots()[0];
    assert!(tip.kink);
    for turn in [-0.4, 0.0, 0.4] {
        let x = tip.point + 0.2 * DVec2::from_angle(turn).rotate(tip.normal);
        let foot = outline.foot_point(x);
        assert!(foot.kink && foot.parameter == 0.0);
        assert!((foot.gap - 0.2).abs() < 1e-15);
    }
    // On the corner itself the normal is the mean of both sides.
    assert!((outline.foot_point(tip.point).normal - tip.normal).length() < 1e-15);
}

/// The nearest point of the kinked outline by a search that knows nothing of pieces.
fn by_sampling(outline: &NurbsOutline, x: DVec2) -> f64 {
    let count = 20_000;
    let distance = |u: f64| outline.at(u).position.distance(x);
    let at = |i: i32| distance(f64::from(i) / f64::from(count));
    let best = (0..count).min_by(|&i, &j| at(i).total_cmp(&at(j))).expect("samples");
    let (mut low, mut high) =
        (f64::from(best - 1) / f64::from(count), f64::from(best + 1) / f64::from(count));
    let before = at(best);
    for _ in 0..100 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if distance(a) < distance(b) { high = b } else { low = a }
    }
    distance(0.5 * (low + high)).min(before)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn no_point_of_the_outline_is_nearer_than_the_foot(shape in 0_u32..18, x in -1.0_f64..1.0, y in -1.0_f64..1.0) {
        let outline = match shape { 16 => kinked(), 17 => arrow(), number => lobed(number) };
        let x = DVec2::new(x, y);
        let least = by_sampling(&outline, x);
        let gap = outline.foot_point(x).gap.abs();
        prop_assert!((gap - least).abs() < 1e-9, "{} against {}", gap, least);
    }
}
