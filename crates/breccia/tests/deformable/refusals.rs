//! Runs that must stop say why.

use super::builders::*;
use breccia::deformable::mesh::Cell;
use breccia::deformable::{SolidError, SolidMesh, SolidSettings};
use glam::{DVec2, dvec2};

/// A hairpin: two long arms, side by side, joined at the left.
fn hairpin() -> SolidMesh {
    let mut mesh = SolidMesh::default();
    let mut number = std::collections::BTreeMap::new();
    for column in 0..12_u32 {
        for row in 0..3_u32 {
            if row == 1 && column > 0 {
                continue;
            }
            let corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)];
            let nodes = corners.map(|(x, y)| {
                *number.entry((x, y)).or_insert_with(|| {
                    mesh.points.push(dvec2(0.3 * f64::from(x), 0.1 * f64::from(y)));
                    mesh.points.len() as u32 - 1
                })
            });
            mesh.cells.push(Cell::Quad(nodes));
        }
    }
    mesh
}

#[test]
fn a_body_that_meets_itself_is_refused_by_name() {
    let mut pin = body(&shape(hairpin()), 0.0, DVec2::ZERO, DVec2::ZERO);
    pin.name = "hairpin".into();
    for (velocity, x) in pin.velocities.iter_mut().zip(&pin.positions) {
        *velocity = dvec2(0.0, -0.3 * x.x * (x.y - 0.15).signum());
    }
    let mut run = free_run(vec![pin], settings(0.01, 1e-9));
    let error = (0..200).find_map(|_| run.step().err()).expect("the arms meet");
    let SolidError::SelfContact { body, nodes, .. } = &error else { panic!("{error}") };
    assert_eq!(body, "hairpin");
    assert!(nodes[0] != nodes[2]);
    let text = error.to_string();
    assert!(text.contains("hairpin") && text.contains("help:"), "{text}");
}

#[test]
fn a_step_that_cannot_converge_is_refused_with_a_remedy() {
    // The first guess of a turning body is never good enough.
    let settings = SolidSettings { iterations: 0, ..settings(0.05, 1e-12) };
    let mut spinning = body(&disk(4, 2), 0.0, DVec2::ZERO, DVec2::ZERO).moving(DVec2::ZERO, 400.0);
    spinning.name = "top".into();
    let mut run = free_run(vec![spinning], settings);
    let before = run.state.positions.clone();
    let error = run.step().unwrap_err();
    assert!(matches!(error, SolidError::NotConverged { .. }));
    let text = error.to_string();
    assert!(text.contains("`top`") && text.contains("help:"), "{text}");
    assert_eq!(run.state.total.cuts, 10);
    assert_eq!(run.state.positions, before);
}
