//! Bonds: contacts that do not die with their gap, until their strength is reached.
//!
//! Live bonds lie in chunks like pair contacts, in blocks of eight; a bond across chunks lives in one of them. What connects
//! what, and the bodies (components) that bonds hold together, is kept by stable numbers in [`Fragments`].

mod block;
mod carry;
mod forces;
mod fragments;
mod group;
mod waiting;

pub use block::{Bond, BondBlock, BondMemory};
pub use carry::{BondedRows, LiveBond, live_bonds};
pub use forces::{FailedBond, bond_forces};
pub use fragments::{BondEnds, Fragments};
pub use group::BondGroup;
pub use waiting::NewBonds;

use crate::model::BondKindId;
use serde::{Deserialize, Serialize};

/// What broke a bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FailureMode {
    /// Tension, from stretch or bending.
    Tension,
    /// Shear, from slip or twist.
    Shear,
}

/// A bond that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BrokenBond {
    /// Stable number.
    pub id: u32,
    /// Kind.
    pub kind: BondKindId,
    /// Step in which it broke.
    pub step: u64,
    /// What broke it.
    pub mode: FailureMode,
    /// Elastic energy it had stored [J].
    pub energy: f64,
}
