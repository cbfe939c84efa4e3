//! Contacts of outlines with outlines and walls, against searches that try everything.

use crate::builders::{
    Dice, all_outlines, arrow, built_in, circle, contacts_of, contacts_on_floor, kinked, lobed, pose, square,
};
use breccia::implicit::GrainContact;
use breccia::narrow_phase::grains::{GrainPose, KnotSettings, PlaneWall, find_contacts};
use breccia::shapes::nurbs::{GrainFamily, GrainShape, NurbsOutline};
use glam::DVec2;
use proptest::prelude::*;

const PAPER: KnotSettings = KnotSettings { double_pass: true, refine_minima: false };
const SINGLE: KnotSettings = KnotSettings { double_pass: false, refine_minima: true };
const REFINED: KnotSettings = KnotSettings { double_pass: true, refine_minima: true };

/// Gap of a point of the world to a grain.
fn gap_to(outline: &NurbsOutline, pose: &GrainPose, x: DVec2) -> f64 {
    outline.foot_point(DVec2::from_angle(-pose.angle).rotate(x - pose.position)).gap
}

fn in_world(pose: &GrainPose, place: DVec2) -> DVec2 {
    pose.position + DVec2::from_angle(pose.angle).rotate(place)
}

/// Two random outlines at random angles, about a diameter apart.
fn random_pair(dice: &mut Dice, outlines: &[NurbsOutline]) -> ([usize; 2], [GrainPose; 2]) {
    let pick = |roll: f64| (roll * outlines.len() as f64) as usize;
    let shapes = [pick(dice.roll()), pick(dice.roll())];
    let away = DVec2::from_angle(dice.between(0.0, 6.3)) * dice.between(0.75, 1.2);
    let at = DVec2::new(dice.between(-3.0, 3.0), dice.between(-3.0, 3.0));
    let poses = [
        pose(shapes[0] as u32, at.x, at.y, dice.between(-9.0, 9.0)),
        pose(shapes[1] as u32, at.x + away.x, at.y + away.y, dice.between(-9.0, 9.0)),
    ];
    (shapes, poses)
}

fn as_shapes(outlines: &[NurbsOutline]) -> Vec<GrainShape> {
    outlines.iter().cloned().map(GrainShape::from).collect()
}

#[test]
fn knots_become_contacts_by_gap_and_facing_and_by_nothing_else() {
    let outlines = all_outlines();
    let shapes = as_shapes(&outlines);
    let mut dice = Dice(21);
    let mut total = 0;
    for _ in 0..300 {
        let (picked, poses) = random_pair(&mut dice, &outlines);
        let reach = dice.between(0.0, 0.15);
        let found = contacts_of(&shapes, poses, reach, PAPER);
        let mut expected = Vec::new();
        for (master, slave) in [(0, 1), (1, 0)] {
            for (number, knot) in outlines[picked[slave]].knots().iter().enumerate() {
                let x = in_world(&poses[slave], knot.point);
                let local = DVec2::from_angle(-poses[master].angle).rotate(x - poses[master].position);
                let foot = outlines[picked[master]].foot_point(local);
                let normal = DVec2::from_angle(poses[master].angle).rotate(foot.normal);
                let facing = normal.dot(DVec2::from_angle(poses[slave].angle).rotate(knot.normal));
                if foot.gap < reach && facing < -1e-9 {
                    expected.push((master as u32, slave as u32, number as u32, x, normal, foot.gap));
                }
            }
        }
        expected.sort_by_key(|&(master, slave, knot, ..)| (master, slave, knot));
        assert_eq!(found.len(), expected.len());
        total += found.len();
        for (contact, (master, slave, knot, x, normal, gap)) in found.iter().zip(expected) {
            assert_eq!((contact.master, contact.slave, contact.knot), (master, slave, knot));
            assert!((contact.point - x).length() < 1e-13 && (contact.normal - normal).length() < 1e-6);
            assert!((contact.gap - gap).abs() < 1e-13);
        }
    }
    assert!(total > 2000, "{total} contacts");
}

/// Least gap of the boundary of `slave` by 2,000 samples and ternary search.
fn least_gap(master: (&NurbsOutline, &GrainPose), slave: (&NurbsOutline, &GrainPose)) -> f64 {
    let gap = |u: f64| gap_to(master.0, master.1, in_world(slave.1, slave.0.at(u).position));
    let count = 2000;
    let at = |i: i32| gap(f64::from(i) / f64::from(count));
    let best = (0..count).min_by(|&i, &j| at(i).total_cmp(&at(j))).expect("samples");
    let sampled = at(best);
    let (mut low, mut high) =
        (f64::from(best - 1) / f64::from(count), f64::from(best + 1) / f64::from(count));
    for _ in 0..60 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if gap(a) < gap(b) { high = b } else { low = a }
    }
    sampled.min(gap(0.5 * (low + high)))
}

/// The least gap of refined contacts is the least gap of the boundaries: smooth grains near contact.
#[test]
fn refined_minima_are_exact() {
    let outlines: Vec<NurbsOutline> = (0..16).map(lobed).collect();
    let shapes = as_shapes(&outlines);
    let mut dice = Dice(22);
    let mut tried = 0;
    while tried < 150 {
        let (picked, poses) = random_pair(&mut dice, &outlines);
        let found = contacts_of(&shapes, poses, 0.1, REFINED);
        let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        if !(-0.03..0.07).contains(&least) {
            continue;
        }
        tried += 1;
        let of = |i: usize| (&outlines[picked[i]], &poses[i]);
        let apart = least_gap(of(0), of(1));
        // Apart, the least gap is the same from both sides; on overlap it is that of the deeper side.
        let exact = if apart > 0.0 { apart } else { apart.min(least_gap(of(1), of(0))) };
        assert!((least - exact).abs() < 1e-9, "{least} instead of {exact}");
        let paper =
            contacts_of(&shapes, poses, 0.1, PAPER).iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        assert!(paper >= least - 1e-12);
    }
}

#[test]
fn refined_minima_of_kinked_grains_are_found() {
    let outlines = [kinked(), arrow(), square(0.8), lobed(13)];
    let shapes = as_shapes(&outlines);
    let mut dice = Dice(23);
    let mut tried = 0;
    while tried < 100 {
        let (picked, poses) = random_pair(&mut dice, &outlines);
        let found = contacts_of(&shapes, poses, 0.1, REFINED);
        let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        if !(1e-4..0.07).contains(&least) {
            continue;
        }
        tried += 1;
        let of = |i: usize| (&outlines[picked[i]], &poses[i]);
        let exact = least_gap(of(0), of(1)).min(least_gap(of(1), of(0)));
        assert!((least - exact).abs() < 1e-9, "{least} instead of {exact}");
    }
}

/// Contacts of different passes at the same place: each is where the other's foot point is.
fn doubled(found: &[GrainContact], near: f64) -> usize {
    let foot = |contact: &GrainContact| contact.point - contact.gap * contact.normal;
    let pairs = found.iter().enumerate().flat_map(|(i, a)| found[i + 1..].iter().map(move |b| (a, b)));
    let same = |a: &GrainContact, b: &GrainContact| {
        a.master != b.master && a.point.distance(foot(b)) < near && b.point.distance(foot(a)) < near
    };
    pairs.filter(|(a, b)| same(a, b)).count()
}

#[test]
fn double_pass_doubles_no_refined_contact() {
    let outlines: Vec<NurbsOutline> = all_outlines();
    let shapes = as_shapes(&outlines);
    let mut dice = Dice(24);
    let mut singles = 0;
    for _ in 0..1000 {
        let (_, poses) = random_pair(&mut dice, &outlines);
        let found = contacts_of(&shapes, poses, 0.1, REFINED);
        let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        if !(1e-6..0.1).contains(&least) {
            continue;
        }
        // Both passes find this place, and the points they find agree to rounding.
        assert_eq!(doubled(&found, 1e-6), 0, "gap {least}");
        let single = contacts_of(&shapes, poses, 0.1, SINGLE);
        singles += usize::from(!single.is_empty());
        for contact in single.iter().filter(|contact| contact.gap <= least + 1e-12) {
            let foot = contact.point - contact.gap * contact.normal;
            let kept = |other: &&GrainContact| {
                let straight = other.master == contact.master && other.point.distance(contact.point) < 1e-6;
                straight || (other.master != contact.master && other.point.distance(foot) < 1e-6)
            };
            assert_eq!(found.iter().filter(kept).count(), 1, "one of both passes stays");
        }
    }
    assert!(singles > 100, "{singles}");
}

/// The slave with the lower number stays, unless the other has a corner there.
#[test]
fn which_of_a_doubled_contact_stays() {
    let shapes =
        [GrainShape::from(circle(0.5)), GrainShape::from(circle(0.5)), GrainShape::from(square(0.5))];
    let least = |mut found: Vec<GrainContact>| {
        let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        found.retain(|contact| contact.gap < least + 1e-6);
        found
    };
    let found = least(contacts_of(&shapes, [pose(0, 0.0, 0.0, 0.2), pose(1, 0.0, 1.01, 0.3)], 0.03, REFINED));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].master, found[0].slave), (1, 0));
    assert!((found[0].gap - 0.01).abs() < 1e-14);
    let corner_down = std::f64::consts::FRAC_PI_4;
    let height = 0.5 + 0.25 * 2.0_f64.sqrt();
    for depth in [-1e-3, 1e-9, 1e-3] {
        let poses = [pose(0, 0.0, 0.0, 0.2), pose(2, 0.0, height + depth, corner_down)];
        let found = least(contacts_of(&shapes, poses, 0.02, REFINED));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].master, found[0].slave), (0, 1), "the corner is the slave");
        assert!((found[0].normal - DVec2::Y).length() < 1e-6 && (found[0].gap - depth).abs() < 1e-14);
    }
}

/// A corner that has entered a flat side is pushed back along the normal of the side, whatever the numbers.
#[test]
fn a_corner_in_a_flat_side_has_the_normal_of_the_side() {
    let shapes = [GrainShape::from(square(0.5)), GrainShape::from(square(1.0))];
    let corner_down = std::f64::consts::FRAC_PI_4;
    let height = 0.5 + 0.25 * 2.0_f64.sqrt();
    let orders = [
        ([pose(1, 0.0, 0.0, 0.0), pose(0, 0.013, height - 0.004, corner_down)], 1, 1.0),
        ([pose(0, 0.013, height - 0.004, corner_down), pose(1, 0.0, 0.0, 0.0)], 0, 1.0),
    ];
    for (poses, slave, sign) in orders {
        let found = contacts_of(&shapes, poses, 0.003, REFINED);
        let deepest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).expect("a contact");
        assert_eq!(deepest.slave, slave);
        assert!((deepest.normal - sign * DVec2::Y).length() < 1e-12, "{}", deepest.normal);
        assert!((deepest.gap + 0.004).abs() < 1e-14);
        assert!(found.iter().all(|contact| contact.gap > -0.001 || contact.slave == slave), "{found:?}");
    }
}

/// A smooth wheel touches the floor under its centre at every angle, across the seam too.
#[test]
fn a_round_outline_touches_the_floor_under_its_centre() {
    for step in 0..360 {
        let angle = f64::from(step) * 0.0174;
        let found = contacts_on_floor(circle(0.5).into(), pose(0, 2.0, 0.499, angle), 0.05, REFINED);
        let lowest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).expect("a contact");
        assert!((lowest.gap + 0.001).abs() < 1e-15, "{:e}", lowest.gap + 0.001);
        assert!((lowest.point.x - 2.0).abs() < 1e-8, "{:e}", lowest.point.x - 2.0);
        assert_eq!(lowest.normal, DVec2::Y);
    }
}

/// With fixed knots the wheel is a polygon of 48 corners: on two of them it stands over half an interval.
#[test]
fn fixed_knots_make_a_wheel_a_polygon() {
    let step = std::f64::consts::TAU / 48.0;
    let found = contacts_on_floor(circle(0.5).into(), pose(0, 0.0, 0.5, 0.5 * step), 1e-2, PAPER);
    let mut lowest: Vec<&GrainContact> = found.iter().collect();
    lowest.sort_by(|a, b| a.gap.total_cmp(&b.gap));
    assert!((lowest[0].gap - lowest[1].gap).abs() < 1e-12);
    assert!((lowest[0].point.x + lowest[1].point.x).abs() < 1e-12);
    let half = 0.5 * (0.5 * step).sin();
    assert!((lowest[0].point.x.abs() - half).abs() < 1e-12, "it stands to slopes of 180°/48");
}

#[test]
fn flat_sides_keep_their_knots() {
    let found = contacts_on_floor(square(1.0).into(), pose(0, 0.0, 0.5, 0.0), 0.01, REFINED);
    let plain = contacts_on_floor(square(1.0).into(), pose(0, 0.0, 0.5, 0.0), 0.01, PAPER);
    assert_eq!(found, plain);
    assert_eq!(found.len(), 13, "twelve intervals and both corners");
    let shapes = [GrainShape::from(square(1.0)), GrainShape::from(square(0.6))];
    let poses = [pose(0, 0.0, 0.0, 0.0), pose(1, 0.03, 0.8, 0.0)];
    let (found, plain) =
        (contacts_of(&shapes, poses, 0.01, REFINED), contacts_of(&shapes, poses, 0.01, PAPER));
    assert_eq!(found, plain);
    assert!(found.iter().all(|contact| contact.gap.abs() < 1e-14), "{found:?}");
}

/// A kink that rests on the floor stays the contact while the grain tips over it.
#[test]
fn a_kink_on_the_floor_is_the_contact() {
    let drop = kinked();
    let kink = drop.knots()[0];
    assert!(kink.kink);
    for tilt in [-0.3, -0.1, 0.0, 0.2, 0.3] {
        let down = (-DVec2::Y).to_angle() - kink.normal.to_angle() + tilt;
        let at = DVec2::from_angle(down).rotate(kink.point);
        let found = contacts_on_floor(drop.clone().into(), pose(0, -at.x, -at.y - 1e-3, down), 0.01, REFINED);
        let lowest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).expect("a contact");
        assert_eq!(lowest.knot, 0);
        assert!((lowest.gap + 1e-3).abs() < 1e-14 && lowest.point.x.abs() < 1e-14);
    }
}

/// The gap of two grains in contact at the seam changes smoothly as they roll over it.
#[test]
fn contacts_pass_the_seam_smoothly() {
    let shapes = [GrainShape::from(lobed(5)), GrainShape::from(lobed(9))];
    let seam = lobed(5).at(0.0);
    let mut gaps = Vec::new();
    for step in -20..=20 {
        let angle = f64::from(step) * 1e-3 + std::f64::consts::FRAC_PI_2 - seam.normal().to_angle();
        let top = DVec2::from_angle(angle).rotate(seam.position);
        let poses = [pose(0, -top.x, -top.y, angle), pose(1, 0.0, 0.62, 0.0)];
        let found = contacts_of(&shapes, poses, 0.2, REFINED);
        gaps.push(found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min));
    }
    let bend = |w: &[f64]| (w[0] - 2.0 * w[1] + w[2]).abs();
    assert!(gaps.windows(3).map(bend).fold(0.0, f64::max) < 1e-5, "{gaps:?}");
}

#[test]
fn records_are_the_same_on_one_thread_and_on_four() {
    let shapes: Vec<GrainShape> = (0..16).map(|s| built_in(GrainFamily::NonConvex, s)).collect();
    let mut dice = Dice(30);
    let side = 12_u32;
    let grains: Vec<GrainPose> = (0..side * side)
        .map(|i| pose(i % 16, 0.95 * f64::from(i % side), 0.95 * f64::from(i / side), dice.between(0.0, 6.3)))
        .collect();
    let walls =
        [PlaneWall { normal: DVec2::Y, offset: -0.45 }, PlaneWall { normal: DVec2::X, offset: -0.45 }];
    let count = grains.len() as u32;
    let mut pairs = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            if grains[i as usize].position.distance(grains[j as usize].position) < 1.6 {
                pairs.push((i, j, 0.1));
            }
        }
        pairs.extend([(i, count, 0.1), (i, count + 1, 0.1)]);
    }
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| find_contacts(&shapes, &grains, &walls, &pairs, &REFINED))
    };
    let (one, four) = (on(1), on(4));
    assert!(one.len() > 1000);
    let bits = |contact: &GrainContact| {
        let numbers = [contact.gap, contact.point.x, contact.point.y, contact.normal.x, contact.normal.y];
        (
            contact.master,
            contact.slave,
            contact.knot,
            numbers.map(f64::to_bits),
            contact.master_parameter.to_bits(),
        )
    };
    assert!(one.iter().map(bits).eq(four.iter().map(bits)));
    let keys: Vec<_> = one.iter().map(|contact| (contact.master, contact.slave, contact.knot)).collect();
    assert!(keys.is_sorted() && keys.windows(2).all(|pair| pair[0] != pair[1]), "keys are unique");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Every refined contact is what it says: a point of the slave with that gap along that normal.
    #[test]
    fn records_describe_real_places(seed in any::<u64>()) {
        let outlines = [lobed(15), lobed(8), kinked(), arrow()];
        let shapes = as_shapes(&outlines);
        let (picked, poses) = random_pair(&mut Dice(seed), &outlines);
        for contact in contacts_of(&shapes, poses, 0.1, REFINED) {
            let (m, s) = (contact.master as usize, contact.slave as usize);
            prop_assert!(gap_to(&outlines[picked[s]], &poses[s], contact.point).abs() < 1e-9, "on the slave");
            let gap = gap_to(&outlines[picked[m]], &poses[m], contact.point);
            prop_assert!((gap - contact.gap).abs() < 1e-12 && gap < 0.1);
            let foot = contact.point - contact.gap * contact.normal;
            prop_assert!(gap_to(&outlines[picked[m]], &poses[m], foot).abs() < 1e-9, "the foot is on the master");
            prop_assert!((contact.normal.length() - 1.0).abs() < 1e-12);
        }
    }
}
