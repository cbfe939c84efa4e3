//! Contacts that share a pair of materials, eight side by side.

use super::{ContactBlock, Memory, RollingBlock};
use crate::math::{LANES, Lanes, NarrowLanes, Real, Vec3};
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
        rows: [u32; 2],
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
        self.set_pair(self.active as usize - 1, rows, scales);
        if let Some(memory) = memory {
            self.set_last(memory);
        }
    }

    /// Writes rows, stiffness and dashpot scale of the contact at a place.
    pub(super) fn set_pair(&mut self, place: usize, [a, b]: [u32; 2], scales: (f64, f64)) {
        let (block, lane) = (&mut self.blocks[place / LANES], place % LANES);
        block.a[lane] = a;
        block.b[lane] = b;
        block.scale.0[lane] = scales.0;
        block.damping_scale.0[lane] = scales.1;
    }

    /// Gives the contact added last something to remember.
    pub(super) fn set_last(&mut self, memory: &Memory) {
        self.set_memory(self.active as usize - 1, memory);
    }

    /// Gives the contact at a place something to remember.
    pub(super) fn set_memory(&mut self, place: usize, memory: &Memory) {
        let (block, lane) = (&mut self.blocks[place / LANES], place % LANES);
        block.tangential.set_lane(lane, memory.tangential);
        block.depth.0[lane] = memory.depth;
        block.normal_dashpot.0[lane] = memory.normal_dashpot as f32;
        block.tangential_dashpot.set_lane(lane, memory.tangential_dashpot);
        if let Some(offsets) = self.offsets.get_mut(place / LANES) {
            offsets.0[lane] = memory.offset;
        }
        if let Some(rolling) = self.rolling.get_mut(place / LANES) {
            rolling.torque.set_lane(lane, memory.rolling);
            rolling.dashpot.set_lane(lane, memory.rolling_dashpot);
        }
    }

    /// Gives the contact added last what another remembers, from lane to lane; perhaps its sides are exchanged.
    pub(super) fn take_over(&mut self, from: &Self, place: usize, is_exchanged: bool) {
        let last = self.active as usize - 1;
        let (to, lane) = (&mut self.blocks[last / LANES], last % LANES);
        let (old, k) = (&from.blocks[place / LANES], place % LANES);
        copy_lane(&mut to.tangential, lane, &old.tangential, k, is_exchanged);
        to.depth.0[lane] = old.depth.0[k];
        to.normal_dashpot.0[lane] = old.normal_dashpot.0[k];
        copy_narrow_lane(&mut to.tangential_dashpot, lane, &old.tangential_dashpot, k, is_exchanged);
        if let Some(offsets) = self.offsets.get_mut(last / LANES) {
            offsets.0[lane] = from.offset(place);
        }
        let rolling = self.rolling.get_mut(last / LANES).zip(from.rolling.get(place / LANES));
        if let Some((to, old)) = rolling {
            copy_lane(&mut to.torque, lane, &old.torque, k, is_exchanged);
            copy_narrow_lane(&mut to.dashpot, lane, &old.dashpot, k, is_exchanged);
        }
    }

    /// Overlap of a contact that counts as none [m].
    pub(super) fn offset(&self, place: usize) -> f64 {
        self.offsets.get(place / LANES).map_or(0.0, |offsets| offsets.0[place % LANES])
    }

    /// Places of contacts that touch, or began with an overlap that counts as none.
    pub fn touching(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.active as usize)
            .filter(|&k| self.blocks[k / LANES].depth.0[k % LANES] > 0.0 || self.offset(k) != 0.0)
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
            offset: self.offset(k),
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

    /// Makes room for so many contacts.
    pub(super) fn reserve(&mut self, contacts: usize, remembers_rolling: bool) {
        let blocks = contacts.div_ceil(LANES);
        self.blocks.reserve_exact(blocks);
        if remembers_rolling {
            self.rolling.reserve_exact(blocks);
        }
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

/// Copies a vector from lane `k` to a lane of others; the opposite one where sides are exchanged.
#[inline(always)]
fn copy_lane(to: &mut Vec3<Lanes>, lane: usize, from: &Vec3<Lanes>, k: usize, is_exchanged: bool) {
    let (x, y, z) = (from.x.0[k], from.y.0[k], from.z.0[k]);
    let (x, y, z) = if is_exchanged { (-x, -y, -z) } else { (x, y, z) };
    (to.x.0[lane], to.y.0[lane], to.z.0[lane]) = (x, y, z);
}

/// The same in single precision.
#[inline(always)]
fn copy_narrow_lane(
    to: &mut Vec3<NarrowLanes>,
    lane: usize,
    from: &Vec3<NarrowLanes>,
    k: usize,
    is_exchanged: bool,
) {
    let (x, y, z) = (from.x.0[k], from.y.0[k], from.z.0[k]);
    let (x, y, z) = if is_exchanged { (-x, -y, -z) } else { (x, y, z) };
    (to.x.0[lane], to.y.0[lane], to.z.0[lane]) = (x, y, z);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(k: usize, offset: f64) -> Memory {
        let v = |seed: f64| DVec3::new(seed, -0.3 * seed, 0.7 * seed + 1.0) * f64::from(k as u32 + 1);
        Memory {
            tangential: v(0.1),
            depth: 0.1 + k as f64,
            tangential_dashpot: v(0.2),
            normal_dashpot: -0.7 * k as f64,
            rolling: v(0.3),
            rolling_dashpot: v(0.4),
            offset,
        }
    }

    /// From lane to lane, or spelled out in between: the same is remembered.
    #[test]
    fn memories_taken_over_are_those_spelled_out() {
        for (has_offsets, remembers_rolling) in [(false, true), (true, false), (true, true)] {
            let empty = ContactLanes { has_offsets, ..ContactLanes::default() };
            let (mut old, mut copied, mut spelled) = (empty.clone(), empty.clone(), empty);
            for k in 0..21 {
                let memory = memory(k, if has_offsets { 0.01 } else { 0.0 });
                old.activate([k as u32, 30], (2.0, 3.0), Some(&memory), remembers_rolling, 50);
            }
            for k in (0..21).rev() {
                let is_exchanged = k % 3 == 0;
                copied.activate([1, 2], (2.0, 3.0), None, remembers_rolling, 50);
                copied.take_over(&old, k, is_exchanged);
                let memory = old.lane(k).memory;
                let memory = if is_exchanged { memory.exchanged() } else { memory };
                spelled.activate([1, 2], (2.0, 3.0), Some(&memory), remembers_rolling, 50);
            }
            let of = |lanes: &ContactLanes| lanes.lanes().map(|lane| lane.memory).collect::<Vec<_>>();
            assert_eq!(of(&copied), of(&spelled));
        }
    }
}
