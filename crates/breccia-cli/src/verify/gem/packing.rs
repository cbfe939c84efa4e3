//! Packings of tens to thousands of grains.

use super::stage::{PRESSURE, dynamic, mix, on_all_cores, quasi_static};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::implicit::assembly::{
    Biaxial, BiaxialPlan, BoxWall, Column, ColumnPlan, CompactionPlan, compact,
};
use breccia::implicit::solver::Reference;
use breccia::implicit::{GrainRun, StaticStep, StepKind, WallControl};
use breccia::output::Plot;
use breccia::shapes::nurbs::{GrainFamily, LOBES, STRONG_LOBES};
use glam::DVec2;

/// Steps in which the copies of a tall box close up.
const CLOSING_STEPS: u32 = 10;

/// Acceptance tests 19, 20 and 21.
pub fn statics(report: &mut Report) -> Result<(), VerifyError> {
    let discs = mix(GrainFamily::Disc, &LOBES, 100, 3)?;
    let plan = CompactionPlan::new(PRESSURE);
    let kinds = [
        ("rigid", quasi_static()),
        ("kN = 1e8", quasi_static().with_stiffness(1e8)),
        ("kN = 1e5", quasi_static().with_stiffness(1e5)),
    ];
    for (name, settings) in kinds {
        let compacted = compact(&discs, &plan, &settings)?;
        let mut test = Biaxial::new(compacted, BiaxialPlan::new(PRESSURE, 0.3))?;
        let (mut worst, mut apart) = (0.0_f64, 0.0_f64);
        for step in 0..75 {
            let before = (step % 15 == 0).then(|| (test.run.setup().clone(), test.run.state().clone()));
            let row = test.step()?;
            worst = worst.max((row.side_stress / PRESSURE - 1.0).abs());
            if let Some((setup, mut state)) = before {
                state.walls = state
                    .walls
                    .iter()
                    .zip(&test.run.state().walls)
                    .map(|(old, new)| breccia::implicit::WallState { control: new.control, ..*old })
                    .collect();
                let mut other = GrainRun::with_solver(setup, state, Box::new(Reference::default()))?;
                other.step()?;
                let (own, reference) = (test.run.state().walls[3].load.y, other.state().walls[3].load.y);
                apart = apart.max((own / reference - 1.0).abs());
            }
        }
        report.at_most(format!("{name}: σ3 off by"), "", 0.03, worst);
        report.at_most(format!("{name}: lid force against clarabel's"), "", 5e-5, apart);
    }
    let compacted = compact(&discs, &plan, &quasi_static().with_stiffness(1e6))?;
    let stress = |resistance: f64| -> Result<f64, VerifyError> {
        let mut compacted = compacted.clone();
        let step = StaticStep { resistance, wall_resistance: 10.0 * resistance, ..StaticStep::default() };
        compacted.setup.settings.kind = StepKind::QuasiStatic(step);
        let plan = BiaxialPlan { ramp: 1, ..BiaxialPlan::new(PRESSURE, 0.3) };
        Ok(Biaxial::new(compacted, plan)?.step()?.lid_stress)
    };
    report.relative("σ1 at η = 1e-3 over that at 1e-6", "", 1.0, stress(1e-3)? / stress(1e-6)?, 5e-4);
    Ok(())
}

/// A box so tall that its lid moves farther per step than contacts are looked for. Pressed between sides that stay, the
/// grains move down together: neighbours hardly move against each other, and no step may be solved twice for that.
pub fn tall_box(report: &mut Report) -> Result<(), VerifyError> {
    let discs = mix(GrainFamily::Disc, &LOBES, 36, 3)?;
    let settings = quasi_static().with_stiffness(1e5);
    let tower = compact(&discs, &CompactionPlan::new(PRESSURE), &settings)?.tiled(1, 18);
    let mut test = Biaxial::new(tower, BiaxialPlan { ramp: 1, ..BiaxialPlan::new(PRESSURE, 0.3) })?;
    test.run.state_mut().walls[BoxWall::Right as usize].control = WallControl::Moves(DVec2::ZERO);
    let diameter = test.run.setup().mean_diameter();
    let lid_way = test.start().height * 1.4e-3 / diameter;
    report.at_least("way of the lid per step", "d", 0.1, lid_way);
    // The copies of the box close up first.
    for _ in 0..CLOSING_STEPS {
        test.step()?;
    }
    let (mut whole, mut motions) = (0, Vec::new());
    for _ in 0..20 {
        whole += u32::from(test.step()?.redone == 0);
        motions.push(test.run.state().report.relative_motion / diameter);
    }
    motions.sort_by(f64::total_cmp);
    // A few grains may slip; by the motion of the lid every step would be solved again.
    report.at_least("steps of 20 that were solved once", "", 15.0, f64::from(whole));
    report.at_most(
        "relative motion of neighbours, median of the steps",
        "d",
        0.05,
        motions[motions.len() / 2],
    );
    Ok(())
}

/// Seeds of the packings of [`halving`].
const HALVED: [u64; 6] = [7, 8, 9, 10, 11, 12];

/// Acceptance test 22, the mean of six packings: in one of 64 grains a single slide of a grain may come a step sooner or
/// later and shift the volume at the end by a third.
pub fn halving(report: &mut Report) -> Result<(), VerifyError> {
    let settings = quasi_static().with_stiffness(1e8);
    let cases: Vec<(f64, u64)> =
        [1.4e-3, 7e-4].into_iter().flat_map(|step| HALVED.map(|seed| (step, seed))).collect();
    let tests = on_all_cores(&cases, |&(strain_step, seed)| {
        let grains = mix(GrainFamily::NonConvex, &LOBES, 64, seed)?;
        let compacted = compact(&grains, &CompactionPlan::new(PRESSURE), &settings)?;
        let plan = BiaxialPlan { strain_step, ..BiaxialPlan::new(PRESSURE, 0.5) };
        let mut test = Biaxial::new(compacted, plan)?;
        let (mut strains, mut deviators, mut volume) = (Vec::new(), Vec::new(), 0.0);
        while strains.last().is_none_or(|&strain| strain < 0.042) {
            let row = test.step()?;
            strains.push(row.axial_strain);
            deviators.push(row.deviator() / PRESSURE);
            volume = row.volume_strain;
        }
        Ok((strains, deviators, volume))
    })?;
    let mut plot =
        Plot::new("64 non-convex grains, kN = 1e8, µ = 0.5", "axial strain [–]", "(σ1 − σ3)/σ3 [–]");
    let mut ends = [(0.0, 0.0); 2];
    for ((strain_step, seed), (strains, deviators, volume)) in cases.iter().zip(&tests) {
        let late: Vec<f64> =
            strains.iter().zip(deviators).filter(|it| *it.0 > 0.02).map(|it| *it.1).collect();
        let end = &mut ends[usize::from(*strain_step < 1e-3)];
        end.0 += volume / HALVED.len() as f64;
        end.1 += late.iter().sum::<f64>() / late.len() as f64 / HALVED.len() as f64;
        plot = plot.line(format!("Δε = {strain_step:e}, packing {seed}"), strains, deviators);
    }
    report.relative("ε_v at 4.2 %, whole over half steps", "", 1.0, ends[0].0 / ends[1].0, 0.25);
    report.relative("q after the peak, whole over half steps", "", 1.0, ends[0].1 / ends[1].1, 0.2);
    report.plot("halving", plot);
    Ok(())
}

/// Acceptance tests 23 and 24.
pub fn collapse(report: &mut Report) -> Result<(), VerifyError> {
    let discs = mix(GrainFamily::Disc, &LOBES, 64, 5)?;
    let end = collapsed(report, "discs, µ = 0", &discs, 0.0, 800)?;
    report.at_most("discs, µ = 0: thickness", "d", 1.25, end.top());

    let grains = mix(GrainFamily::NonConvex, &STRONG_LOBES, 64, 4)?;
    let end = collapsed(report, "non-convex, µ = 0.5", &grains, 0.5, 500)?;
    let kinetic = end.run.state().energy(end.run.setup()).kinetic;
    report.at_most("non-convex, µ = 0.5: kinetic energy", "m g d", 1e-4, kinetic);
    Ok(())
}

/// A column let go, with its energy.
fn collapsed(
    report: &mut Report,
    name: &str,
    grains: &breccia::implicit::assembly::GrainMix,
    friction: f64,
    steps: u32,
) -> Result<Column, VerifyError> {
    let width = ColumnPlan::width_for(grains, 1.68, 0.2);
    let plan = ColumnPlan { width, gravity: 1.0, friction, floor_friction: friction };
    let mut column = Column::loose(grains, &plan, dynamic(0.7, 0.05).with_stiffness(1e8))?;
    column.settle(6000)?;
    column.open();
    let energy = |column: &Column| column.run.state().energy(column.run.setup()).total();
    let budget = |column: &Column| column.run.state().energy_budget(column.run.setup());
    let (start, booked) = (energy(&column), budget(&column));
    let (mut before, mut rise, mut overlap) = (start, f64::MIN, 0.0_f64);
    for _ in 0..steps {
        column.run.step()?;
        let now = energy(&column);
        rise = rise.max(now - before);
        overlap = overlap.max(column.run.state().report.overlap);
        before = now;
    }
    report.at_most(format!("{name}: largest rise of energy per step"), "E0", 1e-6, rise / start);
    report.at_most(
        format!("{name}: closure of the budget"),
        "E0",
        1e-9,
        ((budget(&column) - booked) / start).abs(),
    );
    report.at_most(format!("{name}: overlap"), "d", 0.02, overlap);
    Ok(column)
}

/// 10,000 discs, 30 increments (with `--quick`: 400 discs).
pub fn many_discs(report: &mut Report) -> Result<(), VerifyError> {
    let count = if report.quick { 400 } else { 10_000 };
    let settings = quasi_static().with_stiffness(1e8);
    let discs = mix(GrainFamily::Disc, &LOBES, count, 3)?;
    let compacted = compact(&discs, &CompactionPlan::new(PRESSURE), &settings)?;
    let mut test = Biaxial::new(compacted, BiaxialPlan::new(PRESSURE, 0.3))?;
    let mut series = Series::new("many_discs", &[("strain", ""), ("deviator", "N/m"), ("redone", "")]);
    let mut worst = 0.0_f64;
    for _ in 0..30 {
        let row = test.step()?;
        worst = worst.max((row.side_stress / PRESSURE - 1.0).abs());
        series.push(&[row.axial_strain, row.deviator(), f64::from(row.redone)]);
    }
    report.at_most(format!("{count} discs, 30 increments: σ3 off by"), "", 0.03, worst);
    report.series(series);
    Ok(())
}
