//! Bonds collected from the chunks and handed out anew when rows are re-ordered.

use super::Bond;
use crate::contacts::{Chunk, GONE};
use crate::model::BondKindId;

/// A bond and its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiveBond {
    /// Kind.
    pub kind: BondKindId,
    /// The bond.
    pub bond: Bond,
}

/// Bonds of all chunks with their new rows, by number; those of removed bodies are left out.
pub fn live_bonds(chunks: &[Chunk], new_row: impl Fn(u32) -> u32) -> Vec<LiveBond> {
    let mut live = Vec::new();
    for chunk in chunks {
        for group in &chunk.bonds {
            for bond in group.bonds() {
                let (a, b) = (new_row(bond.a), new_row(bond.b));
                if a != GONE && b != GONE {
                    live.push(LiveBond { kind: group.kind, bond: Bond { a, b, ..bond } });
                }
            }
        }
    }
    live.sort_unstable_by_key(|live| live.bond.id);
    live
}

/// Which rows are bonded with which, for leaving such pairs out of the contacts.
#[derive(Clone, Debug, Default)]
pub struct BondedRows {
    /// Partners of row r are `start[r]..start[r + 1]`; empty without bonds.
    start: Vec<u32>,
    partners: Vec<u32>,
}

impl BondedRows {
    /// The partners of all rows.
    pub fn new(live: &[LiveBond], rows: usize) -> Self {
        if live.is_empty() {
            return Self::default();
        }
        let mut start = vec![0_u32; rows + 1];
        let ends = || live.iter().flat_map(|live| [(live.bond.a, live.bond.b), (live.bond.b, live.bond.a)]);
        ends().for_each(|(row, _)| start[row as usize + 1] += 1);
        for row in 0..rows {
            start[row + 1] += start[row];
        }
        let mut next = start.clone();
        let mut partners = vec![0; start[rows] as usize];
        for (row, partner) in ends() {
            partners[next[row as usize] as usize] = partner;
            next[row as usize] += 1;
        }
        Self { start, partners }
    }

    /// Whether two rows are bonded.
    #[inline]
    pub fn are_bonded(&self, a: u32, b: u32) -> bool {
        let row = a as usize;
        row + 1 < self.start.len()
            && self.partners[self.start[row] as usize..self.start[row + 1] as usize].contains(&b)
    }
}
