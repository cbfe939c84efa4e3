//! Materials.

use super::{Names, Notes, check};
use crate::model::Material;
use crate::scene::file::MaterialTable;

/// Most materials: rows of the pair table are counted in 16 bits.
const MOST: usize = 300;

pub(super) fn resolve(tables: &[MaterialTable], notes: &mut Notes) -> (Vec<Material>, Names) {
    let mut names = Names::new("material");
    let materials = tables
        .iter()
        .map(|table| {
            names.add(&table.name.value, &table.name.span, notes);
            Material {
                name: table.name.value.clone(),
                density: check::positive("density", &table.density, notes),
                young_modulus: check::positive("young_modulus", &table.young_modulus, notes),
                poisson_ratio: poisson_ratio(table, notes),
            }
        })
        .collect();
    if let Some(extra) = tables.get(MOST) {
        notes.error(extra.span.clone(), format!("at most {MOST} materials are possible"), "one too many");
    }
    (materials, names)
}

fn poisson_ratio(table: &MaterialTable, notes: &mut Notes) -> f64 {
    let ratio = &table.poisson_ratio;
    if !(ratio.value > -1.0 && ratio.value <= 0.5) {
        let message = format!("`poisson_ratio` must be above -1 and at most 0.5, not {}", ratio.value);
        let help = "an isotropic solid outside this range would not be stable; most lie between 0.1 and 0.45";
        notes.error_with_help(ratio.span.clone(), message, "out of range", help);
    }
    ratio.value
}
