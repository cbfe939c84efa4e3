//! Newton's method for a step: bodies are factored one by one, contacts couple them.

mod body;
mod coupling;
mod gmres;
mod newton;
mod reference;
mod residual;

pub(super) use body::BodyMatrix;
pub use newton::{Converged, NotConverged, solve_step};
pub use reference::ReferenceFactors;
pub use residual::StepInput;
