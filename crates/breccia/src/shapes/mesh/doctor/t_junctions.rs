//! Vertices on the inside of another polygon's side.
//!
//! They become straight corners of that polygon, so that the surface is connected there and nothing moves.

use super::draft::Draft;
use super::report::{FindingKind, Severity, counted};
use crate::shapes::mesh::cells::Cells;
use std::collections::HashMap;

/// Inserts vertices that lie on free sides of polygons.
pub(super) fn join_t_junctions(draft: &mut Draft) {
    let free = free_sides(draft);
    let mut vertices: Vec<u32> = free.keys().flat_map(|&(a, b)| [a, b]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let point = |&id: &u32| (draft.vertices[id as usize], draft.vertices[id as usize]);
    let cells = Cells::new(vertices.iter().map(point).collect());
    let mut polygons = std::mem::take(&mut draft.polygons);
    let mut places = Vec::new();
    for polygon in &mut polygons {
        let ids = std::mem::take(&mut polygon.ids);
        for (i, &start) in ids.iter().enumerate() {
            let end = ids[(i + 1) % ids.len()];
            polygon.ids.push(start);
            if free.contains_key(&(start.min(end), start.max(end))) {
                let between = vertices_on_side(draft, &cells, &vertices, [start, end], &ids);
                places.extend(between.iter().map(|&id| draft.vertices[id as usize]));
                polygon.ids.extend(between);
            }
        }
    }
    draft.polygons = polygons;
    let text = format!(
        "{}: vertices on the side of a neighbour, which got them as corners",
        counted(places.len(), "T-junction")
    );
    draft.report.add(FindingKind::TJunction, Severity::Mended, &places, text);
}

/// Sides that belong to one polygon only.
fn free_sides(draft: &Draft) -> HashMap<(u32, u32), u32> {
    let mut counts = HashMap::new();
    for polygon in &draft.polygons {
        let ids = &polygon.ids;
        for (i, &start) in ids.iter().enumerate() {
            let end = ids[(i + 1) % ids.len()];
            *counts.entry((start.min(end), start.max(end))).or_insert(0) += 1;
        }
    }
    counts.retain(|_, count| *count == 1);
    counts
}

/// Free vertices within the tolerance of a side, from its start to its end; none that the polygon already has.
fn vertices_on_side(draft: &Draft, cells: &Cells, free: &[u32], side: [u32; 2], own: &[u32]) -> Vec<u32> {
    let [start, end] = side.map(|id| draft.vertices[id as usize]);
    let along = end - start;
    let length = along.length();
    let mut near = Vec::new();
    cells.meeting(&(start.min(end) - draft.tolerance, start.max(end) + draft.tolerance), &mut near);
    let mut found: Vec<(f64, u32)> = near
        .iter()
        .map(|&i| free[i as usize])
        .filter(|id| !own.contains(id))
        .filter_map(|id| {
            let arm = draft.vertices[id as usize] - start;
            let reach = arm.dot(along) / length;
            let away = (arm - along * (reach / length)).length();
            (away <= draft.tolerance && reach > 0.0 && reach < length).then_some((reach, id))
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, id)| id).collect()
}
