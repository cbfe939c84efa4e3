//! Two equal discs that meet: restitution by θ and by the gap inside the step.

use crate::build::*;
use breccia::implicit::*;
use breccia::shapes::nurbs::GrainShape;
use glam::DVec2;

/// e of a head-on impact at approach speed 1, the gap at the start a share `s` of the way of one step.
fn restitution(theta: f64, share: f64) -> f64 {
    let time_step = 0.01;
    let setup = GrainSetup {
        shapes: vec![GrainShape::Disc(RADIUS)],
        grains: vec![disc(), disc()],
        friction: FrictionTable::uniform(1, 0.0),
        wall_materials: vec![],
        settings: dynamic(theta, time_step),
    };
    let apart = 2.0 * RADIUS + share * time_step;
    let mut state =
        GrainState::at_rest(&[(DVec2::ZERO, 0.0), (DVec2::new(apart, 0.0), 0.0)], vec![], DVec2::ZERO);
    state.velocity = vec![DVec2::new(0.5, 0.0), DVec2::new(-0.5, 0.0)];
    let mut run = GrainRun::new(setup, state).unwrap();
    run.steps(4).unwrap();
    run.state().velocity[1].x - run.state().velocity[0].x
}

/// Acceptance test 10.
#[test]
fn impact_from_touch_rebounds_by_theta() {
    for theta in [0.5, 0.7, 0.85, 1.0] {
        let e = restitution(theta, 0.0);
        assert!((e - (1.0 - theta) / theta).abs() < 1e-3, "θ {theta}: {e}");
    }
}

/// Acceptance test 11.
#[test]
fn gap_inside_the_step_costs_energy() {
    for theta in [0.5, 0.7, 0.85, 1.0] {
        for share in [0.25, 0.5, 0.75, 1.0] {
            let expected = if share <= 1.0 - theta {
                (1.0 - theta - share) / theta
            } else {
                (1.0 - theta) * (share - 1.0 + theta) / (theta * theta)
            };
            let e = restitution(theta, share);
            assert!((e - expected).abs() < 1e-3, "θ {theta}, s {share}: {e} {expected}");
        }
    }
}
