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

/// Warns of materials that neither bodies nor walls are made of.
pub(super) fn warn_unused(tables: &[MaterialTable], is_used: impl Fn(usize) -> bool, notes: &mut Notes) {
    for (_, table) in tables.iter().enumerate().filter(|&(place, _)| !is_used(place)) {
        let message = format!("the material `{}` is not used by any body or wall", table.name.value);
        notes.warn(
            table.name.span.clone(),
            message,
            "unused",
            "leave it out, or check the names of the others",
        );
    }
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
