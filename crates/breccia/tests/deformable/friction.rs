//! Friction: what it takes is accounted for, momenta stay.

use super::builders::*;
use breccia::deformable::{SolidBody, SolidRun, SolidSetup, StraightWall};
use glam::{DVec2, dvec2};
use std::f64::consts::PI;

fn rough(mut body: SolidBody, friction: f64) -> SolidBody {
    body.surfaces = vec![smooth().with_friction(friction)];
    body
}

fn two_disks(offset: f64, turn: f64, spin: f64) -> SolidRun {
    let shape = disk(8, 3);
    let a = body(&shape, turn, dvec2(-1.025, 0.0), DVec2::ZERO).moving(dvec2(0.5, 0.0), spin);
    let b = body(&shape, 0.0, dvec2(1.025, offset), dvec2(-0.5, 0.0));
    free_run(vec![rough(a, 0.3), rough(b, 0.3)], settings(0.01, 1e-10))
}

fn check(mut run: SolidRun, lost: f64, margin: f64, velocity: DVec2) {
    let start = run.budget().stored();
    let drift = watch(&mut run, 60);
    assert!(drift.energy <= 1e-9 && drift.momentum <= 1e-10 && drift.angular <= 1e-10, "{drift:?}");
    assert!(run.state.total.least_dissipation >= -1e-15);
    let share = run.state.ledger.friction / start;
    assert!((share - lost).abs() <= margin, "{share}");
    let measured = run.motion(0).velocity;
    assert!((measured - velocity).abs().max_element() <= 0.01, "{measured}");
}

#[test]
fn an_oblique_impact_with_friction_ends_as_known() {
    check(two_disks(0.7, 0.0, 0.0), 0.028, 0.005, dvec2(-0.383, -0.256));
}

#[test]
fn a_spinning_disk_is_turned_aside() {
    check(two_disks(0.0, PI / 32.0, 1.0), 0.110, 0.01, dvec2(-0.477, -0.245));
}

#[test]
fn a_rough_wall_makes_a_disk_roll() {
    let disk = rough(body(&disk(4, 2), 0.1, dvec2(1.1, 0.0), dvec2(-0.5, 0.3)), 0.3);
    let surface = smooth().with_friction(0.3);
    let wall = StraightWall { name: "wall".into(), point: DVec2::ZERO, normal: DVec2::X, surface };
    let setup = SolidSetup::new(vec![disk], vec![wall], DVec2::ZERO, settings(0.02, 1e-10));
    let mut run = SolidRun::new(setup);
    let drift = watch(&mut run, 60);
    assert!(drift.energy <= 1e-10 && drift.momentum <= 1e-10, "{drift:?}");
    let velocity = run.motion(0).velocity;
    assert!((velocity.y - 0.212).abs() <= 0.01, "{velocity}");
}

/// One body, two surfaces: the side that touches decides.
#[test]
fn the_surface_that_touches_decides_on_friction() {
    let lost = |turn: f64| {
        let shape = disk(8, 3);
        let mut a = body(&shape, turn, dvec2(-1.025, 0.0), DVec2::ZERO).moving(dvec2(0.5, 0.0), 1.0);
        a.surfaces = vec![smooth(), smooth().with_friction(0.6)];
        // The half of the rim on the right before turning is the rough one.
        a.surface_of_segment = shape
            .outline
            .segments
            .iter()
            .map(|&[from, to]| {
                let middle = shape.mesh.points[from as usize] + shape.mesh.points[to as usize];
                u32::from(middle.x > 0.0)
            })
            .collect();
        let b = body(&shape, 0.0, dvec2(1.025, 0.0), dvec2(-0.5, 0.0));
        let mut run = free_run(vec![a, b], settings(0.01, 1e-10));
        let start = run.budget().stored();
        let drift = watch(&mut run, 60);
        assert!(drift.energy <= 1e-9 && drift.angular <= 1e-10, "{drift:?}");
        run.state.ledger.friction / start
    };
    let (rough, smooth) = (lost(PI / 32.0), lost(PI / 32.0 + PI));
    // The pair's coefficient is the mean of 0.6 and 0: that of the disks above, which lost 11 %.
    assert!((rough - 0.11).abs() < 0.01, "{rough}");
    assert_eq!(smooth, 0.0);
}
