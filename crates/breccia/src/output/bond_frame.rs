//! Bonds at one instant, as lines.

use super::frames::{index_data, vector_field};
use super::vtk::{Cells, Field, FieldData, PolyData};
use glam::DVec3;

/// Bonds at one instant: those that hold, then those that broke; all arrays have one entry per bond.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BondFrame {
    /// Centres of the two spheres [m, world].
    pub ends: Vec<[DVec3; 2]>,
    /// Stable numbers of the bonds.
    pub ids: Vec<u32>,
    /// Ids of the two spheres.
    pub bodies: Vec<[u32; 2]>,
    /// Kinds.
    pub kinds: Vec<u16>,
    /// Axial forces [N], tension positive; 0 for broken ones, as all that follows.
    pub normal_forces: Vec<f64>,
    /// Shear forces on the first side [N, world].
    pub shear_forces: Vec<DVec3>,
    /// Twisting moments about the axis [N m].
    pub twisting_moments: Vec<f64>,
    /// Bending moments on the first side [N m, world].
    pub bending_moments: Vec<DVec3>,
    /// Tensile stresses over strengths [–].
    pub tensions: Vec<f64>,
    /// Shear stresses over strengths [–].
    pub shears: Vec<f64>,
    /// 0 where the bond holds, 1 where tension, 2 where shear broke it.
    pub broken: Vec<u8>,
    /// When it broke [s]; −1 where it holds.
    pub broken_at: Vec<f64>,
}

impl BondFrame {
    /// Lines with cell fields.
    pub fn to_poly_data(&self, time: f64) -> PolyData {
        let mut lines = Cells::default();
        for line in 0..self.ends.len() as i64 {
            lines.push([2 * line, 2 * line + 1]);
        }
        let side = |which: usize| FieldData::U32(self.bodies.iter().map(|ids| ids[which]).collect());
        let scalar = |name: &str, values: &[f64]| Field::new(name, 1, FieldData::F64(values.to_vec()));
        PolyData {
            time: Some(time),
            points: self.ends.iter().flatten().map(DVec3::to_array).collect(),
            lines,
            cell_fields: vec![
                Field::new("id", 1, FieldData::U32(self.ids.clone())),
                Field::new("id_a", 1, side(0)),
                Field::new("id_b", 1, side(1)),
                Field::new("kind", 1, index_data(&self.kinds)),
                scalar("normal_force", &self.normal_forces),
                vector_field("shear_force", &self.shear_forces),
                scalar("twisting_moment", &self.twisting_moments),
                vector_field("bending_moment", &self.bending_moments),
                scalar("tension_over_strength", &self.tensions),
                scalar("shear_over_strength", &self.shears),
                Field::new("broken", 1, FieldData::U8(self.broken.clone())),
                scalar("broken_at", &self.broken_at),
            ],
            ..PolyData::default()
        }
    }
}
