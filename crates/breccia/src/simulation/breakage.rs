//! Phase 6: bonds that failed in the chunks are taken out, in the order of their numbers.
//!
//! Chunks only note failures; what follows from them (who hangs together, contacts between former partners, energy) is
//! done here one after the other, so that it does not depend on threads.

use super::Setup;
use crate::contacts::bonds::{Bond, BrokenBond, FailedBond};
use crate::contacts::{Memory, activate_pair};
use crate::diagnostics::{Phase, Timers};
use crate::laws::bond_energy;
use crate::model::BondKindId;
use crate::state::State;
use std::time::Instant;

/// A failure as the chunk of the bond knows it.
struct Failure {
    bond: Bond,
    kind: BondKindId,
    failed: FailedBond,
    length: f64,
}

/// Takes failed bonds out; their spheres may touch from now on.
pub fn break_bonds(setup: &Setup, state: &mut State, timers: &mut Timers) {
    if state.lists.chunks.iter().all(|chunk| chunk.report.failed_bonds.is_empty()) {
        return;
    }
    let begin = Instant::now();
    let mut failures = take_out(setup, state);
    failures.sort_unstable_by_key(|failure| failure.bond.id);
    // The clock has moved on already.
    let step = state.step - 1;
    for failure in failures {
        let Failure { bond, kind, failed, length } = failure;
        let parameters = &setup.model.bonds[usize::from(kind.0)];
        let energy = bond_energy(length, &bond.coefficients(parameters), &bond.history());
        state.ledger.fracture += energy - failed.undone_work;
        state.broken.push(BrokenBond { id: bond.id, kind, step, mode: failed.mode, energy });
        state.fragments.break_bond(bond.id);
    }
    timers.add_since(Phase::Breakage, begin);
}

/// Removes failed bonds from their chunks and puts contacts in their place.
fn take_out(setup: &Setup, state: &mut State) -> Vec<Failure> {
    let State { lists, bodies, .. } = state;
    let period = setup.model.domain.period();
    let dummy = bodies.len() as u32;
    let mut failures = Vec::new();
    for chunk in &mut lists.chunks {
        let mut failed = std::mem::take(&mut chunk.report.failed_bonds);
        // From the back: the last bond moves into the place of one taken out.
        for failed in failed.drain(..).rev() {
            let group = &mut chunk.bonds[failed.group as usize];
            let bond = group.swap_remove(failed.place, dummy);
            let (kind, image) = (group.kind, group.image);
            let [a, b] = [bond.a, bond.b].map(|row| &bodies.last_places[row as usize]);
            let length = (b.centre() + image.shift(period) - a.centre()).length();
            // Breaking under compression must not set free more than the bond had stored.
            let offset = (a.radius + b.radius - bond.rest_length.min(length)).max(0.0);
            let memory = Memory { offset, ..Memory::default() };
            activate_pair(chunk, bodies, [bond.a, bond.b], image, &memory, &setup.model, &setup.laws);
            failures.push(Failure { bond, kind, failed, length });
        }
    }
    failures
}
