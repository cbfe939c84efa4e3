//! The column drop of three assemblies (section 12.2 of the method's description).
//!
//! In full: 1520 grains, µ = 0.5 to step 1600 and µ = 0 to step 3200, discs of these on to one layer. With `--quick`:
//! 64 grains with friction, the order of the slopes is not judged on so few.

use super::stage::{FAMILIES, dynamic, mix, on_all_cores};
use crate::tell;
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::implicit::assembly::{Column, ColumnPlan, ColumnShape};
use breccia::output::Plot;
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
            ("reach_of_98_percent", "d"),
            ("seconds", "s"),
            ("steps_to_one_layer", ""),
        ],
    );
    for (friction, family, heap) in &heaps {
        let (shape, layer) = (&heap.shape, heap.one_layer.unwrap_or(0) as f64);
        let row = [shape.slope.to_degrees(), shape.spread, shape.height, heap.reach, heap.seconds, layer];
        series.push(&[&[*family as f64, *friction], &row[..]].concat());
    }
    report.series(series);
    draw(report, &heaps);
    Ok(())
}

/// Surfaces of the heaps.
fn draw(report: &mut Report, heaps: &[(f64, usize, Heap)]) {
    for (name, title, has_friction) in
        [("surface_friction", "µ = 0.5", true), ("surface_smooth", "µ = 0", false)]
    {
        let mut plot = Plot::new(format!("Heaps, {title}"), "distance from the wall [d]", "height [d]");
        let mut is_empty = true;
        for (_, family, heap) in heaps.iter().filter(|heap| (heap.0 > 0.0) == has_friction) {
            let (ways, tops): (Vec<f64>, Vec<f64>) = heap.shape.surface.iter().copied().unzip();
            plot = plot.line(FAMILIES[*family].0.to_string(), &ways, &tops);
            is_empty = false;
        }
        if !is_empty {
            report.plot(name, plot);
        }
    }
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
    for (friction, family, heap) in heaps {
        let Heap { shape, width, one_layer, .. } = heap;
        let (name, kind) = FAMILIES[*family];
        let slope = shape.slope.to_degrees();
        let label = |what: &str| format!("{name}, µ {friction}: {what}");
        if *friction == 0.0 {
            match kind {
                GrainFamily::Disc => {
                    let steps = one_layer.map_or(f64::INFINITY, |steps| steps as f64);
                    report.at_most(label("step at which one layer is left"), "", MOST_STEPS as f64, steps);
                }
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
    /// Distance from the wall within which 98 % of the grains lie [m].
    reach: f64,
    /// Steps after which frictionless discs lay in one layer, if they came to that.
    one_layer: Option<u64>,
    /// Wall clock of the steps after the gate was opened [s].
    seconds: f64,
}

/// Highest point of a layer of single discs, in mean diameters: the largest have 1.2.
const ONE_LAYER: f64 = 1.25;
/// Steps frictionless discs are followed at most.
const MOST_STEPS: u64 = 40_000;

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
    let (shape, reach, seconds) = (column.shape(), column.reach_of(0.98), begin.elapsed().as_secs_f64());
    let is_flat = friction == 0.0 && family == GrainFamily::Disc;
    let one_layer = if is_flat { spread_to_one_layer(&mut column, steps)? } else { None };
    Ok(Heap { width, shape, reach, one_layer, seconds })
}

/// Goes on until no disc lies on others; the number of steps since the opening, if it is reached.
fn spread_to_one_layer(column: &mut Column, mut steps: u64) -> Result<Option<u64>, VerifyError> {
    while column.top() > ONE_LAYER {
        if steps >= MOST_STEPS {
            return Ok(None);
        }
        column.run.steps(100)?;
        steps += 100;
    }
    Ok(Some(steps))
}
