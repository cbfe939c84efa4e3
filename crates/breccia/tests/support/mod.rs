//! What several test programs share: scenes from text, fingerprints of states, small random numbers.
#![allow(dead_code)] // Each test program uses its own part.

use breccia::output::{checkpoint, observe::table_row};
use breccia::scene::{self, Scene};
use breccia::simulation::Simulation;
use breccia::state::State;
use glam::DVec3;
use std::path::Path;

/// A scene from its text; a wrong one fails the test with its message.
pub fn scene(text: &str) -> Scene {
    let loaded = scene::load_str("test.toml", text, Path::new(""));
    loaded.unwrap_or_else(|error| panic!("{}", error.plain())).scene
}

/// One soft material, one rigid one for walls; `restitution`, `friction` and `rolling_friction` for all pairs.
pub fn materials(restitution: f64, friction: f64, rolling_friction: f64) -> String {
    format!(
        r#"
[[material]]
name = "grain"
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[[material]]
name = "steel"
density = 7800
young_modulus = "rigid"
poisson_ratio = 0.3
[pair_default]
restitution = {restitution}
friction = {friction}
rolling_friction = {rolling_friction}
normal_stiffness = 2e4
"#
    )
}

/// Runs a scene to its end.
pub fn run_to_end(run: &mut Simulation) {
    while !run.is_finished() {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
}

/// FNV-1a over 64-bit words: the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv(pub u64);

impl Fnv {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub fn number(&mut self, value: f64) {
        self.word(value.to_bits());
    }

    pub fn numbers(&mut self, values: &[f64]) {
        values.iter().for_each(|&value| self.number(value));
    }

    pub fn vector(&mut self, v: DVec3) {
        self.numbers(&v.to_array());
    }
}

/// Hashes of the parts of a state, so that a difference says where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    pub step: u64,
    pub bodies: usize,
    pub rows: u64,
    pub identity: u64,
    pub orientations: u64,
    pub pair_memories: u64,
    pub wall_memories: u64,
    pub totals: u64,
    pub ledger: u64,
    /// Everything a checkpoint holds, known to this list or not.
    pub checkpoint: u64,
}

impl Fingerprint {
    pub fn of(state: &State) -> Self {
        let hash = |fill: &dyn Fn(&mut Fnv)| {
            let mut fnv = Fnv::new();
            fill(&mut fnv);
            fnv.0
        };
        Self {
            step: state.step,
            bodies: state.bodies.len(),
            rows: hash(&|fnv| add_rows(fnv, state)),
            identity: hash(&|fnv| add_identity(fnv, state)),
            orientations: hash(&|fnv| {
                state.bodies.orientation.iter().for_each(|q| fnv.numbers(&q.to_array()));
            }),
            pair_memories: hash(&|fnv| add_pair_memories(fnv, state)),
            wall_memories: hash(&|fnv| add_wall_memories(fnv, state)),
            totals: hash(&|fnv| add_totals(fnv, state)),
            ledger: hash(&|fnv| add_ledger(fnv, state)),
            checkpoint: hash(&|fnv| {
                let bytes = checkpoint::encode(state).expect("a state can be packed");
                bytes.iter().for_each(|&byte| fnv.word(u64::from(byte)));
            }),
        }
    }
}

fn add_rows(fnv: &mut Fnv, state: &State) {
    let bodies = &state.bodies;
    for (places, spins) in [(&bodies.places, &bodies.spins), (&bodies.last_places, &bodies.last_spins)] {
        for row in places {
            fnv.numbers(&row.position);
            fnv.numbers(&row.velocity);
            fnv.numbers(&[row.radius, row.inverse_mass]);
        }
        for row in spins {
            fnv.numbers(&row.spin);
            fnv.number(row.inverse_inertia);
        }
    }
}

fn add_identity(fnv: &mut Fnv, state: &State) {
    let bodies = &state.bodies;
    for row in 0..bodies.len() {
        let number = (u64::from(bodies.material[row].0) << 16) | u64::from(bodies.group[row]);
        fnv.word(u64::from(bodies.id[row]));
        fnv.word(number);
        bodies.wraps.of(row).iter().for_each(|&turns| fnv.word(turns as u64));
    }
}

fn add_memory(fnv: &mut Fnv, memory: &breccia::contacts::Memory) {
    fnv.vector(memory.tangential);
    fnv.vector(memory.rolling);
    fnv.vector(memory.tangential_dashpot);
    fnv.vector(memory.rolling_dashpot);
    fnv.numbers(&[memory.depth, memory.normal_dashpot]);
}

fn add_pair_memories(fnv: &mut Fnv, state: &State) {
    for chunk in &state.lists.chunks {
        for group in &chunk.groups {
            fnv.word(u64::from(group.pair.0));
            fnv.word(group.image.index() as u64);
            for lane in group.contacts.lanes() {
                fnv.word((u64::from(lane.a) << 32) | u64::from(lane.b));
                add_memory(fnv, &lane.memory);
            }
        }
    }
}

fn add_wall_memories(fnv: &mut Fnv, state: &State) {
    for contact in state.lists.chunks.iter().flat_map(|chunk| chunk.surface.searched()) {
        fnv.word((u64::from(contact.row) << 32) | u64::from(contact.feature));
        fnv.word(u64::from(contact.wall.0));
        add_memory(fnv, &contact.memory);
        fnv.vector(contact.force);
    }
    for group in state.lists.chunks.iter().flat_map(|chunk| &chunk.surface.faces) {
        fnv.word((u64::from(group.wall.0) << 32) | u64::from(group.face));
        for lane in group.contacts.lanes() {
            fnv.word(u64::from(lane.a));
            add_memory(fnv, &lane.memory);
        }
    }
}

fn add_totals(fnv: &mut Fnv, state: &State) {
    let totals = state.lists.totals();
    fnv.numbers(&[totals.normal_damping, totals.tangential_damping, totals.sliding]);
    fnv.numbers(&[totals.rolling, totals.global_damping, totals.load_work]);
    for load in &state.wall_loads {
        fnv.vector(load.force);
        fnv.vector(load.torque);
    }
}

fn add_ledger(fnv: &mut Fnv, state: &State) {
    let ledger = &state.ledger;
    fnv.numbers(&[ledger.wall_work, ledger.exchanged, ledger.event_work, ledger.turnover]);
    fnv.number(ledger.reference.unwrap_or(0.0));
    fnv.word(state.removed.count);
    fnv.number(state.removed.mass);
    for inlet in &state.inlets {
        fnv.numbers(&[inlet.owed, inlet.mass]);
        fnv.word(inlet.count);
    }
}

/// Adds a table row of the present instant.
pub fn add_table_row(fnv: &mut Fnv, run: &mut Simulation) {
    let sample = run.sample();
    fnv.numbers(&table_row(run, &sample));
}

/// The run continued from a checkpoint written to disk and read back.
pub fn through_checkpoint(scene: &Scene, state: &State, folder: &Path) -> Simulation {
    let path = folder.join("checkpoint");
    checkpoint::write_checkpoint(&path, state).expect("a checkpoint can be written");
    Simulation::resume(scene, checkpoint::read_checkpoint(&path).expect("and read back"))
}

/// Small reproducible random numbers for tests.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn vector(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::new(self.between(low, high), self.between(low, high), self.between(low, high))
    }
}
