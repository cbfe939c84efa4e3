//! Periodic axes: where the sides are must not matter.

use super::VerifyError;
use super::report::{Report, Series};
use super::rig::{Rig, Stuff};
use breccia::output::Plot;
use breccia::scene::{RandomStream, Scene};
use glam::DVec3;

const RADIUS: f64 = 0.01;
/// Side of the periodic box [m].
const SIDE: f64 = 0.2;

/// A dense damped gas with friction in a box periodic on all axes, and the same with all places shifted.
pub fn shifted(report: &mut Report) -> Result<(), VerifyError> {
    pair_across(report)?;
    let scene = super::rig::load(&gas())?;
    let shift = SIDE * DVec3::new(0.37, 0.5, -0.81);
    let (mut rig, mut copy) = (Rig::of(&scene), Rig::of(&moved(&scene, shift)));
    let mut series = Series::new("distance", &[("time", "s"), ("largest_distance", "m"), ("contacts", "")]);
    let (mut met, mut unlike) = (0, 0);
    for k in 0..=40 {
        let time = 5e-4 * f64::from(k);
        rig.run_to(time)?;
        copy.run_to(time)?;
        let (sample, other) = (rig.run.sample(), copy.run.sample());
        met += sample.contacts.pairs;
        unlike += u32::from(sample.contacts.pairs != other.contacts.pairs);
        let mut farthest = 0.0_f64;
        for id in 0..sample.bodies as u32 {
            let apart = copy.body(id)?.position - rig.body(id)?.position - shift;
            let apart = rig.run.setup.model.domain.minimum_image(apart);
            farthest = farthest.max(apart.length());
        }
        series.push(&[rig.time(), farthest, sample.contacts.pairs as f64]);
    }
    report.at_least("gas: contacts seen in 41 samples", "", 100.0, met as f64);
    report.absolute("gas: samples with another number of contacts", "", 0.0, f64::from(unlike), 0.0);
    let worst = series.column(1).into_iter().fold(0.0, f64::max);
    report.at_most("gas: largest distance from the shifted copy / R", "", 1e-9, worst / RADIUS);
    let plot = Plot::new("A periodic gas and its shifted copy", "time [s]", "largest distance [m]");
    report.plot("distance", plot.line("breccia", &series.column(0), &series.column(1)).log_y());
    report.series(series);
    Ok(())
}

/// Two balls that collide across a corner of the box do what they do in its middle.
fn pair_across(report: &mut Report) -> Result<(), VerifyError> {
    let scene = super::rig::load(&pair())?;
    let shift = DVec3::splat(0.5 * SIDE);
    let (mut rig, mut copy) = (Rig::of(&scene), Rig::of(&moved(&scene, shift)));
    rig.run_to(0.02)?;
    copy.run_to(0.02)?;
    let domain = &rig.run.setup.model.domain;
    for (id, name) in [(0, "first"), (1, "second")] {
        let (here, there) = (rig.body(id)?, copy.body(id)?);
        let apart = domain.minimum_image(there.position - here.position - shift).length();
        report.at_most(
            format!("pair across a corner: {name} ball, distance from the copy / R"),
            "",
            1e-12,
            apart / RADIUS,
        );
        let spin = (there.spin - here.spin).length() / here.spin.length();
        report.at_most(format!("pair across a corner: {name} ball, change of spin"), "", 1e-12, spin);
    }
    Ok(())
}

/// The scene with all bodies shifted and brought back into the box.
fn moved(scene: &Scene, shift: DVec3) -> Scene {
    let mut scene = scene.clone();
    let domain = scene.model.domain.clone();
    let middle = (domain.min + domain.max) * 0.5;
    for body in &mut scene.bodies {
        body.position = middle + domain.minimum_image(body.position + shift - middle);
    }
    scene
}

fn boxed(bodies: &str) -> String {
    let stuff =
        Stuff { restitution: 0.8, friction: 0.3, rolling_friction: 0.01, rolling: "c", ..Stuff::default() };
    let (stuff, half) = (stuff.toml(), 0.5 * SIDE);
    format!(
        r#"
gravity = [0, 0, 0]
{stuff}
[domain]
min = [{:?}, {:?}, {:?}]
max = [{half:?}, {half:?}, {half:?}]
periodic = ["x", "y", "z"]
{bodies}
[time]
duration = 1
step = "auto"
expected_speed = 2
"#,
        -half, -half, -half
    )
}

fn gas() -> String {
    let mut random = RandomStream::new(7);
    let mut spheres = String::new();
    let across = 6;
    for cell in 0..across * across * across {
        let place = DVec3::new(
            f64::from(cell % across),
            f64::from(cell / across % across),
            f64::from(cell / across / across),
        );
        let mut about = || random.unit() - 0.5;
        let jitter = DVec3::new(about(), about(), about()) * (0.4 * RADIUS);
        let [x, y, z] = ((place + 0.5) * (SIDE / f64::from(across)) - 0.5 * SIDE + jitter).to_array();
        let [u, v, w] = [2.0 * about(), 2.0 * about(), 2.0 * about()];
        spheres += &format!("  {{ position = [{x:?}, {y:?}, {z:?}], velocity = [{u:?}, {v:?}, {w:?}] }},\n");
    }
    boxed(&format!(
        "[[bodies]]\nname = \"gas\"\nkind = \"list\"\nmaterial = \"ball\"\nradius = {RADIUS:?}\nspheres = [\n{spheres}]\n"
    ))
}

fn pair() -> String {
    boxed(&format!(
        r#"
[[bodies]]
name = "pair"
kind = "list"
material = "ball"
radius = {RADIUS:?}
spheres = [
  {{ position = [-0.0075, -0.0075, -0.006], velocity = [0.5, 0.4, 0.3] }},
  {{ position = [0.0075, 0.0075, 0.006], velocity = [-0.5, -0.4, -0.2] }},
]
"#
    ))
}
