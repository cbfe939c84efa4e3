//! Laws applied to the pair contacts of a chunk.

use super::loss_sums::LossSums;
use super::{BorderLoads, Chunk, ContactLanes, Forces, OwnSides, PairGroup, PairLoads};
use crate::laws::{NormalLaw, RollingLaw, evaluate};
use crate::math::{LANES, Simd};
use crate::narrow_phase::{Motion, Touch};
use crate::step::StepInput;
use glam::DVec3;

/// How many blocks ahead rows of bodies are asked for.
const BLOCKS_AHEAD: usize = 4;
/// How many blocks ahead the blocks themselves are asked for.
const FURTHER_AHEAD: usize = 8;
/// Bodies beyond which no cache holds the blocks from one step to the next.
const MANY_BODIES: usize = 100_000;

/// Forces of all pair contacts of a chunk.
#[inline(always)]
pub fn pair_forces<S: Simd, N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    chunk: &mut Chunk,
    forces: &mut Forces,
    border: &mut BorderLoads,
) {
    let mut sums = LossSums::new();
    for group in &mut chunk.groups {
        group_forces::<S, N, O>(input, group, forces, border, &mut sums);
    }
    sums.add_to(&mut chunk.totals);
    chunk.report.overlap_excess = sums.largest_excess();
}

#[inline(always)]
fn group_forces<S: Simd, N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    group: &mut PairGroup,
    forces: &mut Forces,
    border: &mut BorderLoads,
    sums: &mut LossSums,
) {
    let pair = &input.laws.pairs[group.pair.0 as usize];
    let shift = group.image.shift(input.period);
    let time_step = S::splat(input.time_step);
    let contacts = &mut group.contacts;
    let Some(last) = contacts.blocks.len().checked_sub(1) else { return };
    // More per block than is fetched unasked, or from farther away.
    let asks_for_blocks = O::REMEMBERS || input.places.len() > MANY_BODIES;
    let mut next = touch::<S>(input, contacts, shift, 0, 0);
    for index in 0..=last {
        if let Some(ahead) = contacts.blocks.get(index + BLOCKS_AHEAD) {
            fetch_bodies::<S>(if group.own == OwnSides::B { &ahead.a } else { &ahead.b }, input);
        }
        if asks_for_blocks {
            S::fetch_ahead(&contacts.blocks, (index + FURTHER_AHEAD) as u32);
            contacts.fetch_ahead::<S, O>(index + FURTHER_AHEAD);
        }
        for at in (0..LANES).step_by(S::WIDTH) {
            // Where the next pairs touch is begun before these pairs' law: roots and quotients take long to come.
            let met = next;
            let begins_next = at + S::WIDTH == LANES;
            let (then, there) = if begins_next { ((index + 1).min(last), 0) } else { (index, at + S::WIDTH) };
            next = touch(input, contacts, shift, then, there);
            if let Some(offsets) = contacts.offsets.get_mut(index) {
                met.kept_offset.store(offsets, at);
            }
            let block = &contacts.blocks[index];
            let a = Motion::gather(&block.a[at..at + S::WIDTH], input.places, input.spins);
            let b = Motion::gather(&block.b[at..at + S::WIDTH], input.places, input.spins);
            let encounter = met.encounter(&a, &b);
            let mut history = contacts.recall::<S, O>(index, at);
            if O::RESISTS_TORSION {
                history.rolling = met.tilt(history.rolling, &a, &b, time_step);
            }
            let coefficients = block.coefficients(at, pair);
            let (response, losses) = evaluate::<S, N, O>(&encounter, &coefficients, &mut history, time_step);
            contacts.remember::<S, O>(index, at, &history);
            let block = &contacts.blocks[index];
            let lever = met.normal.cross(response.tangential);
            let loads = PairLoads {
                force: met.normal * response.normal_force + response.tangential,
                torque_a: response.rolling_torque - lever * met.arm_a,
                torque_b: -response.rolling_torque - lever * met.arm_b,
                braking: response.rolling_limit,
            };
            forces.add_contacts(group.own, at, [&block.a, &block.b], loads, border);
            if O::FOLLOWS_LOSSES {
                sums.add(at, &losses);
            }
            sums.note_excess(at, met.excess);
        }
    }
}

/// Where the pairs of a block touch from lane `at` on.
#[inline(always)]
fn touch<S: Simd>(
    input: &StepInput,
    contacts: &ContactLanes,
    shift: DVec3,
    index: usize,
    at: usize,
) -> Touch<S> {
    let offset = contacts.offsets.get(index).map_or(S::splat(0.0), |offsets| S::load(offsets, at));
    let limit = S::splat(input.model.limits.overlap);
    Touch::of(&contacts.blocks[index], at, input.places, shift, offset, limit)
}

/// Asks for the rows of one side of a block, so that they are at hand when its turn comes. Those of the other side come one after
/// the other.
#[inline(always)]
fn fetch_bodies<S: Simd>(rows: &[u32; LANES], input: &StepInput) {
    for &row in rows {
        S::fetch_ahead(input.places, row);
        S::fetch_ahead(input.spins, row);
    }
}
