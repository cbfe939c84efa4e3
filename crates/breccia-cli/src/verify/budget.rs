//! Energy budgets of many bodies.

use super::VerifyError;
use super::report::{Report, Series};
use super::rig::{GRAVITY, Rig, Stuff};
use breccia::output::Plot;

/// Elastic frictionless balls in a closed box without gravity: nothing may be lost or won.
pub fn elastic_box(report: &mut Report) -> Result<(), VerifyError> {
    let duration = if report.quick { 0.05 } else { 0.3 };
    let mut rig = Rig::new(&gas(duration))?;
    let mut series =
        Series::new("energy", &[("time", "s"), ("kinetic", "J"), ("elastic", "J"), ("closure", "")]);
    let mut contacts = 0;
    for k in 0..=200 {
        rig.run_to(duration * f64::from(k) / 200.0)?;
        let sample = rig.run.sample();
        let energy = &sample.energy;
        contacts += sample.contacts.pairs + sample.contacts.walls;
        series.push(&[sample.time, energy.kinetic(), energy.elastic(), energy.relative_closure_error]);
    }
    report.at_most("largest closure error / energy", "", 1e-6, largest(&series.column(3)));
    report.at_least("contacts seen in 200 samples", "", 100.0, contacts as f64);
    let times = series.column(0);
    let plot = Plot::new("Elastic gas in a box", "time [s]", "closure error / energy");
    report.plot("closure", plot.line("300 steps per contact", &times, &series.column(3)));
    report.series(series);
    Ok(())
}

/// Balls dropped into a box with friction, damping and rolling resistance, at the automatic step.
pub fn damped_heap(report: &mut Report) -> Result<(), VerifyError> {
    let (count, duration) = if report.quick { (300, 0.3) } else { (1500, 0.4) };
    let mut rig = Rig::new(&dropped(count, duration))?;
    let columns = [
        ("time", "s"),
        ("kinetic", "J"),
        ("elastic", "J"),
        ("gravity", "J"),
        ("normal_damping", "J"),
        ("tangential_damping", "J"),
        ("sliding", "J"),
        ("rolling", "J"),
        ("closure", ""),
    ];
    let mut series = Series::new("energy", &columns);
    for k in 0..=200 {
        rig.run_to(duration * f64::from(k) / 200.0)?;
        let sample = rig.run.sample();
        let e = &sample.energy;
        series.push(&[
            sample.time,
            e.kinetic(),
            e.elastic(),
            e.gravity,
            e.normal_damping,
            e.tangential_damping,
            e.sliding,
            e.rolling,
            e.relative_closure_error,
        ]);
    }
    report.at_most("largest closure error / turnover", "", 1e-3, largest(&series.column(8)));
    let kinetic = series.column(1);
    let peak = largest(&kinetic);
    report.at_most("kinetic energy at the end / at its peak", "", 1e-2, kinetic[kinetic.len() - 1] / peak);
    picture(report, &series);
    report.series(series);
    Ok(())
}

fn picture(report: &mut Report, series: &Series) {
    let times = series.column(0);
    let fallen: Vec<f64> = series.column(3).iter().map(|height| series.column(3)[0] - height).collect();
    let plot = Plot::new("A heap coming to rest", "time [s]", "energy [J]")
        .line("released by gravity", &times, &fallen)
        .line("kinetic", &times, &series.column(1))
        .line("elastic", &times, &series.column(2))
        .line("lost: normal dashpots", &times, &series.column(4))
        .line("lost: tangential dashpots", &times, &series.column(5))
        .line("lost: sliding", &times, &series.column(6))
        .line("lost: rolling", &times, &series.column(7));
    report.plot("energy", plot);
    let closure = Plot::new("Closure of the budget", "time [s]", "closure error / turnover");
    report.plot("closure", closure.line("automatic step", &times, &series.column(8)));
}

fn largest(values: &[f64]) -> f64 {
    // Not f64::max: a NaN must win.
    values.iter().fold(0.0, |most, value| if value.abs() <= most { most } else { value.abs() })
}

/// Six beams in all directions, so that not all balls hit a wall at once: while balls touch, the integrator's energy
/// swings by about (π/steps)²/8 of what is in the springs.
fn gas(duration: f64) -> String {
    let stuff = Stuff::default().toml();
    let beams = [
        [0.8, 0.5, -0.3],
        [-1.1, 0.2, 0.6],
        [0.1, -0.9, 0.7],
        [-0.4, 1.2, 0.3],
        [0.5, -0.2, -1.0],
        [-0.6, -0.7, 0.9],
    ];
    let beam = |(k, [u, v, w]): (usize, &[f64; 3])| {
        format!(
            r#"
[[bodies]]
name = "beam {k}"
kind = "random"
material = "ball"
size = {{ kind = "uniform", min = "6 mm", max = "9 mm" }}
region = {{ shape = "box", min = [0, 0, 0], max = [0.15, 0.15, 0.15] }}
count = 20
velocity = [{u:?}, {v:?}, {w:?}]
"#
        )
    };
    let beams: String = beams.iter().enumerate().map(beam).collect();
    format!(
        r#"
gravity = [0, 0, 0]
seed = 3
{stuff}{beams}
[[wall]]
name = "box"
material = "wall"
shape = "box"
min = [0, 0, 0]
max = [0.15, 0.15, 0.15]
side = "inside"

[time]
duration = {duration:?}
step = "auto"
steps_per_contact = 300
expected_speed = 5
"#
    )
}

fn dropped(count: u32, duration: f64) -> String {
    let stuff = Stuff {
        young_modulus: 1e7,
        restitution: 0.5,
        friction: 0.5,
        rolling_friction: 0.05,
        rolling: "c",
        ..Stuff::default()
    };
    let stuff = stuff.toml();
    // A square silo that the balls fill to about two of its widths, loosely placed four widths high.
    let side = 0.01 * libm::cbrt(f64::from(count) * 0.6);
    let height = 4.0 * side;
    format!(
        r#"
gravity = [0, 0, -{GRAVITY}]
seed = 5
{stuff}
[[wall]]
name = "box"
material = "wall"
shape = "box"
min = [0, 0, 0]
max = [{side:?}, {side:?}, {height:?}]
side = "inside"

[[bodies]]
name = "heap"
kind = "random"
material = "ball"
size = {{ kind = "uniform", min = "4 mm", max = "6 mm" }}
region = {{ shape = "box", min = [0, 0, 0], max = [{side:?}, {side:?}, {height:?}] }}
count = {count}

[time]
duration = {duration:?}
step = "auto"
"#
    )
}
