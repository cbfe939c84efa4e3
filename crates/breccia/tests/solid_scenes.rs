//! Scenes of deformable bodies: what they mean, and which are refused.

use breccia::deformable::{Penalty, SolidPlan, SolidRun};
use breccia::output::observe_solids::{solid_columns, solid_frame, solid_picture, solid_row, von_mises};
use breccia::output::render_flat;
use breccia::scene::{Loaded, load_str};
use glam::dvec2;
use std::path::Path;

const HEAD: &str = r#"
[time]
duration = "1 s"
step = "20 ms"

[[material]]
name = "elastic"
density = 1
young_modulus = 2666.6666666666665
poisson_ratio = 0.3333333333333333
"#;

fn load(text: &str) -> Result<Loaded, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/solid_meshes");
    load_str("test.toml", &format!("{HEAD}{text}"), &folder).map_err(|error| format!("{error:?}"))
}

fn plan(text: &str) -> SolidPlan {
    load(text).unwrap_or_else(|error| panic!("{error}")).scene.solids.expect("solids")
}

fn refusal(text: &str) -> String {
    load(text).err().unwrap_or_else(|| panic!("accepted: {text}"))
}

const DISK: &str = "[[solid]]\nmaterial = \"elastic\"\nshape = \"disk\"\nradius = 1\n";

#[test]
fn copies_are_placed_turned_and_named() {
    let text = format!(
        "{DISK}name = \"d\"\nposition = [1, 2, 0]\ncolumns = 2\nrows = 3\nspacing = [3, 4, 0]\nangle = 0.1\nturn = 0.2\n\
         velocity = [0.5, 0, 0]\nspin = 2\n"
    );
    let plan = plan(&text);
    assert_eq!((plan.shapes.len(), plan.bodies.len()), (1, 6));
    let fourth = &plan.bodies[3];
    assert_eq!((fourth.name.as_str(), fourth.position, fourth.spin), ("d 4", dvec2(4.0, 2.0), 2.0));
    assert!((fourth.angle - 0.7).abs() < 1e-15);
    assert_eq!(plan.bodies[1].position, dvec2(1.0, 6.0));
    assert_eq!(plan.node_count(), 6 * 177);
    // Default stiffness: four times Young's modulus; Lamé's constants follow from the material.
    assert_eq!(
        plan.bodies[0].surfaces[0].penalty,
        Penalty::PerPoint(4.0 * plan.shapes[0].material.young_modulus())
    );
    assert!((plan.shapes[0].material.lame_lambda - 2000.0).abs() < 1e-9);
    assert_eq!(plan.gravity, dvec2(0.0, 0.0));
}

#[test]
fn lame_constants_of_an_entry_override_the_material() {
    let plan =
        plan(&format!("{DISK}lame_lambda = 500\nshear_modulus = 300\nthickness = 0.5\nlumped_mass = true\n"));
    let shape = &plan.shapes[0];
    assert_eq!(
        (shape.material.lame_lambda, shape.material.shear_modulus, shape.thickness),
        (500.0, 300.0, 0.5)
    );
}

#[test]
fn surfaces_supports_walls_and_obstacles_are_understood() {
    let text = r#"
gravity_is_below = false
"#;
    assert!(refusal(text).contains("gravity_is_below"));
    let text = r#"
[[wall]]
name = "box"
shape = "box"
material = "elastic"
min = [-5, -5, -1]
max = [5, 5, 1]
open = ["+y"]

[[wall]]
name = "ramp"
shape = "plane"
material = "elastic"
normal = [1, 1, 0]
point = [-4, -4, 0]

[[solid]]
name = "bar"
material = "elastic"
shape = "rectangle"
width = 4
height = 1
along = 8
up = 2
friction = 0.1

[[solid.surface]]
min = [1.9, -1, 0]
max = [2.1, 1, 0]
friction = 0.7
traction = [3, 0, 0]

[[solid.support]]
min = [-2.1, -1, 0]
max = [-1.9, 1, 0]
axes = ["x"]
velocity = [0.5, 0, 0]

[[obstacle]]
shape = "disc"
position = [0, 3, 0]
radius = 0.5
points = 16
velocity = [0, -1, 0]

[solids]
wall_friction = 0.2
sort_every = 4
"#;
    let plan = plan(text);
    let names: Vec<&str> = plan.walls.iter().map(|wall| wall.name.as_str()).collect();
    assert_eq!(names, ["box -x", "box +x", "box -y", "ramp"]);
    assert!(plan.walls.iter().all(|wall| wall.surface.friction == 0.2));
    let bar = &plan.bodies[0];
    assert_eq!(bar.surface_of_segment.iter().filter(|&&surface| surface == 1).count(), 2);
    assert_eq!((bar.surfaces[0].friction, bar.surfaces[1].friction), (0.1, 0.7));
    assert_eq!(bar.tractions[0].stress, dvec2(3.0, 0.0));
    assert_eq!((bar.supports[0].nodes.len(), bar.supports[0].axes), (3, [true, false]));
    assert_eq!((plan.obstacles[0].polygon.len(), plan.obstacles[0].motion.centre), (16, dvec2(0.0, 3.0)));
    assert_eq!(plan.settings.steps_between_sorts, 4);
    let mut run = SolidRun::new(plan.setup().unwrap());
    run.step().unwrap();
    // Guided nodes start as they are guided.
    assert_eq!(run.setup.bodies[0].velocities[0].x, 0.5);
}

#[test]
fn quads_and_triangles_of_a_gmsh_file_become_a_body() {
    let plan =
        plan("[[solid]]\nmaterial = \"elastic\"\nshape = \"mesh\"\nfile = \"wedge.msh\"\nunit = \"cm\"\n");
    let mesh = &plan.shapes[0].mesh;
    assert_eq!((mesh.points.len(), mesh.cells.len()), (5, 2));
    assert!((mesh.area() - 1.5e-4).abs() < 1e-18);
}

#[test]
fn wrong_scenes_are_refused_with_a_remedy() {
    let cases = [
        (format!("{DISK}[[mesh]]\nfile = \"wedge.msh\"\nmaterial = \"elastic\"\n"), "do not meet meshes"),
        (
            format!(
                "{DISK}[[bodies]]\nkind = \"list\"\nmaterial = \"elastic\"\nradius = 1\npositions = [[0, 0, 0]]\n"
            ),
            "cannot be in one scene",
        ),
        (format!("{DISK}velocity = [0, 0, 1]\n"), "x–y plane"),
        (format!("{DISK}columns = 3\n"), "spacing"),
        (format!("{DISK}core = 0\n"), "between 1 and"),
        (format!("{DISK}penalty = 1\npenalty_per_area = 1\n"), "cannot both"),
        (DISK.replace("radius = 1", "radius = -1"), "greater than zero"),
        (DISK.replace("elastic", "gold"), "unknown material"),
        (format!("{DISK}[[solid.support]]\nmin = [5, 5, 0]\nmax = [6, 6, 0]\n"), "no node lies in this box"),
        (
            format!("{DISK}[[solid.support]]\nmin = [-5, -5, 0]\nmax = [6, 6, 0]\naxes = [\"z\"]\n"),
            "axes x and y",
        ),
        (
            format!(
                "{DISK}[[wall]]\nshape = \"sphere\"\nmaterial = \"elastic\"\ncentre = [0, 0, 0]\nradius = 9\n"
            ),
            "walls of this shape",
        ),
        (
            format!("{DISK}[[obstacle]]\nshape = \"polygon\"\ncorners = [[0, 5, 0], [0, 6, 0], [1, 5, 0]]\n"),
            "counter-clockwise",
        ),
        (
            "[[solid]]\nmaterial = \"elastic\"\nshape = \"block\"\nalong = 1\nup = 1\n\
             corners = [[0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0]]\n"
                .to_owned(),
            "flat or folded",
        ),
        (
            "[[solid]]\nmaterial = \"elastic\"\nshape = \"mesh\"\nfile = \"none.msh\"\n".to_owned(),
            "cannot use the mesh",
        ),
        (
            "[[obstacle]]\nshape = \"disc\"\nposition = [0, 0, 0]\nradius = 1\n".to_owned(),
            "deformable bodies alone",
        ),
        (format!("{DISK}[solids]\ntolerance = 1e-14\n"), "between"),
    ];
    for (text, expected) in cases {
        let error = refusal(&text);
        assert!(error.contains(expected), "expected `{expected}` in {error}");
    }
}

#[test]
fn an_automatic_step_is_the_time_of_a_wave_through_half_a_body() {
    let loaded =
        load_str("test.toml", &format!("{}{DISK}", HEAD.replace("step = \"20 ms\"", "")), Path::new(""))
            .unwrap();
    let step = loaded.scene.solids.unwrap().settings.time_step;
    assert!((step - 1.0 / 4000.0_f64.sqrt()).abs() < 1e-12, "{step}");
}

#[test]
fn frames_rows_and_pictures_show_a_run() {
    let text = format!(
        "{DISK}[[wall]]\nshape = \"plane\"\nmaterial = \"elastic\"\nnormal = [0, 1, 0]\npoint = [0, -1.005, 0]\n\
         [[obstacle]]\nshape = \"disc\"\nposition = [3, 0, 0]\nradius = 1\n"
    )
    .replace("radius = 1\n[[wall]]", "radius = 1\nvelocity = [0, -0.5, 0]\n[[wall]]");
    let mut run = SolidRun::new(plan(&text).setup().unwrap());
    for _ in 0..4 {
        run.step().unwrap();
    }
    assert!(run.state.last.active > 0);
    let row = solid_row(&run);
    assert_eq!(row.len(), solid_columns().len());
    assert!((row[0] - 0.08).abs() < 1e-15);
    let frame = solid_frame(&run, true);
    let solids = frame.solids.unwrap();
    assert_eq!((solids.points.len(), solids.polys.len()), (177 + 48, 160 + 1));
    let folder = tempfile::tempdir().unwrap();
    solids.write(&folder.path().join("solids.vtp")).unwrap();
    let contacts = frame.contacts.unwrap();
    assert_eq!(contacts.ends.len(), run.state.pairs.rows.len());
    assert!(contacts.walls.iter().all(|&wall| wall == 1));
    let pressed: f64 = contacts.normal_forces.iter().sum();
    assert!(pressed > 0.0);
    assert_eq!(frame.walls.map(|walls| walls.walls.len()), Some(run.setup.walls.len()));
    let (picture, options) = solid_picture(&run, "test");
    let image = render_flat(&picture, &options);
    assert!(image.pixels.iter().any(|pixel| *pixel != [255; 3]));
}

#[test]
fn von_mises_of_plain_stresses() {
    assert_eq!(von_mises([5.0, 0.0, 0.0, 0.0]), 5.0);
    assert_eq!(von_mises([3.0, 3.0, 0.0, 3.0]), 0.0);
    assert!((von_mises([0.0, 0.0, 2.0, 0.0]) - 12.0_f64.sqrt()).abs() < 1e-15);
}
