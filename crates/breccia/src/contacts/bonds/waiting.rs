//! Bonds of bodies that have entered and wait for their rows.

use super::{Bond, LiveBond};
use crate::contacts::GONE;
use crate::model::BondKindId;
use crate::state::Bodies;
use serde::{Deserialize, Serialize};

/// Bonds and offsets of bodies that have entered since the last rebuild, by body number.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NewBonds {
    /// Bonds; their rows are body numbers.
    pub bonds: Vec<(BondKindId, Bond)>,
    /// Pairs and the overlap that counts as none [m].
    pub offsets: Vec<([u32; 2], f64)>,
}

/// New bonds with their rows.
pub(in crate::contacts) struct ResolvedBonds {
    pub bonds: Vec<LiveBond>,
    pub offsets: Vec<([u32; 2], f64)>,
}

impl NewBonds {
    /// Takes everything out, with rows in the place of body numbers.
    pub(in crate::contacts) fn resolve(&mut self, bodies: &Bodies) -> ResolvedBonds {
        let taken = std::mem::take(self);
        if taken.bonds.is_empty() && taken.offsets.is_empty() {
            return ResolvedBonds { bonds: Vec::new(), offsets: Vec::new() };
        }
        let mut row_of = vec![GONE; bodies.next_id as usize];
        for (row, &id) in (0_u32..).zip(&bodies.id) {
            row_of[id as usize] = row;
        }
        let row = |id: u32| row_of[id as usize];
        let bonds = taken.bonds.into_iter().map(|(kind, bond)| {
            let (a, b) = (row(bond.a), row(bond.b));
            LiveBond { kind, bond: Bond { a, b, ..bond } }
        });
        let offsets = taken.offsets.into_iter().map(|([a, b], offset)| {
            let (a, b) = (row(a), row(b));
            ([a.min(b), a.max(b)], offset)
        });
        let is_there = |rows: [u32; 2]| rows[0] != GONE && rows[1] != GONE;
        ResolvedBonds {
            bonds: bonds.filter(|live| is_there([live.bond.a, live.bond.b])).collect(),
            offsets: offsets.filter(|(rows, _)| is_there(*rows)).collect(),
        }
    }
}
