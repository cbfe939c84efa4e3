//! What is told at the end of a run, on the terminal and in `summary.json`.

use super::Ending;
use super::progress::Progress;
use super::recorder::Wrote;
use crate::cli::RunOptions;
use crate::problem::Failure;
use crate::say;
use breccia::diagnostics::{EnergyBudget, Phase, Sample};
use breccia::output::atomic;
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use serde_json::json;

/// Prints the report and writes the summary.
pub fn print(
    scene: &Scene,
    run: &mut Simulation,
    progress: &Progress,
    ending: &Ending,
    wrote: &Wrote,
    warnings: usize,
    options: &RunOptions,
) -> Result<(), Failure> {
    let sample = run.sample();
    let rate = progress.body_steps() / progress.elapsed().max(1e-9);
    write_summary(scene, run, progress, ending, wrote, warnings, &sample)?;
    println!(
        "{} at t = {:.6} s after {} steps, {} of computing, {rate:.3e} particle-steps/s",
        match ending {
            Ending::Finished => "Finished",
            Ending::Interrupted => "Interrupted",
            Ending::Failed(_) => "Failed",
        },
        sample.time,
        say::count(progress.steps(run)),
        say::seconds(progress.elapsed()),
    );
    print_times(run, progress.elapsed());
    print_budget(&sample.energy);
    print_bodies(scene, run, &sample);
    print_files(wrote, ending, options);
    Ok(())
}

fn print_times(run: &Simulation, elapsed: f64) {
    println!("\nWhere the time went");
    let mut known = 0.0;
    for phase in Phase::ALL {
        let seconds = run.timers.seconds(phase);
        known += seconds;
        println!("  {:<16}{:>12}  {:5.1} %", phase.name(), say::seconds(seconds), 100.0 * seconds / elapsed);
    }
    let rest = (elapsed - known).max(0.0);
    println!("  {:<16}{:>12}  {:5.1} %", "other", say::seconds(rest), 100.0 * rest / elapsed);
    println!("  lists rebuilt {} times, refreshed {} times", run.timers.rebuilds, run.timers.refreshes);
}

/// Lines of the budget: name and value [J].
fn budget_lines(energy: &EnergyBudget) -> [(&'static str, f64); 15] {
    [
        ("kinetic, translation", energy.translation),
        ("kinetic, rotation", energy.rotation),
        ("elastic, normal", energy.elastic_normal),
        ("elastic, tangential", energy.elastic_tangential),
        ("elastic, rolling", energy.elastic_rolling),
        ("gravity", energy.gravity),
        ("work of walls", energy.wall_work),
        ("work of loads", energy.load_work),
        ("brought in and out", energy.exchanged),
        ("lost: normal damping", energy.normal_damping),
        ("lost: tangential damping", energy.tangential_damping),
        ("lost: sliding", energy.sliding),
        ("lost: rolling", energy.rolling),
        ("lost: global damping", energy.global_damping),
        ("closure error", energy.closure_error),
    ]
}

fn print_budget(energy: &EnergyBudget) {
    println!("\nEnergy budget [J]");
    for (name, value) in budget_lines(energy) {
        if value != 0.0 || name == "closure error" {
            println!("  {name:<26}{value:>14.6e}");
        }
    }
    println!("  closure error is {:.2e} of the energy turned over", energy.relative_closure_error.abs());
}

fn print_bodies(scene: &Scene, run: &Simulation, sample: &Sample) {
    println!("\nBodies");
    println!(
        "  {} present, {} removed",
        say::count(sample.bodies as u64),
        say::count(run.state.removed.count)
    );
    for (inlet, state) in run.setup.inlets.iter().zip(&run.state.inlets) {
        let name = &scene.groups[inlet.group as usize];
        let short = if state.owed > 2.0 * state.mass / state.count.max(1) as f64 && state.owed > 2.0 {
            " (less than asked for: its region was full)"
        } else {
            ""
        };
        println!(
            "  inlet \"{name}\" delivered {} spheres, {:.4} kg{short}",
            say::count(state.count),
            state.mass
        );
    }
    println!(
        "  {} pair contacts, {} wall contacts, coordination {:.3}, largest overlap {:.3e} m",
        say::count(sample.contacts.pairs),
        say::count(sample.contacts.walls),
        sample.contacts.coordination,
        sample.contacts.largest_overlap
    );
}

fn print_files(wrote: &Wrote, ending: &Ending, options: &RunOptions) {
    let folder = &wrote.folder;
    println!("\nWritten to {}", folder.root().display());
    println!(
        "  spheres.pvd, walls.pvd   {} frames: open in ParaView (show spheres as Point Gaussian or Glyph by radius)",
        wrote.frames
    );
    println!("  table.csv                energies, contacts, wall forces: any spreadsheet or pandas");
    if let Some(picture) = &wrote.picture {
        println!("  {}              the last instant, coloured by speed", file_name(picture));
    }
    println!("  scene.toml, summary.json, log.txt, checkpoint");
    if matches!(ending, Ending::Interrupted) {
        println!(
            "\nTo go on: breccia run {} --restart --out {}",
            options.scene.display(),
            folder.root().display()
        );
    }
}

fn file_name(path: &std::path::Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn write_summary(
    scene: &Scene,
    run: &Simulation,
    progress: &Progress,
    ending: &Ending,
    wrote: &Wrote,
    warnings: usize,
    sample: &Sample,
) -> Result<(), Failure> {
    let budget: serde_json::Map<String, serde_json::Value> =
        budget_lines(&sample.energy).iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let times: serde_json::Map<String, serde_json::Value> =
        Phase::ALL.iter().map(|phase| (phase.name().to_owned(), json!(run.timers.seconds(*phase)))).collect();
    let summary = json!({
        "title": scene.title,
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
        "particle_steps_per_s": progress.body_steps() / progress.elapsed().max(1e-9),
        "threads": rayon::current_num_threads(),
        "instruction_set": format!("{:?}", breccia::dispatch::instruction_set()),
        "bodies": sample.bodies,
        "removed": run.state.removed.count,
        "frames": wrote.frames,
        "table_rows_by_this_process": wrote.rows,
        "warnings": warnings,
        "coordination": sample.contacts.coordination,
        "largest_overlap_m": sample.contacts.largest_overlap,
        "energy_J": budget,
        "relative_closure_error": sample.energy.relative_closure_error,
        "seconds_by_phase": times,
    });
    let text = serde_json::to_string_pretty(&summary).unwrap_or_default();
    atomic::write_atomically(&wrote.folder.summary(), atomic::Durability::Process, |out| {
        out.write_all(text.as_bytes())
    })?;
    Ok(())
}
