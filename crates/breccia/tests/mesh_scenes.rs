//! Scenes with meshes: what they become, what is warned about, and that they run.

use breccia::model::{MaterialId, MeshSurface, WallId};
use breccia::motion::MotionKind;
use breccia::scene::{self, Action, InletStream, Loaded, Scene};
use breccia::simulation::Simulation;
use glam::{DVec3, dvec3};
use std::f64::consts::FRAC_PI_2;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good_scenes")
}

fn meshes() -> Scene {
    let loaded =
        scene::load(&folder().join("meshes.toml")).unwrap_or_else(|error| panic!("{}", error.plain()));
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    assert_eq!(loaded.meshes.len(), 3);
    assert_eq!(loaded.meshes[0].groups, ["lid", "walls"]);
    loaded.scene
}

fn mesh<'a>(scene: &'a Scene, name: &str) -> &'a MeshSurface {
    let wall = scene.model.walls.iter().find(|wall| wall.name == name).expect("a wall of that name");
    wall.mesh().expect("a mesh")
}

fn box_of(surface: &MeshSurface) -> (DVec3, DVec3) {
    surface.mesh.bounding_box().expect("elements")
}

/// Whether corners of boxes agree up to rounding.
fn is_near(found: (DVec3, DVec3), expected: (DVec3, DVec3)) -> bool {
    (found.0 - expected.0).length() < 1e-12 && (found.1 - expected.1).length() < 1e-12
}

const MINIMAL: &str = r#"
[time]
duration = 1
[[material]]
name = "glass"
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[pair_default]
restitution = 0.9
"#;

const BALL: &str = "[[bodies]]\nkind = \"list\"\nmaterial = \"glass\"\nradius = 0.01\n";

/// A scene with files of its own.
fn load(files: &[(&str, &str)], text: &str) -> Loaded {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).expect("a file");
    }
    let text = format!("{MINIMAL}{text}");
    scene::load_str("scene.toml", &text, folder.path()).unwrap_or_else(|error| panic!("{}", error.plain()))
}

/// The one warning of a scene.
fn warning(files: &[(&str, &str)], text: &str) -> breccia::scene::Problem {
    let warnings = load(files, text).warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    warnings.into_iter().next().expect("a warning")
}

/// The unit cube, quads facing outwards, less so many of its last sides.
fn cube(missing: usize) -> String {
    let corner = |i: u32| format!("v {} {} {}\n", i & 1, i >> 1 & 1, i >> 2);
    let sides = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"];
    let faces = sides[..6 - missing].iter().map(|side| format!("f {side}\n"));
    (0..8).map(corner).chain(faces).collect()
}

#[test]
fn meshes_come_after_walls_with_their_names_materials_and_sides() {
    let scene = meshes();
    let names: Vec<&str> = scene.model.walls.iter().map(|wall| wall.name.as_str()).collect();
    assert_eq!(names, ["floor", "bin", "mesh-2", "block"]);
    assert_eq!(scene.events[0].action, Action::RemoveWall(WallId(2)));
    assert!(!scene.model.search.fast_test);
    let bin = mesh(&scene, "bin");
    assert_eq!(bin.materials, [MaterialId(2), MaterialId(1)]);
    assert_eq!(scene.model.walls[1].material, MaterialId(1));
    let lid = (0_u32..).zip(&bin.mesh.elements).find(|(_, element)| element.group == 0).expect("a lid");
    assert_eq!(bin.material_of(lid.0), Some(MaterialId(2)));
    assert!(bin.mesh.is_closed() && bin.mesh.volume() < 0.0, "faces inwards");
    assert!(mesh(&scene, "mesh-2").mesh.two_sided);
    assert!((mesh(&scene, "block").mesh.volume() + 1.0).abs() < 1e-12, "outwards in the file, reversed");
    assert_eq!(scene.model.walls[1].material, MaterialId(1));
}

#[test]
fn the_material_of_a_mesh_is_that_of_elements_without_a_group() {
    let file = cube(0).replace("f 1 3 4 2", "g lid\nf 1 3 4 2");
    let text = format!(
        "[[material]]\nname = \"steel\"\ndensity = 1\nyoung_modulus = \"rigid\"\npoisson_ratio = 0\n\
         {BALL}positions = [[3, 3, 3]]\n\
         [[mesh]]\nfile = \"cube.obj\"\nmaterial = \"glass\"\ngroups = [{{ name = \"lid\", material = \"steel\" }}]\n"
    );
    let scene = load(&[("cube.obj", &file)], &text).scene;
    assert_eq!(scene.model.walls[0].material, MaterialId(0));
}

#[test]
fn points_are_scaled_then_turned_then_moved() {
    let scene = meshes();
    // 200 mm along x, y, z; a quarter turn about z, then one about x; then 1 m along x.
    let expected = (dvec3(0.8, -0.2, 0.0), dvec3(1.0, 0.0, 0.2));
    assert!(is_near(box_of(mesh(&scene, "bin")), expected), "{:?}", box_of(mesh(&scene, "bin")));
    assert!(is_near(box_of(mesh(&scene, "mesh-2")), (dvec3(2.0, 0.0, 0.0), dvec3(2.1, 0.1, 0.1))));
    assert!(is_near(box_of(mesh(&scene, "block")), (dvec3(-1.0, -1.0, 0.0), dvec3(0.0, 0.0, 1.0))));
    // The lid, at the top of the file, is turned to face along −y.
    let bin = &mesh(&scene, "bin").mesh;
    let lid = bin.elements.iter().find(|element| element.group == 0).expect("a lid");
    assert!((lid.normal - DVec3::Y).length() < 1e-12, "inwards of −y: {}", lid.normal);
}

#[test]
fn a_rotation_before_a_translation_turns_about_a_moving_axis() {
    let scene = meshes();
    let motion = &scene.model.walls[1].motion;
    assert!(matches!(motion.parts[0].kind, MotionKind::Rotation { .. }));
    let pose = motion.pose(1.0);
    // A quarter turn about the axis through (1, 0), which has come to (1, 3).
    let found = pose.point_to_world(dvec3(0.8, 0.0, 0.1));
    assert!((found - dvec3(1.0, 2.8, 0.1)).length() < 1e-12, "{found}");
    assert!((pose.point_to_world(DVec3::X) - dvec3(1.0, 3.0, 0.0)).length() < 1e-12, "the axis travels");
    let velocity = motion.twist(1.0).velocity_at(dvec3(1.0, 2.8, 0.1));
    assert!((velocity - dvec3(0.2 * FRAC_PI_2, 3.0, 0.0)).length() < 1e-12, "{velocity}");
}

#[test]
fn generated_spheres_lie_inside_the_mesh() {
    let scene = meshes();
    let of_group = |group: u16| scene.bodies.iter().filter(move |body| body.group == group);
    let lies_in = |low: DVec3, high: DVec3, centre: DVec3, radius: f64| {
        let reach = radius - 1e-12;
        (centre - low).min_element() >= reach && (high - centre).min_element() >= reach
    };
    let (low, high) = (dvec3(0.8, -0.2, 0.0), dvec3(1.0, 0.0, 0.2));
    assert!(of_group(0).all(|body| lies_in(low, high, body.position, body.radius)));
    let volume: f64 = of_group(0).map(|body| breccia::shapes::sphere_volume(body.radius)).sum();
    assert!((volume / 0.008 - 0.1).abs() < 1e-3, "{volume}");
    // Of eleven places along each axis nine lie inside with all of their sphere.
    let (low, high) = (dvec3(2.0, 0.0, 0.0), dvec3(2.1, 0.1, 0.1));
    assert_eq!(of_group(1).count(), 729);
    assert!(of_group(1).all(|body| lies_in(low, high, body.position, body.radius)));
    let (mut stream, inlet) = (InletStream::new(&scene.inlets[0]), &scene.inlets[0]);
    for _ in 0..100 {
        let place = stream.propose(inlet, &scene.model.domain, 200, |_, _| true).expect("a place");
        assert!(lies_in(low, high, place.position, place.radius), "{place:?}");
    }
}

#[test]
fn random_spheres_keep_clear_of_obstacles_in_the_region() {
    let text = "[[bodies]]\nkind = \"random\"\nmaterial = \"glass\"\nradius = 0.05\nvolume_fraction = 0.1\n\
                region = { shape = \"box\", min = [-0.5, -0.5, -0.5], max = [1.5, 1.5, 1.5] }\n\
                [[mesh]]\nfile = \"cube.obj\"\nmaterial = \"glass\"\n";
    let loaded = load(&[("cube.obj", &cube(0))], text);
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    let gap = |p: DVec3| (p.clamp(DVec3::ZERO, DVec3::ONE) - p).length();
    assert!(loaded.scene.bodies.iter().all(|body| gap(body.position) >= body.radius - 1e-12));
}

#[test]
fn a_region_is_where_the_mesh_is_at_the_start() {
    let text = "[[bodies]]\nkind = \"random\"\nmaterial = \"glass\"\nradius = 0.1\ncount = 20\n\
                region = { shape = \"mesh\", mesh = \"mesh-1\" }\n\
                [[mesh]]\nfile = \"cube.obj\"\nmaterial = \"glass\"\ntwo_sided = true\n\
                motion = [{ kind = \"table\", points = [{ time = 0, translation = [5, 0, 0] }] }]\n";
    let scene = load(&[("cube.obj", &cube(0))], text).scene;
    assert!(scene.bodies.iter().all(|body| body.position.x > 5.0 && body.position.x < 6.0));
}

#[test]
fn what_the_doctor_mends_is_warned_about_at_the_mesh() {
    let mesh =
        format!("{BALL}positions = [[3, 3, 3]]\n[[mesh]]\nfile = \"cube.obj\"\nmaterial = \"glass\"\n");
    let twice = cube(0) + "f 1 3 4 2\n";
    let found = warning(&[("cube.obj", &twice)], &mesh);
    assert!(found.message().contains("1 element there twice dropped"), "{found}");
    assert_eq!((found.line(), found.label()), (Some(16), Some("mended here")));
    let turned = cube(0).replace("f 1 3 4 2", "f 2 4 3 1");
    let found = warning(&[("cube.obj", &turned)], &mesh);
    assert!(found.message().contains("1 element turned to agree with those beside"), "{found}");
    assert!(load(&[("cube.obj", &cube(0))], &mesh).warnings.is_empty());
}

#[test]
fn only_an_unasked_turn_of_a_closed_body_is_warned_about() {
    let inside_out = cube(0).lines().fold(String::new(), |text, line| match line.strip_prefix("f ") {
        Some(ids) => text + "f " + &ids.chars().rev().collect::<String>() + "\n",
        None => text + line + "\n",
    });
    let mesh =
        format!("{BALL}positions = [[3, 3, 3]]\n[[mesh]]\nfile = \"cube.obj\"\nmaterial = \"glass\"\n");
    let found = warning(&[("cube.obj", &inside_out)], &mesh);
    assert!(found.message().contains("faced the wrong way"), "{found}");
    let asked = mesh + "facing = \"outwards\"\n";
    assert!(load(&[("cube.obj", &inside_out)], &asked).warnings.is_empty());
}

#[test]
fn an_open_one_sided_mesh_asks_for_its_side() {
    let mesh =
        format!("{BALL}positions = [[3, 3, 3]]\n[[mesh]]\nfile = \"cube.obj\"\nmaterial = \"glass\"\n");
    let found = warning(&[("cube.obj", &cube(1))], &mesh);
    assert!(found.message().contains("this mesh is open"), "{found}");
    assert!(found.message().contains("1 loop of free edges (4.0000 m)"), "{found}");
    for side in ["facing = \"as-given\"", "facing = \"reversed\"", "two_sided = true"] {
        let known = format!("{mesh}{side}\n");
        assert!(load(&[("cube.obj", &cube(1))], &known).warnings.is_empty(), "{side}");
    }
    let useless = mesh + "two_sided = true\nfacing = \"inwards\"\n";
    let found = warning(&[("cube.obj", &cube(1))], &useless);
    assert!(found.message().contains("`facing` means nothing"), "{found}");
    assert_eq!(found.line(), Some(20));
}

#[test]
fn sizes_that_look_wrong_are_warned_about() {
    let scene = |radius: &str, more: &str| {
        format!(
            "[[bodies]]\nkind = \"list\"\nmaterial = \"glass\"\nradius = {radius}\npositions = [[-9, -9, -9]]\n\
             [[mesh]]\nfile = \"cube.obj\"\nmaterial = \"glass\"\n{more}"
        )
    };
    let files = [("cube.obj", &cube(0)[..])];
    for (radius, more, fragment) in [
        ("0.0008", "", "a file in millimetres needs unit = \"mm\""),
        ("0.1", "unit = \"mm\"\n", "look at `unit` and `scale`"),
        ("1", "scale = 100\n", "that is large"),
    ] {
        let text = scene(radius, more)
            .replace("[-9, -9, -9]", if radius == "1" { "[-200, 0, 0]" } else { "[-9, 0, 0]" });
        let found = warning(&files, &text);
        assert!(found.message().starts_with("this mesh measures"), "{found}");
        assert!(found.help_text().is_some_and(|help| help.contains(fragment)), "{}", found.plain());
        assert_eq!(found.line(), Some(17));
    }
    for (radius, more) in [("0.0008", "unit = \"m\"\n"), ("0.001", ""), ("0.1", "")] {
        assert!(load(&files, &scene(radius, more)).warnings.is_empty(), "{radius} {more}");
    }
}

#[test]
fn spheres_that_start_in_overlap_or_outside_are_warned_about() {
    let container =
        "[[mesh]]\nname = \"bin\"\nfile = \"cube.obj\"\nmaterial = \"glass\"\nfacing = \"inwards\"\n";
    let files = [("cube.obj", &cube(0)[..])];
    let scene = |positions: &str| format!("{BALL}positions = {positions}\n{container}");
    assert!(load(&files, &scene("[[0.5, 0.5, 0.5], [0.2, 0.2, 0.00999]]")).warnings.is_empty());
    let found = warning(&files, &scene("[[0.5, 0.5, 0.5], [0.2, 0.2, 0.008], [0.7, 0.2, 0.009]]"));
    let expected = "2 spheres start in overlap with the mesh `bin`, the deepest by 0.200 of its radius: \
                    body 1 at (0.2, 0.2, 0.008) m";
    assert_eq!((found.message(), found.line()), (expected, Some(11)));
    let found = warning(&files, &scene("[[0.5, 0.5, 0.5], [0.5, 0.5, 3]]"));
    let expected =
        "a sphere starts outside the mesh `bin`, which faces inwards; the first is body 1 at (0.5, 0.5, 3) m";
    assert_eq!((found.message(), found.line()), (expected, Some(11)));
    // Each of two containers has its own spheres.
    let second = container.replace("bin", "other") + "translate = [0, 0, 2.5]\n";
    let both = scene("[[0.5, 0.5, 0.5], [0.5, 0.5, 3]]") + &second;
    assert!(load(&files, &both).warnings.is_empty());
    let floor = "[[wall]]\nname = \"floor\"\nmaterial = \"glass\"\nshape = \"plane\"\nnormal = [0, 0, 1]\n";
    let found = warning(&[], &format!("{BALL}positions = [[0, 0, 0.006]]\n{floor}"));
    assert!(
        found.message().starts_with("a sphere starts in overlap with the wall `floor`, by 0.400"),
        "{found}"
    );
}

#[test]
fn a_wall_taken_away_at_once_holds_nobody() {
    let text = format!(
        "{BALL}positions = [[0, 0, -1]]\n[[wall]]\nname = \"lid\"\nmaterial = \"glass\"\nshape = \"plane\"\nnormal = [0, 0, 1]\n\
         [[event]]\naction = \"remove-wall\"\nwall = \"lid\"\n"
    );
    assert!(load(&[], &text).warnings.is_empty());
}

#[test]
fn a_mesh_over_a_periodic_side_is_warned_about() {
    let text = format!(
        "[domain]\nmin = [0.5, -9, -9]\nmax = [9, 9, 9]\nperiodic = [\"x\"]\n{BALL}positions = [[3, 3, 3]]\n\
         [[mesh]]\nfile = \"cube.obj\"\nmaterial = \"glass\"\n"
    );
    let found = warning(&[("cube.obj", &cube(0))], &text);
    assert!(found.message().contains("this mesh reaches over a side of the periodic axis `x`"), "{found}");
    assert_eq!(found.line(), Some(20));
}

#[test]
fn a_scene_in_a_moving_mesh_runs_and_keeps_its_spheres() {
    let text = "[[bodies]]\nkind = \"random\"\nmaterial = \"glass\"\nradius = 0.08\ncount = 60\n\
                region = { shape = \"mesh\", mesh = \"drum\" }\n\
                [[mesh]]\nname = \"drum\"\nfile = \"cube.obj\"\nmaterial = \"glass\"\nfacing = \"inwards\"\n\
                motion = [{ kind = \"rotation\", point = [0.5, 0.5, 0.5], axis = [0, 1, 0], speed = 3 }, \
                { kind = \"translation\", velocity = [1, 0, 0] }]\n";
    let scene = load(&[("cube.obj", &cube(0))], text).scene;
    let mut run = Simulation::new(&scene);
    for _ in 0..2000 {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    let pose = scene.model.walls[0].motion.pose(run.time());
    let local = run.state.bodies.rows().iter().map(|row| pose.point_to_body(row.centre()));
    assert!(local.clone().count() == 60);
    for place in local {
        assert!(place.min_element() > 0.0 && place.max_element() < 1.0, "{place}");
    }
}

#[test]
fn a_resolved_scene_names_its_meshes() {
    let text = scene::resolved_toml(&meshes()).expect("a scene has a form in TOML");
    let table: toml::Table = text.parse().expect("TOML");
    let walls = table["model"]["walls"].as_array().expect("walls");
    assert_eq!(walls[1]["surface"]["Mesh"]["source"].as_str(), Some("cube.obj"));
    assert_eq!(table["inlets"][0]["region"]["Mesh"]["name"].as_str(), Some("mesh-2"));
}
