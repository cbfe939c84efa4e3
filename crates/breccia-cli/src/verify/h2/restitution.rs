//! Rebound speed from facets, edges and vertices against the restitution asked for.

use super::shape::Shape;
use super::stage::{balls, rigid, stage, wall_contacts};
use crate::verify::VerifyError;
use crate::verify::oracle::ElasticImpact;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{Partner, Rig, Stuff};
use breccia::model::StepChoice;
use breccia::output::Plot;
use breccia::scene::Scene;
use breccia::simulation::StepLimits;
use glam::DVec3;

const RADIUS: f64 = 0.01;
const SPEED: f64 = 1.0;
const RESTITUTIONS: [f64; 4] = [0.3, 0.5, 0.8, 0.95];
/// Instants of first touch within a step.
const PHASES: u32 = 20;
const FINE_STEPS: f64 = 75.0;

/// Mean over phases at 0.2 Rayleigh times, every impact at 75 steps per contact.
pub fn restitution(report: &mut Report) -> Result<(), VerifyError> {
    let mut plot = Plot::new("Restitution on meshes", "asked for", "measured / asked for");
    for (name, shape) in [
        ("facet", Shape::plate(2.9 * RADIUS, 3)),
        ("edge", ridge()),
        ("vertex", Shape::pyramid(1.4 * RADIUS)),
    ] {
        let mut series = Series::new(name, &[("asked", ""), ("mean", ""), ("least", ""), ("largest", "")]);
        for e in RESTITUTIONS {
            let stuff = Stuff { restitution: e, ..Stuff::default() };
            let limits = StepLimits::of(&scene(&stuff, &shape, 1e-6)?);
            let coarse = rebounds(&stuff, &shape, 0.2 * limits.rayleigh)?;
            let contact = ElasticImpact::of(&stuff, RADIUS, Partner::Wall, SPEED).duration;
            let fine = rebounds(&stuff, &shape, contact / FINE_STEPS)?;
            let mean = coarse.iter().sum::<f64>() / coarse.len() as f64;
            let farthest = fine
                .iter()
                .copied()
                .max_by(|a, b| (a - e).abs().total_cmp(&(b - e).abs()))
                .unwrap_or(f64::NAN);
            report.relative(format!("{name}, e = {e}: mean over {PHASES} phases"), "", e, mean, 0.01);
            report.relative(
                format!("{name}, e = {e}: worst at {FINE_STEPS} steps per contact"),
                "",
                e,
                farthest,
                0.01,
            );
            let ends = |pick: fn(f64, f64) -> f64| fine.iter().copied().fold(e, pick);
            series.push(&[e, mean, ends(f64::min), ends(f64::max)]);
        }
        let asked = series.column(0);
        let ratio: Vec<f64> = series.column(1).iter().zip(&asked).map(|(mean, e)| mean / e).collect();
        plot = plot.points(format!("{name}: mean"), &asked, &ratio);
        report.series(series);
    }
    report.plot(
        "restitution",
        plot.dashed("1 % apart", &[0.3, 0.95, f64::NAN, 0.3, 0.95], &[0.99, 0.99, f64::NAN, 1.01, 1.01]),
    );
    Ok(())
}

fn ridge() -> Shape {
    let side = 1.4 * RADIUS;
    Shape::strip(&[(-side, -side), (0.0, 0.0), (side, -side)], &[-side, side]).triangles()
}

/// Balls side by side above copies of a shape; ball k is (1 + (k + ½)/n) strides of a step from touching.
fn scene(stuff: &Stuff, shape: &Shape, step: f64) -> Result<Scene, VerifyError> {
    let place = |k: u32| DVec3::Y * (3.0 * RADIUS * f64::from(k));
    let copies = Shape::all_of((0..PHASES).map(|k| shape.at(place(k))));
    let start = |k: u32| {
        let gap = (1.0 + (f64::from(k) + 0.5) / f64::from(PHASES)) * SPEED * step;
        (place(k) + DVec3::Z * (RADIUS + gap), DVec3::Z * -SPEED)
    };
    let bodies = balls(RADIUS, &(0..PHASES).map(start).collect::<Vec<_>>());
    let text = format!(
        "gravity = [0, 0, 0]\n{}{bodies}\n[time]\nduration = 1\nexpected_speed = {SPEED:?}\n",
        stuff.toml()
    );
    let mut scene = stage(&text, [rigid(&copies)?])?;
    scene.model.time.step = StepChoice::Fixed(step);
    Ok(scene)
}

/// Speeds after impact over the speed before, for all phases.
fn rebounds(stuff: &Stuff, shape: &Shape, step: f64) -> Result<Vec<f64>, VerifyError> {
    let mut rig = Rig::of(&scene(stuff, shape, step)?);
    rig.run_to(3.0 * step + ElasticImpact::of(stuff, RADIUS, Partner::Wall, SPEED).duration)?;
    while !wall_contacts(&rig).is_empty() {
        rig.step()?;
    }
    (0..PHASES).map(|k| Ok(rig.body(k)?.velocity_after.z / SPEED)).collect()
}
