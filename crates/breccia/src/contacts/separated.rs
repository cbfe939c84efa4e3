//! Contacts that have come apart leave the blocks.

use super::{ContactLanes, Memory};
use crate::math::{LANES, Lanes, Real};

impl ContactLanes {
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
        self.set_pair(place, [moved.a, moved.b], (moved.scale, damping_scale));
        self.set_memory(place, &moved.memory);
        if from.is_multiple_of(LANES) {
            self.drop_last_block();
        } else {
            self.set_pair(from, [dummy, dummy + 1], (1.0, 0.0));
            self.set_memory(from, &Memory::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::Remembered;
    use glam::DVec3;

    const DUMMY: u32 = 1000;
    const REMEMBERED: Remembered = Remembered { rolling: true, dashpots: true };

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
            lanes.activate([k, k + 1], (size, 2.0 * size), memory.as_ref(), REMEMBERED, DUMMY);
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
            let lists = [lanes.dashpots.len(), lanes.rolling.len(), lanes.rolling_dashpots.len()];
            assert_eq!(lists, [lanes.blocks.len(); 3]);
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
        lanes.activate([0, 1], (1.0, 1.0), None, REMEMBERED, DUMMY);
        lanes.take_separated(DUMMY, |rows| panic!("{rows:?} was taken"));
        assert_eq!(lanes.active, 1);
    }
}
