//! The grain that bed, flow, drum, cubes and growth have in common, and scenes made of it.
//!
//! r = 3.5 mm ± 5 %, density 1000, E = 10 MPa, ν = 0.2, e = 0.4, µ = 0.5, rolling friction 0.01, Δt = 50 µs unless a
//! scene says otherwise. Decks of other codes (`bench/peers`) spell out the same numbers.

use crate::cli::BenchRolling;
use crate::problem::Failure;
use breccia::scene::{BodySeed, Scene};
use breccia::state::State;
use glam::DVec3;
use std::path::Path;

/// Step [s].
pub const STEP: f64 = 5e-5;
/// Spheres of the bed that others are laid out of.
pub const BED: usize = 30_000;
/// Side of its base [m].
pub const BED_SIDE: f64 = 0.2;
/// Spacing of the lattice that beds start from [m].
const SPACING: f64 = 0.008;

/// Where a bed stands.
#[derive(Clone, Copy, PartialEq)]
pub enum Sides {
    /// In a box with walls of the grain's material, open above.
    Walls,
    /// On a floor, repeating along x and y.
    Periodic,
}

/// A scene of the grain: laws, step and what `rest` adds in the language of scenes.
pub fn scene_of(title: &str, rolling: BenchRolling, step: f64, rest: &str) -> Result<Scene, Failure> {
    let rolling = rolling.word();
    let text = format!(
        r#"
        title = "{title}"
        gravity = [0, 0, -9.81]
        [time]
        duration = 1e6
        step = {step}
        [[material]]
        name = "grain"
        density = 1000
        young_modulus = 1e7
        poisson_ratio = 0.2
        [pair_default]
        restitution = 0.4
        friction = 0.5
        rolling_friction = 0.01
        [law]
        rolling = "{rolling}"
        {rest}
        "#
    );
    Ok(breccia::scene::load_str(title, &text, Path::new("."))?.scene)
}

/// One sphere, to be replaced by those that a bench places itself.
pub const ONE_SPHERE: &str = r#"
        [[bodies]]
        name = "grains"
        kind = "list"
        material = "grain"
        radius = 3.5e-3
        positions = [[0.01, 0.01, 0.01]]
        "#;

/// A box of the grain's material from the origin to a corner [m], open above.
pub fn box_of(x: f64, y: f64, z: f64) -> String {
    format!(
        "[[wall]]\nname = \"box\"\nmaterial = \"grain\"\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [{x}, {y}, {z}]\n\
         open = [\"+z\"]\n"
    )
}

/// Side of the base on which so many spheres are as high as the bed of [`BED`] [m].
pub fn side_of(count: usize) -> f64 {
    BED_SIDE * (count as f64 / BED as f64).sqrt()
}

/// A loose lattice of spheres that falls down to a bed about 0.24 m high.
pub fn loose_bed(count: usize, rolling: BenchRolling, sides: Sides) -> Result<Scene, Failure> {
    let side = side_of(count);
    let across = ((side / SPACING) as usize).max(1);
    let layers = count.div_ceil(across * across);
    let origin = 0.5 * (side - (across - 1) as f64 * SPACING);
    let rest = format!(
        r#"
        [[bodies]]
        name = "bed"
        kind = "lattice"
        material = "grain"
        size = {{ kind = "uniform", min = 3.325e-3, max = 3.675e-3 }}
        origin = [{origin}, {origin}, 0.004]
        spacing = {SPACING}
        count = [{across}, {across}, {layers}]
        jitter = 2e-4
        {around}
        "#,
        around = sides.around(side, 0.1 + layers as f64 * SPACING)
    );
    let mut scene = scene_of("bed", rolling, STEP, &rest)?;
    scene.bodies.truncate(count);
    Ok(scene)
}

/// `tiles` × `tiles` copies of a settled bed, each as wide as [`side_of`] says.
///
/// Between walls every other copy is mirrored: what lay against a wall then lies against its mirror image.
pub fn tiled_bed(bed: &State, tiles: usize, rolling: BenchRolling, sides: Sides) -> Result<Scene, Failure> {
    let side = side_of(bed.bodies.len());
    let rest = ONE_SPHERE.to_owned() + &sides.around(tiles as f64 * side, 1.0);
    let mut scene = scene_of("bed", rolling, STEP, &rest)?;
    lay_tiles(&mut scene, bed, tiles, side, sides == Sides::Walls);
    Ok(scene)
}

impl Sides {
    /// Walls or periods around a square base [m], in the language of scenes.
    fn around(self, side: f64, height: f64) -> String {
        match self {
            Self::Walls => box_of(side, side, height),
            Self::Periodic => format!(
                "[domain]\nmin = [0, 0, -0.01]\nmax = [{side}, {side}, inf]\nperiodic = [\"x\", \"y\"]\n\
                 [[wall]]\nname = \"floor\"\nmaterial = \"grain\"\nshape = \"plane\"\nnormal = [0, 0, 1]\n"
            ),
        }
    }
}

/// Replaces the bodies of a scene by copies of a bed, at rest, side by side in squares of a side [m].
pub fn lay_tiles(scene: &mut Scene, bed: &State, tiles: usize, side: f64, mirrored: bool) {
    let pattern = scene.bodies[0].clone();
    let along = |tile: usize, place: f64| {
        let place = if mirrored && tile % 2 == 1 { side - place } else { place };
        tile as f64 * side + place
    };
    scene.bodies.clear();
    for tile in 0..tiles * tiles {
        let (i, j) = (tile % tiles, tile / tiles);
        scene.bodies.extend(bed.bodies.rows().iter().map(|row| {
            let centre = row.centre();
            BodySeed {
                position: DVec3::new(along(i, centre.x), along(j, centre.y), centre.z),
                radius: row.radius,
                ..pattern.clone()
            }
        }));
    }
}
