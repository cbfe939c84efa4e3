//! What a run of grains changes. A checkpoint is this and nothing else.

use super::account::contact_vector;
use super::contact::GrainContact;
use super::problem::{ContactForce, SolveReport};
use super::setup::WallControl;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A wall: the half-plane n·x < offset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallState {
    /// Unit normal towards the grains.
    pub normal: DVec2,
    /// n·x on the surface [m].
    pub offset: f64,
    /// What it does.
    pub control: WallControl,
    /// Velocity at the end of the last step [m/s].
    pub velocity: DVec2,
    /// Force of the grains on it, averaged over the last step [N/m].
    pub load: DVec2,
}

impl WallState {
    /// A wall at rest, by normal (of any length) and a point on it.
    pub fn at_rest(normal: DVec2, point: DVec2) -> Self {
        let normal = normal.normalize_or(DVec2::Y);
        Self {
            normal,
            offset: normal.dot(point),
            control: WallControl::Moves(DVec2::ZERO),
            velocity: DVec2::ZERO,
            load: DVec2::ZERO,
        }
    }

    /// Whether it is there.
    pub fn is_there(&self) -> bool {
        self.control != WallControl::Removed
    }
}

/// A force on a grain from outside, besides gravity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrainLoad {
    /// Grain.
    pub grain: u32,
    /// Force at the centroid [N/m].
    pub force: DVec2,
    /// Moment, counter-clockwise [N].
    pub moment: f64,
}

/// A contact that carried force in the last step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadedContact {
    /// As found at the start of that step.
    pub contact: GrainContact,
    /// Its force, averaged over the step.
    pub force: ContactForce,
    /// Slip of the slave relative to the master along t, over the step [m].
    pub slip: f64,
}

impl LoadedContact {
    /// Force on the slave [N/m, world]; the master gets the opposite.
    pub fn force_on_slave(&self) -> DVec2 {
        contact_vector(&self.contact, self.force)
    }
}

/// Where energy went since the start [J/m].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GrainLedger {
    /// Held by contact springs now.
    pub elastic: f64,
    /// Work of walls and grains that move as prescribed, and of pressed walls' pressure.
    pub wall_work: f64,
    /// Work of loads.
    pub load_work: f64,
    /// Lost by friction.
    pub friction: f64,
    /// Lost by closing gaps, by springs that opened and by dilation that fell back; single steps may gain.
    pub contact: f64,
    /// Lost by the θ-rule (dynamics) or the resistance to motion (statics).
    pub step: f64,
}

/// How the last step went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Candidate contacts of the last solve.
    pub candidates: u32,
    /// Solves that were rejected and redone.
    pub redone: u32,
    /// Parts the step was divided into.
    pub parts: u32,
    /// Reach of the search [m].
    pub reach: f64,
    /// η used (statics).
    pub resistance: f64,
    /// Largest relative motion of neighbours (statics) [m].
    pub relative_motion: f64,
    /// Deepest overlap met by the search [m].
    pub overlap: f64,
    /// What the solver did last.
    pub solve: SolveReport,
    /// Interior-point iterations of all solves of the step.
    pub iterations: u32,
}

/// Everything that changes in a run of grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrainState {
    /// Steps done.
    pub step: u64,
    /// Centroids [m, world].
    pub position: Vec<DVec2>,
    /// Angles, counter-clockwise [rad].
    pub angle: Vec<f64>,
    /// Velocities [m/s].
    pub velocity: Vec<DVec2>,
    /// Angular velocities [rad/s].
    pub spin: Vec<f64>,
    /// Walls.
    pub walls: Vec<WallState>,
    /// Gravity [m/s²].
    pub gravity: DVec2,
    /// Loads on grains.
    pub loads: Vec<GrainLoad>,
    /// Contacts that carried force in the last step, sorted by (master, slave, knot): results and history.
    pub contacts: Vec<LoadedContact>,
    /// Energy.
    pub ledger: GrainLedger,
    /// How the last step went.
    pub report: StepReport,
    /// Redone solves since the start.
    pub redone: u64,
}

impl GrainState {
    /// Grains at rest at the given places and angles [m, rad].
    pub fn at_rest(places: &[(DVec2, f64)], walls: Vec<WallState>, gravity: DVec2) -> Self {
        Self {
            step: 0,
            position: places.iter().map(|place| place.0).collect(),
            angle: places.iter().map(|place| place.1).collect(),
            velocity: vec![DVec2::ZERO; places.len()],
            spin: vec![0.0; places.len()],
            walls,
            gravity,
            loads: Vec::new(),
            contacts: Vec::new(),
            ledger: GrainLedger::default(),
            report: StepReport::default(),
            redone: 0,
        }
    }

    /// Distance between two parallel walls that face each other [m].
    pub fn distance_between(&self, [a, b]: [u32; 2]) -> f64 {
        let along = self.walls[a as usize].normal;
        let (a, b) = (&self.walls[a as usize], &self.walls[b as usize]);
        // A point of b lies at normal_b · offset_b.
        (b.normal * b.offset).dot(along) - a.offset
    }
}
