//! Λ, detection over the rest of a step, as bodies become many: the report's Table 3 and the estimates of its Remark 7.1.

use super::stage::{settings, step};
use crate::disks::lively_disks;
use crate::regression::exponent;
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::broad_phase::PointFinder;
use breccia::deformable::SolidSettings;
use breccia::output::Plot;

/// N, Λ with sorting, Λ without: recomputed from the report's Table 2 (its Table 3 misprints 0.0012 and 2.91).
const PUBLISHED: [(f64, f64, Option<f64>); 6] = [
    (13.0, 0.138, Some(0.751)),
    (53.0, 0.0418, Some(3.02)),
    (104.0, 0.0424, Some(5.60)),
    (196.0, 0.0400, Some(10.49)),
    (400.0, 0.0413, None),
    (900.0, 0.0476, None),
];

fn measured(side: usize, finder: PointFinder, steps: u32) -> Result<f64, VerifyError> {
    let settings = SolidSettings { finder, ..settings(0.02, 1e-9) };
    let mut run = lively_disks((side, side), (4, 2), true, settings)?;
    step(&mut run)?;
    run.reset_timers();
    for _ in 0..steps {
        step(&mut run)?;
    }
    let detection = run.timers().detection();
    Ok(detection / (run.timers().total() - detection))
}

/// Λ with sorting hardly grows, without it grows like N.
pub fn ratio(report: &mut Report) -> Result<(), VerifyError> {
    let (sides, steps): (&[usize], u32) =
        if report.quick { (&[3, 6, 12], 3) } else { (&[3, 7, 10, 14, 20], 6) };
    let (mut sorted, mut unsorted) = (Vec::new(), Vec::new());
    let mut series = Series::new("ratio", &[("bodies", ""), ("sorting", ""), ("no_sorting", "")]);
    for &side in sides {
        let bodies = (side * side) as f64;
        let with = measured(side, PointFinder::Tree, steps)?;
        let without = measured(side, PointFinder::AllToAll, steps.min(3))?;
        series.push(&[bodies, with, without]);
        sorted.push((bodies, with));
        unsorted.push((bodies, without));
    }
    let largest = sorted.iter().map(|p| p.1).fold(0.0, f64::max);
    let growth = (exponent(&sorted), exponent(&unsorted));
    if report.quick {
        // A few steps beside other programs say little about time: told, not judged.
        report.note(format!(
            "Λ grows like N^{:.2} with sorting, N^{:.2} without; with sorting at most {largest:.4}",
            growth.0, growth.1
        ));
    } else {
        // The solver's work per body is the same at any N, as the remark assumes: Λ ∝ log N and Λ ∝ N.
        report.at_most("Λ with sorting, growth N^", "", 0.4, growth.0);
        report.at_least("Λ without sorting, growth N^", "", 0.7, growth.1);
        report.at_most("Λ with sorting, largest", "", 0.05, largest);
    }
    let column = |points: &[(f64, f64)]| -> (Vec<f64>, Vec<f64>) { points.iter().copied().unzip() };
    let ((n, with), (_, without)) = (column(&sorted), column(&unsorted));
    let (pn, pw) = column(&PUBLISHED.map(|(n, with, _)| (n, with)));
    let no: Vec<(f64, f64)> = PUBLISHED.iter().filter_map(|&(n, _, without)| Some((n, without?))).collect();
    let (no_n, no_w) = column(&no);
    let plot = Plot::new("Detection over the rest of a step", "bodies", "Λ").log_x().log_y();
    report.plot(
        "ratio",
        plot.line("sorting", &n, &with)
            .line("no sorting", &n, &without)
            .points("sorting, published", &pn, &pw)
            .points("no sorting, published", &no_n, &no_w),
    );
    report.series(series);
    Ok(())
}
