//! Which bodies may touch: searches that see bounds and owners, nothing else.

mod binary_tree;
mod bounds;
mod brute_force;
mod cell_grid;
mod components;
mod image;
mod layout;
mod point_search;
mod regions;

pub use binary_tree::{BinaryTree, SortCounts};
pub use bounds::BoundsTable;
pub use brute_force::BruteForce;
pub use cell_grid::{CellGrid, FindNeighbours, NearPair};
pub use components::{ComponentSearch, FoundPairs, SearchWork, TooLong};
pub use image::Image;
pub use point_search::{PointFinder, PointNearBody, Zone};
pub use regions::{Region, extent};

pub(crate) use layout::CellLayout;

use crate::model::Domain;

/// Two items that may touch: `b` seen through a periodic image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// One item.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// Image in which `b` is near `a`.
    pub image: Image,
}

impl Candidate {
    /// The same pair with the lower number first.
    pub fn lower_first(self) -> Self {
        if self.a <= self.b { self } else { Self { a: self.b, b: self.a, image: self.image.opposite() } }
    }
}

/// A search structure over bounds.
///
/// Any shape can be searched by any of them; brute force is the oracle. Queries are read-only, so that
/// items can be asked for in parallel.
pub trait BroadPhase: Sync {
    /// Takes in the bounds; pairs closer than `skin` [m] beyond touching are to be found.
    fn rebuild(&mut self, bounds: &BoundsTable, skin: f64, domain: &Domain);

    /// Visits items near item `a`. Over all `a`, every pair with different owners whose bounds come nearer
    /// than the skin is visited exactly once, in a fixed order.
    fn visit_near(&self, bounds: &BoundsTable, a: u32, visit: &mut impl FnMut(Candidate));
}
