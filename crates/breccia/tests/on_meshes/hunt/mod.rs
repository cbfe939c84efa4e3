//! A hunt through random closed meshes: spheres bounce inside without loss; none gets out, no energy comes or goes, and
//! every contact is one that brute force finds.
//!
//! `BRECCIA_HUNT=10` makes it ten times as long.

mod meshes;
mod oracle;

use crate::rig::{Ball, DENSITY, ELASTIC, MODULUS, POISSON, meshed, stage, with_wall};
use crate::support::Dice;
use breccia::shapes::mesh::{EdgeKind, InsideTest, PolygonMesh};
use breccia::simulation::Simulation;
use glam::DVec3;

/// A hunt of one kind.
#[derive(Clone, Copy)]
struct Hunt {
    /// Largest overlap meant, as a part of the radius.
    overlap: f64,
    /// Whether facets are blended beside concave edges.
    blend: bool,
    /// Radius of the spheres, of about that of the room, from and to.
    radii: [f64; 2],
    /// Steps of each run.
    steps: u32,
}

/// What was seen.
#[derive(Debug, Default)]
struct Catch {
    drift: f64,
    deepest: f64,
    contacts: u32,
    compared: u32,
    travel: f64,
}

/// Steps in a contact.
const STEPS_PER_CONTACT: f64 = 60.0;

/// Speed [m/s] at which a sphere of radius `radius` [m] dents by a part `overlap` of it in a head-on bounce, and the
/// duration [s] of that bounce.
fn bounce(radius: f64, overlap: f64) -> (f64, f64) {
    let stiffness = 4.0 / 3.0 * MODULUS / (1.0 - POISSON * POISSON) * radius.sqrt();
    let depth = overlap * radius;
    let energy = 0.4 * stiffness * depth * depth * depth.sqrt();
    let mass = DENSITY * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
    let speed = (2.0 * energy / mass).sqrt();
    (speed, 2.94 * depth / speed)
}

/// Distance of a point from the nearest element [m].
fn clearance(mesh: &PolygonMesh, point: DVec3) -> f64 {
    let view = oracle::contacts(mesh, point, 1e3);
    view.points.first().map_or(0.0, |nearest| nearest.distance(point))
}

/// Smallest angle at a concave edge [rad].
fn flattest_valley(mesh: &PolygonMesh) -> f64 {
    let valleys = mesh.edges.iter().filter(|edge| edge.kind == EdgeKind::Concave);
    valleys.map(|edge| edge.angle.abs()).fold(f64::INFINITY, f64::min)
}

/// Balls inside the mesh, near its surface, that fly at random.
fn place_balls(mesh: &PolygonMesh, middle: DVec3, hunt: &Hunt, dice: &mut Dice) -> Vec<Ball> {
    let inside = InsideTest::new(mesh);
    let mut balls: Vec<Ball> = Vec::new();
    let wanted = 1 + (3.0 * dice.unit()) as usize;
    let radius = dice.between(hunt.radii[0], hunt.radii[1]);
    for _ in 0..60 {
        let position = middle + dice.vector(-1.0, 1.0);
        let is_free = balls.iter().all(|ball| ball.position.distance(position) > 2.0 * radius);
        if balls.len() < wanted && is_free && inside.contains(position) && clearance(mesh, position) > radius {
            let direction = dice.vector(-1.0, 1.0).normalize_or(DVec3::X);
            let (speed, _) = bounce(radius, hunt.overlap);
            let velocity = direction * speed * dice.between(0.7, 0.95);
            balls.push(Ball { position, velocity, spin: DVec3::ZERO, radius });
        }
    }
    balls
}

/// One run in one mesh; none when no ball fits.
fn run(mesh: &PolygonMesh, balls: &[Ball], hunt: &Hunt, label: &str) -> Catch {
    let (_, duration) = bounce(balls[0].radius, hunt.overlap);
    let scene = stage(&ELASTIC, duration / STEPS_PER_CONTACT, DVec3::ZERO, balls);
    let mut run = Simulation::new(&with_wall(&scene, meshed(mesh.clone(), hunt.blend)));
    let mut seen = Catch::default();
    let mut first = None;
    for number in 1..=hunt.steps {
        run.step().unwrap_or_else(|error| panic!("{label}, step {number}: {error}"));
        if number % 50 == 0 {
            let sample = run.sample();
            let energy = sample.energy.mechanical();
            let drift = (energy / *first.get_or_insert(energy) - 1.0).abs();
            seen.drift = seen.drift.max(drift);
        }
        if number % 10 == 0 {
            compare(&run, mesh, hunt, &mut seen, label, number);
        }
    }
    let inside = InsideTest::new(mesh);
    for row in run.state.bodies.rows() {
        assert!(inside.contains(row.centre()), "{label}: a ball got out at {}", row.centre());
    }
    seen
}

/// Compares the engine's contacts with those of brute force.
fn compare(run: &Simulation, mesh: &PolygonMesh, hunt: &Hunt, seen: &mut Catch, label: &str, number: u32) {
    let bodies = &run.state.bodies;
    for row in 0..bodies.len() {
        let found = run.state.lists.chunks.iter().flat_map(|chunk| &chunk.surface.now);
        let found: Vec<_> = found.filter(|c| c.row as usize == row && c.memory.depth > 0.0).collect();
        // Contacts are those of the instant before the last move.
        let place = &bodies.last_places[row];
        let deepest = found.iter().map(|contact| contact.overlap / place.radius).fold(0.0, f64::max);
        seen.deepest = seen.deepest.max(deepest);
        seen.contacts += found.len() as u32;
        for (k, contact) in found.iter().enumerate() {
            let twin = found[..k].iter().find(|other| (other.wall, other.feature) == (contact.wall, contact.feature));
            assert!(twin.is_none(), "{label}, step {number}: twice {contact:?}");
        }
        if hunt.blend || found.is_empty() && number % 100 != 0 {
            continue;
        }
        let view = oracle::contacts(mesh, place.centre(), place.radius);
        if view.doubtful {
            continue;
        }
        seen.compared += 1;
        let same = |p: &DVec3| found.iter().any(|contact| contact.point.distance(*p) < 1e-6 * place.radius);
        assert!(
            view.points.len() == found.len() && view.points.iter().all(same),
            "{label}, step {number}: exact {:?}, found {:?}",
            view.points,
            found.iter().map(|contact| contact.point).collect::<Vec<_>>()
        );
    }
}

fn times() -> u64 {
    std::env::var("BRECCIA_HUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

#[test]
fn explore() {
    let get = |name: &str, other: f64| std::env::var(name).ok().and_then(|t| t.parse().ok()).unwrap_or(other);
    let hunt = Hunt {
        overlap: get("OV", 0.01),
        blend: get("BL", 0.0) > 0.5,
        radii: [get("R0", 0.3), get("R1", 0.6)],
        steps: get("ST", 1500.0) as u32,
    };
    let begin = std::time::Instant::now();
    for (kind, name) in meshes::KINDS.iter().enumerate() {
        let mut worst: Vec<(f64, f64, f64, u64)> = Vec::new();
        let mut all = Catch::default();
        let mut runs = 0;
        for seed in 0..get("N", 100.0) as u64 * times() {
            let mut dice = Dice::new(seed * 5 + kind as u64);
            let (polygons, middle) = meshes::cavity(kind, &mut dice);
            let mesh = polygons.mesh();
            assert!(mesh.is_closed() && mesh.volume() < 0.0, "{name} {seed}: {}", mesh.volume());
            let balls = place_balls(&mesh, middle, &hunt, &mut dice);
            if balls.is_empty() {
                continue;
            }
            let seen = run(&mesh, &balls, &hunt, &format!("{name} {seed}"));
            worst.push((seen.drift, flattest_valley(&mesh).to_degrees(), seen.deepest, seed));
            all.deepest = all.deepest.max(seen.deepest);
            all.contacts += seen.contacts;
            all.compared += seen.compared;
            runs += 1;
        }
        worst.sort_by(|a, b| b.0.total_cmp(&a.0));
        println!("{name}: {runs} runs, {all:?}, {:?}", begin.elapsed());
        for w in worst.iter().take(6) {
            println!("   drift {:.1e}, valley {:.2}, deepest {:.4}, seed {}", w.0, w.1, w.2, w.3);
        }
    }
}
