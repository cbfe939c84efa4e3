//! The contact record: all that laws, output and diagnostics know of two things that touch.
//!
//! The step keeps the same content packed in lanes ([`super::ContactBlock`], [`super::SurfaceContact`]); this
//! is its spelled-out form, one contact at a time, by stable ids.

use crate::model::{PairId, WallId};
use glam::DVec3;

/// Who takes part in a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Partner {
    /// A body, by stable id.
    Body(u32),
    /// A wall.
    Wall(WallId),
}

/// Stable name of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// Side a.
    pub a: Partner,
    /// Side b.
    pub b: Partner,
    /// Feature of side a: 0 for a sphere.
    pub feature_a: u32,
    /// Feature of side b: 0 for a sphere, the number of the face or rim for a wall.
    pub feature_b: u32,
}

/// How a side is moved by a force at the contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attachment {
    /// A rigid body; the arm runs from its centre to the contact point [m, world].
    RigidArm(DVec3),
    /// A body whose motion is prescribed; its velocity at the contact point [m/s, world].
    Prescribed(DVec3),
    /// Nodes of a deformable body, numbered over all bodies, and the shares of the force they take.
    Nodes {
        /// The nodes; the same twice for a single one.
        nodes: [u32; 2],
        /// Their shares, which add up to 1.
        shares: [f64; 2],
    },
}

/// Forces of a contact on side a; side b gets the opposite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForce {
    /// Normal force [N], ≥ 0.
    pub normal: f64,
    /// Tangential force on a [N, world].
    pub tangential: DVec3,
}

/// One contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRecord {
    /// Stable name.
    pub key: ContactKey,
    /// Contact point [m, world].
    pub point: DVec3,
    /// Unit normal from b to a [world].
    pub normal: DVec3,
    /// Gap [m]; negative when overlapping.
    pub gap: f64,
    /// How side a is moved.
    pub attachment_a: Attachment,
    /// How side b is moved.
    pub attachment_b: Attachment,
    /// Law parameters: the pair of materials.
    pub law: PairId,
    /// Forces.
    pub force: ContactForce,
}
