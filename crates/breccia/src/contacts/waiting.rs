//! Pairs within the skin that are too far apart to touch soon, by how far.

use crate::dispatch::Kernel;
use crate::math::{LANES, Lanes, Simd};
use crate::narrow_phase::squared_gap;
use crate::state::PlaceRow;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Number of tiers.
const TIERS: usize = 12;

/// Waiting pairs, sorted roughly by their gap when the lists were built: while bodies have approached each other by
/// less than that, a pair need not be looked at.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WaitingPairs {
    /// Rows a < b; gaps of tier k were at least k widths.
    tiers: [Vec<[u32; 2]>; TIERS],
}

/// Tiers of lists that reach as far as a certain skin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiers {
    /// 1/width of a tier [1/m].
    per_metre: f64,
}

impl Tiers {
    /// For lists that reach as far as `skin` [m].
    pub fn new(skin: f64) -> Self {
        Self { per_metre: TIERS as f64 / skin }
    }

    /// The tier of pairs about `gap` [m] from touching, at most the skin.
    #[inline(always)]
    fn of(&self, gap: f32) -> usize {
        // Rounding must not put a pair into a tier beyond its gap, hence a little less.
        let tier = (f64::from(gap) * self.per_metre - 1e-5).max(0.0) as usize;
        tier.min(TIERS - 1)
    }
}

/// Width of a tier [m], for lists that reach as far as `skin` [m].
fn width(skin: f64) -> f64 {
    skin / TIERS as f64
}

impl WaitingPairs {
    /// Adds a pair whose bodies are about `gap` [m] from touching, at most the skin.
    #[inline]
    pub(super) fn push(&mut self, rows: [u32; 2], gap: f32, tiers: &Tiers) {
        self.tiers[tiers.of(gap)].push(rows);
    }

    /// Number of pairs.
    pub(super) fn count(&self) -> usize {
        self.tiers.iter().map(Vec::len).sum()
    }

    /// Makes room for about so many pairs. The outer tiers have more than the inner ones, but hardly twice the mean.
    pub(super) fn make_room(&mut self, pairs: usize) {
        self.tiers.iter_mut().for_each(|tier| tier.reserve_exact(2 * pairs / TIERS));
    }

    /// Takes out the pairs whose places `near` adds to its list, ascending, keeping the order of the rest. Tiers beyond `gap`
    /// [m] are not asked.
    pub fn take(&mut self, gap: f64, skin: f64, near: impl Fn(&[[u32; 2]], &mut Vec<u32>)) -> Vec<[u32; 2]> {
        let mut taken = Vec::new();
        let mut places: Vec<u32> = Vec::new();
        for (tier, pairs) in self.tiers.iter_mut().enumerate() {
            if tier as f64 * width(skin) > gap {
                break;
            }
            // The list is written only where something is taken.
            near(pairs, &mut places);
            if !places.is_empty() {
                taken.extend(places.iter().map(|&place| pairs[place as usize]));
                remove_at(pairs, &places);
                places.clear();
            }
        }
        taken
    }

    /// Gives back memory that is not used: no pair is added before the next rebuild.
    pub fn trim(&mut self) {
        self.tiers.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.tiers.iter().map(|pairs| pairs.capacity() * size_of::<[u32; 2]>()).sum()
    }
}

/// Removes the values at some places, ascending, and moves the stretches between them together.
fn remove_at<T: Copy>(values: &mut Vec<T>, places: &[u32]) {
    let Some((&first, others)) = places.split_first() else { return };
    let mut to = first as usize;
    let ends = others.iter().map(|&place| place as usize).chain([values.len()]);
    for (&removed, end) in places.iter().zip(ends) {
        let kept = removed as usize + 1..end;
        let next = to + kept.len();
        values.copy_within(kept, to);
        to = next;
    }
    values.truncate(to);
}

/// Which pairs count as near.
pub struct NearTest<'a> {
    /// Rows of all bodies.
    pub places: &'a [PlaceRow],
    /// How far side b is seen shifted [m].
    pub shift: DVec3,
    /// Reach beyond touching [m].
    pub reach: f64,
}

/// Adds the places of near pairs to a list.
pub struct FindNear;

impl Kernel for FindNear {
    type On<'a> = (&'a NearTest<'a>, &'a [[u32; 2]], &'a mut Vec<u32>);

    #[inline(always)]
    fn run<S: Simd>((test, pairs, places): Self::On<'_>) {
        find_near::<S>(test, pairs, places);
    }
}

/// Adds the places of near pairs to a list, ascending.
#[inline(always)]
fn find_near<S: Simd>(test: &NearTest, pairs: &[[u32; 2]], places: &mut Vec<u32>) {
    let (whole, rest) = pairs.split_at(pairs.len() / S::WIDTH * S::WIDTH);
    for (part, first) in whole.chunks_exact(S::WIDTH).zip((0_u32..).step_by(S::WIDTH)) {
        find_near_in::<S>(test, part, first, places);
    }
    for (part, first) in rest.chunks_exact(1).zip(whole.len() as u32..) {
        find_near_in::<f64>(test, part, first, places);
    }
}

#[inline(always)]
fn find_near_in<S: Simd>(test: &NearTest, pairs: &[[u32; 2]], first: u32, places: &mut Vec<u32>) {
    let (mut a, mut b) = ([0; LANES], [0; LANES]);
    for (k, rows) in pairs.iter().enumerate() {
        (a[k], b[k]) = (rows[0], rows[1]);
    }
    let gap: S = squared_gap(&a[..S::WIDTH], &b[..S::WIDTH], test.places, test.shift, test.reach);
    if gap.any_less(S::splat(0.0)) {
        let mut gaps = Lanes([0.0; LANES]);
        gap.store(&mut gaps, 0);
        places.extend(
            (first..).zip(&gaps.0[..S::WIDTH]).filter(|(_, gap)| **gap < 0.0).map(|(place, _)| place),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::compiled;
    use crate::scene::RandomStream;

    /// However many are compared at a time: the near pairs are those that a plain comparison finds.
    #[test]
    fn near_pairs_are_those_compared_one_by_one() {
        let mut random = RandomStream::new(5);
        let mut unit = || random.unit();
        let place = |position: [f64; 3], radius: f64| PlaceRow {
            position,
            radius,
            velocity: [0.0; 3],
            inverse_mass: 1.0,
        };
        let places: Vec<PlaceRow> = (0..50).map(|_| place([unit(), unit(), unit()], 0.2 * unit())).collect();
        let mut found = 0;
        for count in 0..40 {
            let row = |unit: f64| (unit * 50.0) as u32;
            let pairs: Vec<[u32; 2]> = (0..count).map(|_| [row(unit()), row(unit())]).collect();
            let test = NearTest { places: &places, shift: DVec3::new(0.1, 0.0, -0.2), reach: 0.1 };
            let mut near = vec![7];
            compiled::<FindNear>()((&test, &pairs, &mut near));
            let is_near = |&[a, b]: &[u32; 2]| {
                let (a, b) = (&places[a as usize], &places[b as usize]);
                (a.centre() - b.centre() - test.shift).length() < a.radius + b.radius + test.reach
            };
            let wanted = (0_u32..).zip(&pairs).filter(|(_, pair)| is_near(pair)).map(|(place, _)| place);
            assert_eq!(near[1..], wanted.collect::<Vec<u32>>());
            found += near.len() - 1;
        }
        assert!(found > 50);
    }

    #[test]
    fn values_at_places_are_removed_and_the_others_keep_their_order() {
        for places in [&[][..], &[0], &[9], &[0, 1, 2, 9], &[3, 5, 6], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let mut values: Vec<u32> = (0..10).collect();
            remove_at(&mut values, places);
            assert_eq!(values, (0..10).filter(|value| !places.contains(value)).collect::<Vec<_>>());
        }
    }

    /// Whatever the order, a pair within the asked gap is asked, and the rest stays as it was.
    #[test]
    fn near_pairs_are_asked_and_taken() {
        let skin = 0.3;
        let mut waiting = WaitingPairs::default();
        let gaps: Vec<f64> = (0..400).map(|k| skin * f64::from((k * 149) % 401) / 400.0).collect();
        for (k, &gap) in (0_u32..).zip(&gaps) {
            waiting.push([k, k + 1], gap as f32, &Tiers::new(skin));
        }
        let mut left = gaps.len();
        for reach in [0.0, 0.01, 0.1, 0.2999, skin] {
            let near = |pairs: &[[u32; 2]], places: &mut Vec<u32>| {
                let is_near = |(_, rows): &(u32, &[u32; 2])| gaps[rows[0] as usize] <= reach;
                places.extend((0_u32..).zip(pairs).filter(is_near).map(|(place, _)| place));
            };
            let taken = waiting.take(reach, skin, near);
            left -= taken.len();
            assert_eq!(left, gaps.iter().filter(|gap| **gap > reach).count(), "within {reach}");
            assert!(waiting.take(reach, skin, near).is_empty());
        }
        assert_eq!(waiting.count(), left);
    }
}
