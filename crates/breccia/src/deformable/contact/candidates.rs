//! Pairs that may touch in a step: where they start, and what they do at a trial position.

use super::element::{ContactStart, ContactStep, Opposite};
use super::friction::Friction;
use super::pairs::{PairMemory, PairTable};
use super::sort::SortedPairs;
use crate::broad_phase::PointNearBody;
use crate::deformable::setup::SolidSetup;
use crate::narrow_phase::node_segment::{SegmentGeometry, Triple};
use glam::DVec2;
use rayon::prelude::*;

/// Pairs evaluated by one task.
const TASK: usize = 64;

/// A pair that may touch in a step.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Particle and body; walls are numbered after bodies.
    pub pair: PointNearBody,
    /// Dynamic gap, stiffness and friction at the start of the step.
    pub start: ContactStart,
    /// Segment faced; 0 at a wall.
    pub segment: u32,
    /// Distance of the particle from the body's outline or wall at the start; 0 for pairs that touch [m].
    pub distance: f64,
    /// Depth by which a pair without memory overlapped at the start and which was taken as none [m].
    pub clamped: f64,
}

/// A candidate at a trial position.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated {
    /// Number of the candidate.
    pub candidate: u32,
    /// The particle's node and the segment's ends; the particle's thrice at a wall.
    pub nodes: [u32; 3],
    /// Segment faced.
    pub segment: u32,
    /// Geometry in the middle of the step.
    pub opposite: Opposite,
    /// Moves of the nodes [m].
    pub moves: Triple,
    /// Gap, pressure, friction, forces.
    pub step: ContactStep,
    /// Start of the step with the friction of the segment faced now.
    pub start: ContactStart,
}

/// Candidates of a step that starts at positions `x0` [m]: pairs found near, less those farther apart than the reach of
/// the sort, and all that touch.
pub fn begin_candidates(
    setup: &SolidSetup,
    x0: &[DVec2],
    sorted: &SortedPairs,
    table: &PairTable,
) -> Vec<Candidate> {
    let begin = |pair: &PointNearBody| {
        let is_new = table.get(*pair).is_none();
        is_new.then(|| first_met(setup, x0, *pair)).flatten().filter(|met| met.distance <= sorted.margin)
    };
    let new: Vec<Candidate> = sorted.near.par_iter().with_min_len(TASK).filter_map(begin).collect();
    let mut candidates = Vec::with_capacity(new.len() + table.rows.len());
    let mut new = new.into_iter().peekable();
    for (pair, memory) in &table.rows {
        while let Some(met) = new.next_if(|met| met.pair < *pair) {
            candidates.push(met);
        }
        candidates.push(remembered(setup, *pair, memory));
    }
    candidates.extend(new);
    candidates
}

fn remembered(setup: &SolidSetup, pair: PointNearBody, memory: &PairMemory) -> Candidate {
    let friction = Friction { coefficient: 0.0, stiffness: memory.tangential, slip: memory.slip };
    let start = ContactStart {
        gap: memory.gap,
        stiffness: memory.stiffness,
        friction,
        rule: setup.settings.pressure,
    };
    Candidate { pair, start, segment: memory.segment, distance: 0.0, clamped: 0.0 }
}

fn first_met(setup: &SolidSetup, x0: &[DVec2], pair: PointNearBody) -> Option<Candidate> {
    let particle = &setup.particles[pair.point as usize];
    let place = x0[particle.node as usize];
    let body = pair.body as usize;
    let (gap, distance, segment, properties) = match setup.bodies.get(body) {
        Some(owner) => {
            let facing = owner.outline().face(place, &x0[setup.nodes(body)])?;
            let properties = setup.pair_with_segment(particle, body, facing.segment);
            (facing.gap, facing.distance, facing.segment, properties)
        }
        None => {
            let number = body - setup.bodies.len();
            let wall = &setup.walls[number];
            let gap = wall.normal.dot(place - wall.point);
            (gap, gap.abs(), 0, setup.pair_with_wall(particle, number))
        }
    };
    let start = ContactStart {
        gap: gap.max(0.0),
        stiffness: properties.stiffness,
        friction: Friction { coefficient: 0.0, stiffness: properties.tangential, slip: 0.0 },
        rule: setup.settings.pressure,
    };
    let clamped = (-gap).max(0.0);
    Some(Candidate { pair, start, segment, distance: if gap < 0.0 { 0.0 } else { distance }, clamped })
}

/// What candidates do when nodes go from `x0` to `x1` [m]. Those too far to touch are left out.
pub fn evaluate(
    setup: &SolidSetup,
    candidates: &[Candidate],
    (x0, x1, middle): (&[DVec2], &[DVec2], &[DVec2]),
    project: bool,
) -> Vec<Evaluated> {
    let way = x0.iter().zip(x1).map(|(from, to)| from.distance_squared(*to)).fold(0.0, f64::max).sqrt();
    // Both sides move, and beyond its ends a segment moves more than they do.
    let reach = 4.0 * way;
    let one = |(number, candidate): (usize, &Candidate)| {
        if candidate.distance > reach {
            return None;
        }
        let particle = &setup.particles[candidate.pair.point as usize];
        let body = candidate.pair.body as usize;
        let own = particle.node;
        let mut start = candidate.start;
        let (nodes, segment, opposite, properties) = match setup.bodies.get(body) {
            Some(owner) => {
                let range = setup.nodes(body);
                let first = range.start as u32;
                let segment = match project {
                    true => owner.outline().face(middle[own as usize], &middle[range])?.segment,
                    false => candidate.segment,
                };
                let [from, to] = owner.outline().segments[segment as usize];
                let nodes = [own, first + from, first + to];
                let geometry = SegmentGeometry::new(nodes.map(|node| middle[node as usize]));
                let properties = setup.pair_with_segment(particle, body, segment);
                (nodes, segment, Opposite::Segment(geometry), properties)
            }
            None => {
                let number = body - setup.bodies.len();
                let normal = setup.walls[number].normal;
                ([own; 3], 0, Opposite::Wall { normal }, setup.pair_with_wall(particle, number))
            }
        };
        start.friction.coefficient = properties.friction;
        let moves = nodes.map(|node| x1[node as usize] - x0[node as usize]);
        let step = start.advance(&opposite, &moves);
        Some(Evaluated { candidate: number as u32, nodes, segment, opposite, moves, step, start })
    };
    candidates.par_iter().enumerate().with_min_len(TASK).filter_map(one).collect()
}
