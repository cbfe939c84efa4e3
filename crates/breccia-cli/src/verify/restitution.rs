//! Rebound speed against the restitution asked for.
//!
//! Where within a step two balls first touch changes the rebound a little: 40 pairs meet at as many phases of a
//! step, side by side in one run.

use super::VerifyError;
use super::oracle::ElasticImpact;
use super::report::{Report, Series};
use super::rig::{Normal, Partner, Rig, Stuff, load};
use breccia::model::StepChoice;
use breccia::output::Plot;
use breccia::simulation::StepLimits;

const RADIUS: f64 = 0.01;
/// Speed of approach [m/s].
const SPEED: f64 = 1.0;
const RESTITUTIONS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
/// Instants of first touch within a step.
const PHASES: u32 = 40;
/// Steps of an undamped linear contact, as many as 0.2 Rayleigh times make for Hertz here.
const LINEAR_COARSE: f64 = 15.0;

/// Rebounds for all restitutions, both laws: mean over phases at a long step, every impact at a short one.
pub fn sweep(report: &mut Report) -> Result<(), VerifyError> {
    let linear = Normal::Linear { stiffness: 1e5, tangential_ratio: 1.0 };
    for (normal, law, name) in [(Normal::Hertz, "Hertz", "hertz"), (linear, "linear", "linear")] {
        sweep_law(report, normal, law, name)?;
    }
    Ok(())
}

/// Steps per contact at which every single impact must be within 1 %.
///
/// The dashpot of the linear law sets in with its full force at first touch, up to a step late: the scatter falls
/// only with the first power of the step. Hertz's sets in gently; only the strongest needs more than 75.
fn fine_steps(normal: Normal, restitution: f64) -> f64 {
    match normal {
        Normal::Hertz if restitution < 0.15 => 150.0,
        Normal::Hertz => 75.0,
        Normal::Linear { .. } => 500.0,
    }
}

fn sweep_law(report: &mut Report, normal: Normal, law: &str, name: &'static str) -> Result<(), VerifyError> {
    let mut series = Series::new(name, &COLUMNS);
    for e in RESTITUTIONS {
        let stuff = Stuff { restitution: e, normal, ..Stuff::default() };
        let coarse = Spread::over_phases(&stuff, coarse_step(&stuff)?)?;
        let steps = fine_steps(normal, e);
        let contact = ElasticImpact::of(&stuff, RADIUS, Partner::Ball, SPEED).duration;
        let fine = Spread::over_phases(&stuff, contact / steps)?;
        report.relative(format!("{law}, e = {e}: mean over {PHASES} phases"), "", e, coarse.mean, 0.01);
        let worst = format!("{law}, e = {e}: worst of them at {steps} steps per contact");
        report.relative(worst, "", e, fine.farthest_from(e), 0.01);
        series.push(&[e, coarse.mean, coarse.least, coarse.largest, fine.least, fine.largest]);
    }
    report.plot(name, picture(&series, law));
    report.series(series);
    Ok(())
}

const COLUMNS: [(&str, &str); 6] = [
    ("asked", ""),
    ("mean", ""),
    ("least", ""),
    ("largest", ""),
    ("least_at_short_step", ""),
    ("largest_at_short_step", ""),
];

fn picture(series: &Series, law: &str) -> Plot {
    let asked = series.column(0);
    let over = |column: usize| -> Vec<f64> {
        series.column(column).iter().zip(&asked).map(|(e, asked)| e / asked).collect()
    };
    Plot::new(format!("Restitution, {law} law"), "asked for", "measured / asked for")
        .points("mean, long step", &asked, &over(1))
        .dashed("least, long step", &asked, &over(2))
        .dashed("largest, long step", &asked, &over(3))
        .line("least, short step", &asked, &over(4))
        .line("largest, short step", &asked, &over(5))
}

/// 0.2 Rayleigh times, or as many steps per contact as those make [s].
fn coarse_step(stuff: &Stuff) -> Result<f64, VerifyError> {
    let contact = ElasticImpact::of(stuff, RADIUS, Partner::Ball, SPEED).duration;
    Ok(match stuff.normal {
        Normal::Hertz => 0.2 * StepLimits::of(&load(&pairs(stuff, 1e-4 * RADIUS))?).rayleigh,
        Normal::Linear { .. } => contact / LINEAR_COARSE,
    })
}

/// Pairs of balls side by side; pair k is (1 + (k + ½)/n) `stride` [m] apart, which it covers in as many steps.
fn pairs(stuff: &Stuff, stride: f64) -> String {
    let stuff = stuff.toml();
    let mut spheres = String::new();
    for k in 0..PHASES {
        let gap = (1.0 + (f64::from(k) + 0.5) / f64::from(PHASES)) * stride;
        let (x, y, v) = (RADIUS + 0.5 * gap, 3.0 * RADIUS * f64::from(k), 0.5 * SPEED);
        spheres += &format!("  {{ position = [{:?}, {y:?}, 0], velocity = [{v:?}, 0, 0] }},\n", -x);
        spheres += &format!("  {{ position = [{x:?}, {y:?}, 0], velocity = [{:?}, 0, 0] }},\n", -v);
    }
    format!(
        r#"
gravity = [0, 0, 0]
{stuff}
[[bodies]]
name = "pairs"
kind = "list"
material = "ball"
radius = {RADIUS:?}
spheres = [
{spheres}]

[time]
duration = 1
expected_speed = {SPEED:?}
"#
    )
}

/// Restitutions measured over all phases of first touch.
struct Spread {
    mean: f64,
    least: f64,
    largest: f64,
}

impl Spread {
    /// Balls fly freely before and after; the run ends when all have parted.
    fn over_phases(stuff: &Stuff, step: f64) -> Result<Self, VerifyError> {
        let mut scene = load(&pairs(stuff, SPEED * step))?;
        scene.model.time.step = StepChoice::Fixed(step);
        let mut rig = Rig::of(&scene);
        let contact = ElasticImpact::of(stuff, RADIUS, Partner::Ball, SPEED).duration;
        rig.run_to(3.0 * step + contact)?;
        while !rig.touching().is_empty() {
            rig.step()?;
        }
        let mut spread = Self { mean: 0.0, least: f64::INFINITY, largest: f64::NEG_INFINITY };
        for k in 0..PHASES {
            let [left, right] = [rig.body(2 * k)?, rig.body(2 * k + 1)?];
            let rebound = (right.velocity_after.x - left.velocity_after.x) / SPEED;
            spread.mean += rebound / f64::from(PHASES);
            spread.least = spread.least.min(rebound);
            spread.largest = spread.largest.max(rebound);
        }
        Ok(spread)
    }

    fn farthest_from(&self, value: f64) -> f64 {
        if value - self.least > self.largest - value { self.least } else { self.largest }
    }
}
