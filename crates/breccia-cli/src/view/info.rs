//! What is known about a run from its folder, whether it is over or still going on.

use super::files::WatchedRun;
use breccia::output::frames::KINDS;
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

/// A run without an end writes its log every five seconds; silence for so long means that it was killed.
const SILENCE: Duration = Duration::from_secs(60);

/// Everything the page asks for at the beginning and, while the run goes on, every second or two.
pub fn describe(run: &WatchedRun) -> Value {
    let name =
        run.root().file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned());
    if !run.exists() {
        return json!({ "name": name, "state": "gone", "words": "the run folder is no longer there", "kinds": {} });
    }
    let scene = resolved(run);
    let summary: Value =
        run.text("summary.json").and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let last_line = last_line(run);
    let (kinds, mut troubles) = kinds(run);
    let (state, words) = state_of(run, &summary, &last_line, !kinds.is_empty());
    if let Some(Value::Array(warnings)) = summary.get("warnings") {
        troubles.extend(warnings.iter().filter_map(|warning| warning.as_str().map(str::to_owned)));
    }
    let title = text_at(&scene, &["title"]).unwrap_or_else(|| name.clone());
    json!({
        "name": name,
        "folder": run.root().display().to_string(),
        "title": title,
        "state": state,
        "words": words,
        "progress": last_line,
        "duration": scene.get("model").and_then(|model| model.get("time")).and_then(|time| number(time.get("duration")?)),
        "gravity": gravity(&scene),
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

fn resolved(run: &WatchedRun) -> toml::Table {
    run.text("resolved.toml").and_then(|text| text.parse().ok()).unwrap_or_default()
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
        return ("failed", last_line.to_owned());
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

fn text_at(table: &toml::Table, path: &[&str]) -> Option<String> {
    let (last, folders) = path.split_last()?;
    let folder = folders.iter().try_fold(table, |table, name| table.get(*name)?.as_table())?;
    folder.get(*last)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn number(value: &toml::Value) -> Option<f64> {
    value
        .as_float()
        .or_else(|| value.as_integer().map(|whole| whole as f64))
        .filter(|number| number.is_finite())
}

fn gravity(scene: &toml::Table) -> Vec<f64> {
    let vector = scene.get("model").and_then(|model| model.get("gravity")).and_then(toml::Value::as_array);
    vector.map_or_else(Vec::new, |parts| parts.iter().filter_map(number).collect())
}

/// Names of the tables of a list, in its order.
fn names(list: Option<&toml::Value>) -> Vec<String> {
    let name =
        |entry: &toml::Value| entry.get("name").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
    list.and_then(toml::Value::as_array).map_or_else(Vec::new, |list| list.iter().map(name).collect())
}
