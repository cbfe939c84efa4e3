//! Three balls fall onto holes of three shapes and come to rest on several edges at once.
//!
//! How deep they rest is a matter of geometry alone only without friction: springs loaded on the way down carry a part.

use super::shape::Shape;
use super::sliding::BALL;
use super::stage::{balls, hertz_force, rigid, stage, wall_contacts};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Rig, Stuff};
use breccia::contacts::SurfaceContact;
use breccia::narrow_phase::FeatureKind;
use breccia::output::Plot;
use glam::DVec3;

const RADIUS: f64 = 0.3;
/// Name, corners and radius of the circle through the corners [m] of each hole.
const HOLES: [(&str, u32, f64); 3] = [("square", 4, 0.25), ("triangle", 3, 0.28), ("12-gon", 12, 0.2)];
/// From hole to hole [m].
const SPACING: f64 = 2.5;

/// Where hole `k` is [m].
fn place(k: usize) -> DVec3 {
    DVec3::X * (SPACING * k as f64)
}

/// Three balls 1 m above the holes.
fn above_holes(stuff: &Stuff) -> Result<Rig, VerifyError> {
    let rings = HOLES.iter().enumerate().map(|(k, &(_, n, inner))| Shape::ring(n, inner, 1.0).at(place(k)));
    let shape = Shape::all_of(rings);
    let starts: Vec<_> = (0..3).map(|k| (place(k) + DVec3::Z, DVec3::ZERO)).collect();
    let (stuff, bodies) = (stuff.toml(), balls(RADIUS, &starts));
    let text =
        format!("gravity = [0, 0, -{GRAVITY}]\n{stuff}{bodies}\n[time]\nduration = 2.5\nstep = 1e-5\n");
    Ok(Rig::of(&stage(&text, [rigid(&shape)?])?))
}

/// Speeds over 2.5 s.
pub fn holes(report: &mut Report) -> Result<(), VerifyError> {
    let mut rig = above_holes(&BALL)?;
    let names = [("time", "s"), ("square", "m/s"), ("triangle", "m/s"), ("twelve_gon", "m/s")];
    let mut series = Series::new("speed", &names);
    let mut peaks = [0.0_f64; 3];
    while rig.time() < 2.5 {
        rig.step()?;
        let speeds = [rig.body(0)?, rig.body(1)?, rig.body(2)?].map(|now| now.velocity.length());
        peaks = [0, 1, 2].map(|k| peaks[k].max(speeds[k]));
        if rig.run.state.step % 500 == 1 {
            series.push(&[rig.time(), speeds[0], speeds[1], speeds[2]]);
        }
    }
    for (k, (name, corners, _)) in HOLES.iter().enumerate() {
        let now = rig.body(k as u32)?;
        report.at_least(format!("{name}: peak speed"), "m/s", 3.7, peaks[k]);
        report.at_most(format!("{name}: peak speed"), "m/s", 3.9, peaks[k]);
        report.at_most(format!("{name}: speed after 2.5 s"), "m/s", 1e-3, now.velocity.length());
        let mine = |contact: &&SurfaceContact| (contact.point - place(k)).length() < 1.0;
        let edges = wall_contacts(&rig)
            .iter()
            .filter(mine)
            .filter(|contact| contact.kind == FeatureKind::Edge)
            .count();
        let lift: f64 = wall_contacts(&rig).iter().filter(mine).map(|contact| contact.force.z).sum();
        report.absolute(format!("{name}: edges touched at rest"), "", f64::from(*corners), edges as f64, 0.0);
        let weight = BALL.mass(RADIUS) * GRAVITY;
        report.relative(format!("{name}: weight carried"), "N", weight, lift, 1e-6);
        let aside = (now.position - place(k)).truncate().length();
        report.at_most(format!("{name}: drift from the middle"), "m", 1e-6, aside);
    }
    let time = series.column(0);
    let mut plot =
        Plot::new("Speeds of the balls", "time [s]", "speed [m/s]").x_range(0.0, 2.5).y_range(0.0, 4.0);
    for (k, (name, ..)) in HOLES.iter().enumerate() {
        plot = plot.line(*name, &time, &series.column(k + 1));
    }
    report.plot("fig23_speed", plot);
    report.series(series);
    without_friction(report)
}

/// The height at rest is that of the closed form.
fn without_friction(report: &mut Report) -> Result<(), VerifyError> {
    let mut rig = above_holes(&Stuff { friction: 0.0, ..BALL })?;
    rig.run_to(2.5)?;
    for (k, (name, corners, inner)) in HOLES.iter().enumerate() {
        let (expected, found) = (resting_height(*corners, *inner), rig.body(k as u32)?.position.z);
        report.relative(
            format!("{name}, no friction: height of the centre at rest"),
            "m",
            expected,
            found,
            1e-6,
        );
    }
    Ok(())
}

/// Height at which n edges carry the ball, each with F = S δ^{3/2} towards the centre: n F z/d = m g [m].
fn resting_height(corners: u32, circle: f64) -> f64 {
    let apothem = circle * libm::cos(std::f64::consts::PI / f64::from(corners));
    let weight = BALL.mass(RADIUS) * GRAVITY;
    let lift = |z: f64| {
        let distance = (apothem * apothem + z * z).sqrt();
        f64::from(corners) * hertz_force(&BALL, RADIUS, RADIUS - distance) * z / distance
    };
    let highest = (RADIUS * RADIUS - apothem * apothem).sqrt();
    let (mut low, mut high) = (0.8 * highest, highest);
    for _ in 0..60 {
        let z = 0.5 * (low + high);
        if lift(z) > weight { low = z } else { high = z }
    }
    low
}
