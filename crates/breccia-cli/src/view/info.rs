//! What is known about a run from its folder, whether it is over or still going on.

use crate::watched::{WatchedRun, number};
use breccia::output::frames::KINDS;
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

/// A run without an end writes its log every five seconds; silence for so long means that it was killed.
const SILENCE: Duration = Duration::from_secs(60);

/// Everything the page asks for at the beginning and, while the run goes on, every second or two.
pub fn describe(run: &WatchedRun) -> Value {
    let name = run.name();
    if !run.exists() {
        return json!({ "name": name, "state": "gone", "words": "the run folder is no longer there", "kinds": {} });
    }
    let scene = run.resolved();
    let summary = run.summary();
    let last_line = last_line(run);
    let (kinds, mut troubles) = kinds(run);
    let (state, words) = state_of(run, &summary, &last_line, !kinds.is_empty());
    if let Some(Value::Array(warnings)) = summary.get("warnings") {
        troubles.extend(warnings.iter().filter_map(|warning| warning.as_str().map(str::to_owned)));
    }
    json!({
        "name": name,
        "folder": run.root().display().to_string(),
        "title": run.title(),
        "state": state,
        "words": words,
        "progress": last_line,
        "duration": scene.get("model").and_then(|model| model.get("time")).and_then(|time| number(time.get("duration")?)),
        "gravity": run.gravity(),
        "materials": names(scene.get("model").and_then(|model| model.get("materials"))),
        "groups": names(scene.get("groups")),
        "kinds": kinds,
        "troubles": troubles,
        "wall_time": summary.get("wall_time_s"),
        "has_table": run.inside("table.csv").is_ok(),
    })
}

/// Times of the frames by kind, and what cannot be read.
fn kinds(run: &WatchedRun) -> (Map<String, Value>, Vec<String>) {
    let (mut kinds, mut troubles) = (Map::new(), Vec::new());
    for kind in KINDS {
        match run.times(kind) {
            Ok(times) if times.is_empty() => {}
            Ok(times) => {
                kinds.insert(kind.to_owned(), json!(times));
            }
            Err(trouble) => troubles.push(trouble),
        }
    }
    (kinds, troubles)
}

/// One word for programs, some for people.
fn state_of(run: &WatchedRun, summary: &Value, last_line: &str, has_frames: bool) -> (&'static str, String) {
    match summary.get("status").and_then(Value::as_str) {
        Some("finished") => return ("finished", "finished".into()),
        Some("interrupted") => return ("interrupted", "interrupted; --restart goes on".into()),
        Some(failed) => return ("failed", failed.to_owned()),
        None => {}
    }
    if last_line.starts_with("error:") || last_line.starts_with("help:") {
        let log = run.text("log.txt").unwrap_or_default();
        return (
            "failed",
            log.rsplit_once("error:").map_or_else(String::new, |(_, words)| words.trim().to_owned()),
        );
    }
    match quiet_for(run) {
        Some(quiet) if quiet < SILENCE => ("going", "still going on".into()),
        Some(quiet) => {
            let minutes = quiet.as_secs() / 60;
            ("silent", format!("no sign of life for {minutes} min: killed or suspended"))
        }
        None if has_frames => ("finished", "frames without a log".into()),
        None => ("empty", "this folder holds no run (yet)".into()),
    }
}

/// Time since the run last wrote its log or its table; nothing where there is neither.
fn quiet_for(run: &WatchedRun) -> Option<Duration> {
    let changed = |name: &str| std::fs::metadata(run.inside(name).ok()?).ok()?.modified().ok();
    let newest = ["log.txt", "table.csv"].into_iter().filter_map(changed).max()?;
    Some(SystemTime::now().duration_since(newest).unwrap_or_default())
}

fn last_line(run: &WatchedRun) -> String {
    let log = run.text("log.txt").unwrap_or_default();
    log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

/// Names of the tables of a list, in its order.
fn names(list: Option<&toml::Value>) -> Vec<String> {
    let name =
        |entry: &toml::Value| entry.get("name").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
    list.and_then(toml::Value::as_array).map_or_else(Vec::new, |list| list.iter().map(name).collect())
}
