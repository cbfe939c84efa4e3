//! Test 7: corners, faces and a notch.

use super::stage::{Watch, body, free_run, settings, shape};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::deformable::mesh::Cell;
use breccia::deformable::{MassKind, Refactor, SolidBody, SolidMesh, SolidSettings};
use glam::{DVec2, dvec2};
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_4;

fn square(turn: f64, at: DVec2, velocity: DVec2) -> Result<SolidBody, VerifyError> {
    let mesh = SolidMesh::rectangle(DVec2::splat(1.6), [4, 4]);
    Ok(body(&shape(mesh, MassKind::Consistent)?, turn, at, velocity))
}

/// An L of squares of side 0.4, four thick and six long, its notch at the origin.
fn letter() -> SolidMesh {
    let mut mesh = SolidMesh::default();
    let mut number = BTreeMap::new();
    for row in -4_i32..6 {
        for column in (-4_i32..6).filter(|&column| row < 0 || column < 0) {
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

/// All pairs of test 7.
pub fn sharp(report: &mut Report) -> Result<(), VerifyError> {
    let (half, towards) = (0.8 * 2.0_f64.sqrt(), dvec2(0.5, 0.0));
    let pointed = |x: f64, y: f64, way: f64| square(FRAC_PI_4, dvec2(x, y), way * towards);
    let flat = |x: f64, y: f64, way: f64| square(0.0, dvec2(x, y), way * towards);
    let notched = body(&shape(letter(), MassKind::Consistent)?, 0.0, DVec2::ZERO, DVec2::ZERO);
    let (left, right) = (-half - 0.03, half + 0.03);
    let cases = [
        ("corner on face", vec![pointed(left, 0.1, 1.0)?, flat(0.83, 0.0, -1.0)?]),
        ("corner on corner", vec![pointed(left, 0.0, 1.0)?, pointed(right, 0.0, -1.0)?]),
        ("corner on corner, 0.1 beside", vec![pointed(left, 0.0, 1.0)?, pointed(right, 0.1, -1.0)?]),
        ("face on face", vec![flat(-0.83, 0.0, 1.0)?, flat(0.83, 0.13, -1.0)?]),
        ("square in a notch", vec![notched, square(0.0, dvec2(0.85, 0.87), dvec2(-0.4, -0.4))?]),
    ];
    for (name, bodies) in cases {
        let refactor = Refactor::EveryIteration;
        let mut run = free_run(bodies, SolidSettings { refactor, ..settings(0.02, 1e-10) });
        Watch::steps(&mut run, 60)?.report(report, name, [1e-9, 1e-11, 1e-10]);
        let total = &run.state.total;
        report.at_least(format!("{name}: penetration"), "m", 1e-4, total.penetration);
        report.absolute(format!("{name}: cuts"), "", 0.0, total.cuts as f64, 0.0);
        report.at_most(format!("{name}: most iterations"), "", 8.0, f64::from(total.most_iterations));
        report.note(format!("{name}: dynamic gap − real gap up to {:.1e} m", total.gap_drift));
    }
    Ok(())
}
