//! The jump of force where a floor begins to rise: the whole of the paper's Fig. 32, measured with the engine.
//!
//! A ball δ = γR deep in a plane moves towards one that rises by α. The method feels the second plane only once the
//! centre projects onto it; it is then t = R (cos α + γ − 1)/cos α deep already (Eqs. 40 to 42, not below zero).
//! The plane is let in by a slack τ of the coplanar test, which adds τ (1 − γ) R/cos α to t.

use super::remedy::remedy;
use super::shape::Shape;
use super::stage::{Probe, rigid};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{Normal, Stuff};
use breccia::contacts::SurfaceContact;
use breccia::output::Plot;
use glam::DVec3;

/// Radius of the ball [m].
pub const RADIUS: f64 = 0.3;
/// Overlaps with the first plane over the radius: the curves of Fig. 32.
pub const INDENTATIONS: [f64; 8] = [0.001, 0.01, 0.033, 0.1, 0.25, 0.5, 0.75, 0.98];
/// Slack of the coplanar test for a mesh in double precision.
const SLACK: f64 = 1e-6;
/// Largest deviation of the measured error from Eq. 42.
const TOLERANCE: f64 = 1e-3;
/// Linear law of the experiment.
pub const LINEAR: Normal = Normal::Linear { stiffness: 1e4, tangential_ratio: 1.0 };

/// Measured against Eq. 42 for eight indentations from 1° to 90°, both laws.
pub fn concave(report: &mut Report) -> Result<(), VerifyError> {
    let mut curves = Vec::new();
    for (law, normal) in [("Hertz", Normal::Hertz), ("linear", LINEAR)] {
        curves.push(sweep(report, law, normal)?);
        published(report, law, normal)?;
    }
    let flat = Jump::measure(Normal::Hertz, 0.1, 0.0)?;
    report.absolute("coplanar planes: contacts at the edge", "", 1.0, flat.contacts as f64, 0.0);
    draw(report, &curves);
    curves.into_iter().for_each(|curve| report.series(curve));
    remedy(report)
}

/// Error measures of one law, a row for each angle.
fn sweep(report: &mut Report, law: &'static str, normal: Normal) -> Result<Series, VerifyError> {
    let names = INDENTATIONS.map(|gamma| format!("gamma_{gamma}"));
    let columns: Vec<_> =
        std::iter::once(("angle", "deg")).chain(names.iter().map(|name| (name.as_str(), ""))).collect();
    let mut series = Series::new(if law == "Hertz" { "hertz" } else { "linear" }, &columns);
    let (mut worst, mut worst_with_slack) = ([[0.0_f64; 2]; 8], 0.0_f64);
    let mut jumps = 0;
    for degrees in angles(report.quick) {
        let mut row = vec![degrees];
        for (place, gamma) in INDENTATIONS.into_iter().enumerate() {
            let found = Jump::measure(normal, gamma, degrees)?.error;
            let closed = closed_form(normal, gamma, degrees, 0.0);
            let letting_in = closed_form(normal, gamma, degrees, SLACK);
            for (worst, value) in worst[place].iter_mut().zip([found, letting_in]) {
                *worst = worst.max((value - closed).abs());
            }
            worst_with_slack = worst_with_slack.max((found - letting_in).abs());
            jumps += u32::from(found > 0.01);
            row.push(found);
        }
        series.push(&row);
    }
    for (gamma, [worst, by_slack]) in INDENTATIONS.into_iter().zip(worst) {
        let name = format!("{law}, γ = {gamma}: largest deviation from Eq. 42");
        // Of an overlap of R/1000 the slack is a thousandth itself: more than that is not in Eq. 42.
        match by_slack <= TOLERANCE {
            true => report.at_most(name, "", TOLERANCE, worst),
            false => report.relative(format!("{name}, all by the slack"), "", by_slack, worst, 1e-3),
        }
    }
    let name = format!("{law}, all γ: largest deviation from Eq. 42 with the slack");
    report.at_most(name, "", 1e-6, worst_with_slack);
    report.at_least(format!("{law}: jumps seen"), "", 50.0, f64::from(jumps));
    Ok(series)
}

/// The values that the paper's text and figure give.
fn published(report: &mut Report, law: &str, normal: Normal) -> Result<(), VerifyError> {
    let values: &[(f64, f64, f64)] = match normal {
        Normal::Hertz => &[(0.033, 10.0, 0.406), (0.033, 5.0, 0.837), (0.01, 5.0, 0.490), (0.01, 10.0, 0.0)],
        Normal::Linear { .. } => &[(0.033, 10.0, 0.548), (0.01, 10.0, 0.0)],
    };
    for &(gamma, degrees, expected) in values {
        let found = Jump::measure(normal, gamma, degrees)?.error;
        report.absolute(format!("{law}, γ = {gamma}, α = {degrees}°"), "", expected, found, TOLERANCE);
    }
    Ok(())
}

/// Angles [°]; closer where curves of shallow contacts end.
fn angles(quick: bool) -> Vec<f64> {
    let fine = (2..20).map(|k| 0.5 * f64::from(k));
    let coarse = if quick {
        (2..19).map(|k| 5.0 * f64::from(k)).collect::<Vec<_>>()
    } else {
        (10..91).map(f64::from).collect()
    };
    fine.chain(coarse).collect()
}

/// Eq. 42, not below zero, with a slack of the coplanar test.
fn closed_form(normal: Normal, gamma: f64, degrees: f64, slack: f64) -> f64 {
    let cosine = if degrees == 90.0 { 0.0 } else { libm::cos(degrees.to_radians()) };
    let depth = cosine - (1.0 - gamma) * (1.0 - slack);
    if depth <= 0.0 {
        return 0.0;
    }
    let ratio = depth / (gamma * cosine);
    match normal {
        Normal::Hertz => ratio * ratio.sqrt(),
        Normal::Linear { .. } => ratio,
    }
}

/// A floor z = 0 that rises by an angle [°] beyond x = 0.
pub fn rising(degrees: f64) -> Shape {
    let (sine, cosine) = libm::sincos(degrees.to_radians());
    let profile = [(-100.0 * RADIUS, 0.0), (0.0, 0.0), (10.0 * RADIUS * cosine, 10.0 * RADIUS * sine)];
    Shape::strip(&profile, &[-5.0 * RADIUS, 5.0 * RADIUS])
}

/// What is felt when the second plane comes in.
struct Jump {
    /// Force of the second plane over that of the first.
    error: f64,
    contacts: usize,
}

impl Jump {
    /// Finds by bisection the place where the second plane comes in.
    fn measure(normal: Normal, gamma: f64, degrees: f64) -> Result<Self, VerifyError> {
        let shape = rising(degrees);
        let stuff = Stuff { normal, ..Stuff::default() };
        let mut probe = Probe::new(&stuff, RADIUS, [rigid(&shape)?])?;
        let mut contacts_at = |x: f64| probe.contacts_at(DVec3::new(x, 0.0, RADIUS * (1.0 - gamma)));
        let (mut before, mut after) = (-90.0 * RADIUS, -1e-9 * RADIUS);
        let mut felt = contacts_at(after)?;
        while before + 1e-13 * RADIUS < after {
            let middle = 0.5 * (before + after);
            if middle <= before || middle >= after {
                break;
            }
            let contacts = contacts_at(middle)?;
            if contacts.len() > 1 { (after, felt) = (middle, contacts) } else { before = middle }
        }
        let force = |upright: bool| -> f64 {
            let is_first = |contact: &&SurfaceContact| (contact.normal.z == 1.0) == upright;
            felt.iter().filter(is_first).map(|contact| contact.force.length()).sum()
        };
        Ok(Self { error: force(false) / force(true), contacts: felt.len() })
    }
}

fn draw(report: &mut Report, curves: &[Series]) {
    let mut plot = Plot::new("Error at concave edges", "change of angle [°]", "error measure ξ")
        .x_range(0.0, 90.0)
        .y_range(0.0, 1.0);
    // Seven colours: the eighth indentation begins them anew, far from the first.
    let (seven, last) = INDENTATIONS.split_at(7);
    for (first, group) in [(1, seven), (8, last)] {
        for (style, curve) in curves.iter().enumerate() {
            for (k, gamma) in group.iter().enumerate() {
                let (angle, error) = (curve.column(0), curve.column(first + k));
                plot = match style {
                    0 => plot.line(format!("γ = {gamma}, Hertz"), &angle, &error),
                    _ => plot.dashed(format!("γ = {gamma}, linear"), &angle, &error),
                };
            }
        }
    }
    let plot = plot.points("paper, Hertz: γ = 0.033, 0.01", &[10.0, 10.0], &[0.41, 0.0]).points(
        "paper, linear: γ = 0.033, 0.01",
        &[10.0, 10.0],
        &[0.55, 0.0],
    );
    report.plot("fig32_concave", plot);
}
