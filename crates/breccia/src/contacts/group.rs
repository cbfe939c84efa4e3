//! Contacts of one chunk that share a pair of materials and a periodic image.

use super::waiting::Tiers;
use super::{ContactLanes, OwnSides, WaitingPairs, WatchedPairs};
use crate::broad_phase::Image;
use crate::model::PairId;
use serde::{Deserialize, Serialize};

/// Pair contacts that share parameters, so that the law reads them once for eight lanes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PairGroup {
    /// Pair of materials.
    pub pair: PairId,
    /// Image in which side b is seen.
    pub image: Image,
    /// Which sides belong to the chunk.
    pub own: OwnSides,
    /// Pairs that touch, or have touched since the last rebuild.
    pub contacts: ContactLanes,
    /// Pairs that may touch soon, looked at every step.
    pub watched: WatchedPairs,
    /// Pairs within the skin but too far to touch soon.
    pub waiting: WaitingPairs,
}

/// What pairs of a group share.
#[derive(Clone, Copy, PartialEq)]
pub struct GroupKey {
    /// Pair of materials.
    pub pair: PairId,
    /// Image in which side b is seen.
    pub image: Image,
    /// Which sides belong to the chunk.
    pub own: OwnSides,
    /// Whether overlaps of contacts may count as none.
    pub has_offsets: bool,
}

impl GroupKey {
    /// That of a group.
    pub fn of(group: &PairGroup) -> Self {
        let PairGroup { pair, image, own, ref contacts, .. } = *group;
        Self { pair, image, own, has_offsets: contacts.has_offsets }
    }

    /// A group without pairs.
    pub fn new_group(self) -> PairGroup {
        PairGroup::new(self.pair, self.image, self.own, self.has_offsets)
    }
}

impl PairGroup {
    /// A group without contacts.
    pub fn new(pair: PairId, image: Image, own: OwnSides, has_offsets: bool) -> Self {
        let contacts = ContactLanes { has_offsets, ..ContactLanes::default() };
        let (watched, waiting) = (WatchedPairs::default(), WaitingPairs::default());
        Self { pair, image, own, contacts, watched, waiting }
    }

    /// Sorts waiting pairs of a chunk of so many `rows`, and gives back memory reserved beyond a sixteenth more than is used: what joins between two rebuilds.
    pub fn finish(&mut self, rows: usize) {
        self.contacts.trim();
        self.watched.trim();
        self.waiting.sort(rows);
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.contacts.memory_bytes() + self.watched.memory_bytes() + self.waiting.memory_bytes()
    }

    /// Moves waiting pairs whose places `near` tells to the watched ones. By stretch of rows, pairs that were
    /// farther apart than `gaps` [m] when the lists were built need not be asked.
    pub(super) fn watch(
        &mut self,
        gaps: impl Fn(usize) -> f64,
        tiers: &Tiers,
        near: impl Fn(&[[u32; 2]], &mut Vec<u32>),
        dummy: u32,
    ) {
        for rows in self.waiting.take(gaps, tiers, near) {
            self.watched.push(rows, dummy);
        }
    }

    /// Contacts that have come apart are watched again instead of evaluated.
    pub fn watch_separated(&mut self, dummy: u32) {
        let watched = &mut self.watched;
        self.contacts.take_separated(dummy, |rows| watched.push(rows, dummy));
    }
}
