//! Friction of a ball dragged over elements of length L: what is lost when memory ends at their edges (Eq. 43).
//!
//! The friction spring has to be loaded anew over x = µδ K_n/K_t wherever memory is lost, which costs x/(2L) of the work.
//! The engine has no switch for that: without memory every element is a wall of its own, because a contact goes on from
//! an earlier one only on the same surface. The ball is guided by its mass: 10²⁷ kg are not turned aside.

use super::bends::over_bends;
use super::shape::{Shape, evenly};
use super::stage::{RIGID, rigid, stage, wall, wall_force};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{Rig, Stuff, ball};
use breccia::model::Wall;
use breccia::output::Plot;
use glam::DVec3;

/// Radius of the ball [m].
pub const RADIUS: f64 = 0.3;
/// Its overlap [m].
pub const OVERLAP: f64 = 3e-3;
const SPEED: f64 = 1.0;
/// Way of the ball [m]: a whole number of elements of each length.
const WAY: f64 = 0.6;
/// A ball that keeps its way.
pub const BALL: Stuff = Stuff {
    density: 1e28,
    young_modulus: 1e6,
    poisson_ratio: 0.2,
    restitution: 1.0,
    friction: 0.3,
    rolling_friction: 0.0,
    normal: crate::verify::rig::Normal::Hertz,
    rolling: "none",
};

/// Work of friction over 0.6 m for three lengths of elements.
pub fn drag(report: &mut Report) -> Result<(), VerifyError> {
    let loading = loading();
    let step = if report.quick { 1e-5 } else { 5e-6 };
    let columns =
        [("length", "m"), ("without_memory", ""), ("with_memory", ""), ("x_over_2l", ""), ("eq_43", "")];
    let mut series = Series::new("deficit", &columns);
    let mut plot = Plot::new("Friction over elements of 4 mm", "way [m]", "tangential / normal force");
    for (length, elements) in [(50e-3, 12), (10e-3, 60), (4e-3, 150)] {
        let lines = evenly(-1e-9, WAY + length, elements + 1);
        let strip = |lines: &[f64]| Shape::grid(lines, &[-0.5, 0.5], |_, _| 0.0);
        let apart = lines
            .windows(2)
            .map(|ends| wall("element", &strip(ends), RIGID))
            .collect::<Result<Vec<_>, _>>()?;
        let without = Dragged::over(apart, step)?;
        let with = Dragged::over(vec![rigid(&strip(&lines))?], step)?;
        let millimetres = (1e3 * length).round();
        report.relative(
            format!("L = {millimetres} mm, no memory: deficit"),
            "",
            loading / (2.0 * length),
            without.deficit,
            0.05,
        );
        report.at_most(format!("L = {millimetres} mm, memory: deficit"), "", 1e-3, with.deficit);
        report.relative(
            format!("L = {millimetres} mm, memory: deficit of the first loading"),
            "",
            loading / (2.0 * WAY),
            with.deficit,
            0.05,
        );
        if elements == 150 {
            for (name, run) in [("no memory", &without), ("memory", &with)] {
                plot = plot.line(name, &run.ways, &run.ratios);
            }
        }
        let eq_43 = loading / (2.0 * length - loading);
        series.push(&[length, without.deficit, with.deficit, loading / (2.0 * length), eq_43]);
    }
    report.plot("fig33_friction", plot.x_range(0.0, 0.012));
    let lengths = series.column(0);
    let plot =
        Plot::new("Work lost at the edges of elements", "length of elements [m]", "missing part of the work")
            .points("no memory", &lengths, &series.column(1))
            .points("memory", &lengths, &series.column(2))
            .dashed("x/(2L)", &lengths, &series.column(3))
            .dashed("Eq. 43", &lengths, &series.column(4))
            .log_x()
            .log_y();
    report.plot("eq43_deficit", plot);
    report.series(series);
    over_bends(report)
}

/// Way x = µδ K_n/K_t over which friction is loaded [m]; K_t/K_n = 6 G*/E* = 3 (1 − ν)/(2 − ν) on a rigid wall.
pub fn loading() -> f64 {
    let nu = BALL.poisson_ratio;
    BALL.friction * OVERLAP * (2.0 - nu) / (3.0 * (1.0 - nu))
}

/// What a dragged ball felt.
struct Dragged {
    /// Missing part of the work µ F_n · way.
    deficit: f64,
    ways: Vec<f64>,
    ratios: Vec<f64>,
}

impl Dragged {
    fn over(walls: Vec<Wall>, step: f64) -> Result<Self, VerifyError> {
        let body = ball("ball", RADIUS, DVec3::Z * (RADIUS - OVERLAP), DVec3::X * SPEED, DVec3::ZERO);
        let stuff = BALL.toml();
        let text = format!("gravity = [0, 0, 0]\n{stuff}{body}\n[time]\nduration = 1\nstep = {step:?}\n");
        let mut rig = Rig::of(&stage(&text, walls)?);
        let (mut work, mut full_work) = (0.0, 0.0);
        let (mut ways, mut ratios) = (Vec::new(), Vec::new());
        let mut before = DVec3::ZERO;
        loop {
            rig.step()?;
            let force = wall_force(&rig);
            // Force at the ends of each stride, like the work of the engine's own budget.
            work -= 0.5 * (force.x + before.x) * SPEED * rig.time_step();
            full_work += BALL.friction * force.z * SPEED * rig.time_step();
            before = force;
            let way = rig.body(0)?.position.x;
            if rig.run.state.step % 4 == 1 {
                ways.push(way);
                ratios.push(-force.x / force.z);
            }
            if way >= WAY - 0.5 * SPEED * rig.time_step() {
                break;
            }
        }
        Ok(Self { deficit: 1.0 - work / full_work, ways, ratios })
    }
}
