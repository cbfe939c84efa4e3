//! What contacts remember from step to step.

use crate::broad_phase::PointNearBody;
use serde::{Deserialize, Serialize};

/// What a point and a body remember while they touch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairMemory {
    /// Dynamic gap, ≤ 0 [m].
    pub gap: f64,
    /// Elastic slip along the segment [m].
    pub slip: f64,
    /// Segment faced; 0 at a wall.
    pub segment: u32,
    /// Normal stiffness [N/m]: that of the first touch, so that energy stays with the pair when surfaces change.
    pub stiffness: f64,
    /// Tangential stiffness of the first touch [N/m].
    pub tangential: f64,
    /// Normal force of the last step [N].
    pub pressure: f64,
    /// Tangential force against the slip of the last step [N].
    pub grip: f64,
}

/// All touching pairs, sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairTable {
    /// Pairs in ascending order, with their memory.
    pub rows: Vec<(PointNearBody, PairMemory)>,
}

impl PairTable {
    /// Memory of a pair.
    pub fn get(&self, pair: PointNearBody) -> Option<&PairMemory> {
        self.rows.binary_search_by_key(&pair, |row| row.0).ok().map(|place| &self.rows[place].1)
    }

    /// Energy stored in normal and tangential springs [J].
    pub fn energy(&self) -> (f64, f64) {
        self.rows.iter().fold((0.0, 0.0), |(normal, tangential), (_, memory)| {
            let slip = 0.5 * memory.tangential * memory.slip * memory.slip;
            (normal + super::contact_energy(memory.gap, memory.stiffness), tangential + slip)
        })
    }
}
