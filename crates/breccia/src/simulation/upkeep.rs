//! Phase 3: lists that cannot miss a contact.

use super::{Setup, StepError};
use crate::contacts::ListInput;
use crate::contacts::bonds::Fragments;
use crate::crew::Habits;
use crate::diagnostics::{Phase, Timers, mechanical_energy};
use crate::model::{SearchTrigger, Surface};
use crate::motion::Twist;
use crate::narrow_phase::WallNow;
use crate::state::State;
use glam::DVec3;
use std::time::Instant;

/// Skin as a part of the smallest radius [–], at rest and at most.
const SKIN: (f64, f64) = (0.3, 1.7);
/// Steps at the present speed the skin should last.
const SKIN_STEPS: f64 = 100.0;
/// Contacts per body below which bodies are sparse: few more pairs then lie within a wider skin.
const SPARSE: f64 = 0.5;
/// How much wider the skin of sparse bodies is. Near walls are looked at every step, so theirs is not.
const SPARSE_SKIN: f64 = 2.5;
/// Inner skin as a part of the smallest radius [–], at least and at most.
const INNER: (f64, f64) = (0.01, 0.12);
/// Steps at the present speed the inner skin should last.
const INNER_STEPS: f64 = 12.0;
/// Reach of watched elements of meshes as a part of the smallest radius [–], at least and at most.
const WALL_INNER: (f64, f64) = (0.01, 0.5);
/// Steps at the present speed of bodies and walls that elements should be watched for.
const WALL_INNER_STEPS: f64 = 20.0;

/// Part of the reach of watched elements that is used up when they are watched anew together with a refresh of pairs: so they hardly ever need
/// one of their own.
const SOON: f64 = 0.75;

/// Rebuilds, refreshes or leaves the lists alone, as the bodies' motion demands.
pub fn keep_lists_valid(
    setup: &Setup,
    state: &mut State,
    walls: &[WallNow],
    timers: &mut Timers,
    habits: &Habits,
) -> Result<(), StepError> {
    let due = match setup.model.search.trigger {
        SearchTrigger::Displacement => false,
        SearchTrigger::EverySteps(interval) => state.step.is_multiple_of(interval.max(1)),
    };
    let wall_way = fastest_wall(setup, state) * setup.time_step;
    let wall_inner = wall_inner_skin(setup, state, wall_way);
    if state.lists_stale || due {
        state.lists.wall_inner = wall_inner;
        return rebuild(setup, state, walls, timers);
    }
    state.lists.add_wall_way(wall_way);
    let lists = &mut state.lists;
    let pairs_may_meet = 2.0 * lists.travel >= lists.inner;
    let has_meshes = walls.iter().any(|wall| matches!(wall.surface, Surface::Mesh(_)));
    let way_of_elements = if has_meshes { lists.share_of_watch() } else { 0.0 };
    if !(pairs_may_meet || way_of_elements >= 1.0 || lists.walls_may_meet()) {
        return Ok(());
    }
    let begin = Instant::now();
    lists.inner = inner_skin(setup, state.fastest, lists.smallest_radius, lists.skin);
    let (room, wall_room) = (lists.skin - lists.inner, lists.wall_skin - lists.inner);
    let pairs_outrun = lists.pairs_outrun(&state.bodies, room, setup.model.domain.period(), habits);
    let walls_outrun = !walls.is_empty() && lists.walls_outrun(&state.bodies, walls, wall_room);
    if let (true, SearchTrigger::EverySteps(interval)) =
        (pairs_outrun || walls_outrun, setup.model.search.trigger)
    {
        return Err(StepError::ListOutrun { step: state.step, interval });
    }
    let is_overdue = setup.model.search.trigger == SearchTrigger::Displacement && state.lists.are_overdue();
    if pairs_outrun || is_overdue {
        state.lists.wall_inner = wall_inner;
        return rebuild(setup, state, walls, timers);
    }
    let input = list_input(setup, walls, &state.fragments);
    if walls_outrun {
        state.mesh_sums.absorb(&state.lists.chunks);
        state.lists.wall_inner = wall_inner;
        state.lists.rebuild_surfaces(&state.bodies, &input);
        timers.surface_rebuilds += 1;
    } else if way_of_elements >= SOON {
        state.lists.watch_elements(&state.bodies, &input, wall_inner, habits);
    }
    state.lists.refresh(&state.bodies, &input, habits);
    timers.refreshes += 1;
    timers.add_since(Phase::Refresh, begin);
    Ok(())
}

fn list_input<'a>(setup: &'a Setup, walls: &'a [WallNow<'a>], fragments: &'a Fragments) -> ListInput<'a> {
    let flow_planes = setup.flow_planes.len();
    ListInput { model: &setup.model, laws: &setup.laws, walls, fragments, flow_planes }
}

fn rebuild(
    setup: &Setup,
    state: &mut State,
    walls: &[WallNow],
    timers: &mut Timers,
) -> Result<(), StepError> {
    let begin = Instant::now();
    let leaving = std::mem::take(&mut state.leaving);
    let keep = (!leaving.is_empty()).then(|| {
        let mut keep = vec![true; state.bodies.len()];
        for row in leaving {
            // A row may have been named twice, by an event and by the domain.
            if std::mem::replace(&mut keep[row as usize], false) {
                let (count, mass) = state.share_of_body(row as usize);
                state.removed.count += count;
                state.removed.mass += mass;
                if !setup.model.bonds.is_empty() {
                    state.fragments.remove_body(state.bodies.id[row as usize]);
                }
            }
        }
        keep
    });
    let wall_gone = state
        .lists
        .chunks
        .iter()
        .any(|chunk| chunk.surface.held().any(|contact| !walls[usize::from(contact.wall.0)].present));
    let something_leaves = keep.is_some() || wall_gone;
    let before = if something_leaves { mechanical_energy(setup, state) } else { 0.0 };

    let (smallest, largest) = state.bodies.range_of_radii();
    let way = SKIN_STEPS * state.fastest * setup.time_step;
    let skin = setup.model.search.skin.unwrap_or(way.clamp(SKIN.0 * smallest, SKIN.1 * smallest));
    let is_sparse = state.lists.contacts_per_body(state.bodies.len()) < SPARSE;
    let widening = if is_sparse && setup.model.search.skin.is_none() { SPARSE_SKIN } else { 1.0 };
    let widest = widest_skin(setup, largest);
    state.lists.smallest_radius = smallest;
    state.lists.wall_skin = skin.min(widest);
    state.lists.skin = (widening * skin).min(widest);
    state.lists.inner = inner_skin(setup, state.fastest, smallest, state.lists.skin);
    let input = list_input(setup, walls, &state.fragments);
    state.mesh_sums.absorb(&state.lists.chunks);
    state.lists.rebuild(&mut state.bodies, &mut state.clumps, keep.as_deref(), &input).map_err(|body| {
        StepError::BodyTooLong {
            body: state.bodies.id[body.item as usize],
            axis: ["x", "y", "z"][body.axis],
            length: body.length,
            period: body.period,
        }
    })?;
    state.lists_stale = false;

    if something_leaves {
        state.ledger.exchanged += mechanical_energy(setup, state) - before;
    }
    timers.rebuilds += 1;
    timers.add_since(Phase::Rebuild, begin);
    Ok(())
}

/// Skin up to which the nearest images hold every pair that can meet before the next rebuild [m].
fn widest_skin(setup: &Setup, largest_radius: f64) -> f64 {
    let domain = &setup.model.domain;
    let periods =
        (0..3).filter(|&axis| domain.periodic[axis]).map(|axis| domain.max[axis] - domain.min[axis]);
    // Two periods away, centres are at least one period apart.
    periods.fold(f64::INFINITY, f64::min) - 2.0 * largest_radius
}

/// Upper bound of the speed of any wall point near the bodies since the step before [m/s].
fn fastest_wall(setup: &Setup, state: &State) -> f64 {
    let Some(corners) = state.lists.reachable_corners() else { return 0.0 };
    // The speed of a rigid motion is a convex function of place: in a box it is largest at a corner.
    let speed = |twist: Twist| {
        if twist.angular == DVec3::ZERO {
            return twist.linear.length();
        }
        corners.iter().map(|&corner| twist.velocity_at(corner).length()).fold(0.0, f64::max)
    };
    let now = setup.time_of(state.step);
    // A motion may begin or change within the step: both ends count besides the middle.
    let instants = [1.0, 0.5, 0.0].map(|part| now - part * setup.time_step);
    let walls = setup.model.walls.iter().zip(&state.walls_present);
    let moving = walls.filter(|(wall, present)| **present && !wall.motion.is_static());
    let speeds = moving.flat_map(|(wall, _)| instants.map(|t| speed(wall.motion.twist(t))));
    speeds.fold(0.0, f64::max)
}

fn inner_skin(setup: &Setup, fastest: f64, smallest_radius: f64, skin: f64) -> f64 {
    let way = INNER_STEPS * fastest * setup.time_step;
    way.clamp(INNER.0 * smallest_radius, INNER.1 * smallest_radius).min(0.5 * skin)
}

/// Reach of watched elements of meshes [m], where walls have gone up to `wall_way` [m] in the last step. Contacts of that step are
/// within it.
fn wall_inner_skin(setup: &Setup, state: &State, wall_way: f64) -> f64 {
    let (way, radius) = (state.fastest * setup.time_step + wall_way, state.lists.smallest_radius);
    (WALL_INNER_STEPS * way).clamp(WALL_INNER.0 * radius, WALL_INNER.1 * radius).max(2.0 * way)
}
