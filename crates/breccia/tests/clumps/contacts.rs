//! Clumps that touch: as spheres do, at rest, on meshes, with their energy accounted for.

use crate::support::{materials, run_to_end, scene};
use breccia::scene::{ClumpSeed, Scene};
use breccia::shapes::sphere_volume;
use breccia::simulation::Simulation;
use glam::{DQuat, DVec3};
use std::fmt::Write;

const FLOOR: &str = r#"
[[wall]]
name = "floor"
material = "steel"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
"#;

/// A spinning sphere thrown on a floor and at another sphere.
fn thrown() -> Scene {
    scene(&format!(
        r#"
{}
[time]
duration = 0.3
[law]
rolling = "c"
{FLOOR}
[[bodies]]
kind = "list"
material = "grain"
radius = 0.01
positions = [[0, 0, 0.03]]
velocity = [0.5, 0.1, -0.5]
spin = [10, -20, 30]
[[bodies]]
kind = "list"
name = "other"
material = "grain"
radius = 0.01
positions = [[0.05, 0.008, 0.0105]]
"#,
        materials(0.7, 0.4, 0.1)
    ))
}

#[test]
fn a_clump_of_one_sphere_is_that_sphere() {
    let plain = thrown();
    let mut rigid = thrown();
    rigid.clumps = (0..2)
        .map(|k| {
            let body = &rigid.bodies[k as usize];
            let volume = sphere_volume(body.radius);
            ClumpSeed {
                first: k,
                arms: vec![DVec3::ZERO],
                centre: body.position,
                orientation: DQuat::from_rotation_x(0.3),
                velocity: body.velocity,
                spin: body.spin,
                volume,
                inertia: DVec3::splat(0.4 * volume * body.radius * body.radius),
            }
        })
        .collect();
    let ends = [&plain, &rigid].map(|scene| {
        let mut run = Simulation::new(scene);
        run.step().expect("a step");
        run.sample();
        run_to_end(&mut run);
        let mut rows: Vec<(u32, DVec3, DVec3)> = (0..2)
            .map(|row| {
                let bodies = &run.state.bodies;
                (bodies.id[row], bodies.places[row].centre(), DVec3::from_array(bodies.spins[row].spin))
            })
            .collect();
        rows.sort_by_key(|row| row.0);
        (rows, run.sample())
    });
    for (a, b) in ends[0].0.iter().zip(&ends[1].0) {
        println!("{} {} {}", a.1, (a.1 - b.1).length(), (a.2 - b.2).length());
        assert!((a.1 - b.1).length() < 1e-10 && (a.2 - b.2).length() < 1e-7);
    }
    let [plain, rigid] = ends.map(|(_, sample)| sample);
    assert!((plain.energy.kinetic() / rigid.energy.kinetic() - 1.0).abs() < 1e-7);
    assert!(plain.energy.sliding > 0.0 && plain.energy.rolling > 0.0);
    assert!((plain.energy.sliding / rigid.energy.sliding - 1.0).abs() < 1e-7);
    assert!((plain.energy.rolling / rigid.energy.rolling - 1.0).abs() < 1e-7);
    assert!(rigid.energy.relative_closure_error.abs() < 1e-3, "{:?}", rigid.energy);
}

/// Clumps of several kinds in a box.
fn tumbling(restitution: f64, friction: f64, rolling: f64, box_kind: &str, duration: f64) -> Scene {
    scene(&format!(
        r#"
seed = 5
{}
[time]
duration = {duration}
[[template]]
name = "rod"
rigid = true
kind = "rod"
n = 3
radius = 0.004
[[template]]
name = "tablet"
rigid = true
kind = "tablet"
radius = 0.005
[[bodies]]
kind = "random"
material = "grain"
template = "rod"
count = 25
velocity = [0.4, 0.2, -0.1]
spin = [0, 20, 5]
region = {{ shape = "box", min = [0.001, 0.001, 0.001], max = [0.169, 0.169, 0.169] }}
[[bodies]]
kind = "random"
name = "tablets"
material = "grain"
template = "tablet"
count = 12
velocity = [-0.4, 0.1, 0.2]
region = {{ shape = "box", min = [0.001, 0.001, 0.001], max = [0.169, 0.169, 0.169] }}
[[bodies]]
kind = "random"
name = "singles"
material = "grain"
count = 30
radius = 0.004
region = {{ shape = "box", min = [0.001, 0.001, 0.001], max = [0.169, 0.169, 0.169] }}
{box_kind}
"#,
        materials(restitution, friction, rolling)
    ))
}

const BOX: &str = r#"
[[wall]]
name = "box"
material = "steel"
shape = "box"
min = [0, 0, 0]
max = [0.17, 0.17, 0.17]
side = "inside"
"#;

#[test]
fn elastic_clumps_keep_their_energy() {
    let mut scene = tumbling(1.0, 0.0, 0.0, BOX, 0.5);
    scene.model.gravity = DVec3::ZERO;
    let mut run = Simulation::new(&scene);
    run.step().expect("a step");
    let first = run.sample();
    assert_eq!(first.bodies, 67);
    run_to_end(&mut run);
    let last = run.sample();
    let turning = [first.energy.rotation, last.energy.rotation];
    println!("{:e} {turning:?}", last.energy.relative_closure_error);
    assert!(last.energy.relative_closure_error.abs() < 2e-5, "{:e}", last.energy.relative_closure_error);
    // Impacts off the centre have turned the rods and tablets on.
    assert!(turning[1] > 2.0 * turning[0], "{turning:?}");
}

#[test]
fn clumps_come_to_rest_with_their_weight_on_the_floor() {
    let mut run = Simulation::new(&tumbling(0.3, 0.6, 0.05, BOX, 1.0));
    run.step().expect("a step");
    run.sample();
    run_to_end(&mut run);
    let sample = run.sample();
    let weight = sample.mass * 9.81;
    let carried = -run.state.wall_loads[0].force.z;
    println!(
        "weight {weight} carried {carried} kinetic {:e} closure {:e}",
        sample.energy.kinetic(),
        sample.energy.relative_closure_error
    );
    assert!((carried / weight - 1.0).abs() < 0.02, "{carried} {weight}");
    // Spheres may spin on about the vertical: nothing resists that.
    assert!(sample.energy.translation < 1e-7 * weight * 0.1);
    assert!(sample.energy.relative_closure_error.abs() < 1e-3);
    let resolved: f64 = run.state.rigid_bodies(&run.setup.model.domain).map(|body| body.mass).sum();
    assert!((resolved / sample.mass - 1.0).abs() < 1e-12);
}

/// A square plate of triangles as an OBJ file.
fn plate(path: &std::path::Path) {
    let mut text = String::new();
    let cells = 8;
    for i in 0..=cells {
        for j in 0..=cells {
            let at = |k: i32| -0.2 + 0.4 * f64::from(k) / f64::from(cells);
            writeln!(text, "v {} {} 0", at(i), at(j)).expect("text");
        }
    }
    let number = |i: i32, j: i32| i * (cells + 1) + j + 1;
    for i in 0..cells {
        for j in 0..cells {
            let (a, b, c, d) = (number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1));
            writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}").expect("text");
        }
    }
    std::fs::write(path, text).expect("a file");
}

#[test]
fn a_mesh_carries_a_clump_as_a_plane_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plate.obj");
    plate(&file);
    let mesh = format!(
        "[[mesh]]\nname = \"plate\"\nmaterial = \"steel\"\nfile = {:?}\n",
        file.display().to_string()
    );
    let ends = [FLOOR, &mesh].map(|ground| {
        let scene = scene(&format!(
            r#"
{}
[time]
duration = 0.4
[[template]]
name = "rod"
rigid = true
kind = "rod"
n = 4
radius = 0.005
[[bodies]]
kind = "list"
material = "grain"
template = "rod"
orientation = {{ axis = [1, 2, 0.5], angle = "50 deg" }}
positions = [[0.003, 0.007, 0.06]]
velocity = [0.3, 0.1, 0]
spin = [2, -15, 8]
{ground}
"#,
            materials(0.6, 0.3, 0.0)
        ));
        let mut run = Simulation::new(&scene);
        run_to_end(&mut run);
        (run.state.clumps.now[0], run.sample())
    });
    let [plane, mesh] = [&ends[0].0, &ends[1].0];
    let apart = (plane.position - mesh.position).length();
    let turned = plane.orientation.angle_between(mesh.orientation);
    println!("{} {apart:e} {turned:e}", plane.position);
    assert!(apart < 1e-9 && turned < 1e-6, "{apart:e} {turned:e}");
    assert!(ends[0].1.energy.sliding > 0.0);
}
