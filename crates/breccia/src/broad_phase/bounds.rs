//! What a broad phase sees of bodies.

use super::{Candidate, Image};
use glam::DVec3;

/// Bounding spheres of items, and which body owns each.
#[derive(Clone, Debug, Default)]
pub struct BoundsTable {
    /// Centres [m, world], inside the domain on periodic axes.
    pub centre: Vec<DVec3>,
    /// Radii [m].
    pub radius: Vec<f64>,
    /// Body that owns each item; items of one owner are never paired. Empty when every item is its own.
    pub owner: Vec<u32>,
}

impl BoundsTable {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.centre.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.centre.is_empty()
    }

    /// Whether the bounds of a pair of different owners come nearer than `skin` [m].
    #[inline(always)]
    pub fn is_near(&self, pair: Candidate, period: DVec3, skin: f64) -> bool {
        self.reaches(pair, period, skin) && !self.same_owner(pair.a, pair.b)
    }

    /// Whether the bounds of a pair come nearer than `skin` [m], whoever owns them.
    #[inline(always)]
    pub fn reaches(&self, pair: Candidate, period: DVec3, skin: f64) -> bool {
        let reach = self.radii(pair) + skin;
        self.separation(pair, period).length_squared() < reach * reach
    }

    /// How far the bounds of a pair are from touching [m]; negative where they overlap.
    pub fn gap(&self, pair: Candidate, period: DVec3) -> f64 {
        self.separation(pair, period).length() - self.radii(pair)
    }

    #[inline(always)]
    fn separation(&self, pair: Candidate, period: DVec3) -> DVec3 {
        let separation = self.centre[pair.a as usize] - self.centre[pair.b as usize];
        if pair.image == Image::NONE { separation } else { separation - pair.image.shift(period) }
    }

    #[inline(always)]
    fn radii(&self, pair: Candidate) -> f64 {
        self.radius[pair.a as usize] + self.radius[pair.b as usize]
    }

    /// Whether two items belong to one body.
    #[inline(always)]
    pub fn same_owner(&self, a: u32, b: u32) -> bool {
        !self.owner.is_empty() && self.owner[a as usize] == self.owner[b as usize]
    }
}
