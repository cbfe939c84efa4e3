//! `breccia view` in a real browser: headless Chromium opens a run of each method and uses the page.
//!
//! Needs Node.js with npm; installs playwright-core under `target/`, and Chromium there too where the system has none (on
//! Debian `scripts/install_browser.sh` installs the system's, with the libraries it needs). Where that cannot be done the test
//! says so and passes, unless `BRECCIA_REQUIRE_BROWSER` is set.

mod common;

use common::{Desk, Viewer, made};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HOW_TO_INSTALL: &str = "The viewer is tested in Chromium, driven by Node.js. Debian: scripts/install_browser.sh, \
    and Node.js 18 or newer with npm";
const PLAYWRIGHT: &str = "playwright-core@1.60";

fn answers(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success())
}

/// Chromium under one of its names.
fn chromium() -> Option<String> {
    let own = std::env::var("CHROMIUM").ok();
    let names = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    let found = own.into_iter().chain(names).find(|name| answers(name))?;
    let path = Command::new("sh").args(["-c", &format!("command -v '{found}'")]).output().ok()?;
    Some(String::from_utf8_lossy(&path.stdout).trim().to_owned())
}

/// Folder where Node.js finds playwright-core; installed once.
fn modules() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
    fs::create_dir_all(&folder).expect("a folder");
    let lock = fs::File::create(folder.join("lock")).expect("a file");
    lock.lock().expect("a lock");
    if !folder.join("node_modules/playwright-core").exists() {
        let install = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", ".", PLAYWRIGHT];
        let done = Command::new("npm").current_dir(&folder).args(install).output();
        done.is_ok_and(|out| out.status.success()).then_some(())?;
    }
    Some(folder)
}

/// Where Playwright puts browsers of its own.
fn browsers(modules: &Path) -> PathBuf {
    modules.join("browsers")
}

/// Lets Playwright fetch Chromium.
fn fetch_chromium(modules: &Path) -> Option<()> {
    let install = ["node_modules/playwright-core/cli.js", "install", "chromium-headless-shell"];
    let mut fetch = Command::new("node");
    fetch.current_dir(modules).env("PLAYWRIGHT_BROWSERS_PATH", browsers(modules)).args(install);
    fetch.output().is_ok_and(|out| out.status.success()).then_some(())
}

/// Path of the system's Chromium, if it has one, and folder of modules; or a loud word that nothing was tested.
fn tools() -> Option<(Option<String>, PathBuf)> {
    let found = answers("node").then(modules).flatten().and_then(|modules| match chromium() {
        Some(path) => Some((Some(path), modules)),
        None => fetch_chromium(&modules).map(|()| (None, modules)),
    });
    if found.is_none() {
        assert!(std::env::var_os("BRECCIA_REQUIRE_BROWSER").is_none(), "no browser. {HOW_TO_INSTALL}");
        eprintln!("NOT TESTED: the viewer in a browser. {HOW_TO_INSTALL}");
    }
    found
}

/// A short scene of each method, and one that fails.
const SCENES: [(&str, &str); 5] = [
    ("cubes", include_str!("view/cubes.toml")),
    ("bin", include_str!("view/bin.toml")),
    ("grains", include_str!("view/grains.toml")),
    ("solids", include_str!("view/solids.toml")),
    ("leaving", include_str!("view/leaving.toml")),
];
/// Elements of the ring in the scene of solids.
const RING: usize = 144;

/// An open box of 0.1 m as STL.
fn bin() -> String {
    let corner = |i: usize| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 100 * bit);
    let sides = [[0, 2, 3, 1], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let facet = |ids: [usize; 3]| {
        let vertices = ids.map(corner).map(|[x, y, z]| format!("vertex {x} {y} {z}\n"));
        format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", vertices.concat())
    };
    let halves = sides.map(|[a, b, c, d]| facet([a, b, c]) + &facet([a, c, d]));
    format!("solid bin\n{}endsolid bin\n", halves.concat())
}

/// Leaves the first half of a file.
fn cut_short(path: &Path) {
    let bytes = fs::read(path).expect("a file");
    fs::write(path, &bytes[..bytes.len() / 2]).expect("a file");
}

fn frames(folder: &Path, kind: &str) -> usize {
    let start = format!("{kind}_");
    let names = fs::read_dir(folder.join("frames")).expect("frames").flatten().map(|entry| entry.file_name());
    names.filter(|name| name.to_string_lossy().starts_with(&start)).count()
}

/// Numbers of a summary.
fn summary(desk: &Desk, run: &str) -> serde_json::Value {
    serde_json::from_str(&desk.text(&format!("{run}/summary.json"))).expect("JSON")
}

#[test]
fn the_page_works_in_a_browser() {
    let Some((chromium, modules)) = tools() else { return };
    let desk = Desk::new();
    desk.write("bed.toml", common::shaken_bed(0.3, "frames = \"30 ms\""));
    desk.write("growing.toml", common::shaken_bed(6.0, "frames = \"400 ms\""));
    desk.write("bin.stl", bin());
    for (name, scene) in SCENES {
        desk.write(&format!("{name}.toml"), scene);
    }
    for name in ["bed", "cubes", "bin", "grains", "solids"] {
        desk.breccia(&["run", &format!("{name}.toml"), "--out", name]).exits(0);
    }
    desk.breccia(&["run", "leaving.toml", "--out", "leaving"]).exits(1);
    for name in ["damaged", "vanishing"] {
        desk.shell(&format!("cp -r grains {name}")).exits(0);
    }
    made::many_spheres(&desk.path("many"), 100_000);
    fs::write(desk.path("damaged/frames/grains_000001.vtp"), b"<VTKFile").expect("a file");
    cut_short(&desk.path("damaged/frames/grains_000002.vtp"));
    for name in ["empty", "growing"] {
        fs::create_dir_all(desk.path(name)).expect("a folder");
    }

    let mut viewers = Vec::new();
    let mut url = |runs: &[&str]| {
        viewers.push(Viewer::start(&desk, runs));
        viewers.last().expect("a viewer").address.clone()
    };
    let pictures = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("viewer-pictures");
    fs::create_dir_all(&pictures).expect("a folder");
    let plan = json!({
        "chromium": chromium,
        "modules": modules,
        "pictures": pictures,
        "only": std::env::var("BRECCIA_BROWSER_ONLY").ok(),
        "spheres": { "url": url(&["bed"]), "count": summary(&desk, "bed")["bodies"], "frames": frames(&desk.path("bed"), "spheres") },
        "clusters": { "url": url(&["cubes"]), "count": 12 * 27, "bonds": 12 * 54, "frames": frames(&desk.path("cubes"), "spheres") },
        "mesh": { "url": url(&["bin"]), "elements": 10, "count": 120, "frames": frames(&desk.path("bin"), "spheres") },
        "grains": { "url": url(&["grains"]), "count": 20, "frames": frames(&desk.path("grains"), "grains") },
        "solids": { "url": url(&["solids"]), "elements": 16 * 3 + RING, "frames": frames(&desk.path("solids"), "solids") },
        "many": { "url": url(&["many"]), "count": 100_000 },
        "pair": { "url": url(&["bed", "cubes"]) },
        "failed": { "url": url(&["leaving"]) },
        "damaged": { "url": url(&["damaged"]) },
        "empty": { "url": url(&["empty"]) },
        "vanishing": { "url": url(&["vanishing"]), "folder": desk.path("vanishing") },
        "growing": {
            "url": url(&["growing"]), "program": env!("CARGO_BIN_EXE_breccia"), "scene": desk.path("growing.toml"),
            "folder": desk.path("growing"), "frames": 16,
        },
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/view/browser.mjs");
    let mut node = Command::new("node");
    node.env("PLAYWRIGHT_BROWSERS_PATH", browsers(&modules)).arg(script).arg(plan.to_string());
    let answer = node.output().expect("Node.js");
    let said = String::from_utf8_lossy(&answer.stdout);
    println!("{said}\nscreenshots are in {}", pictures.display());
    assert!(answer.status.success(), "{said}\n{}", String::from_utf8_lossy(&answer.stderr));
}
