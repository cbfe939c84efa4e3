//! Disks that meet each other and walls.

use super::builders::*;
use breccia::deformable::contact::PressureRule;
use breccia::deformable::{
    Refactor, SolidMesh, SolidRun, SolidSettings, SolidSetup, StraightWall, SurfaceProperties,
};
use glam::{DVec2, dvec2};

struct Pair {
    core: usize,
    layers: usize,
    offset: f64,
    turn: f64,
    kappa: f64,
}

const OBLIQUE: Pair = Pair { core: 8, layers: 3, offset: 0.7, turn: 0.0, kappa: KAPPA };
const HEAD_ON: Pair = Pair { offset: 0.0, turn: std::f64::consts::PI / 32.0, ..OBLIQUE };

fn two_disks(pair: &Pair, settings: SolidSettings) -> SolidRun {
    let shape = disk(pair.core, pair.layers);
    let mut a = body(&shape, pair.turn, dvec2(-1.025, 0.0), dvec2(0.5, 0.0));
    let mut b = body(&shape, 0.0, dvec2(1.025, pair.offset), dvec2(-0.5, 0.0));
    a.surfaces = vec![SurfaceProperties::smooth(pair.kappa)];
    b.surfaces = a.surfaces.clone();
    free_run(vec![a, b], settings)
}

/// Runs 0.6 s of an impact with both ways to factor; velocities of A.
fn collide(pair: &Pair, time_step: f64, velocity: Option<DVec2>) {
    for refactor in [Refactor::EveryIteration, Refactor::WhenSlow] {
        let mut run = two_disks(pair, SolidSettings { refactor, ..settings(time_step, 1e-10) });
        let drift = watch(&mut run, (0.6 / time_step).round() as u32);
        let total = &run.state.total;
        assert!(drift.energy <= 1e-9 && drift.momentum <= 1e-10 && drift.angular <= 1e-10, "{drift:?}");
        assert!(total.clamps == 0 && total.cuts == 0, "{total:?}");
        // Longer steps and softer contacts go deeper.
        if time_step <= 0.02 && pair.kappa >= KAPPA {
            assert!(total.penetration <= 0.004, "{total:?}");
        }
        if refactor == Refactor::EveryIteration {
            assert!(total.most_iterations <= 8, "{total:?}");
        }
        let measured = run.motion(0).velocity;
        if let Some(expected) = velocity {
            assert!((measured - expected).abs().max_element() <= 0.005, "{measured}");
        }
    }
}

#[test]
fn an_oblique_impact_ends_as_known() {
    collide(&OBLIQUE, 0.01, Some(dvec2(-0.373, -0.313)));
}

#[test]
fn an_oblique_impact_lasts_as_known() {
    let mut run = two_disks(&OBLIQUE, settings(0.01, 1e-10));
    let mut touching = Vec::new();
    for _ in 0..60 {
        run.step().unwrap();
        if run.state.last.active > 0 {
            touching.push(run.state.time);
        }
    }
    let lasted = touching[touching.len() - 1] - touching[0] + 0.01;
    assert!((lasted - 0.14).abs() <= 0.02, "{lasted}");
}

#[test]
fn a_head_on_impact_ends_as_known() {
    collide(&HEAD_ON, 0.01, Some(dvec2(-0.490, 0.0)));
}

#[test]
fn longer_steps_and_other_penalties_conserve_as_well() {
    for time_step in [0.02, 0.05] {
        collide(&OBLIQUE, time_step, None);
    }
    for kappa in [1e3, 1e5] {
        collide(&Pair { kappa, ..OBLIQUE }, 0.01, None);
    }
}

#[test]
fn a_finer_mesh_comes_nearer_to_rigid_disks() {
    collide(&Pair { core: 16, layers: 6, ..OBLIQUE }, 0.01, Some(dvec2(-0.360, -0.335)));
}

/// Pressure at other gaps than the conserving one, kept as a warning.
#[test]
fn pressure_at_the_mean_or_end_gap_does_not_conserve() {
    for (rule, least) in [(PressureRule::MeanGap, 1e-4), (PressureRule::EndGap, 1e-2)] {
        let pair = Pair { core: 4, layers: 2, ..OBLIQUE };
        let mut run = two_disks(&pair, SolidSettings { pressure: rule, ..settings(0.02, 1e-10) });
        let start = run.budget().stored();
        for _ in 0..30 {
            run.step().unwrap();
        }
        let error = (run.budget().stored() / start - 1.0).abs();
        assert!(error > least, "{rule:?}: {error}");
    }
}

#[test]
fn a_wall_throws_a_disk_back() {
    let disk = body(&disk(4, 2), 0.1, dvec2(1.1, 0.0), dvec2(-0.5, 0.1));
    let wall = StraightWall { name: "wall".into(), point: DVec2::ZERO, normal: DVec2::X, surface: smooth() };
    let setup = SolidSetup::new(vec![disk], vec![wall], DVec2::ZERO, settings(0.02, 1e-10));
    let mut run = SolidRun::new(setup);
    let drift = watch(&mut run, 60);
    assert!(drift.energy <= 1e-10 && drift.momentum <= 1e-10 && drift.angular <= 1e-10, "{drift:?}");
    assert!(run.state.total.gap_drift <= 1e-14);
    let velocity = run.motion(0).velocity;
    assert!((velocity.x - 0.461).abs() <= 0.01 && (velocity.y - 0.1).abs() <= 1e-10, "{velocity}");
}

#[test]
fn steps_of_changing_length_conserve() {
    let shape = lumped(SolidMesh::disk(1.0, 8, 3));
    let a = body(&shape, 0.0, dvec2(-1.025, 0.0), dvec2(0.5, 0.0));
    let b = body(&shape, 0.0, dvec2(1.025, 0.7), dvec2(-0.5, 0.0));
    let mut run = free_run(vec![a, b], settings(0.02, 1e-10));
    let mut watch = Watch::new(&run);
    for time_step in [0.005, 0.02, 0.01].into_iter().cycle().take(54) {
        assert!(run.step_by(time_step).unwrap());
        watch.look(&run);
    }
    let drift = watch.drift;
    assert!(run.state.total.penetration > 1e-3);
    assert!(drift.energy <= 1e-9 && drift.momentum <= 1e-10 && drift.angular <= 1e-10, "{drift:?}");
}
