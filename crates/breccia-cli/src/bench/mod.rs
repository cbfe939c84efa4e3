//! `breccia bench`: throughput, measured.

mod bed;
mod clusters;
mod measure;
mod sizes;

use crate::cli::{BenchName, BenchOptions};
use crate::problem::Failure;
use std::process::ExitCode;

/// Runs a bench.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    match options.name {
        BenchName::Bed => bed::bench(options),
        BenchName::Sizes => sizes::bench(options),
        BenchName::Clusters => clusters::bench(options),
    }
}
