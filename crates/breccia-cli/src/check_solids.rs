//! `breccia check` of a scene with deformable bodies.

use crate::problem::Failure;
use crate::{say, tell};
use breccia::deformable::{SolidPlan, SolidRun};
use breccia::scene::Scene;
use breccia::simulation::StepError;
use std::process::ExitCode;

/// Bytes per node of a run (measured with 900 disks).
const BYTES_PER_NODE: f64 = 600.0;

/// Longest recommended step over the time a pressure wave needs for half a body.
const LONGEST_STEP: f64 = 1.3;

/// Tells what a scene holds and takes its first step.
pub fn check(scene: &Scene, plan: &SolidPlan) -> Result<ExitCode, Failure> {
    let setup = plan.setup().map_err(StepError::from)?;
    let wave_times = setup.bodies.iter().filter_map(|body| body.shape());
    let wave_times = wave_times.map(|shape| shape.half_extent() / shape.material.p_wave_speed());
    let shortest = wave_times.fold(f64::INFINITY, f64::min);
    let step = plan.settings.time_step;
    let names = |list: Vec<&str>| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    let lines = [
        scene.title.clone(),
        String::new(),
        format!(
            "solids       {} bodies of {} shapes, {} nodes, {} of them on outlines",
            say::count(plan.bodies.len() as u64),
            plan.shapes.len(),
            say::count(plan.node_count() as u64),
            say::count(setup.particles.len() as u64)
        ),
        format!("obstacles    {}", names(plan.obstacles.iter().map(|seed| seed.name.as_str()).collect())),
        format!("walls        {}", names(plan.walls.iter().map(|wall| wall.name.as_str()).collect())),
        format!(
            "time         {} in steps of {}; at most {} is recommended",
            say::seconds(scene.model.time.duration),
            say::seconds(step),
            say::seconds(LONGEST_STEP * shortest)
        ),
        format!("memory       about {}", say::bytes(BYTES_PER_NODE * plan.node_count() as f64)),
    ];
    tell::out(&(lines.join("\n") + "\n"))?;
    if step > LONGEST_STEP * shortest {
        tell::note(
            "warning: the time step is longer than recommended: energy is kept, but collisions turn it into vibration",
        );
    }
    // The first step finds bodies that start inside each other or cross themselves.
    let mut run = SolidRun::new(setup);
    run.step().map_err(StepError::from)?;
    if run.state.total.clamps > 0 {
        tell::note(&format!(
            "warning: {} surface nodes start inside other bodies, up to {:.3e} m deep: this depth counts as none",
            run.state.total.clamps, run.state.total.clamp_depth
        ));
    }
    tell::out("\nThe scene can be run.\n")?;
    Ok(ExitCode::SUCCESS)
}
