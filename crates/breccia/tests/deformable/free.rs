//! Bodies in free flight.

use super::builders::*;
use breccia::deformable::{Refactor, SolidBody, SolidMesh, StressRule};
use glam::{DVec2, dvec2};

fn tumbling(lump: bool) -> SolidBody {
    let mesh = SolidMesh::disk(1.0, 8, 3);
    let shape = if lump { lumped(mesh) } else { shape(mesh) };
    let mut body = body(&shape, 0.0, DVec2::ZERO, DVec2::ZERO).moving(dvec2(0.5, 0.1), 2.0);
    for (velocity, x) in body.velocities.iter_mut().zip(&body.positions) {
        *velocity += 0.3 * dvec2(x.x * x.x, x.x * x.y);
    }
    body
}

#[test]
fn a_tumbling_disk_keeps_energy_and_momenta() {
    for lump in [false, true] {
        for refactor in [Refactor::EveryIteration, Refactor::WhenSlow] {
            let mut settings = settings(0.05, 1e-11);
            settings.refactor = refactor;
            let drift = watch(&mut free_run(vec![tumbling(lump)], settings), 400);
            assert!(drift.energy <= 1e-10 && drift.momentum <= 1e-10 && drift.angular <= 1e-10, "{drift:?}");
            if refactor == Refactor::EveryIteration {
                assert!(drift.mean_iterations < 4.6, "{drift:?}");
            }
        }
    }
}

fn spinning(time_step: f64, rule: StressRule) -> breccia::deformable::SolidRun {
    let body = body(&disk(4, 2), 0.0, DVec2::ZERO, DVec2::ZERO).moving(DVec2::ZERO, 12.0);
    let mut settings = settings(time_step, 1e-10);
    settings.stress = rule;
    free_run(vec![body], settings)
}

#[test]
fn a_fast_spinning_disk_is_stable_with_the_mean_of_strains() {
    let drift = watch(&mut spinning(0.1, StressRule::MeanStrain), 300);
    assert!(drift.energy <= 1e-8, "{drift:?}");
}

/// What goes wrong with the strain of the mean position, kept as a warning.
#[test]
fn a_fast_spinning_disk_blows_up_with_the_strain_of_the_midpoint() {
    for (time_step, steps, growth) in [(0.1, 5, 30.0), (0.03, 49, 25.0)] {
        let mut run = spinning(time_step, StressRule::MidpointStrain);
        let start = run.budget().stored();
        let mut largest = 0.0_f64;
        for _ in 0..steps {
            // Where it no longer converges it has failed as well.
            match run.step_by(time_step) {
                Ok(true) => largest = largest.max(run.budget().stored() / start),
                _ => largest = f64::INFINITY,
            }
        }
        assert!(largest > growth, "{largest}");
    }
}
