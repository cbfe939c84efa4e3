//! Sums over the contacts of each body, in the order of the graph: gathered forces and blocks of S.

use super::block_matrix::Block;
use super::cone::Cone;
use super::graph::{CoupledPair, Graph, Side};
use crate::implicit::problem::{Columns, ContactForce};
use rayon::prelude::*;

/// Bodies one task takes at least.
const TASK: usize = 64;

/// Contacts in the order of the graph.
pub(super) struct Contacts {
    pub graph: Graph,
    /// At the places of `graph.order`.
    pub cones: Vec<Cone>,
}

impl Contacts {
    fn columns(&self, place: u32, side: Side) -> &Columns {
        let cone = &self.cones[place as usize];
        match side {
            Side::Low => &cone.low,
            Side::High => &cone.high,
        }
    }
}

/// Sum per body of H times the contact forces.
pub(super) fn gather(contacts: &Contacts, forces: &[ContactForce], sums: &mut [[f64; 3]]) {
    sums.par_iter_mut().zip(&contacts.graph.of_body).with_min_len(TASK).for_each(|(sum, places)| {
        *sum = [0.0; 3];
        for &(place, side) in places {
            let (columns, force) = (contacts.columns(place, side), forces[place as usize]);
            for (axis, total) in sum.iter_mut().enumerate() {
                *total += columns.normal[axis] * force.normal + columns.tangential[axis] * force.tangential;
            }
        }
    });
}

/// Diagonal blocks, and blocks (row `high`, column `low`) of the coupled pairs, of S for stiffnesses B K⁻¹ Bᵀ.
pub(super) fn fill_blocks(
    contacts: &Contacts,
    resistance: &[[f64; 3]],
    stiffness: &[[f64; 3]],
) -> (Vec<Block>, Vec<Block>) {
    let diagonal = (&contacts.graph.of_body, resistance)
        .into_par_iter()
        .with_min_len(TASK)
        .map(|(places, resistance)| diagonal_block(contacts, places, resistance, stiffness))
        .collect();
    let coupled: Vec<&CoupledPair> = contacts.graph.coupled().collect();
    let coupling = coupled
        .into_par_iter()
        .with_min_len(TASK)
        .map(|pair| coupling_block(contacts, pair, stiffness))
        .collect();
    (diagonal, coupling)
}

fn diagonal_block(
    contacts: &Contacts,
    places: &[(u32, Side)],
    resistance: &[f64; 3],
    stiffness: &[[f64; 3]],
) -> Block {
    let mut block = [[0.0; 3]; 3];
    for &(place, side) in places {
        let columns = contacts.columns(place, side);
        add_product(&mut block, columns, columns, &stiffness[place as usize]);
    }
    for axis in 0..3 {
        block[axis][axis] += resistance[axis];
    }
    block
}

fn coupling_block(contacts: &Contacts, pair: &CoupledPair, stiffness: &[[f64; 3]]) -> Block {
    let mut block = [[0.0; 3]; 3];
    for place in pair.contacts.clone() {
        let cone = &contacts.cones[place];
        add_product(&mut block, &cone.high, &cone.low, &stiffness[place]);
    }
    block
}

/// Adds H_row G H_columnᵀ.
#[inline(always)]
fn add_product(block: &mut Block, row: &Columns, column: &Columns, [nn, nt, tt]: &[f64; 3]) {
    for (axis, line) in block.iter_mut().enumerate() {
        let normal = row.normal[axis] * nn + row.tangential[axis] * nt;
        let tangential = row.normal[axis] * nt + row.tangential[axis] * tt;
        for (other, entry) in line.iter_mut().enumerate() {
            *entry += normal * column.normal[other] + tangential * column.tangential[other];
        }
    }
}
