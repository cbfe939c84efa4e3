//! A soft ball bounces on a facet, an edge and a vertex: the same three times, and without loss.

use super::shape::{Shape, evenly};
use super::stage::{hertz_force, rigid, stage, wall_force};
use crate::verify::VerifyError;
use crate::verify::impact::peak;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Normal, Rig, Stuff, ball};
use breccia::output::Plot;
use glam::{DQuat, DVec3};

/// The ball of the paper's Table 6 on a rigid wall.
pub const BALL: Stuff = Stuff {
    density: 100.0,
    young_modulus: 1e5,
    poisson_ratio: 0.2,
    restitution: 1.0,
    friction: 0.3,
    rolling_friction: 0.0,
    normal: Normal::Hertz,
    rolling: "none",
};
/// Its radius [m].
pub const RADIUS: f64 = 0.3;
/// Height of its centre at the start [m].
const START: f64 = 1.0;

/// Force and height over 2 s, two bounces.
pub fn bounce(report: &mut Report) -> Result<(), VerifyError> {
    let force = hertz_force(&BALL, RADIUS, deepest());
    let cases = [("facet", facet()), ("edge", ridge()), ("vertex", Shape::pyramid(0.6))];
    let mut flights: Vec<Flight> = Vec::new();
    for (name, shape) in &cases {
        let flight = Flight::observe(name, shape, DQuat::IDENTITY)?;
        judge(report, &flight, force);
        flights.push(flight);
    }
    // Upright, rounding is the same on all sides; turned, it is not, and edges and vertices are no stable rests.
    let turn = DQuat::from_xyzw(0.3, -0.5, 0.7, 0.4).normalize();
    for (name, shape) in &cases {
        let flight = Flight::observe(&format!("{name}, turned"), shape, turn)?;
        judge(report, &flight, force);
        flights.push(flight);
    }
    for flight in &flights[1..] {
        let differences = flight.lift.iter().zip(&flights[0].lift).map(|(a, b)| (a - b).abs());
        let worst = differences.fold(0.0, f64::max) / force;
        report.at_most(format!("{} against facet: force / largest force", flight.name), "", 1e-9, worst);
    }
    draw(report, &flights[..3]);
    Ok(())
}

/// Checks of one flight against the closed form and the published digits.
fn judge(report: &mut Report, flight: &Flight, force: f64) {
    let (name, found) = (&flight.name, peak(&flight.lift));
    report.relative(format!("{name}: largest force"), "N", force, found, 1e-6);
    report.absolute(format!("{name}: largest force, to the digits given"), "N", 2286.1, found, 0.05);
    let depths: Vec<f64> = flight.height.iter().map(|z| RADIUS - z).collect();
    report.absolute(format!("{name}: largest overlap / radius"), "", 0.3222, peak(&depths) / RADIUS, 5e-5);
    for (which, apex) in ["first", "second"].iter().zip(flight.apexes()) {
        report.absolute(format!("{name}: {which} apex"), "m", START, apex, 1e-6);
    }
    report.absolute(format!("{name}: drift to the side"), "m", 0.0, flight.drift, 1e-9);
    report.absolute(format!("{name}: force to the side / largest"), "", 0.0, flight.side_force / force, 1e-9);
    report.at_most(format!("{name}: energy closure"), "", 1e-9, flight.closure);
}

/// Deepest overlap: m g (h + δ) = 2/5 S δ^{5/2}, by bisection [m].
fn deepest() -> f64 {
    let weight = BALL.mass(RADIUS) * GRAVITY;
    let missing = |overlap: f64| {
        weight * (START - RADIUS + overlap) - 0.4 * hertz_force(&BALL, RADIUS, overlap) * overlap
    };
    let (mut low, mut high) = (1e-3 * RADIUS, RADIUS);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if missing(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

/// Small triangles, so that many are within the overlap; the ball comes down inside one.
fn facet() -> Shape {
    let lines = |shift: f64| evenly(-0.6 + shift, 0.6 + shift, 8);
    Shape::grid(&lines(0.05), &lines(0.02), |_, _| 0.0).triangles()
}

/// A ridge along y with sides at 45°, cut so that the ball comes down inside an edge.
fn ridge() -> Shape {
    Shape::strip(&[(-0.6, -0.6), (-0.1, -0.1), (0.0, 0.0), (0.1, -0.1), (0.6, -0.6)], &evenly(-0.6, 0.6, 9))
        .triangles()
}

/// What was seen, step by step.
struct Flight {
    name: String,
    time: Vec<f64>,
    height: Vec<f64>,
    lift: Vec<f64>,
    side_force: f64,
    drift: f64,
    closure: f64,
}

impl Flight {
    /// Falls along −z of the shape's frame, which is turned into the world.
    fn observe(name: &str, shape: &Shape, turn: DQuat) -> Result<Self, VerifyError> {
        let body = ball("ball", RADIUS, turn * DVec3::Z * START, DVec3::ZERO, DVec3::ZERO);
        let stuff = BALL.toml();
        let text = format!("gravity = [0, 0, 0]\n{stuff}{body}\n[time]\nduration = 2\nstep = 1e-5\n");
        let mut scene = stage(&text, [rigid(&shape.moved(turn, DVec3::ZERO))?])?;
        scene.model.gravity = turn * DVec3::Z * -GRAVITY;
        let mut rig = Rig::of(&scene);
        let (time, height, lift) = (Vec::new(), Vec::new(), Vec::new());
        let mut flight =
            Self { name: name.into(), time, height, lift, side_force: 0.0, drift: 0.0, closure: 0.0 };
        rig.step()?;
        rig.run.sample();
        let back = turn.conjugate();
        while rig.time() < 2.0 {
            rig.step()?;
            let (force, place) = (back * wall_force(&rig), back * rig.body(0)?.position);
            flight.time.push(rig.time());
            flight.height.push(place.z);
            flight.lift.push(force.z);
            flight.side_force = flight.side_force.max(force.truncate().length());
            flight.drift = flight.drift.max(place.truncate().length());
        }
        flight.closure = rig.run.sample().energy.relative_closure_error.abs();
        Ok(flight)
    }

    /// Tops of the flights after the first and the second bounce [m].
    fn apexes(&self) -> [f64; 2] {
        let lowest = |range: std::ops::Range<usize>| {
            range.min_by(|&a, &b| self.height[a].total_cmp(&self.height[b])).unwrap_or(0)
        };
        let half = self.height.len() / 2;
        let (first, second) = (lowest(0..half), lowest(half..self.height.len()));
        [peak(&self.height[first..second]), peak(&self.height[second..])]
    }
}

fn draw(report: &mut Report, flights: &[Flight]) {
    let title = |what: &str| format!("{what}: facet, edge and vertex");
    let mut force = Plot::new(title("Force on the ball"), "time [s]", "force [N]")
        .x_range(0.0, 2.0)
        .y_range(-500.0, 2500.0);
    let mut height = Plot::new(title("Height of the centre"), "time [s]", "height [m]")
        .x_range(0.0, 2.0)
        .y_range(0.0, 1.4);
    let columns = [("time", "s"), ("force", "N"), ("height", "m")];
    for (place, flight) in flights.iter().enumerate() {
        let name = ["facet", "edge", "vertex"][place];
        let mut series = Series::new(name, &columns);
        for k in (0..flight.time.len()).step_by(200) {
            series.push(&[flight.time[k], flight.lift[k], flight.height[k]]);
        }
        // One curve and two rows of symbols: three equal curves would hide each other.
        let (first, every) = [(0, 1), (0, 16), (8, 16)][place];
        let thinned = |column: usize| -> Vec<f64> {
            series.column(column).into_iter().skip(first).step_by(every).collect()
        };
        let (t, f, z) = (thinned(0), thinned(1), thinned(2));
        (force, height) = match place {
            0 => (force.line(name, &t, &f), height.line(name, &t, &z)),
            _ => (force.points(name, &t, &f), height.points(name, &t, &z)),
        };
        report.series(series);
    }
    report.plot("fig19a_force", force);
    report.plot("fig19b_height", height);
}
