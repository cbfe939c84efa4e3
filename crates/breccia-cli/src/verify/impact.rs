//! Free flight, and elastic impacts along the normal.

use super::VerifyError;
use super::oracle::ElasticImpact;
use super::report::{Report, Series};
use super::rig::{GRAVITY, Normal, Partner, Rig, Stuff, ball, floor};
use breccia::output::Plot;
use glam::DVec3;

/// Radius of the balls [m].
const RADIUS: f64 = 0.01;

/// A spinning ball thrown upwards: the integrator is exact under constant acceleration.
pub fn free_fall(report: &mut Report) -> Result<(), VerifyError> {
    let (start, velocity) = (DVec3::new(1.0, -2.0, 3.0), DVec3::new(0.5, -0.25, 2.0));
    let spin = DVec3::new(3.0, -4.0, 12.0);
    let stuff = Stuff::default().toml();
    let thrown = ball("thrown", RADIUS, start, velocity, spin);
    let mut rig = Rig::new(&format!(
        "gravity = [0, 0, -{GRAVITY}]\n{stuff}{thrown}\n[time]\nduration = 1\nstep = 1e-5\n"
    ))?;
    let mut series = Series::new("height", &[("time", "s"), ("height", "m"), ("closed_form", "m")]);
    let mut worst = 0.0_f64;
    rig.step()?;
    rig.run.sample();
    for k in 0..=100 {
        rig.run_to(0.01 * f64::from(k))?;
        let t = rig.time();
        let expected = start + velocity * t + DVec3::new(0.0, 0.0, -0.5 * GRAVITY * t * t);
        let now = rig.body(0)?.position;
        worst = worst.max((now - expected).length());
        series.push(&[t, now.z, expected.z]);
    }
    let end = rig.body(0)?;
    report.absolute("largest distance from the parabola", "m", 0.0, worst, 1e-10);
    report.relative("speed of fall after 1 s", "m/s", velocity.z - GRAVITY, end.velocity.z, 1e-11);
    report.absolute("change of spin", "rad/s", 0.0, (end.spin - spin).length(), 0.0);
    let closure = rig.run.sample().energy.relative_closure_error;
    report.at_most("energy closure", "", 1e-11, closure.abs());
    let (times, heights, closed) = (series.column(0), series.column(1), series.column(2));
    let plot = Plot::new("A ball thrown upwards", "time [s]", "height [m]");
    report.plot("height", plot.line("breccia", &times, &heights).dashed("closed form", &times, &closed));
    report.series(series);
    Ok(())
}

/// Elastic impact with Hertz's law: two balls, and one on a wall, at the automatic step.
pub fn hertz(report: &mut Report) -> Result<(), VerifyError> {
    elastic_impacts(report, Stuff::default())
}

/// The same with the linear law.
pub fn linear(report: &mut Report) -> Result<(), VerifyError> {
    let normal = Normal::Linear { stiffness: 1e5, tangential_ratio: 1.0 };
    elastic_impacts(report, Stuff { normal, ..Stuff::default() })
}

fn elastic_impacts(report: &mut Report, stuff: Stuff) -> Result<(), VerifyError> {
    let speed = 1.0;
    let mut plot = Plot::new("Elastic impact at 1 m/s", "time since first touch [s]", "force [N]");
    for (partner, who) in [(Partner::Ball, "two balls"), (Partner::Wall, "ball and wall")] {
        let closed = ElasticImpact::of(&stuff, RADIUS, partner, speed);
        let hit = Hit::observe(&stuff, partner, speed)?;
        report.relative(format!("{who}: largest overlap"), "m", closed.overlap, hit.overlap, 3e-3);
        report.relative(format!("{who}: largest force"), "N", closed.force, hit.force, 3e-3);
        report.relative(format!("{who}: duration"), "s", closed.duration, hit.duration, 3e-3);
        report.relative(format!("{who}: speed after"), "m/s", speed, hit.speed_after, 1e-3);
        let (times, forces) = (hit.series.column(0), hit.series.column(1));
        plot = plot.points(who, &times, &forces);
        plot = plot.dashed("closed form of the peak", &[0.0, closed.duration], &[closed.force; 2]);
        report.series(hit.series);
    }
    report.plot("force", plot);
    Ok(())
}

/// An elastic impact as seen in a run.
struct Hit {
    overlap: f64,
    force: f64,
    duration: f64,
    speed_after: f64,
    series: Series,
}

impl Hit {
    /// Peaks are read off a parabola through the three highest samples; the duration from the free flights before
    /// and after, so that neither depends on where the samples fall.
    fn observe(stuff: &Stuff, partner: Partner, speed: f64) -> Result<Self, VerifyError> {
        let gap = 0.01 * RADIUS;
        let mut rig = Rig::new(&head_on(stuff, partner, speed, gap))?;
        let name = if partner == Partner::Ball { "two_balls" } else { "ball_and_wall" };
        let columns = [("time_since_touch", "s"), ("force", "N"), ("overlap", "m")];
        let mut series = Series::new(name, &columns);
        let touched = gap / speed;
        loop {
            rig.step()?;
            match rig.touching().first() {
                Some(contact) => series.push(&[rig.time() - touched, contact.force.normal, -contact.gap]),
                None if rig.time() > touched => break,
                None => {}
            }
        }
        let (distance, speed_after) = parting(&rig, partner)?;
        Ok(Self {
            overlap: peak(&series.column(2)),
            force: peak(&series.column(1)),
            duration: rig.time() - distance / speed_after - touched,
            speed_after,
            series,
        })
    }
}

/// Two balls of equal size meeting on the x axis, or one falling on the floor, without gravity.
fn head_on(stuff: &Stuff, partner: Partner, speed: f64, gap: f64) -> String {
    let duration = 4.0 * (ElasticImpact::of(stuff, RADIUS, partner, speed).duration + gap / speed);
    let (x, v) = (DVec3::X * (RADIUS + 0.5 * gap), DVec3::X * (0.5 * speed));
    let one = |name: &str, place: DVec3, velocity: DVec3| ball(name, RADIUS, place, velocity, DVec3::ZERO);
    let bodies = match partner {
        Partner::Ball => one("left", -x, v) + &one("right", x, -v),
        Partner::Wall => one("falling", DVec3::Z * (RADIUS + gap), DVec3::Z * -speed) + &floor(""),
    };
    let stuff = stuff.toml();
    let time = format!("[time]\nduration = {duration:?}\nexpected_speed = {speed:?}\nstep = \"auto\"\n");
    format!("gravity = [0, 0, 0]\n{stuff}{bodies}{time}")
}

/// Gap [m] and speed of parting [m/s] after an impact of [`head_on`].
fn parting(rig: &Rig, partner: Partner) -> Result<(f64, f64), VerifyError> {
    let first = rig.body(0)?;
    Ok(match partner {
        Partner::Ball => {
            let second = rig.body(1)?;
            let distance = second.position.x - first.position.x - 2.0 * RADIUS;
            (distance, second.velocity_after.x - first.velocity_after.x)
        }
        Partner::Wall => (first.position.z - RADIUS, first.velocity_after.z),
    })
}

/// Top of the parabola through the highest value and its neighbours.
pub fn peak(values: &[f64]) -> f64 {
    let highest = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
    if highest == 0 || highest + 1 >= values.len() {
        return f64::NAN;
    }
    let [a, b, c] = [values[highest - 1], values[highest], values[highest + 1]];
    b + (c - a) * (c - a) / (8.0 * (2.0 * b - a - c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_of_a_parabola_is_exact() {
        let values: Vec<f64> = (0..9).map(|k| 5.0 - (f64::from(k) - 4.3).powi(2)).collect();
        assert!((peak(&values) - 5.0).abs() < 1e-12);
    }
}
