//! Spheres and clusters of ten left behind by a hopper that is lifted: does a heap form, and how steep?

use super::built_in::{Files, draw, scene_of};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::Rig;
use breccia::diagnostics::bond_loads;
use breccia::output::measures::{HeapProfile, Sighting, heap_profile, profile_plot};
use breccia::output::observe::frame_of;
use breccia::output::{Plot, SphereFrame};
use breccia::scene::{Occasions, ProfileAxis, ProfilePlan, Scene};
use breccia::simulation::StepLimits;
use glam::DVec3;

const FILES: &Files = &[
    ("scene.toml", include_str!("../../../../../scenes/lifted_hopper/scene.toml")),
    ("hopper.obj", include_str!("../../../../../scenes/lifted_hopper/hopper.obj")),
];

/// Friction as the scene has it, and as the paper prints it: the two columns are almost surely swapped there.
const SWAPPED: &str = "friction = 0.3\nrolling_friction = 0.1\n";
const PRINTED: &str = "friction = 0.1\nrolling_friction = 0.3\n";
/// Instant at which lifting begins, and duration of it [s].
const LIFT: (f64, f64) = (1.0, 4.0);
/// Bonds that break above this show that they should have [Pa].
const STRESS: f64 = 1e6;

/// Seed of the scene, and of further fillings: the mean angle of all is judged; one heap scatters by up to a degree.
const SEED: &str = "seed = 2\n";
const MORE_SEEDS: [u64; 2] = [1, 3];

fn scene(friction: &str, seed: &str) -> Result<Scene, VerifyError> {
    let mut scene = scene_of("hopper", FILES, |text| text.replace(SWAPPED, friction).replace(SEED, seed))?;
    for bond in &mut scene.model.bonds {
        (bond.tensile_strength, bond.shear_strength) = (STRESS, STRESS);
    }
    Ok(scene)
}

/// Both readings of the friction table. The short form looks at the scene only.
pub fn hopper(report: &mut Report) -> Result<(), VerifyError> {
    let start = scene(SWAPPED, SEED)?;
    report.absolute("spheres", "", 16_500.0, start.bodies.len() as f64, 0.0);
    report.absolute("clusters of ten", "", 1500.0, (start.bodies.len() - 1500) as f64 / 10.0, 0.0);
    let bond_time = StepLimits::of(&start).bond;
    report.relative("step / time of the stiffest bond", "", 0.57, 30e-6 / bond_time, 0.05);
    if report.quick {
        return Ok(());
    }
    let swapped = lift(report, "swapped", &start)?;
    report.at_most("kinetic energy 4 s after lifting began", "J", 1e-6, swapped.kinetic);
    let mut angles = vec![swapped.angle];
    for seed in MORE_SEEDS {
        let mut rig = Rig::of(&scene(SWAPPED, &format!("seed = {seed}\n"))?);
        rig.run_to(LIFT.0 + LIFT.1)?;
        angles.push(angle_of(&profile_of(&rig, "swapped")));
        let kinetic = rig.run.sample().energy.kinetic();
        report.at_most(format!("filling {seed}: kinetic energy 4 s after lifting began"), "J", 1e-6, kinetic);
    }
    let mean = angles.iter().sum::<f64>() / angles.len() as f64;
    report.absolute("angle of repose, mean of three fillings", "deg", 21.0, mean, 3.0);
    report.note(format!("angles of repose of the fillings: {angles:.2?} deg"));
    let printed = lift(report, "printed", &scene(PRINTED, SEED)?)?;
    report.at_most(
        "friction as printed: height of the heap / the other's",
        "",
        0.6,
        printed.height / swapped.height,
    );
    report.at_most("friction as printed: angle of repose", "deg", 12.0, printed.angle);
    Ok(())
}

/// What was left behind.
struct Heap {
    /// Angle of repose [deg]; zero where no flank can be fitted.
    angle: f64,
    /// Largest height of the mean surface [m].
    height: f64,
    /// Kinetic energy [J].
    kinetic: f64,
}

fn lift(report: &mut Report, name: &'static str, scene: &Scene) -> Result<Heap, VerifyError> {
    let mut rig = Rig::of(scene);
    rig.run_to(LIFT.0)?;
    draw(report, format!("{name}_0s"), &rig.run, &scene.title)?;
    let tracked = edge_particles(&spheres_of(&rig));
    let columns = [("time", "s"), ("first", "m/s"), ("second", "m/s"), ("kinetic", "J")];
    let mut series = Series::new(name, &columns);
    let mut stress = 0.0_f64;
    for row in 0..=400 {
        let time = LIFT.1 * f64::from(row) / 400.0;
        rig.run_to(LIFT.0 + time)?;
        let speeds = [rig.body(tracked[0])?, rig.body(tracked[1])?].map(|body| body.velocity.length());
        let energy = rig.run.sample().energy;
        series.push(&[time, speeds[0], speeds[1], energy.kinetic()]);
        let loads = bond_loads(&rig.run.setup, &rig.run.state);
        stress = loads.iter().map(|load| load.tension.max(load.shear)).fold(stress, f64::max);
        if [100, 400].contains(&row) {
            draw(report, format!("{name}_{time:.0}s"), &rig.run, &scene.title)?;
        }
    }
    report.absolute(format!("{name}: bonds broken"), "", 0.0, rig.run.state.broken.len() as f64, 0.0);
    report.at_most(format!("{name}: largest stress of a bond"), "Pa", STRESS, stress * STRESS);
    let heap = measure(report, name, &rig);
    let kinetic = series.column(3).last().copied().unwrap_or(f64::NAN);
    judge_tracks(report, name, series);
    Ok(Heap { kinetic, ..heap })
}

/// Numbers of the two single spheres farthest out along x, on either side.
fn edge_particles(spheres: &SphereFrame) -> [u32; 2] {
    let largest = spheres.radii.iter().copied().fold(0.0, f64::max);
    let singles = || (0..spheres.ids.len()).filter(|&row| spheres.radii[row] == largest);
    [DVec3::X, DVec3::NEG_X].map(|axis| {
        let out = |row: &usize| spheres.positions[*row].dot(axis);
        let farthest = singles().max_by(|a, b| out(a).total_cmp(&out(b)));
        farthest.map_or(0, |row| spheres.ids[row])
    })
}

fn spheres_of(rig: &Rig) -> SphereFrame {
    frame_of(&rig.run, false, false).spheres.unwrap_or_default()
}

fn plan_of(name: &str) -> ProfilePlan {
    ProfilePlan {
        name: name.into(),
        along: ProfileAxis::Radius,
        centre: Some(DVec3::ZERO),
        reach: Some(0.2),
        bins: 80,
        group: None,
        occasions: Occasions::default(),
    }
}

fn profile_of(rig: &Rig, name: &str) -> HeapProfile {
    let spheres = spheres_of(rig);
    heap_profile(&plan_of(name), &Sighting { time: rig.time(), up: DVec3::Z, spheres: &spheres })
}

/// Angle of repose [deg]; zero where no flank can be fitted.
fn angle_of(profile: &HeapProfile) -> f64 {
    profile.angle().unwrap_or(0.0).to_degrees()
}

fn measure(report: &mut Report, name: &'static str, rig: &Rig) -> Heap {
    let profile = profile_of(rig, name);
    let file = if name == "swapped" { "heap_swapped" } else { "heap_printed" };
    report.plot(file, profile_plot(&plan_of(name), &format!("Heap, friction {name}"), &profile));
    Heap {
        angle: angle_of(&profile),
        height: profile.heights.iter().copied().fold(0.0, f64::max),
        kinetic: f64::NAN,
    }
}

/// Slow at first, then a slide, then still.
fn judge_tracks(report: &mut Report, name: &'static str, series: Series) {
    let times = series.column(0);
    let mut plot = Plot::new("Two particles at the edge", "time since lifting began [s]", "speed [m/s]");
    for (column, which) in [(1, "first"), (2, "second")] {
        let speeds = series.column(column);
        let fastest = (0..speeds.len()).fold(0, |best, k| if speeds[k] > speeds[best] { k } else { best });
        if name == "swapped" {
            report.at_least(format!("{which} tracked particle: fastest at"), "s", 0.5, times[fastest]);
            report.at_most(
                format!("{which} tracked particle: fastest at, no later than"),
                "s",
                2.2,
                times[fastest],
            );
            let late = (0..speeds.len()).filter(|&k| times[k] > 2.5).map(|k| speeds[k]).fold(0.0, f64::max);
            report.at_most(format!("{which} tracked particle: speed after 2.5 s"), "m/s", 1e-2, late);
        }
        plot = plot.line(which, &times, &speeds);
    }
    report.plot(if name == "swapped" { "tracked_swapped" } else { "tracked_printed" }, plot);
    report.series(series);
}
