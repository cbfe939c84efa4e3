//! What the mesh doctor found.

use glam::DVec3;
use std::fmt;

/// Places kept per finding.
const PLACES_KEPT: usize = 5;

/// What was found in a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// Size and place of the mesh, with a hint when its unit looks wrong.
    Size,
    /// Polygons that name no vertex or a vertex without finite coordinates.
    Unreadable,
    /// Vertices joined because they lie together.
    Welded,
    /// Elements without area.
    Degenerate,
    /// Vertices on the inside of another element's side.
    TJunction,
    /// Polygons that are warped.
    Warped,
    /// Polygons that are not convex.
    Concave,
    /// Polygons with too many corners.
    ManyCorners,
    /// Polygons that cross themselves.
    SelfCrossing,
    /// Elements that are there twice.
    Duplicate,
    /// Elements whose normal was turned.
    Flipped,
    /// Closed bodies that were inside out.
    InsideOut,
    /// Seams where no orientation is consistent, as on a Möbius strip.
    NonOrientable,
    /// Edges shared by more than two elements.
    NonManifold,
    /// Loops of free edges.
    Hole,
    /// Pairs of elements that cover each other in one plane.
    Overlap,
    /// Pairs of elements of one connected surface that pass through each other.
    SelfIntersection,
    /// Pairs of elements of separate surfaces that pass through each other.
    Intersection,
}

/// Who must act on a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nobody: worth knowing.
    Note,
    /// Nobody: it was mended.
    Mended,
    /// The user: results would be wrong.
    MustFix,
}

/// One kind of defect, how often and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// Who must act.
    pub severity: Severity,
    /// How often it occurs.
    pub count: usize,
    /// The first places [m, mesh frame].
    pub places: Vec<DVec3>,
    /// What it means and what to do about it.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)?;
        if let Some(place) = self.places.first() {
            let [x, y, z] = place.to_array().map(rounded);
            write!(f, " (first at {x} {y} {z})")?;
        }
        Ok(())
    }
}

/// A coordinate with six significant digits, for people.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// All findings of the doctor, in the order of its work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshReport {
    /// The findings; a kind appears at most once.
    pub findings: Vec<Finding>,
}

impl MeshReport {
    /// Whether the user must mend something before the mesh is used.
    pub fn must_fix(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::MustFix)
    }

    /// The finding of a kind.
    pub fn find(&self, kind: FindingKind) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.kind == kind)
    }

    /// Adds a finding unless it occurs nowhere; `text` says what, given the places found.
    pub(super) fn add(&mut self, kind: FindingKind, severity: Severity, places: &[DVec3], text: String) {
        if !places.is_empty() {
            let first = places.iter().take(PLACES_KEPT).copied().collect();
            self.findings.push(Finding { kind, severity, count: places.len(), places: first, text });
        }
    }
}

/// `1 element`, `2 elements`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    counted_as(count, noun, &format!("{noun}s"))
}

/// A count with its noun in the singular or the plural.
pub(super) fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
