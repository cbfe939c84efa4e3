//! The report of a run.

use super::ReportArguments;
use super::html::{drawing, escape, facts, own_drawing, page as whole_page, picture, section};
use super::table::Columns;
use crate::picture::{FramesAt, Wish};
use crate::problem::Failure;
use crate::say;
use crate::watched::WatchedRun;
use breccia::output::frames::KINDS;
use breccia::output::{PictureOptions, Plot};
use serde_json::Value;

/// Size of the pictures [pixels].
const PICTURE: [usize; 2] = [1200, 800];
/// Points of a curve at most: more cannot be seen.
const POINTS: usize = 1500;

/// The whole page.
pub fn page(run: &WatchedRun, arguments: &ReportArguments) -> Result<String, Failure> {
    let summary = run.summary();
    let title = run.title();
    let table = Columns::parse(&run.text("table.csv").unwrap_or_default());
    let mut body =
        format!("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n", escape(&title), escape(&headline(&summary)));
    body += &section("Pictures", &pictures(run, arguments)?);
    body += &section("The run", &facts(&about(run, &summary)));
    body += &section("Warnings", &warnings(&summary));
    body += &section("Over time", &plots(&table));
    body += &section("Plots of the run", &files_drawn(run));
    // Grains of the plane have energies per depth.
    for (key, unit) in [("energy_J", "J"), ("energy_J_per_m", "J/m")] {
        let budget = facts(&numbers(&summary[key], |value| format!("{value:.6e}")));
        body += &section(&format!("Energy budget [{unit}]"), &budget);
    }
    body += &section("Where the time went", &facts(&numbers(&summary["seconds_by_phase"], say::seconds)));
    if let Some(scene) = run.text("scene.toml") {
        body += &section(
            "Scene",
            &format!("<details><summary>scene.toml</summary><pre>{}</pre></details>\n", escape(&scene)),
        );
    }
    Ok(whole_page(&title, &body))
}

fn headline(summary: &Value) -> String {
    let status = summary["status"].as_str().unwrap_or("without an end so far: still going on, or killed");
    match summary["time_s"].as_f64() {
        Some(time) => format!("{status} at t = {} s", say::number(time)),
        None => status.to_owned(),
    }
}

fn pictures(run: &WatchedRun, arguments: &ReportArguments) -> Result<String, Failure> {
    let times = if arguments.times.is_empty() { chosen_times(run) } else { arguments.times.clone() };
    let mut figures = String::new();
    for time in times {
        let frames = match FramesAt::read(run, Some(time)) {
            Ok(frames) => frames,
            // One damaged frame must not keep the rest of the report back.
            Err(trouble) => {
                figures += &format!("<p class=\"warning\">{}</p>\n", escape(&trouble.to_string()));
                continue;
            }
        };
        let options = PictureOptions { width: PICTURE[0], height: PICTURE[1], ..frames.options(run) };
        let caption = format!("t = {} s", say::number(frames.time));
        let image = frames.draw(Wish { colour: arguments.colour.as_deref(), options })?;
        figures += &picture(&image.png_bytes(), &caption);
    }
    Ok(figures_in_grid(&figures))
}

fn figures_in_grid(figures: &str) -> String {
    if figures.is_empty() { String::new() } else { format!("<div class=\"grid\">\n{figures}</div>\n") }
}

/// Beginning, middle and end of the frames there are.
fn chosen_times(run: &WatchedRun) -> Vec<f64> {
    let mut times: Vec<f64> = KINDS.iter().filter_map(|kind| run.times(kind).ok()).flatten().collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut chosen: Vec<f64> = [0, times.len() / 2, times.len().saturating_sub(1)]
        .iter()
        .filter_map(|&i| times.get(i).copied())
        .collect();
    chosen.dedup();
    chosen
}

fn about(run: &WatchedRun, summary: &Value) -> Vec<(String, String)> {
    let mut rows = vec![("folder".to_owned(), run.root().display().to_string())];
    let mut add = |name: &str, text: Option<String>| rows.extend(text.map(|text| (name.to_owned(), text)));
    let number = |key: &str| summary[key].as_f64();
    let whole = |key: &str| summary[key].as_u64().map(say::count);
    add("bodies", whole("bodies"));
    add("time step", number("time_step_s").map(say::seconds));
    add("steps by the last process", whole("steps_by_this_process"));
    add("computing time", number("wall_time_s").map(say::seconds));
    add("particle-steps per second", number("particle_steps_per_s").map(|rate| format!("{rate:.2e}")));
    add("threads", whole("threads"));
    add("frames", whole("frames"));
    add("removed bodies", whole("removed"));
    add("contacts per body", number("coordination").map(say::number));
    add("largest overlap", number("largest_overlap_m").map(|overlap| format!("{} m", say::number(overlap))));
    add(
        "relative closure error of energy",
        number("relative_closure_error").map(|error| format!("{error:.2e}")),
    );
    add("breccia", summary["breccia"].as_str().map(str::to_owned));
    rows
}

fn warnings(summary: &Value) -> String {
    let texts = summary["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.map(|text| format!("<p class=\"warning\">{}</p>\n", escape(text))).collect()
}

/// Rows of a table of numbers, without those that are nothing.
fn numbers(table: &Value, text: impl Fn(f64) -> String) -> Vec<(String, String)> {
    let entries = table.as_object().into_iter().flatten();
    let shown = entries
        .filter_map(|(name, value)| Some((name.clone(), value.as_f64().filter(|value| *value != 0.0)?)));
    shown.map(|(name, value)| (name, text(value))).collect()
}

/// Plots over time: title, beginnings and ends of the names of their columns.
const PLOTS: [(&str, &[&str], &[&str]); 6] = [
    ("Energies", &["kinetic", "elastic", "gravity_energy"], &[]),
    ("Losses", &["lost_"], &[]),
    ("Contacts", &[], &["contacts"]),
    ("Contacts per body", &["coordination"], &[]),
    ("Bonds", &["bonds", "fragments", "broken_tension", "broken_shear"], &[]),
    ("Forces on walls", &[], &["_force_x", "_force_y", "_force_z"]),
];

/// Plots of the columns that change.
fn plots(table: &Columns) -> String {
    let drawn = PLOTS.iter().filter_map(|(title, starts, ends)| {
        plot(table, title, |name| {
            starts.iter().any(|start| name.starts_with(start)) || ends.iter().any(|end| name.ends_with(end))
        })
    });
    drawn.map(|svg| own_drawing(&svg)).collect()
}

fn plot(table: &Columns, title: &str, belongs: impl Fn(&str) -> bool) -> Option<String> {
    let times = table.get("time")?;
    let names: Vec<(&str, &str)> = table.changing().filter(|(name, _)| belongs(name)).collect();
    let unit = names.first()?.1;
    let label =
        if unit.is_empty() { "number".to_owned() } else { format!("{} [{unit}]", title.to_lowercase()) };
    let every = times.len().div_ceil(POINTS).max(1);
    let thin = |values: &[f64]| values.iter().copied().step_by(every).collect::<Vec<f64>>();
    let mut plot = Plot::new(title, "time [s]", label);
    for (name, _) in names {
        plot = plot.line(name.replace('_', " "), &thin(times), &thin(table.get(name)?));
    }
    Some(plot.to_svg())
}

/// Plots the run itself left.
fn files_drawn(run: &WatchedRun) -> String {
    let Ok(entries) = std::fs::read_dir(run.root()) else { return String::new() };
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".svg"));
    names.sort();
    let figures: String = names
        .iter()
        .filter_map(|name| run.text(name).map(|svg| drawing(&svg, name.trim_end_matches(".svg"))))
        .collect();
    figures_in_grid(&figures)
}
