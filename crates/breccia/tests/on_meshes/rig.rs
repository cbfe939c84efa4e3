//! Scenes of a few balls and a surface, and what became of them.

use crate::support::scene;
use breccia::model::{MaterialId, MeshSurface, Surface, Wall};
use breccia::motion::PrescribedMotion;
use breccia::scene::{BodySeed, Scene};
use breccia::shapes::WallShape;
use breccia::shapes::mesh::PolygonMesh;
use breccia::simulation::Simulation;
use glam::DVec3;
use std::sync::Arc;

/// Laws and pair properties of a run.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    pub rolling: &'static str,
    pub restitution: f64,
    pub friction: f64,
    pub rolling_friction: f64,
}

/// Without any loss.
pub const ELASTIC: Law = Law { rolling: "none", restitution: 1.0, friction: 0.0, rolling_friction: 0.0 };

/// A ball at the start.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    pub position: DVec3,
    pub velocity: DVec3,
    pub spin: DVec3,
    pub radius: f64,
}

/// Young's modulus of the balls [Pa].
pub const MODULUS: f64 = 1e7;
/// Poisson's ratio of the balls.
pub const POISSON: f64 = 0.25;
/// Density of the balls [kg/m³].
pub const DENSITY: f64 = 2500.0;

/// Hertz force [N] of a ball of radius `radius` [m] on a rigid wall.
pub fn hertz_force(radius: f64, overlap: f64) -> f64 {
    let modulus = MODULUS / (1.0 - POISSON * POISSON);
    4.0 / 3.0 * modulus * radius.sqrt() * overlap * overlap.sqrt()
}

/// Balls without walls.
pub fn stage(law: &Law, step: f64, gravity: DVec3, balls: &[Ball]) -> Scene {
    let Law { rolling, restitution, friction, rolling_friction } = law;
    let text = format!(
        r#"
[time]
duration = 1000
step = {step}
[[material]]
name = "ball"
density = {DENSITY}
young_modulus = {MODULUS}
poisson_ratio = {POISSON}
[[material]]
name = "wall"
density = 7800
young_modulus = "rigid"
poisson_ratio = 0.3
[pair_default]
restitution = {restitution}
friction = {friction}
rolling_friction = {rolling_friction}
[law]
rolling = "{rolling}"
[[bodies]]
kind = "list"
name = "balls"
material = "ball"
radius = {}
positions = [[0, 0, 0]]
"#,
        balls[0].radius
    );
    let mut scene = scene(&text);
    scene.model.gravity = gravity;
    scene.model.limits.overlap = 0.9;
    scene.bodies = balls
        .iter()
        .map(|ball| BodySeed {
            position: ball.position,
            radius: ball.radius,
            velocity: ball.velocity,
            spin: ball.spin,
            material: MaterialId(0),
            group: 0,
        })
        .collect();
    scene
}

/// A mesh as a surface, facets blended beside concave edges or not.
pub fn meshed(mesh: PolygonMesh, concave_blend: bool) -> Surface {
    let mut surface = MeshSurface::new("mesh", mesh, vec![MaterialId(1)]);
    surface.concave_blend = concave_blend;
    Surface::Mesh(Arc::new(surface))
}

/// Adds a rigid wall.
pub fn add_wall(scene: &mut Scene, surface: impl Into<Surface>, motion: PrescribedMotion) {
    let name = format!("wall {}", scene.model.walls.len());
    scene.model.walls.push(Wall { name, surface: surface.into(), material: MaterialId(1), motion });
}

/// The scene with one rigid wall at rest.
pub fn with_wall(scene: &Scene, surface: impl Into<Surface>) -> Scene {
    let mut scene = scene.clone();
    add_wall(&mut scene, surface, PrescribedMotion::default());
    scene
}

/// The plane through a point.
pub fn plane(point: DVec3, normal: DVec3) -> Surface {
    Surface::Analytic(WallShape::Plane { point, normal })
}

/// Where a ball is and how it moves: place [m], velocity [m/s], spin times radius [m/s].
pub type Motion = [DVec3; 3];

/// Motions of all balls by number.
pub fn motions(run: &Simulation) -> Vec<Motion> {
    let bodies = &run.state.bodies;
    let mut rows: Vec<usize> = (0..bodies.len()).collect();
    rows.sort_by_key(|&row| bodies.id[row]);
    let motion = |row: usize| {
        let place = &bodies.places[row];
        let spin = DVec3::from_array(bodies.spins[row].spin);
        [place.centre(), place.velocity(), spin * place.radius]
    };
    rows.into_iter().map(motion).collect()
}

/// Motions every so many steps.
pub fn trajectory(scene: &Scene, steps: u32, every: u32) -> Vec<Vec<Motion>> {
    let mut run = Simulation::new(scene);
    let mut told = Vec::new();
    for step in 1..=steps {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        if step % every == 0 {
            told.push(motions(&run));
        }
    }
    told
}

/// Largest difference of place [m] and of velocity or surface speed [m/s] between two trajectories.
pub fn difference(a: &[Vec<Motion>], b: &[Vec<Motion>]) -> [f64; 2] {
    assert_eq!(a.len(), b.len());
    let mut largest = [0.0_f64; 2];
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        for kind in 0..3 {
            let limit = &mut largest[kind.min(1)];
            *limit = limit.max((a[kind] - b[kind]).length());
        }
    }
    largest
}
