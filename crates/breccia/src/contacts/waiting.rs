//! Pairs within the skin that are too far apart to touch soon, by where they are and how far.

use crate::dispatch::Kernel;
use crate::math::{CountingSort, LANES, Lanes, Simd};
use crate::narrow_phase::squared_gap;
use crate::state::PlaceRow;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Number of tiers.
const TIERS: usize = 12;

/// Rows of a stretch: they lie close together, so that what is known of how bodies have approached each other around one of them holds
/// for most.
const STRETCH: usize = 64;

/// Waiting pairs by stretches of the rows of a chunk, and for each roughly by their gap when the lists were built: while bodies there have
/// approached each other by less than that, a pair need not be looked at.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WaitingPairs {
    /// Rows a < b, stretch by stretch, tier by tier.
    pairs: Vec<[u32; 2]>,
    /// Stretches that have pairs, ascending.
    stretches: Vec<Stretch>,
    /// Pairs not sorted yet, while lists are built.
    #[serde(skip)]
    added: Vec<Waiting>,
}

/// Pairs of a stretch of rows.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Stretch {
    /// Which one of the chunk.
    number: u32,
    /// Place of the first pair.
    first: u32,
    /// Where each tier ends; gaps of tier k were at least k widths.
    ends: [u32; TIERS],
}

/// A pair and where it belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    rows: [u32; 2],
    /// Stretch × [`TIERS`] + tier.
    place: u32,
}

/// How waiting pairs of a chunk are sorted.
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

    /// Number of tiers whose pairs may have come within `gap` [m].
    #[inline(always)]
    fn within(&self, gap: f64) -> usize {
        ((gap * self.per_metre) as usize + 1).min(TIERS)
    }

    /// A pair about `gap` [m] from touching, with a row that is in some place of the chunk.
    #[inline(always)]
    pub fn place(&self, rows: [u32; 2], gap: f32, own_row: usize) -> Waiting {
        let stretch = own_row / STRETCH;
        Waiting { rows, place: (stretch * TIERS + self.of(gap)) as u32 }
    }
}

/// Number of stretches of so many rows of a chunk.
pub(super) fn stretches(rows: usize) -> usize {
    rows.div_ceil(STRETCH)
}

/// The largest of the values of each stretch of the rows of a chunk.
pub(super) fn by_stretch<T>(rows: &[T], largest: impl Fn(&[T]) -> f64) -> impl Iterator<Item = f64> {
    rows.chunks(STRETCH).map(largest)
}

impl WaitingPairs {
    /// Makes room for so many pairs.
    pub(super) fn reserve(&mut self, pairs: usize) {
        self.added.reserve_exact(pairs);
    }

    /// How many pairs wait.
    pub(super) fn count(&self) -> usize {
        self.stretches.iter().map(|stretch| (stretch.ends[TIERS - 1] - stretch.first) as usize).sum()
    }

    /// Adds a pair.
    #[inline(always)]
    pub(super) fn push(&mut self, pair: Waiting) {
        self.added.push(pair);
    }

    /// Sorts what has been added to an empty list for a chunk of so many `rows`, and gives back memory that is not used.
    pub(super) fn sort(&mut self, rows: usize) {
        if self.added.is_empty() {
            return;
        }
        let stretches = stretches(rows);
        let mut by_place = CountingSort::default();
        by_place.sort_parts(&self.added, stretches * TIERS, |pair| pair.place as usize, |pair| pair.rows);
        let CountingSort { start, sorted } = by_place;
        self.pairs = sorted;
        let stretch = |number: usize| {
            let first = start[number * TIERS];
            let ends = std::array::from_fn(|tier| start[number * TIERS + tier + 1]);
            Stretch { number: number as u32, first, ends }
        };
        let all = (0..stretches).map(stretch).filter(|stretch| stretch.ends[TIERS - 1] > stretch.first);
        self.stretches = all.collect();
        self.added = Vec::new();
    }

    /// Takes out the pairs whose places `near` adds to its list, ascending. By stretch, pairs in tiers beyond
    /// `gaps` [m] need not be asked.
    pub(super) fn take(
        &mut self,
        gaps: impl Fn(usize) -> f64,
        tiers: &Tiers,
        near: impl Fn(&[[u32; 2]], &mut Vec<u32>),
    ) -> Vec<[u32; 2]> {
        let mut taken = Vec::new();
        let mut places: Vec<u32> = Vec::new();
        for stretch in &mut self.stretches {
            let (first, all) = (stretch.first, stretch.ends[TIERS - 1]);
            let asked = stretch.ends[tiers.within(gaps(stretch.number as usize)) - 1] - first;
            // Whole registers cost no more: a few pairs of the next tier are asked besides.
            let end = (first + asked.next_multiple_of(LANES as u32)).min(all);
            near(&self.pairs[first as usize..end as usize], &mut places);
            // From the end, so that those that fill gaps have been looked at.
            for place in places.drain(..).rev() {
                taken.push(self.pairs[(first + place) as usize]);
                stretch.remove(first + place, &mut self.pairs);
            }
        }
        taken
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<[u32; 2]>()
            + self.stretches.capacity() * size_of::<Stretch>()
            + self.added.capacity() * size_of::<Waiting>()
    }
}

impl Stretch {
    /// Takes out the pair at a place: the last of its tier fills the gap, the last of the next tier the place of that one, and so on.
    fn remove(&mut self, place: u32, pairs: &mut [[u32; 2]]) {
        let mut gap = place;
        for end in self.ends.iter_mut().filter(|end| place < **end) {
            *end -= 1;
            pairs[gap as usize] = pairs[*end as usize];
            gap = *end;
        }
    }
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

    /// Whatever the order, a pair within the asked gap of its stretch is asked, and the rest stays as it was.
    #[test]
    fn near_pairs_are_asked_and_taken() {
        let skin = 0.3;
        let tiers = Tiers::new(skin);
        let mut waiting = WaitingPairs::default();
        let gaps: Vec<f64> = (0..200).map(|k| skin * f64::from((k * 149) % 201) / 200.0).collect();
        let gap_of = |rows: &[u32; 2]| gaps[rows[0] as usize - 200];
        for (row, &gap) in (200_u32..).zip(&gaps) {
            waiting.push(tiers.place([row, row + 300], gap as f32, row as usize - 200));
        }
        waiting.sort(200);
        assert_eq!(stretches(200), 4);
        let mut left: Vec<u32> = (200..400).collect();
        // The last stretches have seen less approach.
        for reach in [0.0, 0.01, 0.1, 0.2999, skin] {
            let asked = |stretch: usize| if stretch < 2 { reach } else { 0.5 * reach };
            let near = |pairs: &[[u32; 2]], places: &mut Vec<u32>| {
                let is_near =
                    |(_, rows): &(u32, &[u32; 2])| gap_of(rows) <= asked((rows[0] as usize - 200) / STRETCH);
                places.extend((0_u32..).zip(pairs).filter(is_near).map(|(place, _)| place));
            };
            let mut taken: Vec<u32> = waiting.take(asked, &tiers, near).iter().map(|rows| rows[0]).collect();
            let is_near = |row: &u32| gaps[*row as usize - 200] <= asked((*row as usize - 200) / STRETCH);
            taken.sort_unstable();
            assert_eq!(taken, left.extract_if(.., |row| is_near(row)).collect::<Vec<_>>(), "within {reach}");
            assert!(waiting.take(asked, &tiers, near).is_empty());
        }
        let mut rest: Vec<u32> = waiting
            .take(|_| skin, &tiers, |pairs, places| places.extend(0..pairs.len() as u32))
            .iter()
            .map(|rows| rows[0])
            .collect();
        rest.sort_unstable();
        assert!(rest == left && !rest.is_empty());
    }
}
