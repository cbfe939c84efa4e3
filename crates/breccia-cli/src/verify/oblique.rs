//! Stub.
use super::{VerifyError, report::Report};
/// Stub.
pub fn sliding(_: &mut Report) -> Result<(), VerifyError> { Ok(()) }
/// Stub.
pub fn sticking(_: &mut Report) -> Result<(), VerifyError> { Ok(()) }
/// Stub.
pub fn angles(_: &mut Report) -> Result<(), VerifyError> { Ok(()) }
