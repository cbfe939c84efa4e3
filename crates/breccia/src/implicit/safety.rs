//! Phase 5: was the step looked at widely enough? And who is to blame if not.

use super::candidates::NearPair;
use super::contact::GrainContact;
use super::error::GrainError;
use super::history::key;
use super::setup::GrainSetup;
use super::state::GrainState;
use glam::DVec2;

/// Overlap of a point that was no candidate beyond which the step is solved again, in mean diameters.
const MISSED_OVERLAP: f64 = 0.01;
/// Margin of the search for missed points: of their relative motion, and in mean diameters.
const MISSED_MARGIN: (f64, f64) = (1.2, 0.05);

/// Largest relative motion of neighbours over a step: |Δx_i − Δx_j| or R_i|Δα_i| + R_j|Δα_j| [m].
pub(super) fn largest_relative_motion<'a>(
    setup: &GrainSetup,
    before: &GrainState,
    after: &GrainState,
    neighbours: impl Iterator<Item = &'a NearPair>,
) -> f64 {
    neighbours
        .map(|&(a, b, _)| {
            let (shift, turn) = relative_motion(setup, before, after, a, b);
            shift.max(turn)
        })
        .fold(0.0, f64::max)
}

/// Relative shift, and sum of the arcs at the bounding circles [m]. Along a wall nothing new comes near: of a shift
/// against a wall only the part across it counts.
fn relative_motion(
    setup: &GrainSetup,
    before: &GrainState,
    after: &GrainState,
    a: u32,
    b: u32,
) -> (f64, f64) {
    let ((shift_a, arc_a), (shift_b, arc_b)) =
        (motion(setup, before, after, a), motion(setup, before, after, b));
    let shift = shift_a - shift_b;
    let wall = setup.wall_of(a).or(setup.wall_of(b));
    let part = wall.map_or(shift.length(), |wall| shift.dot(after.walls[wall].normal).abs());
    (part, arc_a + arc_b)
}

/// Shift, and arc at the bounding circle, of a grain or wall [m].
fn motion(setup: &GrainSetup, before: &GrainState, after: &GrainState, number: u32) -> (DVec2, f64) {
    match setup.wall_of(number) {
        Some(wall) => {
            let (old, new) = (&before.walls[wall], &after.walls[wall]);
            (new.normal * (new.offset - old.offset), 0.0)
        }
        None => {
            let grain = number as usize;
            let arc = setup.grains[grain].radius * (after.angle[grain] - before.angle[grain]).abs();
            (after.position[grain] - before.position[grain], arc)
        }
    }
}

/// Grains and walls that moved or turned farther than this [m].
pub(super) fn moved_farther(
    setup: &GrainSetup,
    before: &GrainState,
    after: &GrainState,
    limit: f64,
) -> impl Iterator<Item = usize> {
    let count = setup.grains.len() + after.walls.len();
    (0..count).filter(move |&number| {
        let (shift, arc) = motion(setup, before, after, number as u32);
        shift.length().max(arc) > limit
    })
}

/// Pairs with a point that overlaps now and was no candidate (nor one of the points beside it), each with a reach
/// that covers its motion. Pairs that are `complete` (sorted) have all their points as candidates already.
pub(super) fn find_missed(
    setup: &GrainSetup,
    before: &GrainState,
    after: &GrainState,
    candidates: &[GrainContact],
    complete: &[NearPair],
    found: &[GrainContact],
) -> Vec<NearPair> {
    let diameter = setup.mean_diameter();
    let mut missed: Vec<NearPair> = found
        .iter()
        .filter(|point| point.gap < -MISSED_OVERLAP * diameter && !is_known(setup, candidates, point))
        .map(|point| {
            let (a, b) = (point.master.min(point.slave), point.master.max(point.slave));
            let (shift, turn) = relative_motion(setup, before, after, a, b);
            (a, b, MISSED_MARGIN.0 * (shift + turn) + MISSED_MARGIN.1 * diameter)
        })
        .filter(|pair| complete.binary_search_by_key(&(pair.0, pair.1), |it| (it.0, it.1)).is_err())
        .collect();
    missed.sort_unstable_by_key(|pair| (pair.0, pair.1));
    missed.dedup_by_key(|pair| (pair.0, pair.1));
    missed
}

fn is_known(setup: &GrainSetup, candidates: &[GrainContact], point: &GrainContact) -> bool {
    let ring = setup.knot_ring(point.slave);
    [point.knot, (point.knot + 1) % ring, (point.knot + ring - 1) % ring]
        .into_iter()
        .any(|knot| candidates.binary_search_by_key(&(point.master, point.slave, knot), key).is_ok())
}

/// Both lists, each point once, sorted by key.
pub(super) fn merge_points(mut points: Vec<GrainContact>, more: Vec<GrainContact>) -> Vec<GrainContact> {
    points.extend(more);
    points.sort_by_key(key);
    points.dedup_by_key(|point| key(point));
    points
}

/// Refuses a state with numbers that are not.
pub(super) fn checked(setup: &GrainSetup, state: &GrainState) -> Result<(), GrainError> {
    let is_sound = |grain: usize| {
        let (place, speed) = (state.position[grain], state.velocity[grain]);
        place.is_finite()
            && speed.is_finite()
            && state.angle[grain].is_finite()
            && state.spin[grain].is_finite()
    };
    match (0..setup.grains.len()).find(|&grain| !is_sound(grain)) {
        Some(grain) => Err(GrainError::NotANumber { grain: grain as u32, step: state.step + 1 }),
        None => Ok(()),
    }
}

/// The three grains that moved most, as a sentence.
pub(super) fn movers(before: &GrainState, after: &GrainState) -> String {
    let mut ways: Vec<(f64, usize, DVec2)> = before
        .position
        .iter()
        .zip(&after.position)
        .enumerate()
        .map(|(grain, (old, new))| ((*new - *old).length(), grain, *old))
        .collect();
    ways.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named: Vec<String> = ways
        .iter()
        .take(3)
        .map(|(way, grain, place)| {
            format!("grain {grain} at ({:.4}, {:.4}) by {way:.2e} m", place.x, place.y)
        })
        .collect();
    format!("moved most: {}", named.join(", "))
}

/// The three contacts that overlapped most before a step, as a sentence.
pub(super) fn deepest_contacts(setup: &GrainSetup, candidates: &[GrainContact]) -> String {
    let mut deepest: Vec<&GrainContact> = candidates.iter().filter(|point| point.gap < 0.0).collect();
    deepest.sort_by(|a, b| a.gap.total_cmp(&b.gap));
    deepest.dedup_by_key(|point| (point.master, point.slave));
    let named: Vec<String> = deepest
        .iter()
        .take(3)
        .map(|point| {
            let (x, y) = (point.point.x, point.point.y);
            let master = name_of(setup, point.master);
            format!("grain {} and {master} at ({x:.4}, {y:.4}) by {:.2e} m", point.slave, -point.gap)
        })
        .collect();
    match named.is_empty() {
        true => "no contact overlapped before the step; look at loads and walls that move".to_string(),
        false => format!("overlapped most before the step: {}", named.join(", ")),
    }
}

/// What a master is called.
fn name_of(setup: &GrainSetup, master: u32) -> String {
    match setup.wall_of(master) {
        Some(wall) => format!("wall {wall}"),
        None => format!("grain {master}"),
    }
}

/// The error for two things that overlap too much.
pub(super) fn too_deep(setup: &GrainSetup, state: &GrainState, point: &GrainContact) -> GrainError {
    let master = name_of(setup, point.master);
    GrainError::TooDeep { slave: point.slave, master, overlap: -point.gap, step: state.step + 1 }
}
