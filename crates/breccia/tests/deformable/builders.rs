//! Bodies and measures shared by the tests.

use breccia::deformable::{
    ElasticMaterial, ElasticShape, MassKind, SolidBody, SolidBudget, SolidMesh, SolidRun, SolidSettings,
    SolidSetup, StraightWall, SurfaceProperties,
};
use glam::{DVec2, dvec2};
use std::sync::Arc;

pub const MATERIAL: ElasticMaterial =
    ElasticMaterial { lame_lambda: 2000.0, shear_modulus: 1000.0, density: 1.0 };
pub const KAPPA: f64 = 1e4;

pub fn shape(mesh: SolidMesh) -> Arc<ElasticShape> {
    Arc::new(ElasticShape::new(mesh, MATERIAL, 1.0, MassKind::Consistent).unwrap())
}

pub fn lumped(mesh: SolidMesh) -> Arc<ElasticShape> {
    Arc::new(ElasticShape::new(mesh, MATERIAL, 1.0, MassKind::Lumped).unwrap())
}

pub fn disk(core: usize, layers: usize) -> Arc<ElasticShape> {
    shape(SolidMesh::disk(1.0, core, layers))
}

pub fn smooth() -> SurfaceProperties {
    SurfaceProperties::smooth(KAPPA)
}

pub fn body(shape: &Arc<ElasticShape>, turn: f64, at: DVec2, velocity: DVec2) -> SolidBody {
    SolidBody::new("body", Arc::clone(shape), (turn, at), smooth()).moving(velocity, 0.0)
}

pub fn settings(time_step: f64, tolerance: f64) -> SolidSettings {
    SolidSettings { tolerance, ..SolidSettings::new(time_step) }
}

pub fn free_run(bodies: Vec<SolidBody>, settings: SolidSettings) -> SolidRun {
    SolidRun::new(SolidSetup::new(bodies, Vec::new(), DVec2::ZERO, settings))
}

/// What a run did to the quantities that should not change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drift {
    /// Energy, dissipated included and work taken off, relative to the start.
    pub energy: f64,
    /// Momentum less impulses, relative to √(2 H₀ m).
    pub momentum: f64,
    /// Angular momentum less angular impulses, relative to √(2 H₀ m).
    pub angular: f64,
    pub max_iterations: u32,
    pub mean_iterations: f64,
}

pub struct Watch {
    start: SolidBudget,
    scale: f64,
    pub drift: Drift,
}

impl Watch {
    pub fn new(run: &SolidRun) -> Self {
        let start = run.budget();
        let mass: f64 = run.setup.bodies.iter().filter_map(|b| b.shape()).map(|s| s.total_mass()).sum();
        Self { start, scale: (2.0 * start.stored() * mass).sqrt(), drift: Drift::default() }
    }

    pub fn look(&mut self, run: &SolidRun) {
        let (now, ledger) = (run.budget(), &run.state.ledger);
        let drift = &mut self.drift;
        let energy = (now.constant() - self.start.constant()).abs() / self.start.stored();
        drift.energy = drift.energy.max(energy);
        let momentum = (now.momentum - self.start.momentum - ledger.impulse()).length() / self.scale;
        drift.momentum = drift.momentum.max(momentum);
        let angular = now.angular_momentum - self.start.angular_momentum - ledger.angular_impulse;
        drift.angular = drift.angular.max(angular.abs() / self.scale);
        drift.max_iterations = run.state.total.most_iterations;
        drift.mean_iterations = run.state.total.iterations as f64 / run.state.total.steps.max(1) as f64;
    }
}

/// Runs whole steps and watches.
pub fn watch(run: &mut SolidRun, steps: u32) -> Drift {
    let mut watch = Watch::new(run);
    for _ in 0..steps {
        run.step().unwrap();
        watch.look(run);
    }
    println!("{:?}\n{:?}", watch.drift, run.state.total);
    watch.drift
}

/// Disks in a square box, the left column moving.
pub fn box_of_disks(side: usize, core: usize, layers: usize, settings: SolidSettings) -> SolidRun {
    let shape = disk(core, layers);
    let mut bodies = Vec::new();
    for i in 0..side {
        for j in 0..side {
            let at = 2.5 * dvec2(i as f64 + 0.5, j as f64 + 0.5);
            let velocity = if i == 0 { dvec2(0.5, 0.1) } else { DVec2::ZERO };
            bodies.push(body(&shape, 2.399963 * bodies.len() as f64, at, velocity));
        }
    }
    let walls = StraightWall::inside_box(DVec2::ZERO, DVec2::splat(2.5 * side as f64), smooth());
    SolidRun::new(SolidSetup::new(bodies, walls.to_vec(), DVec2::ZERO, settings))
}
