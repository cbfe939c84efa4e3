//! The `breccia` program.

mod bench;
mod check;
mod check_grains;
mod check_meshes;
mod check_solids;
mod cli;
mod disks;
mod grains;
mod new;
mod picture;
mod problem;
mod regression;
mod report;
mod run;
mod say;
mod surface;
mod tell;
mod verify;
mod view;
mod watched;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::New(options) => new::new(&options),
        Command::Grains(options) => grains::grains(&options),
        Command::Schema => new::schema(),
        Command::Verify(options) => verify::verify(&options),
        Command::View(options) => view::view(&options),
        Command::Picture(arguments) => picture::picture(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Bench(options) => bench::bench(&options),
    };
    outcome.unwrap_or_else(|failure| failure.report())
}
