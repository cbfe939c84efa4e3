//! One step, phase by phase. Start reading here.
//!
//! ```text
//! explicit step n:  x^n, v^{n−½}  →  x^{n+1}, v^{n+½}
//!   1 agenda     events and inlets due at t^n change walls and bodies
//!   2 walls      prescribed motion evaluated at t^n
//!   3 lists      rebuilt, refreshed or left alone          (broad phase)
//!   4 chunks     in parallel, each on its own rows:
//!        watched   pairs that touch become contacts
//!        pairs     geometry, law, forces                   (narrow phase, laws)
//!        bonds     law, forces; failures are noted
//!        surfaces  geometry, memory, law, forces
//!        motion    central differences into the other buffer; clumps follow when all forces are known
//!   5 account    wall loads and work, in chunk order
//!   6 breakage   failed bonds become contacts, bodies fall apart
//!   7 checks     NaN, overlap, bodies that left: loud
//! ```
//! A chunk reads all rows of the old buffer and writes only its own rows of the new one, so the result does not
//! depend on the number of threads.

use crate::contacts::bonds::bond_forces;
use crate::contacts::{Chunk, pair_forces, surface_forces, wake_touching};
use crate::laws::{ChosenLaws, NormalLaw, RollingLaw};
use crate::math::Simd;
use crate::model::{MaterialId, Model};
use crate::motion::{move_bodies, move_clumps};
use crate::narrow_phase::{SearchReport, SurfaceInput, WallNow, find_surface_contacts};
use crate::scene::FlowPlane;
use crate::simulation::{Setup, Simulation, StepError, account, break_bonds, check, keep_lists_valid};
use crate::state::{PlaceRow, SpinRow, State};
use glam::{DQuat, DVec3};
use rayon::prelude::*;
use std::time::Instant;

/// Moves a simulation one explicit step on.
pub fn explicit_step(run: &mut Simulation) -> Result<(), StepError> {
    run.follow_agenda();
    let walls = run.setup.walls_at(&run.state, run.state.step);
    keep_lists_valid(&run.setup, &mut run.state, &walls, &mut run.timers)?;
    advance_chunks(&run.setup, &mut run.state, &walls);
    move_clumps(&run.setup, &mut run.state);
    account(&run.setup, &mut run.state, &walls, &mut run.timers);
    break_bonds(&run.setup, &mut run.state, &mut run.timers);
    check(&run.setup, &mut run.state)
}

/// Phase 4: every chunk on its own.
fn advance_chunks(setup: &Setup, state: &mut State, walls: &[WallNow]) {
    let bodies = &mut state.bodies;
    let input = StepInput {
        model: &setup.model,
        laws: &setup.laws,
        places: &bodies.places,
        spins: &bodies.spins,
        dummy: bodies.id.len() as u32,
        materials: &bodies.material,
        groups: &bodies.group,
        member_of_row: &state.clumps.member_of_row,
        walls,
        flow_planes: &setup.flow_planes,
        period: setup.model.domain.period(),
        gravity: state.gravity,
        damping_rate: state.damping_rate,
        has_loads: !setup.model.motion.loads.is_empty(),
        time: state.step as f64 * setup.time_step,
        time_step: setup.time_step,
    };
    let length = state.lists.chunks.first().map_or(1, |chunk| chunk.count.max(1) as usize);
    let count = bodies.id.len();
    let advance = setup.laws.advance_chunk;
    if let [chunk] = &mut state.lists.chunks[..] {
        // Waking threads takes longer than a few hundred bodies.
        let (places, spins) = (&mut bodies.last_places[..count], &mut bodies.last_spins[..count]);
        advance(&input, chunk, &mut ChunkOutput { places, spins, orientation: &mut bodies.orientation });
        bodies.swap_buffers();
        return;
    }
    let mut untracked = vec![[DQuat::IDENTITY; 0]; state.lists.chunks.len()];
    let orientations: Vec<&mut [DQuat]> = if bodies.orientation.is_empty() {
        untracked.iter_mut().map(|empty| &mut empty[..]).collect()
    } else {
        bodies.orientation.chunks_mut(length).collect()
    };
    state
        .lists
        .chunks
        .par_iter_mut()
        .zip(bodies.last_places[..count].par_chunks_mut(length))
        .zip(bodies.last_spins[..count].par_chunks_mut(length))
        .zip(orientations)
        // Chunk by chunk: the last ones go to whoever is free.
        .with_max_len(1)
        .for_each(|(((chunk, places), spins), orientation)| {
            advance(&input, chunk, &mut ChunkOutput { places, spins, orientation });
        });
    bodies.swap_buffers();
}

/// What every chunk reads in a step.
pub struct StepInput<'a> {
    /// The problem.
    pub model: &'a Model,
    /// Laws in use.
    pub laws: &'a ChosenLaws,
    /// Rows of all bodies, dummies included.
    pub places: &'a [PlaceRow],
    /// Rotations of all bodies, dummies included.
    pub spins: &'a [SpinRow],
    /// The first dummy row.
    pub dummy: u32,
    /// Materials of all bodies.
    pub materials: &'a [MaterialId],
    /// Groups of all bodies.
    pub groups: &'a [u16],
    /// Whose spheres move with their clump; empty without clumps.
    pub member_of_row: &'a [u32],
    /// Walls where they are now.
    pub walls: &'a [WallNow<'a>],
    /// Planes whose flow is counted.
    pub flow_planes: &'a [FlowPlane],
    /// Periods of the domain [m].
    pub period: DVec3,
    /// Gravity now [m/s², world].
    pub gravity: DVec3,
    /// Global damping rate [1/s].
    pub damping_rate: f64,
    /// Whether any load is applied to bodies.
    pub has_loads: bool,
    /// Time [s].
    pub time: f64,
    /// Time step [s].
    pub time_step: f64,
}

/// Rows a chunk writes.
pub struct ChunkOutput<'a> {
    /// New rows of the chunk's bodies.
    pub places: &'a mut [PlaceRow],
    /// New rotations.
    pub spins: &'a mut [SpinRow],
    /// Orientations, updated in place; empty unless tracked.
    pub orientation: &'a mut [DQuat],
}

/// The step of one chunk for certain laws and a certain processor.
pub type AdvanceChunk = fn(&StepInput, &mut Chunk, &mut ChunkOutput);

/// Pairs, surfaces, motion of one chunk.
///
/// Always inlined into an entry point of [`crate::dispatch`], which decides the instructions it is compiled to.
#[inline(always)]
pub fn advance_chunk<S: Simd, N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    chunk: &mut Chunk,
    out: &mut ChunkOutput,
) {
    let begin = Instant::now();
    chunk.forces.reset(chunk.first, chunk.count as usize);
    wake_touching::<S>(input, chunk);
    pair_forces::<S, N, O>(input, chunk);
    bond_forces::<S>(input, chunk);
    let pairs_done = Instant::now();
    chunk.report.surfaces = SearchReport::default();
    // Contacts of the step before have to be let go even where no wall is near any more.
    if chunk.surface.has_work() {
        let surface = SurfaceInput {
            places: input.places,
            materials: input.materials,
            walls: input.walls,
            pairs: &input.model.pairs,
            time_step: input.time_step,
            fast_test: input.model.search.fast_test,
            torsion: O::RESISTS_TORSION,
        };
        if surface.fast_test {
            (input.laws.element_test)((&mut chunk.surface, &surface));
        }
        chunk.report.surfaces = find_surface_contacts(&mut chunk.surface, &surface);
        surface_forces::<S, N, O>(input, chunk);
    }
    let surfaces_done = Instant::now();
    move_bodies::<S, O>(input, chunk, out);
    let seconds = |from: Instant, to: Instant| to.duration_since(from).as_secs_f64();
    chunk.report.seconds = [
        seconds(begin, pairs_done),
        seconds(pairs_done, surfaces_done),
        seconds(surfaces_done, Instant::now()),
    ];
}
