//! What two colliding balls keep.

use super::VerifyError;
use super::report::{Report, Series};
use super::rig::{Normal, Rig, Stuff, ball};
use breccia::output::Plot;
use glam::DVec3;

const RADII: [f64; 2] = [0.01, 0.023];

/// Balls of unequal size meet along a slanted line of centres, elastically and not.
pub fn unequal(report: &mut Report) -> Result<(), VerifyError> {
    let axis = DVec3::new(2.0, -1.0, 2.0) / 3.0;
    let speeds = [1.3, -0.4];
    for (restitution, tolerance) in [(1.0, 1e-3), (0.6, 1e-2)] {
        let stuff = Stuff { restitution, ..Stuff::default() };
        let velocities = speeds.map(|speed| axis * speed);
        let place = axis * (RADII[0] + RADII[1] + 1e-5);
        let mut rig = Rig::new(&meeting(&stuff, place, velocities))?;
        let drift = collide(&mut rig)?;
        let masses = RADII.map(|radius| stuff.mass(radius));
        let total = masses[0] + masses[1];
        let centre = (masses[0] * speeds[0] + masses[1] * speeds[1]) / total;
        let change = (1.0 + restitution) * (speeds[0] - speeds[1]) / total;
        let expected = [speeds[0] - masses[1] * change, speeds[1] + masses[0] * change];
        let case = format!("e = {restitution}");
        for (id, name) in ["small", "large"].into_iter().enumerate() {
            let after = rig.body(id as u32)?.velocity_after;
            report.relative(
                format!("{case}: {name} ball afterwards"),
                "m/s",
                expected[id],
                after.dot(axis),
                tolerance,
            );
            let aside = (after - axis * after.dot(axis)).length();
            report.at_most(
                format!("{case}: {name} ball, speed across the line of centres"),
                "m/s",
                1e-12,
                aside,
            );
        }
        report.at_most(format!("{case}: change of momentum / momentum of both"), "", 1e-14, drift.momentum);
        let mean =
            (masses[0] * rig.body(0)?.velocity_after + masses[1] * rig.body(1)?.velocity_after) / total;
        report.relative(format!("{case}: speed of the centre of mass"), "m/s", centre, mean.dot(axis), 1e-13);
    }
    Ok(())
}

/// An off-centre pair with friction, spins and rolling resistance keeps its angular momentum to the last digits.
pub fn angular_momentum(report: &mut Report) -> Result<(), VerifyError> {
    let linear = Normal::Linear { stiffness: 1e5, tangential_ratio: 0.8 };
    for (normal, law) in [(Normal::Hertz, "Hertz"), (linear, "linear")] {
        for rolling in ["none", "c"] {
            let stuff = Stuff {
                restitution: 0.5,
                friction: 0.4,
                rolling_friction: if rolling == "c" { 0.1 } else { 0.0 },
                rolling,
                normal,
                ..Stuff::default()
            };
            let velocities = [DVec3::new(1.0, 0.3, -0.2), DVec3::new(-0.5, 0.0, 0.1)];
            let reach = RADII[0] + RADII[1];
            let place = DVec3::new(0.8, 0.5, 0.33).normalize() * (reach + 1e-5);
            let mut rig = Rig::new(&meeting(&stuff, place, velocities))?;
            let drift = collide(&mut rig)?;
            let case = format!("{law}, rolling {rolling}");
            report.at_most(
                format!("{case}: change of angular momentum / its parts"),
                "",
                1e-14,
                drift.angular,
            );
            report.at_most(
                format!("{case}: change of momentum / momentum of both"),
                "",
                1e-14,
                drift.momentum,
            );
            let spun = rig.body(0)?.spin - SPINS[0];
            report.at_least(format!("{case}: change of the small ball's spin"), "rad/s", 1.0, spun.length());
            if normal == Normal::Hertz && rolling == "c" {
                record(report, &drift.series);
            }
        }
    }
    Ok(())
}

fn record(report: &mut Report, series: &Series) {
    let times = series.column(0);
    let plot =
        Plot::new("Off-centre pair: angular momentum about z", "time [s]", "angular momentum [kg m²/s]")
            .line("orbital", &times, &series.column(1))
            .line("of the spins", &times, &series.column(2))
            .dashed("sum", &times, &series.column(3));
    report.plot("angular_momentum", plot);
    report.series(series.clone());
}

const SPINS: [DVec3; 2] = [DVec3::new(20.0, -30.0, 10.0), DVec3::new(-5.0, 0.0, 8.0)];

/// A small ball at the origin and a large one at `place` [m].
fn meeting(stuff: &Stuff, place: DVec3, velocities: [DVec3; 2]) -> String {
    let spins = if stuff.friction > 0.0 { SPINS } else { [DVec3::ZERO; 2] };
    let small = ball("small", RADII[0], DVec3::ZERO, velocities[0], spins[0]);
    let large = ball("large", RADII[1], place, velocities[1], spins[1]);
    let stuff = stuff.toml();
    format!("gravity = [0, 0, 0]\n{stuff}{small}{large}\n[time]\nduration = 1\nstep = \"auto\"\n")
}

/// Largest change of what should stay, over the sum of its parts [–].
struct Drift {
    momentum: f64,
    angular: f64,
    series: Series,
}

/// Runs until the balls have met and parted.
fn collide(rig: &mut Rig) -> Result<Drift, VerifyError> {
    let columns = [("time", "s"), ("orbital", "kg m2/s"), ("spins", "kg m2/s"), ("sum", "kg m2/s")];
    let mut drift = Drift { momentum: 0.0, angular: 0.0, series: Series::new("angular_momentum", &columns) };
    rig.step()?;
    let first = rig.run.sample();
    let mut has_touched = false;
    loop {
        rig.step()?;
        let now = rig.run.sample();
        let (mut momentum, mut angular, mut spinning) = (0.0, 0.0, 0.0);
        for (id, radius) in RADII.into_iter().enumerate() {
            let body = rig.body(id as u32)?;
            let mass =
                rig.run.setup.model.materials[0].density * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
            let inertia = 0.4 * mass * radius * radius;
            momentum += (body.velocity * mass).length();
            angular +=
                body.position.length() * (body.velocity * mass).length() + (body.spin * inertia).length();
            spinning += inertia * body.spin.z;
        }
        drift.momentum = drift.momentum.max((now.momentum - first.momentum).length() / momentum);
        let change = (now.angular_momentum - first.angular_momentum).length();
        drift.angular = drift.angular.max(change / angular);
        let sum = now.angular_momentum.z;
        drift.series.push(&[rig.time(), sum - spinning, spinning, sum]);
        let touching = now.contacts.pairs > 0;
        if has_touched && !touching {
            return Ok(drift);
        }
        has_touched |= touching;
    }
}
