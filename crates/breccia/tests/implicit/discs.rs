//! One disc on a plane: rest, elastic rest, elastic shear, the pair of columns.

use crate::build::*;
use breccia::implicit::*;
use glam::DVec2;

/// Acceptance test 6.
#[test]
fn disc_at_rest_carries_its_weight() {
    for theta in [0.5, 0.7, 1.0] {
        let mut settings = dynamic(theta, 0.005);
        settings.tolerance = 1e-10;
        let mut run = on_plane(disc(), 0.0, 0.5, down(), settings);
        run.steps(50).unwrap();
        let state = run.state();
        let weight = MASS * GRAVITY;
        let force = state.contacts[0].force.normal;
        assert!((force / weight - 1.0).abs() < 1e-7, "θ {theta}: {force} {weight}");
        assert!(state.velocity[0].length() < 1e-7, "θ {theta}: {}", state.velocity[0]);
        assert!(state.spin[0].abs() < 1e-7);
        assert!((state.walls[0].load.y + weight).abs() < 1e-6 * weight);
    }
}

/// Acceptance test 13.
#[test]
fn elastic_rest_sinks_in_by_weight_over_stiffness() {
    for (stiffness, tolerance) in [(1e5, 1e-6), (1e8, 1e-4)] {
        let settings = dynamic(1.0, 0.02).with_stiffness(stiffness);
        let mut run = on_plane(disc(), 0.0, 0.5, down(), settings);
        run.steps(60).unwrap();
        let overlap = RADIUS - run.state().position[0].y;
        let ratio = overlap * stiffness / (MASS * GRAVITY);
        assert!((ratio - 1.0).abs() < tolerance, "kN {stiffness}: {ratio}");
    }
}

/// Acceptance test 14.
#[test]
fn elastic_shear_is_force_over_stiffness() {
    for stiffness in [1e5, 1e8] {
        let settings = dynamic(1.0, 0.02).with_stiffness(stiffness);
        let mut run = on_plane(locked_disc(), 0.0, 0.5, down(), settings);
        run.steps(20).unwrap();
        let start = run.state().position[0].x;
        let weight = MASS * GRAVITY;
        run.state_mut().loads.push(GrainLoad { grain: 0, force: DVec2::new(0.3 * weight, 0.0), moment: 0.0 });
        run.steps(60).unwrap();
        let moved = run.state().position[0].x - start;
        let expected = 0.3 * weight / (stiffness * 2.0 / 3.0);
        assert!((moved / expected - 1.0).abs() < 5e-3, "kN {stiffness}: {moved} {expected}");
    }
}

#[test]
fn budget_closes_and_a_checkpoint_goes_on_with_the_same_bits() {
    let mut run = on_plane(disc(), 0.3, 0.5, down(), dynamic(0.7, 0.01).with_stiffness(1e5));
    run.state_mut().velocity[0] = DVec2::new(1.5, -0.2);
    let before = run.state().energy_budget(run.setup());
    run.steps(37).unwrap();
    let saved = postcard_round_trip(run.state());
    run.steps(63).unwrap();
    let mut again = GrainRun::new(run.setup().clone(), saved).unwrap();
    again.steps(63).unwrap();
    assert_eq!(run.state(), again.state());
    let after = run.state().energy_budget(run.setup());
    assert!((after - before).abs() < 1e-9 * before.abs(), "{before} {after}");
}

fn postcard_round_trip(state: &GrainState) -> GrainState {
    let json = serde_json::to_string(state).unwrap();
    serde_json::from_str(&json).unwrap()
}

#[test]
fn wrong_choices_are_refused() {
    let refused = |settings: GrainSettings| settings.check().unwrap_err().to_string();
    assert!(refused(dynamic(0.4, 0.01)).contains("theta"));
    assert!(refused(dynamic(0.7, 0.0)).contains("time step"));
    let saxce = StaticStep { saxce_iterations: 3, ..StaticStep::default() };
    assert!(refused(GrainSettings::new(StepKind::QuasiStatic(saxce), 1.0)).contains("Saxcé"));
    assert!(refused(dynamic(0.7, 0.01).with_stiffness(-1.0)).contains("stiffness"));
}

#[test]
fn a_grain_deep_in_a_wall_stops_the_run() {
    let mut run = on_plane(disc(), -0.3, 0.5, down(), dynamic(0.7, 0.01));
    let error = run.step().unwrap_err();
    assert!(matches!(&error, GrainError::TooDeep { slave: 0, .. }), "{error}");
    assert_eq!(run.state().step, 0);
}
