//! Properties of a contact that belong to a pair of materials, not to one of them.

use super::MaterialId;
use serde::{Deserialize, Serialize};

/// Row of a [`PairTable`]: the unordered pair of materials of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PairId(pub u16);

/// What a scene says about two materials that touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairProperties {
    /// Coefficient of restitution e [–], 0 < e ≤ 1.
    pub restitution: f64,
    /// Coulomb friction µ [–].
    pub friction: f64,
    /// Rolling friction µ_r [–]: largest rolling torque over (R* × normal force).
    pub rolling_friction: f64,
    /// Normal stiffness of the linear law [N/m]; unused by Hertz.
    pub normal_stiffness: Option<f64>,
    /// Tangential over normal stiffness of the linear law [–]; unused by Hertz.
    pub tangential_ratio: f64,
}

/// Properties of every unordered pair of materials.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairTable {
    materials: u16,
    rows: Vec<PairProperties>,
}

impl PairTable {
    /// A table for `materials` materials, filled by `properties_of(a, b)` with `a ≤ b`.
    pub fn new(
        materials: u16,
        mut properties_of: impl FnMut(MaterialId, MaterialId) -> PairProperties,
    ) -> Self {
        let mut rows = Vec::with_capacity(materials as usize * (materials as usize + 1) / 2);
        for b in 0..materials {
            for a in 0..=b {
                rows.push(properties_of(MaterialId(a), MaterialId(b)));
            }
        }
        Self { materials, rows }
    }

    /// The row of two materials, in any order.
    pub fn id(&self, a: MaterialId, b: MaterialId) -> PairId {
        let (low, high) = if a <= b { (a.0 as usize, b.0 as usize) } else { (b.0 as usize, a.0 as usize) };
        debug_assert!(high < self.materials as usize);
        PairId((high * (high + 1) / 2 + low) as u16)
    }

    /// The two materials of a row, lower first.
    pub fn materials(&self, id: PairId) -> (MaterialId, MaterialId) {
        let mut high = 0_u16;
        while (high as usize + 1) * (high as usize + 2) / 2 <= id.0 as usize {
            high += 1;
        }
        (MaterialId((id.0 as usize - high as usize * (high as usize + 1) / 2) as u16), MaterialId(high))
    }

    /// All rows, indexed by [`PairId`].
    pub fn rows(&self) -> &[PairProperties] {
        &self.rows
    }
}
