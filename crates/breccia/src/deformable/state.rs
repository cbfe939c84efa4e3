//! What changes during a run: a checkpoint is this and nothing else.

use super::contact::{PairTable, SortedPairs};
use super::setup::SolidSetup;
use crate::broad_phase::SortCounts;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// State of a run with deformable bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidState {
    /// Positions of all nodes [m].
    pub positions: Vec<DVec2>,
    /// Velocities of all nodes [m/s].
    pub velocities: Vec<DVec2>,
    /// Velocities in the middle of the last step [m/s]: free of the ringing of nodes in contact.
    pub mid_velocities: Vec<DVec2>,
    /// Whole steps taken.
    pub step: u64,
    /// Time [s].
    pub time: f64,
    /// Current step as a power: the time step halved this often.
    pub halvings: u32,
    /// Shortest steps taken since the last whole one, of 2^10 that make one.
    pub ticks: u32,
    /// Steps accepted since the step was last shortened or lengthened.
    pub good_steps: u32,
    /// Touching pairs.
    pub pairs: PairTable,
    /// Near pairs.
    pub sorted: SortedPairs,
    /// What was gained and lost so far.
    pub ledger: SolidLedger,
    /// The last step.
    pub last: StepTally,
    /// Sums and extremes over all steps.
    pub total: RunTally,
}

/// Energy and momentum that came in or went out since the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolidLedger {
    /// Energy dissipated by friction [J].
    pub friction: f64,
    /// Work of constant loads, gravity not included [J].
    pub loads: f64,
    /// Work of prescribed motions [J].
    pub supports: f64,
    /// Impulse of each wall on the bodies [N s].
    pub walls: Vec<DVec2>,
    /// Impulse of supports and obstacles [N s].
    pub supports_impulse: DVec2,
    /// Impulse of gravity and loads [N s].
    pub loads_impulse: DVec2,
    /// Angular impulse of walls, supports and loads about the origin [N m s].
    pub angular_impulse: f64,
}

impl SolidLedger {
    /// Impulse from outside [N s].
    pub fn impulse(&self) -> DVec2 {
        self.walls.iter().sum::<DVec2>() + self.supports_impulse + self.loads_impulse
    }
}

/// Counts of one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepTally {
    /// Pairs looked at.
    pub pairs: u32,
    /// Pairs with pressure.
    pub active: u32,
    /// Iterations.
    pub iterations: u32,
    /// Halvings of corrections.
    pub halvings: u32,
    /// Bodies factored.
    pub factorings: u32,
    /// Products with the matrix that couples bodies.
    pub products: u32,
    /// Whether points were kept on their segments in the last iterations.
    pub frozen: bool,
    /// Pairs that overlapped before they were known, their gap taken as none.
    pub clamps: u32,
    /// Largest depth so taken [m].
    pub clamp_depth: f64,
    /// Largest real depth of a touching pair [m].
    pub penetration: f64,
    /// Largest difference of dynamic and real gap of touching pairs [m].
    pub gap_drift: f64,
    /// Least energy dissipated by a pair [J]; below zero only by a defect.
    pub least_dissipation: f64,
    /// Work of sorting.
    pub sorting: SortCounts,
}

/// Sums and extremes over all steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunTally {
    /// Steps accepted, parts of whole ones counted.
    pub steps: u64,
    /// Sorts.
    pub sorts: u64,
    /// Iterations.
    pub iterations: u64,
    /// Most iterations of a step.
    pub most_iterations: u32,
    /// Halvings of corrections.
    pub halvings: u64,
    /// Bodies factored.
    pub factorings: u64,
    /// Steps whose points were kept on their segments.
    pub frozen: u64,
    /// Steps that did not converge and were shortened.
    pub cuts: u64,
    /// Steps repeated because near pairs were missing.
    pub repeats: u64,
    /// Pairs that overlapped before they were known.
    pub clamps: u64,
    /// Largest depth so taken as none [m].
    pub clamp_depth: f64,
    /// Largest real depth [m].
    pub penetration: f64,
    /// Largest difference of dynamic and real gap [m].
    pub gap_drift: f64,
    /// Least energy dissipated by a pair in a step [J].
    pub least_dissipation: f64,
}

impl RunTally {
    /// Adds an accepted step.
    pub fn add(&mut self, step: &StepTally) {
        self.steps += 1;
        self.iterations += u64::from(step.iterations);
        self.most_iterations = self.most_iterations.max(step.iterations);
        self.halvings += u64::from(step.halvings);
        self.factorings += u64::from(step.factorings);
        self.frozen += u64::from(step.frozen);
        self.clamps += u64::from(step.clamps);
        self.clamp_depth = self.clamp_depth.max(step.clamp_depth);
        self.penetration = self.penetration.max(step.penetration);
        self.gap_drift = self.gap_drift.max(step.gap_drift);
        self.least_dissipation = self.least_dissipation.min(step.least_dissipation);
    }
}

impl SolidState {
    /// The start of a run.
    pub fn new(setup: &SolidSetup) -> Self {
        let gather = |field: fn(&super::SolidBody) -> &Vec<DVec2>| -> Vec<DVec2> {
            setup.bodies.iter().flat_map(|body| field(body).iter().copied()).collect()
        };
        let velocities = gather(|body| &body.velocities);
        let ledger = SolidLedger { walls: vec![DVec2::ZERO; setup.walls.len()], ..SolidLedger::default() };
        Self {
            positions: gather(|body| &body.positions),
            mid_velocities: velocities.clone(),
            velocities,
            step: 0,
            time: 0.0,
            halvings: 0,
            ticks: 0,
            good_steps: 0,
            pairs: PairTable::default(),
            sorted: SortedPairs::default(),
            ledger,
            last: StepTally::default(),
            total: RunTally::default(),
        }
    }
}
