//! One step of deformable bodies, phase by phase. Start reading here.
//!
//! ```text
//! step n:  x₀, v₀  →  x₁, v₁
//!   1 sort        particles near bodies, by a tree         (broad phase, every so many steps)
//!   2 candidates  near pairs and all that touch, with the gap they start from
//!   3 solve       Newton: bodies factored one by one, contacts couple them
//!   4 check       did a particle outrun the sort and meet what it did not know?
//!   5 account     v₁ = 2Δx/Δt − v₀, memories of pairs, work, impulses, counts
//! ```
//! A step that does not converge is tried again with half the length; after ten good ones the length is doubled.

use super::account::account;
use super::contact::{SortedPairs, begin_candidates, crossing, missed_overlap, sort_points};
use super::error::SolidError;
use super::model::Refactor;
use super::setup::SolidSetup;
use super::solver::{Converged, NotConverged, ReferenceFactors, StepInput, solve_step};
use super::state::SolidState;
use super::timers::{Phase, SolidTimers};
use crate::broad_phase::SortCounts;
use glam::DVec2;

/// A whole step may be cut into 2^10 parts.
const MOST_HALVINGS: u32 = 10;

/// Good steps before a shortened step is doubled.
const GOOD_STEPS: u32 = 10;

/// What steps use and leave behind; no part of the state.
#[derive(Clone, Debug, Default)]
pub struct StepTools {
    /// Where time goes.
    pub timers: SolidTimers,
    /// Factors of shapes at rest.
    references: ReferenceFactors,
}

/// Moves a run one whole time step on, in parts where need be.
pub fn solid_step(
    setup: &SolidSetup,
    state: &mut SolidState,
    tools: &mut StepTools,
) -> Result<(), SolidError> {
    let whole = setup.settings.time_step;
    loop {
        let time_step = whole / f64::from(1_u32 << state.halvings);
        if let Err(failure) = try_step(setup, state, time_step, tools)? {
            shorten(setup, state, &failure)?;
            continue;
        }
        state.ticks += 1 << (MOST_HALVINGS - state.halvings);
        lengthen(state);
        if state.ticks == 1 << MOST_HALVINGS {
            state.ticks = 0;
            state.step += 1;
        }
        // Products, not sums: time does not drift.
        let parts = f64::from(state.ticks) / f64::from(1_u32 << MOST_HALVINGS);
        state.time = (state.step as f64 + parts) * whole;
        if state.ticks == 0 {
            return Ok(());
        }
    }
}

/// Doubles a shortened step after good ones, where it ends with a whole step.
fn lengthen(state: &mut SolidState) {
    state.good_steps += 1;
    let doubled = 2 << (MOST_HALVINGS - state.halvings.max(1));
    if state.halvings > 0 && state.good_steps >= GOOD_STEPS && state.ticks.is_multiple_of(doubled) {
        state.halvings -= 1;
        state.good_steps = 0;
    }
}

fn shorten(setup: &SolidSetup, state: &mut SolidState, failure: &NotConverged) -> Result<(), SolidError> {
    if state.halvings == MOST_HALVINGS {
        return Err(SolidError::NotConverged {
            time: state.time,
            time_step: setup.settings.time_step / f64::from(1_u32 << MOST_HALVINGS),
            body: setup.name(failure.body).to_string(),
            why: failure.why.to_string(),
        });
    }
    state.halvings += 1;
    state.good_steps = 0;
    state.total.cuts += 1;
    // A shorter step reaches less far, but the list was made for the longer one and stays good.
    Ok(())
}

/// Tries one step of a given length [s]; a state that did not converge is as before.
pub fn try_step(
    setup: &SolidSetup,
    state: &mut SolidState,
    time_step: f64,
    tools: &mut StepTools,
) -> Result<Result<(), NotConverged>, SolidError> {
    let mut sorting = SortCounts::default();
    if !state.sorted.holds(setup.settings.steps_between_sorts) {
        sorting = sort(setup, state, time_step, &mut tools.timers)?;
    }
    let input = StepInput {
        x0: &state.positions,
        v0: &state.velocities,
        guess: &state.mid_velocities,
        time: state.time,
        time_step,
    };
    let references = match setup.settings.refactor {
        Refactor::EveryIteration => vec![None; setup.bodies.len()],
        Refactor::WhenSlow => tools.references.of_bodies(&setup.bodies, time_step),
    };
    let timers = &mut tools.timers;
    let converged = loop {
        let begin = timers.begin();
        let candidates = begin_candidates(setup, input.x0, &state.sorted, &state.pairs);
        timers.end(Phase::Candidates, begin);
        let begin = timers.begin();
        let outcome = solve_step(setup, &input, candidates.clone(), references.clone());
        timers.end(Phase::Solve, begin);
        let converged = match outcome {
            Ok(converged) => converged,
            Err(failure) => return Ok(Err(failure)),
        };
        match outrun(setup, &state.sorted, &state.pairs, &input, &converged) {
            Some(list) => {
                state.sorted = list;
                state.total.repeats += 1;
            }
            None => break (candidates, converged),
        }
    };
    let begin = timers.begin();
    account(setup, state, &converged.0, converged.1, time_step, sorting);
    timers.end(Phase::Account, begin);
    Ok(Ok(()))
}

/// Phase 1: looks for near pairs half a step ahead, and for bodies that meet themselves.
fn sort(
    setup: &SolidSetup,
    state: &mut SolidState,
    time_step: f64,
    timers: &mut SolidTimers,
) -> Result<SortCounts, SolidError> {
    let begin = timers.begin();
    let ahead: Vec<DVec2> =
        state.positions.iter().zip(&state.velocities).map(|(x, v)| *x + 0.5 * time_step * *v).collect();
    let (list, counts) = sort_points(setup, (&state.positions, &ahead), fastest(state), time_step);
    state.sorted = list;
    state.total.sorts += 1;
    timers.end(Phase::Sort, begin);
    let begin = timers.begin();
    crossing(setup, &state.positions, state.time)?;
    timers.end(Phase::SelfContact, begin);
    Ok(counts)
}

/// Largest speed of a node [m/s].
fn fastest(state: &SolidState) -> f64 {
    let both = state.velocities.iter().chain(&state.mid_velocities);
    both.map(|velocity| velocity.length_squared()).fold(0.0, f64::max).sqrt()
}

/// Phase 4: a longer list, if particles outran the known one and met what they did not know.
fn outrun(
    setup: &SolidSetup,
    known: &SortedPairs,
    pairs: &super::contact::PairTable,
    input: &StepInput,
    converged: &Converged,
) -> Option<SortedPairs> {
    if !known.is_outrun(setup, &converged.x1) {
        return None;
    }
    let middle: Vec<DVec2> =
        input.x0.iter().zip(&converged.x1).map(|(from, to)| 0.5 * (*from + *to)).collect();
    let way = input.x0.iter().zip(&converged.x1).map(|(from, to)| from.distance(*to)).fold(0.0, f64::max);
    let (mut found, _) = sort_points(setup, (input.x0, &middle), way / input.time_step, input.time_step);
    if !missed_overlap(setup, known, &found, pairs, &middle) {
        return None;
    }
    found.near.extend(&known.near);
    found.near.sort_unstable();
    found.near.dedup();
    Some(found)
}
