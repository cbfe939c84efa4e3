//! Spinning balls, moving plates and a belt.

use super::VerifyError;
use super::report::{Report, Series};
use super::rig::{GRAVITY, Normal, Rig, Stuff, ball, floor};
use breccia::output::Plot;
use glam::DVec3;

const RADIUS: f64 = 0.01;
const BALL: Stuff = Stuff {
    density: 2500.0,
    young_modulus: 1e7,
    poisson_ratio: 0.25,
    restitution: 0.5,
    friction: 0.4,
    rolling_friction: 0.0,
    normal: Normal::Hertz,
    rolling: "none",
};

/// Nothing tangential may act on a ball that does not slide, however plate and ball move.
pub fn spin(report: &mut Report) -> Result<(), VerifyError> {
    let still = (DVec3::ZERO, DVec3::ZERO);
    let top = (DVec3::ZERO, DVec3::Z * 30.0);
    let along = DVec3::new(0.3, -0.2, 0.0);
    let translation = "{ kind = \"translation\", velocity = [0.3, -0.2, 0] }";
    let turntable = "{ kind = \"rotation\", point = [0, 0, 0], axis = [0, 0, 1], speed = 30 }";
    // A ball on the axis of a turntable may turn with it or not: a point contact carries no torque about its normal.
    let cases = [
        ("spinning top on a plate at rest", "", top),
        ("at rest on a plate in translation", translation, (along, DVec3::ZERO)),
        ("turning with a turntable", turntable, top),
        ("at rest on the axis of a turntable", turntable, still),
    ];
    for (name, motion, (velocity, spin)) in cases {
        for rolling in ["none", "c"] {
            let rolling_friction = if rolling == "c" { 0.05 } else { 0.0 };
            let stuff = Stuff { rolling, rolling_friction, ..BALL };
            let found = watch(&stuff, motion, velocity, spin)?;
            let scale = BALL.mass(RADIUS) * GRAVITY;
            let name = format!("{name}, rolling {rolling}");
            report.at_most(format!("{name}: tangential force / weight"), "", 1e-12, found.force / scale);
            report.at_most(format!("{name}: change of spin"), "rad/s", 1e-12, found.spin_change);
        }
    }
    Ok(())
}

/// The largest things that should not be there.
struct Found {
    /// Tangential force [N].
    force: f64,
    /// Change of spin [rad/s].
    spin_change: f64,
}

fn watch(stuff: &Stuff, motion: &str, velocity: DVec3, spin: DVec3) -> Result<Found, VerifyError> {
    let mut rig = Rig::new(&on_plate(stuff, motion, velocity, spin))?;
    let mut found = Found { force: 0.0, spin_change: 0.0 };
    while rig.time() < 0.5 {
        rig.step()?;
        for contact in rig.touching() {
            found.force = found.force.max(contact.force.tangential.length());
        }
    }
    found.spin_change = (rig.body(0)?.spin - spin).length();
    Ok(found)
}

/// A ball laid on a belt of speed u ends rolling at u/(1+κ), κ = 5a²/(2R²), a = R − δ: 2u/7 for a stiff one.
pub fn belt(report: &mut Report) -> Result<(), VerifyError> {
    let speed = 1.0;
    let arm = RADIUS - BALL.resting_overlap(RADIUS);
    let kappa = 2.5 * (arm / RADIUS) * (arm / RADIUS);
    let expected = speed / (1.0 + kappa);
    let motion = format!("{{ kind = \"translation\", velocity = [{speed:?}, 0, 0] }}");
    let mut rig = Rig::new(&on_plate(&BALL, &motion, DVec3::ZERO, DVec3::ZERO))?;
    let mut series = Series::new("speed", &[("time", "s"), ("speed", "m/s"), ("surface", "m/s")]);
    for k in 0..=100 {
        rig.run_to(2e-3 * f64::from(k))?;
        let now = rig.body(0)?;
        series.push(&[rig.time(), now.velocity.x, now.velocity.x - arm * now.spin.y]);
    }
    let end = rig.body(0)?;
    report.relative("speed of the ball", "m/s", expected, end.velocity.x, 1e-4);
    report.relative("speed of its lowest point", "m/s", speed, end.velocity.x - arm * end.spin.y, 1e-4);
    let friction = BALL.friction * BALL.mass(RADIUS) * GRAVITY;
    // The belt pulls with µ m g at its own speed until the ball rolls, v/(µ g) after the start.
    let rolls_from = speed / (BALL.friction * GRAVITY * (1.0 + kappa));
    let work = rig.run.sample().energy.wall_work;
    report.relative("work of the belt", "J", friction * speed * rolls_from, work, 1e-3);
    let times = series.column(0);
    let plot = Plot::new("A ball on a belt of 1 m/s", "time [s]", "speed [m/s]")
        .line("centre", &times, &series.column(1))
        .line("lowest point", &times, &series.column(2))
        .dashed("closed form u/(1+κ)", &[0.0, 0.2], &[expected; 2]);
    report.plot("speed", plot);
    report.series(series);
    Ok(())
}

/// A ball laid at its resting overlap on a plate that moves.
fn on_plate(stuff: &Stuff, motion: &str, velocity: DVec3, spin: DVec3) -> String {
    let place = DVec3::new(0.0, 0.0, RADIUS - stuff.resting_overlap(RADIUS));
    let laid = ball("ball", RADIUS, place, velocity, spin);
    let (stuff, plate) = (stuff.toml(), floor(motion));
    format!("gravity = [0, 0, -{GRAVITY}]\n{stuff}{plate}{laid}\n[time]\nduration = 1\nstep = \"auto\"\n")
}
