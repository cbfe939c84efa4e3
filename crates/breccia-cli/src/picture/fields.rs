//! Values of fields by name.

use crate::problem::Failure;
use breccia::output::vtk::{Field, FieldData, PolyData};
use std::collections::BTreeSet;

/// What spheres are coloured by without a wish, the best first; as in the viewer's `fields.js`.
pub const OF_SPHERES: [&str; 2] = ["fragment_size", "velocity"];
/// What grains are coloured by.
pub const OF_GRAINS: [&str; 5] = ["pressure", "velocity", "speed", "grain", "id"];
/// What solids are coloured by.
pub const OF_SOLIDS: [&str; 3] = ["von_mises", "stress", "velocity"];

/// Values of a field, one per point or per cell.
pub struct Values {
    /// One number each.
    pub numbers: Vec<f64>,
    /// Name with unit: `speed [m/s]`.
    pub legend: String,
}

/// Number `index` of all components of a field.
fn value(data: &FieldData, index: usize) -> f64 {
    match data {
        FieldData::F64(v) => v[index],
        FieldData::F32(v) => f64::from(v[index]),
        FieldData::I64(v) => v[index] as f64,
        FieldData::U32(v) => f64::from(v[index]),
        FieldData::U8(v) => f64::from(v[index]),
    }
}

/// The values a name stands for among some fields: a scalar, the size of a vector, or one part of it (`velocity.z`).
pub fn find(fields: &[Field], key: &str) -> Option<Values> {
    let key =
        if key == "speed" && !fields.iter().any(|field| field.name == "speed") { "velocity" } else { key };
    let (name, part) = key.rsplit_once('.').map_or((key, None), |(name, part)| (name, Some(part)));
    let field = fields.iter().find(|field| field.name == name)?;
    let n = field.components.max(1);
    let part = match part {
        None => None,
        Some(letter) => Some("xyz".find(letter).filter(|&place| letter.len() == 1 && place < n)?),
    };
    let tuple = |i: usize| match part {
        Some(place) => value(&field.data, n * i + place),
        None if n == 1 => value(&field.data, i),
        None => (0..n).map(|c| value(&field.data, n * i + c)).map(|x| x * x).sum::<f64>().sqrt(),
    };
    let spoken =
        if name == "velocity" && part.is_none() { "speed".to_owned() } else { key.replace('_', " ") };
    let unit = unit_of(name);
    let legend = if unit.is_empty() { spoken } else { format!("{spoken} [{unit}]") };
    Some(Values { numbers: (0..field.data.len() / n).map(tuple).collect(), legend })
}

/// Number of different values of a cell field.
pub fn distinct(data: &PolyData, name: &str) -> Option<usize> {
    let values = find(&data.cell_fields, name)?;
    Some(values.numbers.iter().map(|number| number.to_bits()).collect::<BTreeSet<_>>().len())
}

/// Names of all fields of some data, for advice.
pub fn names<'a>(data: impl IntoIterator<Item = &'a PolyData>) -> String {
    let fields = data.into_iter().flat_map(|data| data.point_fields.iter().chain(&data.cell_fields));
    let names: BTreeSet<&str> = fields.map(|field| field.name.as_str()).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// A field that is not there.
pub fn unknown<'a>(key: &str, data: impl IntoIterator<Item = &'a PolyData>) -> Failure {
    Failure::other(format!("the frames have no field {key:?}"), format!("there are: plain, {}", names(data)))
}

fn unit_of(name: &str) -> &'static str {
    match name {
        "radius" | "overlap" | "displacement" => "m",
        "velocity" | "speed" => "m/s",
        "spin" => "rad/s",
        "force" | "normal_force" | "shear_force" => "N",
        "torque" | "twisting_moment" | "bending_moment" => "N m",
        "broken_at" => "s",
        name if ["stress", "traction", "pressure", "mises"].iter().any(|word| name.contains(word)) => "Pa",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_and_the_page_show_the_same_without_a_wish() {
        let page = include_str!("../view/page/fields.js");
        let kinds: [(&str, &[&str]); 3] =
            [("spheres", &OF_SPHERES), ("grains", &OF_GRAINS), ("solids", &OF_SOLIDS)];
        for (kind, keys) in kinds {
            let start = format!("  {kind}: {{ title: ");
            let line = page.lines().find(|line| line.starts_with(&start)).unwrap();
            let list = keys.iter().map(|key| format!("{key:?}")).collect::<Vec<_>>().join(", ");
            assert!(line.contains(&format!("colour: [{list}]")), "{line}");
        }
    }

    #[test]
    fn fields_have_sizes_and_parts() {
        let fields = [
            Field::new("velocity", 3, FieldData::F32(vec![3.0, 0.0, 4.0, 0.0, 0.0, 2.0])),
            Field::new("id", 1, FieldData::U32(vec![7, 8])),
        ];
        assert_eq!(find(&fields, "speed").unwrap().numbers, [5.0, 2.0]);
        assert_eq!(find(&fields, "velocity").unwrap().legend, "speed [m/s]");
        assert_eq!(find(&fields, "velocity.z").unwrap().numbers, [4.0, 2.0]);
        assert_eq!(find(&fields, "id").unwrap().numbers, [7.0, 8.0]);
        for wrong in ["velocity.w", "velocity.xy", "id.y", "nothing", "", "."] {
            assert!(find(&fields, wrong).is_none(), "{wrong}");
        }
    }
}
