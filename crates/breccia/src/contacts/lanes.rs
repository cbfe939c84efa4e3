//! Contacts that share a pair of materials, eight side by side.

use super::{ContactBlock, Memory, RollingBlock};
use crate::math::{LANES, Lanes, Real};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Contacts in blocks, with what they remember.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ContactLanes {
    /// Evaluated every step; the last block may be partly used.
    pub blocks: Vec<ContactBlock>,
    /// Rolling memories, parallel to `blocks`; empty unless the rolling law remembers.
    pub rolling: Vec<RollingBlock>,
    /// Overlaps that count as none [m], parallel to `blocks`; empty unless these are contacts with such overlaps.
    pub offsets: Vec<Lanes>,
    /// Whether these are contacts with such overlaps.
    pub has_offsets: bool,
    /// Lanes in use.
    pub active: u32,
}

/// One contact taken out of its lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneView {
    /// Row of side a.
    pub a: u32,
    /// Row of side b.
    pub b: u32,
    /// What it remembers.
    pub memory: Memory,
    /// Stiffness scale.
    pub scale: f64,
}

impl ContactLanes {
    /// Adds a contact to the active ones; `dummy` is the first dummy row.
    pub fn activate(
        &mut self,
        [a, b]: [u32; 2],
        scales: (f64, f64),
        memory: Option<&Memory>,
        remembers_rolling: bool,
        dummy: u32,
    ) {
        let lane = self.active as usize % LANES;
        if lane == 0 {
            self.blocks.push(ContactBlock::unused(dummy));
            if remembers_rolling {
                self.rolling.push(RollingBlock::zero());
            }
            if self.has_offsets {
                self.offsets.push(Lanes::splat(0.0));
            }
        }
        self.active += 1;
        let last = self.blocks.len() - 1;
        let block = &mut self.blocks[last];
        block.a[lane] = a;
        block.b[lane] = b;
        block.scale.0[lane] = scales.0;
        block.damping_scale.0[lane] = scales.1;
        if let Some(memory) = memory {
            block.tangential.set_lane(lane, memory.tangential);
            block.depth.0[lane] = memory.depth;
            block.normal_dashpot.0[lane] = memory.normal_dashpot as f32;
            block.tangential_dashpot.set_lane(lane, memory.tangential_dashpot);
            if let Some(offsets) = self.offsets.get_mut(last) {
                offsets.0[lane] = memory.offset;
            }
            if let Some(rolling) = self.rolling.get_mut(last) {
                rolling.torque.set_lane(lane, memory.rolling);
                rolling.dashpot.set_lane(lane, memory.rolling_dashpot);
            }
        }
    }

    /// Places of contacts that touch, or began with an overlap that counts as none.
    pub fn touching(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.active as usize).filter(|&k| {
            let offset = self.offsets.get(k / LANES).map_or(0.0, |offsets| offsets.0[k % LANES]);
            self.blocks[k / LANES].depth.0[k % LANES] > 0.0 || offset != 0.0
        })
    }

    /// The contacts in use, in order.
    pub fn lanes(&self) -> impl Iterator<Item = LaneView> + '_ {
        (0..self.active as usize).map(|k| self.lane(k))
    }

    /// The contact at a place.
    pub fn lane(&self, k: usize) -> LaneView {
        let (block, lane) = (&self.blocks[k / LANES], k % LANES);
        let rolling = self.rolling.get(k / LANES);
        let memory = Memory {
            tangential: block.tangential.lane(lane),
            depth: block.depth.0[lane],
            rolling: rolling.map_or(DVec3::ZERO, |r| r.torque.lane(lane)),
            normal_dashpot: f64::from(block.normal_dashpot.0[lane]),
            tangential_dashpot: block.tangential_dashpot.lane(lane),
            rolling_dashpot: rolling.map_or(DVec3::ZERO, |r| r.dashpot.lane(lane)),
            offset: self.offsets.get(k / LANES).map_or(0.0, |offsets| offsets.0[lane]),
        };
        LaneView { a: block.a[lane], b: block.b[lane], memory, scale: block.scale.0[lane] }
    }

    /// Gives back memory reserved beyond an eighth more than is used: what joins between two rebuilds.
    pub fn trim(&mut self) {
        fn trim<T>(values: &mut Vec<T>) {
            values.shrink_to(values.len() + values.len() / 8);
        }
        trim(&mut self.blocks);
        trim(&mut self.rolling);
        trim(&mut self.offsets);
    }

    /// Room for more contacts: an eighth beyond what is needed, where a list left to itself would double.
    pub(super) fn make_room(&mut self, contacts: usize) {
        fn grow<T>(values: &mut Vec<T>, more: usize) {
            if values.capacity() - values.len() < more {
                values.reserve_exact(more + values.len() / 8);
            }
        }
        let blocks = contacts.div_ceil(LANES);
        grow(&mut self.blocks, blocks);
        if !self.rolling.is_empty() {
            grow(&mut self.rolling, blocks);
        }
        if self.has_offsets {
            grow(&mut self.offsets, blocks);
        }
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<ContactBlock>()
            + self.rolling.capacity() * size_of::<RollingBlock>()
            + self.offsets.capacity() * size_of::<Lanes>()
    }
}
