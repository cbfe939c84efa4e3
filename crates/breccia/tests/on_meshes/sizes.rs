//! Spheres from a hundredth to a hundred times the size of an element, and a low step beside interior edges.

use crate::polygons::{Cut, Polygons, lines};
use crate::rig::{Ball, ELASTIC, hertz_force, meshed, stage, with_wall};
use crate::support::Dice;
use breccia::narrow_phase::StageCounts;
use breccia::shapes::mesh::PolygonMesh;
use breccia::simulation::Simulation;
use glam::DVec3;

/// Size of an element [m].
const ELEMENT: f64 = 0.01;

fn resting(position: DVec3, radius: f64) -> Ball {
    Ball { position, velocity: DVec3::ZERO, spin: DVec3::ZERO, radius }
}

/// A floor of square cells in two triangles each, `cells` by `cells`, from the origin.
fn floor(cells: u32) -> PolygonMesh {
    let side = ELEMENT * f64::from(cells);
    let grid = lines(cells, 0.0, 1.0);
    Polygons::surface(&grid, &grid, Cut::Triangles, |u, v| DVec3::new(u * side, v * side, 0.0)).mesh()
}

/// Forces on balls put on a mesh, and the counts of the search, after one step.
fn first_step(mesh: PolygonMesh, balls: &[Ball]) -> (Vec<DVec3>, StageCounts) {
    let scene = stage(&ELASTIC, 1e-7, DVec3::ZERO, balls);
    let mut run = Simulation::new(&with_wall(&scene, meshed(mesh, false)));
    run.step().unwrap_or_else(|error| panic!("{error}"));
    let mut forces = vec![DVec3::ZERO; balls.len()];
    let mut counts = StageCounts::default();
    for chunk in &run.state.lists.chunks {
        counts += chunk.report.surfaces.stages;
        for contact in chunk.surface.searched() {
            forces[run.state.bodies.id[contact.row as usize] as usize] += contact.force;
        }
    }
    (forces, counts)
}

#[test]
fn forces_are_right_at_any_size() {
    let mut dice = Dice::new(21);
    for (ratio, cells) in [(0.01, 40), (0.1, 40), (1.0, 40), (10.0, 60), (100.0, 250)] {
        let radius = ratio * ELEMENT;
        let side = ELEMENT * f64::from(cells);
        let mesh = floor(cells);
        for overlap in [1e-4, 0.01, 0.3] {
            for _ in 0..8 {
                // Over facets, edges and vertices: every third coordinate is that of a line of the mesh.
                let mut place = || {
                    let at = 0.5 * side + dice.between(-0.2, 0.2) * side.min(20.0 * ELEMENT);
                    if dice.unit() < 0.33 { (at / ELEMENT).round() * ELEMENT } else { at }
                };
                let centre = DVec3::new(place(), place(), radius * (1.0 - overlap));
                let (forces, counts) = first_step(mesh.clone(), &[resting(centre, radius)]);
                let expected = hertz_force(radius, overlap * radius) * DVec3::Z;
                let error = (forces[0] - expected).length() / expected.length();
                assert!(error < 1e-9, "radius {ratio}, overlap {overlap}, at {centre}: off by {error}");
                assert_eq!(counts.valid, 1);
            }
        }
    }
}

#[test]
fn a_large_sphere_over_an_edge_of_small_elements() {
    // A roof: two planes that meet in a ridge of many elements; the closest point of a high sphere is on the ridge.
    let (cells, slope) = (100, 0.4);
    let side = ELEMENT * f64::from(cells);
    let grid = lines(cells, 0.0, 1.0);
    let roof = Polygons::surface(&grid, &grid, Cut::Triangles, |u, v| {
        let x = (u - 0.5) * side;
        DVec3::new(x, v * side, -slope * x.abs())
    })
    .mesh();
    for ratio in [0.1, 1.0, 10.0, 100.0] {
        let radius = ratio * ELEMENT;
        for lean in [-0.3, 0.0, 0.2] {
            let (sin, cos) = libm::sincos(lean);
            let arm = DVec3::new(sin, 0.0, cos) * 0.95 * radius;
            let ball = resting(DVec3::new(0.0, 0.503 * side, 0.0) + arm, radius);
            let (forces, _) = first_step(roof.clone(), &[ball]);
            let expected = hertz_force(radius, 0.05 * radius) * arm.normalize();
            let error = (forces[0] - expected).length() / expected.length();
            assert!(error < 1e-9, "radius {ratio}, lean {lean}: off by {error}");
        }
    }
}

#[test]
fn the_search_grows_with_what_is_within_reach() {
    // Per sphere: elements whose box meets that of the sphere, and elements that the sphere really meets.
    let mut last = 0;
    for (ratio, cells) in [(0.01, 250), (0.1, 250), (1.0, 250), (10.0, 250), (100.0, 250)] {
        let radius = ratio * ELEMENT;
        let middle = 0.5 * ELEMENT * f64::from(cells) + 0.3 * ELEMENT;
        let centre = DVec3::new(middle, middle, 0.99 * radius);
        let (_, counts) = first_step(floor(cells), &[resting(centre, radius)]);
        println!("radius {ratio} elements: {counts:?}");
        // Twice (2 (R + skin)/h + 1)² triangles at most; a cap of radius √(2 · 0.01) R meets so many of them.
        let (reach, cap) = (2.0 * 1.8 * ratio + 2.0, 2.0 * 0.142 * ratio + 2.0);
        assert!(counts.candidates as f64 <= 2.0 * reach * reach, "{ratio}: {counts:?}");
        assert!(counts.intersecting as f64 <= 2.0 * cap * cap, "{ratio}: {counts:?}");
        assert!(counts.candidates >= last);
        last = counts.candidates;
    }
    // Twice as many elements elsewhere, or twice as many spheres: the same work for each.
    let place = |k: u32| DVec3::new(0.1 + 0.03 * f64::from(k), 0.203, 0.99 * ELEMENT);
    let balls: Vec<Ball> = (0..40).map(|k| resting(place(k), ELEMENT)).collect();
    let (_, few) = first_step(floor(150), &balls[..20]);
    let (_, many) = first_step(floor(150), &balls);
    let (_, wide) = first_step(floor(300), &balls);
    let per_ball = |counts: &StageCounts, balls: f64| counts.candidates as f64 / balls;
    assert!((per_ball(&many, 40.0) / per_ball(&few, 20.0) - 1.0).abs() < 0.1, "{few:?}, {many:?}");
    assert_eq!(many, wide);
}

#[test]
fn sizes_together_on_one_mesh() {
    let mesh = floor(250);
    let place = |x: f64, radius: f64| resting(DVec3::new(x, 1.2503, 0.99 * radius), radius);
    let balls = [place(0.1, 1e-4), place(0.2, 1e-3), place(0.3, 1e-2), place(0.5, 0.1), place(1.4, 0.8)];
    let (forces, counts) = first_step(mesh.clone(), &balls);
    let alone: u64 = balls.iter().map(|ball| first_step(mesh.clone(), &[*ball]).1.candidates).sum();
    for (ball, force) in balls.iter().zip(&forces) {
        let expected = hertz_force(ball.radius, 0.01 * ball.radius);
        assert!((force.z / expected - 1.0).abs() < 1e-9, "{force} on {ball:?}");
    }
    // The small ones are not searched with the reach of the large ones.
    assert!(counts.candidates <= alone, "{counts:?}, {alone} alone");
}

/// A floor that ends at a riser of height `rise` [m] at x = `edge` [m], the floor cut at the given lines of x.
fn step(edge: f64, rise: f64, cuts: &[f64]) -> PolygonMesh {
    let mut xs = vec![-10.0];
    xs.extend_from_slice(cuts);
    xs.push(edge);
    let ys = lines(8, -10.0, 10.0);
    let mut all = Polygons::surface(&xs, &ys, Cut::Triangles, |x, y| DVec3::new(x, y, 0.0));
    all.append(&Polygons::surface(&[0.0, 1.0], &ys, Cut::Triangles, |z, y| DVec3::new(edge, y, z * rise)));
    all.append(&Polygons::surface(&[edge, 10.0], &ys, Cut::Triangles, |x, y| DVec3::new(x, y, rise)));
    all.welded().mesh()
}

#[test]
fn a_low_step_is_felt_whatever_edges_lie_beside_it() {
    // Centre at 0.9 R, step 0.02 R high at 0.4 R; interior edges of the floor at many distances.
    let radius = 1.0;
    let cuts: [&[f64]; 6] =
        [&[], &[0.1], &[0.2], &[-0.3, 0.05, 0.3], &[0.39], &[-0.2, -0.1, 0.0, 0.1, 0.2, 0.3]];
    let ball = resting(DVec3::new(0.0, 0.3, 0.9), radius);
    let arm = DVec3::new(-0.4, 0.0, 0.88);
    let expected =
        hertz_force(radius, 0.1) * DVec3::Z + hertz_force(radius, 1.0 - arm.length()) * arm.normalize();
    for cut in cuts {
        let (forces, counts) = first_step(step(0.4, 0.02, cut), &[ball]);
        let error = (forces[0] - expected).length() / expected.length();
        assert!(error < 1e-9 && counts.valid == 2, "floor cut at {cut:?}: off by {error}, {counts:?}");
    }
}
