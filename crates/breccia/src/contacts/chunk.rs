//! A chunk: a fixed stretch of body rows, and contacts that touch one of them.

use super::bonds::{BondBlock, BondGroup, FailedBond};
use super::{BorderLoads, ElementSums, OwnSides, PairGroup, SurfaceContacts};
use crate::laws::Losses;
use crate::narrow_phase::SearchReport;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Resultant of contact forces on a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WallLoad {
    /// Force on the wall [N, world].
    pub force: DVec3,
    /// Torque on the wall about the world's origin [N m, world].
    pub torque: DVec3,
}

impl WallLoad {
    /// Adds another load.
    pub fn add(&mut self, other: &Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// What crossed a plane, along its normal positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// Net mass [kg].
    pub mass: f64,
    /// Net number of bodies.
    pub count: i64,
}

impl Flow {
    /// Adds a crossing.
    pub fn add(&mut self, mass: f64, count: i64) {
        self.mass += mass;
        self.count += count;
    }
}

/// Sums and extremes a chunk reports of its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepTotals {
    /// Lost to normal dashpots since the chunk was made [J].
    pub normal_damping: f64,
    /// Lost to tangential dashpots and stiffness changes [J].
    pub tangential_damping: f64,
    /// Lost to sliding [J].
    pub sliding: f64,
    /// Lost to rolling resistance [J].
    pub rolling: f64,
    /// Lost to the dashpots of bonds [J].
    pub bond_damping: f64,
    /// Lost to global damping [J].
    pub global_damping: f64,
    /// Work of applied loads [J].
    pub load_work: f64,
}

impl StepTotals {
    /// Adds the losses of a contact.
    #[inline(always)]
    pub fn add_losses(&mut self, losses: &Losses<f64>) {
        self.normal_damping += losses.normal_damping;
        self.tangential_damping += losses.tangential_damping;
        self.sliding += losses.sliding;
        self.rolling += losses.rolling;
    }

    /// Adds another chunk's totals.
    pub fn add(&mut self, other: &Self) {
        self.add_part(1.0, other);
    }

    /// Adds a part of other totals.
    pub fn add_part(&mut self, part: f64, other: &Self) {
        self.normal_damping += part * other.normal_damping;
        self.tangential_damping += part * other.tangential_damping;
        self.sliding += part * other.sliding;
        self.rolling += part * other.rolling;
        self.bond_damping += part * other.bond_damping;
        self.global_damping += part * other.global_damping;
        self.load_work += part * other.load_work;
    }
}

/// What the last step of a chunk found; combined over chunks by maximum or in chunk order.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Largest squared speed after the step [m²/s²]; NaN if a body has one.
    pub largest_speed_squared: f64,
    /// Largest overlap beyond the limit [m]; > 0 stops the run.
    pub overlap_excess: f64,
    /// Bonds that failed.
    pub failed_bonds: Vec<FailedBond>,
    /// What the search for wall contacts found.
    pub surfaces: SearchReport,
    /// Whether a centre left the domain through a non-periodic side.
    pub left_domain: bool,
    /// Seconds spent on pairs, surfaces and motion.
    pub seconds: [f64; 3],
}

/// A stretch of rows and its contacts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Chunk {
    /// First row.
    pub first: u32,
    /// Number of rows.
    pub count: u32,
    /// Chunks of lower rank whose contacts act on rows of this one, ascending.
    pub sources: Vec<u32>,
    /// Pair contacts, by pair of materials, image and sides in the chunk.
    pub groups: Vec<PairGroup>,
    /// Bonds, by kind, image and sides in the chunk.
    pub bonds: Vec<BondGroup>,
    /// Contacts with walls.
    pub surface: SurfaceContacts,
    /// Running sums.
    pub totals: StepTotals,
    /// What the motion of the last step lost and gained. It spans the half steps before and after the instant of
    /// the step, so one half is in the running sums and the other follows with the next step.
    pub last_motion: StepTotals,
    /// Load on each wall in the last step.
    pub wall_loads: Vec<WallLoad>,
    /// What contacts did to elements of meshes since the chunk was made or an interval began.
    pub element_sums: ElementSums,
    /// What crossed each flow plane since the chunk was made.
    pub flows: Vec<Flow>,
    /// What its contacts do to rows of others; in use while a step goes on.
    #[serde(skip)]
    pub border: BorderLoads,
    /// Buffer for pairs that have begun to touch.
    #[serde(skip)]
    pub woken: Vec<[u32; 2]>,
    /// What the last step found.
    #[serde(skip)]
    pub report: StepReport,
}

impl Chunk {
    /// Memory held by the chunk's contacts and candidates [bytes].
    pub fn memory_bytes(&self) -> usize {
        let bonds = self.bonds.iter().map(|group| group.blocks.capacity() * size_of::<BondBlock>());
        let pairs = self.groups.iter().map(PairGroup::memory_bytes).sum::<usize>() + bonds.sum::<usize>();
        let surfaces = self.surface.memory_bytes() + self.element_sums.memory_bytes();
        pairs + surfaces + self.border.memory_bytes()
    }

    /// Blocks of contacts and bonds with rows of other chunks.
    pub fn border_blocks(&self) -> usize {
        let pairs = self.groups.iter().filter(|group| group.own != OwnSides::Both);
        let bonds = self.bonds.iter().filter(|group| group.own != OwnSides::Both);
        pairs.map(|group| group.contacts.blocks.len()).sum::<usize>()
            + bonds.map(|group| group.blocks.len()).sum::<usize>()
    }

    /// Which of two rows are in the chunk, one at least.
    #[inline(always)]
    pub fn own_sides(&self, rows: [u32; 2]) -> OwnSides {
        OwnSides::within(rows, self.first, self.count)
    }
}
