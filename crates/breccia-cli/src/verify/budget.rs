//! Stub.
use super::{VerifyError, report::Report};
/// Stub.
pub fn elastic_box(_: &mut Report) -> Result<(), VerifyError> { Ok(()) }
/// Stub.
pub fn damped_heap(_: &mut Report) -> Result<(), VerifyError> { Ok(()) }
