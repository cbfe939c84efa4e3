//! Clusters through the program: what is written, and the same through a restart in the middle of breakage.

mod common;

use common::Desk;

/// Cubes thrown on a floor, for a duration [s].
fn cubes(duration: f64) -> String {
    format!(
        r#"
[time]
duration = {duration}
step = "5 us"
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
weibull_modulus = 6
[[template]]
name = "cube"
kind = "cube"
n = 3
radius = "2 mm"
bond = "cement"
[[bodies]]
name = "cubes"
kind = "pour"
material = "rock"
template = "cube"
rate = "1000 1/s"
velocity = [0, 0, -4]
region = {{ shape = "box", min = [-0.05, -0.05, 0.001], max = [0.05, 0.05, 0.06] }}
[[wall]]
name = "floor"
material = "rock"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[output]
frames = 0.002
table = 0.0005
picture = false
[[profile]]
name = "layer"
along = "x"
bins = 10
every = 0.0035
times = [0.011, 0.019]
[[histogram]]
name = "speeds"
bins = 5
every = 0.005
"#
    )
}

#[test]
fn a_restart_in_the_middle_of_breakage_leaves_no_trace() {
    let desk = Desk::new();
    desk.write("scene.toml", cubes(0.02));
    let answer = desk.breccia(&["run", "scene.toml", "--out", "whole"]).exits(0);
    for part in [
        "Bonds\n",
        "broke by tension",
        "broken.csv",
        "breakage.svg",
        "bonds.pvd",
        "clusters, ",
        "histogram_speeds",
    ] {
        assert!(answer.out.contains(part), "no `{part}` in\n{}", answer.out);
    }
    desk.write("scene.toml", cubes(0.012));
    desk.breccia(&["run", "scene.toml", "--out", "parts"]).exits(0);
    let broken = |run: &str| desk.text(&format!("{run}/broken.csv"));
    let (whole, before) = (broken("whole"), broken("parts"));
    assert!(before.lines().count() > 20 && whole.lines().count() > before.lines().count() + 20, "{before}");
    assert!(whole.starts_with(&before));
    desk.write("scene.toml", cubes(0.02));
    desk.breccia(&["run", "scene.toml", "--out", "parts", "--restart"]).exits(0);
    assert_eq!(whole, broken("parts"));
    desk.same_results("whole", "parts");
    // The end of the first part is no occasion of either: its rows are gone again. At the start there is no body yet.
    for (table, rows) in [("profile_layer.csv", 10 * (5 + 2 + 1)), ("histogram_speeds.csv", 5 * 5)] {
        let text = desk.text(&format!("whole/{table}"));
        assert_eq!(text.lines().count(), 1 + rows, "{text}");
        assert_eq!(text, desk.text(&format!("parts/{table}")), "{table}");
    }
    for plot in ["breakage.png", "fragments.png", "profile_layer.png"] {
        let png = desk.read(&format!("whole/{plot}"));
        assert!(png.starts_with(b"\x89PNG") && png == desk.read(&format!("parts/{plot}")), "{plot}");
    }
    for plot in ["breakage.svg", "fragments.svg", "profile_layer.svg"] {
        assert_eq!(desk.text(&format!("whole/{plot}")), desk.text(&format!("parts/{plot}")), "{plot}");
    }
}

#[test]
fn check_tells_of_clusters_and_the_step_of_their_bonds() {
    let desk = Desk::new();
    desk.write("scene.toml", cubes(0.02));
    let answer = desk.breccia(&["check", "scene.toml"]).exits(0);
    for part in ["1000 clusters/s", "of the time of the stiffest bond"] {
        assert!(answer.out.contains(part), "no `{part}` in\n{}", answer.out);
    }
    desk.write("scene.toml", cubes(0.02).replace("5 us", "50 us"));
    desk.breccia(&["run", "scene.toml"]).complains(&["the time step is too long", "stiffest bond"]);
}
