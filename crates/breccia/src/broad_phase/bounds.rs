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
        let (a, b) = (pair.a as usize, pair.b as usize);
        let mut separation = self.centre[a] - self.centre[b];
        if pair.image != Image::NONE {
            separation -= pair.image.shift(period);
        }
        let reach = self.radius[a] + self.radius[b] + skin;
        separation.length_squared() < reach * reach
    }

    /// Whether two items belong to one body.
    #[inline(always)]
    pub fn same_owner(&self, a: u32, b: u32) -> bool {
        !self.owner.is_empty() && self.owner[a as usize] == self.owner[b as usize]
    }
}
