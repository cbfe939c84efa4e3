//! Numbers that steer a run: time, search, motion, limits.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// How the time step is found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum StepChoice {
    /// From the Rayleigh time and the shortest expected contact.
    Auto,
    /// Given [s]; warned about or refused when too long.
    Fixed(f64),
}

/// Length and step of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeSettings {
    /// Simulated time [s].
    pub duration: f64,
    /// Time step.
    pub step: StepChoice,
    /// Largest step as a fraction of the Rayleigh time [–] for `Auto`.
    pub rayleigh_fraction: f64,
    /// Fewest steps in the shortest expected contact [–] for `Auto`.
    pub steps_per_contact: f64,
    /// Expected largest impact speed [m/s]; found from the scene when absent.
    pub expected_speed: Option<f64>,
}

/// When the neighbour list is rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum SearchTrigger {
    /// When bodies have moved far enough to spoil the list.
    Displacement,
    /// Every so many steps, as in the papers; stops loudly if bodies outrun the list.
    EverySteps(u64),
}

/// Neighbour search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchSettings {
    /// Extra reach of the neighbour list [m]; chosen from the smallest radius when absent.
    pub skin: Option<f64>,
    /// When to rebuild.
    pub trigger: SearchTrigger,
    /// Whether elements of meshes out of reach are sorted out before their closest points are looked for. Off, the
    /// contacts are the same, found more slowly.
    pub fast_test: bool,
    /// Whether bonded bodies are searched whole first. Off, the contacts and their order are the same, found more
    /// slowly.
    pub whole_bodies: bool,
}

/// A constant force and torque on bodies of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppliedLoad {
    /// Group of bodies it acts on (index of the scene's `[[bodies]]` entry).
    pub group: u16,
    /// Force on each body [N, world].
    pub force: DVec3,
    /// Torque on each body [N m, world].
    pub torque: DVec3,
    /// First instant it acts [s].
    pub start: f64,
    /// Last instant it acts [s].
    pub stop: f64,
}

/// How bodies move besides contact and gravity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MotionSettings {
    /// Constant loads on groups of bodies.
    pub loads: Vec<AppliedLoad>,
    /// Global damping rate [1/s]: force −rate·m·v and torque −rate·I·ω on every body.
    pub damping_rate: f64,
    /// Whether orientations (quaternions) are integrated and written.
    pub track_orientation: bool,
}

/// When to stop loudly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Largest overlap as a fraction of the smaller radius [–].
    pub overlap: f64,
}
