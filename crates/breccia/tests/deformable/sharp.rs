//! Corners, faces and a notch.

use super::builders::*;
use breccia::deformable::mesh::Cell;
use breccia::deformable::{Refactor, SolidBody, SolidMesh, SolidSettings};
use glam::{DVec2, dvec2};
use std::f64::consts::FRAC_PI_4;

fn square(turn: f64, at: DVec2, velocity: DVec2) -> SolidBody {
    body(&shape(SolidMesh::rectangle(DVec2::splat(1.6), [4, 4])), turn, at, velocity)
}

/// An L of squares of side 0.4, four thick and six long, its notch at the origin, opening to the upper right.
fn letter() -> SolidMesh {
    let mut mesh = SolidMesh::default();
    let mut number = std::collections::BTreeMap::new();
    for row in -4_i32..6 {
        for column in -4_i32..6 {
            if row >= 0 && column >= 0 {
                continue;
            }
            let corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)];
            let nodes = corners.map(|(x, y)| {
                *number.entry((x, y)).or_insert_with(|| {
                    mesh.points.push(0.4 * dvec2(f64::from(x), f64::from(y)));
                    mesh.points.len() as u32 - 1
                })
            });
            mesh.cells.push(Cell::Quad(nodes));
        }
    }
    mesh
}

fn conserves(name: &str, bodies: Vec<SolidBody>) {
    for refactor in [Refactor::EveryIteration, Refactor::WhenSlow] {
        let mut run = free_run(bodies.clone(), SolidSettings { refactor, ..settings(0.02, 1e-10) });
        let drift = watch(&mut run, 60);
        let total = &run.state.total;
        assert!(total.penetration > 1e-4, "{name}: no contact");
        assert!(drift.energy <= 1e-9, "{name}: {drift:?}");
        assert!(drift.momentum <= 1e-11 && drift.angular <= 1e-10, "{name}: {drift:?}");
        assert_eq!(total.cuts, 0, "{name}");
        if refactor == Refactor::EveryIteration {
            assert!(total.most_iterations <= 8, "{name}: {total:?}");
        }
    }
}

const TOWARDS: DVec2 = DVec2::new(0.5, 0.0);

#[test]
fn corner_on_face() {
    let half = 0.8 * 2.0_f64.sqrt();
    let pointed = square(FRAC_PI_4, dvec2(-half - 0.03, 0.1), TOWARDS);
    conserves("corner on face", vec![pointed, square(0.0, dvec2(0.83, 0.0), -TOWARDS)]);
}

#[test]
fn corner_on_corner() {
    let half = 0.8 * 2.0_f64.sqrt();
    for offset in [0.0, 0.1] {
        let left = square(FRAC_PI_4, dvec2(-half - 0.03, 0.0), TOWARDS);
        let right = square(FRAC_PI_4, dvec2(half + 0.03, offset), -TOWARDS);
        conserves("corner on corner", vec![left, right]);
    }
}

#[test]
fn face_on_face() {
    let left = square(0.0, dvec2(-0.83, 0.0), TOWARDS);
    conserves("face on face", vec![left, square(0.0, dvec2(0.83, 0.13), -TOWARDS)]);
}

#[test]
fn a_square_in_a_notch() {
    let notched = body(&shape(letter()), 0.0, DVec2::ZERO, DVec2::ZERO);
    let square = square(0.0, dvec2(0.85, 0.87), dvec2(-0.4, -0.4));
    conserves("notch", vec![notched, square]);
}
