//! Cubes of 27 bonded spheres at rest in a box.
//!
//! The grain of the other benches, without its scatter of sizes; bonds with E = 1 MPa, a stiffness ratio of 2.5 and a
//! damping ratio of 0.05 that never break; Δt = 20 µs, a quarter of the time of a bond. 1,000 cubes on 0.3 m × 0.3 m,
//! turned at random, fall from a lattice.

use super::export::{Handover, export};
use super::grain::{box_of, scene_of};
use super::measure::settled;
use super::report::measure_and_tell;
use crate::cli::{BenchOptions, BenchRolling};
use crate::problem::Failure;
use breccia::scene::Scene;
use std::process::ExitCode;

/// Spheres of a cube.
const EACH: usize = 27;
/// Steps of settling.
const SETTLING_STEPS: u64 = 30_000;
/// Step [s].
const STEP: f64 = 2e-5;
/// Width of a cell of the lattice that cubes start from [m], a little more than the ball around one.
const CELL: f64 = 0.0325;

/// Prepares the cubes and measures them.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let law = options.rolling.unwrap_or(BenchRolling::None);
    let cubes = (options.spheres(1_000 * EACH) / EACH).max(1);
    let side = side_of(cubes);
    let scene = scene(cubes, side, law)?;
    let state = settled(&scene, &format!("cubes-{cubes}-{}", law.word()), SETTLING_STEPS)?;
    if let Some(folder) = &options.export {
        export(&scene, &state, &Handover { sides: [side, side] }, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    measure_and_tell("cubes", &options.measured(scene), &state, options)
}

/// Side of the base [m].
fn side_of(cubes: usize) -> f64 {
    (0.3 * (cubes as f64 / 1_000.0).sqrt()).max(2.01 * CELL)
}

fn scene(cubes: usize, side: f64, law: BenchRolling) -> Result<Scene, Failure> {
    let across = ((side / CELL) as usize).max(1);
    let layers = cubes.div_ceil(across * across);
    let origin = 0.5 * (side - (across - 1) as f64 * CELL);
    let rest = format!(
        r#"
        [[bond]]
        name = "cement"
        young_modulus = 1e6
        stiffness_ratio = 2.5
        damping_ratio = 0.05
        [[template]]
        name = "cube"
        kind = "cube"
        n = 3
        radius = 3.5e-3
        bond = "cement"
        [[bodies]]
        name = "cubes"
        kind = "lattice"
        material = "grain"
        template = "cube"
        orientation = "random"
        origin = [{origin}, {origin}, {first}]
        spacing = {CELL}
        count = [{across}, {across}, {layers}]
        {walls}
        "#,
        first = 0.5 * CELL,
        walls = box_of(side, side, 0.1 + layers as f64 * CELL),
    );
    let mut scene = scene_of("cubes", law, STEP, &rest)?;
    let spheres = cubes * EACH;
    scene.bodies.truncate(spheres);
    scene.bonds.retain(|bond| bond.a.max(bond.b) < spheres as u32);
    Ok(scene)
}
