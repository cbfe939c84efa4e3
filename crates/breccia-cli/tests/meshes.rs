//! Meshes as a user meets them: check tells what is in them, mistakes name their place, a run goes through.

mod common;

use common::Desk;

/// A cube of 100 mm with a lid of its own, in text STL.
fn cube() -> String {
    let corner = |i: usize| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 100 * bit);
    let sides = [[4, 5, 7, 6], [0, 2, 3, 1], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let facet = |ids: [usize; 3]| {
        let vertices = ids.map(corner).map(|[x, y, z]| format!("vertex {x} {y} {z}\n"));
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", vertices.concat())
    };
    let halves = sides.map(|[a, b, c, d]| facet([a, b, c]) + &facet([a, c, d]));
    format!("solid lid\n{}endsolid lid\nsolid rest\n{}endsolid rest\n", halves[0], halves[1..].concat())
}

const SCENE: &str = r#"
[time]
duration = "2 ms"
[[material]]
name = "glass"
density = 2500
young_modulus = "10 MPa"
poisson_ratio = 0.25
[[material]]
name = "steel"
density = 7800
young_modulus = "rigid"
poisson_ratio = 0.3
[pair_default]
restitution = 0.8
[[bodies]]
kind = "random"
material = "glass"
radius = "4 mm"
region = { shape = "mesh", mesh = "bin" }
count = 50
[[mesh]]
name = "bin"
file = "bin.stl"
unit = "mm"
material = "steel"
groups = [{ name = "lid", material = "glass" }]
facing = "inwards"
motion = [{ kind = "rotation", axis = [0, 0, 1], speed = "30 rpm" }]
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("bin.stl", cube());
    desk
}

#[test]
fn check_tells_what_is_in_a_mesh_and_the_scene_runs() {
    let desk = desk();
    desk.write("bin.toml", SCENE);
    let checked = desk.breccia(&["check", "bin.toml"]).exits(0);
    for part in [
        "walls        none",
        "mesh         \"bin\" from bin.stl: 12 triangles",
        "edges: 6 coplanar, 12 concave",
        "closed, encloses 0.001 m³, one-sided, facing inwards: bodies are inside",
        "from [0, 0, 0] to [0.1, 0.1, 0.1] m",
        "group \"lid\": 2 elements of glass",
        "group \"rest\": 10 elements of steel",
        "moved by rotation",
        "mended: 1 closed body faced the wrong way: all 12 elements turned",
        "The scene can be run.",
    ] {
        assert!(checked.out.contains(part), "no `{part}` in:\n{}", checked.out);
    }
    assert_eq!(checked.err, "");
    let ran = desk.breccia(&["run", "bin.toml"]).exits(0);
    assert!(ran.out.starts_with("Finished"), "{}", ran.out);
}

#[test]
fn mistakes_with_meshes_name_their_place_and_nothing_is_run() {
    let desk = desk();
    for (from, to, parts) in [
        ("bin.stl", "bim.stl", &["bim.stl: cannot be read", "bin.toml:24:8"][..]),
        ("\"lid\"", "\"lit\"", &["the mesh has no group `lit`", "`lid`, `rest`"]),
        ("facing = \"inwards\"", "", &["the mesh `bin` faces outwards", "bin.toml:20"]),
        ("unit = \"mm\"", "unit = \"um\"", &["do not fit into this region"]),
    ] {
        desk.write("bin.toml", SCENE.replace(from, to));
        desk.breccia(&["check", "bin.toml"]).exits(1).complains(parts);
        desk.breccia(&["run", "bin.toml"]).exits(1).complains(parts);
        assert!(!desk.path("out").exists(), "{to}");
    }
}

#[test]
fn a_mesh_in_the_wrong_unit_is_asked_about() {
    let desk = desk();
    desk.write("bin.toml", SCENE.replace("unit = \"mm\"", ""));
    let asked = ["this mesh measures 100 × 100 × 100 m", "is its unit right?", "unit = \"mm\""];
    desk.breccia(&["check", "bin.toml"]).exits(0).complains(&asked);
}
