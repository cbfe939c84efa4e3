//! The bond law applied to the bonds of a chunk.

use super::block::KindFactors;
use super::{BondBlock, FailureMode};
use crate::contacts::{BorderLoads, Chunk, Forces, OwnSides, PairLoads};
use crate::laws::{BondResponse, BondSpan, evaluate_bond};
use crate::math::{LANES, Lanes, Real, Simd, Vec3};
use crate::narrow_phase::{Motion, Side};
use crate::step::StepInput;
use glam::DVec3;

/// A bond whose strength has been reached in this step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailedBond {
    /// Place of its group in the chunk.
    pub group: u32,
    /// Its place in the group.
    pub place: u32,
    /// What broke it.
    pub mode: FailureMode,
    /// Work its force would have taken from the bodies since the last step [J], had it held.
    pub undone_work: f64,
}

/// Forces of all bonds of a chunk; those that fail are noted and exert none.
#[inline(always)]
pub fn bond_forces<S: Simd>(
    input: &StepInput,
    chunk: &mut Chunk,
    forces: &mut Forces,
    border: &mut BorderLoads,
) {
    chunk.report.failed_bonds.clear();
    let Chunk { bonds, report, totals, .. } = chunk;
    let mut sums = Sums { forces, border, losses: Lanes::splat(0.0) };
    for (group, number) in bonds.iter_mut().zip(0_u32..) {
        let shared = Shared {
            kind: KindFactors::of(&input.model.bonds[usize::from(group.kind.0)]),
            shift: group.image.shift(input.period),
            own: group.own,
        };
        group_forces::<S>(input, &mut group.blocks, &shared, &mut sums, |place, mode, undone_work| {
            report.failed_bonds.push(FailedBond { group: number, place, mode, undone_work });
        });
    }
    totals.bond_damping += sums.losses.sum();
}

/// What the bonds of a group share.
struct Shared {
    kind: KindFactors,
    /// How far side b is seen shifted [m].
    shift: DVec3,
    own: OwnSides,
}

/// Where forces go, and the energy lost in each lane [J].
struct Sums<'a, 'b> {
    forces: &'a mut Forces<'b>,
    border: &'a mut BorderLoads,
    losses: Lanes,
}

/// Tells the lanes that have failed.
fn note_failures(
    lanes: std::ops::Range<usize>,
    stresses: &Stresses,
    mut note: impl FnMut(usize, FailureMode),
) {
    for lane in lanes {
        if stresses.tension_excess.0[lane] > 0.0 {
            note(lane, FailureMode::Tension);
        } else if stresses.shear_excess.0[lane] > 0.0 {
            note(lane, FailureMode::Shear);
        }
    }
}

/// Forces of the bonds of a group; those that fail are noted by place, mode and undone work [J].
#[inline(always)]
fn group_forces<S: Simd>(
    input: &StepInput,
    blocks: &mut [BondBlock],
    shared: &Shared,
    sums: &mut Sums,
    mut note: impl FnMut(u32, FailureMode, f64),
) {
    let Some(last) = blocks.len().checked_sub(1) else { return };
    let mut next = span::<S>(input, &blocks[0], 0, shared);
    for index in 0..=last {
        for at in (0..LANES).step_by(S::WIDTH) {
            // The next bonds' span is begun before these bonds' law: roots and quotients take long to come.
            let met = next;
            let begins_next = at + S::WIDTH == LANES;
            let (then, there) = if begins_next { ((index + 1).min(last), 0) } else { (index, at + S::WIDTH) };
            next = span::<S>(input, &blocks[then], there, shared);
            let stresses = block_forces::<S>(input, &mut blocks[index], at, &met, shared, sums);
            if let Some(stresses) = stresses {
                note_failures(at..at + S::WIDTH, &stresses, |lane, mode| {
                    note((index * LANES + lane) as u32, mode, stresses.undone_work.0[lane]);
                });
            }
        }
    }
}

/// The spans of the bonds of a block from lane `at` on.
#[inline(always)]
fn span<S: Simd>(input: &StepInput, block: &BondBlock, at: usize, shared: &Shared) -> BondSpan<S> {
    let a = Side::<S>::gather(&block.a[at..at + S::WIDTH], input.places, input.spins);
    let b = Side::<S>::gather(&block.b[at..at + S::WIDTH], input.places, input.spins);
    let separation = b.centre - a.centre + Vec3::splat(shared.shift);
    let velocity = b.motion.velocity - a.motion.velocity;
    let coefficients = block.coefficients(at, &shared.kind);
    let time_step = S::splat(input.time_step);
    BondSpan::new([separation, velocity], [a.radius, b.radius], &coefficients, time_step)
}

/// Forces of the lanes of a block from `at` on; gives their stresses if any of them fails.
#[inline(always)]
fn block_forces<S: Simd>(
    input: &StepInput,
    block: &mut BondBlock,
    at: usize,
    span: &BondSpan<S>,
    shared: &Shared,
    sums: &mut Sums,
) -> Option<Stresses> {
    let spin = |rows: &[u32]| Motion::<S>::gather(rows, input.places, input.spins).spin;
    let spins = [spin(&block.a[at..at + S::WIDTH]), spin(&block.b[at..at + S::WIDTH])];
    let mut history = block.history(at);
    let coefficients = block.coefficients(at, &shared.kind);
    let response = evaluate_bond(span, spins, &coefficients, &mut history, S::splat(input.time_step));
    block.remember(at, &history);

    (S::load(&sums.losses, at) + response.loss).store(&mut sums.losses, at);
    let mut loads = PairLoads {
        force: response.force,
        torque_a: response.torque_a,
        torque_b: response.torque_b,
        braking: S::splat(0.0),
    };
    let mut stresses = None;
    let none = S::splat(0.0);
    if none.any_less(response.tension_excess) || none.any_less(response.shear_excess) {
        let undone_work = span.work(spins, &response, S::splat(0.5 * input.time_step));
        stresses = Some(Stresses::new(&response, undone_work, at));
        loads.let_go(&response);
    }
    sums.forces.add_contacts(shared.own, at, [&block.a, &block.b], loads, sums.border);
    stresses
}

/// What is known of bonds among which some fail.
struct Stresses {
    tension_excess: Lanes,
    shear_excess: Lanes,
    undone_work: Lanes,
}

impl Stresses {
    /// Inlined, lest everything is kept in memory for the rare case of a failure.
    #[inline(always)]
    fn new<S: Simd>(response: &BondResponse<S>, undone_work: S, at: usize) -> Self {
        let lanes = |value: S| {
            let mut lanes = Lanes::splat(0.0);
            value.store(&mut lanes, at);
            lanes
        };
        Self {
            tension_excess: lanes(response.tension_excess),
            shear_excess: lanes(response.shear_excess),
            undone_work: lanes(undone_work),
        }
    }
}

impl<S: Simd> PairLoads<S> {
    /// Takes the loads of failing bonds away.
    #[inline(always)]
    fn let_go(&mut self, response: &BondResponse<S>) {
        let (one, none) = (S::splat(1.0), S::splat(0.0));
        let holds = none.select_less(response.tension_excess, none, one);
        let holds = none.select_less(response.shear_excess, none, holds);
        self.force = self.force * holds;
        self.torque_a = self.torque_a * holds;
        self.torque_b = self.torque_b * holds;
    }
}
