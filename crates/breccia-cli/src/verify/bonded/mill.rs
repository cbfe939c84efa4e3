//! The ball mill: balls grind cubes in a drum with lifters, as a mesh and as analytic walls.
//!
//! Stiffness is scaled down; full.toml beside the scene has the real one.

use super::built_in::{Files, draw, scene_of};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::Rig;
use breccia::diagnostics::Phase;
use breccia::output::Plot;
use breccia::scene::Scene;
use std::time::Instant;

const SCENE: &str = include_str!("../../../../../scenes/ball_mill/scene.toml");
const ANALYTIC: &str = include_str!("../../../../../scenes/ball_mill/analytic.toml");
const DRUM: &str = include_str!("../../../../../scenes/ball_mill/drum.obj");
const MESHED: &Files = &[("scene.toml", SCENE), ("drum.obj", DRUM)];

/// Share of broken bonds that an independent prototype found at these times [s].
const PROTOTYPE: [(f64, f64); 6] =
    [(1.0, 0.18), (1.5, 0.31), (3.0, 0.63), (5.0, 0.83), (7.0, 0.90), (7.5, 0.91)];
/// Depth by which facets of the drum lie inside the cylinder [m].
const SAGITTA: f64 = 2.6e-5;

fn meshed() -> Result<Scene, VerifyError> {
    scene_of("mill", MESHED, str::to_owned)
}

fn analytic() -> Result<Scene, VerifyError> {
    scene_of("mill", &[("analytic.toml", ANALYTIC)], str::to_owned)
}

/// As long as chaos has not set in, both descriptions of the drum carry the charge along the same paths.
pub fn drums(report: &mut Report) -> Result<(), VerifyError> {
    /// Instants at which both are compared, 6 ms apart.
    const ROWS: u32 = 15;
    let (mut mesh, mut walls) = (Rig::of(&meshed()?), Rig::of(&analytic()?));
    let bodies = mesh.run.state.bodies.len();
    report.absolute("spheres", "", 3200.0, bodies as f64, 0.0);
    report.absolute("bonds", "", 5400.0, mesh.run.state.fragments.bond_count() as f64, 0.0);
    report.absolute("walls of the analytic drum", "", 37.0, walls.run.setup.model.walls.len() as f64, 0.0);
    let mut series =
        Series::new("apart", &[("time", "s"), ("largest", "m"), ("mean", "m"), ("touching", "")]);
    for number in 1..=ROWS {
        let time = 6e-3 * f64::from(number);
        mesh.run_to(time)?;
        walls.run_to(time)?;
        let (largest, mean) = apart(&mesh, &walls);
        let touching = mesh.run.sample().contacts.walls as f64;
        series.push(&[time, largest, mean, touching]);
    }
    let (largest, mean) = (series.column(1), series.column(2));
    let last = ROWS as usize - 1;
    report.at_least("contacts with the drum at these instants", "", 10.0, series.column(3).iter().sum());
    report.at_most("mesh and analytic after 90 ms: largest distance", "m", 20.0 * SAGITTA, largest[last]);
    report.at_most("mesh and analytic after 90 ms: mean distance", "m", SAGITTA, mean[last]);
    let plot =
        Plot::new("A drum as a mesh and as analytic walls", "time [s]", "distance of the same sphere [m]")
            .line("largest", &series.column(0), &largest)
            .line("mean", &series.column(0), &mean)
            .dashed("depth of the facets", &[0.0, 0.09], &[SAGITTA; 2])
            .log_y();
    report.plot("apart", plot);
    report.series(series);
    Ok(())
}

/// Largest and mean distance of the same sphere in two runs [m].
fn apart(a: &Rig, b: &Rig) -> (f64, f64) {
    let by_id = |rig: &Rig| {
        let bodies = &rig.run.state.bodies;
        let mut all: Vec<_> =
            (0..bodies.len()).map(|row| (bodies.id[row], bodies.places[row].centre())).collect();
        all.sort_by_key(|&(id, _)| id);
        all
    };
    let domain = &a.run.setup.model.domain;
    let distances: Vec<f64> =
        by_id(a).iter().zip(by_id(b)).map(|(a, b)| domain.minimum_image(a.1 - b.1).length()).collect();
    (distances.iter().copied().fold(0.0, f64::max), distances.iter().sum::<f64>() / distances.len() as f64)
}

/// Eight seconds of grinding by both drums. The short form is left to [`drums`].
pub fn mill(report: &mut Report) -> Result<(), VerifyError> {
    if report.quick {
        let scene = meshed()?;
        report.absolute("duration", "s", 8.0, scene.model.time.duration, 0.0);
        return Ok(());
    }
    let mesh = grind(report, "mesh", &meshed()?)?;
    let walls = grind(report, "analytic", &analytic()?)?;
    let mut plot = Plot::new("Ball mill", "time [s]", "share of broken bonds [–]");
    for (name, course) in [("mesh", &mesh), ("analytic walls", &walls)] {
        plot = plot.line(name, &course.series.column(0), &course.series.column(1));
    }
    let (times, shares): (Vec<f64>, Vec<f64>) = PROTOTYPE.into_iter().unzip();
    report.plot("broken_share", plot.points("prototype", &times, &shares).y_range(0.0, 1.0));
    for time in [1.0, 2.0, 4.0, 8.0] {
        let [a, b] = [&mesh, &walls].map(|course| course.share_at(time));
        report.absolute(format!("broken at {time} s: analytic as mesh"), "", a, b, 0.08);
    }
    report.relative(
        "mean power of the drum, 2 s to 8 s: analytic as mesh",
        "W",
        mesh.power,
        walls.power,
        0.05,
    );
    report.series(mesh.series);
    report.series(walls.series);
    Ok(())
}

/// How a run went.
struct Course {
    /// Time, share of broken bonds, work of the drum.
    series: Series,
    /// Mean power from 2 s to the end [W].
    power: f64,
}

impl Course {
    fn share_at(&self, time: f64) -> f64 {
        let times = self.series.column(0);
        let place = times.iter().position(|&other| other >= time - 1e-6).unwrap_or(times.len() - 1);
        self.series.column(1)[place]
    }
}

/// Instants between rows of the series [s].
const ROW: f64 = 0.025;

fn grind(report: &mut Report, name: &'static str, scene: &Scene) -> Result<Course, VerifyError> {
    let mut rig = Rig::of(scene);
    let begin = Instant::now();
    let columns = [("time", "s"), ("broken_share", ""), ("drum_work", "J"), ("fragments", "")];
    let mut series = Series::new(name, &columns);
    let rows = (scene.model.time.duration / ROW).round() as u32;
    let mut closure = 0.0_f64;
    for row in 0..=rows {
        let time = ROW * f64::from(row);
        rig.run_to(time)?;
        let energy = rig.run.sample().energy;
        closure = closure.max(energy.relative_closure_error.abs());
        let state = &rig.run.state;
        let made = state.fragments.bond_count() as f64;
        let fragments = state.fragments.count() as f64;
        series.push(&[time, state.broken.len() as f64 / made, energy.wall_work, fragments]);
        if [20, 80, rows].contains(&row) {
            draw(report, format!("{name}_{:.1}s", time), &rig.run, &scene.title)?;
        }
    }
    let elapsed = begin.elapsed().as_secs_f64();
    let (times, work) = (series.column(0), series.column(2));
    let from = (2.0 / ROW).round() as usize;
    let power = (work[work.len() - 1] - work[from]) / (times[times.len() - 1] - times[from]);
    let course = Course { series, power };
    judge(report, name, &course);
    report.at_most(format!("{name}: energy missing / turned over"), "", 2e-3, closure);
    report.absolute(format!("{name}: spheres lost"), "", 0.0, rig.run.state.removed.count as f64, 0.0);
    let breakage = rig.run.timers.seconds(Phase::Breakage) / elapsed;
    report.at_most(format!("{name}: part of the time spent on breaking and relabelling"), "", 0.02, breakage);
    Ok(course)
}

fn judge(report: &mut Report, name: &str, course: &Course) {
    let last = course.share_at(8.0);
    report.at_least(format!("{name}: broken at 8 s"), "", 0.60, last);
    report.at_most(format!("{name}: broken at 8 s, no more than"), "", 0.95, last);
    let per_second =
        |second: u32| course.share_at(f64::from(second) + 1.0) - course.share_at(f64::from(second));
    let slowest = (0..8).map(per_second).fold(f64::INFINITY, f64::min);
    report.at_least(format!("{name}: least that breaks in a second"), "", 0.005, slowest);
    report.at_most(format!("{name}: broken in the first 0.5 s, of filling"), "", 0.03, course.share_at(0.5));
    for (time, share) in PROTOTYPE {
        report.absolute(format!("{name}: broken at {time} s"), "", share, course.share_at(time), 0.1);
    }
}
