//! `breccia report`: one HTML file that holds everything worth showing of a run, or of `breccia verify`.

mod html;
mod of_run;
mod of_verify;
mod table;

use crate::problem::Failure;
use crate::tell;
use crate::watched::WatchedRun;
use breccia::output::atomic::{Durability, write_atomically};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Options of `report`.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
                  breccia report out/hopper                  writes hopper.html\n  \
                  breccia report out/hopper --times 0 0.5 1.9\n  \
                  breccia report verify                      what breccia verify left in out/verify\n\n\
                  The file needs no other: pictures and plots are inside. It can be sent and opened anywhere.")]
pub struct ReportArguments {
    /// Run folder; or `verify`, or the folder breccia verify wrote to.
    pub run: PathBuf,
    /// Times of the pictures [s] [default: beginning, middle, end].
    #[arg(short, long, num_args = 1.., value_name = "SECONDS", allow_negative_numbers = true)]
    pub times: Vec<f64>,
    /// Field shown as colours in the pictures [default: as for breccia picture].
    #[arg(short, long, value_name = "FIELD")]
    pub colour: Option<String>,
    /// File to write [default: NAME.html, after the folder].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Writes a report.
pub fn report(arguments: &ReportArguments) -> Result<ExitCode, Failure> {
    let is_word = arguments.run == Path::new("verify") && !arguments.run.exists();
    let root = if is_word { Path::new("out/verify") } else { arguments.run.as_path() };
    let run = WatchedRun::open(root)?;
    let text = if of_verify::is_verification(&run) {
        of_verify::page(&run)?
    } else {
        of_run::page(&run, arguments)?
    };
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", run.name())));
    write_atomically(&path, Durability::Process, |out| out.write_all(text.as_bytes()))?;
    tell::out(&format!("{}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}
