//! The short form of every experiment passes, and leaves its tables and plots.

use std::path::PathBuf;
use std::process::Command;

/// A fresh folder for one test.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs the short form of a family; the folder with its tables and plots.
fn passes(family: &str) -> PathBuf {
    let folder = scratch(&format!("verify_quick_{family}"));
    let output = Command::new(env!("CARGO_BIN_EXE_breccia"))
        .args(["verify", family, "--quick"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    assert!(output.status.success() && last.ends_with(" passed, 0 failed"), "{text}");
    folder.join("out/verify")
}

#[test]
fn quick_experiments_with_spheres_pass() {
    let kept = passes("spheres").join("spheres.hertz_impact");
    for file in ["checks.csv", "two_balls.csv", "force.svg"] {
        assert!(kept.join(file).is_file(), "{file} is missing");
    }
}

#[test]
fn quick_experiments_with_meshes_pass() {
    let kept = passes("h2").join("h2.concave");
    for file in ["checks.csv", "hertz.csv", "linear.csv", "fig32_concave.svg"] {
        assert!(kept.join(file).is_file(), "{file} is missing");
    }
}

#[test]
fn quick_experiments_with_clusters_pass() {
    let kept = passes("bonded").join("bonded.cube_drop");
    for file in ["checks.csv", "energies.csv", "energies.svg", "energies.png"] {
        assert!(kept.join(file).is_file(), "{file} is missing");
    }
}

#[test]
fn quick_experiments_with_deformable_bodies_pass() {
    let kept = passes("fem").join("fem.disks");
    for file in ["checks.csv", "course.csv", "translational.svg", "fig8.png"] {
        assert!(kept.join(file).is_file(), "{file} is missing");
    }
}

#[test]
fn an_unknown_experiment_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_breccia"))
        .args(["verify", "spheres.nothing"])
        .current_dir(scratch("verify_unknown"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("`spheres.nothing`"), "{text}");
}
