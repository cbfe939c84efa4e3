//! What the narrow phase of grains hands to the implicit step.

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A possible contact of two grains in the plane, found by the narrow phase. Side a of the record is the slave,
/// side b the master.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GrainContact {
    /// Grain (or wall: numbers after the last grain) whose boundary constrains.
    pub master: u32,
    /// Grain that owns the point.
    pub slave: u32,
    /// Number of the slave's contact knot (or of the disc's foot point): key of the history with master and slave.
    pub knot: u32,
    /// Unit normal of the master at the foot point, towards the slave [world].
    pub normal: DVec2,
    /// Point of the slave, where the forces of both sides act [m, world].
    pub point: DVec2,
    /// Gap at the start of the step, negative = overlap [m].
    pub gap: f64,
    /// Parameter of the foot point on the master's curve, a bound for the next search.
    pub master_parameter: f64,
}
