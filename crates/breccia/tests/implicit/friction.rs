//! Sliding, rolling, sticking: one disc on a plane.

use crate::build::*;
use breccia::implicit::*;
use glam::DVec2;

/// Acceptance test 7.
#[test]
fn locked_disc_is_slowed_by_friction() {
    let (speed, time_step, friction) = (2.0, 0.005, 0.5);
    let mut run =
        on_plane(locked_disc(), friction * speed * time_step, friction, down(), dynamic(1.0, time_step));
    run.state_mut().velocity[0].x = speed;
    run.steps(60).unwrap();
    let deceleration = (speed - run.state().velocity[0].x) / (60.0 * time_step);
    assert!((deceleration / (friction * GRAVITY) - 1.0).abs() < 5e-3, "{deceleration}");
}

/// Acceptance test 8.
#[test]
fn de_saxce_takes_the_hop_out() {
    let (speed, time_step, friction) = (2.0, 0.005, 0.5);
    let mut settings = dynamic(1.0, time_step);
    settings.kind = StepKind::Dynamic(DynamicStep { theta: 1.0, saxce_iterations: 8, saxce_tolerance: 0.0 });
    settings.tolerance = 1e-10;
    let mut run = on_plane(locked_disc(), 0.0, friction, down(), settings);
    run.state_mut().velocity[0].x = speed;
    let mut highest = 0.0_f64;
    for _ in 0..60 {
        run.step().unwrap();
        highest = highest.max((run.state().position[0].y - RADIUS).abs());
    }
    let deceleration = (speed - run.state().velocity[0].x) / (60.0 * time_step);
    assert!((deceleration / (friction * GRAVITY) - 1.0).abs() < 1e-4, "{deceleration}");
    assert!(highest < 1e-7, "hop {highest}");
}

/// Acceptance test 9.
#[test]
fn sliding_disc_ends_rolling() {
    // The first step gives the disc the speed at which the gap of sliding closes, 3µ² g Δt: that much of one step's
    // weight is missing in it, 0.27 of a step here.
    let (speed, time_step, friction) = (2.0, 0.002, 0.3);
    let mut run = on_plane(disc(), friction * speed * time_step, friction, down(), dynamic(1.0, time_step));
    run.state_mut().velocity[0].x = speed;
    let mut slips = Vec::new();
    for _ in 0..200 {
        run.step().unwrap();
        let state = run.state();
        slips.push(state.velocity[0].x + state.spin[0] * RADIUS);
    }
    let state = run.state();
    let velocity = state.velocity[0].x;
    assert!((velocity / (2.0 / 3.0 * speed) - 1.0).abs() < 1e-4, "{velocity}");
    assert!((state.spin[0] * RADIUS / -velocity - 1.0).abs() < 1e-4);
    let expected = speed / (3.0 * friction * GRAVITY);
    // Slip falls linearly until it is gone: where the line through steps 21 and 91 meets zero.
    let time = time_step * (21.0 + 70.0 * slips[20] / (slips[20] - slips[90]));
    assert!(slips[111].abs() > 1e-3 && slips[114].abs() < 1e-4, "{} {}", slips[111], slips[114]);
    assert!((time / expected - 1.0).abs() < 1e-2, "{time} {expected}");
}

/// Acceptance test 12.
#[test]
fn incline_sticks_below_and_slides_above() {
    let friction = 0.4_f64;
    let limit = libm::atan(friction);
    let steep = 35.0_f64.to_radians();
    for (angle, is_sliding) in [(0.98 * limit, false), (1.02 * limit, true), (steep, true)] {
        let gravity = GRAVITY * DVec2::new(libm::sin(angle), -libm::cos(angle));
        let time_step = 0.002;
        let mut settings = dynamic(1.0, time_step);
        // What is left of the complementarity is slip, most so near the edge of the cone.
        settings.tolerance = 1e-10;
        let mut run = on_plane(locked_disc(), 0.0, friction, gravity, settings);
        run.steps(500).unwrap();
        let way = run.state().position[0].x;
        if is_sliding {
            let acceleration = run.state().velocity[0].x / (500.0 * time_step);
            let expected = GRAVITY * (libm::sin(angle) - friction * libm::cos(angle));
            assert!((acceleration / expected - 1.0).abs() < 5e-3, "{angle}: {acceleration} {expected}");
        } else {
            assert!(way.abs() < 1e-6, "creep {way}");
        }
    }
}

/// A wall that moves sideways drags what lies on it.
#[test]
fn a_moving_floor_drags_a_disc() {
    let mut run = on_plane(locked_disc(), 0.0, 0.5, down(), dynamic(1.0, 0.002));
    run.state_mut().walls[0].control = WallControl::Moves(DVec2::new(0.01, 0.0));
    run.steps(200).unwrap();
    let velocity = run.state().velocity[0].x;
    assert!((velocity / 0.01 - 1.0).abs() < 1e-5, "{velocity}");
    let budget = run.state().energy_budget(run.setup());
    let height = MASS * GRAVITY * RADIUS;
    assert!((budget - height).abs() < 1e-9 * height, "{budget}");
    assert!(run.state().ledger.wall_work > 0.0);
}
