//! Plates and belts of polygons that move under a ball.

use super::shape::Shape;
use super::stage::{moving as moving_wall, stage, wall_contacts};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Normal, Rig, Stuff, ball};
use breccia::motion::MotionKind;
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
/// Speed of the belt [m/s].
const SPEED: f64 = 1.0;

/// Nothing tangential acts on a ball carried along; a belt sets a ball rolling, or carries one that cannot turn.
pub fn moving(report: &mut Report) -> Result<(), VerifyError> {
    carried(report)?;
    let mut plot = Plot::new("A ball laid on a belt of 1 m/s", "time [s]", "speed [m/s]");
    for (name, key, turns) in [("free to turn", "free", true), ("cannot turn", "blocked", false)] {
        let series = belt(report, name, key, turns)?;
        plot = plot.line(name, &series.column(0), &series.column(1));
        report.series(series);
    }
    let rolling = SPEED / (1.0 + kappa());
    let plot =
        plot.dashed("u/(1+κ)", &[0.0, BELT_TIME], &[rolling; 2]).dashed("u", &[0.0, BELT_TIME], &[SPEED; 2]);
    report.plot("belt", plot);
    Ok(())
}

/// A plate of triangles, its elements smaller than the way the ball is carried or rolls.
fn plate() -> Shape {
    Shape::plate(1.0, 61).triangles()
}

fn carried(report: &mut Report) -> Result<(), VerifyError> {
    let velocity = DVec3::new(0.3, -0.2, 0.0);
    let turn = MotionKind::Rotation { point: DVec3::ZERO, axis: DVec3::Z, speed: 30.0 };
    let cases = [
        ("at rest on a plate in translation", MotionKind::Translation { velocity }, velocity, DVec3::ZERO),
        ("turning with a plate about the common axis", turn, DVec3::ZERO, DVec3::Z * 30.0),
    ];
    for (name, kind, velocity, spin) in cases {
        let mut rig = laid(kind, velocity, spin)?;
        let (mut largest, mut seen) = (0.0_f64, 0);
        while rig.time() < 0.5 {
            rig.step()?;
            for contact in wall_contacts(&rig) {
                let sideways = contact.force - contact.normal * contact.force.dot(contact.normal);
                largest = largest.max(sideways.length());
                seen += 1;
            }
        }
        let end = rig.body(0)?;
        report.at_least(format!("{name}: contacts seen"), "", 1e3, f64::from(seen));
        let weight = BALL.mass(RADIUS) * GRAVITY;
        report.at_most(format!("{name}: tangential force / weight"), "", 1e-12, largest / weight);
        report.at_most(
            format!("{name}: change of velocity"),
            "m/s",
            1e-12,
            (end.velocity - velocity).truncate().length(),
        );
        report.at_most(format!("{name}: change of spin"), "rad/s", 1e-10, (end.spin - spin).length());
    }
    Ok(())
}

const BELT_TIME: f64 = 0.4;

/// κ = 5a²/(2R²) with the arm a = R − δ.
fn kappa() -> f64 {
    let arm = 1.0 - BALL.resting_overlap(RADIUS) / RADIUS;
    2.5 * arm * arm
}

fn belt(report: &mut Report, name: &str, key: &'static str, turns: bool) -> Result<Series, VerifyError> {
    let mut rig = laid(MotionKind::Translation { velocity: DVec3::X * SPEED }, DVec3::ZERO, DVec3::ZERO)?;
    if !turns {
        // A body's inertia is part of the state; a ball that nothing can turn has none of its inverse.
        rig.run.state.bodies.spins[0].inverse_inertia = 0.0;
    }
    let mut series = Series::new(key, &[("time", "s"), ("speed", "m/s"), ("spin", "rad/s")]);
    for k in 0..=200 {
        rig.run_to(BELT_TIME / 200.0 * f64::from(k))?;
        let now = rig.body(0)?;
        series.push(&[rig.time(), now.velocity.x, now.spin.y]);
    }
    let end = rig.body(0)?;
    let expected = if turns { SPEED / (1.0 + kappa()) } else { SPEED };
    report.relative(format!("belt, {name}: speed at the end"), "m/s", expected, end.velocity.x, 1e-4);
    let arm = RADIUS - BALL.resting_overlap(RADIUS);
    let lowest = end.velocity.x - arm * end.spin.y;
    report.relative(format!("belt, {name}: speed of the lowest point"), "m/s", SPEED, lowest, 1e-4);
    if !turns {
        report.absolute(format!("belt, {name}: spin"), "rad/s", 0.0, end.spin.length(), 0.0);
    }
    Ok(series)
}

/// A ball laid at its resting overlap on a plate that moves.
fn laid(kind: MotionKind, velocity: DVec3, spin: DVec3) -> Result<Rig, VerifyError> {
    let place = DVec3::Z * (RADIUS - BALL.resting_overlap(RADIUS));
    let (stuff, body) = (BALL.toml(), ball("ball", RADIUS, place, velocity, spin));
    let text = format!(
        "gravity = [0, 0, -{GRAVITY}]\n{stuff}{body}\n[time]\nduration = 1\nexpected_speed = 1\nstep = \"auto\"\n"
    );
    Ok(Rig::of(&stage(&text, [moving_wall(&plate(), kind)?])?))
}
