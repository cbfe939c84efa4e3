//! Tests 2 and 3: bodies in free flight.

use super::stage::{Watch, body, disk, free_run, settings, shape};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::deformable::{MassKind, Refactor, SolidMesh, SolidSettings, StressRule};
use breccia::output::Plot;
use glam::{DVec2, dvec2};

/// A tumbling, trembling disk.
pub fn free_flight(report: &mut Report) -> Result<(), VerifyError> {
    for (mass, name) in [(MassKind::Consistent, "consistent mass"), (MassKind::Lumped, "lumped mass")] {
        let shape = shape(SolidMesh::disk(1.0, 8, 3), mass)?;
        let mut disk = body(&shape, 0.0, DVec2::ZERO, DVec2::ZERO).moving(dvec2(0.5, 0.1), 2.0);
        for (velocity, x) in disk.velocities.iter_mut().zip(&disk.positions) {
            *velocity += 0.3 * dvec2(x.x * x.x, x.x * x.y);
        }
        let settings = SolidSettings { refactor: Refactor::EveryIteration, ..settings(0.05, 1e-11) };
        let mut run = free_run(vec![disk], settings);
        Watch::steps(&mut run, 400)?.report(report, name, [1e-10; 3]);
        let total = &run.state.total;
        let mean = total.iterations as f64 / total.steps as f64;
        report.at_most(format!("{name}: iterations per step"), "", 4.5, mean);
    }
    Ok(())
}

/// The mean of strains is stable; the strain of the mean is not, and must be seen not to be.
pub fn stability(report: &mut Report) -> Result<(), VerifyError> {
    let spinning = |time_step: f64, rule: StressRule| -> Result<_, VerifyError> {
        let disk = body(&disk(4, 2)?, 0.0, DVec2::ZERO, DVec2::ZERO).moving(DVec2::ZERO, 12.0);
        Ok(free_run(vec![disk], SolidSettings { stress: rule, ..settings(time_step, 1e-10) }))
    };
    let mut run = spinning(0.1, StressRule::MeanStrain)?;
    let watch = Watch::steps(&mut run, 300)?;
    report.at_most("mean of strains, 300 steps of 0.1: error of H", "", 1e-8, watch.energy);
    let mut plot = Plot::new("A disk spinning at 12", "time [s]", "H / H₀").log_y();
    plot = plot.dashed("mean of strains", &[0.0, 1.5], &[1.0, 1.0]);
    for (time_step, count, name, least) in
        [(0.1, 5, "strain of the mean, step 0.1", 30.0), (0.03, 49, "strain of the mean, step 0.03", 25.0)]
    {
        let mut run = spinning(time_step, StressRule::MidpointStrain)?;
        let start = run.budget().stored();
        let mut series = Series::new(
            if count == 5 { "strain_of_mean_long" } else { "strain_of_mean_short" },
            &[("time", "s"), ("energy_ratio", "")],
        );
        series.push(&[0.0, 1.0]);
        let mut largest = 1.0_f64;
        for _ in 0..count {
            // Where it no longer converges it has failed as well.
            if !matches!(run.step_by(time_step), Ok(true)) {
                largest = f64::INFINITY;
                break;
            }
            let ratio = run.budget().stored() / start;
            series.push(&[run.state.time, ratio]);
            largest = largest.max(ratio);
        }
        report.at_least(format!("{name} (must fail): H/H₀ after {count} steps"), "", least, largest);
        plot = plot.line(name, &series.column(0), &series.column(1));
        report.series(series);
    }
    report.plot("stability", plot);
    Ok(())
}
