//! Order of accuracy.

use super::VerifyError;
use super::oracle::ElasticImpact;
use super::report::{Report, Series};
use super::rig::{Normal, Partner, Rig, Stuff, ball, floor};
use breccia::output::Plot;
use glam::DVec3;

const RADIUS: f64 = 0.01;
const SPEED: f64 = 1.0;
/// Steps per elastic contact; the last is the reference.
const STEPS: [u32; 6] = [40, 80, 160, 320, 640, 20_480];

/// Error of an impact under way against a very short step: it must fall with the square of the step.
///
/// The ball starts just touching, so that the instant of first touch does not depend on the step, and is looked at
/// after 7/8 of the contact: beyond the turning point, still touching.
pub fn order(report: &mut Report) -> Result<(), VerifyError> {
    let linear = Normal::Linear { stiffness: 1e5, tangential_ratio: 0.5 };
    let mut plot = Plot::new(
        "Error of the place after 7/8 of an impact",
        "steps per contact",
        "error / largest overlap",
    );
    for (normal, law, name) in [(Normal::Hertz, "Hertz", "hertz"), (linear, "linear", "linear")] {
        let stuff = Stuff { normal, ..Stuff::default() };
        let closed = ElasticImpact::of(&stuff, RADIUS, Partner::Wall, SPEED);
        let places = STEPS.iter().map(|&steps| place_after(&stuff, closed.duration, steps));
        let places: Vec<f64> = places.collect::<Result<_, _>>()?;
        let reference = places[STEPS.len() - 1];
        let mut series = Series::new(name, &[("steps_per_contact", ""), ("error", "")]);
        for (steps, place) in STEPS.iter().zip(&places).take(STEPS.len() - 1) {
            series.push(&[f64::from(*steps), (place - reference).abs() / closed.overlap]);
        }
        let (steps, errors) = (series.column(0), series.column(1));
        report.absolute(format!("{law}: order of the elastic impact"), "", 2.0, slope(&steps, &errors), 0.2);
        plot = plot.points(law, &steps, &errors);
        report.series(series);
    }
    let guide = |steps: f64| 3.0 / (steps * steps);
    plot = plot.dashed("second order", &[40.0, 640.0], &[guide(40.0), guide(640.0)]);
    report.plot("order", plot.log_x().log_y());
    Ok(())
}

fn place_after(stuff: &Stuff, contact: f64, steps: u32) -> Result<f64, VerifyError> {
    let step = contact / f64::from(steps);
    let touching = ball("ball", RADIUS, DVec3::Z * RADIUS, DVec3::Z * -SPEED, DVec3::ZERO);
    let (stuff, floor) = (stuff.toml(), floor(""));
    let mut rig = Rig::new(&format!(
        "gravity = [0, 0, 0]\n{stuff}{floor}{touching}\n[time]\nduration = 1\nstep = {step:?}\n"
    ))?;
    rig.run_to(0.875 * contact)?;
    Ok(rig.body(0)?.position.z)
}

/// Order by least squares in logarithms.
fn slope(steps: &[f64], errors: &[f64]) -> f64 {
    let points: Vec<[f64; 2]> =
        steps.iter().zip(errors).map(|(n, e)| [-libm::log(*n), libm::log(*e)]).collect();
    let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let above: f64 = points.iter().map(|point| (point[0] - x) * (point[1] - y)).sum();
    let below: f64 = points.iter().map(|point| (point[0] - x) * (point[0] - x)).sum();
    above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_power_is_its_exponent() {
        let steps = [1.0, 2.0, 4.0, 8.0];
        assert!((slope(&steps, &steps.map(|n| 7.0 / (n * n * n))) - 3.0).abs() < 1e-12);
    }
}
