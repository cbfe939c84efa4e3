//! `breccia check` of a scene of grains.

use crate::problem::Failure;
use crate::{say, tell};
use breccia::implicit::{GrainPlan, ScheduledGrains, StepKind, Stiffness};
use breccia::scene::Scene;
use breccia::simulation::StepError;
use std::process::ExitCode;

/// Tells what the scene means and makes its first step.
pub fn check(scene: &Scene, plan: &GrainPlan) -> Result<ExitCode, Failure> {
    let mut run = ScheduledGrains::new(scene).map_err(StepError::from)?;
    tell::out(&(lines(scene, plan, &run).join("\n") + "\n"))?;
    // The first step finds grains that start inside each other or behind walls.
    run.step().map_err(StepError::from)?;
    tell::out("\nThe scene can be run.\n")?;
    Ok(ExitCode::SUCCESS)
}

fn lines(scene: &Scene, plan: &GrainPlan, run: &ScheduledGrains) -> Vec<String> {
    let setup = run.run.setup();
    let (settings, walls) = (&setup.settings, &scene.model.walls);
    let mass: f64 = setup.grains.iter().map(|grain| grain.mass).sum();
    let names: Vec<&str> = walls.iter().map(|wall| wall.name.as_str()).collect();
    let pressed = plan.presses.iter().flatten().count();
    let mode = match settings.kind {
        StepKind::Dynamic(step) => format!("dynamic, theta {}", step.theta),
        StepKind::QuasiStatic(step) => format!("quasi-static, resistance {}", step.resistance),
    };
    let contacts = match settings.stiffness {
        Stiffness::Rigid => "rigid".to_owned(),
        Stiffness::Elastic { normal, .. } => format!("elastic, {} N/m", say::number(normal)),
    };
    vec![
        scene.title.clone(),
        String::new(),
        format!(
            "grains       {} of {} outlines, mean diameter {} m, {} kg per metre of depth",
            say::count(setup.grains.len() as u64),
            say::count(plan.outlines.len() as u64),
            say::number(setup.mean_diameter()),
            say::number(mass)
        ),
        format!(
            "walls        {}, {pressed} pressed",
            if names.is_empty() { "none".into() } else { names.join(", ") }
        ),
        format!("method       {mode}; contacts {contacts}"),
        format!(
            "time         {} in {} steps of {}",
            say::seconds(scene.model.time.duration),
            say::count(run.steps_in_all()),
            say::seconds(settings.time_step)
        ),
    ]
}
