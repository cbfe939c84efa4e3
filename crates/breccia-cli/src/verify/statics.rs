//! Spheres at rest.

use super::VerifyError;
use super::report::{Report, Series};
use super::rig::{GRAVITY, Rig, Stuff};
use breccia::contacts::Partner;
use breccia::output::Plot;

const RADIUS: f64 = 0.01;
const COUNT: u32 = 10;

/// Ten spheres exactly on top of each other come to rest: every contact carries the weight above it.
pub fn column(report: &mut Report) -> Result<(), VerifyError> {
    let stuff = Stuff { young_modulus: 1e7, restitution: 0.3, friction: 0.5, ..Stuff::default() };
    let mut rig = Rig::new(&stacked(&stuff))?;
    rig.run_to(2.0)?;
    let weight = stuff.mass(RADIUS) * GRAVITY;
    let mut series = Series::new("forces", &[("spheres_above", ""), ("force", "N"), ("weight", "N")]);
    let mut contacts = rig.touching();
    contacts.sort_by(|a, b| a.point.z.total_cmp(&b.point.z));
    report.absolute("contacts", "", f64::from(COUNT), contacts.len() as f64, 0.0);
    let mut sideways = 0.0_f64;
    for (k, contact) in contacts.iter().enumerate() {
        let above = COUNT as usize - k;
        let expected = above as f64 * weight;
        let on = if matches!(contact.key.b, Partner::Wall(_)) { "floor" } else { "sphere" };
        let name = format!("force of {above} on the {on} below");
        report.relative(name, "N", expected, contact.force.normal, 1e-9);
        sideways = sideways.max(contact.force.tangential.length());
        series.push(&[above as f64, contact.force.normal, expected]);
    }
    report.at_most("largest tangential force / weight of one", "", 1e-12, sideways / weight);
    let load = rig.run.state.wall_loads[0].force.z;
    report.relative("load on the floor", "N", -f64::from(COUNT) * weight, load, 1e-9);
    let energy = rig.run.sample().energy;
    report.at_most("kinetic energy / weight × radius", "", 1e-12, energy.kinetic() / (weight * RADIUS));
    let above = series.column(0);
    let plot = Plot::new("Column of ten spheres", "spheres above the contact", "force [N]")
        .points("breccia", &above, &series.column(1))
        .dashed("weight above", &above, &series.column(2));
    report.plot("forces", plot);
    report.series(series);
    Ok(())
}

/// Just touching at the start; global damping takes the slow sway of the column away.
fn stacked(stuff: &Stuff) -> String {
    let stuff = stuff.toml();
    let floor = super::rig::floor("");
    format!(
        r#"
gravity = [0, 0, -{GRAVITY}]
{stuff}{floor}
[[bodies]]
name = "column"
kind = "lattice"
material = "ball"
origin = [0, 0, {RADIUS:?}]
spacing = {:?}
count = [1, 1, {COUNT}]
radius = {RADIUS:?}

[motion]
damping_rate = "100 1/s"

[time]
duration = 2
step = "auto"
"#,
        2.0 * RADIUS
    )
}
