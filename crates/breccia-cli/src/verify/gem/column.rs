//! The column drop of three assemblies (section 12.2 of the method's description).
//!
//! In full: 1520 grains, µ = 0.5 to step 1600 and µ = 0 to step 3200. With `--quick`: 64 grains with friction, the
//! order of the slopes is not judged on so few.

use super::stage::{FAMILIES, dynamic, mix, on_all_cores};
use crate::tell;
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::implicit::assembly::{Column, ColumnPlan, ColumnShape};
use breccia::shapes::nurbs::{GrainFamily, LOBES};
use std::time::Instant;

/// Slopes [°] the paper gives at step 1600, and spreads relative to non-convex grains, in the order of [`FAMILIES`].
const SLOPES: [f64; 3] = [9.0, 12.0, 17.0];
const SPREADS: [f64; 3] = [1.45, 1.14, 1.0];

/// The experiment.
pub fn column(report: &mut Report) -> Result<(), VerifyError> {
    let frictions: &[f64] = if report.quick { &[0.5] } else { &[0.5, 0.0] };
    let cases: Vec<(f64, usize)> = frictions
        .iter()
        .flat_map(|&friction| (0..FAMILIES.len()).map(move |family| (friction, family)))
        .collect();
    let quick = report.quick;
    let heaps = on_all_cores(&cases, |&(friction, family)| {
        let (count, steps) = match (quick, friction == 0.0) {
            (true, _) => (64, 300),
            (false, false) => (1520, 1600),
            (false, true) => (1520, 3200),
        };
        let heap = dropped(FAMILIES[family].1, count, friction, steps);
        if let (false, Ok(heap)) = (quick, &heap) {
            tell::note(&format!("  {}, µ {friction}: done in {:.0} s", FAMILIES[family].0, heap.seconds));
        }
        Ok((friction, family, heap))
    })?;
    let heaps = finished(report, heaps);
    judge(report, &heaps);
    let mut series = Series::new(
        "column",
        &[
            ("family", ""),
            ("friction", ""),
            ("slope", "°"),
            ("spread", "d"),
            ("height", "d"),
            ("seconds", "s"),
        ],
    );
    for (friction, family, Heap { shape, seconds, .. }) in &heaps {
        let row = [shape.slope.to_degrees(), shape.spread, shape.height, *seconds];
        series.push(&[*family as f64, *friction, row[0], row[1], row[2], row[3]]);
    }
    report.series(series);
    Ok(())
}

/// Takes out the columns that fell; one that did not is a failed check and does not spoil the others.
fn finished(
    report: &mut Report,
    heaps: Vec<(f64, usize, Result<Heap, VerifyError>)>,
) -> Vec<(f64, usize, Heap)> {
    let mut fallen = Vec::new();
    for (friction, family, heap) in heaps {
        let name = format!("{}, µ {friction}", FAMILIES[family].0);
        report.at_least(format!("{name}: fell to the end"), "", 1.0, f64::from(heap.is_ok()));
        match heap {
            Ok(heap) => fallen.push((friction, family, heap)),
            Err(error) => report.note(format!("{name}: {error}")),
        }
    }
    fallen
}

/// Against the paper; few grains only have to fall.
fn judge(report: &mut Report, heaps: &[(f64, usize, Heap)]) {
    let widest = heaps.iter().find(|heap| heap.0 > 0.0 && FAMILIES[heap.1].1 == GrainFamily::NonConvex);
    for (friction, family, Heap { shape, width, .. }) in heaps {
        let (name, kind) = FAMILIES[*family];
        let slope = shape.slope.to_degrees();
        let label = |what: &str| format!("{name}, µ {friction}: {what}");
        if *friction == 0.0 {
            match kind {
                GrainFamily::Disc => report.at_most(label("height"), "d", 1.25, shape.height),
                _ => report.at_least(label("slope"), "°", 1.0, slope),
            }
            continue;
        }
        report.at_least(label("spread over L0"), "", 1.2, shape.spread / width);
        if report.quick {
            continue;
        }
        report.absolute(label("slope"), "°", SLOPES[*family], slope, 2.0);
        let spread = shape.spread / widest.map_or(f64::NAN, |heap| heap.2.shape.spread);
        report.relative(label("spread over non-convex"), "", SPREADS[*family], spread, 0.1);
    }
}

/// A column that fell.
struct Heap {
    /// Width of the column before [m].
    width: f64,
    shape: ColumnShape,
    /// Wall clock of the steps after the gate was opened [s].
    seconds: f64,
}

/// Friction while a column is filled: without any, grains that are not round rock on for ever.
const FILLING_FRICTION: f64 = 0.5;

/// Fills a column, opens it and lets it spread.
fn dropped(family: GrainFamily, count: usize, friction: f64, steps: u64) -> Result<Heap, VerifyError> {
    let grains = mix(family, &LOBES, count, 1)?;
    let width = ColumnPlan::width_for(&grains, 1.68, 0.2);
    let plan = ColumnPlan { width, gravity: 1.0, friction: FILLING_FRICTION, floor_friction: 0.5 };
    let mut column = Column::loose(&grains, &plan, dynamic(0.7, 0.05).with_stiffness(1e8))?;
    column.settle(10_000)?;
    column.run.setup_mut().friction.set(0, 0, friction);
    column.open();
    let begin = Instant::now();
    column.run.steps(steps)?;
    Ok(Heap { width, shape: column.shape(), seconds: begin.elapsed().as_secs_f64() })
}
