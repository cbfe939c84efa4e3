//! The column drop of three assemblies (section 12.2 of the method's description).
//!
//! In full: 1520 grains, µ = 0.5 to step 1600 and µ = 0 to step 3200. With `--quick`: 64 grains with friction, the
//! order of the slopes is not judged on so few.

use super::stage::{FAMILIES, dynamic, mix};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::implicit::assembly::{Column, ColumnPlan, ColumnShape};
use breccia::shapes::nurbs::{GrainFamily, LOBES};

/// Slopes [°] the paper gives at step 1600, and spreads relative to non-convex grains, in the order of [`FAMILIES`].
const SLOPES: [f64; 3] = [9.0, 12.0, 17.0];
const SPREADS: [f64; 3] = [1.45, 1.14, 1.0];

/// The experiment.
pub fn column(report: &mut Report) -> Result<(), VerifyError> {
    let (count, steps) = if report.quick { (64, 300) } else { (1520, 1600) };
    let mut series = Series::new(
        "column",
        &[("family", ""), ("friction", ""), ("slope", "°"), ("spread", "d"), ("height", "d")],
    );
    let mut shapes = Vec::new();
    for (place, (name, family)) in FAMILIES.into_iter().enumerate() {
        let (width, shape) = dropped(family, count, 0.5, steps)?;
        series.push(&[place as f64, 0.5, shape.slope.to_degrees(), shape.spread, shape.height]);
        report.at_least(format!("{name}, µ 0.5: spread over L0"), "", 1.2, shape.spread / width);
        shapes.push(shape);
    }
    if !report.quick {
        for (place, (name, _)) in FAMILIES.into_iter().enumerate() {
            let slope = shapes[place].slope.to_degrees();
            report.absolute(format!("{name}, µ 0.5: slope"), "°", SLOPES[place], slope, 2.0);
            let spread = shapes[place].spread / shapes[2].spread;
            report.relative(
                format!("{name}, µ 0.5: spread over non-convex"),
                "",
                SPREADS[place],
                spread,
                0.1,
            );
        }
        for (place, (name, family)) in FAMILIES.into_iter().enumerate() {
            let (_, shape) = dropped(family, count, 0.0, 3200)?;
            series.push(&[place as f64, 0.0, shape.slope.to_degrees(), shape.spread, shape.height]);
            if family == GrainFamily::Disc {
                report.at_most(format!("{name}, µ 0: height"), "d", 1.25, shape.height);
            } else {
                report.at_least(format!("{name}, µ 0: slope"), "°", 1.0, shape.slope.to_degrees());
            }
        }
    }
    report.series(series);
    Ok(())
}

/// Fills a column, opens it and lets it spread; its first width [m] and last shape.
fn dropped(
    family: GrainFamily,
    count: usize,
    friction: f64,
    steps: u64,
) -> Result<(f64, ColumnShape), VerifyError> {
    let grains = mix(family, &LOBES, count, 1)?;
    let width = ColumnPlan::width_for(&grains, 1.68, 0.2);
    let plan = ColumnPlan { width, gravity: 1.0, friction, floor_friction: 0.5 };
    let mut column = Column::loose(&grains, &plan, dynamic(0.7, 0.05).with_stiffness(1e8))?;
    column.settle(10_000)?;
    column.open();
    column.run.steps(steps)?;
    Ok((width, column.shape()))
}
