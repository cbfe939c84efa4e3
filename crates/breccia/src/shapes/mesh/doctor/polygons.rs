//! Warped, concave and many-cornered polygons are split into triangles.

use super::draft::{Draft, Polygon};
use super::report::{FindingKind, Severity, counted_as};
use crate::shapes::mesh::MAX_CORNERS;
use crate::shapes::mesh::topology::area_vector;
use glam::DVec3;

/// Corners may leave the plane of their polygon by this share of its size.
const FLATNESS: f64 = 1e-6;

/// Corners may lie inside the convex hull by this share of the polygon's size: rounding of straight corners.
const STRAIGHTNESS: f64 = 1e-9;

/// Splits what is not planar, convex and small enough.
pub(super) fn split_polygons(draft: &mut Draft) {
    let polygons = std::mem::take(&mut draft.polygons);
    let mut places = [const { Vec::new() }; 4];
    for polygon in polygons {
        let Some(reason) = reason_to_split(draft, &polygon.ids) else {
            draft.polygons.push(polygon);
            continue;
        };
        let centre = draft.centre(&polygon.ids);
        places[reason as usize].push(centre);
        let (triangles, simple) = ear_clip(draft, &polygon.ids);
        if !simple || crosses_itself(draft, &polygon.ids) {
            places[3].push(centre);
        }
        let group = polygon.group;
        draft.polygons.extend(triangles.into_iter().map(|ids| Polygon { ids: ids.to_vec(), group }));
    }
    report(draft, &places);
}

#[derive(Clone, Copy)]
enum Reason {
    Warped = 0,
    Concave = 1,
    ManyCorners = 2,
}

fn report(draft: &mut Draft, places: &[Vec<DVec3>; 4]) {
    const SPLIT: &str = "split into triangles";
    let kinds = [
        (FindingKind::Warped, Severity::Mended, "warped polygon", "warped polygons", SPLIT),
        (FindingKind::Concave, Severity::Mended, "concave polygon", "concave polygons", SPLIT),
        (
            FindingKind::ManyCorners,
            Severity::Mended,
            "polygon of more than 8 corners",
            "polygons of more than 8 corners",
            SPLIT,
        ),
        (
            FindingKind::SelfCrossing,
            Severity::MustFix,
            "self-crossing polygon",
            "self-crossing polygons",
            "correct the lists of corners",
        ),
    ];
    for ((kind, severity, one, many, remedy), places) in kinds.into_iter().zip(places) {
        let text = format!("{}: {remedy}", counted_as(places.len(), one, many));
        draft.report.add(kind, severity, places, text);
    }
}

fn reason_to_split(draft: &Draft, ids: &[u32]) -> Option<Reason> {
    if ids.len() == 3 {
        return None;
    }
    let normal = area_vector(draft.points(ids)).normalize_or_zero();
    let size = draft.longest_reach(ids);
    let centre = draft.centre(ids);
    let flatness = (FLATNESS * size).max(draft.rounding);
    if draft.points(ids).any(|p| normal.dot(p - centre).abs() > flatness) {
        return Some(Reason::Warped);
    }
    // Vertices inserted at T-junctions lie within the weld tolerance of a side, so twice that is straight.
    let straightness = (STRAIGHTNESS * size).max(2.0 * draft.tolerance.min(flatness));
    if !is_convex(draft, ids, normal, straightness) {
        return Some(Reason::Concave);
    }
    (ids.len() > MAX_CORNERS).then_some(Reason::ManyCorners)
}

/// Whether every corner lies to the left of every side, up to a distance.
fn is_convex(draft: &Draft, ids: &[u32], normal: DVec3, tolerance: f64) -> bool {
    (0..ids.len()).all(|i| {
        let [a, b] = [ids[i], ids[(i + 1) % ids.len()]].map(|id| draft.vertices[id as usize]);
        let inwards = normal.cross(b - a).normalize_or_zero();
        draft.points(ids).all(|p| inwards.dot(p - a) >= -tolerance)
    })
}

/// Triangles of a polygon, and whether it is a simple one.
///
/// The ear with the shortest cut is clipped first: it gives the better diagonal of a warped quad and keeps
/// slivers away.
fn ear_clip(draft: &Draft, ids: &[u32]) -> (Vec<[u32; 3]>, bool) {
    let normal = area_vector(draft.points(ids)).normalize_or_zero();
    let mut rest = ids.to_vec();
    let mut triangles = Vec::with_capacity(ids.len());
    let mut simple = true;
    let all_cuts = |rest: &[u32]| (0..rest.len()).map(|i| ear_at(draft, rest, i, normal)).collect::<Vec<_>>();
    let mut cuts = all_cuts(&rest);
    while rest.len() > 3 {
        let ear = shortest(&cuts).or_else(|| {
            // Straight corners that hid an ear may be gone.
            cuts = all_cuts(&rest);
            shortest(&cuts)
        });
        simple &= ear.is_some();
        let i = ear.unwrap_or(0);
        triangles.push(corner_triangle(&rest, i));
        rest.remove(i);
        cuts.remove(i);
        // Clipping an ear changes the corners beside it only.
        for neighbour in [(i + rest.len() - 1) % rest.len(), i % rest.len()] {
            cuts[neighbour] = ear_at(draft, &rest, neighbour, normal);
        }
    }
    triangles.push([rest[0], rest[1], rest[2]]);
    triangles.retain(|triangle| !draft.is_degenerate(triangle));
    (triangles, simple)
}

/// The corner with the shortest cut.
fn shortest(cuts: &[Option<f64>]) -> Option<usize> {
    let ears = cuts.iter().enumerate().filter_map(|(i, cut)| cut.map(|length| (length, i)));
    ears.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, i)| i)
}

/// Whether two sides pass through each other, seen along the normal.
fn crosses_itself(draft: &Draft, ids: &[u32]) -> bool {
    let normal = area_vector(draft.points(ids)).normalize_or_zero();
    let side = |i: usize| [ids[i], ids[(i + 1) % ids.len()]].map(|id| draft.vertices[id as usize]);
    let separates = |[a, b]: [DVec3; 2], [c, d]: [DVec3; 2]| {
        let left = normal.cross(b - a).normalize_or_zero();
        let (at_c, at_d) = (left.dot(c - a), left.dot(d - a));
        at_c.min(at_d) < -draft.tolerance && at_c.max(at_d) > draft.tolerance
    };
    (0..ids.len()).any(|i| (0..i).any(|j| separates(side(i), side(j)) && separates(side(j), side(i))))
}

fn corner_triangle(ids: &[u32], corner: usize) -> [u32; 3] {
    let n = ids.len();
    [ids[(corner + n - 1) % n], ids[corner], ids[(corner + 1) % n]]
}

/// Length of the cut [m] if the corner is an ear: it turns left and no other corner lies in its triangle.
fn ear_at(draft: &Draft, ids: &[u32], corner: usize, normal: DVec3) -> Option<f64> {
    let triangle = corner_triangle(ids, corner);
    let [a, b, c] = triangle.map(|id| draft.vertices[id as usize]);
    if (b - a).cross(c - b).dot(normal) <= 0.0 || draft.is_degenerate(&triangle) {
        return None;
    }
    let inside = |p: DVec3| {
        [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| {
            let inwards = normal.cross(to - from).normalize_or_zero();
            inwards.dot(p - from) >= -draft.tolerance
        })
    };
    let others = ids.iter().filter(|id| !triangle.contains(id)).map(|&id| draft.vertices[id as usize]);
    (!others.into_iter().any(inside)).then(|| (c - a).length())
}
