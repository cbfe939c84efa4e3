//! Clusters as scenes.

use crate::support::scene;
use breccia::model::{BondKind, BondKindId, BondStiffness};
use breccia::scene::{BondSeed, Scene};
use glam::DVec3;

pub const RADIUS: f64 = 3.3e-3;
pub const DENSITY: f64 = 4800.0;
pub const MODULUS: f64 = 5e7;
pub const RATIO: f64 = 2.5;

/// Bonds of the tests unless they say otherwise: undamped and unbreakable.
pub fn kind() -> BondKind {
    BondKind {
        name: "cement".into(),
        stiffness: BondStiffness::Modulus(MODULUS),
        stiffness_ratio: RATIO,
        tensile_strength: f64::INFINITY,
        shear_strength: f64::INFINITY,
        damping_ratio: 0.0,
    }
}

/// A scene without gravity and bodies.
pub fn empty(step: f64, duration: f64) -> Scene {
    scene(&format!(
        r#"
gravity = [0, 0, 0]
[time]
duration = {duration}
step = {step}
[[material]]
name = "rock"
density = {DENSITY}
young_modulus = 2.3e7
poisson_ratio = 0.21
[pair_default]
restitution = 0.35
friction = 0.44
[law]
rolling = "none"
[[bodies]]
kind = "list"
name = "rock"
material = "rock"
radius = {RADIUS}
positions = [[9, 9, 9]]
"#
    ))
}

/// Adds spheres of one radius, bonded where they are nearer than 1.05 diameters.
pub fn add_cluster(scene: &mut Scene, positions: &[DVec3], kind: BondKind) {
    let first = scene.bodies.len() as u32;
    let pattern = scene.bodies[0].clone();
    scene
        .bodies
        .extend(positions.iter().map(|&position| breccia::scene::BodySeed { position, ..pattern.clone() }));
    let number = scene.model.bonds.len() as u16;
    scene.model.bonds.push(kind);
    for (i, a) in positions.iter().enumerate() {
        for (j, b) in positions.iter().enumerate().skip(i + 1) {
            if a.distance(*b) < 2.1 * RADIUS {
                let (a, b) = (first + i as u32, first + j as u32);
                scene.bonds.push(BondSeed { a, b, kind: BondKindId(number), radius: RADIUS, strength: 1.0 });
            }
        }
    }
}

/// A lattice of n³ touching spheres around the origin.
pub fn cube(n: i32) -> Vec<DVec3> {
    let at = |k: i32| (f64::from(k) - 0.5 * f64::from(n - 1)) * 2.0 * RADIUS;
    let cells = (0..n).flat_map(|x| (0..n).flat_map(move |y| (0..n).map(move |z| (x, y, z))));
    cells.map(|(x, y, z)| DVec3::new(at(x), at(y), at(z))).collect()
}

/// A scene with one cluster and nothing else.
pub fn one_cluster(step: f64, positions: &[DVec3], kind: BondKind) -> Scene {
    let mut scene = empty(step, 1e3);
    add_cluster(&mut scene, positions, kind);
    scene.bodies.remove(0);
    for bond in &mut scene.bonds {
        (bond.a, bond.b) = (bond.a - 1, bond.b - 1);
    }
    scene
}
