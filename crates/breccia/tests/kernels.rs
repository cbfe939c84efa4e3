//! The step of a chunk in all its versions: same bits, and wide registers that pay.
//!
//! A function between the entry point of a version and its instructions that is not inlined is compiled for the baseline: the
//! bits stay right and registers travel through memory. Seen once, a closure called twice made pair contacts five times
//! slower. The disassembly would tell too, but differs by compiler; the ratio of two versions in one process, least of many
//! short runs in turns, needs no tool and hardly feels other programs.

mod support;

use breccia::contacts::{BorderLoads, Chunk, Forces};
use breccia::dispatch::{InstructionSet, all_chunk_kernels};
use breccia::laws::{ElasticRolling, Hertz, NoRolling, NormalLaw, RollingLaw, Unfollowed};
use breccia::simulation::Simulation;
use breccia::step::{ChunkKernels, ChunkOutput, StepInput};
use support::scene;

/// Runs of each version, of which the fastest counts.
const RUNS: usize = 60;
/// Most that a wide version may take of the baseline's time; 0.4 to 0.7 were measured.
const MOST: f64 = 0.9;

/// A dense block of spheres, with lists, moving a little.
fn dense(law: &str) -> Simulation {
    let text = format!(
        r#"
        gravity = [0, 0, -9.81]
        [time]
        duration = 1
        step = "20 us"
        [[material]]
        name = "grain"
        density = 1000
        young_modulus = 1e7
        poisson_ratio = 0.2
        [pair_default]
        restitution = 0.5
        friction = 0.5
        rolling_friction = 0.01
        [law]
        {law}
        [[bodies]]
        name = "block"
        kind = "lattice"
        material = "grain"
        size = {{ kind = "uniform", min = "3.004 mm", max = "3.006 mm" }}
        origin = [0, 0, 0.003]
        spacing = "6 mm"
        count = [12, 12, 12]
        [[wall]]
        name = "floor"
        material = "grain"
        shape = "plane"
        point = [0, 0, 0]
        normal = [0, 0, 1]
        "#
    );
    let mut run = Simulation::new(&scene(&text));
    for _ in 0..40 {
        run.step().expect("a step");
    }
    run
}

/// Lets a version move a copy of a chunk; gives the seconds its pairs took, and the bits of where bodies went.
fn advance(run: &Simulation, kernels: &ChunkKernels, chunk: &Chunk) -> (f64, Vec<u64>) {
    let (setup, state) = (&run.setup, &run.state);
    let walls = setup.walls_at(state, state.step);
    let input = StepInput {
        model: &setup.model,
        laws: &setup.laws,
        places: &state.bodies.places,
        spins: &state.bodies.spins,
        dummy: state.bodies.id.len() as u32,
        materials: &state.bodies.material,
        groups: &state.bodies.group,
        member_of_row: &[],
        walls: &walls,
        flow_planes: &[],
        period: setup.model.domain.period(),
        gravity: state.gravity,
        damping_rate: 0.0,
        has_loads: false,
        time: 0.0,
        time_step: setup.time_step,
    };
    let rows = chunk.first as usize..(chunk.first + chunk.count) as usize;
    let mut chunk = chunk.clone();
    let mut places = state.bodies.places[rows.clone()].to_vec();
    let mut spins = state.bodies.spins[rows].to_vec();
    let mut out = ChunkOutput { places: &mut places, spins: &mut spins, orientation: &mut [] };
    let mut border = BorderLoads::default();
    let forces = Forces::in_places(out.places, chunk.first);
    (kernels.meet)(&input, &mut chunk, forces, &mut border);
    (kernels.shift)(&input, &mut chunk, &mut out);
    let numbers = out.places.iter().flat_map(|row| row.position.into_iter().chain(row.velocity));
    let turns = out.spins.iter().flat_map(|row| row.spin);
    (chunk.report.seconds[0], numbers.chain(turns).map(f64::to_bits).collect())
}

/// Compares all versions for a pair of laws.
fn compare<N: NormalLaw, O: RollingLaw>(law: &str) {
    let run = dense(law);
    let chunk = &run.state.lists.chunks[0];
    assert!(
        chunk.groups.iter().map(|group| group.contacts.active).sum::<u32>() > 500,
        "too few contacts to time"
    );
    let kernels = all_chunk_kernels::<N, O>();
    assert_eq!(kernels[0].0, InstructionSet::Baseline);
    let expected = advance(&run, &kernels[0].1, chunk).1;
    let mut best = vec![f64::INFINITY; kernels.len()];
    for _ in 0..RUNS {
        for ((set, kernel), best) in kernels.iter().zip(&mut best) {
            let (seconds, bits) = advance(&run, kernel, chunk);
            assert!(bits == expected, "{set:?} gives other bits than the baseline");
            *best = best.min(seconds);
        }
    }
    for ((set, _), seconds) in kernels.iter().zip(&best).skip(1) {
        let ratio = seconds / best[0];
        assert!(
            ratio < MOST,
            "{set:?}: {ratio:.2} of the baseline's time with {law}; look for calls in its disassembly: \
             every function from the entry point to the instructions must be #[inline(always)], closures called \
             more than once included"
        );
    }
}

#[test]
fn wide_registers_pay_without_rolling() {
    compare::<Hertz, NoRolling>("rolling = \"none\"");
}

#[test]
fn wide_registers_pay_with_rolling() {
    compare::<Hertz, ElasticRolling>("rolling = \"c\"");
}

#[test]
fn wide_registers_pay_where_losses_are_not_followed() {
    compare::<Hertz, Unfollowed<ElasticRolling>>("rolling = \"c\"\n[output]\nlosses = false");
}

#[test]
fn wide_registers_pay_with_torsion() {
    compare::<Hertz, ElasticRolling<true>>("rolling = \"c\"\ntorsion = true");
}
