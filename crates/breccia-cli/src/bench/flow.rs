//! A loose flow: the settled bed in a long box, gravity at 45° to its floor, so that it runs down.
//!
//! The bed of `breccia bench bed`, its wall at +x ten times as far away; it has run for 0.2 s when the clock starts.

use super::bed::settled_bed;
use super::export::{Handover, export};
use super::grain::{BED, ONE_SPHERE, STEP, box_of, lay_tiles, scene_of, side_of};
use super::measure::settled;
use super::report::measure_and_tell;
use crate::cli::{BenchOptions, BenchRolling};
use crate::problem::Failure;
use breccia::scene::Scene;
use breccia::state::State;
use glam::DVec3;
use std::process::ExitCode;

/// Steps of running before the clock starts.
const RUNNING_STEPS: u64 = 4_000;
/// Length of the box over its width.
const LENGTH: f64 = 10.0;

/// Prepares the flow and measures it.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let law = options.rolling.unwrap_or(BenchRolling::None);
    let (_, bed) = settled_bed(options.spheres(BED), law)?;
    let scene = scene(&bed, law)?;
    let count = bed.bodies.len();
    let state = settled(&scene, &format!("flow-{count}-{}", law.word()), RUNNING_STEPS)?;
    if let Some(folder) = &options.export {
        let side = side_of(count);
        export(&scene, &state, &Handover { sides: [LENGTH * side, side] }, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    measure_and_tell("flow", &options.measured(scene), &state, options)
}

fn scene(bed: &State, law: BenchRolling) -> Result<Scene, Failure> {
    let side = side_of(bed.bodies.len());
    let rest = ONE_SPHERE.to_owned() + &box_of(LENGTH * side, side, LENGTH * side);
    let mut scene = scene_of("flow", law, STEP, &rest)?;
    lay_tiles(&mut scene, bed, 1, side, false);
    scene.model.gravity = 9.81 * std::f64::consts::FRAC_1_SQRT_2 * DVec3::new(1.0, 0.0, -1.0);
    Ok(scene)
}
