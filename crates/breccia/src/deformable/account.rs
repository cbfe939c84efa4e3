//! Phase 5: velocities, memories, work, impulses, counts.

use super::contact::{Candidate, Evaluated, PairMemory, PairTable};
use super::setup::SolidSetup;
use super::solver::Converged;
use super::state::{SolidState, StepTally};
use crate::broad_phase::SortCounts;
use glam::DVec2;

/// Takes a converged step into the state.
pub fn account(
    setup: &SolidSetup,
    state: &mut SolidState,
    candidates: &[Candidate],
    converged: Converged,
    time_step: f64,
    sorting: SortCounts,
) {
    let mut tally = StepTally {
        pairs: candidates.len() as u32,
        iterations: converged.effort.iterations,
        halvings: converged.effort.halvings,
        factorings: converged.effort.factorings,
        products: converged.effort.products,
        frozen: converged.effort.frozen,
        sorting,
        ..StepTally::default()
    };
    for candidate in candidates.iter().filter(|candidate| candidate.clamped > 0.0) {
        tally.clamps += 1;
        tally.clamp_depth = tally.clamp_depth.max(candidate.clamped);
    }
    book_contacts(setup, state, candidates, &converged, time_step, &mut tally);
    book_outside(setup, state, &converged, time_step);
    move_nodes(state, converged.x1, time_step);
    measure_gaps(setup, state, &mut tally);
    state.sorted.age = state.sorted.age.map(|age| age + 1);
    if state.sorted.is_outrun(setup, &state.positions) {
        state.sorted.age = None;
    }
    state.total.add(&tally);
    state.last = tally;
}

/// Memories of pairs, energy lost by friction, impulses of walls.
fn book_contacts(
    setup: &SolidSetup,
    state: &mut SolidState,
    candidates: &[Candidate],
    converged: &Converged,
    time_step: f64,
    tally: &mut StepTally,
) {
    let mut rows = Vec::with_capacity(state.pairs.rows.len());
    for contact in &converged.contacts {
        let candidate = &candidates[contact.candidate as usize];
        let force = contact.step.forces[0];
        if contact.step.pressure.force > 0.0 {
            tally.active += 1;
        }
        let mut lost = contact.step.grip.dissipation;
        if contact.step.gap <= 0.0 {
            rows.push((candidate.pair, memory(contact)));
        } else {
            lost += 0.5 * contact.start.friction.stiffness * contact.step.grip.slip * contact.step.grip.slip;
        }
        tally.least_dissipation = tally.least_dissipation.min(lost);
        state.ledger.friction += lost;
        let body = candidate.pair.body as usize;
        if body >= setup.bodies.len() {
            state.ledger.walls[body - setup.bodies.len()] += time_step * force;
            let node = contact.nodes[0] as usize;
            let middle = 0.5 * (state.positions[node] + converged.x1[node]);
            state.ledger.angular_impulse += time_step * middle.perp_dot(force);
        }
    }
    state.pairs = PairTable { rows };
}

fn memory(contact: &Evaluated) -> PairMemory {
    PairMemory {
        gap: contact.step.gap,
        slip: contact.step.grip.slip,
        segment: contact.segment,
        stiffness: contact.start.stiffness,
        tangential: contact.start.friction.stiffness,
        pressure: contact.step.pressure.force,
        grip: contact.step.grip.force,
    }
}

/// Work and impulses of loads and supports.
fn book_outside(setup: &SolidSetup, state: &mut SolidState, converged: &Converged, time_step: f64) {
    let ledger = &mut state.ledger;
    for (body, residual) in converged.residuals.iter().enumerate() {
        let first = setup.first_node[body];
        for (local, residual) in residual.iter().enumerate() {
            let node = first + local;
            let (from, to) = (state.positions[node], converged.x1[node]);
            let (way, middle) = (to - from, 0.5 * (from + to));
            let held = setup.held[node];
            let support =
                DVec2::new(if held[0] { residual.x } else { 0.0 }, if held[1] { residual.y } else { 0.0 });
            let load = setup.loads[node];
            ledger.supports += support.dot(way);
            ledger.supports_impulse += time_step * support;
            ledger.loads += (load - setup.weights[node]).dot(way);
            ledger.loads_impulse += time_step * load;
            ledger.angular_impulse += time_step * middle.perp_dot(support + load);
        }
    }
}

fn move_nodes(state: &mut SolidState, x1: Vec<DVec2>, time_step: f64) {
    for (node, &to) in x1.iter().enumerate() {
        let mean = (to - state.positions[node]) / time_step;
        state.velocities[node] = 2.0 * mean - state.velocities[node];
        state.mid_velocities[node] = mean;
    }
    state.positions = x1;
}

/// Real depth of touching pairs, and how far their dynamic gap is from it.
fn measure_gaps(setup: &SolidSetup, state: &SolidState, tally: &mut StepTally) {
    for (pair, memory) in &state.pairs.rows {
        if let Some((gap, _)) = setup.real_gap(*pair, &state.positions) {
            tally.penetration = tally.penetration.max(-gap);
            tally.gap_drift = tally.gap_drift.max((gap - memory.gap).abs());
        }
    }
}
