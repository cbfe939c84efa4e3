//! Contact detection of clusters: the 24 published cases by all methods, each of which must find the same pairs.
//!
//! Times are the best of several repeats, because other work on the machine only ever adds. "From scratch" is one
//! search for touching pairs, everything included: sorting spheres by cluster, bounds, grids, comparing. "List" is the
//! same with a skin of half the smallest radius, done once per many steps; "walk" passes once over that list.

mod cases;
mod engine;
mod growth;
mod measure;
mod methods;
mod paper;
mod report;
mod two_level;
mod uniform;

use super::measure::all_threads;
use crate::cli::BenchOptions;
use crate::problem::Failure;
use crate::tell;
use breccia::output::OutputError;
use breccia::scene::RandomStream;
pub use cases::{CLUSTERS, Distribution, distributions, pack, packing, random_walks};
pub use methods::compare;

use cases::Template;
use measure::{Row, measure};
use std::path::Path;
use std::process::ExitCode;

/// Bodies of each published case.
const BODIES: usize = 11_000;
/// Where tables and plots go.
const FOLDER: &str = "out/bench";

/// Measures all cases and tells what came out.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let threads = match options.threads {
        Some(0) | None => all_threads(),
        Some(threads) => threads,
    };
    let mut dice = RandomStream::new(1);
    let templates: Vec<Template> =
        CLUSTERS.iter().map(|&(_, count, radius)| pack(count, radius, &mut dice)).collect();
    let part = options.spheres(if options.quick { BODIES / 5 } else { BODIES }) as f64 / BODIES as f64;
    let mut rows = Vec::new();
    for (number, distribution) in (1..).zip(distributions()) {
        let distribution = Distribution {
            singles: scaled(distribution.singles, part),
            clusters: scaled(distribution.clusters, part),
            ..distribution
        };
        for (template, (name, ..)) in templates.iter().zip(CLUSTERS) {
            let place = packing(distribution, template.ball, &mut dice);
            let spheres = place.spheres(template, &mut dice);
            let mut row = measure(&spheres, threads, options.quick)?;
            row.name = format!("D{number}-{name}");
            row.engine = Some(engine::measure(&spheres, options.quick)?);
            tell::note(&report::line(&row));
            rows.push(row);
        }
    }
    write_plots(&rows, &templates[2], (part, options.quick), &mut dice)?;
    let text =
        if options.json { report::json(&rows, threads) } else { report::tables(&rows, &templates, threads) };
    tell::out(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Part of a number of bodies, one at least.
fn scaled(count: usize, part: f64) -> usize {
    ((count as f64 * part).round() as usize).max(1)
}

fn write_plots(
    rows: &[Row],
    template: &Template,
    (part, quick): (f64, bool),
    dice: &mut RandomStream,
) -> Result<(), Failure> {
    let folder = Path::new(FOLDER);
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::other(format!("cannot make {}: {error}", folder.display()), "run elsewhere")
    })?;
    for (name, plot) in growth::plots(rows, template, (part, quick), dice)? {
        plot.write(&folder.join(name)).map_err(|error: OutputError| Failure::from(error))?;
    }
    Ok(())
}
