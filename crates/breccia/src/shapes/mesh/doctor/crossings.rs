//! Elements that pass through each other, or cover each other in one plane.

use super::report::{FindingKind, MeshReport, Severity, counted};
use crate::shapes::mesh::cells::Cells;
use crate::shapes::mesh::topology::DisjointSets;
use crate::shapes::mesh::{Element, PolygonMesh};
use glam::DVec3;

/// Finds pairs of elements that meet in more than their common corners and sides; touching within `tolerance`
/// [m] is no meeting.
pub(super) fn find_crossings(mesh: &PolygonMesh, tolerance: f64, report: &mut MeshReport) {
    let cells = Cells::new((0..mesh.elements.len()).map(|e| mesh.element_box(e)).collect());
    let mut surfaces = connected_surfaces(mesh);
    let (mut overlaps, mut own, mut foreign) = (Vec::new(), Vec::new(), Vec::new());
    let mut near = Vec::new();
    for (e, element) in mesh.elements.iter().enumerate() {
        cells.meeting(&mesh.element_box(e), &mut near);
        for &f in near.iter().filter(|&&f| f as usize > e) {
            let other = &mesh.elements[f as usize];
            if let Some(place) = overlap(mesh, element, other, tolerance) {
                overlaps.push(place);
            } else if let Some(place) = crossing(mesh, element, other, tolerance) {
                let same = surfaces.root(e as u32) == surfaces.root(f);
                if same { own.push(place) } else { foreign.push(place) }
            }
        }
    }
    let text = format!(
        "{} of elements cover each other in one plane: forces stay right, tractions per element are shared \
         between them; remove one of each",
        counted(overlaps.len(), "pair")
    );
    report.add(FindingKind::Overlap, Severity::Note, &overlaps, text);
    let text = format!(
        "{} of elements of one surface pass through each other: repair the surface",
        counted(own.len(), "pair")
    );
    report.add(FindingKind::SelfIntersection, Severity::MustFix, &own, text);
    let text = format!(
        "{} of elements of separate surfaces pass through each other: harmless where the bodies are one in \
         reality, as a blade on its shaft",
        counted(foreign.len(), "pair")
    );
    report.add(FindingKind::Intersection, Severity::Note, &foreign, text);
}

/// Elements that share edges.
fn connected_surfaces(mesh: &PolygonMesh) -> DisjointSets {
    let mut sets = DisjointSets::new(mesh.elements.len());
    for edge in &mesh.edges {
        let elements = edge.elements.as_slice();
        elements.iter().for_each(|&e| sets.join(elements[0], e));
    }
    sets
}

/// A point of the common part of two elements in one plane.
fn overlap(mesh: &PolygonMesh, a: &Element, b: &Element, tolerance: f64) -> Option<DVec3> {
    let in_plane = |plane: &Element, of: &Element| {
        mesh.corners(of).all(|corner| (plane.normal.dot(corner) - plane.offset).abs() <= tolerance)
    };
    let overlapping = in_plane(a, b)
        && in_plane(b, a)
        && !has_separating_side(mesh, a, b, tolerance)
        && !has_separating_side(mesh, b, a, tolerance);
    overlapping.then(|| middle_of_boxes(mesh, a, b))
}

/// Whether all of `b` lies beyond one side of `a`, in the plane of `a`.
fn has_separating_side(mesh: &PolygonMesh, a: &Element, b: &Element, tolerance: f64) -> bool {
    let next = mesh.corners(a).cycle().skip(1);
    mesh.corners(a).zip(next).any(|(start, end)| {
        let outwards = (end - start).cross(a.normal).normalize_or_zero();
        mesh.corners(b).all(|corner| outwards.dot(corner - start) >= -tolerance)
    })
}

fn middle_of_boxes(mesh: &PolygonMesh, a: &Element, b: &Element) -> DVec3 {
    let bounds = |element: &Element| {
        let infinite = DVec3::splat(f64::INFINITY);
        mesh.corners(element).fold((infinite, -infinite), |(low, high), c| (low.min(c), high.max(c)))
    };
    let ((low_a, high_a), (low_b, high_b)) = (bounds(a), bounds(b));
    0.5 * (low_a.max(low_b) + high_a.min(high_b))
}

/// The middle of the line along which two elements pass through each other.
fn crossing(mesh: &PolygonMesh, a: &Element, b: &Element, tolerance: f64) -> Option<DVec3> {
    let direction = a.normal.cross(b.normal).try_normalize()?;
    let in_b = cut(mesh, a, b, tolerance)?;
    let in_a = cut(mesh, b, a, tolerance)?;
    let [p, q] =
        [in_a, in_b].map(|[x, y]| if x.dot(direction) <= y.dot(direction) { [x, y] } else { [y, x] });
    let later = if p[0].dot(direction) > q[0].dot(direction) { p[0] } else { q[0] };
    let earlier = if p[1].dot(direction) < q[1].dot(direction) { p[1] } else { q[1] };
    ((earlier - later).dot(direction) > tolerance).then(|| 0.5 * (earlier + later))
}

/// Ends of the cut of element `of` by the plane of `plane`; none unless `of` has corners clearly on both sides.
fn cut(mesh: &PolygonMesh, plane: &Element, of: &Element, tolerance: f64) -> Option<[DVec3; 2]> {
    let height = |p: DVec3| plane.normal.dot(p) - plane.offset;
    let heights = mesh.corners(of).map(height);
    let below = heights.clone().fold(f64::INFINITY, f64::min);
    let above = heights.fold(f64::NEG_INFINITY, f64::max);
    if below >= -tolerance || above <= tolerance {
        return None;
    }
    let next = mesh.corners(of).cycle().skip(1);
    let mut ends = mesh.corners(of).zip(next).filter_map(|(p, q)| {
        let (hp, hq) = (height(p), height(q));
        ((hp < 0.0) != (hq < 0.0)).then(|| p + (q - p) * (hp / (hp - hq)))
    });
    Some([ends.next()?, ends.next()?])
}
