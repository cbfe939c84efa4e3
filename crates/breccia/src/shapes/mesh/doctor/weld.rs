//! Vertices that lie together become one.

use super::draft::Draft;
use super::report::{FindingKind, Severity, counted_as};
use crate::shapes::mesh::topology::DisjointSets;
use glam::DVec3;
use std::collections::HashMap;

/// Cells are this many tolerances wide: most vertices then look into one cell only.
const CELL_TOLERANCES: f64 = 4.0;

/// Joins vertices closer than the tolerance and removes corners that repeat their neighbour.
pub(super) fn weld(draft: &mut Draft) {
    let used = used_vertices(draft);
    let mut sets = close_vertices(&draft.vertices, &used, draft.tolerance);
    let keepers = keepers(&draft.vertices, &used, &mut sets);
    let mut joined = Vec::new();
    let mut moved = 0;
    for &id in used.iter().filter(|&&id| keepers[id as usize] != id) {
        let place = draft.vertices[id as usize];
        moved += usize::from(place != draft.vertices[keepers[id as usize] as usize]);
        joined.push(place);
    }
    for polygon in &mut draft.polygons {
        polygon.ids.iter_mut().for_each(|id| *id = keepers[*id as usize]);
        drop_repeats(&mut polygon.ids);
    }
    let severity = if moved > 0 { Severity::Mended } else { Severity::Note };
    let count = counted_as(joined.len(), "vertex", "vertices");
    let text = if moved > 0 {
        format!("{count} joined with others, {moved} of them moved by up to {:.1e} m", draft.tolerance)
    } else {
        format!("{count} joined with others in the same places")
    };
    draft.report.add(FindingKind::Welded, severity, &joined, text);
}

/// Removes corners that repeat the one before, around the corner list.
fn drop_repeats(ids: &mut Vec<u32>) {
    ids.dedup();
    while ids.len() > 1 && ids.first() == ids.last() {
        ids.pop();
    }
}

fn used_vertices(draft: &Draft) -> Vec<u32> {
    let mut used: Vec<u32> = draft.polygons.iter().flat_map(|polygon| polygon.ids.iter().copied()).collect();
    used.sort_unstable();
    used.dedup();
    used
}

/// Sets of vertices connected by distances within the tolerance.
fn close_vertices(vertices: &[DVec3], used: &[u32], tolerance: f64) -> DisjointSets {
    let mut sets = DisjointSets::new(vertices.len());
    let origin = used.iter().map(|&id| vertices[id as usize]).reduce(DVec3::min).unwrap_or(DVec3::ZERO);
    let cell_of = |p: DVec3| ((p - origin) / (CELL_TOLERANCES * tolerance)).floor();
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::with_capacity(used.len());
    let mut at_place: HashMap<[u64; 3], u32> = HashMap::with_capacity(used.len());
    for &id in used {
        let point = vertices[id as usize];
        // Adding zero makes −0 and 0 the same place.
        let place = (point + DVec3::ZERO).to_array().map(f64::to_bits);
        let first = *at_place.entry(place).or_insert(id);
        if first != id {
            sets.join(first, id);
            continue;
        }
        let (low, high) = (cell_of(point - tolerance), cell_of(point + tolerance));
        for cell in cells_between(low, high) {
            for &other in cells.get(&cell).into_iter().flatten() {
                if vertices[other as usize].distance(point) <= tolerance {
                    sets.join(other, id);
                }
            }
        }
        cells.entry(cell_of(point).to_array().map(|c| c as i64)).or_default().push(id);
    }
    sets
}

fn cells_between(low: DVec3, high: DVec3) -> impl Iterator<Item = [i64; 3]> {
    let [a, b] = [low, high].map(|c| c.to_array().map(|x| x as i64));
    (a[0]..=b[0]).flat_map(move |x| (a[1]..=b[1]).flat_map(move |y| (a[2]..=b[2]).map(move |z| [x, y, z])))
}

/// The vertex that stands for each: the lowest in x, y, z of its set, so that the order of vertices is no matter.
fn keepers(vertices: &[DVec3], used: &[u32], sets: &mut DisjointSets) -> Vec<u32> {
    let order = |a: u32, b: u32| {
        let [a, b] = [a, b].map(|id| vertices[id as usize]);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
    };
    let mut keeper: Vec<u32> = (0..vertices.len() as u32).collect();
    for &id in used {
        let root = sets.root(id) as usize;
        if order(id, keeper[root]).is_lt() {
            keeper[root] = id;
        }
    }
    (0..vertices.len() as u32).map(|id| keeper[sets.root(id) as usize]).collect()
}
