//! Bodies, runs and measures shared by the experiments.

pub use crate::disks::{KAPPA, MATERIAL, body, smooth};
use crate::verify::VerifyError;
use crate::verify::report::Report;
use breccia::deformable::{
    ElasticShape, MassKind, SolidBody, SolidBudget, SolidMesh, SolidRun, SolidSettings, SolidSetup,
};
use glam::DVec2;
use std::sync::Arc;

/// A shape of the report's material.
pub fn shape(mesh: SolidMesh, mass: MassKind) -> Result<Arc<ElasticShape>, VerifyError> {
    Ok(Arc::new(ElasticShape::new(mesh, MATERIAL, 1.0, mass)?))
}

/// A disk of radius 1.
pub fn disk(core: usize, layers: usize) -> Result<Arc<ElasticShape>, VerifyError> {
    Ok(crate::disks::disk(core, layers)?)
}

/// Settings with a tolerance.
pub fn settings(time_step: f64, tolerance: f64) -> SolidSettings {
    SolidSettings { tolerance, ..SolidSettings::new(time_step) }
}

/// Bodies without walls.
pub fn free_run(bodies: Vec<SolidBody>, settings: SolidSettings) -> SolidRun {
    SolidRun::new(SolidSetup::new(bodies, Vec::new(), DVec2::ZERO, settings))
}

/// Goes one step on.
pub fn step(run: &mut SolidRun) -> Result<(), VerifyError> {
    Ok(run.step()?)
}

/// What must not change, watched.
pub struct Watch {
    start: SolidBudget,
    scale: f64,
    /// Energy with losses less work, relative to the start.
    pub energy: f64,
    /// Momentum less impulses, relative to √(2 H₀ m).
    pub momentum: f64,
    /// Angular momentum less angular impulses, relative to √(2 H₀ m).
    pub angular: f64,
}

impl Watch {
    /// Begins to watch.
    pub fn new(run: &SolidRun) -> Self {
        let start = run.budget();
        let mass: f64 = (0..run.setup.bodies.len()).map(|body| run.motion(body).mass).sum();
        let scale = (2.0 * start.stored() * mass).sqrt();
        Self { start, scale, energy: 0.0, momentum: 0.0, angular: 0.0 }
    }

    /// Looks again.
    pub fn look(&mut self, run: &SolidRun) {
        let (now, ledger) = (run.budget(), &run.state.ledger);
        let energy = (now.constant() - self.start.constant()).abs() / self.start.stored();
        self.energy = self.energy.max(energy);
        let momentum = (now.momentum - self.start.momentum - ledger.impulse()).length() / self.scale;
        self.momentum = self.momentum.max(momentum);
        let angular = now.angular_momentum - self.start.angular_momentum - ledger.angular_impulse;
        self.angular = self.angular.max(angular.abs() / self.scale);
    }

    /// Steps and looks.
    pub fn steps(run: &mut SolidRun, count: u32) -> Result<Self, VerifyError> {
        let mut watch = Self::new(run);
        for _ in 0..count {
            step(run)?;
            watch.look(run);
        }
        Ok(watch)
    }

    /// Reports the three against their limits.
    pub fn report(&self, report: &mut Report, name: &str, limits: [f64; 3]) {
        report.at_most(format!("{name}: error of H"), "", limits[0], self.energy);
        report.at_most(format!("{name}: error of P"), "", limits[1], self.momentum);
        report.at_most(format!("{name}: error of J"), "", limits[2], self.angular);
    }
}
