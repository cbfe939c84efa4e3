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

#[test]
fn quick_experiments_with_spheres_pass() {
    let folder = scratch("verify_quick");
    let output = Command::new(env!("CARGO_BIN_EXE_breccia"))
        .args(["verify", "spheres", "--quick"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    assert!(output.status.success() && last.ends_with(" passed, 0 failed"), "{text}");
    let kept = folder.join("out/verify/spheres.hertz_impact");
    for file in ["checks.csv", "two_balls.csv", "force.svg"] {
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
