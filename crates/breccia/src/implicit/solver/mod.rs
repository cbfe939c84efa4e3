//! Solvers of the program of one step, behind one interface.

mod block_matrix;
mod body_schur;
mod cone;
mod graph;
#[cfg(feature = "reference-solver")]
mod reference;
mod schur_sums;

pub use body_schur::BodySchur;
#[cfg(feature = "reference-solver")]
pub use reference::Reference;

use super::problem::{ContactProblem, Solution, SolveReport};

/// Solves programs of implicit steps.
pub trait ConeSolver: Send {
    /// Solves one program. What a solver keeps from call to call must not change the result.
    fn solve(&mut self, problem: &ContactProblem) -> Result<Solution, SolveError>;
}

/// Why a program was not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// Too many iterations.
    #[error(
        "the contact solver did not converge in {} iterations (balance {:.1e}, gaps {:.1e}, complementarity {:.1e}; \
         wanted {wanted:.1e}): take smaller steps, or a softer contact",
        report.iterations, report.balance_residual, report.gap_residual, report.complementarity
    )]
    NotConverged {
        /// Where it stood.
        report: SolveReport,
        /// Tolerance [-].
        wanted: f64,
    },
    /// The matrix of the bodies could not be factorised.
    #[error(
        "the matrix of the contact solver is not positive definite in iteration {iteration} (column {column}): \
         masses, stiffnesses or step sizes of very different magnitude meet; take smaller steps, or a softer contact"
    )]
    NotPositive {
        /// Iteration.
        iteration: u32,
        /// Column of the matrix.
        column: usize,
    },
    /// A number that is not finite came up.
    #[error(
        "the contact solver met a number that is not finite in iteration {iteration}: check masses, loads and positions"
    )]
    NotFinite {
        /// Iteration.
        iteration: u32,
    },
    /// No memory for the factorisation, or a pattern beyond index range.
    #[error("the contact solver could not set up its matrix: {reason}")]
    Setup {
        /// What was wrong.
        reason: String,
    },
}

impl SolveError {
    /// Iterations made until then.
    fn iterations(&self) -> u32 {
        match self {
            Self::NotConverged { report, .. } => report.iterations,
            Self::NotPositive { iteration, .. } | Self::NotFinite { iteration } => *iteration,
            Self::Setup { .. } => 0,
        }
    }
}
