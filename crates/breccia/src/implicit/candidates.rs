//! Phase 1: which contacts the program of a step gets.

use super::assemble::external_forces;
use super::contact::GrainContact;
use super::setup::GrainSetup;
use super::state::{GrainState, WallState};
use crate::broad_phase::{BoundsTable, BroadPhase, CellGrid};
use crate::model::Domain;
use crate::narrow_phase::grains::{GrainPose, PlaneWall, find_contacts};
use glam::DVec2;
use rayon::prelude::*;

/// Grains per task of the search.
const TASK: usize = 64;
/// Reach of the search of dynamic steps at rest, in mean diameters.
const DYNAMIC_REACH: f64 = 0.05;
/// Predicted gap below which a point of a dynamic step is a contact, in mean diameters.
const PREDICTED_GAP: f64 = 0.04;
/// How much farther than predicted motion is looked for.
const MOTION_MARGIN: f64 = 1.2;

/// Two things near each other and how far to look, the second perhaps a wall.
pub(super) type NearPair = (u32, u32, f64);

/// Pairs whose bounding circles come nearer than the sum of both grains' allowances [m], grain by grain, walls last.
pub(super) fn near_pairs(setup: &GrainSetup, state: &GrainState, allowance: &[f64]) -> Vec<(u32, u32)> {
    let bounds = BoundsTable {
        centre: state.position.iter().map(|place| place.extend(0.0)).collect(),
        radius: setup.grains.iter().zip(allowance).map(|(grain, more)| grain.radius + more).collect(),
        owner: Vec::new(),
    };
    let mut grid = CellGrid::default();
    grid.rebuild(&bounds, 0.0, &Domain::unbounded());
    let of_grain = |grain: u32| {
        let mut near = Vec::new();
        grid.visit_near(&bounds, grain, &mut |pair| {
            let pair = pair.lower_first();
            near.push((pair.a, pair.b));
        });
        for (number, wall) in state.walls.iter().enumerate().filter(|(_, wall)| wall.is_there()) {
            let height = wall.normal.dot(state.position[grain as usize]) - wall.offset;
            if height < bounds.radius[grain as usize] + allowance[grain as usize] {
                near.push((grain, setup.wall_number(number)));
            }
        }
        near
    };
    let mut pairs: Vec<(u32, u32)> =
        (0..setup.grains.len() as u32).into_par_iter().with_min_len(TASK).flat_map_iter(of_grain).collect();
    pairs.par_sort_unstable();
    pairs
}

/// Contact points of pairs within their reach.
pub(super) fn detect(setup: &GrainSetup, state: &GrainState, pairs: &[NearPair]) -> Vec<GrainContact> {
    let poses: Vec<GrainPose> = setup
        .grains
        .iter()
        .zip(state.position.iter().zip(&state.angle))
        .map(|(grain, (&position, &angle))| GrainPose { shape: grain.shape, position, angle })
        .collect();
    let walls: Vec<PlaneWall> =
        state.walls.iter().map(|wall| PlaneWall { normal: wall.normal, offset: wall.offset }).collect();
    find_contacts(&setup.shapes, &poses, &walls, pairs, &setup.settings.knots)
}

/// Pairs of a quasi-static step, all with one reach [m].
pub(super) fn static_pairs(setup: &GrainSetup, state: &GrainState, reach: f64) -> Vec<NearPair> {
    let allowance = vec![0.5 * reach; setup.grains.len()];
    near_pairs(setup, state, &allowance).into_iter().map(|(a, b)| (a, b, reach)).collect()
}

/// Pairs of a dynamic step, each with the reach its relative motion asks for [m].
pub(super) fn dynamic_pairs(setup: &GrainSetup, state: &GrainState, time_step: f64) -> Vec<NearPair> {
    let still = DYNAMIC_REACH * setup.mean_diameter();
    let way = MOTION_MARGIN * time_step;
    let turning = |grain: usize| setup.grains[grain].radius * state.spin[grain].abs();
    let fastest_wall = state.walls.iter().map(|wall| wall.velocity.length()).fold(0.0, f64::max);
    let allowance: Vec<f64> = (0..setup.grains.len())
        .map(|grain| 0.5 * still + way * (state.velocity[grain].length() + turning(grain) + fastest_wall))
        .collect();
    near_pairs(setup, state, &allowance)
        .into_iter()
        .map(|(a, b)| {
            let (velocity, turning_b) = match setup.wall_of(b) {
                Some(wall) => (state.walls[wall].velocity, 0.0),
                None => (state.velocity[b as usize], turning(b as usize)),
            };
            let relative = (state.velocity[a as usize] - velocity).length();
            (a, b, still + way * (relative + turning(a as usize) + turning_b))
        })
        .collect()
}

/// Points of a dynamic step that may close within it.
pub(super) fn closing_points(
    setup: &GrainSetup,
    state: &GrainState,
    mut points: Vec<GrainContact>,
    time_step: f64,
) -> Vec<GrainContact> {
    let push: Vec<DVec2> = external_forces(setup, state)
        .iter()
        .zip(&setup.grains)
        .map(|(force, grain)| DVec2::new(force[0], force[1]) / grain.mass)
        .collect();
    let near = PREDICTED_GAP * setup.mean_diameter();
    points.retain(|point| predicted_gap(setup, state, &push, point, time_step) < near);
    points
}

/// The gap of a point now or, if that is less, at the end of a step without contact forces [m].
fn predicted_gap(
    setup: &GrainSetup,
    state: &GrainState,
    push: &[DVec2],
    contact: &GrainContact,
    time_step: f64,
) -> f64 {
    let at = |grain: usize| {
        let arm = contact.point - state.position[grain];
        state.velocity[grain] + push[grain] * time_step + state.spin[grain] * arm.perp()
    };
    let master = match setup.wall_of(contact.master) {
        Some(wall) => state.walls[wall].velocity,
        None => at(contact.master as usize),
    };
    let closing = contact.normal.dot(at(contact.slave as usize) - master);
    contact.gap.min(contact.gap + time_step * closing)
}

/// Displacement of a wall over a step as far as it is known [m].
pub(super) fn known_motion(wall: &WallState, time_step: f64) -> DVec2 {
    match wall.control {
        super::setup::WallControl::Moves(velocity) => velocity * time_step,
        _ => DVec2::ZERO,
    }
}
