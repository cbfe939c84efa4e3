//! What is told at the end of a run, on the terminal, in the log and in `summary.json`.

use super::progress::Progress;
use super::recorder::Wrote;
use super::{Ending, Request};
use crate::problem::Failure;
use crate::say;
use breccia::diagnostics::{EnergyBudget, Phase, Sample, bond_statistics};
use breccia::output::atomic;
use breccia::scene::InletAmount;
use breccia::simulation::Simulation;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Writes the summary and returns the report.
pub fn end_of_run(
    request: &Request,
    run: &mut Simulation,
    progress: &Progress,
    ending: &Ending,
    wrote: &Wrote,
) -> Result<String, Failure> {
    let sample = run.sample();
    let elapsed = progress.elapsed();
    write_summary(wrote, &summary(request, run, progress, ending, wrote, &sample))?;
    let parts = [
        headline(run, progress, ending, &sample),
        times(run, elapsed),
        budget(&sample.energy),
        bodies(request, run, &sample),
        bonds(run),
        files(wrote),
        next_step(request, ending, wrote),
    ];
    Ok(parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("\n\n"))
}

fn headline(run: &Simulation, progress: &Progress, ending: &Ending, sample: &Sample) -> String {
    let word = match ending {
        Ending::Finished => "Finished",
        Ending::Interrupted => "Interrupted",
        Ending::Failed(_) => "Failed",
    };
    let steps = progress.steps(run);
    if steps == 0 && matches!(ending, Ending::Finished) {
        let advice = if run.state.agenda.finished {
            "an event or bodies at rest ended it; change the scene and start anew to go further"
        } else {
            "a longer duration would let it go on"
        };
        return format!("The run had already reached its end, t = {:.6} s\n  {advice}", sample.time);
    }
    format!(
        "{word} at t = {:.6} s after {} steps\n  {} of computing, {:.3e} particle-steps/s",
        sample.time,
        say::count(steps),
        say::seconds(progress.elapsed()),
        progress.body_steps() / progress.elapsed()
    )
}

fn times(run: &Simulation, elapsed: f64) -> String {
    let line = |name: &str, seconds: f64| {
        format!("\n  {name:<26}{:>12} {:>6.1} %", say::seconds(seconds), 100.0 * seconds / elapsed)
    };
    let known: f64 = Phase::ALL.iter().map(|&phase| run.timers.seconds(phase)).sum();
    let mut text = "Where the time went".to_owned();
    for phase in Phase::ALL {
        text += &line(phase.name(), run.timers.seconds(phase));
    }
    text += &line("other", (elapsed - known).max(0.0));
    text + &format!(
        "\n  neighbour lists rebuilt {} times, refreshed {} times",
        say::count(run.timers.rebuilds),
        say::count(run.timers.refreshes)
    )
}

/// Lines of the budget: name and value [J].
fn budget_lines(energy: &EnergyBudget) -> [(&'static str, f64); 18] {
    [
        ("kinetic, translation", energy.translation),
        ("kinetic, rotation", energy.rotation),
        ("elastic, normal", energy.elastic_normal),
        ("elastic, tangential", energy.elastic_tangential),
        ("elastic, rolling", energy.elastic_rolling),
        ("elastic, bonds", energy.elastic_bonds),
        ("gravity", energy.gravity),
        ("work of walls", energy.wall_work),
        ("work of loads", energy.load_work),
        ("brought in and out", energy.exchanged),
        ("lost: normal damping", energy.normal_damping),
        ("lost: tangential damping", energy.tangential_damping),
        ("lost: sliding", energy.sliding),
        ("lost: rolling", energy.rolling),
        ("lost: damping of bonds", energy.bond_damping),
        ("lost: fracture", energy.fracture),
        ("lost: global damping", energy.global_damping),
        ("closure error", energy.closure_error),
    ]
}

fn budget(energy: &EnergyBudget) -> String {
    let mut text = "Energy budget [J]".to_owned();
    for (name, value) in budget_lines(energy) {
        if value != 0.0 || name == "closure error" {
            text += &format!("\n  {name:<26}{value:>14.6e}");
        }
    }
    text + &format!(
        "\n  the closure error is {:.2e} of the energy turned over",
        energy.relative_closure_error.abs()
    )
}

fn bodies(request: &Request, run: &Simulation, sample: &Sample) -> String {
    let mut text = format!(
        "Bodies\n  {} present, {} removed",
        say::count(sample.bodies as u64),
        say::count(run.state.removed.count)
    );
    for (inlet, state) in run.setup.inlets.iter().zip(&run.state.inlets) {
        let name = &request.scene.groups[inlet.group as usize];
        let price = match inlet.rate {
            InletAmount::Mass(_) => state.mass / state.count.max(1) as f64,
            InletAmount::Count(_) => 1.0,
        };
        let what = if inlet.cluster.is_some() { "clusters" } else { "spheres" };
        let short = if state.owed > 2.0 * price { " (less than asked for: its region was full)" } else { "" };
        text += &format!(
            "\n  inlet \"{name}\" delivered {} {what}, {:.4} kg{short}",
            say::count(state.count),
            state.mass
        );
    }
    text + &format!(
        "\n  {} pair contacts, {} wall contacts\n  coordination {:.3}, largest overlap {:.3e} m",
        say::count(sample.contacts.pairs),
        say::count(sample.contacts.walls),
        sample.contacts.coordination,
        sample.contacts.largest_overlap
    )
}

fn bonds(run: &Simulation) -> String {
    if run.state.fragments.bond_count() == 0 {
        return String::new();
    }
    let bonds = bond_statistics(&run.state);
    format!(
        "Bonds\n  {} hold, {} broke by tension, {} by shear: {:.1} % of all\n  {} fragments, the heaviest {} kg",
        say::count(bonds.holding),
        say::count(bonds.broken_tension),
        say::count(bonds.broken_shear),
        100.0 * bonds.broken_share,
        say::count(bonds.fragments),
        say::number(bonds.largest_mass)
    )
}

fn files(wrote: &Wrote) -> String {
    let folder = &wrote.folder;
    let collections: Vec<String> = ["spheres", "contacts", "walls", "meshes", "bonds"]
        .iter()
        .filter(|kind| folder.collection(kind).exists())
        .map(|kind| format!("{kind}.pvd"))
        .collect();
    let mut lines = vec![format!("Written to {}", folder.root().display())];
    let mut line = |name: &str, what: &str| lines.push(format!("  {name:<24} {what}"));
    if wrote.picture.is_some() {
        let colour = if folder.broken().exists() { "size of fragments" } else { "speed" };
        line("picture.png", &format!("the last instant, coloured by {colour}"));
    }
    line("table.csv", "energies, contacts, wall forces: for a spreadsheet");
    if folder.broken().exists() {
        line("broken.csv", "bonds that broke: when, how, with what energy");
        line("breakage.svg", "share of broken bonds over time");
        line("fragments.svg", "sizes of the fragments at the end");
    }
    line(&collections.join(", "), &format!("{} frames: open in ParaView, spheres as", wrote.frames));
    line("", "Point Gaussian or Glyph, scaled by radius");
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
        Ending::Finished | Ending::Failed(_) => String::new(),
    }
}

/// A path that a shell takes as one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

fn summary(
    request: &Request,
    run: &Simulation,
    progress: &Progress,
    ending: &Ending,
    wrote: &Wrote,
    sample: &Sample,
) -> Value {
    let budget: Map<String, Value> =
        budget_lines(&sample.energy).iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let times: Map<String, Value> =
        Phase::ALL.iter().map(|phase| (phase.name().to_owned(), json!(run.timers.seconds(*phase)))).collect();
    json!({
        "title": request.scene.title,
        "breccia": env!("CARGO_PKG_VERSION"),
        "status": match ending {
            Ending::Finished => "finished".to_owned(),
            Ending::Interrupted => "interrupted".to_owned(),
            Ending::Failed(error) => format!("failed: {error}"),
        },
        "time_s": sample.time,
        "time_step_s": run.setup.time_step,
        "steps_by_this_process": progress.steps(run),
        "wall_time_s": progress.elapsed(),
        "particle_steps_per_s": progress.body_steps() / progress.elapsed(),
        "threads": rayon::current_num_threads(),
        "instruction_set": format!("{:?}", breccia::dispatch::instruction_set()),
        "bodies": sample.bodies,
        "removed": run.state.removed.count,
        "bonds": bond_summary(run),
        "frames": wrote.frames,
        "table_rows_by_this_process": wrote.rows,
        "warnings": request.warnings,
        "coordination": sample.contacts.coordination,
        "largest_overlap_m": sample.contacts.largest_overlap,
        "energy_J": budget,
        "relative_closure_error": sample.energy.relative_closure_error,
        "seconds_by_phase": times,
    })
}

/// Numbers about bonds; nothing without any.
fn bond_summary(run: &Simulation) -> Value {
    if run.state.fragments.bond_count() == 0 {
        return Value::Null;
    }
    let bonds = bond_statistics(&run.state);
    json!({
        "holding": bonds.holding,
        "broken_tension": bonds.broken_tension,
        "broken_shear": bonds.broken_shear,
        "broken_share": bonds.broken_share,
        "fragments": bonds.fragments,
        "largest_fragment_mass_kg": bonds.largest_mass,
    })
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
