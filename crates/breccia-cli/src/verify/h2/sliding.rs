//! A ball slides on a plane until it rolls: one quad, 80 triangles, the closed form, and the paper's own table.

use super::shape::{Shape, evenly};
use super::stage::{RIGID, SOFT, stage, wall};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{BodyNow, GRAVITY, Normal, Partner, Rig, Stuff, ball};
use breccia::model::MaterialId;
use breccia::output::Plot;
use glam::DVec3;

/// The ball of the paper's Table 7.
pub const BALL: Stuff = Stuff {
    density: 100.0,
    young_modulus: 1e6,
    poisson_ratio: 0.2,
    restitution: 0.4,
    friction: 0.3,
    rolling_friction: 0.0,
    normal: Normal::Hertz,
    rolling: "none",
};
const RADIUS: f64 = 0.3;
/// Speed at the start [m/s].
const START: f64 = 5.0;
/// Way, speed and spin after 1 s in the paper's Table 8, one quad and 80 triangles [m, m/s, rad/s].
const PUBLISHED: [(&str, [f64; 3]); 2] =
    [("quad", [3.9021, 3.5410, 11.9788]), ("triangles", [3.9022, 3.5410, 11.9788])];
/// What the paper calls analytical: the arm of the full radius.
const TEXTBOOK: [f64; 3] = [3.9182, 3.5714, 11.9048];

/// Way, speed and spin after 1 s.
pub fn sliding(report: &mut Report) -> Result<(), VerifyError> {
    let quad = Shape::grid(&[-0.5, 4.5], &[-0.5, 0.5], |_, _| 0.0);
    let fine = Shape::grid(&evenly(-0.5, 4.5, 20), &evenly(-0.5, 0.5, 2), |_, _| 0.0).triangles();
    report.absolute("triangles of the fine plane", "", 80.0, fine.polygons.len() as f64, 0.0);
    let closed = Closed::of(resting_overlap(1.0));
    let coarse = slide(&quad, RIGID, closed.overlap, Some("rigid_quad"), report)?;
    let triangles = slide(&fine, RIGID, closed.overlap, Some("rigid_triangles"), report)?;
    for (name, end) in [("quad", &coarse), ("80 triangles", &triangles)] {
        compare(report, &format!("{name}, rigid wall"), closed.end, end);
    }
    let apart = (coarse.position.x - triangles.position.x).abs();
    report.at_most("rigid wall: quad and triangles apart", "m", 1e-4, apart);

    // As soft as the ball itself, the wall lets the arm shrink to the paper's numbers.
    let soft = Closed::of(resting_overlap(2.0));
    report.absolute("overlap on a wall as soft as the ball", "m", 4.40e-3, soft.overlap, 5e-6);
    for ((name, published), shape) in PUBLISHED.iter().zip([&quad, &fine]) {
        let end = slide(shape, SOFT, soft.overlap, None, report)?;
        compare(report, &format!("{name}, soft wall"), soft.end, &end);
        compare(report, &format!("{name}, soft wall, against the paper's Table 8"), *published, &end);
    }
    let textbook = Closed::of(0.0);
    for (k, (name, unit)) in QUANTITIES.iter().enumerate() {
        report.absolute(
            format!("closed form with the full radius: {name}"),
            unit,
            TEXTBOOK[k],
            textbook.end[k],
            5e-5,
        );
    }
    Ok(())
}

const QUANTITIES: [(&str, &str); 3] = [("way", "m"), ("speed", "m/s"), ("spin", "rad/s")];

fn compare(report: &mut Report, name: &str, expected: [f64; 3], end: &BodyNow) {
    let measured = [end.position.x, end.velocity.x, end.spin.y];
    for (k, part) in [2e-4, 1e-4, 1e-4].into_iter().enumerate() {
        let (quantity, unit) = QUANTITIES[k];
        report.relative(format!("{name}: {quantity}"), unit, expected[k], measured[k], part);
    }
}

/// Overlap at rest [m] where `compliance` sides as soft as the ball's deform.
fn resting_overlap(compliance: f64) -> f64 {
    let modulus = BALL.effective_modulus(Partner::Wall) / compliance;
    libm::pow(BALL.mass(RADIUS) * GRAVITY / (4.0 / 3.0 * modulus * RADIUS.sqrt()), 2.0 / 3.0)
}

/// Closed form with the arm a = R − δ and κ = 5a²/(2R²).
struct Closed {
    overlap: f64,
    rolls_from: f64,
    /// Way, speed and spin after 1 s.
    end: [f64; 3],
}

impl Closed {
    fn of(overlap: f64) -> Self {
        let arm = RADIUS - overlap;
        let kappa = 2.5 * arm * arm / (RADIUS * RADIUS);
        let deceleration = BALL.friction * GRAVITY;
        let rolls_from = START / (deceleration * (1.0 + kappa));
        let speed = START * kappa / (1.0 + kappa);
        let slid = START * rolls_from - 0.5 * deceleration * rolls_from * rolls_from;
        Self { overlap, rolls_from, end: [slid + speed * (1.0 - rolls_from), speed, speed / arm] }
    }

    /// Way, speed and spin at a time [s].
    fn at(&self, t: f64) -> [f64; 3] {
        let deceleration = BALL.friction * GRAVITY;
        if t >= self.rolls_from {
            return [self.end[0] - self.end[1] * (1.0 - t), self.end[1], self.end[2]];
        }
        let spin = self.end[2] * t / self.rolls_from;
        [START * t - 0.5 * deceleration * t * t, START - deceleration * t, spin]
    }
}

/// One second of sliding and rolling; with a name, tables and plots are kept.
fn slide(
    shape: &Shape,
    material: MaterialId,
    overlap: f64,
    name: Option<&'static str>,
    report: &mut Report,
) -> Result<BodyNow, VerifyError> {
    let body = ball("ball", RADIUS, DVec3::Z * (RADIUS - overlap), DVec3::X * START, DVec3::ZERO);
    let stuff = BALL.toml();
    let text = format!("gravity = [0, 0, -{GRAVITY}]\n{stuff}{body}\n[time]\nduration = 1\nstep = 1e-5\n");
    let mut rig = Rig::of(&stage(&text, [wall("plane", shape, material)?])?);
    let columns = [("time", "s"), ("way", "m"), ("speed", "m/s"), ("spin", "rad/s")];
    let mut series = Series::new(name.unwrap_or(""), &columns);
    for k in 0..=100 {
        rig.run_to(0.01 * f64::from(k))?;
        let now = rig.body(0)?;
        series.push(&[rig.time(), now.position.x, now.velocity.x, now.spin.y]);
    }
    if name.is_some() {
        if name == Some("rigid_triangles") {
            draw(report, &series, &Closed::of(overlap));
        }
        report.series(series);
    }
    rig.body(0)
}

fn draw(report: &mut Report, series: &Series, closed: &Closed) {
    let time = series.column(0);
    let form = |k: usize| -> Vec<f64> { time.iter().map(|&t| closed.at(t)[k]).collect() };
    let published = PUBLISHED[1].1;
    let motion = Plot::new("Sliding to rolling, 80 triangles", "time [s]", "way [m], speed [m/s]")
        .line("way", &time, &series.column(1))
        .line("speed", &time, &series.column(2))
        .dashed("closed form: way", &time, &form(0))
        .dashed("closed form: speed", &time, &form(1))
        .points("paper (soft wall)", &[1.0, 1.0], &published[..2])
        .x_range(0.0, 1.02);
    report.plot("fig25a_motion", motion);
    let minus = |values: Vec<f64>| -> Vec<f64> { values.into_iter().map(|value| -value).collect() };
    // The paper turns its y axis the other way.
    let spin = Plot::new("Sliding to rolling, 80 triangles", "time [s]", "−spin [rad/s]")
        .line("spin", &time, &minus(series.column(3)))
        .dashed("closed form", &time, &minus(form(2)))
        .points("paper (soft wall)", &[1.0], &[-published[2]])
        .x_range(0.0, 1.02)
        .y_range(-14.0, 0.0);
    report.plot("fig25b_spin", spin);
}
