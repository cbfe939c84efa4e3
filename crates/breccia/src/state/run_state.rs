//! The whole changing state of a run.

use super::{AgendaState, Bodies, Clumps};
use crate::contacts::bonds::{BrokenBond, Fragments};
use crate::contacts::{ContactLists, MeshSums, WallLoad};
use crate::simulation::InletState;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Everything that changes in a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// Number of the step to be done next; its time is step × time step.
    pub step: u64,
    /// Gravity now [m/s², world].
    pub gravity: DVec3,
    /// Global damping rate now [1/s].
    pub damping_rate: f64,
    /// Which walls are (still) there.
    pub walls_present: Vec<bool>,
    /// Load on each wall in the last step.
    pub wall_loads: Vec<WallLoad>,
    /// Power done by each wall on the bodies over the step that ended at the last instant [W], as booked in the ledger.
    pub wall_powers: Vec<f64>,
    /// What contacts did to elements of meshes since the last frame.
    pub mesh_sums: MeshSums,
    /// The bodies.
    pub bodies: Bodies,
    /// Bodies of several spheres that move as one.
    pub clumps: Clumps,
    /// Contacts and candidates.
    pub lists: ContactLists,
    /// Whether bodies or walls have changed so that the lists must be built anew.
    pub lists_stale: bool,
    /// Rows to be taken out at the next rebuild.
    pub leaving: Vec<u32>,
    /// Largest speed after the last step [m/s].
    pub fastest: f64,
    /// Phases and events.
    pub agenda: AgendaState,
    /// Inlets that pour bodies in.
    pub inlets: Vec<InletState>,
    /// What bonds hold together.
    pub fragments: Fragments,
    /// Bonds that have broken, in order.
    pub broken: Vec<BrokenBond>,
    /// Energy that came and went by other ways than contacts.
    pub ledger: Ledger,
    /// Bodies that left.
    pub removed: Removed,
}

/// Energy bookkeeping outside the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// Work done by moving walls on the bodies [J].
    pub wall_work: f64,
    /// Energy of bodies put in, less that of bodies taken out and of removed walls' contacts [J].
    pub exchanged: f64,
    /// Energy set free by breaking bonds [J].
    pub fracture: f64,
    /// Work of a change of gravity or of a velocity set by an event [J].
    pub event_work: f64,
    /// Mechanical energy plus losses less works at the first sample [J].
    pub reference: Option<f64>,
    /// Largest energy seen in motion, springs, losses or work [J]: what the closure error is measured by.
    pub turnover: f64,
}

/// Count of bodies that left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Removed {
    /// Number.
    pub count: u64,
    /// Mass [kg].
    pub mass: f64,
}
