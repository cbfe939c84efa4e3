//! The report of `breccia verify`: what was expected and measured, with the figures.

use super::html::{drawing, escape, page as whole_page, picture, section};
use super::table::cells;
use crate::problem::Failure;
use crate::watched::WatchedRun;
use std::path::Path;

const CHECKS: &str = "checks.csv";

/// Whether a folder holds experiments.
pub fn is_verification(folder: &WatchedRun) -> bool {
    !experiments(folder.root()).is_empty()
}

/// Names of the folders with checks, sorted.
fn experiments(root: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| root.join(name).join(CHECKS).is_file()).collect();
    names.sort();
    names
}

/// The whole page.
pub fn page(folder: &WatchedRun) -> Result<String, Failure> {
    let mut body = String::new();
    let (mut passed, mut failed) = (0, 0);
    for name in experiments(folder.root()) {
        let experiment = WatchedRun::open(&folder.root().join(&name))?;
        let rows: Vec<Vec<String>> = experiment
            .text(CHECKS)
            .unwrap_or_default()
            .lines()
            .skip(1)
            .map(cells)
            .filter(|row| row.len() == 6)
            .collect();
        let good = rows.iter().filter(|row| row[5] == "true").count();
        passed += good;
        failed += rows.len() - good;
        body += &section(&name, &(table(&rows) + &figures(&experiment)));
    }
    let verdict = format!("{passed} checks passed, {failed} failed");
    let class = if failed == 0 { "pass" } else { "fail" };
    let head = format!("<h1>Verification</h1>\n<p class=\"{class}\">{verdict}</p>\n");
    Ok(whole_page("breccia verify", &(head + &body)))
}

fn table(rows: &[Vec<String>]) -> String {
    let row = |row: &Vec<String>| {
        let quantity = if row[1].is_empty() { row[0].clone() } else { format!("{} [{}]", row[0], row[1]) };
        let (class, word) = if row[5] == "true" { ("pass", "pass") } else { ("fail", "FAIL") };
        format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"{class}\">{word}</td></tr>\n",
            escape(&quantity),
            escape(&row[2]),
            escape(&row[3]),
            escape(&row[4])
        )
    };
    let head = "<tr><th>quantity</th><th>expected</th><th>measured</th><th>tolerance</th><th></th></tr>\n";
    format!("<table class=\"numbers\">\n{head}{}</table>\n", rows.iter().map(row).collect::<String>())
}

/// Plots and pictures of an experiment.
fn figures(experiment: &WatchedRun) -> String {
    let Ok(entries) = std::fs::read_dir(experiment.root()) else { return String::new() };
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    // Plots are there twice.
    let is_plot = |stem: &str| names.binary_search(&format!("{stem}.svg")).is_ok();
    let figure = |name: &String| match name.rsplit_once('.')? {
        (stem, "png") if is_plot(stem) => None,
        (stem, "svg") => Some(drawing(&experiment.text(name)?, stem)),
        (stem, "png") => Some(picture(&std::fs::read(experiment.inside(name).ok()?).ok()?, stem)),
        _ => None,
    };
    let figures: String = names.iter().filter_map(figure).collect();
    if figures.is_empty() { String::new() } else { format!("<div class=\"grid\">\n{figures}</div>\n") }
}
