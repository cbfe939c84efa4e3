//! Oblique impacts on the floor: gross sliding, sticking, and all angles between.

use super::VerifyError;
use super::oracle::{ElasticImpact, Rebound, oblique_hertz};
use super::report::{Report, Series};
use super::rig::{Normal, Partner, Rig, Stuff, ball, floor};
use breccia::output::Plot;
use glam::DVec3;
use std::f64::consts::PI;

/// Radius [m].
const RADIUS: f64 = 0.01;
/// Speed towards the floor [m/s].
const NORMAL_SPEED: f64 = 0.1;

/// A ball that hits the floor without spin and slides all through the contact.
///
/// Friction is µ F_n at every instant: Δv_t = µ Δv_n exactly. Its torque has the arm R − δ, on average
/// R − (mean overlap weighted by the force), which is known for elastic impacts.
pub fn sliding(report: &mut Report) -> Result<(), VerifyError> {
    let (friction, tangential) = (0.2, 0.3);
    for (normal, law) in laws(1.0) {
        let stuff = Stuff { friction, normal, ..Stuff::default() };
        let rebound = hit(&stuff, tangential, 40.0)?;
        let closed = ElasticImpact::of(&stuff, RADIUS, Partner::Wall, NORMAL_SPEED);
        let lost = 2.0 * friction * NORMAL_SPEED;
        let spin = lost * (RADIUS - closed.mean_overlap) / (0.4 * RADIUS * RADIUS);
        report.relative(
            format!("{law}: loss of tangential speed"),
            "m/s",
            lost,
            tangential - rebound.sliding,
            3e-3,
        );
        report.relative(format!("{law}: spin"), "rad/s", spin, rebound.spin, 3e-3);
    }
    for (normal, law) in laws(1.0) {
        let stuff = Stuff { friction, normal, restitution: 0.5, ..Stuff::default() };
        let after = hit(&stuff, tangential, 40.0)?;
        let expected = friction * (NORMAL_SPEED + after.normal);
        let name = format!("{law}, e = 0.5: tangential loss = µ (v_n before + after)");
        report.relative(name, "m/s", expected, tangential - after.sliding, 1e-12);
    }
    Ok(())
}

/// A ball that sticks to the floor from touch to parting, linear law.
///
/// Normal and tangential springs are two oscillators: half a period of the normal one, ω_n = √(k/m), is a phase of
/// π √(7 ratio/2) of the tangential one, whose mass is 2m/7 for an arm R ≫ δ. The contact point therefore leaves at
/// cos(π √(7 ratio/2)) times its velocity of arrival (Walton's rotational restitution, without his constant).
pub fn sticking(report: &mut Report) -> Result<(), VerifyError> {
    let tangential = 0.1;
    for ratio in [2.0 / 7.0, 0.5, 0.8, 1.0] {
        let normal = Normal::Linear { stiffness: 1e7, tangential_ratio: ratio };
        let stuff = Stuff { friction: 1e4, normal, ..Stuff::default() };
        let after = hit(&stuff, tangential, 4000.0)?;
        let slip = after.sliding - RADIUS * after.spin;
        let expected = libm::cos(PI * (3.5 * ratio).sqrt());
        let name = format!("k_t/k_n = {ratio:.4}: velocity of the contact point, after/before");
        report.absolute(name, "", expected, slip / tangential, 1e-3);
        // Friction has no moment about the contact point: v + 2/5 R ω stays.
        let kept = after.sliding + 0.4 * RADIUS * after.spin;
        report.relative(format!("k_t/k_n = {ratio:.4}: v + 2/5 R ω"), "m/s", tangential, kept, 1e-3);
    }
    Ok(())
}

/// Hertz–Mindlin over all angles of impact against a reference solution, elastic, µ = 0.3.
///
/// The tangential spring is first order in the step (its stiffness is that of the end of each step): hence two steps.
/// Axes as in Maw, Barber & Fawcett (1976): ψ = 2(1−ν)/(µ(2−ν)) · tangential velocity of the contact point over v_n.
pub fn angles(report: &mut Report) -> Result<(), VerifyError> {
    let stuff = Stuff { friction: 0.3, ..Stuff::default() };
    let nu = stuff.poisson_ratio;
    let scale = 2.0 * (1.0 - nu) / (stuff.friction * (2.0 - nu)) / NORMAL_SPEED;
    let columns = [("psi_before", ""), ("psi_after", ""), ("reference", ""), ("gross_sliding", "")];
    let mut series = Series::new("angles", &columns);
    let count = if report.quick { 9 } else { 36 };
    for (steps, bound) in [(40.0, 2e-2), (4000.0, 5e-4)] {
        series = Series::new("angles", &columns);
        let mut worst = [0.0_f64; 2];
        for k in 1..=count {
            let tangential = 9.0 / scale * f64::from(k) / f64::from(count);
            let measured = hit(&stuff, tangential, steps)?;
            let reference = oblique_hertz(&stuff, RADIUS, NORMAL_SPEED, tangential, 40_000);
            let slip = |rebound: Rebound| scale * (rebound.sliding - RADIUS * rebound.spin);
            let sliding = tangential - 7.0 * stuff.friction * NORMAL_SPEED;
            let sliding = if sliding >= 0.0 { scale * sliding } else { f64::NAN };
            series.push(&[scale * tangential, slip(measured), slip(reference), sliding]);
            let speed = tangential.hypot(NORMAL_SPEED);
            worst[0] = worst[0].max((measured.sliding - reference.sliding).abs() / speed);
            worst[1] = worst[1].max((measured.spin - reference.spin).abs() * RADIUS / speed);
        }
        let name = format!("{steps} steps per contact: largest error over impact speed");
        report.at_most(format!("{name}, tangential speed"), "", bound, worst[0]);
        report.at_most(format!("{name}, R ω"), "", bound, worst[1]);
    }
    let before = series.column(0);
    let plot = Plot::new("Oblique impact, Hertz–Mindlin", "ψ before", "ψ after")
        .points("breccia", &before, &series.column(1))
        .line("reference", &before, &series.column(2))
        .dashed("gross sliding", &before, &series.column(3));
    report.plot("angles", plot);
    report.series(series);
    Ok(())
}

fn laws(tangential_ratio: f64) -> [(Normal, &'static str); 2] {
    [(Normal::Hertz, "Hertz"), (Normal::Linear { stiffness: 1e6, tangential_ratio }, "linear")]
}

/// Throws a ball without spin at the floor, `steps` per contact.
fn hit(stuff: &Stuff, tangential: f64, steps: f64) -> Result<Rebound, VerifyError> {
    let contact = ElasticImpact::of(stuff, RADIUS, Partner::Wall, NORMAL_SPEED).duration;
    // Not a whole number of steps before the first touch.
    let gap = 3.3 * NORMAL_SPEED * contact / steps;
    let place = DVec3::new(0.0, 0.0, RADIUS + gap);
    let thrown = ball("thrown", RADIUS, place, DVec3::new(tangential, 0.0, -NORMAL_SPEED), DVec3::ZERO);
    let (stuff, floor) = (stuff.toml(), floor(""));
    let step = contact / steps;
    let mut rig = Rig::new(&format!(
        "gravity = [0, 0, 0]\n{stuff}{floor}{thrown}\n[time]\nduration = 1\nstep = {step:?}\n"
    ))?;
    rig.run_to(0.5 * contact)?;
    while !rig.touching().is_empty() {
        rig.step()?;
    }
    let after = rig.body(0)?;
    Ok(Rebound { normal: after.velocity.z, sliding: after.velocity.x, spin: after.spin.y })
}
