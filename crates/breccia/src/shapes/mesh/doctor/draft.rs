//! The mesh while it is on the doctor's table.

use super::report::{FindingKind, MeshReport, Severity, counted};
use super::{MeshOptions, RawMesh};
use crate::shapes::mesh::topology::{area_vector, diagonal};
use glam::DVec3;

/// Vertices closer than this share of the box are one, however precise the source.
const SMALLEST_WELD: f64 = 1e-9;

/// Rounding of the source moves vertices apart by at most this many times ε_mesh · box.
const WELD_FACTOR: f64 = 8.0;

/// No tolerance is finer than this share of the box: cells are counted in 64-bit integers.
const SMALLEST_CELL: f64 = 1e-15;

/// Polygons before they become elements.
pub(super) struct Draft {
    /// Corners [m].
    pub vertices: Vec<DVec3>,
    /// Vertex ids, in order around each polygon.
    pub polygons: Vec<Polygon>,
    /// Vertices closer than this are one [m].
    pub tolerance: f64,
    /// Distance that the precision of the source leaves open [m].
    pub rounding: f64,
    /// What has been found.
    pub report: MeshReport,
}

/// A polygon and its group.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polygon {
    pub ids: Vec<u32>,
    pub group: u16,
}

impl Draft {
    /// Takes over the polygons that can be read.
    pub fn new(raw: RawMesh, options: &MeshOptions) -> Self {
        let RawMesh { vertices, polygons, groups, precision, .. } = raw;
        let usable = |id: &u32| vertices.get(*id as usize).is_some_and(|v| v.is_finite());
        let mut unreadable = Vec::new();
        let mut kept = Vec::with_capacity(polygons.len());
        for (i, ids) in polygons.into_iter().enumerate() {
            if ids.iter().all(usable) {
                kept.push(Polygon { ids, group: groups.get(i).copied().unwrap_or(0) });
            } else {
                unreadable.push(DVec3::ZERO);
            }
        }
        let used = kept.iter().flat_map(|polygon| &polygon.ids).map(|&id| vertices[id as usize]);
        let length = diagonal(&used.collect::<Vec<_>>());
        let mut draft = Self {
            vertices,
            polygons: kept,
            tolerance: options
                .weld_tolerance
                .unwrap_or(SMALLEST_WELD.max(WELD_FACTOR * precision) * length)
                .max(SMALLEST_CELL * length)
                .max(f64::MIN_POSITIVE),
            rounding: precision * length,
            report: MeshReport::default(),
        };
        let text = format!(
            "{} dropped that name no vertex or one without finite coordinates: repair the file",
            counted(unreadable.len(), "polygon")
        );
        draft.report.add(FindingKind::Unreadable, Severity::MustFix, &unreadable, text);
        draft
    }

    /// Corner points of a polygon [m].
    pub fn points<'a>(&'a self, ids: &'a [u32]) -> impl Iterator<Item = DVec3> + Clone + 'a {
        ids.iter().map(|&id| self.vertices[id as usize])
    }

    /// Mean of the corners [m]: a place to name a polygon by.
    pub fn centre(&self, ids: &[u32]) -> DVec3 {
        self.points(ids).sum::<DVec3>() / ids.len().max(1) as f64
    }

    /// Whether a polygon is thinner than the weld tolerance everywhere.
    pub fn is_degenerate(&self, ids: &[u32]) -> bool {
        let longest = self.longest_reach(ids);
        ids.len() < 3 || area_vector(self.points(ids)).length() <= self.tolerance * longest
    }

    /// Largest distance between two corners [m].
    pub fn longest_reach(&self, ids: &[u32]) -> f64 {
        let reach = |a: DVec3| self.points(ids).map(|b| (b - a).length()).fold(0.0, f64::max);
        self.points(ids).map(reach).fold(0.0, f64::max)
    }

    /// Removes polygons without area.
    pub fn drop_degenerate(&mut self) {
        let (kept, dropped): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.polygons).into_iter().partition(|p| !self.is_degenerate(&p.ids));
        self.polygons = kept;
        let places: Vec<_> = dropped.iter().map(|polygon| self.centre(&polygon.ids)).collect();
        let text = format!("{} without area dropped", counted(places.len(), "element"));
        self.report.add(FindingKind::Degenerate, Severity::Mended, &places, text);
    }

    /// Removes polygons that have the same corners as an earlier one.
    pub fn drop_duplicates(&mut self) {
        let mut seen = std::collections::HashSet::with_capacity(self.polygons.len());
        let (kept, dropped): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.polygons).into_iter().partition(|polygon| {
                let mut key = polygon.ids.clone();
                key.sort_unstable();
                seen.insert(key)
            });
        self.polygons = kept;
        let places: Vec<_> = dropped.iter().map(|polygon| self.centre(&polygon.ids)).collect();
        let text = format!(
            "{} there twice dropped (make a sheet of two faces a two-sided mesh instead)",
            counted(places.len(), "element")
        );
        self.report.add(FindingKind::Duplicate, Severity::Mended, &places, text);
    }

    /// Forgets vertices that no polygon uses.
    pub fn drop_unused_vertices(&mut self) {
        let mut new_ids = vec![u32::MAX; self.vertices.len()];
        for &id in self.polygons.iter().flat_map(|polygon| &polygon.ids) {
            new_ids[id as usize] = 0;
        }
        let mut kept = Vec::new();
        for (new_id, &vertex) in new_ids.iter_mut().zip(&self.vertices) {
            if *new_id == 0 {
                *new_id = kept.len() as u32;
                kept.push(vertex);
            }
        }
        self.vertices = kept;
        for id in self.polygons.iter_mut().flat_map(|polygon| &mut polygon.ids) {
            *id = new_ids[*id as usize];
        }
    }
}
