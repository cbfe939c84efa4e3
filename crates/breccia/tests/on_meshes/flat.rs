//! Flat surfaces: whatever they are cut into, balls do on them what they do on the plane or box they stand for.

use crate::polygons::{Cut, Polygons, lines, sliver_lines};
use crate::rig::{Ball, Law, difference, meshed, plane, stage, trajectory, with_wall};
use breccia::model::Surface;
use breccia::shapes::mesh::PolygonMesh;
use breccia::shapes::{Side, WallShape};
use glam::{DQuat, DVec3};

const RADIUS: f64 = 0.01;
const STEP: f64 = 2e-5;
const GRAVITY: f64 = 9.81;

const ROLLING_C: Law = Law { rolling: "c", restitution: 0.7, friction: 0.4, rolling_friction: 0.03 };
const ROLLING_A: Law = Law { rolling: "a-limited", ..ROLLING_C };

/// An attitude that favours no axis, so that every coordinate is rounded.
fn tilt() -> DQuat {
    DQuat::from_axis_angle(DVec3::new(0.36, -0.48, 0.8), 0.7)
}

/// Ways to cut a surface of cells, given by lines from 0 to 1.
fn cuts(of: impl Fn(&[f64], Cut) -> Polygons) -> Vec<(&'static str, PolygonMesh)> {
    let (coarse, fine) = (lines(2, 0.0, 1.0), lines(40, 0.0, 1.0));
    let triangles = of(&lines(9, 0.0, 1.0), Cut::Triangles);
    vec![
        ("coarse triangles", of(&coarse, Cut::Triangles).mesh()),
        ("fine triangles", of(&fine, Cut::Triangles).mesh()),
        ("coarse quads", of(&coarse, Cut::Quad).mesh()),
        ("fine quads", of(&fine, Cut::Quad).mesh()),
        ("pentagons", of(&lines(13, 0.0, 1.0), Cut::Pentagons).mesh()),
        ("slivers 1:1000", of(&sliver_lines(7, 0.0, 1.0), Cut::Triangles).mesh()),
        ("split in four", triangles.split_in_four().mesh()),
        ("quads split in four", of(&lines(9, 0.0, 1.0), Cut::Quad).split_in_four().mesh()),
        ("shuffled", triangles.shuffled(5).mesh()),
        ("STL after the doctor", triangles.shuffled(6).through_stl()),
    ]
}

/// One ball bounces and spins, one slides until it rolls, one rolls to rest; seen from the tilted floor.
fn balls(turn: DQuat) -> Vec<Ball> {
    let ball = |position: [f64; 3], velocity: [f64; 3], spin: [f64; 3]| Ball {
        position: turn * DVec3::from_array(position),
        velocity: turn * DVec3::from_array(velocity),
        spin: turn * DVec3::from_array(spin),
        radius: RADIUS,
    };
    vec![
        ball([-0.11, -0.1, 0.025], [0.4, 0.2, -0.3], [20.0, -30.0, 10.0]),
        ball([-0.1, 0.03, RADIUS], [0.8, 0.13, 0.0], [0.0; 3]),
        ball([0.05, 0.1, RADIUS], [0.1, -0.25, 0.0], [25.0, 10.0, 0.0]),
    ]
}

#[test]
fn a_plane_is_a_plane_however_it_is_cut() {
    let turn = tilt();
    let side = 0.6;
    let floor = |grid: &[f64], cut: Cut| {
        let map = |u: f64, v: f64| side * DVec3::new(u - 0.5, v - 0.5, 0.0);
        Polygons::surface(grid, grid, cut, map).placed(turn, DVec3::ZERO)
    };
    let mut meshes = cuts(floor);
    let comb = Polygons::honeycomb(0.013, 0.5 * side);
    meshes.push(("hexagons", comb.placed(turn, DVec3::ZERO).mesh()));
    meshes.push(("hexagons split", comb.split_in_four().placed(turn, DVec3::ZERO).mesh()));
    for law in [ROLLING_C, ROLLING_A] {
        let scene = stage(&law, STEP, turn * DVec3::new(0.0, 0.0, -GRAVITY), &balls(turn));
        let follow = |surface: Surface| trajectory(&with_wall(&scene, surface), 15_000, 500);
        let exact = follow(plane(DVec3::ZERO, turn * DVec3::Z));
        let last = exact.last().expect("motions");
        assert!(last[1][0].distance(exact[0][1][0]) > 10.0 * RADIUS, "the sliding ball goes far");
        for (name, mesh) in &meshes {
            for blend in [false, true] {
                let [place, speed] = difference(&exact, &follow(meshed(mesh.clone(), blend)));
                println!(
                    "plane, {}, {name}, blend {blend}: {:.1e} R, {speed:.1e} m/s",
                    law.rolling,
                    place / RADIUS
                );
                let limit = if mesh.source_precision > 1e-10 { 1e-4 } else { 1e-9 };
                assert!(place < limit * RADIUS && speed < limit, "{name}: {place} m, {speed} m/s");
            }
        }
    }
}

#[test]
fn a_box_is_a_box_however_it_is_cut() {
    let size = DVec3::new(0.07, 0.08, 0.06);
    let exact = Surface::Analytic(WallShape::Box {
        min: DVec3::ZERO,
        max: size,
        side: Side::Inside,
        open: [false; 6],
    });
    let ball = |position: [f64; 3], velocity: [f64; 3]| Ball {
        position: DVec3::from_array(position),
        velocity: DVec3::from_array(velocity),
        spin: DVec3::new(15.0, -8.0, 21.0),
        radius: RADIUS,
    };
    // Into an edge, into a corner, and across the floor along a wall.
    let all = [
        ball([0.02, 0.03, 0.03], [-0.7, 0.1, -0.73]),
        ball([0.05, 0.055, 0.04], [0.6, 0.63, 0.61]),
        ball([0.035, 0.0101, RADIUS], [0.9, -0.02, 0.0]),
    ];
    for law in [ROLLING_C, ROLLING_A] {
        for ball in all {
            let scene = stage(&law, STEP, DVec3::new(0.0, 0.0, -GRAVITY), &[ball]);
            let follow = |surface: Surface| trajectory(&with_wall(&scene, surface), 10_000, 500);
            let exact = follow(exact.clone());
            for (name, mesh) in cuts(|grid, cut| Polygons::room(size, grid, cut)) {
                assert!(mesh.is_closed(), "{name}");
                let [place, speed] = difference(&exact, &follow(meshed(mesh.clone(), false)));
                println!("box, {}, {name}: {:.1e} R, {speed:.1e} m/s", law.rolling, place / RADIUS);
                let limit = if mesh.source_precision > 1e-10 { 1e-3 } else { 1e-9 };
                assert!(place < limit * RADIUS && speed < limit, "{name}: {place} m, {speed} m/s");
            }
        }
    }
}

#[test]
fn a_heap_in_a_box_is_the_same_heap() {
    let size = DVec3::new(0.07, 0.08, 0.2);
    let exact = Surface::Analytic(WallShape::Box {
        min: DVec3::ZERO,
        max: size,
        side: Side::Inside,
        open: [false; 6],
    });
    let mut balls = Vec::new();
    let mut dice = crate::support::Dice::new(11);
    for k in 0..45 {
        let cell = DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9));
        balls.push(Ball {
            position: DVec3::splat(0.0115) + cell * 0.0225 + dice.vector(-1e-3, 1e-3),
            velocity: dice.vector(-0.3, 0.3),
            spin: dice.vector(-20.0, 20.0),
            radius: RADIUS,
        });
    }
    let law = Law { rolling_friction: 0.1, restitution: 0.4, ..ROLLING_C };
    let scene = stage(&law, 4.0 * STEP, DVec3::new(0.0, 0.0, -GRAVITY), &balls);
    let follow = |surface: Surface, steps| trajectory(&with_wall(&scene, surface), steps, 100);
    let whole = follow(exact, 4000);
    for (name, mesh) in cuts(|grid, cut| Polygons::room(size, grid, cut)) {
        let heap = follow(meshed(mesh.clone(), false), 4000);
        // Collisions multiply differences until the heap rests: they begin in the last digit.
        let [early, late] = [10, whole.len()].map(|count| difference(&whole[..count], &heap[..count])[0]);
        println!("heap, {name}: {:.1e} R after 0.08 s, {:.1e} R after 0.32 s", early / RADIUS, late / RADIUS);
        let [soon, later] = if mesh.source_precision > 1e-10 { [1e-3, 0.1] } else { [1e-9, 1e-6] };
        assert!(early < soon * RADIUS && late < later * RADIUS, "{name}: {early} m, {late} m");
    }
}
