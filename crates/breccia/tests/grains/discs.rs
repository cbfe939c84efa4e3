//! Discs against discs, walls and outlines.

use crate::builders::{
    Dice, all_outlines, circle, contacts_of, contacts_on_floor, lobed, polygon, pose, samples,
};
use breccia::narrow_phase::grains::KnotSettings;
use breccia::shapes::nurbs::{GrainShape, NurbsOutline};
use glam::DVec2;

#[test]
fn two_discs_touch_in_one_point() {
    let shapes = [GrainShape::Disc(0.5), GrainShape::Disc(0.25)];
    let poses = [pose(0, 1.0, 2.0, 0.3), pose(1, 1.0 + 0.6 * 0.76, 2.0 + 0.8 * 0.76, 4.0)];
    let found = contacts_of(&shapes, poses, 0.1, KnotSettings::default());
    assert_eq!(found.len(), 1);
    let contact = found[0];
    assert_eq!((contact.master, contact.slave, contact.knot), (0, 1, 0));
    assert!((contact.gap - 0.01).abs() < 1e-15);
    assert!((contact.normal - DVec2::new(0.6, 0.8)).length() < 1e-15);
    assert!((contact.point - (poses[0].position + contact.normal * 0.51)).length() < 1e-15);
    assert!(contacts_of(&shapes, poses, 0.009, KnotSettings::default()).is_empty());
}

#[test]
fn a_disc_on_a_wall() {
    let found =
        contacts_on_floor(GrainShape::Disc(0.5), pose(0, 3.0, 0.49, 1.0), 0.1, KnotSettings::default());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].master, found[0].slave), (1, 0), "walls are masters");
    assert!((found[0].gap + 0.01).abs() < 1e-15);
    assert!((found[0].point - DVec2::new(3.0, -0.01)).length() < 1e-15);
}

/// The outline is master whatever the numbers, and a disc on a circle is as far as two discs.
#[test]
fn a_disc_on_a_round_outline_is_like_two_discs() {
    let mut dice = Dice(5);
    for order in [0, 1] {
        let mut shapes = [GrainShape::from(circle(0.5)), GrainShape::Disc(0.3)];
        if order == 1 {
            shapes.swap(0, 1);
        }
        for _ in 0..50 {
            let away = DVec2::from_angle(dice.between(0.0, 6.3)) * dice.between(0.7, 0.9);
            let poses = [pose(0, 0.1, 0.2, dice.roll()), pose(1, 0.1 + away.x, 0.2 + away.y, dice.roll())];
            let found = contacts_of(&shapes, poses, 0.15, KnotSettings::default());
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].master, found[0].slave), (order, 1 - order));
            let toward_disc = if order == 0 { away } else { -away };
            assert!((found[0].gap - (away.length() - 0.8)).abs() < 1e-13);
            assert!((found[0].normal - toward_disc.normalize()).length() < 1e-12);
        }
    }
}

#[test]
fn a_disc_sits_in_a_hollow_on_two_points() {
    // A notch of a right angle with its sides at 45°; the disc touches both 0.1 above... its tip at the origin.
    let notch = polygon(&[(0.0, 0.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]);
    let shift = notch.given_centroid();
    let shapes = [GrainShape::from(notch), GrainShape::Disc(0.2)];
    let up = 0.2 * 2.0_f64.sqrt();
    let poses = [pose(0, shift.x, shift.y, 0.0), pose(1, 0.0, up + 0.001, 0.0)];
    let found = contacts_of(&shapes, poses, 0.05, KnotSettings::default());
    assert_eq!(found.len(), 2);
    let half = 0.5_f64.sqrt();
    let mut sides: Vec<f64> = found.iter().map(|contact| contact.normal.x).collect();
    sides.sort_by(f64::total_cmp);
    assert!((sides[0] + half).abs() < 1e-12 && (sides[1] - half).abs() < 1e-12);
    for contact in &found {
        assert!((contact.gap - 0.001 * half).abs() < 1e-14, "{}", contact.gap);
        assert!((contact.normal.y - half).abs() < 1e-12);
    }
    assert_ne!(found[0].knot, found[1].knot);
}

/// Local minima of the distance among dense samples, seen from outside, each with how far the distance rises
/// beside it before it falls below.
fn minima_by_sampling(outline: &NurbsOutline, centre: DVec2, within: f64) -> Vec<(f64, f64)> {
    let points = samples(outline, 20_000);
    let count = points.len();
    let distance = |i: usize| points[i % count].distance(centre);
    let rise = |from: usize, step: usize| {
        let way = (1..count).map(|i| distance(from + i * step));
        way.take_while(|&d| d >= distance(from)).fold(distance(from), f64::max) - distance(from)
    };
    let least = (0..count).filter(|&i| {
        let outward = outline.at(i as f64 / count as f64).normal();
        let is_least = distance(i + count - 1) > distance(i) && distance(i) <= distance(i + 1);
        is_least && outward.dot(centre - points[i]) > 0.0 && distance(i) < within
    });
    least.map(|i| (distance(i), rise(i, 1).min(rise(i, count - 1)))).collect()
}

#[test]
fn every_local_minimum_of_the_distance_is_a_contact() {
    let mut dice = Dice(11);
    let (radius, reach) = (0.15, 0.1);
    let mut in_hollows = 0;
    for number in 0..16 {
        let outline = lobed(number);
        let shapes = [GrainShape::from(outline.clone()), GrainShape::Disc(radius)];
        for _ in 0..100 {
            let at = outline.at(dice.roll());
            let centre = at.position + at.normal() * dice.between(0.1, 0.2);
            if outline.foot_point(centre).gap <= 0.0 {
                continue;
            }
            // Minima right at the reach may count or not, nor need dents be found that hold nothing.
            let expected = minima_by_sampling(&outline, centre, radius + reach);
            let poses = [pose(0, 0.0, 0.0, 0.0), pose(1, centre.x, centre.y, 0.0)];
            let found = contacts_of(&shapes, poses, reach, KnotSettings::default());
            let is_found = |d: f64| found.iter().any(|contact| (contact.gap + radius - d).abs() < 1e-6);
            for &(d, rise) in expected.iter().filter(|(d, _)| radius + reach - d > 1e-6) {
                assert!(is_found(d) || rise < 1e-6, "shape {number}, centre {centre}: {d} {rise} {found:?}");
            }
            for contact in found.iter().filter(|contact| reach - contact.gap > 1e-6) {
                let d = contact.gap + radius;
                assert!(expected.iter().any(|(sampled, _)| (sampled - d).abs() < 1e-6), "{d} {expected:?}");
            }
            in_hollows += usize::from(found.len() > 1);
        }
    }
    assert!(in_hollows > 20, "only {in_hollows} discs between two lobes");
}

/// Pieces of an outline meet where its knots are; rounding must neither lose a foot point there nor find it twice.
#[test]
fn a_disc_above_a_joint_of_pieces_has_one_contact() {
    let radius = 0.5;
    let shapes = [GrainShape::from(circle(radius)), GrainShape::Disc(radius)];
    for number in 0..3840 {
        let angle = std::f64::consts::TAU * f64::from(number) / 3840.0;
        for gap in [0.0, 1e-3, -1e-3, 0.05] {
            let centre = (2.0 * radius + gap) * DVec2::new(libm::cos(angle), libm::sin(angle));
            let poses = [pose(0, 0.0, 0.0, 0.0), pose(1, centre.x, centre.y, 0.0)];
            let found = contacts_of(&shapes, poses, 0.1, KnotSettings::default());
            assert_eq!(found.len(), 1, "{number} {gap}: {found:?}");
            assert!((found[0].gap - gap).abs() < 1e-12, "{number} {gap}: {found:?}");
        }
    }
}

/// A disc that has sunk in up to its centre is still pushed out at the nearest side.
#[test]
fn a_disc_inside_is_pushed_out_at_the_nearest_side() {
    for outline in all_outlines() {
        let at = outline.at(0.3);
        let centre = at.position - 1e-3 * at.normal();
        let shapes = [GrainShape::from(outline), GrainShape::Disc(0.1)];
        let found = contacts_of(
            &shapes,
            [pose(0, 0.0, 0.0, 0.0), pose(1, centre.x, centre.y, 0.0)],
            0.05,
            KnotSettings::default(),
        );
        assert_eq!(found.len(), 1);
        assert!((found[0].gap + 0.101).abs() < 1e-12);
        assert!((found[0].normal - at.normal()).length() < 1e-9);
    }
}
