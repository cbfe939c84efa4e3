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
        let contact = LaneView { a, b, memory: memory.copied().unwrap_or_default(), scale: scales.0 };
        self.set_lane(self.active as usize - 1, &contact, scales.1);
    }

    /// Writes a contact to a place.
    fn set_lane(&mut self, place: usize, contact: &LaneView, damping_scale: f64) {
        let (index, lane) = (place / LANES, place % LANES);
        let (block, memory) = (&mut self.blocks[index], &contact.memory);
        block.a[lane] = contact.a;
        block.b[lane] = contact.b;
        block.scale.0[lane] = contact.scale;
        block.damping_scale.0[lane] = damping_scale;
        block.tangential.set_lane(lane, memory.tangential);
        block.depth.0[lane] = memory.depth;
        block.normal_dashpot.0[lane] = memory.normal_dashpot as f32;
        block.tangential_dashpot.set_lane(lane, memory.tangential_dashpot);
        if let Some(offsets) = self.offsets.get_mut(index) {
            offsets.0[lane] = memory.offset;
        }
        if let Some(rolling) = self.rolling.get_mut(index) {
            rolling.torque.set_lane(lane, memory.rolling);
            rolling.dashpot.set_lane(lane, memory.rolling_dashpot);
        }
    }

    /// Takes out the contacts that have come apart, in descending order of their places, and tells their rows; the last ones move
    /// up. They have nothing to remember: all of it vanishes with the overlap. Contacts with overlaps that count as none stay.
    pub fn take_separated(&mut self, dummy: u32, mut tell: impl FnMut([u32; 2])) {
        if self.has_offsets {
            return;
        }
        for index in (0..self.blocks.len()).rev() {
            let apart = self.blocks[index].depth.less_bits(Lanes::splat(f64::MIN_POSITIVE));
            for lane in (0..LANES).rev().filter(|lane| apart >> lane & 1 == 1) {
                let place = index * LANES + lane;
                if place < self.active as usize {
                    tell([self.blocks[index].a[lane], self.blocks[index].b[lane]]);
                    self.replace_by_last(place, dummy);
                }
            }
        }
    }

    /// Puts the last contact into a place.
    fn replace_by_last(&mut self, place: usize, dummy: u32) {
        self.active -= 1;
        let from = self.active as usize;
        let moved = self.lane(from);
        let damping_scale = self.blocks[from / LANES].damping_scale.0[from % LANES];
        self.set_lane(place, &moved, damping_scale);
        if from.is_multiple_of(LANES) {
            self.blocks.pop();
            self.rolling.truncate(self.blocks.len());
        } else {
            let none = LaneView { a: dummy, b: dummy + 1, memory: Memory::default(), scale: 1.0 };
            self.set_lane(from, &none, 0.0);
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

#[cfg(test)]
mod tests {
    use super::*;

    const DUMMY: u32 = 1000;

    /// Contacts between rows k and k + 1, touching where `touches` says so, each with a memory of its own.
    fn contacts(count: u32, touches: impl Fn(u32) -> bool) -> ContactLanes {
        let mut lanes = ContactLanes::default();
        for k in 0..count {
            let size = f64::from(k + 1);
            let memory = Memory {
                tangential: DVec3::splat(size),
                depth: size,
                rolling: DVec3::splat(-size),
                ..Memory::default()
            };
            let memory = touches(k).then_some(memory);
            lanes.activate([k, k + 1], (size, 2.0 * size), memory.as_ref(), true, DUMMY);
        }
        lanes
    }

    /// Whichever came apart, these and no others are taken out, and the rest keeps what it remembers.
    #[test]
    fn separated_contacts_are_taken_out_and_the_rest_stays() {
        for (count, every) in [(1, 1), (1, 2), (8, 1), (8, 3), (9, 8), (17, 2), (40, 7), (41, 1), (64, 100)] {
            let touches = |k: u32| !(k + 1).is_multiple_of(every);
            let mut lanes = contacts(count, touches);
            let mut taken = Vec::new();
            lanes.take_separated(DUMMY, |rows| taken.push(rows));
            taken.sort_unstable();
            let wanted: Vec<[u32; 2]> = (0..count).filter(|&k| !touches(k)).map(|k| [k, k + 1]).collect();
            assert_eq!(taken, wanted, "{count} contacts");
            assert_eq!(lanes.active as usize, (0..count).filter(|&k| touches(k)).count());
            assert_eq!(lanes.blocks.len(), (lanes.active as usize).div_ceil(LANES));
            assert_eq!(lanes.rolling.len(), lanes.blocks.len());
            for (place, lane) in lanes.lanes().enumerate() {
                let size = f64::from(lane.a + 1);
                assert_eq!((lane.b, lane.scale, lane.memory.depth), (lane.a + 1, size, size));
                assert_eq!(lane.memory.tangential, DVec3::splat(size));
                assert_eq!(lane.memory.rolling, DVec3::splat(-size));
                let damping_scale = lanes.blocks[place / LANES].damping_scale.0[place % LANES];
                assert_eq!(damping_scale, 2.0 * size);
            }
            let unused = lanes.active as usize..lanes.blocks.len() * LANES;
            for place in unused {
                let lane = lanes.lane(place);
                assert_eq!((lane.a, lane.b, lane.memory), (DUMMY, DUMMY + 1, Memory::default()));
            }
        }
    }

    /// Spheres that began overlapping have to come apart first, which only their own lane can tell.
    #[test]
    fn contacts_with_overlaps_that_count_as_none_stay() {
        let mut lanes = ContactLanes { has_offsets: true, ..ContactLanes::default() };
        lanes.activate([0, 1], (1.0, 1.0), None, false, DUMMY);
        lanes.take_separated(DUMMY, |rows| panic!("{rows:?} was taken"));
        assert_eq!(lanes.active, 1);
    }
}
