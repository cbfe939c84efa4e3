//! Files with outlines of grains: tables of points, and libraries of shapes.
//!
//! A library is a TOML file of `[[shape]]` tables: `name`, `kind` (`"periodic"`: smooth, from a periodic uniform control
//! polygon; `"polygon"`; `"clamped"`: any closed clamped cubic, with `knots`), `points` [m] and, if they are not all one,
//! `weights`.

use super::error::Problem;
use super::numeric_table::NumericTable;
use super::quantity;
use super::source::SourceText;
use super::units::Dimension;
use crate::shapes::nurbs::{NurbsCurve, ShapeError};
use glam::DVec2;
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;

/// A closed curve and its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedCurve {
    /// Name within its library.
    pub name: String,
    /// The curve [m].
    pub curve: NurbsCurve,
}

/// A smooth shape to be written to a library.
#[derive(Clone, Debug, PartialEq)]
pub struct PeriodicShape {
    /// Name within the library.
    pub name: String,
    /// Periodic uniform control polygon [m], weights one.
    pub points: Vec<DVec2>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LibraryFile {
    #[serde(default)]
    shape: Vec<Spanned<ShapeTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShapeTable {
    name: String,
    kind: Kind,
    points: Vec<[f64; 2]>,
    weights: Option<Vec<f64>>,
    knots: Option<Vec<f64>>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Periodic,
    Polygon,
    Clamped,
}

/// Reads a library of shapes.
///
/// # Errors
/// If the file cannot be read, is no such library, names a shape twice, or holds a curve that cannot be.
pub fn read_shape_library(path: &Path) -> Result<Vec<NamedCurve>, Problem> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Problem::error(format!("cannot read `{}`: {error}", path.display())))?;
    parse_shape_library(&path.display().to_string(), &text)
}

/// Reads a library of shapes from a text; `name` is for messages.
///
/// # Errors
/// As [`read_shape_library`].
pub fn parse_shape_library(name: &str, text: &str) -> Result<Vec<NamedCurve>, Problem> {
    let source = Arc::new(SourceText::new(name, text));
    let file: LibraryFile = toml::from_str(text).map_err(|error| {
        let problem = Problem::error(format!("`{name}` is no library of shapes: {}", error.message()));
        match error.span() {
            Some(span) => problem.at(&source, span, "here"),
            None => problem,
        }
    })?;
    if file.shape.is_empty() {
        return Err(Problem::error(format!("`{name}` holds no [[shape]]")));
    }
    let mut shapes: Vec<NamedCurve> = Vec::with_capacity(file.shape.len());
    for table in file.shape {
        let span = table.span();
        let table = table.into_inner();
        if shapes.iter().any(|known| known.name == table.name) {
            let message = format!("the shape `{}` is there twice", table.name);
            return Err(Problem::error(message).at(&source, span, "second of this name"));
        }
        let curve = curve_of(&table).map_err(|fault| {
            Problem::error(format!("shape `{}`: {fault}", table.name)).at(&source, span, "this shape")
        })?;
        shapes.push(NamedCurve { name: table.name, curve });
    }
    Ok(shapes)
}

fn curve_of(table: &ShapeTable) -> Result<NurbsCurve, ShapeError> {
    let points: Vec<DVec2> = table.points.iter().map(|&[x, y]| DVec2::new(x, y)).collect();
    let weights = table.weights.clone().unwrap_or_else(|| vec![1.0; points.len()]);
    match (table.kind, &table.knots) {
        (Kind::Periodic, _) => NurbsCurve::from_periodic(&points, &weights),
        (Kind::Polygon, _) => NurbsCurve::from_polygon(&points),
        (Kind::Clamped, knots) => NurbsCurve::new(knots.as_deref().unwrap_or_default(), &points, &weights),
    }
}

/// Text of a library of smooth shapes, beginning with `note` as a comment.
pub fn shape_library_text(note: &str, shapes: &[PeriodicShape]) -> String {
    let mut text = String::new();
    note.lines().for_each(|line| text += &format!("# {line}\n"));
    for shape in shapes {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n[[shape]]\nname = {:?}\nkind = \"periodic\"\npoints = [\n", shape.name);
        for p in &shape.points {
            let _ = writeln!(text, "  [{:?}, {:?}],", p.x, p.y);
        }
        text += "]\n";
    }
    text
}

/// Reads points of an outline from a table with columns x and y [m].
///
/// # Errors
/// If the file cannot be read, lacks a column or holds something other than numbers.
pub fn read_outline_points(path: &Path) -> Result<Vec<DVec2>, Problem> {
    let table = NumericTable::load(path, &[("x", true), ("y", true)])?;
    let point = |values: &[Option<f64>]| match values {
        [Some(x), Some(y)] => Some(DVec2::new(*x, *y)),
        _ => None,
    };
    Ok(table.rows().iter().filter_map(|row| point(&row.values)).collect())
}

/// A length in metres from a text such as `"3.5 mm"`; a bare number counts as metres.
///
/// # Errors
/// Says what is wrong if the text is no length.
pub fn parse_length(text: &str) -> Result<f64, String> {
    let measured = quantity::parse(text).map_err(|error| match error.suggestion {
        Some(unit) => format!("{}; did you mean `{unit}`?", error.message),
        None => error.message,
    })?;
    if measured.has_unit && measured.dimension != Dimension::new(0, 1, 0, 0) {
        return Err("that is no length".into());
    }
    Ok(measured.value)
}
