//! One implicit step, phase by phase.
//!
//! ```text
//! dynamic step:  x^n, v^n → x^{n+1}, v^{n+1}              quasi-static step:  loads and walls move, balance again
//!   1 candidates   points that may close within the step      points within reach
//!   2 program      M̄, f̄0, H, gaps, history (assemble)         the same, a small resistance in place of mass
//!   3 solve        forces and displacements at once           the same
//!                  (again with the dilation taken out)
//!   4 trial        moved state, accounts                      the same
//!   5 safety       points nobody looked for overlap:          neighbours moved farther than the reach:
//!                  add them; at last divide the step          look farther; at last resist more
//! ```
//! The state changes only when a step succeeds.

use super::account::{Outcome, trial_state};
use super::assemble::{Assembly, Inertia};
use super::candidates::{NearPair, closing_points, detect, dynamic_pairs, static_pairs};
use super::contact::GrainContact;
use super::error::GrainError;
use super::problem::{ContactProblem, Solution};
use super::safety::{
    checked, deepest_contacts, find_missed, largest_relative_motion, merge_points, moved_farther, movers,
};
use super::scale::{recovery, reference_scale, reference_stress};
use super::settings::{DynamicStep, StaticStep, StepKind};
use super::setup::GrainSetup;
use super::solver::{ConeSolver, SolveError};
use super::state::{GrainState, StepReport};
use std::time::{Duration, Instant};

/// Parts into which a dynamic step is divided at most.
const MOST_PARTS: u32 = 8;
/// Times a quasi-static step is solved again before it is given up. A grain that has lost the support of σ d needs a resistance of
/// 4 σ to stay within a quarter of d, the default starts at 0.001 σ: some eight times, more where grains of a region that gives
/// way take turns.
const MOST_REDONE: u32 = 30;
/// Times points are added before a dynamic step is divided.
const MOST_ADDED: u32 = 4;
/// Overlap at which a run stops, and how far neighbours are watched in quasi-static steps, in mean diameters.
const QUARTER: f64 = 0.25;
/// How much stiffer an unstable quasi-static step gets each time.
const STIFFEN: f64 = 4.0;

/// Points found around a state: what the check of one step leaves for the next.
pub(super) struct Found {
    time_step: f64,
    points: Vec<GrainContact>,
}

/// Where the time of steps went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrainTimers {
    /// Search of neighbours and contact points.
    pub search: Duration,
    /// Solver.
    pub solve: Duration,
    /// All of it.
    pub total: Duration,
    /// Solves.
    pub solves: u64,
}

/// What steps work with besides set-up and state. Nothing in it changes results.
pub(super) struct Tools {
    pub solver: Box<dyn ConeSolver>,
    /// The search made at the end of the last step.
    pub ready: Option<Found>,
    pub timers: GrainTimers,
}

impl Tools {
    fn detect(&mut self, setup: &GrainSetup, state: &GrainState, pairs: Pairs) -> Vec<GrainContact> {
        let begin = Instant::now();
        let found = match pairs {
            Pairs::Reach(reach) => detect(setup, state, &static_pairs(setup, state, reach)),
            Pairs::Moving(time_step) => detect(setup, state, &dynamic_pairs(setup, state, time_step)),
            Pairs::These(pairs) => detect(setup, state, pairs),
        };
        self.timers.search += begin.elapsed();
        found
    }

    fn solve(&mut self, problem: &ContactProblem) -> Result<Solution, SolveError> {
        let begin = Instant::now();
        let solution = self.solver.solve(problem);
        self.timers.solve += begin.elapsed();
        self.timers.solves += 1;
        solution
    }
}

/// Which pairs to search.
enum Pairs<'a> {
    /// All within a reach [m].
    Reach(f64),
    /// All that may meet within a time step [s].
    Moving(f64),
    /// These.
    These(&'a [NearPair]),
}

/// Makes one step.
pub(super) fn implicit_step(
    setup: &GrainSetup,
    state: &GrainState,
    tools: &mut Tools,
) -> Result<GrainState, GrainError> {
    let begin = Instant::now();
    let mut next = match setup.settings.kind {
        StepKind::Dynamic(choices) => dynamic_step(setup, state, tools, &choices)?,
        StepKind::QuasiStatic(choices) => static_step(setup, state, tools, &choices)?,
    };
    tools.timers.total += begin.elapsed();
    next.step = state.step + 1;
    next.redone = state.redone + u64::from(next.report.redone);
    Ok(next)
}

/// A dynamic step, in one part or, if points keep being missed, in more.
fn dynamic_step(
    setup: &GrainSetup,
    state: &GrainState,
    tools: &mut Tools,
    choices: &DynamicStep,
) -> Result<GrainState, GrainError> {
    let mut redone = 0;
    let mut parts = 1;
    loop {
        match in_parts(setup, state, tools, choices, parts)? {
            Ok(mut next) => {
                next.report.redone += redone;
                next.report.parts = parts;
                return Ok(next);
            }
            Err(missed) => {
                redone += missed.solves;
                parts *= 2;
                if parts > MOST_PARTS {
                    return Err(GrainError::Unbounded {
                        step: state.step + 1,
                        times: redone,
                        moved: missed.overlap,
                        reach: missed.reach,
                        movers: movers(state, &missed.trial),
                    });
                }
            }
        }
    }
}

/// A part of a step in which points kept being missed.
struct Missed {
    solves: u32,
    overlap: f64,
    reach: f64,
    trial: GrainState,
}

fn in_parts(
    setup: &GrainSetup,
    state: &GrainState,
    tools: &mut Tools,
    choices: &DynamicStep,
    parts: u32,
) -> Result<Result<GrainState, Missed>, GrainError> {
    let time_step = setup.settings.time_step / f64::from(parts);
    let mut now = state.clone();
    let mut sums = StepReport::default();
    for _ in 0..parts {
        match dynamic_part(setup, &now, tools, choices, time_step)? {
            Ok(next) => now = next,
            Err(missed) => return Ok(Err(missed)),
        }
        sums.redone += now.report.redone;
        sums.iterations += now.report.iterations;
    }
    now.report.redone = sums.redone;
    now.report.iterations = sums.iterations;
    Ok(Ok(now))
}

fn dynamic_part(
    setup: &GrainSetup,
    state: &GrainState,
    tools: &mut Tools,
    choices: &DynamicStep,
    time_step: f64,
) -> Result<Result<GrainState, Missed>, GrainError> {
    let points = match tools.ready.take() {
        Some(found) if found.time_step == time_step => found.points,
        _ => tools.detect(setup, state, Pairs::Moving(time_step)),
    };
    let mut candidates = closing_points(setup, state, points, time_step);
    let mut complete: Vec<NearPair> = Vec::new();
    let (scale, recovery) = (reference_scale(setup, state, time_step)?, recovery(setup, state, time_step));
    let (mut iterations, mut redone) = (0, 0);
    loop {
        let inertia = Inertia::Dynamic { theta: choices.theta };
        let assembly = Assembly { setup, state, time_step, inertia, stiffer: &[], recovery, scale };
        let outcome = solve(&assembly, &candidates, tools, Some(choices))?;
        iterations += outcome.iterations;
        let mut trial = trial_state(&assembly, &candidates, &outcome);
        checked(setup, &trial)?;
        let after = tools.detect(setup, &trial, Pairs::Moving(time_step));
        let missed = find_missed(setup, state, &trial, &candidates, &complete, &after);
        if missed.is_empty() {
            trial.report.redone = redone;
            trial.report.iterations = iterations;
            tools.ready = Some(Found { time_step, points: after });
            return Ok(Ok(trial));
        }
        if redone == MOST_ADDED {
            let overlap = after.iter().map(|point| -point.gap).fold(0.0, f64::max);
            let reach = missed.iter().map(|pair| pair.2).fold(0.0, f64::max);
            return Ok(Err(Missed { solves: redone + 1, overlap, reach, trial }));
        }
        candidates = merge_points(candidates, tools.detect(setup, state, Pairs::These(&missed)));
        complete.extend(missed);
        complete.sort_unstable_by_key(|pair| (pair.0, pair.1));
        redone += 1;
    }
}

/// The program the next step begins with.
pub(super) fn first_program(setup: &GrainSetup, state: &GrainState) -> Result<ContactProblem, GrainError> {
    let time_step = setup.settings.time_step;
    let (inertia, candidates) = match setup.settings.kind {
        StepKind::Dynamic(choices) => {
            let points = detect(setup, state, &dynamic_pairs(setup, state, time_step));
            (Inertia::Dynamic { theta: choices.theta }, closing_points(setup, state, points, time_step))
        }
        StepKind::QuasiStatic(choices) => {
            let reach = choices.reach * setup.mean_diameter();
            let stress = reference_stress(setup, state, &choices)?;
            (Inertia::of_static(&choices, stress), detect(setup, state, &static_pairs(setup, state, reach)))
        }
    };
    let (scale, recovery) = (reference_scale(setup, state, time_step)?, recovery(setup, state, time_step));
    let assembly = Assembly { setup, state, time_step, inertia, stiffer: &[], recovery, scale };
    Ok(assembly.problem(&candidates).0)
}

/// A quasi-static step.
fn static_step(
    setup: &GrainSetup,
    state: &GrainState,
    tools: &mut Tools,
    choices: &StaticStep,
) -> Result<GrainState, GrainError> {
    let diameter = setup.mean_diameter();
    let stress = reference_stress(setup, state, choices)?;
    let time_step = setup.settings.time_step;
    let mut reach = choices.reach * diameter;
    let most_reach = reach.max(choices.most_reach * diameter);
    let mut stiffer = vec![1.0; setup.grains.len() + state.walls.len()];
    let inertia = Inertia::of_static(choices, stress);
    let (scale, recovery) = (reference_scale(setup, state, time_step)?, recovery(setup, state, time_step));
    let neighbours = static_pairs(setup, state, QUARTER * diameter);
    let (mut iterations, mut redone) = (0, 0);
    loop {
        let candidates = tools.detect(setup, state, Pairs::Reach(reach));
        let assembly = Assembly { setup, state, time_step, inertia, stiffer: &stiffer, recovery, scale };
        let outcome = solve(&assembly, &candidates, tools, None)?;
        iterations += outcome.iterations;
        let mut trial = trial_state(&assembly, &candidates, &outcome);
        checked(setup, &trial)?;
        // Those that were neighbours, and those that have become so from farther away.
        let met = static_pairs(setup, &trial, 0.0);
        let moved = largest_relative_motion(setup, state, &trial, neighbours.iter().chain(&met));
        let stiffest = stiffer.iter().copied().fold(1.0, f64::max);
        let report = &mut trial.report;
        (report.reach, report.resistance, report.relative_motion) =
            (reach, stiffest * choices.resistance, moved);
        (report.redone, report.iterations, report.parts) = (redone, iterations, 1);
        if moved <= reach {
            return Ok(trial);
        }
        if redone == MOST_REDONE {
            let (step, movers) = (state.step + 1, movers(state, &trial));
            return Err(GrainError::Unbounded { step, times: redone, moved, reach, movers });
        }
        if reach < most_reach {
            reach = most_reach.min((2.0 * reach).max(1.1 * moved));
        } else {
            // Those alone: resistance of all would be felt by the walls.
            for body in moved_farther(setup, state, &trial, 0.5 * reach) {
                stiffer[body] *= STIFFEN;
            }
        }
        redone += 1;
    }
}

/// Phases 2 and 3: the program and its solution, with the dilation of sliding taken out if asked for.
fn solve(
    assembly: &Assembly,
    candidates: &[GrainContact],
    tools: &mut Tools,
    saxce: Option<&DynamicStep>,
) -> Result<Outcome, GrainError> {
    let Assembly { setup, state, .. } = assembly;
    let too_deep = candidates.iter().min_by(|a, b| a.gap.total_cmp(&b.gap));
    if let Some(deepest) = too_deep
        && deepest.gap < -QUARTER * setup.mean_diameter()
    {
        return Err(super::safety::too_deep(setup, state, deepest));
    }
    let (mut problem, numbering) = assembly.problem(candidates);
    let failed = |source| GrainError::Solver {
        step: state.step + 1,
        source,
        suspects: deepest_contacts(setup, candidates),
    };
    let gaps: Vec<f64> = problem.contacts.iter().map(|contact| contact.gap).collect();
    let mut solution = tools.solve(&problem).map_err(failed)?;
    let mut iterations = solution.report.iterations;
    for _ in 0..saxce.map_or(0, |it| it.saxce_iterations) {
        let mut change = 0.0_f64;
        for (contact, (force, gap)) in problem.contacts.iter_mut().zip(solution.forces.iter().zip(&gaps)) {
            let slip = contact.relative_motion(&solution.displacement).1 + contact.slide;
            let spring = contact.tangential_compliance * (force.tangential - contact.carried);
            let dilated = gap + contact.friction * (slip + spring).abs();
            change = change.max((dilated - contact.gap).abs());
            contact.gap = dilated;
        }
        solution = tools.solve(&problem).map_err(failed)?;
        iterations += solution.report.iterations;
        if saxce.is_some_and(|it| change < it.saxce_tolerance * setup.mean_diameter()) {
            break;
        }
    }
    for (contact, gap) in problem.contacts.iter_mut().zip(gaps) {
        contact.gap = gap;
    }
    Ok(Outcome { problem, numbering, solution, iterations })
}
