//! Outlines of grains.

use super::super::{Names, Notes, check};
use crate::implicit::{GrainSeed, OutlinePlan};
use crate::scene::error::Span;
use crate::scene::file::{BuiltInTable, OutlineFileTable, OutlineKind, OutlineTable};
use crate::scene::outlines::{read_outline_points, read_shape_library};
use crate::scene::read::{Length, Number, Plane, Quantity, Text};
use crate::shapes::nurbs::{
    BUILT_IN_SHAPES, GrainShape, LOBES, NurbsCurve, STRONG_LOBES, ShapeError, built_in_shape,
};
use glam::DVec2;
use std::path::Path;

/// An outline and its size.
struct Outline {
    plan: OutlinePlan,
    diameter: f64,
    radius: f64,
}

/// The outlines of a scene; a table may give several.
pub(super) struct Outlines {
    names: Names,
    /// First and last outline of each table.
    ranges: Vec<std::ops::Range<u32>>,
    all: Vec<Outline>,
    contact_knots: usize,
}

impl Outlines {
    pub(super) fn resolve(
        tables: &[OutlineTable],
        contact_knots: usize,
        folder: &Path,
        notes: &mut Notes,
    ) -> Self {
        let mut outlines =
            Self { names: Names::new("outline"), ranges: Vec::new(), all: Vec::new(), contact_knots };
        for table in tables {
            outlines.names.add(&table.name.value, &table.name.span, notes);
            let first = outlines.all.len() as u32;
            outlines.add(table, folder, notes);
            outlines.ranges.push(first..outlines.all.len() as u32);
        }
        outlines
    }

    fn add(&mut self, table: &OutlineTable, folder: &Path, notes: &mut Notes) {
        let span = &table.span;
        match &table.kind {
            OutlineKind::Disc(disc) => {
                let radius = 0.5 * check::positive("diameter", &disc.diameter, notes);
                self.push(OutlinePlan::Disc(radius), span, notes);
            }
            OutlineKind::BuiltIn(built_in) => self.add_built_in(built_in, span, notes),
            OutlineKind::Smooth(smooth) => {
                let (points, weights) = weighted(&smooth.points, &smooth.weights);
                self.push_curve(NurbsCurve::from_periodic(&points, &weights), span, notes);
            }
            OutlineKind::Polygon(polygon) => {
                self.push_curve(NurbsCurve::from_polygon(&plain(&polygon.points)), span, notes);
            }
            OutlineKind::Nurbs(nurbs) => {
                let (points, weights) = weighted(&nurbs.points, &nurbs.weights);
                let knots: Vec<f64> = nurbs.knots.iter().map(|knot| knot.value).collect();
                self.push_curve(NurbsCurve::new(&knots, &points, &weights), span, notes);
            }
            OutlineKind::File(file) => self.add_file(file, span, folder, notes),
        }
    }

    fn add_built_in(&mut self, table: &BuiltInTable, span: &Span, notes: &mut Notes) {
        let diameter = check::positive("diameter", &table.diameter, notes);
        let lobes = if table.strong.unwrap_or(false) { &STRONG_LOBES } else { &LOBES };
        let all: Vec<u64> = (0..u64::from(BUILT_IN_SHAPES)).collect();
        let numbers = if table.numbers.is_empty() { &all } else { &table.numbers };
        for &number in numbers {
            if number >= u64::from(BUILT_IN_SHAPES) {
                let message = format!("there is no built-in shape {number}: they are numbered 0 to 15");
                notes.error(span.clone(), message, "no such shape");
                continue;
            }
            match built_in_shape(table.family, number as u32, lobes, diameter) {
                Ok(shape) => self.push(OutlinePlan::of_shape(&shape), span, notes),
                Err(error) => notes.error(span.clone(), error.to_string(), "cannot be a grain"),
            }
        }
    }

    fn add_file(&mut self, table: &OutlineFileTable, span: &Span, folder: &Path, notes: &mut Notes) {
        let scale = table.scale.as_ref().map_or(1.0, |scale| check::positive("scale", scale, notes));
        let path = folder.join(&table.file.value);
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
            match read_outline_points(&path) {
                Ok(points) => {
                    let points: Vec<DVec2> = points.into_iter().map(|point| point * scale).collect();
                    let curve = if table.smooth.unwrap_or(false) {
                        NurbsCurve::from_periodic(&points, &vec![1.0; points.len()])
                    } else {
                        NurbsCurve::from_polygon(&points)
                    };
                    self.push_curve(curve, span, notes);
                }
                Err(problem) => notes.push_at_if_nowhere(problem, &table.file.span),
            }
            return;
        }
        match read_shape_library(&path) {
            Ok(shapes) => {
                for shape in shapes {
                    self.push_curve(Ok(shape.curve.mapped(|point| point * scale)), span, notes);
                }
            }
            Err(problem) => notes.push_at_if_nowhere(problem, &table.file.span),
        }
    }

    fn push_curve(&mut self, curve: Result<NurbsCurve, ShapeError>, span: &Span, notes: &mut Notes) {
        match curve {
            Ok(curve) => self.push(OutlinePlan::of_curve(&curve), span, notes),
            Err(error) => notes.error(span.clone(), error.to_string(), "cannot be a grain"),
        }
    }

    fn push(&mut self, plan: OutlinePlan, span: &Span, notes: &mut Notes) {
        match plan.shape(self.contact_knots) {
            Ok(shape) => self.all.push(Outline {
                // About its centroid, as the run sees it.
                plan: OutlinePlan::of_shape(&shape),
                diameter: shape.equal_area_diameter(),
                radius: GrainShape::bounding_radius(&shape),
            }),
            Err(error) => notes.error(span.clone(), error.to_string(), "cannot be a grain"),
        }
    }

    /// Numbers of the outlines of these names, or of all.
    pub(super) fn numbers(&self, names: &[Text], notes: &mut Notes) -> Vec<u32> {
        if names.is_empty() {
            return (0..self.all.len() as u32).collect();
        }
        let places = names.iter().filter_map(|name| self.names.find(name, notes));
        places.collect::<Vec<_>>().into_iter().flat_map(|place| self.ranges[place].clone()).collect()
    }

    /// Radius of the circle around an outline [m].
    pub(super) fn radius(&self, number: u32) -> f64 {
        self.all[number as usize].radius
    }

    /// Mean equal-area diameter of grains [m].
    pub(super) fn mean_diameter(&self, grains: &[GrainSeed]) -> f64 {
        let sum: f64 = grains.iter().map(|seed| self.all[seed.outline as usize].diameter).sum();
        sum / grains.len().max(1) as f64
    }

    pub(super) fn plans(&self) -> Vec<OutlinePlan> {
        self.all.iter().map(|outline| outline.plan.clone()).collect()
    }
}

fn plain(points: &[Plane<Length>]) -> Vec<DVec2> {
    points.iter().map(|point| point.value).collect()
}

fn weighted(points: &[Plane<Length>], weights: &[Quantity<Number>]) -> (Vec<DVec2>, Vec<f64>) {
    let given: Vec<f64> = weights.iter().map(|weight| weight.value).collect();
    let weights = if given.is_empty() { vec![1.0; points.len()] } else { given };
    (plain(points), weights)
}
