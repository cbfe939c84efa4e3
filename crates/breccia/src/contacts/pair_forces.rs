//! Laws applied to the pair contacts of a chunk, eight at a time.

use super::loss_sums::LossSums;
use super::{Chunk, ContactBlock, Forces, PairGroup, PairLoads, RollingBlock};
use crate::laws::{NormalLaw, RollingLaw, evaluate};
use crate::math::{Lanes, Simd};
use crate::narrow_phase::meet;
use crate::step::StepInput;

/// Forces of all pair contacts of a chunk.
#[inline(always)]
pub fn pair_forces<S: Simd, N: NormalLaw, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk) {
    let mut sums = LossSums::<S>::new();
    for group in &mut chunk.groups {
        group_forces::<S, N, O>(input, group, &mut chunk.forces, &mut sums);
    }
    sums.add_to(&mut chunk.totals);
    chunk.report.overlap_excess = sums.largest_excess();
}

#[inline(always)]
fn group_forces<S: Simd, N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    group: &mut PairGroup,
    forces: &mut Forces,
    sums: &mut LossSums<S>,
) {
    let pair = &input.laws.pairs[group.pair.0 as usize];
    let shift = group.image.shift(input.period);
    let limit = S::splat(input.model.limits.overlap);
    let time_step = S::splat(input.time_step);
    for (index, block) in group.blocks.iter_mut().enumerate() {
        let met = meet::<S>(block, input.places, input.spins, shift);
        let mut history = if O::REMEMBERS {
            block.history(&group.rolling[index])
        } else {
            block.history(&RollingBlock::zero())
        };
        let coefficients = block.coefficients(pair);
        let (response, losses) = evaluate::<S, N, O>(&met.encounter, &coefficients, &mut history, time_step);
        block.remember(&history);
        if O::REMEMBERS {
            group.rolling[index] = RollingBlock::of(&history);
        }
        let normal = met.encounter.normal;
        let lever = normal.cross(response.tangential);
        let loads = PairLoads {
            force: normal * response.normal_force + response.tangential,
            torque_a: response.rolling_torque - lever * met.arm_a,
            torque_b: -response.rolling_torque - lever * met.arm_b,
            braking: response.rolling_limit,
        };
        forces.add_pairs(&block.a, &block.b, loads);
        sums.add(&losses, ownership(block, forces));
        sums.note_excess(met.encounter.overlap - met.smaller_radius * limit);
    }
}

/// 1 for lanes whose side a belongs to the chunk, which then counts the contact.
#[inline(always)]
fn ownership<S: Simd>(block: &ContactBlock, forces: &Forces) -> S {
    let own = forces.own_count();
    S::load(&Lanes::from_fn(|k| if forces.local(block.a[k]) < own { 1.0 } else { 0.0 }))
}
