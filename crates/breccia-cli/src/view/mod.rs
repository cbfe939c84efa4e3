//! `breccia view`: a page that shows a run, served by the program itself to this machine alone.

mod assets;
mod browser;
mod http;
mod info;
mod pack;
mod serve;

use crate::problem::Failure;
use crate::tell;
use crate::watched::WatchedRun;
use clap::Args;
use serve::Server;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `view`.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
                  breccia view out/hopper                  look at a run; one that is still going on is followed\n  \
                  breccia view out/first out/second        two runs side by side\n  \
                  breccia view out/hopper --no-open        only print the address\n\n\
                  The page works without a network: the program holds all of it. Only this machine can reach it. \
                  Ctrl-C ends it.")]
pub struct ViewOptions {
    /// Run folder, or two to be compared.
    #[arg(required = true, num_args = 1..=2, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Port to listen on [default: one that is free].
    #[arg(short, long, default_value_t = 0, hide_default_value = true, value_name = "NUMBER")]
    pub port: u16,
    /// Print the address, do not open a browser.
    #[arg(long)]
    pub no_open: bool,
}

/// Serves the page until it is interrupted.
pub fn view(options: &ViewOptions) -> Result<ExitCode, Failure> {
    let runs = options.runs.iter().map(|root| WatchedRun::open(root)).collect::<Result<Vec<_>, _>>()?;
    // The loopback address and no other: nobody else can connect.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(|cause| {
        Failure::other(
            format!("cannot listen on port {}: {cause}", options.port),
            "leave out --port to take a free one",
        )
    })?;
    let port = listener
        .local_addr()
        .map_err(|cause| Failure::other(format!("cannot tell the port: {cause}"), "name one with --port"))?
        .port();
    let address = format!("http://127.0.0.1:{port}/");
    tell::out(&format!("{address}\n"))?;
    tell::note("Ctrl-C ends the viewer");
    if !options.no_open && !browser::open(&address) {
        tell::note("no browser could be started: open the address above in one");
    }
    Server { runs, port }.serve(&listener);
    Ok(ExitCode::SUCCESS)
}
