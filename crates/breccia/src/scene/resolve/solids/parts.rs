//! Parts of a body: surfaces with properties of their own, loads, supports.

use super::{check, flat_or_zero, friction};
use crate::deformable::mesh::boundary_loops;
use crate::deformable::{Penalty, PlaneMotion, ShapePlan, Support, SurfaceProperties, Traction};
use crate::narrow_phase::node_segment::Outline;
use crate::scene::error::Span;
use crate::scene::file::SolidTable;
use crate::scene::read::{Length, Vector};
use crate::scene::resolve::Notes;
use glam::DVec2;

/// What the entries of a body say about its parts.
pub(super) struct Parts {
    pub(super) surfaces: Vec<SurfaceProperties>,
    pub(super) surface_of_segment: Vec<u32>,
    pub(super) supports: Vec<Support>,
    pub(super) tractions: Vec<Traction>,
}

/// A box in the frame of a shape.
struct Corner {
    low: DVec2,
    high: DVec2,
}

impl Corner {
    fn new(min: &Vector<Length>, max: &Vector<Length>) -> Self {
        Self { low: min.value.truncate(), high: max.value.truncate() }
    }

    fn holds(&self, point: DVec2) -> bool {
        point.cmpge(self.low).all() && point.cmple(self.high).all()
    }
}

/// Surfaces, loads and supports of a body.
pub(super) fn parts(
    table: &SolidTable,
    own: SurfaceProperties,
    shape: &ShapePlan,
    notes: &mut Notes,
) -> Parts {
    let points = &shape.mesh.points;
    // The mesh was checked before: it has loops.
    let loops = boundary_loops(&shape.mesh).unwrap_or_default();
    let outline = Outline::new(loops.into_iter().map(|found| found.nodes));
    let mut parts = Parts {
        surfaces: vec![own],
        surface_of_segment: vec![0; outline.segments.len()],
        supports: Vec::new(),
        tractions: Vec::new(),
    };
    for surface in &table.surface {
        let number = parts.surfaces.len() as u32;
        let mut properties = own;
        if surface.friction.is_some() {
            properties.friction = friction(surface.friction.as_ref(), notes);
        }
        if let Some(penalty) = &surface.penalty {
            properties.penalty = Penalty::PerPoint(check::positive("penalty", penalty, notes));
        }
        parts.surfaces.push(properties);
        let corner = Corner::new(&surface.min, &surface.max);
        let mut found = false;
        for (segment, ends) in outline.segments.iter().enumerate() {
            if ends.iter().all(|&node| corner.holds(points[node as usize])) {
                parts.surface_of_segment[segment] = number;
                found = true;
            }
        }
        report_empty("segment of the outline", found, &surface.span, notes);
        if let Some(traction) = &surface.traction {
            let stress = flat_or_zero(Some(traction), "traction", notes);
            parts.tractions.push(Traction { surface: number, stress });
        }
    }
    for support in &table.support {
        let corner = Corner::new(&support.min, &support.max);
        let held = |&node: &u32| corner.holds(points[node as usize]);
        let nodes: Vec<u32> = (0..points.len() as u32).filter(held).collect();
        report_empty("node", !nodes.is_empty(), &support.span, notes);
        parts.supports.push(Support {
            nodes,
            axes: axes(&support.axes, notes),
            motion: PlaneMotion {
                velocity: flat_or_zero(support.velocity.as_ref(), "velocity", notes),
                spin: support.spin.as_ref().map_or(0.0, |spin| spin.value),
                centre: flat_or_zero(support.centre.as_ref(), "centre", notes),
            },
        });
    }
    parts
}

fn report_empty(what: &str, found: bool, span: &Span, notes: &mut Notes) {
    if !found {
        let help = "boxes are given in the frame of the shape, before it is turned and moved";
        notes.error_with_help(span.clone(), format!("no {what} lies in this box"), "empty", help);
    }
}

fn axes(given: &[crate::scene::read::Located<crate::scene::file::Axis>], notes: &mut Notes) -> [bool; 2] {
    let mut axes = [given.is_empty(); 2];
    for axis in given {
        match axes.get_mut(axis.value.0) {
            Some(held) => *held = true,
            None => notes.error(axis.span.clone(), "deformable bodies have the axes x and y", "no such axis"),
        }
    }
    axes
}
