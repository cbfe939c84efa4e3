//! Bonds of one chunk that share a kind and a periodic image.

use super::{Bond, BondBlock};
use crate::broad_phase::Image;
use crate::contacts::OwnSides;
use crate::math::LANES;
use crate::model::BondKindId;
use serde::{Deserialize, Serialize};

/// Bonds that share parameters, so that the law reads them once for eight lanes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BondGroup {
    /// Kind.
    pub kind: BondKindId,
    /// Image in which side b is seen.
    pub image: Image,
    /// Which sides belong to the chunk.
    pub own: OwnSides,
    /// The bonds; the last block may be partly used.
    pub blocks: Vec<BondBlock>,
    /// Lanes in use.
    pub count: u32,
}

impl BondGroup {
    /// A group without bonds.
    pub fn new(kind: BondKindId, image: Image, own: OwnSides) -> Self {
        Self { kind, image, own, blocks: Vec::new(), count: 0 }
    }

    /// Adds a bond; `dummy` is the first dummy row.
    pub fn push(&mut self, bond: &Bond, dummy: u32) {
        let lane = self.count as usize % LANES;
        if lane == 0 {
            self.blocks.push(BondBlock::unused(dummy));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.set_lane(lane, bond);
            self.count += 1;
        }
    }

    /// The bond at a place.
    pub fn get(&self, place: u32) -> Bond {
        let place = place as usize;
        self.blocks[place / LANES].lane(place % LANES)
    }

    /// Takes a bond out; the last one moves into its place.
    pub fn swap_remove(&mut self, place: u32, dummy: u32) -> Bond {
        let removed = self.get(place);
        let last = self.get(self.count - 1);
        self.blocks[place as usize / LANES].set_lane(place as usize % LANES, &last);
        self.count -= 1;
        let end = self.count as usize;
        self.blocks[end / LANES].clear_lane(end % LANES, dummy);
        self.blocks.truncate(end.div_ceil(LANES));
        removed
    }

    /// The bonds, in order.
    pub fn bonds(&self) -> impl Iterator<Item = Bond> + '_ {
        (0..self.count).map(|place| self.get(place))
    }
}
