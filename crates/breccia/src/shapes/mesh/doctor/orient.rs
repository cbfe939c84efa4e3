//! Normals of connected elements are made to agree, and those of closed bodies to point outwards.

use super::draft::Draft;
use super::report::{FindingKind, Severity, counted, counted_as};
use super::{Facing, MeshOptions};
use crate::shapes::mesh::PolygonMesh;
use glam::DVec3;

/// A side of a polygon: its ends ascending, whether it runs upwards, and its polygon.
type Side = (u32, u32, bool, u32);

/// Elements connected over manifold edges, and which of them must be turned to agree with the first.
struct Component {
    members: Vec<u32>,
    turned: Vec<u32>,
}

/// Turns polygons so that neighbours agree, and closed one-sided bodies so that they face as asked.
pub(super) fn orient(draft: &mut Draft, options: &MeshOptions) {
    let neighbours = neighbours(draft);
    let (components, seams) = flood(&neighbours, draft);
    let mut flipped = Vec::new();
    for component in &components {
        // The majority is right about an open surface.
        let turn_all = 2 * component.turned.len() > component.members.len();
        let mut turn = component.turned.clone();
        if turn_all {
            turn = component.members.iter().copied().filter(|e| turn.binary_search(e).is_err()).collect();
        }
        for &e in &turn {
            flipped.push(draft.centre(&draft.polygons[e as usize].ids));
            draft.polygons[e as usize].ids.reverse();
        }
    }
    let text = format!("{} turned to agree with those beside", counted(flipped.len(), "element"));
    draft.report.add(FindingKind::Flipped, Severity::Mended, &flipped, text);
    report_seams(draft, &seams, options);
    if !options.two_sided {
        face_bodies(draft, &components, options.facing);
    }
}

fn report_seams(draft: &mut Draft, seams: &[DVec3], options: &MeshOptions) {
    let severity = if options.two_sided { Severity::Note } else { Severity::MustFix };
    let text = format!(
        "no orientation is consistent, as on a Möbius strip: the normals change sides at {}; \
         cut the surface or make the mesh two-sided",
        counted(seams.len(), "edge")
    );
    draft.report.add(FindingKind::NonOrientable, severity, seams, text);
}

/// For each polygon, its neighbours over edges of exactly two polygons and whether their turns agree.
fn neighbours(draft: &Draft) -> Vec<Vec<(u32, bool)>> {
    let mut sides: Vec<Side> = Vec::new();
    for (e, polygon) in draft.polygons.iter().enumerate() {
        let ids = &polygon.ids;
        for (i, &start) in ids.iter().enumerate() {
            let end = ids[(i + 1) % ids.len()];
            sides.push((start.min(end), start.max(end), start < end, e as u32));
        }
    }
    sides.sort_unstable();
    let mut neighbours = vec![Vec::new(); draft.polygons.len()];
    for run in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [(_, _, up_e, e), (_, _, up_f, f)] = *run {
            neighbours[e as usize].push((f, up_e != up_f));
            neighbours[f as usize].push((e, up_e != up_f));
        }
    }
    neighbours
}

/// Flood fill from the first element of each component; also the places where no turn fits.
fn flood(neighbours: &[Vec<(u32, bool)>], draft: &Draft) -> (Vec<Component>, Vec<DVec3>) {
    let mut turn: Vec<Option<bool>> = vec![None; neighbours.len()];
    let (mut components, mut seams) = (Vec::new(), Vec::new());
    for seed in 0..neighbours.len() {
        if turn[seed].is_some() {
            continue;
        }
        turn[seed] = Some(false);
        let mut members = vec![seed as u32];
        let mut next = 0;
        while let Some(&e) = members.get(next) {
            next += 1;
            let own = turn[e as usize] == Some(true);
            for &(f, agrees) in &neighbours[e as usize] {
                let wanted = own == agrees;
                match turn[f as usize] {
                    None => {
                        turn[f as usize] = Some(wanted);
                        members.push(f);
                    }
                    // Each seam is met from both sides: count it once.
                    Some(has) if has != wanted && e < f => {
                        seams.push(draft.centre(&draft.polygons[e as usize].ids));
                    }
                    Some(_) => {}
                }
            }
        }
        members.sort_unstable();
        let turned = members.iter().copied().filter(|&e| turn[e as usize] == Some(true)).collect();
        components.push(Component { members, turned });
    }
    (components, seams)
}

/// Turns closed bodies inside out where they face the wrong way. Bodies within bodies are cavities, so every
/// level of nesting changes the side.
fn face_bodies(draft: &mut Draft, components: &[Component], facing: Facing) {
    let outermost = match facing {
        Facing::Outwards => true,
        Facing::Inwards => false,
        Facing::AsGiven => return,
    };
    let bodies: Vec<(PolygonMesh, &Component)> = components
        .iter()
        .filter_map(|component| closed_body(draft, component).map(|b| (b, component)))
        .collect();
    let mut places = Vec::new();
    let mut turned = 0;
    for (body, component) in &bodies {
        let depth = bodies.iter().filter(|(other, _)| surrounds(other, body)).count();
        let outwards = outermost == (depth % 2 == 0);
        if (body.volume() > 0.0) != outwards {
            places.push(draft.centre(&draft.polygons[component.members[0] as usize].ids));
            turned += component.members.len();
            for &e in &component.members {
                draft.polygons[e as usize].ids.reverse();
            }
        }
    }
    let text = format!(
        "{} faced the wrong way: all {turned} elements turned",
        counted_as(places.len(), "closed body", "closed bodies")
    );
    draft.report.add(FindingKind::InsideOut, Severity::Mended, &places, text);
}

/// The component as a mesh of its own, if it is closed.
fn closed_body(draft: &Draft, component: &Component) -> Option<PolygonMesh> {
    let polygons = component.members.iter().map(|&e| draft.polygons[e as usize].ids.clone());
    let mut vertices = Vec::new();
    let mut polygons: Vec<Vec<u32>> = polygons.collect();
    let mut new_ids = std::collections::HashMap::new();
    for id in polygons.iter_mut().flatten() {
        *id = *new_ids.entry(*id).or_insert_with(|| {
            vertices.push(draft.vertices[*id as usize]);
            vertices.len() as u32 - 1
        });
    }
    PolygonMesh::from_polygons(vertices, &polygons, &[], false, 0.0).filter(PolygonMesh::is_closed)
}

/// Whether all of one body lies inside another.
fn surrounds(outer: &PolygonMesh, inner: &PolygonMesh) -> bool {
    let (Some(a), Some(b)) = (outer.bounding_box(), inner.bounding_box()) else { return false };
    a.0.cmplt(b.0).all() && b.1.cmplt(a.1).all() && inner.vertices.iter().all(|&v| outer.contains(v))
}
