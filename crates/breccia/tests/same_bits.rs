//! Same bits: for any number of threads, any instruction set, and through any restart.

mod support;

use breccia::scene::Scene;
use breccia::simulation::Simulation;
use breccia::state::State;
use std::process::Command;
use support::{Dice, Fingerprint, Fnv, add_table_row, scene, through_checkpoint};

/// Steps between two table rows.
const TABLE: u64 = 25;
/// Steps of a run.
const STEPS: u64 = 600;

/// Everything that could spoil the order of additions: two materials, friction, rolling, a turning drum, a swinging
/// floor, a paddle, pouring, a periodic axis, bodies that leave, events, orientations.
fn drum(laws: &str, follow_losses: bool) -> Scene {
    let text = format!(
        r#"
seed = 7
[time]
duration = 0.012
step = "20 us"
[domain]
min = [-0.12, -0.04, -0.12]
max = [0.066, 0.04, 0.12]
periodic = ["y"]
on_exit = "remove"
[[material]]
name = "glass"
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[[material]]
name = "rubber"
density = 1200
young_modulus = 4e6
poisson_ratio = 0.45
[[pair]]
materials = ["glass", "rubber"]
restitution = 0.6
friction = 0.7
rolling_friction = 0.03
normal_stiffness = 500
[pair_default]
restitution = 0.8
friction = 0.4
rolling_friction = 0.01
normal_stiffness = 800
{laws}
[motion]
track_orientation = true
damping_rate = 0.5
[[bodies]]
name = "glass"
kind = "random"
material = "glass"
size = {{ kind = "uniform", min = "2 mm", max = "3 mm" }}
region = {{ shape = "box", min = [-0.045, -0.04, -0.05], max = [0.045, 0.04, -0.01] }}
count = 1500
[[bodies]]
name = "rubber"
kind = "random"
material = "rubber"
size = {{ kind = "uniform", min = "1 mm", max = "4 mm" }}
region = {{ shape = "box", min = [-0.045, -0.04, -0.01], max = [0.045, 0.04, 0.015] }}
count = 700
[[bodies]]
name = "lost"
kind = "lattice"
material = "glass"
radius = "2 mm"
origin = [0.056, -0.03, 0]
spacing = "5 mm"
count = [2, 8, 4]
velocity = [0.8, 0.3, 0]
[[bodies]]
name = "stream"
kind = "pour"
material = "rubber"
size = {{ kind = "uniform", min = "1 mm", max = "2 mm" }}
region = {{ shape = "box", min = [-0.03, -0.04, 0.025], max = [0.03, 0.04, 0.04] }}
velocity = [0, 0.4, -0.5]
rate = "30000 1/s"
start = "1 ms"
stop = "10 ms"
[[load]]
group = "rubber"
force = [2e-5, 0, 0]
start = "2 ms"
stop = "8 ms"
[[wall]]
name = "drum"
material = "glass"
shape = "cylinder"
start = [0, 0, 0]
axis = [0, 1, 0]
length = inf
radius = 0.075
side = "inside"
motion = [{{ kind = "rotation", axis = [0, 1, 0], speed = "300 rpm" }}]
[[wall]]
name = "floor"
material = "rubber"
shape = "plane"
point = [0, 0, -0.055]
normal = [0.1, 0, 1]
motion = [{{ kind = "oscillation", amplitude = [0, 0, "2 mm"], frequency = "80 Hz" }}]
[[wall]]
name = "gate"
material = "glass"
shape = "disc"
centre = [0, 0, 0.018]
normal = [0, 0, 1]
radius = 0.03
[[event]]
at = "5 ms"
action = "remove-wall"
wall = "gate"
[[event]]
at = "7 ms"
action = "set-gravity"
gravity = [3, 0, -9]
[[event]]
at = "9 ms"
action = "set-damping"
damping_rate = 2
[output]
flow_planes = [{{ name = "middle", point = [0, 0, 0], normal = [0, 0, -1] }}]
"#
    );
    let mut scene = scene(&text);
    scene.model.follow_losses = follow_losses;
    let mut dice = Dice::new(3);
    for body in scene.bodies.iter_mut().filter(|body| body.group < 2) {
        body.velocity = dice.vector(-0.4, 0.4);
        body.spin = dice.vector(-100.0, 100.0);
    }
    scene
}

/// Names, laws, and whether losses are followed.
const KINDS: [(&str, &str, bool); 5] = [
    ("Hertz, rolling C", "[law]\nrolling = \"c\"", true),
    ("Hertz, rolling C with torsion", "[law]\nrolling = \"c\"\ntorsion = true", true),
    ("Hertz, A-limited", "[law]\nrolling = \"a-limited\"", true),
    ("linear", "[law]\nnormal = \"linear\"\nrolling = \"c\"", true),
    ("Hertz, rolling C, losses not followed", "[law]\nrolling = \"c\"", false),
];

/// Goes on to the last step with a table row now and then; gives the state's and the rows' hash.
fn run_on(run: &mut Simulation, table: &mut Fnv) -> (Fingerprint, Fnv) {
    while run.state.step < STEPS {
        step(run, table);
    }
    (Fingerprint::of(&run.state), *table)
}

fn step(run: &mut Simulation, table: &mut Fnv) {
    run.step().unwrap_or_else(|error| panic!("{error}"));
    if run.state.step.is_multiple_of(TABLE) {
        add_table_row(table, run);
    }
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads").install(work)
}

#[test]
fn any_number_of_threads() {
    for (name, laws, follows) in KINDS {
        let scene = drum(laws, follows);
        let outcome = |threads| {
            with_threads(threads, || {
                let mut run = Simulation::new(&scene);
                let bits = run_on(&mut run, &mut Fnv::new());
                (bits, run.state.memory_bytes(), happenings(&run))
            })
        };
        let (alone, memory, happened) = outcome(1);
        happened.assert_all(name);
        for threads in [2, 3, 8] {
            let (bits, held, _) = outcome(threads);
            assert_eq!(bits, alone, "{name} with {threads} threads");
            assert_eq!(held, memory, "bytes held, {name} with {threads} threads");
        }
    }
}

/// What the scene is meant to make happen.
#[derive(Debug)]
struct Happenings {
    poured: u64,
    removed: u64,
    wrapped: usize,
    pairs: u64,
    walls: u64,
    chunks: usize,
    events: usize,
    rebuilds: u64,
    refreshes: u64,
}

fn happenings(run: &Simulation) -> Happenings {
    let mut copy = run.state.clone();
    let sample = breccia::diagnostics::take_sample(&run.setup, &mut copy);
    Happenings {
        poured: run.state.inlets[0].count,
        removed: run.state.removed.count,
        wrapped: (0..run.state.bodies.len()).filter(|&row| run.state.bodies.wraps.of(row) != [0; 3]).count(),
        pairs: sample.contacts.pairs,
        walls: sample.contacts.walls,
        chunks: run.state.lists.chunks.len(),
        events: run.state.agenda.done.iter().filter(|done| **done).count(),
        rebuilds: run.timers.rebuilds,
        refreshes: run.timers.refreshes,
    }
}

impl Happenings {
    fn assert_all(&self, name: &str) {
        let enough = self.poured > 200 && self.removed > 20 && self.wrapped > 30 && self.pairs > 80;
        let rest = self.walls > 4 && self.chunks > 3 && self.events == 3;
        assert!(enough && rest && self.rebuilds > 10 && self.refreshes > 10, "{name}: {self:?}");
    }
}

#[test]
fn through_restarts() {
    let folder = tempfile::tempdir().unwrap();
    for (name, laws, follows) in KINDS {
        let scene = drum(laws, follows);
        let mut run = Simulation::new(&scene);
        let mut table = Fnv::new();
        let mut stops: Vec<(&str, State, Fnv)> = Vec::new();
        let mut kept = State::clone(&run.state);
        while run.state.step < STEPS {
            let before = (run.timers.rebuilds, run.timers.refreshes);
            let table_before = table;
            let late = run.state.step % TABLE != 1;
            if late {
                kept = run.state.clone();
            }
            step(&mut run, &mut table);
            let rebuilt = run.timers.rebuilds > before.0;
            let refreshed = run.timers.refreshes > before.1;
            let mut keep = |what: &'static str, from: u64, state: &State, table: Fnv| {
                if run.state.step > from && stops.iter().all(|stop| stop.0 != what) {
                    stops.push((what, state.clone(), table));
                }
            };
            if rebuilt {
                if late {
                    keep("before a rebuild", 120, &kept, table_before);
                }
                keep("after a rebuild", 180, &run.state, table);
            } else if refreshed && late {
                keep("before a refresh", 240, &kept, table_before);
                keep("after a refresh", 300, &run.state, table);
            } else if late {
                keep("before a step with the same lists", 360, &kept, table_before);
            }
            if !run.state.leaving.is_empty() {
                keep("with bodies about to leave", 0, &run.state, table);
            }
            keep("at the first step", 0, &run.state, table);
            keep("just before the gate opens", 249, &run.state, table);
        }
        let whole = (Fingerprint::of(&run.state), table);
        assert_eq!(stops.len(), 8, "{name}: {:?}", stops.iter().map(|stop| stop.0).collect::<Vec<_>>());
        for (what, state, mut table) in stops {
            let at = state.step;
            let mut run = through_checkpoint(&scene, &state, folder.path());
            assert_eq!(run_on(&mut run, &mut table), whole, "{name}: restart {what}, at step {at}");
        }
    }
}

/// Whether losses are followed or not, bodies go the same way and press on walls alike; what is lost is the same but for what the
/// balance does not close by.
#[test]
fn following_losses_or_not() {
    for (name, laws, _) in KINDS.into_iter().filter(|kind| kind.2) {
        let outcome = |follows| {
            let mut run = Simulation::new(&drum(laws, follows));
            run.step().expect("a step");
            run.sample();
            run_on(&mut run, &mut Fnv::new());
            run
        };
        let (mut followed, mut left) = (outcome(true), outcome(false));
        let bits = |run: &Simulation| {
            let bodies = &run.state.bodies;
            (
                bodies.places.clone(),
                bodies.spins.clone(),
                bodies.orientation.clone(),
                run.state.wall_loads.clone(),
            )
        };
        assert!(bits(&followed) == bits(&left), "{name}: other bits");
        let (with, without) = (followed.sample().energy, left.sample().energy);
        let by_cause = with.normal_damping + with.tangential_damping + with.sliding + with.rolling;
        let difference = without.unfollowed - (by_cause - with.closure_error);
        assert!(by_cause > 0.0 && difference.abs() < 1e-10 * by_cause, "{name}: {by_cause} and {difference}");
        assert_eq!((without.normal_damping, without.sliding, without.closure_error), (0.0, 0.0, 0.0));
    }
}

/// A state whose contacts remember dashpots goes on in a run that does not ask for them, and the other way round.
#[test]
fn states_go_on_with_losses_followed_or_not() {
    for follows in [true, false] {
        let laws = KINDS[0].1;
        let mut run = Simulation::new(&drum(laws, follows));
        (0..150).for_each(|_| run.step().expect("a step"));
        let mut other = Simulation::resume(&drum(laws, !follows), run.state.clone());
        (0..50).for_each(|_| other.step().expect("a step"));
        assert!(other.timers.rebuilds > 0);
        assert!(other.sample().contacts.pairs > 50);
    }
}

#[test]
fn a_checkpoint_holds_the_whole_state() {
    let folder = tempfile::tempdir().unwrap();
    let scene = drum(KINDS[0].1, true);
    let mut run = Simulation::new(&scene);
    for _ in 0..130 {
        run.step().unwrap();
    }
    let copy = through_checkpoint(&scene, &run.state, folder.path());
    assert_eq!(Fingerprint::of(&copy.state), Fingerprint::of(&run.state));
}

#[test]
fn any_instruction_set() {
    let program = std::env::current_exe().unwrap();
    let outcome = |set: &str| {
        let child = Command::new(&program)
            .args(["prints_fingerprints_for_any_instruction_set", "--exact", "--ignored", "--nocapture"])
            .env("BRECCIA_SIMD", set)
            .output()
            .expect("the test program runs again");
        let text = String::from_utf8_lossy(&child.stdout).into_owned();
        let lines: Vec<String> = text
            .lines()
            .filter_map(|line| line.split_once("outcome ").map(|(_, rest)| rest.into()))
            .collect();
        assert_eq!(lines.len(), KINDS.len() + 1, "{text}\n{}", String::from_utf8_lossy(&child.stderr));
        lines
    };
    let baseline = outcome("baseline");
    assert!(baseline[0].contains("Baseline"), "{baseline:?}");
    for set in ["avx2", "avx512"] {
        let wide = outcome(set);
        // A processor without the set falls back to a narrower one; the bits are the same all the same.
        println!("{set}: ran as {}", wide[0]);
        assert_eq!(wide[1..], baseline[1..], "{set} against baseline");
    }
}

/// Run by `any_instruction_set` in processes of their own, because the set is chosen by the environment.
#[test]
#[ignore = "a helper of any_instruction_set"]
fn prints_fingerprints_for_any_instruction_set() {
    println!("\noutcome {:?}", breccia::dispatch::instruction_set());
    for (name, laws, follows) in KINDS {
        let mut run = Simulation::new(&drum(laws, follows));
        println!("\noutcome {name} {:?}", run_on(&mut run, &mut Fnv::new()));
    }
}
