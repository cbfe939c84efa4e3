//! The sort: which particles come near which bodies before the next one.

use super::pairs::PairTable;
use crate::broad_phase::{PointNearBody, Region, SortCounts, Zone};
use crate::deformable::error::SolidError;
use crate::deformable::setup::SolidSetup;
use crate::narrow_phase::node_segment::{Outline, cross};
use glam::DVec2;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Least reach of the search relative to the largest body.
const LEAST_REACH: f64 = 1e-3;

/// Pairs found near, and until when the list holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SortedPairs {
    /// Pairs, sorted.
    pub near: Vec<PointNearBody>,
    /// How far boxes were grown [m].
    pub margin: f64,
    /// Where particles were at the sort [m].
    pub places: Vec<DVec2>,
    /// Steps taken since; `None` before the first sort.
    pub age: Option<u32>,
}

impl SortedPairs {
    /// Whether the list serves another step.
    pub fn holds(&self, steps_between_sorts: u32) -> bool {
        self.age.is_some_and(|age| age < steps_between_sorts)
    }

    /// Whether a particle moved so far since the sort that pairs may be missing.
    pub fn is_outrun(&self, setup: &SolidSetup, x: &[DVec2]) -> bool {
        let limit = 0.25 * self.margin * self.margin;
        let moved = |(particle, place): (&crate::deformable::setup::Particle, &DVec2)| {
            x[particle.node as usize].distance_squared(*place) > limit
        };
        setup.particles.iter().zip(&self.places).any(moved)
    }
}

/// Sorts particles that are at `x` and move at up to `fastest` [m/s]; `ahead` is where they are looked for [m].
pub fn sort_points(
    setup: &SolidSetup,
    (x, ahead): (&[DVec2], &[DVec2]),
    fastest: f64,
    time_step: f64,
) -> (SortedPairs, SortCounts) {
    let settings = &setup.settings;
    let steps = f64::from(settings.steps_between_sorts.max(1));
    let margin = settings.reach_factor * steps * fastest * time_step + LEAST_REACH * setup.largest;
    let at = |places: &[DVec2]| -> Vec<DVec2> {
        setup.particles.iter().map(|particle| places[particle.node as usize]).collect()
    };
    let points = at(ahead);
    let owners: Vec<u32> = setup.particles.iter().map(|particle| particle.body).collect();
    let (mut near, counts) = settings.finder.find(&points, &owners, &zones(setup, &points, margin));
    near.retain(|pair| {
        let owner = setup.particles[pair.point as usize].body;
        !(setup.is_obstacle(owner as usize) && setup.is_obstacle(pair.body as usize))
    });
    (SortedPairs { near, margin, places: at(x), age: Some(0) }, counts)
}

/// Bodies' boxes, and the neighbourhoods of walls.
fn zones(setup: &SolidSetup, points: &[DVec2], margin: f64) -> Vec<Zone> {
    let mut zones = Vec::with_capacity(setup.bodies.len() + setup.walls.len());
    let mut first = 0;
    for (owner, body) in setup.bodies.iter().enumerate() {
        let end = first + body.outline().segments.len();
        let region = Region::around(points[first..end].iter().copied(), margin);
        zones.push(Zone { owner: owner as u32, region });
        first = end;
    }
    for (owner, wall) in (setup.bodies.len() as u32..).zip(&setup.walls) {
        let offset = wall.normal.dot(wall.point) + margin;
        zones.push(Zone { owner, region: Region::HalfPlane { normal: wall.normal, offset } });
    }
    zones
}

/// Whether a list that was outrun missed pairs that overlap in the middle of a step, `middle` [m].
pub fn missed_overlap(
    setup: &SolidSetup,
    known: &SortedPairs,
    found: &SortedPairs,
    table: &PairTable,
    middle: &[DVec2],
) -> bool {
    let is_new =
        |pair: &&PointNearBody| known.near.binary_search(pair).is_err() && table.get(**pair).is_none();
    let overlaps = |pair: &PointNearBody| setup.real_gap(*pair, middle).is_some_and(|(gap, _)| gap < 0.0);
    found.near.iter().filter(is_new).any(overlaps)
}

/// An elastic body whose outline crosses itself at positions `x` [m], if there is one.
pub fn crossing(setup: &SolidSetup, x: &[DVec2], time: f64) -> Result<(), SolidError> {
    let crosses = |number: usize| {
        let body = &setup.bodies[number];
        let places = &x[setup.nodes(number)];
        let nodes = body.shape().and_then(|shape| crossing_segments(&shape.outline, places))?;
        Some((number, nodes, places[nodes[0] as usize]))
    };
    match (0..setup.bodies.len()).into_par_iter().with_min_len(8).find_map_first(crosses) {
        None => Ok(()),
        Some((number, nodes, at)) => {
            Err(SolidError::SelfContact { time, body: setup.bodies[number].name.clone(), nodes, at })
        }
    }
}

/// Ends of two segments that cross: all are swept along x.
fn crossing_segments(outline: &Outline, x: &[DVec2]) -> Option<[u32; 4]> {
    let mut order: Vec<(f64, f64, usize)> = outline
        .segments
        .iter()
        .enumerate()
        .map(|(number, ends)| {
            let [from, to] = ends.map(|node| x[node as usize].x);
            (from.min(to), from.max(to), number)
        })
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
    let mut open: Vec<(f64, usize)> = Vec::new();
    for (low, high, number) in order {
        open.retain(|&(end, _)| end >= low);
        let ends = outline.segments[number];
        for &(_, other) in &open {
            let others = outline.segments[other];
            let joined = ends.iter().any(|node| others.contains(node));
            let places = |ends: [u32; 2]| ends.map(|node| x[node as usize]);
            if !joined && cross(places(ends), places(others)) {
                return Some([ends[0], ends[1], others[0], others[1]]);
            }
        }
        open.push((high, number));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    #[test]
    fn an_outline_that_crosses_itself_is_noticed() {
        let outline = Outline::new([(0..5).collect()].into_iter());
        let house = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 2.0), (0.0, 1.0)];
        let mut x: Vec<DVec2> = house.iter().map(|&(x, y)| dvec2(x, y)).collect();
        assert_eq!(crossing_segments(&outline, &x), None);
        x[3] = dvec2(1.0, -0.2);
        let nodes = crossing_segments(&outline, &x).unwrap();
        assert!(nodes.contains(&3) && nodes.contains(&0) && nodes.contains(&1), "{nodes:?}");
    }
}
