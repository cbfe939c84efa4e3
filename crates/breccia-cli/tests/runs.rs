//! What a run writes and says.

mod common;

use common::{Desk, one_sphere, shaken_bed};
use serde_json::Value;
use std::fs;

const OUTPUT: &str = "frames = 0.01\ntable = 0.002\ncontacts = true";

fn summary(desk: &Desk, run: &str) -> Value {
    serde_json::from_str(&desk.text(&format!("{run}/summary.json"))).expect("JSON")
}

/// Losses of contacts as one number where they are not followed, and nothing that claims to be a closure.
#[test]
fn a_run_that_does_not_follow_losses_tells_what_the_balance_lacks() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(0.02, "table = 0.002\nlosses = false"));
    let answer = desk.breccia(&["run", "bed.toml"]).exits(0);
    assert!(
        answer.out.contains("lost: in contacts") && answer.out.contains("are not followed"),
        "{}",
        answer.out
    );
    assert!(!answer.out.contains("closure") && !answer.out.contains("lost: sliding"), "{}", answer.out);
    let summary = summary(&desk, "out/bed");
    assert!(summary["relative_closure_error"].is_null(), "{summary:#}");
    assert!(summary["energy_J"]["lost: in contacts"].as_f64().is_some_and(|lost| lost > 0.0), "{summary:#}");
    let table = desk.text("out/bed/table.csv");
    let header = table.lines().next().unwrap_or_default();
    assert!(header.contains("lost_in_contacts [J]") && !header.contains("closure"), "{header}");
    let columns = header.split(',').count();
    assert!(table.lines().all(|row| row.split(',').count() == columns));
}

#[test]
fn a_run_writes_its_folder_and_tells_what_is_in_it() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(0.1, OUTPUT));
    let answer = desk.breccia(&["run", "bed.toml"]).exits(0);
    for part in [
        "Finished at t = 0.100000 s after 4,001 steps",
        "Where the time went",
        "list rebuild",
        "pair contacts",
        "output",
        "Energy budget [J]",
        "kinetic, translation",
        "lost: normal damping",
        "closure error",
        "Written to out/bed",
        "spheres.pvd, contacts.pvd, walls.pvd",
        "11 frames",
        "inlet \"stream\" delivered",
    ] {
        assert!(answer.out.contains(part), "no `{part}` in:\n{}", answer.out);
    }
    assert!(
        answer.err.starts_with("Shaken bed\n  50 spheres, 4,001 steps of 25.000 µs, 1 thread"),
        "{}",
        answer.err
    );
    assert!(!answer.err.contains('\x1b') && !answer.out.contains('\x1b'), "no colours outside a terminal");

    for name in
        ["scene.toml", "table.csv", "log.txt", "checkpoint", "summary.json", "picture.png", "spheres.pvd"]
    {
        assert!(desk.path("out/bed").join(name).is_file(), "{name}");
    }
    let left_over = fs::read_dir(desk.path("out/bed")).expect("a folder").flatten();
    assert!(left_over.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with('.')));
    let log = desk.text("out/bed/log.txt");
    assert!(log.contains(answer.out.trim_end()) && log.contains("50 spheres, 4,001 steps"), "{log}");
    assert_eq!(desk.frames("out/bed").iter().filter(|f| f.0.starts_with("spheres_")).count(), 11);
    assert_eq!(desk.text("out/bed/spheres.pvd").matches("<DataSet").count(), 11);
    let table = desk.text("out/bed/table.csv");
    assert!(table.starts_with("time [s],bodies,mass [kg],"), "{table}");
    assert_eq!(table.lines().count(), 52);
    let columns = table.lines().next().map_or(0, |header| header.split(',').count());
    assert!(table.lines().all(|row| row.split(',').count() == columns));
    assert!(desk.read("out/bed/picture.png").starts_with(b"\x89PNG"));
    let summary = summary(&desk, "out/bed");
    assert_eq!(summary["status"], "finished");
    assert_eq!(summary["frames"], 11);
    assert!((summary["time_s"].as_f64().unwrap_or_default() - 0.1).abs() < 1e-9);
}

#[test]
fn an_earlier_run_is_only_replaced_when_asked() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(0.1, OUTPUT));
    desk.breccia(&["run", "bed.toml"]).exits(0);
    desk.write("out/bed/notes.txt", "mine");
    let table = desk.read("out/bed/table.csv");
    desk.breccia(&["run", "bed.toml"]).exits(1).complains(&[
        "out/bed already holds a run",
        "--out",
        "--restart",
        "--overwrite",
    ]);
    assert_eq!(desk.read("out/bed/table.csv"), table);
    desk.write("bed.toml", shaken_bed(0.02, OUTPUT));
    desk.breccia(&["run", "bed.toml", "--overwrite"]).exits(0);
    assert_eq!(desk.text("out/bed/table.csv").lines().count(), 12);
    assert_eq!(desk.frames("out/bed").iter().filter(|f| f.0.starts_with("spheres_")).count(), 3);
    assert_eq!(desk.text("out/bed/notes.txt"), "mine");
}

#[test]
fn a_run_does_not_bury_its_own_scene() {
    let desk = Desk::new();
    let scene = shaken_bed(0.01, "");
    desk.write("scene.toml", &scene);
    for more in [&["--overwrite"][..], &["--restart"], &[]] {
        let arguments = [&["run", "scene.toml", "--out", "."], more].concat();
        desk.breccia(&arguments).exits(1).complains(&["would replace the scene", "--out"]);
        assert_eq!(desk.text("scene.toml"), scene);
    }
}

#[test]
fn long_steps_warn_and_longer_ones_are_refused() {
    let desk = Desk::new();
    let with_step = |step: &str| shaken_bed(0.01, "").replace("25 us", step);
    desk.write("long.toml", with_step("200 us"));
    let told = desk
        .breccia(&["run", "long.toml"])
        .exits(0)
        .complains(&["warning: the time step 200.000 µs is longer"]);
    assert!(!told.err.contains("error"));
    assert!(desk.text("out/long/log.txt").contains("warning: the time step"));
    assert!(desk.breccia(&["check", "long.toml"]).exits(0).out.contains("warning"));

    desk.write("wild.toml", with_step("1 ms"));
    for command in ["run", "check"] {
        desk.breccia(&[command, "wild.toml"])
            .exits(1)
            .complains(&["the time step is too long: at most", "\"auto\""]);
    }
    assert!(!desk.path("out/wild").exists());
}

#[test]
fn a_body_that_leaves_stops_the_run_with_its_name() {
    let desk = Desk::new();
    let more = "[domain]\nmin = [-0.1, -0.1, -0.1]\nmax = [0.1, 0.1, 0.1]\non_exit = \"stop\"\n[output]\ntable = 0.001";
    desk.write("exit.toml", one_sphere("[0, 0, 0.08]", "[0, 0, 1]", more));
    let answer = desk.breccia(&["run", "exit.toml"]).exits(1).complains(&[
        "error: body 0 left the domain",
        "help:",
        "on_exit = \"remove\"",
    ]);
    assert!(answer.out.starts_with("Failed at t = 0.0"), "{}", answer.out);
    assert!(
        summary(&desk, "out/exit")["status"].as_str().is_some_and(|s| s.starts_with("failed: body 0 left"))
    );
    assert!(desk.text("out/exit/table.csv").lines().count() >= 20);
    assert!(desk.frames("out/exit").len() > 2);
    assert!(desk.text("out/exit/log.txt").contains("error: body 0 left the domain"));
}

#[test]
fn too_deep_an_overlap_stops_the_run() {
    let desk = Desk::new();
    let wall = "[[wall]]\nname = \"floor\"\nmaterial = \"glass\"\nshape = \"plane\"\nnormal = [0, 0, 1]";
    desk.write("deep.toml", one_sphere("[0, 0, 0.02]", "[0, 0, -20]", wall));
    desk.breccia(&["run", "deep.toml"]).exits(1).complains(&[
        "body 0",
        "wall \"floor\"",
        "overlap by",
        "young_modulus",
    ]);
    assert!(summary(&desk, "out/deep")["status"].as_str().is_some_and(|s| s.starts_with("failed:")));
    assert!(desk.text("out/deep/table.csv").lines().count() >= 2);
}
