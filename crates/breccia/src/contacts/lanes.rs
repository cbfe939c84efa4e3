//! Contacts that share a pair of materials, eight side by side.

use super::{ContactBlock, DashpotBlock, Memory};
use crate::laws::{History, RollingLaw};
use crate::math::{LANES, Lanes, NarrowLanes, Real, Simd, Vec3};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Contacts in blocks, with what they remember.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ContactLanes {
    /// Evaluated every step; the last block may be partly used.
    pub blocks: Vec<ContactBlock>,
    /// What dashpots did, parallel to `blocks`; empty unless losses are followed.
    pub dashpots: Vec<DashpotBlock>,
    /// Elastic rolling torques on a [N m, world], parallel to `blocks`; empty unless the rolling law remembers.
    pub rolling: Vec<Vec3<Lanes>>,
    /// Dashpots' shares of the rolling torques on a [N m, world], parallel to `blocks`; empty unless the rolling law remembers and losses
    /// are followed.
    pub rolling_dashpots: Vec<Vec3<NarrowLanes>>,
    /// Overlaps that count as none [m], parallel to `blocks`; empty unless these are contacts with such overlaps.
    pub offsets: Vec<Lanes>,
    /// Whether these are contacts with such overlaps.
    pub has_offsets: bool,
    /// Lanes in use.
    pub active: u32,
}

/// What contacts remember besides their springs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Rolling torques.
    pub rolling: bool,
    /// What dashpots did in the last step.
    pub dashpots: bool,
}

impl Remembered {
    /// What contacts with a rolling law remember.
    pub fn by<O: RollingLaw>() -> Self {
        Self { rolling: O::REMEMBERS, dashpots: O::FOLLOWS_LOSSES }
    }
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
        remembered: Remembered,
        dummy: u32,
    ) {
        let lane = self.active as usize % LANES;
        if lane == 0 {
            self.blocks.push(ContactBlock::unused(dummy));
            if remembered.dashpots {
                self.dashpots.push(DashpotBlock::ZERO);
            }
            if remembered.rolling {
                self.rolling.push(Vec3::splat(DVec3::ZERO));
            }
            if remembered.rolling && remembered.dashpots {
                self.rolling_dashpots.push(Vec3::<NarrowLanes>::ZERO);
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

    /// Whether the contacts remember what is asked for and nothing else.
    pub(super) fn fit(&self, remembered: Remembered) -> bool {
        let has =
            |is_asked_for: bool, blocks: usize| blocks == if is_asked_for { self.blocks.len() } else { 0 };
        has(remembered.dashpots, self.dashpots.len())
            && has(remembered.rolling, self.rolling.len())
            && has(remembered.rolling && remembered.dashpots, self.rolling_dashpots.len())
    }

    /// Memory of the lanes of a block from `at` on.
    #[inline(always)]
    pub fn recall<S: Simd, O: RollingLaw>(&self, index: usize, at: usize) -> History<S> {
        let mut history = self.blocks[index].history(at);
        if O::FOLLOWS_LOSSES {
            let dashpots = &self.dashpots[index];
            history.dashpots.normal = S::load_narrow(&dashpots.normal, at);
            history.dashpots.tangential = Vec3::load_narrow(&dashpots.tangential, at);
        }
        if O::REMEMBERS {
            history.rolling = Vec3::load(&self.rolling[index], at);
        }
        if O::REMEMBERS && O::FOLLOWS_LOSSES {
            history.dashpots.rolling = Vec3::load_narrow(&self.rolling_dashpots[index], at);
        }
        history
    }

    /// Stores the memory of a block's lanes from `at` on.
    #[inline(always)]
    pub fn remember<S: Simd, O: RollingLaw>(&mut self, index: usize, at: usize, history: &History<S>) {
        self.blocks[index].remember(at, history);
        if O::FOLLOWS_LOSSES {
            let dashpots = &mut self.dashpots[index];
            history.dashpots.normal.store_narrow(&mut dashpots.normal, at);
            history.dashpots.tangential.store_narrow(&mut dashpots.tangential, at);
        }
        if O::REMEMBERS {
            history.rolling.store(&mut self.rolling[index], at);
        }
        if O::REMEMBERS && O::FOLLOWS_LOSSES {
            history.dashpots.rolling.store_narrow(&mut self.rolling_dashpots[index], at);
        }
    }

    /// Asks for what the contacts of a block remember besides what lies in it.
    #[inline(always)]
    pub fn fetch_ahead<S: Simd, O: RollingLaw>(&self, index: usize) {
        if O::FOLLOWS_LOSSES {
            S::fetch_ahead(&self.dashpots, index as u32);
        }
        if O::REMEMBERS {
            S::fetch_ahead(&self.rolling, index as u32);
        }
        if O::REMEMBERS && O::FOLLOWS_LOSSES {
            S::fetch_ahead(&self.rolling_dashpots, index as u32);
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

    /// Stiffness and dashpot scale of the contact at a place.
    pub(super) fn scales(&self, place: usize) -> (f64, f64) {
        let (block, lane) = (&self.blocks[place / LANES], place % LANES);
        (block.scale.0[lane], block.damping_scale.0[lane])
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
        if let Some(dashpots) = self.dashpots.get_mut(place / LANES) {
            dashpots.normal.0[lane] = memory.normal_dashpot as f32;
            dashpots.tangential.set_lane(lane, memory.tangential_dashpot);
        }
        if let Some(offsets) = self.offsets.get_mut(place / LANES) {
            offsets.0[lane] = memory.offset;
        }
        if let Some(rolling) = self.rolling.get_mut(place / LANES) {
            rolling.set_lane(lane, memory.rolling);
        }
        if let Some(dashpots) = self.rolling_dashpots.get_mut(place / LANES) {
            dashpots.set_lane(lane, memory.rolling_dashpot);
        }
    }

    /// Gives the contact added last what another remembers, from lane to lane; perhaps its sides are exchanged.
    pub(super) fn take_over(&mut self, from: &Self, place: usize, is_exchanged: bool) {
        let last = self.active as usize - 1;
        let (to, lane) = (&mut self.blocks[last / LANES], last % LANES);
        let (old, k) = (&from.blocks[place / LANES], place % LANES);
        copy_lane(&mut to.tangential, lane, &old.tangential, k, is_exchanged);
        to.depth.0[lane] = old.depth.0[k];
        let (to, from_block) = (last / LANES, place / LANES);
        if let Some((to, old)) = self.dashpots.get_mut(to).zip(from.dashpots.get(from_block)) {
            to.normal.0[lane] = old.normal.0[k];
            copy_narrow_lane(&mut to.tangential, lane, &old.tangential, k, is_exchanged);
        }
        if let Some(offsets) = self.offsets.get_mut(to) {
            offsets.0[lane] = from.offset(place);
        }
        if let Some((to, old)) = self.rolling.get_mut(to).zip(from.rolling.get(from_block)) {
            copy_lane(to, lane, old, k, is_exchanged);
        }
        if let Some((to, old)) = self.rolling_dashpots.get_mut(to).zip(from.rolling_dashpots.get(from_block))
        {
            copy_narrow_lane(to, lane, old, k, is_exchanged);
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
        let dashpots = self.dashpots.get(k / LANES);
        let memory = Memory {
            tangential: block.tangential.lane(lane),
            depth: block.depth.0[lane],
            rolling: self.rolling.get(k / LANES).map_or(DVec3::ZERO, |torque| torque.lane(lane)),
            normal_dashpot: dashpots.map_or(0.0, |dashpots| f64::from(dashpots.normal.0[lane])),
            tangential_dashpot: dashpots.map_or(DVec3::ZERO, |dashpots| dashpots.tangential.lane(lane)),
            rolling_dashpot: self
                .rolling_dashpots
                .get(k / LANES)
                .map_or(DVec3::ZERO, |dashpots| dashpots.lane(lane)),
            offset: self.offset(k),
        };
        LaneView { a: block.a[lane], b: block.b[lane], memory, scale: block.scale.0[lane] }
    }

    /// Gives back memory reserved beyond a sixteenth more than is used: what joins between two rebuilds.
    pub fn trim(&mut self) {
        fn trim<T>(values: &mut Vec<T>) {
            values.shrink_to(values.len() + values.len() / 16);
        }
        trim(&mut self.blocks);
        trim(&mut self.dashpots);
        trim(&mut self.rolling);
        trim(&mut self.rolling_dashpots);
        trim(&mut self.offsets);
    }

    /// Makes room for so many contacts.
    pub(super) fn reserve(&mut self, contacts: usize, remembered: Remembered) {
        let blocks = contacts.div_ceil(LANES);
        self.blocks.reserve_exact(blocks);
        if remembered.dashpots {
            self.dashpots.reserve_exact(blocks);
        }
        if remembered.rolling {
            self.rolling.reserve_exact(blocks);
        }
        if remembered.rolling && remembered.dashpots {
            self.rolling_dashpots.reserve_exact(blocks);
        }
    }

    /// Room for more contacts: a sixteenth beyond what is needed, where a list left to itself would double.
    pub(super) fn make_room(&mut self, contacts: usize) {
        fn grow<T>(values: &mut Vec<T>, more: usize) {
            if values.capacity() - values.len() < more {
                values.reserve_exact(more + values.len() / 16);
            }
        }
        fn grow_if_used<T>(values: &mut Vec<T>, more: usize) {
            if !values.is_empty() {
                grow(values, more);
            }
        }
        let blocks = contacts.div_ceil(LANES);
        grow(&mut self.blocks, blocks);
        grow_if_used(&mut self.dashpots, blocks);
        grow_if_used(&mut self.rolling, blocks);
        grow_if_used(&mut self.rolling_dashpots, blocks);
        if self.has_offsets {
            grow(&mut self.offsets, blocks);
        }
    }

    /// Leaves out the last block.
    pub(super) fn drop_last_block(&mut self) {
        self.blocks.pop();
        let left = self.blocks.len();
        self.dashpots.truncate(left);
        self.rolling.truncate(left);
        self.rolling_dashpots.truncate(left);
        self.offsets.truncate(left);
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<ContactBlock>()
            + self.dashpots.capacity() * size_of::<DashpotBlock>()
            + self.rolling.capacity() * size_of::<Vec3<Lanes>>()
            + self.rolling_dashpots.capacity() * size_of::<Vec3<NarrowLanes>>()
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

    /// From lane to lane, or spelled out in between: the same is remembered, whatever that is.
    #[test]
    fn memories_taken_over_are_those_spelled_out() {
        for case in 0..8 {
            let has_offsets = case & 1 == 1;
            let remembered = Remembered { rolling: case & 2 == 2, dashpots: case & 4 == 4 };
            let empty = ContactLanes { has_offsets, ..ContactLanes::default() };
            let (mut old, mut copied, mut spelled) = (empty.clone(), empty.clone(), empty);
            for k in 0..21 {
                let memory = memory(k, if has_offsets { 0.01 } else { 0.0 });
                old.activate([k as u32, 30], (2.0, 3.0), Some(&memory), remembered, 50);
            }
            for k in (0..21).rev() {
                let is_exchanged = k % 3 == 0;
                copied.activate([1, 2], (2.0, 3.0), None, remembered, 50);
                copied.take_over(&old, k, is_exchanged);
                let memory = old.lane(k).memory;
                let memory = if is_exchanged { memory.exchanged() } else { memory };
                spelled.activate([1, 2], (2.0, 3.0), Some(&memory), remembered, 50);
            }
            let of = |lanes: &ContactLanes| lanes.lanes().map(|lane| lane.memory).collect::<Vec<_>>();
            assert_eq!(of(&copied), of(&spelled));
            let first = of(&copied)[0];
            assert_eq!(first.rolling != DVec3::ZERO, remembered.rolling);
            assert_eq!(first.normal_dashpot != 0.0, remembered.dashpots);
            assert_eq!(first.rolling_dashpot != DVec3::ZERO, remembered.rolling && remembered.dashpots);
        }
    }
}
