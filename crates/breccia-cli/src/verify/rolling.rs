//! Stub.
use super::{VerifyError, report::Report};
/// Stub.
pub fn sliding_to_rolling(_: &mut Report) -> Result<(), VerifyError> { Ok(()) }
/// Stub.
pub fn decay(_: &mut Report) -> Result<(), VerifyError> { Ok(()) }
