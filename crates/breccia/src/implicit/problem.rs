//! One step as a convex quadratic program, in plain data.
//!
//! ```text
//! minimise over (r, p, q)  ½ rᵀ M̄⁻¹ r + gᵀp + g_tᵀq + ½ pᵀC_N p + ½ (q−q0)ᵀC_T (q−q0)
//! subject to               r − H (p, q) = f̄0 ,   |q| ≤ µ p ,  p ≥ 0
//! ```
//! The displacement is ΔU = M̄⁻¹ r. Every unknown is a length: a rotation enters as the arc it makes at a
//! distance chosen per body, so that all of M̄ is in N/m and all of f̄0 in N. Rows of dofs that are held or
//! prescribed are zero in H; what they move is in g and g_t.

use serde::{Deserialize, Serialize};

/// Stands for "no unknown": a side that is held or whose motion is prescribed.
pub const NO_BODY: u32 = u32::MAX;

/// A body with up to three unknown displacements (x, y, arc of the rotation).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unknowns {
    /// Diagonal of M̄ [N/m], positive, also on dofs that are held (their force must be zero).
    pub resistance: [f64; 3],
    /// f̄0: external forces and momentum [N].
    pub force: [f64; 3],
}

/// Columns of H of one side of a contact: what a unit force does to its body [-].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Columns {
    /// By a unit normal force.
    pub normal: [f64; 3],
    /// By a unit tangential force.
    pub tangential: [f64; 3],
}

/// A contact of the program. Forces act on the slave, their opposite on the master.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConeContact {
    /// Body of the slave's side, or [`NO_BODY`].
    pub slave: u32,
    /// Body of the master's side, or [`NO_BODY`].
    pub master: u32,
    /// H on the slave.
    pub on_slave: Columns,
    /// H on the master.
    pub on_master: Columns,
    /// g: gap at the start and what known motions add to it [m].
    pub gap: f64,
    /// g_t: slip by known motions [m].
    pub slide: f64,
    /// µ [-].
    pub friction: f64,
    /// C_N = 1/kN, 0 for a rigid contact [m/N].
    pub normal_compliance: f64,
    /// C_T = 1/kT, 0 for a rigid contact [m/N].
    pub tangential_compliance: f64,
    /// q0: tangential force the spring already carries [N].
    pub carried: f64,
}

/// Magnitudes that make the program dimensionless, and how well it is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// f_ref [N].
    pub force: f64,
    /// ℓ [m].
    pub length: f64,
    /// Tolerance on residuals and mean complementarity, relative to force and length [-].
    pub tolerance: f64,
    /// Second stop rule: mean complementarity force × slack to reach besides, where elastic slips matter [J].
    pub complementarity: Option<f64>,
}

/// The program of one step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactProblem {
    /// Bodies with unknown motion.
    pub bodies: Vec<Unknowns>,
    /// Candidate contacts, in a fixed order.
    pub contacts: Vec<ConeContact>,
    /// Scaling.
    pub scale: Scale,
}

/// Force of a contact, averaged over the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactForce {
    /// p, compression positive [N].
    pub normal: f64,
    /// q, on the slave along t = (−n_y, n_x) [N].
    pub tangential: f64,
}

/// What a solver did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolveReport {
    /// Interior-point iterations.
    pub iterations: u32,
    /// Largest residual of the balance, relative to the reference force [-].
    pub balance_residual: f64,
    /// Largest residual of the gaps, relative to the reference length [-].
    pub gap_residual: f64,
    /// Mean complementarity, relative to force × length [-].
    pub complementarity: f64,
    /// Whether the second stop rule was met too (true where it does not apply).
    pub is_tight: bool,
}

impl SolveReport {
    /// The same solve after so many iterations that led nowhere.
    pub(super) fn after(self, spent: u32) -> Self {
        Self { iterations: self.iterations + spent, ..self }
    }
}

/// The solution of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// ΔU per body [m].
    pub displacement: Vec<[f64; 3]>,
    /// Force per contact.
    pub forces: Vec<ContactForce>,
    /// What the solver did.
    pub report: SolveReport,
}

impl ConeContact {
    /// Opening and slip [m] that the unknown displacements make at this contact (known motions not included).
    pub fn relative_motion(&self, displacement: &[[f64; 3]]) -> (f64, f64) {
        let mut motion = (0.0, 0.0);
        for (body, columns) in [(self.slave, &self.on_slave), (self.master, &self.on_master)] {
            if body != NO_BODY {
                let moved = &displacement[body as usize];
                motion.0 += dot(&columns.normal, moved);
                motion.1 += dot(&columns.tangential, moved);
            }
        }
        motion
    }
}

/// Product of two rows of three.
#[inline(always)]
pub(crate) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
