//! What is told at the end of a run, on the terminal, in the log and in `summary.json`.

use super::method::Method;
use super::progress::Progress;
use super::recorder::Wrote;
use super::{Ending, Request};
use crate::problem::Failure;
use crate::say;
use breccia::output::atomic;
use breccia::output::frames::KINDS as FRAME_KINDS;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Writes the summary and returns the report.
pub fn end_of_run<M: Method>(
    request: &Request,
    run: &mut M,
    progress: &Progress,
    ending: &Ending,
    wrote: &Wrote,
) -> Result<String, Failure> {
    let account = run.account(request.scene, progress.elapsed());
    let mut parts = vec![headline(run, progress, ending)];
    parts.extend(account.paragraphs);
    parts.extend([files::<M>(wrote), next_step(request, ending, wrote)]);
    let mut summary = summary(request, run, progress, ending, wrote);
    summary.extend(account.summary);
    write_summary(wrote, &Value::Object(summary))?;
    Ok(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n"))
}

/// Time of what the last rows tell of [s].
fn shown_time(run: &impl Method) -> f64 {
    run.shown_instant().unwrap_or_default() as f64 * run.time_step()
}

fn headline(run: &impl Method, progress: &Progress, ending: &Ending) -> String {
    let word = match ending {
        Ending::Finished => "Finished",
        Ending::Interrupted => "Interrupted",
        Ending::Failed(_) => "Failed",
    };
    let (steps, time) = (progress.steps(run), shown_time(run));
    if steps == 0 && matches!(ending, Ending::Finished) {
        let advice = run.final_reason().unwrap_or("a longer duration would let it go on");
        return format!("The run had already reached its end, t = {time:.6} s\n  {advice}");
    }
    format!(
        "{word} at t = {time:.6} s after {} steps\n  {} of computing, {:.3e} particle-steps/s",
        say::count(steps),
        say::seconds(progress.elapsed()),
        progress.body_steps() / progress.elapsed()
    )
}

fn files<M: Method>(wrote: &Wrote) -> String {
    let folder = &wrote.folder;
    let collections: Vec<String> = FRAME_KINDS
        .iter()
        .filter(|kind| folder.collection(kind).exists())
        .map(|kind| format!("{kind}.pvd"))
        .collect();
    let mut lines = vec![format!("Written to {}", folder.root().display())];
    let mut line = |name: &str, what: &str| lines.push(format!("  {name:<24} {what}"));
    if let Some(colour) = wrote.picture {
        line("picture.png", &format!("the last instant, coloured by {colour}"));
    }
    line("table.csv", "energies, contacts, wall forces: for a spreadsheet");
    for extra in wrote.extras.iter().filter(|extra| folder.root().join(extra.name).exists()) {
        line(extra.name, extra.what);
    }
    for (name, what) in &wrote.measures {
        line(name, what);
    }
    line(
        &collections.join(", "),
        &format!("{} frames: open in ParaView{}", wrote.frames, M::FRAME_ADVICE[0]),
    );
    if !M::FRAME_ADVICE[1].is_empty() {
        line("", M::FRAME_ADVICE[1]);
    }
    line("log.txt, summary.json", "this report, for people and for programs");
    if folder.checkpoint().exists() {
        line("checkpoint", "where --restart goes on");
    }
    line("scene.toml", "the scene as it was given");
    line("resolved.toml", "the scene as it was understood, in SI units");
    lines.join("\n")
}

fn next_step(request: &Request, ending: &Ending, wrote: &Wrote) -> String {
    let command = format!(
        "breccia run {} --restart --out {}",
        quoted(&request.options.scene),
        quoted(wrote.folder.root())
    );
    match ending {
        Ending::Interrupted => format!("To go on:  {command}"),
        Ending::Finished => format!("To look at it:  breccia view {}", quoted(wrote.folder.root())),
        Ending::Failed(_) => String::new(),
    }
}

/// A path that a shell takes as one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// What `summary.json` has of every run.
fn summary(
    request: &Request,
    run: &impl Method,
    progress: &Progress,
    ending: &Ending,
    wrote: &Wrote,
) -> Map<String, Value> {
    let status = match ending {
        Ending::Finished => "finished".to_owned(),
        Ending::Interrupted => "interrupted".to_owned(),
        Ending::Failed(error) => format!("failed: {error}"),
    };
    let entries = [
        ("title", json!(request.scene.title)),
        ("breccia", json!(env!("CARGO_PKG_VERSION"))),
        ("status", json!(status)),
        ("time_s", json!(shown_time(run))),
        ("time_step_s", json!(run.time_step())),
        ("steps_by_this_process", json!(progress.steps(run))),
        ("wall_time_s", json!(progress.elapsed())),
        ("particle_steps_per_s", json!(progress.body_steps() / progress.elapsed())),
        ("threads", json!(rayon::current_num_threads())),
        ("instruction_set", json!(format!("{:?}", breccia::dispatch::instruction_set()))),
        ("bodies", json!(run.body_count())),
        ("frames", json!(wrote.frames)),
        ("table_rows_by_this_process", json!(wrote.rows)),
        ("warnings", json!(request.warnings)),
    ];
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn write_summary(wrote: &Wrote, summary: &Value) -> Result<(), Failure> {
    atomic::write_atomically(&wrote.folder.summary(), atomic::Durability::Process, |out| {
        writeln!(out, "{summary:#}")
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_shell() {
        assert_eq!(quoted(Path::new("out/first")), "out/first");
        assert_eq!(quoted(Path::new("my scenes/a.toml")), "'my scenes/a.toml'");
        assert_eq!(quoted(Path::new("it's")), r"'it'\''s'");
    }
}
