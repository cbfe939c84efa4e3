//! The same spheres in the engine, bonded: what a rebuild of the lists and a step cost.

use crate::bench::measure::pool;
use crate::problem::Failure;
use breccia::broad_phase::{BoundsTable, ComponentSearch};
use breccia::diagnostics::{Phase, Timers};
use breccia::model::{BondKind, BondKindId, BondStiffness, Domain, SearchTrigger};
use breccia::scene::{BondSeed, Scene};
use breccia::simulation::Simulation;
use std::path::Path;
use std::time::Instant;

/// Gap up to which spheres of a cluster are bonded, as a part of their radii.
const BOND_GAP: f64 = 0.1;

/// Times on one thread [s].
#[derive(Clone, Copy, Default)]
pub struct EngineTimes {
    /// One rebuild of the lists, searching whole bodies.
    pub rebuild: f64,
    /// One rebuild of the lists, searching spheres.
    pub rebuild_by_spheres: f64,
    /// One step, rebuilds left out.
    pub step: f64,
    /// Number of bonds.
    pub bonds: usize,
}

/// Steps a scene made of the spheres, too short a time for anything to move.
pub fn measure(spheres: &BoundsTable, quick: bool) -> Result<EngineTimes, Failure> {
    let mut scene = scene(spheres)?;
    let bonds = scene.bonds.len();
    let (rebuild, step) = time(&scene, quick)?;
    scene.model.search.whole_bodies = false;
    let (rebuild_by_spheres, _) = time(&scene, quick)?;
    Ok(EngineTimes { rebuild, rebuild_by_spheres, step, bonds })
}

fn time(scene: &Scene, quick: bool) -> Result<(f64, f64), Failure> {
    pool(1)?.install(|| {
        let mut run = Simulation::new(scene);
        // The first step also sorts the bodies in space.
        run.step()?;
        let (mut rebuild, mut step) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..if quick { 2 } else { 4 } {
            run.timers = Timers::default();
            let begin = Instant::now();
            run.step()?;
            let searching = run.timers.seconds(Phase::Rebuild);
            rebuild = rebuild.min(searching);
            step = step.min(begin.elapsed().as_secs_f64() - searching);
        }
        Ok((rebuild, step))
    })
}

fn scene(spheres: &BoundsTable) -> Result<Scene, Failure> {
    let text = r#"
        gravity = [0, 0, 0]
        [time]
        duration = 1
        step = 1e-12
        [limits]
        overlap = 1
        [[material]]
        name = "rock"
        density = 4800
        young_modulus = 2.3e8
        poisson_ratio = 0.21
        [pair_default]
        restitution = 0.35
        friction = 0.44
        [[bodies]]
        name = "rock"
        kind = "list"
        material = "rock"
        radius = 0.01
        positions = [[0, 0, 0]]
    "#;
    let mut scene = breccia::scene::load_str("clusters", text, Path::new("."))?.scene;
    let pattern = scene.bodies[0].clone();
    let seeds = spheres.centre.iter().zip(&spheres.radius);
    scene.bodies = seeds
        .map(|(&position, &radius)| breccia::scene::BodySeed { position, radius, ..pattern.clone() })
        .collect();
    scene.model.search.trigger = SearchTrigger::EverySteps(1);
    scene.model.bonds.push(BondKind {
        name: "cement".into(),
        stiffness: BondStiffness::Modulus(5e7),
        stiffness_ratio: 2.5,
        tensile_strength: f64::INFINITY,
        shear_strength: f64::INFINITY,
        damping_ratio: 0.05,
    });
    scene.bonds = bonds(spheres);
    Ok(scene)
}

/// Bonds of near spheres of one cluster.
fn bonds(spheres: &BoundsTable) -> Vec<BondSeed> {
    let smallest = spheres.radius.iter().copied().fold(f64::INFINITY, f64::min);
    let mut search = ComponentSearch::default();
    // Nothing repeats here, so nothing is too long.
    if search.rebuild(spheres, 2.0 * BOND_GAP * smallest, &Domain::unbounded()).is_err() {
        return Vec::new();
    }
    let mut pairs: Vec<_> = search.within(spheres).into_iter().flat_map(|part| part.pairs).collect();
    pairs.sort_unstable();
    let bond = |a: u32, b: u32| BondSeed { a, b, kind: BondKindId(0), radius: smallest, strength: 1.0 };
    pairs.into_iter().map(|pair| bond(pair.a, pair.b)).collect()
}
