//! Templates whose spheres overlap: at rest as long as they hold, and setting no more free than was stored when they do not.

use super::stage::{Cement, cemented, one, rod};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Rig, load};
use breccia::math::LANES;
use breccia::model::Domain;
use breccia::output::Plot;
use breccia::scene::{OffsetSeed, Scene};
use breccia::simulation::Simulation;
use glam::{DQuat, DVec3};

/// Spheres of the packing.
const COUNT: usize = 30;

/// A packing with overlaps, turned and far from the origin.
fn overlapping(modulus: f64) -> Result<Scene, VerifyError> {
    load(&format!(
        r#"
gravity = [0, 0, 0]
[time]
duration = 1
[[material]]
name = "rock"
density = 4800
young_modulus = 2.3e9
poisson_ratio = 0.21
[pair_default]
restitution = 0.35
friction = 0.44
[[bond]]
name = "cement"
young_modulus = {modulus:?}
damping_ratio = 0
[[template]]
name = "packing"
kind = "packing"
n = {COUNT}
radius = 3.3e-3
bond = "cement"
[[bodies]]
kind = "list"
material = "rock"
template = "packing"
orientation = {{ axis = [1, 2, 3], angle = "77 deg" }}
positions = [[1.3, -0.7, 2.1]]
"#
    ))
}

/// Fresh templates stay where they are.
pub fn at_rest(report: &mut Report) -> Result<(), VerifyError> {
    for (name, scene) in [("packing", overlapping(1e10)?), ("overlap without a bond", pressed_row()?)] {
        let deepest = deepest_overlap(&scene);
        let mut rig = Rig::of(&scene);
        let mut largest = 0.0_f64;
        for _ in 0..200 {
            rig.step()?;
            let bodies = &rig.run.state.bodies;
            for row in 0..bodies.len() {
                let kick = bodies.places[row].velocity() - bodies.last_places[row].velocity();
                largest = largest.max(kick.length() / rig.time_step());
            }
        }
        report.at_least(format!("{name}: deepest overlap / radius"), "", 1e-3, deepest / 3.3e-3);
        report.at_most(format!("{name}: largest acceleration / g"), "", 1e-9, largest / GRAVITY);
    }
    Ok(())
}

/// Three spheres in a row, pressed together until the outer ones overlap, too; these have no bond.
fn pressed_row() -> Result<Scene, VerifyError> {
    let cement = Cement { modulus: 1e10, ..Cement::default() };
    let mut scene = cemented(&cement, 4e-7, &one(&rod(3)))?;
    let turn = DQuat::from_axis_angle(DVec3::new(3.0, -1.0, 1.0).normalize(), 0.6);
    for body in &mut scene.bodies {
        body.position = turn * (0.45 * body.position) + DVec3::new(-0.9, 3.7, 1.1);
    }
    scene.offsets.push(OffsetSeed { a: 0, b: 2 });
    Ok(scene)
}

fn deepest_overlap(scene: &Scene) -> f64 {
    let overlap = |a: usize, b: usize| {
        let (a, b) = (&scene.bodies[a], &scene.bodies[b]);
        a.radius + b.radius - Domain::unbounded().minimum_image(a.position - b.position).length()
    };
    let pairs = (0..scene.bodies.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.map(|(a, b)| overlap(a, b)).fold(0.0, f64::max)
}

/// All bonds fail at once, at rest, pressed and stretched.
pub fn let_go(report: &mut Report) -> Result<(), VerifyError> {
    let mut plot =
        Plot::new("All bonds of a packing fail at once", "time [µs]", "kinetic energy / stored [–]");
    for (name, squeeze) in [("at rest", 0.0), ("pressed", 0.02), ("stretched", -0.02)] {
        let series = one_release(report, name, squeeze)?;
        if squeeze != 0.0 {
            plot = plot.line(name, &series.column(0), &series.column(1));
        }
        report.series(series);
    }
    report.plot("kinetic", plot);
    Ok(())
}

fn one_release(report: &mut Report, name: &'static str, squeeze: f64) -> Result<Series, VerifyError> {
    const LOADING: u32 = 60;
    let mut scene = overlapping(5e9)?;
    let step = Rig::of(&scene).time_step();
    let middle = scene.bodies.iter().map(|body| body.position).sum::<DVec3>() / scene.bodies.len() as f64;
    for body in &mut scene.bodies {
        body.velocity = (body.position - middle) * (-squeeze / (f64::from(LOADING) * step));
    }
    let mut rig = Rig::of(&scene);
    for _ in 0..LOADING {
        rig.step()?;
    }
    let before = rig.run.sample().energy;
    let stored = before.elastic();
    weaken_all(&mut rig.run);
    rig.step()?;
    let broken = rig.run.state.broken.len() as f64;
    report.absolute(format!("{name}: bonds broken"), "", scene.bonds.len() as f64, broken, 0.0);
    report.absolute(format!("{name}: parts"), "", COUNT as f64, rig.run.state.fragments.count() as f64, 0.0);
    let begin = rig.time();
    let mut series = Series::new(name_of(squeeze), &[("time", "µs"), ("gained", "")]);
    let mut most = 0.0_f64;
    for number in 0..4000 {
        rig.step()?;
        let kinetic = rig.run.sample().energy.kinetic();
        most = most.max(kinetic);
        if number % 20 == 0 {
            let scale = if stored > 0.0 { stored } else { 1.0 };
            series.push(&[1e6 * (rig.time() - begin), (kinetic - before.kinetic()) / scale]);
        }
    }
    if squeeze == 0.0 {
        report.at_most(format!("{name}: kinetic energy gained"), "J", 1e-20, most);
    } else {
        report.at_least(format!("{name}: energy stored"), "J", 1e-6, stored);
        report.at_most(
            format!("{name}: kinetic energy gained / stored"),
            "",
            1.0,
            (most - before.kinetic()) / stored,
        );
    }
    let missing = rig.run.sample().energy.closure_error.abs() / (stored + before.kinetic()).max(1e-17);
    report.at_most(format!("{name}: energy missing / energy there was"), "", 2e-3, missing);
    Ok(series)
}

/// Every bond fails in the next step, whatever it bears.
fn weaken_all(run: &mut Simulation) {
    run.setup.model.bonds.iter_mut().for_each(|kind| kind.tensile_strength = 1.0);
    for group in run.state.lists.chunks.iter_mut().flat_map(|chunk| &mut chunk.bonds) {
        for place in 0..group.count as usize {
            group.blocks[place / LANES].strength.0[place % LANES] = -1e300;
        }
    }
}

fn name_of(squeeze: f64) -> &'static str {
    if squeeze > 0.0 {
        "pressed"
    } else if squeeze < 0.0 {
        "stretched"
    } else {
        "at_rest"
    }
}
