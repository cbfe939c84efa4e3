//! The reference solver: clarabel, a general conic interior point, on the program as it stands.
//!
//! Variables (r, p, q), made dimensionless; the balance is a zero cone, µp ± q ≥ 0 (or p ≥ 0) a nonnegative one.

use super::{ConeSolver, SolveError};
use crate::implicit::problem::{Columns, ContactForce, ContactProblem, NO_BODY, Solution, SolveReport};
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus,
    ZeroConeT,
};

/// clarabel behind the interface of the solvers.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// Tolerance of gap and feasibility [-].
    pub tolerance: f64,
}

impl Default for Reference {
    fn default() -> Self {
        Self { tolerance: 1e-9 }
    }
}

impl ConeSolver for Reference {
    fn solve(&mut self, problem: &ContactProblem) -> Result<Solution, SolveError> {
        let conic = Conic::of(problem);
        let balance_rows = 3 * problem.bodies.len();
        let cones = [ZeroConeT(balance_rows), NonnegativeConeT(conic.right_side.len() - balance_rows)];
        let setup = |reason: String| SolveError::Setup { reason };
        let settings: DefaultSettings<f64> = DefaultSettingsBuilder::default()
            .verbose(false)
            .max_threads(1)
            .tol_gap_abs(self.tolerance)
            .tol_gap_rel(self.tolerance)
            .tol_feas(self.tolerance)
            .build()
            .map_err(|error| setup(format!("{error:?}")))?;
        let mut solver = DefaultSolver::new(
            &conic.quadratic,
            &conic.linear,
            &conic.constraints,
            &conic.right_side,
            &cones,
            settings,
        )
        .map_err(|error| setup(format!("{error:?}")))?;
        solver.solve();
        let report = SolveReport {
            iterations: solver.info.iterations,
            balance_residual: solver.info.res_primal,
            gap_residual: solver.info.res_dual,
            complementarity: solver.info.gap_abs / problem.contacts.len().max(1) as f64,
            is_tight: true,
        };
        if solver.solution.status != SolverStatus::Solved {
            return Err(SolveError::NotConverged { report, wanted: self.tolerance });
        }
        Ok(read_back(problem, &solver.solution.x, report))
    }
}

/// A program in clarabel's form: minimise ½xᵀPx + qᵀx subject to b − Ax in the cones.
struct Conic {
    quadratic: CscMatrix<f64>,
    linear: Vec<f64>,
    constraints: CscMatrix<f64>,
    right_side: Vec<f64>,
}

impl Conic {
    fn of(problem: &ContactProblem) -> Self {
        let (bodies, contacts, scale) = (problem.bodies.len(), problem.contacts.len(), &problem.scale);
        let softness = scale.length / scale.force;
        let mut diagonal = Vec::with_capacity(3 * bodies + 2 * contacts);
        let mut linear = vec![0.0; 3 * bodies];
        let mut right_side = Vec::with_capacity(3 * bodies + 2 * contacts);
        let mut columns = SparseColumns::default();
        for (body, unknowns) in problem.bodies.iter().enumerate() {
            for axis in 0..3 {
                diagonal.push(1.0 / (unknowns.resistance[axis] * softness));
                right_side.push(unknowns.force[axis] / scale.force);
                columns.push(&[(3 * body + axis, 1.0)]);
            }
        }
        let mut row = 3 * bodies;
        for contact in &problem.contacts {
            let compliances =
                [contact.normal_compliance / softness, contact.tangential_compliance / softness];
            diagonal.extend(compliances);
            let slide = contact.slide - contact.tangential_compliance * contact.carried;
            linear.extend([contact.gap / scale.length, slide / scale.length]);
            let has_friction = contact.friction > 0.0;
            let (mut normal, mut tangential) = (Vec::new(), Vec::new());
            for (body, on) in sides(contact.slave, &contact.on_slave, contact.master, &contact.on_master) {
                for axis in 0..3 {
                    normal.push((3 * body as usize + axis, -on.normal[axis]));
                    tangential.push((3 * body as usize + axis, -on.tangential[axis]));
                }
            }
            if has_friction {
                normal.extend([(row, -contact.friction), (row + 1, -contact.friction)]);
                tangential.extend([(row, 1.0), (row + 1, -1.0)]);
            } else {
                // One row keeps q at zero from both sides without a second cone: p ≥ 0, and q costs but gains nothing.
                normal.push((row, -1.0));
                tangential.clear();
            }
            right_side.extend(std::iter::repeat_n(0.0, if has_friction { 2 } else { 1 }));
            row += if has_friction { 2 } else { 1 };
            if !has_friction {
                let last = linear.len() - 1;
                linear[last] = 0.0;
                let last = diagonal.len() - 1;
                diagonal[last] = 1.0;
            }
            columns.push(&normal);
            columns.push(&tangential);
        }
        let unknowns = diagonal.len();
        let quadratic =
            CscMatrix::new(unknowns, unknowns, (0..=unknowns).collect(), (0..unknowns).collect(), diagonal);
        let constraints = columns.finish(row);
        Self { quadratic, linear, constraints, right_side }
    }
}

/// Sides with unknowns, lower body first as rows must ascend.
fn sides<'a>(
    slave: u32,
    on_slave: &'a Columns,
    master: u32,
    on_master: &'a Columns,
) -> impl Iterator<Item = (u32, &'a Columns)> {
    let mut both = [(slave, on_slave), (master, on_master)];
    both.sort_by_key(|side| side.0);
    both.into_iter().filter(|side| side.0 != NO_BODY)
}

/// A matrix written column by column.
#[derive(Default)]
struct SparseColumns {
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
}

impl SparseColumns {
    fn push(&mut self, entries: &[(usize, f64)]) {
        self.starts.push(self.rows.len());
        self.rows.extend(entries.iter().map(|entry| entry.0));
        self.values.extend(entries.iter().map(|entry| entry.1));
    }

    fn finish(mut self, rows: usize) -> CscMatrix<f64> {
        let columns = self.starts.len();
        self.starts.push(self.rows.len());
        CscMatrix::new(rows, columns, self.starts, self.rows, self.values)
    }
}

fn read_back(problem: &ContactProblem, x: &[f64], report: SolveReport) -> Solution {
    let scale = &problem.scale;
    let displacement = problem
        .bodies
        .iter()
        .enumerate()
        .map(|(body, unknowns)| {
            std::array::from_fn(|axis| x[3 * body + axis] * scale.force / unknowns.resistance[axis])
        })
        .collect();
    let forces = x[3 * problem.bodies.len()..]
        .chunks_exact(2)
        .map(|pair| ContactForce { normal: pair[0] * scale.force, tangential: pair[1] * scale.force })
        .collect();
    Solution { displacement, forces, report }
}
