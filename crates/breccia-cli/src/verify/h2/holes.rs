//! Three balls fall onto holes of three shapes and come to rest on several edges at once.
//!
//! How deep they rest is no matter of geometry alone: friction springs that were loaded on the way down carry a part.

use super::shape::Shape;
use super::sliding::BALL;
use super::stage::{balls, rigid, stage, wall_contacts};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Rig};
use breccia::contacts::SurfaceContact;
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
    for (k, (name, corners, _)) in HOLES.iter().enumerate() {
        let now = rig.body(k as u32)?;
        report.at_least(format!("{name}: peak speed"), "m/s", 3.7, peaks[k]);
        report.at_most(format!("{name}: peak speed"), "m/s", 3.9, peaks[k]);
        report.at_most(format!("{name}: speed after 2.5 s"), "m/s", 1e-3, now.velocity.length());
        let mine = |contact: &&SurfaceContact| (contact.point - place(k)).length() < 1.0;
        let edges =
            wall_contacts(&rig).filter(mine).filter(|contact| contact.kind == FeatureKind::Edge).count();
        let lift: f64 = wall_contacts(&rig).filter(mine).map(|contact| contact.force.z).sum();
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
    Ok(())
}
