//! Spheres near one mesh alone in packed form: most are settled several at a time, and none of their contacts is fetched to learn
//! its row.

use super::{NearWall, SurfaceContact};
use crate::model::WallId;

/// A sphere near one wall alone, and that a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearOneMesh {
    /// The mesh.
    pub wall: WallId,
    /// Row of the sphere.
    pub row: u32,
    /// Place among the near walls.
    pub near: u32,
    /// First of its near elements.
    pub first: u32,
    /// Number of its near elements.
    pub count: u32,
    /// Place of its contact among the lone ones; [`NO_CONTACT`] if it has none there.
    pub lone: u32,
}

/// Place of a contact that is not there.
pub const NO_CONTACT: u32 = u32::MAX;

/// What is known of the near walls and lone contacts of a chunk as long as these lists stay the same.
#[derive(Clone, Debug, Default)]
pub struct LoneIndex {
    /// Row of each lone contact, ascending.
    pub rows: Vec<u32>,
    /// Spheres near one mesh alone, by mesh, then row.
    pub near_one: Vec<NearOneMesh>,
    /// By near wall, whether its sphere has been settled in this step unless it has contacts besides a lone one: it touches
    /// nothing, or its lone contact has been moved to where it is now. Empty if nothing has been looked at.
    pub settled: Vec<bool>,
    /// Number of lone contacts moved in this step.
    pub moved: u64,
}

impl LoneIndex {
    /// The index of some lone contacts and near walls, both by row.
    pub fn new(lone: &[SurfaceContact], near: &[NearWall]) -> Self {
        Self { rows: lone.iter().map(|contact| contact.row).collect(), ..Self::default() }.with(near)
    }

    /// The index of the same lone contacts and other near walls.
    pub fn with(self, near: &[NearWall]) -> Self {
        let Self { rows, mut near_one, settled, .. } = self;
        near_one.clear();
        let (mut own, mut place) = (0_u32, 0);
        for of_row in near.chunk_by(|a, b| a.row == b.row) {
            if let [NearWall { row, wall, first, count: count @ 1.. }] = *of_row {
                place += rows[place..].iter().take_while(|&&own| own < row).count();
                let lone = if rows.get(place) == Some(&row) { place as u32 } else { NO_CONTACT };
                near_one.push(NearOneMesh { wall, row, near: own, first, count, lone });
            }
            own += of_row.len() as u32;
        }
        near_one.sort_by_key(|near| near.wall);
        let mut index = Self { rows, near_one, settled, moved: 0 };
        index.unsettle();
        index
    }

    /// Forgets what was settled.
    pub fn unsettle(&mut self) {
        self.settled.clear();
        self.moved = 0;
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<u32>()
            + self.near_one.capacity() * size_of::<NearOneMesh>()
            + self.settled.capacity()
    }
}
