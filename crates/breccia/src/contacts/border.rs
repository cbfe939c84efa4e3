//! Contacts across chunks: evaluated once, by the chunk that has them; the other side's share is handed over.

use super::ForceRow;
use crate::math::{LANES, Simd, Vec3};
use serde::{Deserialize, Serialize};

/// Which sides of contacts have their rows in the chunk that has the contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OwnSides {
    /// Both.
    Both,
    /// Side a; rows of side b belong to others.
    A,
    /// Side b; rows of side a belong to others.
    B,
}

impl OwnSides {
    /// Which of two rows are among the `count` rows from `first` on, one of them at least.
    #[inline(always)]
    pub(super) fn within(rows: [u32; 2], first: u32, count: u32) -> Self {
        match rows.map(|row| row.wrapping_sub(first) < count) {
            [true, true] => Self::Both,
            [true, false] => Self::A,
            [false, _] => Self::B,
        }
    }
}

/// Loads of a chunk's contacts on rows of others, block after block.
///
/// Written with the forces of the chunk and read by those that have the rows, when they know their own forces. The order is
/// that of the contacts, whoever evaluates or reads them when.
#[derive(Clone, Debug, Default)]
pub struct BorderLoads {
    /// Rows of others, block after block; that of an unused lane is a dummy's. Apart from the loads, because every chunk
    /// looks for its own among them.
    rows: Vec<[u32; LANES]>,
    /// What is done to them.
    loads: Vec<[ForceRow; LANES]>,
}

impl BorderLoads {
    /// Forgets all loads and makes room for so many blocks: a sixteenth beyond what is needed, where lists left to themselves
    /// would double.
    pub fn begin(&mut self, blocks: usize) {
        fn clear<T>(values: &mut Vec<T>, wanted: usize) {
            values.clear();
            if values.capacity() < wanted {
                values.reserve_exact(wanted + wanted / 16);
            }
        }
        clear(&mut self.rows, blocks);
        clear(&mut self.loads, blocks);
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.rows.capacity() * size_of::<[u32; LANES]>()
            + self.loads.capacity() * size_of::<[ForceRow; LANES]>()
    }

    /// Rows and loads, block after block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&[u32; LANES], &[ForceRow; LANES])> {
        self.rows.iter().zip(&self.loads)
    }

    /// Notes forces [N], torques [N m] and shares of the braking limit [N m] on the lanes of a block from `at` on; parts of a
    /// block come one after the other.
    #[inline(always)]
    pub(super) fn put<S: Simd>(
        &mut self,
        at: usize,
        rows: &[u32; LANES],
        force: Vec3<S>,
        torque: Vec3<S>,
        braking: S,
    ) {
        if at == 0 {
            self.rows.push(*rows);
            self.loads.push([ForceRow::default(); LANES]);
        }
        let Some(loads) = self.loads.last_mut() else { return };
        let force = S::rows([force.x, force.y, force.z, braking]);
        let torque = S::rows([torque.x, torque.y, torque.z, S::splat(0.0)]);
        for k in 0..S::WIDTH {
            loads[at + k] = ForceRow { force: force[k], torque: torque[k] };
        }
    }
}
