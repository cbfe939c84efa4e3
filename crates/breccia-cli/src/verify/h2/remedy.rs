//! The jump at concave edges with the remedy off and on: facets that fade in and out leave none.
//!
//! The largest change of force on a way over the edge is run to ground: the stretch with the largest change is cut again
//! and again. What is left on a stretch of R/10¹⁴ is a jump; a continuous force leaves next to nothing. The stretch has to be so
//! short because the blended force sets in with the chord that the edge cuts off: like the root of the way.

use super::concave::{INDENTATIONS, LINEAR, RADIUS, rising};
use super::stage::{Probe, blended, rigid};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{Normal, Stuff};
use breccia::model::Wall;
use breccia::output::Plot;
use glam::DVec3;

/// Jump that rounding may leave, over the force: a share is 1 in double precision until 1 − φ ≈ 0.6 (1 − s/ρ)^{3/2} is
/// above 1e-16, and ∇φ, like √(1 − s/ρ), is some 1e-5/ρ by then.
const ROUNDING: f64 = 1e-5;
/// Pieces into which a stretch is cut.
const PIECES: u32 = 200;

/// Jumps for all indentations over the angles, plain and blended.
pub fn remedy(report: &mut Report) -> Result<(), VerifyError> {
    for (law, key, normal) in [("Hertz", "remedy_hertz", Normal::Hertz), ("linear", "remedy_linear", LINEAR)]
    {
        let mut series = Series::new(key, &[("angle", "deg"), ("gamma", ""), ("plain", ""), ("blended", "")]);
        for degrees in
            if report.quick { vec![2.0, 10.0, 40.0] } else { vec![2.0, 5.0, 10.0, 20.0, 40.0, 60.0, 80.0] }
        {
            let shape = rising(degrees);
            for gamma in INDENTATIONS {
                let plain = jump(rigid(&shape)?, normal, gamma, degrees)?;
                let smooth = jump(blended(&shape)?, normal, gamma, degrees)?;
                series.push(&[degrees, gamma, plain, smooth]);
            }
        }
        let largest = |column: usize| series.column(column).into_iter().fold(0.0, f64::max);
        report.at_least(format!("{law}, remedy off: largest jump / force"), "", 0.9, largest(2));
        report.at_most(format!("{law}, remedy on: largest jump / force"), "", ROUNDING, largest(3));
        report.series(series);
    }
    draw(report)
}

/// Largest jump of the force over the force there, on the way to the edge at a constant height.
fn jump(wall: Wall, normal: Normal, gamma: f64, degrees: f64) -> Result<f64, VerifyError> {
    let mut probe = Probe::new(&Stuff { normal, ..Stuff::default() }, RADIUS, [wall])?;
    let mut force_at = |x: f64| probe.force_at(DVec3::new(x, 0.0, RADIUS * (1.0 - gamma)));
    let first_felt = -2.0 * RADIUS - RADIUS / libm::tan(degrees.to_radians());
    let (mut start, mut end) = (first_felt.max(-80.0 * RADIUS), -1e-3 * RADIUS);
    loop {
        let stride = (end - start) / f64::from(PIECES);
        let (mut worst, mut place) = (-1.0, start);
        let mut before = force_at(start)?;
        for k in 1..=PIECES {
            let here = force_at(start + stride * f64::from(k))?;
            let change = (here - before).length() / before.length();
            if change > worst {
                (worst, place) = (change, start + stride * f64::from(k - 1));
            }
            before = here;
        }
        if stride < 1e-14 * RADIUS {
            return Ok(worst);
        }
        (start, end) = (place, place + stride);
    }
}

/// Force on the way over an edge of 10° at γ = 0.033, plain and blended.
fn draw(report: &mut Report) -> Result<(), VerifyError> {
    let shape = rising(10.0);
    let mut series = Series::new("remedy_force", &[("way", "m"), ("plain", ""), ("blended", "")]);
    let mut plain = Probe::new(&Stuff::default(), RADIUS, [rigid(&shape)?])?;
    let mut smooth = Probe::new(&Stuff::default(), RADIUS, [blended(&shape)?])?;
    let place = |x: f64| DVec3::new(x, 0.0, RADIUS * (1.0 - 0.033));
    let scale = plain.force_at(place(-90.0 * RADIUS))?.length();
    for k in 0..=400 {
        let x = RADIUS * (-0.5 + 0.49 * f64::from(k) / 400.0);
        let forces = [plain.force_at(place(x))?, smooth.force_at(place(x))?];
        series.push(&[x, forces[0].length() / scale, forces[1].length() / scale]);
    }
    let way = series.column(0);
    let plot = Plot::new(
        "Towards an edge of 10°, γ = 0.033",
        "place of the centre [m]",
        "force / force of the first plane",
    )
    .line("remedy off", &way, &series.column(1))
    .line("remedy on", &way, &series.column(2));
    report.plot("remedy", plot);
    report.series(series);
    Ok(())
}
