//! Trajectories do not depend on how far the search reaches, nor on the test that sorts out elements.

use super::shape::{Shape, evenly};
use super::stage::{balls, rigid, stage};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Rig, Stuff};
use breccia::output::Plot;
use breccia::scene::RandomStream;
use glam::DVec3;

const RADIUS: f64 = 0.05;
/// Balls, each in a bowl of its own: sums over several partners are no matter of the search for walls.
const BALLS: u32 = 12;
const SPACING: f64 = 3.0;
const BALL: Stuff = Stuff {
    density: 1000.0,
    young_modulus: 1e6,
    poisson_ratio: 0.25,
    restitution: 0.7,
    friction: 0.3,
    rolling_friction: 0.01,
    normal: crate::verify::rig::Normal::Hertz,
    rolling: "c",
};

/// The same bits with a skin of nearly nothing, 0.3 R, that of the engine, and without the fast intersection test.
pub fn skin(report: &mut Report) -> Result<(), VerifyError> {
    let shape = bowls();
    let cases = [
        ("skin of 1e-6 R", Some(1e-6), true),
        ("skin of 0.3 R", Some(0.3), true),
        ("automatic skin", None, true),
        ("no fast test", Some(0.3), false),
    ];
    let mut first: Vec<DVec3> = Vec::new();
    let mut plot = Plot::new("Way of the first ball", "x [m]", "z [m]");
    for (k, (name, skin, fast_test)) in cases.into_iter().enumerate() {
        let (places, rebuilds) = run(&shape, skin, fast_test, report.quick)?;
        if k == 0 {
            let mut series = Series::new("first_ball", &[("x", "m"), ("y", "m"), ("z", "m")]);
            places.iter().step_by(BALLS as usize).for_each(|place| series.push(&place.to_array()));
            plot = plot.line("first ball", &series.column(0), &series.column(2));
            report.at_least(
                "travel of the first ball",
                "m",
                RADIUS,
                (places[places.len() - BALLS as usize] - places[0]).length(),
            );
            report.at_least(format!("{name}: searches"), "", 1e3, rebuilds as f64);
            report.series(series);
            first = places;
            continue;
        }
        let apart = places.iter().zip(&first).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
        report.absolute(format!("{name} against {}: distance", cases[0].0), "m", 0.0, apart, 0.0);
    }
    report.plot("way", plot);
    Ok(())
}

/// Bumpy bowls of triangles in a row.
fn bowls() -> Shape {
    let mut random = RandomStream::new(31);
    let lines = evenly(-1.0, 1.0, 30);
    Shape::all_of((0..BALLS).map(|k| {
        let height = |x: f64, y: f64| 0.5 * (x * x + y * y) + random.between(-0.01, 0.01);
        Shape::grid(&lines, &lines, height).triangles().at(DVec3::X * (SPACING * f64::from(k)))
    }))
}

/// Centres of all balls every 50 steps [m], and how often the lists were made.
fn run(
    shape: &Shape,
    skin: Option<f64>,
    fast_test: bool,
    quick: bool,
) -> Result<(Vec<DVec3>, u64), VerifyError> {
    let start = |k: u32| {
        let aside = 0.05 * f64::from(k);
        (DVec3::new(SPACING * f64::from(k) + 0.3, aside - 0.3, 0.4), DVec3::new(-1.0, 0.5 - aside, 0.0))
    };
    let (stuff, bodies) = (BALL.toml(), balls(RADIUS, &(0..BALLS).map(start).collect::<Vec<_>>()));
    let text = format!("gravity = [0, 0, -{GRAVITY}]\n{stuff}{bodies}\n[time]\nduration = 2\nstep = 1e-4\n");
    let mut scene = stage(&text, [rigid(shape)?])?;
    scene.model.search.skin = skin.map(|part| part * RADIUS);
    scene.model.search.fast_test = fast_test;
    let mut rig = Rig::of(&scene);
    let mut places = Vec::new();
    for k in 0..if quick { 5_000 } else { 20_000 } {
        rig.step()?;
        if k % 50 == 0 {
            for id in 0..BALLS {
                places.push(rig.body(id)?.position);
            }
        }
    }
    Ok((places, rig.run.timers.rebuilds + rig.run.timers.surface_rebuilds))
}
