//! Pairs near enough to touch before the next refresh that have not touched yet.
//!
//! In a flow they are almost as many as contacts. To see that they are still apart takes about a third of the time of the law, and
//! they have nothing to remember.

use crate::math::{LANES, Lanes, Simd};
use crate::narrow_phase::squared_gap;
use crate::state::PlaceRow;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Watched pairs of a group, eight side by side.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WatchedPairs {
    blocks: Vec<WatchBlock>,
    count: u32,
}

/// Rows a < b of eight pairs; unused lanes point at the dummy rows.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct WatchBlock {
    a: [u32; LANES],
    b: [u32; LANES],
}

impl WatchedPairs {
    /// Adds a pair; `dummy` is the first dummy row.
    pub fn push(&mut self, [a, b]: [u32; 2], dummy: u32) {
        let lane = self.count as usize % LANES;
        if lane == 0 {
            self.blocks.push(WatchBlock { a: [dummy; LANES], b: [dummy + 1; LANES] });
        }
        let last = self.blocks.len() - 1;
        (self.blocks[last].a[lane], self.blocks[last].b[lane]) = (a, b);
        self.count += 1;
    }

    /// Takes out the pairs that touch; side b is seen shifted by `shift` [m].
    #[inline(always)]
    pub fn take_touching<S: Simd>(
        &mut self,
        places: &[PlaceRow],
        shift: DVec3,
        dummy: u32,
        taken: &mut Vec<[u32; 2]>,
    ) {
        // From the end, so that a pair that fills a gap has been looked at.
        for index in (0..self.blocks.len()).rev() {
            let block = &self.blocks[index];
            let mut gaps = Lanes([0.0; LANES]);
            let mut touches = false;
            for at in (0..LANES).step_by(S::WIDTH) {
                let rows = at..at + S::WIDTH;
                let gap: S = squared_gap(&block.a[rows.clone()], &block.b[rows], places, shift, 0.0);
                touches |= gap.any_less(S::splat(0.0));
                gap.store(&mut gaps, at);
            }
            if touches {
                self.take(index, &gaps, dummy, taken);
            }
        }
    }

    /// Takes the lanes with negative gaps out of a block.
    #[cold]
    fn take(&mut self, index: usize, gaps: &Lanes, dummy: u32, taken: &mut Vec<[u32; 2]>) {
        for lane in (0..LANES).rev().filter(|&lane| gaps.0[lane] < 0.0) {
            taken.push([self.blocks[index].a[lane], self.blocks[index].b[lane]]);
            self.count -= 1;
            let (from, place) = (self.count as usize / LANES, self.count as usize % LANES);
            let last = &mut self.blocks[from];
            let pair = (last.a[place], last.b[place]);
            (last.a[place], last.b[place]) = (dummy, dummy + 1);
            if (from, place) != (index, lane) {
                (self.blocks[index].a[lane], self.blocks[index].b[lane]) = pair;
            }
            if place == 0 {
                self.blocks.pop();
            }
        }
    }

    /// How many pairs are watched.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Makes room for so many pairs.
    pub(super) fn reserve(&mut self, pairs: usize) {
        self.blocks.reserve_exact(pairs.div_ceil(LANES));
    }

    /// Gives back memory reserved beyond a sixteenth more than is used.
    pub fn trim(&mut self) {
        self.blocks.shrink_to(self.blocks.len() + self.blocks.len() / 16);
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<WatchBlock>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of spheres of radius 1 whose neighbours overlap where `touch` says so, and two far dummies.
    fn row_of_spheres(touch: impl Fn(u32) -> bool, count: u32) -> Vec<PlaceRow> {
        let mut x = 0.0;
        let mut places = Vec::new();
        for k in 0..count {
            places.push(PlaceRow {
                position: [x, 0.0, 0.0],
                radius: 1.0,
                velocity: [0.0; 3],
                inverse_mass: 1.0,
            });
            x += if touch(k) { 1.9 } else { 2.1 };
        }
        for far in [-1e6, 1e6] {
            places.push(PlaceRow { position: [far; 3], ..places[0] });
        }
        places
    }

    /// Whichever pairs touch, these and no others are taken, each once, and the rest stays.
    #[test]
    fn touching_pairs_are_taken_and_the_rest_stays() {
        for (count, every) in [(1, 1), (8, 8), (9, 1), (40, 3), (41, 7), (64, 2), (17, 100)] {
            let touches = |k: u32| k.is_multiple_of(every);
            let places = row_of_spheres(touches, count + 1);
            let dummy = count + 1;
            let mut watched = WatchedPairs::default();
            (0..count).for_each(|k| watched.push([k, k + 1], dummy));
            let mut taken = Vec::new();
            watched.take_touching::<f64>(&places, DVec3::ZERO, dummy, &mut taken);
            taken.sort_unstable();
            let wanted: Vec<[u32; 2]> = (0..count).filter(|&k| touches(k)).map(|k| [k, k + 1]).collect();
            assert_eq!(taken, wanted, "{count} pairs");
            let mut left: Vec<[u32; 2]> = watched.pairs().collect();
            left.sort_unstable();
            let wanted: Vec<[u32; 2]> = (0..count).filter(|&k| !touches(k)).map(|k| [k, k + 1]).collect();
            assert_eq!(left, wanted, "{count} pairs");
            taken.clear();
            watched.take_touching::<f64>(&places, DVec3::ZERO, dummy, &mut taken);
            assert!(taken.is_empty());
        }
    }

    impl WatchedPairs {
        fn pairs(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
            (0..self.count as usize).map(|k| {
                let block = &self.blocks[k / LANES];
                [block.a[k % LANES], block.b[k % LANES]]
            })
        }
    }
}
