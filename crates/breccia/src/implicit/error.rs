//! Why an implicit run had to stop.

use super::solver::SolveError;
use thiserror::Error;

/// Why an implicit step was not made. The state is as before the step.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GrainError {
    /// A set-up outside the method.
    #[error("{message}")]
    Refused {
        /// What is wrong and what to do.
        message: String,
    },
    /// The solver gave up.
    #[error("step {step}: {source}\nhelp: {suspects}")]
    Solver {
        /// Step.
        step: u64,
        /// Why.
        source: SolveError,
        /// Who overlapped most.
        suspects: String,
    },
    /// The step was redone too often.
    #[error(
        "step {step} was redone {times} times and still moves grains farther than contacts were looked for \
         ({moved:.2e} m, reach {reach:.2e} m)\n\
         help: {movers}; take smaller steps, raise the resistance of quasi-static steps, or support what falls"
    )]
    Unbounded {
        /// Step.
        step: u64,
        /// Redone so often.
        times: u32,
        /// Largest relative motion, or deepest overlap that was missed [m].
        moved: f64,
        /// Reach of the search [m].
        reach: f64,
        /// Who moved most.
        movers: String,
    },
    /// Two things overlap too much.
    #[error(
        "grain {slave} and {master} overlap by {overlap:.3e} m at step {step}, more than a quarter of the mean diameter\n\
         help: they started inside each other, a wall moved too far in one step, or steps are too long"
    )]
    TooDeep {
        /// Slave.
        slave: u32,
        /// Master, as a user knows it.
        master: String,
        /// Overlap [m].
        overlap: f64,
        /// Step.
        step: u64,
    },
    /// A number is not one any more.
    #[error(
        "grain {grain} has a position or velocity that is not a number after step {step}\nhelp: check loads and walls"
    )]
    NotANumber {
        /// Grain.
        grain: u32,
        /// Step.
        step: u64,
    },
    /// A target was not reached.
    #[error("{message}")]
    TargetMissed {
        /// What, where it stood, and what to do.
        message: String,
    },
}
