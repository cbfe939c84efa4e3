use super::*;
use glam::DQuat;
use proptest::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const ALWAYS: (f64, f64) = (0.0, f64::INFINITY);

fn part(kind: MotionKind, (start, stop): (f64, f64)) -> MotionPart {
    MotionPart { kind, start, stop }
}

fn motion(parts: Vec<MotionPart>) -> PrescribedMotion {
    PrescribedMotion { parts }
}

fn turn_z(speed: f64) -> MotionKind {
    MotionKind::Rotation { point: DVec3::X, axis: DVec3::Z, speed }
}

fn assert_near(a: DVec3, b: DVec3, tolerance: f64) {
    assert!((a - b).length() <= tolerance, "{a} and {b} differ by {}", (a - b).length());
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn direction() -> impl Strategy<Value = DVec3> {
    vector(1.0).prop_filter("too short", |v| v.length() > 0.1).prop_map(|v| v.normalize())
}

fn any_pose() -> impl Strategy<Value = Pose> {
    (vector(1.0), direction(), -3.0..3.0, vector(1.0)).prop_map(|(point, axis, angle, shift)| {
        Pose::from_translation(shift).compose(&Pose::from_turn(point, axis, angle))
    })
}

fn table() -> impl Strategy<Value = MotionKind> {
    prop::collection::vec((0.2..0.7, any_pose()), 2..5).prop_map(|rows| {
        let mut times = vec![0.0];
        times.extend(rows.iter().scan(0.0, |t, row| {
            *t += row.0;
            Some(*t)
        }));
        times.pop();
        MotionKind::Table { times, poses: rows.into_iter().map(|row| row.1).collect() }
    })
}

fn kind() -> impl Strategy<Value = MotionKind> {
    let swing = || (vector(1.0), direction(), -2.0..2.0, 0.1..2.0, -3.0..3.0);
    prop_oneof![
        vector(2.0).prop_map(|velocity| MotionKind::Translation { velocity }),
        (vector(1.0), direction(), -4.0..4.0).prop_map(|(point, axis, speed)| MotionKind::Rotation {
            point,
            axis,
            speed
        }),
        swing().prop_map(|(amplitude, _, _, frequency, phase)| MotionKind::Oscillation {
            amplitude,
            frequency,
            phase
        }),
        swing().prop_map(|(point, axis, amplitude, frequency, phase)| MotionKind::Rocking {
            point,
            axis,
            amplitude,
            frequency,
            phase
        }),
        table(),
    ]
}

fn any_motion() -> impl Strategy<Value = PrescribedMotion> {
    let timed = (kind(), -0.5..0.8, 0.1..2.0);
    let parts = timed.prop_map(|(kind, start, span)| part(kind, (start, start + span)));
    prop::collection::vec(parts, 0..5).prop_map(motion)
}

/// Instants at which the velocity may jump.
fn kinks(motion: &PrescribedMotion) -> Vec<f64> {
    let mut all = Vec::new();
    for part in &motion.parts {
        all.extend([part.start, part.stop]);
        if let MotionKind::Table { times, .. } = &part.kind {
            all.extend(times.iter().map(|instant| part.start + instant));
        }
    }
    all
}

proptest! {
    #[test]
    fn twist_is_the_derivative_of_the_pose(motion in any_motion(), t in 0.0..2.0_f64, point in vector(1.5)) {
        let step = 1e-5_f64;
        prop_assume!(kinks(&motion).iter().all(|kink: &f64| (*kink - t).abs() > 2.0 * step));
        let place = |t: f64| motion.pose(t).point_to_world(point);
        let measured = (place(t + step) - place(t - step)) / (2.0 * step);
        let given = motion.twist(t).velocity_at(place(t));
        // Central differences: third derivative · step²/6, plus rounding / step.
        prop_assert!((measured - given).length() < 1e-5 * (1.0 + given.length()), "{measured} {given}");
    }

    #[test]
    fn the_pose_is_continuous(motion in any_motion(), point in vector(1.5)) {
        for kink in kinks(&motion) {
            let before = motion.pose(kink - 1e-9).point_to_world(point);
            let after = motion.pose(kink + 1e-9).point_to_world(point);
            prop_assert!((after - before).length() < 1e-6);
        }
    }

    #[test]
    fn no_point_of_the_ball_is_faster_than_the_bound(
        motion in any_motion(), centre in vector(1.0), radius in 0.0..0.5, aim in direction(),
    ) {
        let duration = 2.0;
        let bound = motion.max_speed(centre, radius, duration);
        for step in 0..200 {
            let t = duration * f64::from(step) / 200.0;
            let place = motion.pose(t).point_to_world(centre + radius * aim);
            let speed = motion.twist(t).velocity_at(place).length();
            prop_assert!(speed <= bound * (1.0 + 1e-12) + 1e-12, "{speed} above {bound} at {t}");
        }
        prop_assert!(bound.is_finite());
    }

    #[test]
    fn inverse_and_frame_changes_agree(a in any_pose(), b in any_pose(), point in vector(2.0)) {
        let back = a.inverse().compose(&a).point_to_world(point);
        prop_assert!((back - point).length() < 1e-13);
        prop_assert!((a.point_to_body(point) - a.inverse().point_to_world(point)).length() < 1e-13);
        let twice = a.point_to_world(b.point_to_world(point));
        prop_assert!((a.compose(&b).point_to_world(point) - twice).length() < 1e-13);
        let difference = a.point_to_world(point) - a.point_to_world(DVec3::ZERO);
        prop_assert!((a.direction_to_world(point) - difference).length() < 1e-13);
        prop_assert!((a.direction_to_body(a.direction_to_world(point)) - point).length() < 1e-13);
    }
}

#[test]
fn a_rotation_before_a_translation_travels_along() {
    let shift = MotionKind::Translation { velocity: DVec3::X };
    let travelling = motion(vec![part(turn_z(FRAC_PI_2), ALWAYS), part(shift.clone(), ALWAYS)]);
    let axis_point = travelling.pose(1.0).point_to_world(DVec3::X);
    assert_near(axis_point, 2.0 * DVec3::X, 1e-15);
    assert_near(travelling.pose(1.0).point_to_world(DVec3::ZERO), DVec3::new(2.0, -1.0, 0.0), 1e-15);
    assert_near(travelling.twist(1.0).velocity_at(axis_point), DVec3::X, 1e-15);

    let standing = motion(vec![part(shift, ALWAYS), part(turn_z(FRAC_PI_2), ALWAYS)]);
    assert_near(standing.pose(1.0).point_to_world(DVec3::X), DVec3::new(1.0, 1.0, 0.0), 1e-15);
    assert_near(standing.twist(1.0).velocity_at(DVec3::X), DVec3::Y, 1e-15);
}

#[test]
fn after_its_stop_a_part_holds_its_pose() {
    let motion = motion(vec![part(turn_z(1.0), (0.5, 2.0))]);
    assert_eq!(motion.pose(0.2), Pose::IDENTITY);
    assert_eq!(motion.twist(0.2), Twist::ZERO);
    assert_eq!(motion.twist(0.5).angular, DVec3::Z);
    assert_eq!(motion.pose(7.0), motion.pose(2.0));
    assert_eq!(motion.pose(2.0), Pose::from_turn(DVec3::X, DVec3::Z, 1.5));
    assert_eq!(motion.twist(2.0), Twist::ZERO);
}

#[test]
fn an_outer_part_carries_inner_parts_that_have_stopped() {
    let motion = motion(vec![part(turn_z(PI), (0.0, 1.0)), part(turn_z(PI), (1.0, 2.0))]);
    assert_near(motion.pose(1.5).point_to_world(DVec3::ZERO), DVec3::new(1.0, 1.0, 0.0), 1e-15);
    assert_near(motion.twist(1.5).velocity_at(DVec3::new(1.0, 1.0, 0.0)), -PI * DVec3::X, 1e-14);
}

#[test]
fn many_full_turns_return() {
    let motion = motion(vec![part(turn_z(TAU), ALWAYS)]);
    for turns in [1.0, 2.0, 1000.0] {
        let place = motion.pose(turns).point_to_world(DVec3::new(3.0, 2.0, 1.0));
        assert_near(place, DVec3::new(3.0, 2.0, 1.0), 1e-15 * (1.0 + turns * TAU) * 3.0);
    }
}

#[test]
fn swings_start_from_rest_position_and_reach_their_amplitude() {
    let oscillation = MotionKind::Oscillation { amplitude: 0.3 * DVec3::Y, frequency: 2.0, phase: 0.0 };
    let shaken = motion(vec![part(oscillation, ALWAYS)]);
    assert_near(shaken.pose(0.125).translation, 0.3 * DVec3::Y, 1e-15);
    assert_near(shaken.twist(0.0).linear, 0.3 * 2.0 * TAU * DVec3::Y, 1e-14);
    let (point, axis) = (DVec3::ZERO, DVec3::Z);
    let rocking = MotionKind::Rocking { point, axis, amplitude: 0.5, frequency: 1.0, phase: FRAC_PI_2 };
    let rocked = motion(vec![part(rocking, ALWAYS)]);
    assert_eq!(rocked.pose(0.0), Pose::IDENTITY);
    let swung = DVec3::new(libm::cos(1.0), -libm::sin(1.0), 0.0);
    assert_near(rocked.pose(0.5).point_to_world(DVec3::X), swung, 1e-15);
}

#[test]
fn a_table_turns_the_short_way_at_constant_speed() {
    let row = |angle: f64, x: f64| Pose {
        rotation: Pose::from_turn(DVec3::ZERO, DVec3::Z, angle).rotation,
        translation: x * DVec3::X,
    };
    // The negated quaternion is the same rotation and must not cause the long way round.
    let negated = Pose { rotation: -row(1.0, 4.0).rotation, ..row(1.0, 4.0) };
    let kind = MotionKind::Table { times: vec![0.0, 2.0], poses: vec![row(0.2, 0.0), negated] };
    let motion = motion(vec![part(kind, (1.0, f64::INFINITY))]);
    let expected = row(0.4, 1.0);
    assert_near(motion.pose(1.5).point_to_world(DVec3::Y), expected.point_to_world(DVec3::Y), 1e-15);
    assert_near(motion.twist(1.5).angular, 0.4 * DVec3::Z, 1e-15);
    assert_near(motion.twist(1.5).velocity_at(DVec3::X), 2.0 * DVec3::X, 1e-15);
    assert_eq!(motion.pose(0.0), motion.pose(1.0));
    assert_near(motion.pose(9.0).point_to_world(DVec3::Y), row(1.0, 4.0).point_to_world(DVec3::Y), 1e-15);
    assert_eq!((motion.twist(0.9), motion.twist(3.0)), (Twist::ZERO, Twist::ZERO));
}

#[test]
fn static_motion_is_recognised() {
    let still =
        MotionKind::Rocking { point: DVec3::X, axis: DVec3::Z, amplitude: 0.0, frequency: 3.0, phase: 1.0 };
    let pose = Pose { rotation: DQuat::IDENTITY, translation: DVec3::X };
    let held = MotionKind::Table { times: vec![0.0, 1.0], poses: vec![pose, pose] };
    assert!(motion(vec![]).is_static());
    assert!(motion(vec![part(still, ALWAYS), part(held, ALWAYS)]).is_static());
    assert!(motion(vec![part(turn_z(1.0), (2.0, 2.0))]).is_static());
    assert!(!motion(vec![part(turn_z(1.0), ALWAYS)]).is_static());
}

#[test]
fn the_speed_bound_is_exact_for_simple_motion() {
    let spin = motion(vec![part(turn_z(-3.0), ALWAYS)]);
    assert!((spin.max_speed(DVec3::new(3.0, 0.0, 9.0), 0.5, f64::INFINITY) - 7.5).abs() < 1e-14);
    assert_eq!(spin.max_speed(DVec3::ZERO, f64::INFINITY, 1.0), f64::INFINITY);
    let up = MotionKind::Translation { velocity: 2.0 * DVec3::Z };
    let down = MotionKind::Translation { velocity: -3.0 * DVec3::Z };
    let hoist = motion(vec![part(up, (0.0, 1.0)), part(down, (1.0, 2.0))]);
    assert_eq!(hoist.max_speed(DVec3::ZERO, f64::INFINITY, f64::INFINITY), 3.0);
    assert_eq!(hoist.max_speed(DVec3::ZERO, 1.0, 0.5), 2.0);
}
