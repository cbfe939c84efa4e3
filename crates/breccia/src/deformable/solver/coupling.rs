//! Bodies coupled through contacts.
//!
//! With A the matrices of the bodies, C the stiffness of the contacts on the nodes they touch (E picks these), the
//! correction solves (A + E C Eᵀ) δ = r. With G = Eᵀ A⁻¹ E, known body by body, this is (I + G C) u = Eᵀ A⁻¹ r for the
//! touched nodes alone, and then δ = A⁻¹ (r − E C u).

use super::body::BodyFactor;
use super::gmres::gmres;
use crate::deformable::contact::ContactStiffness;
use crate::deformable::setup::SolidSetup;
use glam::DVec2;
use rayon::prelude::*;

/// Relative accuracy of the coupled system.
const TOLERANCE: f64 = 1e-8;

/// Stiffness of a contact on its nodes, numbers over all bodies.
pub struct ContactBlock {
    /// The particle's node, and the segment's ends if there is one.
    pub nodes: [u32; 3],
    /// How many of them count: 1 at a wall, else 3.
    pub count: usize,
    /// Rows and columns x, y of the nodes [N/m].
    pub stiffness: ContactStiffness,
}

/// Touched nodes of one body.
struct Touched {
    /// Place of its first touched node among all.
    first: usize,
    /// Touched nodes, numbers within the body.
    nodes: Vec<u32>,
    compliances: Vec<f64>,
}

/// Corrections of all nodes [m] under forces `right_side` [N] per body; bodies without factor stay. With the products
/// that the coupling took.
pub fn solve(
    setup: &SolidSetup,
    factors: &mut [Option<BodyFactor>],
    mut blocks: Vec<ContactBlock>,
    mut right_side: Vec<Vec<DVec2>>,
) -> (Vec<Vec<DVec2>>, u32) {
    blocks.iter_mut().for_each(|block| hold(setup, block));
    let coupled = coupled_nodes(setup, &blocks);
    if coupled.is_empty() {
        apply_inverse(factors, &mut right_side);
        return (right_side, 0);
    }
    let touched = touched_bodies(setup, factors, &coupled);
    let mut start = right_side.clone();
    apply_inverse(factors, &mut start);
    let gather = |node: &u32| {
        let body = setup.body_of(*node as usize);
        start[body][*node as usize - setup.first_node[body]].to_array()
    };
    let free: Vec<f64> = coupled.iter().flat_map(gather).collect();
    let places = block_places(&blocks, &coupled);
    let (moves, products) = gmres(&free, TOLERANCE, |moves| {
        let mut product = compliance_product(&touched, &contact_forces(&blocks, &places, moves));
        product.iter_mut().zip(moves).for_each(|(part, own)| *part += own);
        product
    });
    let forces = contact_forces(&blocks, &places, &moves);
    for (k, &node) in coupled.iter().enumerate() {
        let body = setup.body_of(node as usize);
        right_side[body][node as usize - setup.first_node[body]] -=
            DVec2::new(forces[2 * k], forces[2 * k + 1]);
    }
    apply_inverse(factors, &mut right_side);
    (right_side, products)
}

/// Contacts do not act on prescribed motions.
fn hold(setup: &SolidSetup, block: &mut ContactBlock) {
    for place in 0..2 * block.count {
        if setup.held[block.nodes[place / 2] as usize][place % 2] {
            block.stiffness[place] = [0.0; 6];
            block.stiffness.iter_mut().for_each(|row| row[place] = 0.0);
        }
    }
}

/// All free nodes of contacts, sorted.
fn coupled_nodes(setup: &SolidSetup, blocks: &[ContactBlock]) -> Vec<u32> {
    let free = |node: &u32| setup.held[*node as usize] != [true; 2];
    let mut nodes: Vec<u32> =
        blocks.iter().flat_map(|block| block.nodes[..block.count].iter().copied()).filter(free).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

fn touched_bodies(setup: &SolidSetup, factors: &mut [Option<BodyFactor>], coupled: &[u32]) -> Vec<Touched> {
    let prepare = |(body, factor): (usize, &mut Option<BodyFactor>)| {
        let range = setup.nodes(body);
        let first = coupled.partition_point(|&node| (node as usize) < range.start);
        let end = coupled.partition_point(|&node| (node as usize) < range.end);
        let factor = factor.as_mut().filter(|_| first < end)?;
        let nodes: Vec<u32> = coupled[first..end].iter().map(|&node| node - range.start as u32).collect();
        let outline: Vec<u32> = setup.bodies[body].outline().nodes().collect();
        let mut rank = vec![0; range.len()];
        outline.iter().zip(0..).for_each(|(&node, place)| rank[node as usize] = place);
        factor.prepare(&nodes, &outline);
        let compliances = factor.compliances(&nodes, &rank);
        Some(Touched { first, nodes, compliances })
    };
    factors.par_iter_mut().enumerate().filter_map(prepare).collect()
}

fn apply_inverse(factors: &[Option<BodyFactor>], fields: &mut [Vec<DVec2>]) {
    fields.par_iter_mut().zip(factors).for_each(|(field, factor)| match factor {
        Some(factor) => factor.solve(field),
        None => field.fill(DVec2::ZERO),
    });
}

/// Places of the nodes of blocks among the coupled ones; `usize::MAX` for prescribed ones.
fn block_places(blocks: &[ContactBlock], coupled: &[u32]) -> Vec<[usize; 3]> {
    let place = |node: u32| coupled.binary_search(&node).unwrap_or(usize::MAX);
    blocks.iter().map(|block| block.nodes.map(place)).collect()
}

/// C·u: forces of contacts against moves of the coupled nodes.
fn contact_forces(blocks: &[ContactBlock], places: &[[usize; 3]], moves: &[f64]) -> Vec<f64> {
    let mut forces = vec![0.0; moves.len()];
    for (block, places) in blocks.iter().zip(places) {
        let mut own = [0.0; 6];
        for (k, &place) in places.iter().enumerate().take(block.count) {
            if place != usize::MAX {
                own[2 * k] = moves[2 * place];
                own[2 * k + 1] = moves[2 * place + 1];
            }
        }
        for (k, &place) in places.iter().enumerate().take(block.count) {
            if place != usize::MAX {
                for axis in 0..2 {
                    let row = &block.stiffness[2 * k + axis];
                    forces[2 * place + axis] += row.iter().zip(own).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
    }
    forces
}

/// G·f: moves of the coupled nodes under forces.
fn compliance_product(touched: &[Touched], forces: &[f64]) -> Vec<f64> {
    let mut moves = vec![0.0; forces.len()];
    for body in touched {
        let width = 2 * body.nodes.len();
        let range = 2 * body.first..2 * body.first + width;
        let own = &forces[range.clone()];
        for (out, row) in moves[range].iter_mut().zip(body.compliances.chunks_exact(width)) {
            *out = row.iter().zip(own).map(|(a, b)| a * b).sum();
        }
    }
    moves
}
