//! Three balls fall onto holes of three shapes and come to rest on several edges at once.

use super::shape::Shape;
use super::sliding::BALL;
use super::stage::{balls, rigid, stage, wall_contacts};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Rig};
use breccia::narrow_phase::FeatureKind;
use breccia::output::Plot;
use glam::DVec3;

const RADIUS: f64 = 0.3;
/// Name, corners and radius of the circle through the corners [m] of each hole.
const HOLES: [(&str, u32, f64); 3] = [("square", 4, 0.25), ("triangle", 3, 0.28), ("12-gon", 12, 0.2)];
/// From hole to hole [m].
const SPACING: f64 = 2.5;

/// Speeds over 2.5 s.
pub fn holes(report: &mut Report) -> Result<(), VerifyError> {
    let place = |k: usize| DVec3::X * (SPACING * k as f64);
    let rings = HOLES.iter().enumerate().map(|(k, &(_, n, inner))| Shape::ring(n, inner, 1.0).at(place(k)));
    let shape = Shape::all_of(rings);
    let starts: Vec<_> = (0..3).map(|k| (place(k) + DVec3::Z, DVec3::ZERO)).collect();
    let (stuff, bodies) = (BALL.toml(), balls(RADIUS, &starts));
    let text =
        format!("gravity = [0, 0, -{GRAVITY}]\n{stuff}{bodies}\n[time]\nduration = 2.5\nstep = 1e-5\n");
    let mut rig = Rig::of(&stage(&text, [rigid(&shape)?])?);
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
    for (k, (name, corners, inner)) in HOLES.iter().enumerate() {
        let now = rig.body(k as u32)?;
        report.at_least(format!("{name}: peak speed"), "m/s", 3.7, peaks[k]);
        report.at_most(format!("{name}: peak speed"), "m/s", 3.9, peaks[k]);
        report.at_most(format!("{name}: speed after 2.5 s"), "m/s", 1e-3, now.velocity.length());
        let mine = wall_contacts(&rig).filter(|contact| (contact.point - place(k)).length() < 1.0);
        let edges = mine.filter(|contact| contact.kind == FeatureKind::Edge).count();
        report.absolute(format!("{name}: edges touched at rest"), "", f64::from(*corners), edges as f64, 0.0);
        let resting = resting_height(*corners, *inner);
        report.relative(format!("{name}: height of the centre at rest"), "m", resting, now.position.z, 1e-4);
    }
    let time = series.column(0);
    let mut plot =
        Plot::new("Speeds of the balls", "time [s]", "speed [m/s]").x_range(0.0, 2.5).y_range(0.0, 4.0);
    for (k, (name, ..)) in HOLES.iter().enumerate() {
        plot = plot.line(*name, &time, &series.column(k + 1));
    }
    report.plot("fig23_speed", plot);
    report.series(series);
    Ok(())
}

/// Height at which n edges carry the ball, each with F = S δ^{3/2} towards the centre: n F z/d = m g [m].
fn resting_height(corners: u32, circle: f64) -> f64 {
    let apothem = circle * libm::cos(std::f64::consts::PI / f64::from(corners));
    let weight = BALL.mass(RADIUS) * GRAVITY;
    let lift = |z: f64| {
        let distance = (apothem * apothem + z * z).sqrt();
        f64::from(corners) * super::stage::hertz_force(&BALL, RADIUS, RADIUS - distance) * z / distance
    };
    let highest = (RADIUS * RADIUS - apothem * apothem).sqrt();
    let (mut low, mut high) = (0.8 * highest, highest);
    for _ in 0..60 {
        let z = 0.5 * (low + high);
        if lift(z) > weight { low = z } else { high = z }
    }
    low
}
