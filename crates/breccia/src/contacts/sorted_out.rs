//! Near pairs found from the rows of a chunk, sorted out by what becomes of them.
//!
//! Of ten pairs within the skin six or seven wait between two rows of the chunk. They only have to be dealt out, while the others need a look
//! at bodies and memories.

use super::waiting::{Tiers, Waiting};
use super::{Chunking, OwnSides};
use crate::broad_phase::{Image, NearPair};
use crate::model::{MaterialId, PairId, PairTable};

/// Pairs looked at before they are copied to where they belong.
const BATCH: usize = 64;

/// What sorting out needs to know.
pub(super) struct SortingRules<'a> {
    /// Materials of the rows.
    pub materials: &'a [MaterialId],
    /// Pairs of materials.
    pub pairs: &'a PairTable,
    /// How rows are cut into chunks.
    pub chunking: &'a Chunking,
    /// Reach of watched pairs beyond touching [m].
    pub inner: f64,
    /// How pairs that wait are sorted.
    pub tiers: Tiers,
}

/// Pairs that do not wait between two rows of a chunk.
#[derive(Default)]
pub(super) struct SortedOut {
    /// Pairs of two rows of the chunk that may touch soon, in the order found.
    pub near: Vec<NearPair>,
    /// Pairs with a row of another chunk, or seen through an image, in the order found.
    pub others: Vec<NearPair>,
}

impl SortingRules<'_> {
    /// Whether a pair is too far apart to touch soon; gaps are rounded, hence a little more.
    #[inline(always)]
    pub fn waits(&self, near: &NearPair) -> bool {
        f64::from(near.gap) > 1.000_001 * self.inner
    }

    /// The materials of a pair.
    #[inline(always)]
    pub fn pair_id(&self, near: &NearPair) -> PairId {
        let [a, b] = near.rows().map(|row| self.materials[row as usize]);
        self.pairs.id(a, b)
    }

    /// Where a pair of a chunk waits.
    #[inline(always)]
    pub fn waiting(&self, near: &NearPair, chunk: usize) -> Waiting {
        self.tiers.place(near.rows(), near.gap, self.chunking.own_row(near.rows(), chunk))
    }

    /// Sorts out the pairs found from the rows of a chunk; those that wait between two rows of it are dealt out at once.
    #[inline(always)]
    pub fn sort_out(
        &self,
        found: &[NearPair],
        chunk: usize,
        mut wait: impl FnMut(PairId, Waiting),
    ) -> SortedOut {
        let mut sorted = SortedOut::default();
        for batch in found.chunks(BATCH) {
            // What becomes of a pair cannot be foretold: pairs are told apart without a branch.
            let (mut places, mut counts) = ([[0_u8; BATCH]; 3], [0; 3]);
            for (place, near) in (0_u8..).zip(batch) {
                let is_within = self.chunking.own_sides(near.rows(), chunk) == OwnSides::Both
                    && near.pair.image == Image::NONE;
                let waits = self.waits(near);
                for (kind, is_it) in
                    [is_within & waits, is_within & !waits, !is_within].into_iter().enumerate()
                {
                    places[kind][counts[kind] % BATCH] = place;
                    counts[kind] += usize::from(is_it);
                }
            }
            let of =
                |kind: usize| places[kind][..counts[kind]].iter().map(|&place| &batch[usize::from(place)]);
            of(0).for_each(|near| wait(self.pair_id(near), self.waiting(near, chunk)));
            sorted.near.extend(of(1));
            sorted.others.extend(of(2));
        }
        sorted
    }
}
