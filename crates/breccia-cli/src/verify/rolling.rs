//! A ball that slides, rolls, and comes to rest.

use super::VerifyError;
use super::report::{Report, Series};
use super::rig::{GRAVITY, Rig, Stuff, ball, floor};
use breccia::output::Plot;
use glam::DVec3;

/// A ball of the Double Hierarchy paper's fourth experiment.
const RADIUS: f64 = 0.3;
const BALL: Stuff = Stuff {
    density: 100.0,
    young_modulus: 1e6,
    poisson_ratio: 0.2,
    restitution: 0.4,
    friction: 0.3,
    rolling_friction: 0.0,
    normal: super::rig::Normal::Hertz,
    rolling: "none",
};

/// A ball set on the floor with a speed but no spin slides until it rolls.
///
/// With the lever arm a = R − δ and κ = 5a²/(2R²): rolling from t_c = v0/(µg(1+κ)) at v = v0 κ/(1+κ), ω = v/a.
pub fn sliding_to_rolling(report: &mut Report) -> Result<(), VerifyError> {
    let start = 5.0;
    let arm = RADIUS - BALL.resting_overlap(RADIUS);
    let kappa = 2.5 * (arm / RADIUS) * (arm / RADIUS);
    let deceleration = BALL.friction * GRAVITY;
    let rolls_from = start / (deceleration * (1.0 + kappa));
    let speed = start * kappa / (1.0 + kappa);
    let way = start * rolls_from - 0.5 * deceleration * rolls_from * rolls_from + speed * (1.0 - rolls_from);

    let mut rig = Rig::new(&on_floor(&BALL, RADIUS, start, 0.0, "1e-5"))?;
    let columns = [("time", "s"), ("speed", "m/s"), ("rolling_speed", "m/s"), ("closed_form", "m/s")];
    let mut series = Series::new("speed", &columns);
    for k in 0..=100 {
        rig.run_to(0.01 * f64::from(k))?;
        let (t, now) = (rig.time(), rig.body(0)?);
        let closed = if t < rolls_from { start - deceleration * t } else { speed };
        series.push(&[t, now.velocity.x, arm * now.spin.y, closed]);
    }
    let end = rig.body(0)?;
    report.relative("way after 1 s", "m", way, end.position.x, 2e-4);
    report.relative("speed after 1 s", "m/s", speed, end.velocity.x, 1e-4);
    report.relative("spin after 1 s", "rad/s", speed / arm, end.spin.y, 1e-4);

    let stiff = Stuff { young_modulus: 1e10, ..BALL };
    let mut rig = Rig::new(&on_floor(&stiff, RADIUS, start, 0.0, "\"auto\""))?;
    rig.run_to(1.0)?;
    let end = rig.body(0)?;
    report.relative(
        "stiff ball (10 GPa): speed after 1 s / at start",
        "",
        5.0 / 7.0,
        end.velocity.x / start,
        1e-4,
    );
    report.relative(
        "stiff ball (10 GPa): way after 1 s",
        "m",
        textbook_way(start, deceleration),
        end.position.x,
        2e-4,
    );

    let times = series.column(0);
    let plot = Plot::new("Sliding to rolling", "time [s]", "speed [m/s]")
        .line("centre", &times, &series.column(1))
        .line("arm × spin", &times, &series.column(2))
        .dashed("closed form of the centre", &times, &series.column(3));
    report.plot("speed", plot);
    report.series(series);
    Ok(())
}

/// Way after 1 s of a ball with an arm R: t_c = 2 v0/(7 µ g), then 5/7 v0.
fn textbook_way(start: f64, deceleration: f64) -> f64 {
    let rolls_from = 2.0 * start / (7.0 * deceleration);
    start * rolls_from - 0.5 * deceleration * rolls_from * rolls_from + 5.0 / 7.0 * start * (1.0 - rolls_from)
}

/// Radius of the ball that comes to rest [m].
const SMALL_RADIUS: f64 = 0.016;
/// Young's modulus [Pa] at which it rests with an arm of 0.9983 R.
const SMALL_MODULUS: f64 = 6.75e5;

/// Rolling resistance µ_r stops a rolling ball after v0 (a/R + 2/5 R/a)/(µ_r g).
///
/// Spring and dashpot of model C together stay below the cap, so that it holds for `c` as for `a-limited`.
pub fn decay(report: &mut Report) -> Result<(), VerifyError> {
    let start = 0.5;
    let mut plot = Plot::new("Rolling resistance", "time [s]", "speed [m/s]");
    let mut closed = f64::NAN;
    for (rolling, name, tolerance) in [("a-limited", "a_limited", 5e-3), ("c", "c", 1e-2)] {
        let stuff = Stuff { rolling_friction: 0.05, rolling, young_modulus: SMALL_MODULUS, ..BALL };
        let radius = SMALL_RADIUS;
        let arm = radius - stuff.resting_overlap(radius);
        closed = start * (arm / radius + 0.4 * radius / arm) / (stuff.rolling_friction * GRAVITY);
        let mut rig = Rig::new(&on_floor(&stuff, radius, start, start / arm, "1e-5"))?;
        let mut series = Series::new(name, &[("time", "s"), ("speed", "m/s"), ("spin", "rad/s")]);
        let mut stopped = f64::NAN;
        while rig.time() < 2.0 {
            rig.step()?;
            let now = rig.body(0)?;
            if stopped.is_nan() && now.velocity.x <= 0.0 {
                stopped = rig.time();
            }
            if rig.run.state.step % 500 == 1 {
                series.push(&[rig.time(), now.velocity.x, now.spin.y]);
            }
        }
        let end = rig.body(0)?;
        report.relative(format!("{rolling}: time of stop"), "s", closed, stopped, tolerance);
        if rolling == "a-limited" {
            report.absolute("a-limited: spin at the end", "rad/s", 0.0, end.spin.length(), 0.0);
        }
        report.at_most(
            format!("{rolling}: speed at the end / at start"),
            "",
            1e-3,
            end.velocity.length() / start,
        );
        plot = plot.line(rolling, &series.column(0), &series.column(1));
        report.series(series);
    }
    report.plot("speed", plot.dashed("closed form", &[0.0, closed, 2.0], &[start, 0.0, 0.0]));
    Ok(())
}

/// A ball laid on the floor at its resting overlap, rolling or sliding along x.
fn on_floor(stuff: &Stuff, radius: f64, speed: f64, spin: f64, step: &str) -> String {
    let place = DVec3::new(0.0, 0.0, radius - stuff.resting_overlap(radius));
    let laid = ball("ball", radius, place, DVec3::X * speed, DVec3::Y * spin);
    let (stuff, floor) = (stuff.toml(), floor(""));
    format!("gravity = [0, 0, -{GRAVITY}]\n{stuff}{floor}{laid}\n[time]\nduration = 2\nstep = {step}\n")
}
