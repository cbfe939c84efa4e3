//! Clusters from scenes: templates, places, strengths, time step.

use crate::support::scene;
use breccia::scene::{self, Loaded, Scene};
use breccia::shapes::sphere_volume;
use breccia::simulation::{Setup, StepLimits, StepVerdict};
use glam::DVec3;
use std::path::Path;

/// Materials, a bond and the templates of the tests.
pub const HEAD: &str = r#"
seed = 5
[[material]]
name = "rock"
density = 2500
young_modulus = 1e7
poisson_ratio = 0.2
[pair_default]
restitution = 0.5
friction = 0.4
[[bond]]
name = "cement"
young_modulus = "5 MPa"
tensile_strength = "50 kPa"
shear_strength = "60 kPa"
[[template]]
name = "cube"
kind = "cube"
n = 3
radius = "2 mm"
bond = "cement"
"#;

fn with(rest: &str) -> Scene {
    scene(&format!("{HEAD}\n[time]\nduration = 0.01\n{rest}"))
}

fn good_scene() -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good_scenes/clusters.toml");
    scene::load(&path).unwrap_or_else(|error| panic!("{}", error.plain()))
}

#[test]
fn every_kind_of_template_can_be_placed() {
    let loaded = good_scene();
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let scene = &loaded.scene;
    let count = |name: &str| {
        let group = scene.groups.iter().position(|group| group == name).expect("a group") as u16;
        let spheres = scene.bodies.iter().filter(|body| body.group == group).count();
        let bonds = scene.bonds.iter().filter(|bond| scene.bodies[bond.a as usize].group == group).count();
        (spheres, bonds)
    };
    assert_eq!(count("cubes"), (2 * 27, 2 * 54));
    assert_eq!(count("octahedra"), (8 * 6, 8 * 12));
    assert_eq!(count("rods"), (10 * 5, 10 * 4));
    let (spheres, bonds) = count("packings");
    assert!(spheres == 30 && (3 * 19..=3 * 24).contains(&bonds), "{spheres} {bonds}");
    assert_eq!(count("filled").0, 8, "eight spheres of a quarter of the edge fill a cube");
    assert_eq!(count("table"), (3, 2));
    assert!(count("tablets").0 > 20);
    assert!(scene.offsets.len() == 1, "two of the table overlap without a bond: {:?}", scene.offsets);
    for bond in &scene.bonds {
        assert_eq!(scene.bodies[bond.a as usize].group, scene.bodies[bond.b as usize].group);
    }
}

#[test]
fn clusters_from_a_table_are_turned_and_move_as_it_says() {
    let scene = good_scene().scene;
    let group = scene.groups.iter().position(|group| group == "rows").expect("a group") as u16;
    let spheres: Vec<_> = scene.bodies.iter().filter(|body| body.group == group).collect();
    assert_eq!(spheres.len(), 10);
    let middle = |rod: usize| (spheres[5 * rod].position + spheres[5 * rod + 4].position) / 2.0;
    assert!((middle(0) - DVec3::new(0.55, 0.0, 0.0)).length() < 1e-12, "{}", middle(0));
    assert!((middle(1) - DVec3::new(0.55, 0.05, 0.0)).length() < 1e-12, "{}", middle(1));
    let along = |rod: usize| (spheres[5 * rod + 4].position - spheres[5 * rod].position).normalize();
    assert!((along(0) - DVec3::Y).length() < 1e-12 && (along(1) - DVec3::X).length() < 1e-12);
    assert_eq!((spheres[0].velocity, spheres[5].velocity), (DVec3::X, DVec3::ZERO));
}

#[test]
fn bonds_are_what_their_table_says() {
    let scene = good_scene().scene;
    let (soft, hard) = (&scene.model.bonds[0], &scene.model.bonds[1]);
    assert_eq!((soft.stiffness_ratio, soft.damping_ratio), (2.5, 0.05));
    assert_eq!((soft.tensile_strength, soft.shear_strength), (f64::INFINITY, f64::INFINITY));
    assert_eq!((hard.tensile_strength, hard.shear_strength), (6e5, f64::INFINITY));
    let strengths = |kind: u16| scene.bonds.iter().filter(move |b| b.kind.0 == kind).map(|b| b.strength);
    assert!(strengths(0).all(|strength| strength == 1.0));
    assert!(strengths(1).any(|strength| strength < 0.95) && strengths(1).any(|strength| strength > 1.05));
    for bond in &scene.bonds {
        let smaller = [bond.a, bond.b].map(|place| scene.bodies[place as usize].radius);
        let factor = if bond.kind.0 == 1 { 0.8 } else { 1.0 };
        assert!((bond.radius - factor * smaller[0].min(smaller[1])).abs() < 1e-15);
    }
}

#[test]
fn random_clusters_keep_clear_of_each_other() {
    let scene = with(
        r#"
[[bodies]]
kind = "random"
material = "rock"
template = "cube"
count = 12
region = { shape = "box", min = [0, 0, 0], max = [0.08, 0.08, 0.08] }
"#,
    );
    assert_eq!((scene.bodies.len(), scene.bonds.len()), (12 * 27, 12 * 54));
    for (i, a) in scene.bodies.iter().enumerate() {
        for b in &scene.bodies[..i - i % 27] {
            assert!(a.position.distance(b.position) >= 4e-3 * (1.0 - 1e-9));
        }
        assert!(a.position.min_element() > 2e-3 && a.position.max_element() < 0.078);
    }
    // Each is turned its own way.
    let edge = |cube: usize| scene.bodies[27 * cube + 1].position - scene.bodies[27 * cube].position;
    assert!((edge(0) - edge(1)).length() > 1e-4);
    assert!((edge(0).length() - 4e-3).abs() < 1e-12);
}

#[test]
fn an_amount_by_mass_counts_whole_clusters() {
    let cube = 27.0 * 2500.0 * sphere_volume(2e-3);
    let scene = with(&format!(
        r#"
[[bodies]]
kind = "random"
material = "rock"
template = "cube"
mass = {}
region = {{ shape = "box", min = [0, 0, 0], max = [0.1, 0.1, 0.1] }}
"#,
        7.3 * cube
    ));
    assert_eq!(scene.bodies.len(), 7 * 27);
}

#[test]
fn the_step_follows_the_stiffest_bond() {
    let bodies =
        "[[bodies]]\nkind = \"list\"\nmaterial = \"rock\"\ntemplate = \"cube\"\npositions = [[0, 0, 0]]\n";
    let scene = with(bodies);
    let (radius, normal) = (2e-3_f64, 5e6 / 4e-3);
    let (mass, area) = (2500.0 * sphere_volume(radius), std::f64::consts::PI * radius * radius);
    let inertia = 0.4 * mass * radius * radius;
    let turning = normal / 2.5 * area * radius * radius + normal * area * radius * radius / 4.0;
    let expected = (mass / (3.0 * normal * area)).sqrt().min((inertia / (3.0 * turning)).sqrt());
    let limits = StepLimits::of(&scene);
    assert!((limits.bond / expected - 1.0).abs() < 1e-9, "{} {expected}", limits.bond);
    assert!(limits.bonds_refuse());
    assert!((Setup::new(&scene).time_step / (0.25 * expected) - 1.0).abs() < 1e-9);
    let verdict = |part: f64| {
        let mut scene = scene.clone();
        scene.model.time.step = breccia::model::StepChoice::Fixed(part * expected);
        StepLimits::of(&scene).judge(&scene.model)
    };
    assert_eq!(verdict(0.249), StepVerdict::Good);
    assert_eq!((verdict(0.26), verdict(0.59)), (StepVerdict::Long, StepVerdict::Long));
    assert_eq!(verdict(0.61), StepVerdict::Refused);
    // Clusters that are poured later count as much.
    let pour = "[[bodies]]\nkind = \"pour\"\nmaterial = \"rock\"\ntemplate = \"cube\"\nrate = \"10 1/s\"\n\
                region = { shape = \"box\", min = [0, 0, 0], max = [1, 1, 1] }\n";
    assert!((StepLimits::of(&with(pour)).bond / expected - 1.0).abs() < 1e-9);
}

#[test]
fn spheres_of_one_cluster_may_overlap_but_not_those_of_two() {
    let dense =
        "[[template]]\nname = \"dense\"\nkind = \"packing\"\nn = 12\nradius = \"2 mm\"\nbond = \"cement\"\n";
    let place = |positions: &str| {
        let text = format!(
            "{HEAD}{dense}[time]\nduration = 0.01\n[[bodies]]\nkind = \"list\"\nmaterial = \"rock\"\n\
             template = \"dense\"\npositions = {positions}\n[[bodies]]\nkind = \"list\"\nmaterial = \"rock\"\n\
             template = \"cube\"\npositions = [[1, 0, 0]]\n"
        );
        scene::load_str("test.toml", &text, Path::new("")).unwrap_or_else(|error| panic!("{}", error.plain()))
    };
    let warnings = place("[[0, 0, 0]]").warnings;
    assert!(warnings.is_empty(), "{warnings:?}");
    let warnings = place("[[0, 0, 0], [\"9 mm\", 0, 0]]").warnings;
    assert!(warnings.len() == 1 && warnings[0].message().contains("overlap at the start"), "{warnings:?}");
}
