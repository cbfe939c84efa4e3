//! What scenes say of clumps.

use crate::support::{materials, scene};
use breccia::scene::{Region, SizeDistribution};
use breccia::simulation::Simulation;
use glam::DVec3;

#[test]
fn a_rigid_template_has_the_mass_of_its_union() {
    // Two spheres of radius 5 mm, 6 mm apart: the lens they share counts once.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("two.csv");
    std::fs::write(&file, "x,y,z,r\n-0.003,0,0,0.005\n0.003,0,0,0.005\n").expect("a file");
    let scene = scene(&format!(
        r#"
{}
[time]
duration = 0.1
[[template]]
name = "pair"
rigid = true
kind = "file"
file = {:?}
[[bodies]]
kind = "lattice"
material = "grain"
template = "pair"
count = [2, 3, 4]
origin = [0, 0, 0]
spacing = 0.02
"#,
        materials(0.5, 0.5, 0.0),
        file.display().to_string()
    ));
    assert_eq!((scene.bodies.len(), scene.clumps.len(), scene.bonds.len()), (48, 24, 0));
    let run = Simulation::new(&scene);
    let (radius, half) = (0.005_f64, 0.003_f64);
    let cap = radius - half;
    let lens = 2.0 * std::f64::consts::PI * cap * cap * (3.0 * radius - cap) / 3.0;
    let volume = 2.0 * breccia::shapes::sphere_volume(radius) - lens;
    let masses: Vec<f64> = run.state.rigid_bodies(&run.setup.model.domain).map(|body| body.mass).collect();
    assert_eq!(masses.len(), 24);
    for mass in masses {
        assert!((mass / (2500.0 * volume) - 1.0).abs() < 2e-3, "{mass}");
    }
}

#[test]
fn clumps_are_poured_by_mass() {
    let scene = scene(&format!(
        r#"
{}
[time]
duration = 0.05
[[template]]
name = "rod"
rigid = true
kind = "rod"
n = 3
radius = 0.002
[[bodies]]
kind = "pour"
material = "grain"
template = "rod"
rate = "0.2 kg/s"
region = {{ shape = "box", min = [-0.05, -0.05, 0], max = [0.05, 0.05, 0.1] }}
"#,
        materials(0.5, 0.5, 0.0)
    ));
    assert!(matches!(scene.inlets[0].region, Region::Box { .. }));
    assert!(matches!(scene.inlets[0].sizes, SizeDistribution::Single(_)));
    let mut run = Simulation::new(&scene);
    run.step().expect("a step");
    run.sample();
    while !run.is_finished() {
        run.step().expect("a step");
    }
    let sample = run.sample();
    let one = 2500.0 * 3.0 * breccia::shapes::sphere_volume(0.002);
    println!("{} clumps of {one} kg: {} kg", sample.bodies, sample.mass);
    assert!((sample.mass - 0.01).abs() < 2.0 * one, "{}", sample.mass);
    assert_eq!(run.state.bodies.len(), 3 * sample.bodies);
    assert!(sample.energy.relative_closure_error.abs() < 1e-6, "{:?}", sample.energy);
}

#[test]
fn an_event_sets_the_velocity_of_whole_clumps() {
    let scene = scene(&format!(
        r#"
gravity = [0, 0, 0]
{}
[time]
duration = 0.02
step = 1e-5
[[template]]
name = "rod"
rigid = true
kind = "rod"
n = 3
radius = 0.002
[[bodies]]
name = "rods"
kind = "list"
material = "grain"
template = "rod"
positions = [[0, 0, 0]]
spin = [0, 0, 40]
[[event]]
at = 0.01
action = "set-velocity"
group = "rods"
velocity = [1, 0, 0]
"#,
        materials(0.5, 0.5, 0.0)
    ));
    let mut run = Simulation::new(&scene);
    run.step().expect("a step");
    run.sample();
    while !run.is_finished() {
        run.step().expect("a step");
    }
    let clump = &run.state.clumps.now[0];
    assert!((clump.velocity - DVec3::X).length() < 1e-12);
    assert!((clump.spin.z - 40.0).abs() < 1e-9);
    assert!((clump.position.x - 0.01).abs() < 2e-5, "{}", clump.position);
    assert!(run.sample().energy.relative_closure_error.abs() < 1e-9);
}
