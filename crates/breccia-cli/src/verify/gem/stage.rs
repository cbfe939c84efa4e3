//! Small scenes of grains.

use crate::verify::VerifyError;
use breccia::implicit::assembly::GrainMix;
use breccia::implicit::{
    DynamicStep, FrictionTable, Grain, GrainRun, GrainSettings, GrainSetup, GrainState, Motion, StaticStep,
    StepKind, WallState,
};
use breccia::shapes::nurbs::{BUILT_IN_SHAPES, GrainFamily, GrainShape, built_in_shape};
use glam::DVec2;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Gravity [m/s²].
pub const GRAVITY: f64 = 9.81;
/// Radius of the disc of the closed forms [m].
pub const RADIUS: f64 = 0.5;
/// Its mass per depth [kg/m].
pub const MASS: f64 = 2.0;
/// σ3 of the biaxial tests [N/m].
pub const PRESSURE: f64 = 125.0;

/// The disc of the closed forms, turning or not.
pub fn disc(turns: bool) -> Grain {
    let mut grain = Grain::of_shape(0, &GrainShape::Disc(RADIUS), 1.0, 0);
    grain.mass = MASS;
    grain.inertia = 0.5 * MASS * RADIUS * RADIUS;
    if !turns {
        grain.motion[2] = Motion::Prescribed(0.0);
    }
    grain
}

/// Rigid dynamic settings.
pub fn dynamic(theta: f64, time_step: f64) -> GrainSettings {
    GrainSettings::new(StepKind::Dynamic(DynamicStep { theta, ..DynamicStep::default() }), time_step)
}

/// Rigid quasi-static settings, steps of one.
pub fn quasi_static() -> GrainSettings {
    GrainSettings::new(StepKind::QuasiStatic(StaticStep::default()), 1.0)
}

/// Gravity on a plane tilted by an angle [rad], in the plane's frame, downhill along +x.
pub fn tilted(angle: f64) -> DVec2 {
    GRAVITY * DVec2::new(libm::sin(angle), -libm::cos(angle))
}

/// One grain of a shape above the plane y = 0.
pub fn above_plane(
    (shape, grain): (GrainShape, Grain),
    (height, angle): (f64, f64),
    friction: f64,
    gravity: DVec2,
    settings: GrainSettings,
) -> Result<GrainRun, VerifyError> {
    let setup = GrainSetup {
        shapes: vec![shape],
        grains: vec![grain],
        friction: FrictionTable::uniform(1, friction),
        wall_materials: vec![0],
        settings,
    };
    let floor = WallState::at_rest(DVec2::Y, DVec2::ZERO);
    let state = GrainState::at_rest(&[(DVec2::new(0.0, height), angle)], vec![floor], gravity);
    Ok(GrainRun::new(setup, state)?)
}

/// The disc on the plane.
pub fn disc_on_plane(
    turns: bool,
    gap: f64,
    friction: f64,
    gravity: DVec2,
    settings: GrainSettings,
) -> Result<GrainRun, VerifyError> {
    above_plane((GrainShape::Disc(RADIUS), disc(turns)), (RADIUS + gap, 0.0), friction, gravity, settings)
}

/// Grains of all sixteen shapes of a family, mean diameter and density 1.
pub fn mix(family: GrainFamily, lobes: &[f64; 4], count: usize, seed: u64) -> Result<GrainMix, VerifyError> {
    let shapes = (0..BUILT_IN_SHAPES)
        .map(|number| built_in_shape(family, number, lobes, 1.0))
        .collect::<Result<_, _>>()
        .map_err(|error| VerifyError::Course(error.to_string()))?;
    Ok(GrainMix { shapes, count, density: 1.0, seed })
}

/// Long runs side by side, one on each core, results in the order of the cases.
pub fn on_all_cores<C: Sync, T: Send>(
    cases: &[C],
    run: impl Fn(&C) -> Result<T, VerifyError> + Sync,
) -> Result<Vec<T>, VerifyError> {
    let next = AtomicUsize::new(0);
    let work = || {
        // Each has a pool of its own: a thread that waits inside one run must not take up another.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let mut done = Vec::new();
        while let Some((place, case)) = cases.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((place, pool.install(|| run(case))?));
        }
        Ok::<_, VerifyError>(done)
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(cases.len());
    let parts: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join()).collect()
    });
    let mut all = Vec::new();
    for part in parts {
        all.extend(part.map_err(|_| VerifyError::Course("a run ended in a panic".into()))??);
    }
    all.sort_by_key(|(place, _)| *place);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

/// Seeds of packings so small that only the mean of several says something.
pub const PACKINGS: [u64; 3] = [7, 8, 9];

/// Families with a word for each.
pub const FAMILIES: [(&str, GrainFamily); 3] = [
    ("disc", GrainFamily::Disc),
    ("convex", GrainFamily::AngularConvex),
    ("non-convex", GrainFamily::NonConvex),
];
