//! A settled bed of nearly equal spheres in a square box.
//!
//! 30,000 spheres, box 0.2 m × 0.2 m with frictional walls and floor. Beds of 70,000 and more are laid out of copies of
//! that one, so that all are about 0.24 m high; --n is rounded to a square number of copies. States are made once and
//! kept.

use super::export::{Handover, export};
use super::grain::{BED, Sides, loose_bed, side_of, tiled_bed};
use super::measure::settled;
use super::report::measure_and_tell;
use crate::cli::{BenchOptions, BenchRolling};
use crate::problem::Failure;
use breccia::scene::Scene;
use breccia::state::State;
use std::process::ExitCode;

/// Steps of settling from the loose lattice.
const SETTLING_STEPS: u64 = 12_000;
/// Steps in which copies laid side by side close up: faces meet their mirror images, so that little moves.
const CLOSING_STEPS: u64 = 600;

/// Prepares the bed and measures it.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let law = options.rolling.unwrap_or(BenchRolling::C);
    let tiles = (options.spheres(BED) as f64 / BED as f64).sqrt().round() as usize;
    let (scene, state) =
        if tiles < 2 { settled_bed(options.spheres(BED), law)? } else { large_bed(tiles, law)? };
    if let Some(folder) = &options.export {
        let side = side_of(state.bodies.len());
        export(&scene, &state, &Handover { sides: [side, side] }, folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    measure_and_tell("bed", &options.measured(scene), &state, options)
}

/// A bed of so many spheres, settled.
pub fn settled_bed(count: usize, law: BenchRolling) -> Result<(Scene, State), Failure> {
    let scene = loose_bed(count, law, Sides::Walls)?;
    let state = settled(&scene, &format!("bed-{count}-{}", law.word()), SETTLING_STEPS)?;
    Ok((scene, state))
}

/// Copies of the bed of 30,000 in a larger box.
fn large_bed(tiles: usize, law: BenchRolling) -> Result<(Scene, State), Failure> {
    let (_, small) = settled_bed(BED, law)?;
    let scene = tiled_bed(&small, tiles, law, Sides::Walls)?;
    let count = scene.bodies.len();
    let state = settled(&scene, &format!("tiles-{count}-{}", law.word()), CLOSING_STEPS)?;
    Ok((scene, state))
}
