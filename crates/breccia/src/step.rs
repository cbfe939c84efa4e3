//! One step, phase by phase. Start reading here.
//!
//! ```text
//! explicit step n:  x^n, v^{n−½}  →  x^{n+1}, v^{n+½}
//!   1 agenda     events and inlets due at t^n change walls and bodies
//!   2 walls      prescribed motion evaluated at t^n
//!   3 lists      rebuilt, refreshed or left alone          (broad phase)
//!   4 chunks     in parallel, each on its own rows:         (who and when: crew.rs)
//!        watched   pairs that touch become contacts
//!        pairs     geometry, law, forces                   (narrow phase, laws)
//!        bonds     law, forces; failures are noted
//!        surfaces  geometry, memory, law, forces
//!        borders   forces of contacts that other chunks have with rows of this one
//!        motion    central differences into the other buffer; clumps follow when all forces are known
//!   5 account    wall loads and work, in chunk order
//!   6 breakage   failed bonds become contacts, bodies fall apart
//!   7 checks     NaN, overlap, bodies that left: loud
//! ```
//! A chunk reads all rows of the old buffer and writes only its own rows of the new one, so the result does not
//! depend on the number of threads.

use crate::contacts::bonds::bond_forces;
use crate::contacts::{BorderLoads, Chunk, Forces, ReceiveLoads, pair_forces, surface_forces, wake_touching};
use crate::crew::{Habits, Task, advance_all};
use crate::dispatch::Compiled;
use crate::laws::{ChosenLaws, NormalLaw, RollingLaw};
use crate::math::Simd;
use crate::model::{MaterialId, Model};
use crate::motion::{move_bodies, move_clumps};
use crate::narrow_phase::{SearchReport, SurfaceInput, WallNow, find_surface_contacts};
use crate::scene::FlowPlane;
use crate::simulation::{Setup, Simulation, StepError, account, break_bonds, check, keep_lists_valid};
use crate::state::{PlaceRow, SpinRow, State};
use glam::{DQuat, DVec3};
use std::time::Instant;

/// Moves a simulation one explicit step on.
pub fn explicit_step(run: &mut Simulation) -> Result<(), StepError> {
    run.follow_agenda();
    let walls = run.setup.walls_at(&run.state, run.state.step);
    keep_lists_valid(&run.setup, &mut run.state, &walls, &mut run.timers, &run.habits)?;
    advance_chunks(&run.setup, &mut run.state, &walls, &mut run.habits);
    move_clumps(&run.setup, &mut run.state);
    account(&run.setup, &mut run.state, &walls, &mut run.timers);
    break_bonds(&run.setup, &mut run.state, &mut run.timers);
    check(&run.setup, &mut run.state)
}

/// Phase 4: every chunk on its own.
fn advance_chunks(setup: &Setup, state: &mut State, walls: &[WallNow], habits: &mut Habits) {
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
    let count = bodies.id.len();
    let chunking = &state.lists.chunking;
    let places = chunking.split(&mut bodies.last_places[..count]);
    let spins = chunking.split(&mut bodies.last_spins[..count]);
    // They may be untracked.
    let orientations = chunking.split(&mut bodies.orientation);
    let out = places.into_iter().zip(spins).zip(orientations);
    let task = |(chunk, ((places, spins), orientation))| {
        Task::new(chunk, ChunkOutput { places, spins, orientation })
    };
    let tasks = state.lists.chunks.iter_mut().zip(out).map(task).collect();
    advance_all(&input, &setup.laws.chunk, tasks, habits);
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
    /// New rows of the chunk's bodies; until these are moved, the forces on them.
    pub places: &'a mut [PlaceRow],
    /// New rotations.
    pub spins: &'a mut [SpinRow],
    /// Orientations, updated in place; empty unless tracked.
    pub orientation: &'a mut [DQuat],
}

/// The step of one chunk in its parts, for certain laws and a certain processor.
#[derive(Clone, Copy)]
pub struct ChunkKernels {
    /// Forces of the chunk's contacts; those on rows of others are noted apart.
    pub meet: fn(&StepInput, &mut Chunk, Forces, &mut BorderLoads),
    /// Adds the forces of another chunk's contacts.
    pub receive: Compiled<ReceiveLoads>,
    /// Motion of the chunk's bodies, once all forces on them are known.
    pub shift: fn(&StepInput, &mut Chunk, &mut ChunkOutput),
}

/// Pairs, bonds and surfaces of one chunk.
///
/// Always inlined into an entry point of [`crate::dispatch`], which decides the instructions it is compiled to.
#[inline(always)]
pub fn meet_chunk<S: Simd, N: NormalLaw, O: RollingLaw>(
    input: &StepInput,
    chunk: &mut Chunk,
    mut forces: Forces,
    border: &mut BorderLoads,
) {
    let begin = Instant::now();
    forces.reset();
    wake_touching::<S>(input, chunk);
    border.begin(chunk.border_blocks());
    pair_forces::<S, N, O>(input, chunk, &mut forces, border);
    bond_forces::<S>(input, chunk, &mut forces, border);
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
        surface_forces::<S, N, O>(input, chunk, &mut forces);
    }
    let seconds = |from: Instant, to: Instant| to.duration_since(from).as_secs_f64();
    chunk.report.seconds = [seconds(begin, pairs_done), seconds(pairs_done, Instant::now()), 0.0];
}

/// Motion of the bodies of one chunk; always inlined as well.
#[inline(always)]
pub fn move_chunk<S: Simd, O: RollingLaw>(input: &StepInput, chunk: &mut Chunk, out: &mut ChunkOutput) {
    move_bodies::<S, O>(input, chunk, out);
}
