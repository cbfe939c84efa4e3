use super::super::body::OwnFactor;
use super::super::reference::ReferenceFactors;
use super::*;
use crate::deformable::{
    ElasticMaterial, ElasticShape, MassKind, PlaneMotion, SolidBody, SolidMesh, SolidSettings, StressRule,
    Support, SurfaceProperties,
};
use glam::dvec2;
use std::sync::Arc;

const TIME_STEP: f64 = 0.02;

/// Two squares side by side, the second turned; one corner of the first is held along x.
fn setup() -> SolidSetup {
    let material = ElasticMaterial { lame_lambda: 2000.0, shear_modulus: 1000.0, density: 1.0 };
    let mesh = SolidMesh::rectangle(DVec2::ONE, [3, 2]);
    let shape = Arc::new(ElasticShape::new(mesh, material, 1.0, MassKind::Consistent).unwrap());
    let body = |turn: f64, x: f64| {
        SolidBody::new("b", Arc::clone(&shape), (turn, dvec2(x, 0.0)), SurfaceProperties::smooth(1e4))
    };
    let mut first = body(0.0, 0.0);
    first.supports.push(Support { nodes: vec![0], axes: [true, false], motion: PlaneMotion::default() });
    SolidSetup::new(vec![first, body(0.8, 1.3)], Vec::new(), DVec2::ZERO, SolidSettings::new(TIME_STEP))
}

fn matrix_values(setup: &SolidSetup, body: usize) -> Vec<f64> {
    let body = &setup.bodies[body];
    body.shape().unwrap().step_matrix(&body.positions, &body.positions, StressRule::MeanStrain, TIME_STEP)
}

fn own_factor(setup: &SolidSetup, body: usize) -> Option<BodyFactor> {
    let held = &setup.held[setup.nodes(body)];
    OwnFactor::new(&setup.bodies[body], held, matrix_values(setup, body))
        .map(|own| BodyFactor::Own(Box::new(own)))
}

/// The matrix of both bodies and the contacts, prescribed unknowns standing alone.
fn dense(setup: &SolidSetup, blocks: &[ContactBlock]) -> Vec<Vec<f64>> {
    let size = 2 * setup.node_count();
    let mut matrix = vec![vec![0.0; size]; size];
    for body in 0..2 {
        let pattern = &setup.bodies[body].shape().unwrap().pattern;
        let (values, rows, starts) = (matrix_values(setup, body), pattern.rows(), pattern.column_starts());
        let first = 2 * setup.first_node[body];
        for column in 0..2 * pattern.nodes() {
            for entry in starts[column] as usize..starts[column + 1] as usize {
                matrix[first + rows[entry] as usize][first + column] = values[entry];
            }
        }
    }
    for block in blocks {
        for a in 0..2 * block.count {
            for b in 0..2 * block.count {
                let place = |k: usize| 2 * block.nodes[k / 2] as usize + k % 2;
                matrix[place(a)][place(b)] += block.stiffness[a][b];
            }
        }
    }
    for unknown in (0..size).filter(|unknown| setup.held[unknown / 2][unknown % 2]) {
        matrix.iter_mut().for_each(|row| row[unknown] = 0.0);
        matrix[unknown] = (0..size).map(|k| f64::from(u8::from(k == unknown))).collect();
    }
    matrix
}

/// Gauss with pivoting.
fn eliminate(mut matrix: Vec<Vec<f64>>, mut right_side: Vec<f64>) -> Vec<f64> {
    let size = right_side.len();
    for k in 0..size {
        let pivot = (k..size).max_by(|&a, &b| matrix[a][k].abs().total_cmp(&matrix[b][k].abs())).unwrap();
        matrix.swap(k, pivot);
        right_side.swap(k, pivot);
        for row in k + 1..size {
            let factor = matrix[row][k] / matrix[k][k];
            let (above, below) = matrix.split_at_mut(row);
            below[0].iter_mut().zip(&above[k]).for_each(|(entry, other)| *entry -= factor * other);
            right_side[row] -= factor * right_side[k];
        }
    }
    for k in (0..size).rev() {
        for later in k + 1..size {
            right_side[k] -= matrix[k][later] * right_side[later];
        }
        right_side[k] /= matrix[k][k];
    }
    right_side
}

/// Two contacts between the bodies and one with a wall, unsymmetric as with friction.
fn blocks() -> Vec<ContactBlock> {
    let stiffness = |seed: f64| -> ContactStiffness {
        std::array::from_fn(|a| {
            std::array::from_fn(|b| {
                let wave = libm::sin(seed + 1.7 * a as f64 + 0.9 * b as f64);
                if a == b { 5e3 } else { 800.0 * wave }
            })
        })
    };
    // Nodes 0 to 11 are of the first body, 12 to 23 of the second; all named are on outlines.
    vec![
        ContactBlock { nodes: [3, 12, 13], count: 3, stiffness: stiffness(0.3) },
        ContactBlock { nodes: [16, 3, 7], count: 3, stiffness: stiffness(1.1) },
        ContactBlock { nodes: [0, 0, 0], count: 1, stiffness: stiffness(2.0) },
    ]
}

fn forces(setup: &SolidSetup) -> Vec<Vec<DVec2>> {
    let force = |node: usize| {
        let vector = dvec2(libm::cos(node as f64), libm::sin(3.0 * node as f64));
        if setup.held[node][0] { dvec2(0.0, vector.y) } else { vector }
    };
    (0..2).map(|body| setup.nodes(body).map(force).collect()).collect()
}

fn difference(solved: &[Vec<DVec2>], expected: &[f64]) -> f64 {
    let size = expected.iter().fold(0.0_f64, |top, part| top.max(part.abs()));
    let flat = solved.concat().into_iter().flat_map(|vector| vector.to_array());
    flat.zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}

#[test]
fn bodies_and_contacts_give_the_solution_of_the_whole_system() {
    let setup = setup();
    let right_side: Vec<f64> = forces(&setup).concat().iter().flat_map(|v| v.to_array()).collect();
    let expected = eliminate(dense(&setup, &blocks()), right_side);
    let mut factors = [own_factor(&setup, 0), own_factor(&setup, 1)];
    let (solved, products) = solve(&setup, &mut factors, blocks(), forces(&setup));
    assert!(products > 0);
    assert!(difference(&solved, &expected) < 1e-7, "{}", difference(&solved, &expected));
    assert_eq!(solved[0][0].x, 0.0);
}

#[test]
fn the_turned_factor_of_a_body_at_rest_is_its_own() {
    let setup = setup();
    let reference = ReferenceFactors::default().of_bodies(&setup.bodies, TIME_STEP);
    assert!(reference[0].is_none(), "held nodes do not turn");
    let turn = dvec2(libm::cos(0.8), libm::sin(0.8));
    let turned = BodyFactor::Turned { reference: Arc::clone(reference[1].as_ref().unwrap()), turn };
    let right_side: Vec<f64> = forces(&setup).concat().iter().flat_map(|v| v.to_array()).collect();
    let expected = eliminate(dense(&setup, &blocks()), right_side);
    let mut factors = [own_factor(&setup, 0), Some(turned)];
    let (solved, _) = solve(&setup, &mut factors, blocks(), forces(&setup));
    assert!(difference(&solved, &expected) < 1e-7, "{}", difference(&solved, &expected));
}

#[test]
fn without_contacts_bodies_are_solved_alone() {
    let setup = setup();
    let mut factors = [own_factor(&setup, 0), None];
    let (solved, products) = solve(&setup, &mut factors, Vec::new(), forces(&setup));
    assert_eq!(products, 0);
    assert!(solved[1].iter().all(|shift| *shift == DVec2::ZERO) && solved[0][5] != DVec2::ZERO);
}
