//! Materials.

use super::{Names, Notes, check};
use crate::model::Material;
use crate::scene::file::MaterialTable;

/// Most materials: rows of the pair table are counted in 16 bits.
const MOST: usize = 300;

/// Materials and their names; `elastic` ones must say how stiff they are.
pub(super) fn resolve(tables: &[MaterialTable], elastic: bool, notes: &mut Notes) -> (Vec<Material>, Names) {
    let mut names = Names::new("material");
    let materials = tables
        .iter()
        .map(|table| {
            names.add(&table.name.value, &table.name.span, notes);
            Material {
                name: table.name.value.clone(),
                density: check::positive("density", &table.density, notes),
                young_modulus: young_modulus(table, elastic, notes),
                poisson_ratio: poisson_ratio(table, elastic, notes),
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

fn young_modulus(table: &MaterialTable, needed: bool, notes: &mut Notes) -> f64 {
    match &table.young_modulus {
        Some(modulus) => check::positive("young_modulus", modulus, notes),
        None => {
            report_missing("young_modulus", needed, table, notes);
            // Where it is needed, one that says nothing more.
            if needed { 1.0 } else { f64::INFINITY }
        }
    }
}

fn report_missing(key: &str, needed: bool, table: &MaterialTable, notes: &mut Notes) {
    if needed {
        notes.error(table.span.clone(), format!("missing key `{key}`"), "needed here");
    }
}

fn poisson_ratio(table: &MaterialTable, needed: bool, notes: &mut Notes) -> f64 {
    let Some(ratio) = &table.poisson_ratio else {
        report_missing("poisson_ratio", needed, table, notes);
        return 0.0;
    };
    if !(ratio.value > -1.0 && ratio.value <= 0.5) {
        let message = format!("`poisson_ratio` must be above -1 and at most 0.5, not {}", ratio.value);
        let help = "an isotropic solid outside this range would not be stable; most lie between 0.1 and 0.45";
        notes.error_with_help(ratio.span.clone(), message, "out of range", help);
    }
    ratio.value
}
