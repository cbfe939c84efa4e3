//! Why a run with deformable bodies had to stop.

use glam::DVec2;
use thiserror::Error;

/// Why there is no next step.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SolidError {
    /// Iterations did not converge, however short the step.
    #[error(
        "at t = {time} s no step down to {time_step:e} s converged; the largest residual is in `{body}` ({why})\n\
         help: take a shorter time step (1.3 R/c_p is a good bound), a softer penalty (3 to 10 times Young's modulus), \
         or a finer mesh where `{body}` is deformed most"
    )]
    NotConverged {
        /// Time reached [s].
        time: f64,
        /// Shortest step tried [s].
        time_step: f64,
        /// Body with the largest residual.
        body: String,
        /// What went wrong last.
        why: String,
    },
    /// The outline of a body crosses itself.
    #[error(
        "at t = {time} s the surface of `{body}` meets itself near ({:.6}, {:.6}): segments {}–{} and {}–{} cross\n\
         help: contact of a body with itself is not computed; make the parts that meet separate bodies, or the body stiffer",
        .at.x, .at.y, .nodes[0], .nodes[1], .nodes[2], .nodes[3]
    )]
    SelfContact {
        /// Time [s].
        time: f64,
        /// Name of the body.
        body: String,
        /// Ends of both segments, numbers of nodes within the body.
        nodes: [u32; 4],
        /// Where [m].
        at: DVec2,
    },
}
