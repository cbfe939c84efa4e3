//! Gravity, tractions, supports and obstacles: work and impulses are booked.

use super::builders::*;
use breccia::deformable::{PlaneMotion, SolidBody, SolidMesh, SolidRun, SolidSetup, StraightWall, Support};
use glam::{DVec2, dvec2};
use std::f64::consts::TAU;

#[test]
fn a_falling_disk_bounces_and_keeps_its_energy() {
    let disk = body(&disk(4, 2), 0.3, dvec2(0.0, 1.2), DVec2::ZERO);
    let floor =
        StraightWall { name: "floor".into(), point: DVec2::ZERO, normal: DVec2::Y, surface: smooth() };
    let setup = SolidSetup::new(vec![disk], vec![floor], dvec2(0.0, -1.0), settings(0.02, 1e-10));
    let mut run = SolidRun::new(setup);
    for _ in 0..20 {
        run.step().unwrap();
    }
    let expected = 1.2 - 0.5 * 0.4 * 0.4;
    assert!((run.motion(0).centre.y - expected).abs() < 1e-10);
    let mut run = SolidRun::new(run.setup);
    let drift = watch(&mut run, 120);
    assert!(run.state.total.penetration > 0.0);
    assert!(drift.energy <= 1e-9 && drift.momentum <= 1e-9 && drift.angular <= 1e-9, "{drift:?}");
}

/// A bar held on the left and pulled on the right swings about its static elongation.
#[test]
fn a_pulled_bar_stretches_as_in_plane_strain() {
    let length = 4.0;
    let shape = shape(SolidMesh::rectangle(dvec2(length, 1.0), [16, 4]));
    let mut bar = body(&shape, 0.0, DVec2::ZERO, DVec2::ZERO);
    let at = |x: f64| {
        let points = shape.mesh.points.iter().enumerate();
        points.filter(|(_, p)| (p.x - x).abs() < 1e-9).map(|(k, _)| k as u32).collect::<Vec<_>>()
    };
    bar.supports.push(Support { nodes: at(-2.0), axes: [true, false], motion: PlaneMotion::default() });
    bar.surfaces.push(smooth());
    let right = |&[a, b]: &[u32; 2]| [a, b].iter().all(|&k| shape.mesh.points[k as usize].x > 1.99);
    bar.surface_of_segment = shape.outline.segments.iter().map(|ends| u32::from(right(ends))).collect();
    let traction = 1.0;
    bar.add_traction(1, dvec2(traction, 0.0));
    let total: DVec2 = bar.loads.iter().map(|load| load.1).sum();
    assert!((total - dvec2(1.0, 0.0)).length() < 1e-14);
    let mut run = free_run(vec![bar], settings(0.02, 1e-10));
    let tip = at(2.0)[2] as usize;
    let (mut sum, mut largest, steps) = (0.0, 0.0_f64, 1200);
    for _ in 0..steps {
        run.step().unwrap();
        let stretch = run.state.positions[tip].x - 2.0;
        sum += stretch;
        largest = largest.max(stretch);
        let balance = run.budget();
        assert!(balance.constant().abs() <= 1e-9 * balance.work.max(1e-3), "{balance:?}");
    }
    // E/(1 − ν²) is the stiffness of a free plane-strain bar.
    let expected = length * traction / (8000.0 / 3.0 / (1.0 - 1.0 / 9.0));
    assert!((sum / f64::from(steps) / expected - 1.0).abs() < 0.05, "{} {expected}", sum / f64::from(steps));
    assert!(largest > 1.7 * expected && largest < 2.3 * expected);
}

/// A disc that moves as prescribed hits a disk: its work is what the disk gains.
#[test]
fn an_obstacle_does_work() {
    let polygon = (0..24).map(|k| {
        let angle = TAU * f64::from(k) / 24.0;
        dvec2(-1.6, 0.2) + 0.5 * dvec2(libm::cos(angle), libm::sin(angle))
    });
    let motion = PlaneMotion { velocity: dvec2(0.5, 0.0), ..PlaneMotion::default() };
    let pusher = SolidBody::obstacle("pusher", polygon.collect(), motion, smooth());
    let disk = body(&disk(4, 2), 0.1, DVec2::ZERO, DVec2::ZERO);
    let mut run = free_run(vec![pusher, disk], settings(0.02, 1e-10));
    for _ in 0..60 {
        run.step().unwrap();
        let balance = run.budget();
        assert!(balance.constant().abs() <= 1e-10, "{balance:?}");
        let missing = balance.momentum - run.state.ledger.impulse();
        assert!(missing.length() <= 1e-10, "{missing}");
        let turn = balance.angular_momentum - run.state.ledger.angular_impulse;
        assert!(turn.abs() <= 1e-10, "{turn}");
    }
    // A heavy pusher throws a free disk away at nearly twice its speed along the line of centres.
    let velocity = run.motion(1).velocity;
    assert!(velocity.x > 0.8 && velocity.x < 1.0, "{velocity}");
    assert!((run.state.positions[0].x - (-1.1 + 0.6)).abs() < 1e-12);
}

/// A turning obstacle is where its rotation says.
#[test]
fn an_obstacle_turns_about_its_centre() {
    let square = [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)].map(|(x, y)| dvec2(x, y));
    let motion = PlaneMotion { velocity: DVec2::X, spin: TAU, centre: dvec2(1.5, 1.5) };
    let paddle = SolidBody::obstacle("paddle", square.to_vec(), motion, smooth());
    let far = body(&disk(4, 2), 0.0, dvec2(20.0, 0.0), DVec2::ZERO);
    let mut run = free_run(vec![paddle, far], settings(0.125, 1e-9));
    run.step().unwrap();
    run.step().unwrap();
    assert!(run.state.positions[0].distance(dvec2(2.25, 1.0)) < 1e-12, "{}", run.state.positions[0]);
}
