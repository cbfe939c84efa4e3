//! Biaxial compression of three assemblies (section 12.1 of the method's description; the paper's Figs. of stress and
//! volume against strain).
//!
//! In full: three packings of 1520 grains, brought to the paper's porosities, both frictions, four stiffnesses, 160 steps
//! (about three hours of one core). With
//! `--quick`: 64 grains of the stronger shapes to 10.5 %, the order of the assemblies only.

use super::stage::{FAMILIES, PACKINGS, PRESSURE, mix, on_all_cores, quasi_static};
use crate::tell;
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use breccia::implicit::assembly::{Biaxial, BiaxialPlan, BiaxialRow, Compaction, CompactionPlan, compact};
use breccia::implicit::{GrainError, GrainSettings};
use breccia::output::Plot;
use breccia::shapes::nurbs::{LOBES, STRONG_LOBES};

/// Porosities of the paper's assemblies in the order of [`FAMILIES`], and how close ours come.
const POROSITY: [f64; 3] = [0.176, 0.152, 0.152];
const POROSITY_TOLERANCE: f64 = 3e-3;
/// Frictions during compaction that lead there, as `compact_to_porosity` finds them.
const PACKING_FRICTION: [f64; 3] = [0.0549, 0.137, 0.0217];
/// Seeds of the packings of each assembly.
const SEEDS: [u64; 3] = [1, 2, 3];
/// Axial strain at the end of a test.
const LAST_STRAIN: f64 = 0.21;
/// Axial strain before which a first peak would come.
const EARLY_STRAIN: f64 = 0.01;
/// Stiffnesses [N/m]; none for rigid.
const STIFFNESSES: [(&str, Option<f64>); 4] =
    [("rigid", None), ("1e8", Some(1e8)), ("1e6", Some(1e6)), ("1e5", Some(1e5))];

/// Names of the plots of stress and volume, in the order of [`STIFFNESSES`].
const FIGURES: [(&str, &str); 4] = [
    ("stress_rigid", "volume_rigid"),
    ("stress_1e8", "volume_1e8"),
    ("stress_1e6", "volume_1e6"),
    ("stress_1e5", "volume_1e5"),
];

/// A finished test.
struct Curve {
    family: usize,
    stiffness: usize,
    rows: Vec<BiaxialRow>,
    /// Why it ended early, if it did.
    trouble: Option<GrainError>,
}

impl Curve {
    /// Mean deviator between two strains [N/m].
    fn mean(&self, low: f64, high: f64) -> f64 {
        let inside: Vec<f64> = self
            .rows
            .iter()
            .filter(|row| (low..=high).contains(&row.axial_strain))
            .map(BiaxialRow::deviator)
            .collect();
        inside.iter().sum::<f64>() / inside.len().max(1) as f64
    }

    /// Largest deviator up to a strain [N/m].
    fn peak(&self, until: f64) -> f64 {
        let early = self.rows.iter().filter(|row| row.axial_strain <= until);
        early.map(BiaxialRow::deviator).fold(f64::MIN, f64::max)
    }

    /// Deviator after the first step [N/m].
    fn first(&self) -> f64 {
        self.rows.first().map_or(f64::NAN, BiaxialRow::deviator)
    }

    /// Largest dilation [-].
    fn dilation(&self) -> f64 {
        self.rows.iter().map(|row| -row.volume_strain).fold(f64::MIN, f64::max)
    }
}

/// The experiment.
pub fn biaxial(report: &mut Report) -> Result<(), VerifyError> {
    if report.quick { trend(report) } else { full(report) }
}

/// The order of the assemblies, few grains: the mean of three packings each, since one of 64 says little.
fn trend(report: &mut Report) -> Result<(), VerifyError> {
    let settings = quasi_static().with_stiffness(1e8);
    let cases: Vec<(usize, u64)> =
        (0..FAMILIES.len()).flat_map(|family| PACKINGS.map(|seed| (family, seed))).collect();
    let curves = on_all_cores(&cases, |&(family, seed)| {
        let grains = mix(FAMILIES[family].1, &STRONG_LOBES, 64, seed)?;
        let compacted = compact(&grains, &CompactionPlan::new(PRESSURE), &settings)?;
        let test = Biaxial::new(compacted, BiaxialPlan::new(PRESSURE, 0.5))?;
        Ok(compress(test, 0.105, (family, 1)))
    })?;
    let mut plot = Plot::new("64 grains, kN = 1e8, µ = 0.5", "axial strain [–]", "(σ1 − σ3)/σ3 [–]");
    let mut means = [0.0; FAMILIES.len()];
    for (curve, (_, seed)) in curves.iter().zip(&cases) {
        let (strains, deviators) = stress_curve(curve);
        plot = plot.line(format!("{}, packing {seed}", FAMILIES[curve.family].0), &strains, &deviators);
        means[curve.family] += curve.mean(0.07, 0.105) / PRESSURE / PACKINGS.len() as f64;
    }
    report.at_least("mean q/σ3 at 7–10.5 %: convex over disc", "", 1.0, means[1] / means[0]);
    report.at_least("mean q/σ3 at 7–10.5 %: non-convex over convex", "", 1.0, means[2] / means[1]);
    report.plot("trend", plot);
    Ok(())
}

/// Compresses to a strain; a test that fails keeps what it found until then.
fn compress(mut test: Biaxial, strain: f64, (family, stiffness): (usize, usize)) -> Curve {
    let mut curve = Curve { family, stiffness, rows: Vec::new(), trouble: None };
    while curve.rows.last().is_none_or(|row| row.axial_strain < strain) {
        match test.step() {
            Ok(row) => curve.rows.push(row),
            Err(error) => {
                curve.trouble = Some(error);
                break;
            }
        }
    }
    curve
}

fn stress_curve(curve: &Curve) -> (Vec<f64>, Vec<f64>) {
    (
        curve.rows.iter().map(|row| row.axial_strain).collect(),
        curve.rows.iter().map(|row| row.deviator() / PRESSURE).collect(),
    )
}

/// The paper's experiment, the mean of three packings: single ones scatter by a tenth. Assemblies are packed once; they
/// come to rest at each stiffness before their test.
fn full(report: &mut Report) -> Result<(), VerifyError> {
    let packings: Vec<(usize, u64)> =
        (0..FAMILIES.len()).flat_map(|family| SEEDS.map(|seed| (family, seed))).collect();
    let packed = on_all_cores(&packings, |&(family, seed)| {
        let grains = mix(FAMILIES[family].1, &LOBES, 1520, seed)?;
        let plan = CompactionPlan { friction: PACKING_FRICTION[family], ..CompactionPlan::new(PRESSURE) };
        let made = compact(&grains, &plan, &quasi_static().with_stiffness(1e8))?;
        tell::note(&format!("  {} {seed}: packed, porosity {:.4}", FAMILIES[family].0, made.porosity));
        Ok(made)
    })?;
    for ((name, _), (of_family, wanted)) in FAMILIES.iter().zip(packed.chunks(SEEDS.len()).zip(POROSITY)) {
        let mean = of_family.iter().map(|made| made.porosity).sum::<f64>() / SEEDS.len() as f64;
        report.absolute(format!("{name}: porosity"), "", wanted, mean, POROSITY_TOLERANCE);
    }
    let cases: Vec<(f64, usize, usize)> = [0.3, 0.5]
        .into_iter()
        .flat_map(|friction| (0..3).flat_map(move |family| (0..4).map(move |it| (friction, family, it))))
        .collect();
    let tests: Vec<_> =
        cases.iter().flat_map(|&case| (0..SEEDS.len()).map(move |seed| (case, seed))).collect();
    let single = on_all_cores(&tests, |&((friction, family, stiffness), seed)| {
        let (word, settings) = (STIFFNESSES[stiffness].0, settings_of(stiffness));
        let compacted = packed[SEEDS.len() * family + seed].at_rest_with(PRESSURE, &settings)?;
        let test = Biaxial::new(compacted, BiaxialPlan::new(PRESSURE, friction))?;
        let curve = compress(test, LAST_STRAIN, (family, stiffness));
        let name = format!("{} {}, kN {word}, µ {friction}", FAMILIES[family].0, SEEDS[seed]);
        let late = curve.mean(0.16, 0.21) / PRESSURE;
        tell::note(&format!("  {name}: done, (σ1 − σ3)/σ3 {late:.3} at the end"));
        Ok(curve)
    })?;
    let curves: Vec<(f64, Curve)> = cases
        .iter()
        .zip(single.chunks(SEEDS.len()))
        .map(|(case, of_case)| (case.0, averaged(of_case)))
        .collect();
    for (friction, curve) in &curves {
        let name =
            format!("µ {friction}, {}, kN {}", FAMILIES[curve.family].0, STIFFNESSES[curve.stiffness].0);
        let reached = curve.rows.last().map_or(0.0, |row| row.axial_strain);
        report.at_least(format!("{name}: strain reached"), "", LAST_STRAIN, reached);
        if let Some(trouble) = &curve.trouble {
            report.note(format!("{name}: {trouble}"));
        }
    }
    for friction in [0.3, 0.5] {
        let of_friction: Vec<&Curve> =
            curves.iter().filter(|curve| curve.0 == friction).map(|curve| &curve.1).collect();
        judge(report, friction, &of_friction);
        tell_curves(report, friction, &of_friction);
    }
    draw(report, &curves);
    let first: Vec<&Compaction> = packed.iter().step_by(SEEDS.len()).collect();
    first_peaks(report, &first)
}

/// The mean of tests that made the same steps, as far as all of them came.
fn averaged(curves: &[Curve]) -> Curve {
    let steps = curves.iter().map(|curve| curve.rows.len()).min().unwrap_or(0);
    let mean = |step: usize| {
        let of = |value: fn(&BiaxialRow) -> f64| {
            curves.iter().map(|curve| value(&curve.rows[step])).sum::<f64>() / curves.len() as f64
        };
        BiaxialRow {
            axial_strain: of(|row| row.axial_strain),
            volume_strain: of(|row| row.volume_strain),
            lid_stress: of(|row| row.lid_stress),
            side_stress: of(|row| row.side_stress),
            porosity: of(|row| row.porosity),
            coordination: of(|row| row.coordination),
            redone: curves.iter().map(|curve| curve.rows[step].redone).max().unwrap_or(0),
        }
    };
    let trouble = curves.iter().find_map(|curve| curve.trouble.clone());
    let (family, stiffness) = (curves[0].family, curves[0].stiffness);
    Curve { family, stiffness, rows: (0..steps).map(mean).collect(), trouble }
}

/// Outcome (b), with the paper's constant steps: its sharp first peak is the stress of a first step of this size, and
/// the ramp of the other tests leaves none.
fn first_peaks(report: &mut Report, packed: &[&Compaction]) -> Result<(), VerifyError> {
    let cases: Vec<(f64, usize, usize)> = [0.3, 0.5]
        .into_iter()
        .flat_map(|friction| (0..3).flat_map(move |family| [1, 3].map(move |it| (friction, family, it))))
        .collect();
    let curves = on_all_cores(&cases, |&(friction, family, stiffness)| {
        let settings = settings_of(stiffness);
        let compacted = packed[family].at_rest_with(PRESSURE, &settings)?;
        let plan = BiaxialPlan { ramp: 0, ..BiaxialPlan::new(PRESSURE, friction) };
        Ok(compress(Biaxial::new(compacted, plan)?, EARLY_STRAIN - plan.strain_step, (family, stiffness)))
    })?;
    let columns = [("friction", ""), ("family", ""), ("stiffness", ""), ("strain", ""), ("deviator", "N/m")];
    let mut series = Series::new("first_steps", &columns);
    for ((friction, family, _), pair) in cases.iter().step_by(2).zip(curves.chunks(2)) {
        let [stiff, soft] = pair else { continue };
        let label = |what: &str| format!("µ {friction}, {}: (b) {what} at 1e5 over 1e8", FAMILIES[*family].0);
        report.at_most(label("stress of the first step"), "", 0.9, soft.first() / stiff.first());
        let largest = soft.peak(EARLY_STRAIN) / stiff.peak(EARLY_STRAIN);
        report.at_most(label("largest stress before 1 %"), "", 0.9, largest);
        for curve in pair {
            for row in &curve.rows {
                let (family, stiffness) = (curve.family as f64, curve.stiffness as f64);
                series.push(&[*friction, family, stiffness, row.axial_strain, row.deviator()]);
            }
        }
    }
    report.series(series);
    Ok(())
}

/// Quasi-static settings with one of [`STIFFNESSES`].
fn settings_of(stiffness: usize) -> GrainSettings {
    STIFFNESSES[stiffness].1.map_or(quasi_static(), |value| quasi_static().with_stiffness(value))
}

/// Outcomes (a) and (c) to (e).
fn judge(report: &mut Report, friction: f64, curves: &[&Curve]) {
    let of = |family: usize, stiffness: usize| {
        curves.iter().copied().find(|it| it.family == family && it.stiffness == stiffness)
    };
    for (family, (name, _)) in FAMILIES.iter().enumerate() {
        let all: Vec<&Curve> = (0..4).filter_map(|stiffness| of(family, stiffness)).collect();
        let [rigid, stiff, _, soft] = all[..] else { continue };
        let label = |what: &str| format!("µ {friction}, {name}: {what}");
        let ratio = stiff.mean(0.02, 0.21) / rigid.mean(0.02, 0.21);
        report.relative(label("(a) mean q at 1e8 over rigid"), "", 1.0, ratio, 0.05);
        let shrinks = soft.rows.first().map_or(f64::NAN, |row| row.volume_strain);
        report.at_least(label("(c) first ε_v at 1e5"), "", 0.0, shrinks);
        let ends: Vec<f64> = all.iter().map(|curve| curve.mean(0.16, 0.21)).collect();
        let mean = ends.iter().sum::<f64>() / 4.0;
        for (end, (stiffness, _)) in ends.iter().zip(STIFFNESSES) {
            report.relative(
                label(&format!("(d) last q at {stiffness} over the mean")),
                "",
                1.0,
                end / mean,
                0.1,
            );
        }
        for (curve, (stiffness, _)) in all.iter().zip(STIFFNESSES) {
            let late: Vec<&BiaxialRow> = curve.rows.iter().filter(|row| row.axial_strain >= 0.16).collect();
            if let [first, .., last] = late[..] {
                let slope =
                    (last.volume_strain - first.volume_strain) / (last.axial_strain - first.axial_strain);
                report.at_most(label(&format!("(d) last |dε_v/dε_a| at {stiffness}")), "", 0.1, slope.abs());
            }
        }
    }
    for (stiffness, (word, _)) in STIFFNESSES.iter().enumerate() {
        for family in 0..2 {
            let (Some(lower), Some(higher)) = (of(family, stiffness), of(family + 1, stiffness)) else {
                continue;
            };
            let label = |what: &str| {
                format!(
                    "µ {friction}, kN {word}: (e) {what}, {} over {}",
                    FAMILIES[family + 1].0,
                    FAMILIES[family].0
                )
            };
            report.at_least(label("peak"), "", 1.05, higher.peak(1.0) / lower.peak(1.0));
            report.at_least(label("dilation"), "", 1.05, higher.dilation() / lower.dilation());
        }
    }
}

/// Curves as tables.
fn tell_curves(report: &mut Report, friction: f64, curves: &[&Curve]) {
    let columns = [
        ("family", ""),
        ("stiffness", ""),
        ("strain", ""),
        ("deviator", "N/m"),
        ("volume_strain", ""),
        ("redone", ""),
    ];
    let mut series = Series::new(if friction < 0.4 { "friction_0.3" } else { "friction_0.5" }, &columns);
    for curve in curves {
        for row in &curve.rows {
            let (family, stiffness) = (curve.family as f64, curve.stiffness as f64);
            let redone = f64::from(row.redone);
            series.push(&[family, stiffness, row.axial_strain, row.deviator(), row.volume_strain, redone]);
        }
    }
    report.series(series);
}

/// Curves as plots, those of one stiffness together as in the paper.
fn draw(report: &mut Report, curves: &[(f64, Curve)]) {
    for (stiffness, (stress_name, volume_name)) in FIGURES.into_iter().enumerate() {
        let title = format!("1520 grains, kN {}", STIFFNESSES[stiffness].0);
        let mut stress = Plot::new(title.clone(), "axial strain [–]", "(σ1 − σ3)/σ3 [–]");
        let mut volume = Plot::new(title, "axial strain [–]", "volumetric strain [–]");
        for (friction, curve) in curves.iter().filter(|(_, curve)| curve.stiffness == stiffness) {
            let (strains, deviators) = stress_curve(curve);
            let volumes: Vec<f64> = curve.rows.iter().map(|row| row.volume_strain).collect();
            let name = format!("{}, µ {friction}", FAMILIES[curve.family].0);
            stress = stress.line(name.clone(), &strains, &deviators);
            volume = volume.line(name, &strains, &volumes);
        }
        report.plot(stress_name, stress);
        report.plot(volume_name, volume);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(stresses: &[f64]) -> Curve {
        let row = |(step, &lid_stress): (usize, &f64)| BiaxialRow {
            axial_strain: 0.1 * (step + 1) as f64,
            volume_strain: -lid_stress,
            lid_stress,
            side_stress: 1.0,
            porosity: 0.2,
            coordination: 4.0,
            redone: step as u32,
        };
        Curve { family: 2, stiffness: 1, rows: stresses.iter().enumerate().map(row).collect(), trouble: None }
    }

    #[test]
    fn packings_are_averaged_as_far_as_all_came() {
        let mean = averaged(&[curve(&[2.0, 5.0, 9.0]), curve(&[4.0, 8.0]), curve(&[6.0, 2.0, 1.0])]);
        let deviators: Vec<f64> = mean.rows.iter().map(BiaxialRow::deviator).collect();
        assert_eq!((mean.family, mean.stiffness, deviators), (2, 1, vec![3.0, 4.0]));
        assert_eq!(mean.dilation(), 5.0);
        assert!((mean.rows[1].axial_strain - 0.2).abs() < 1e-15 && mean.rows[1].redone == 1);
    }
}
