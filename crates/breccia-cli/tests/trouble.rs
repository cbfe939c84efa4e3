//! Bad input and bad disks: a message that names the file, an exit code, no panic.

mod common;

use common::{Answer, Desk, shaken_bed, wait_for};
use std::fs;

const OUTPUT: &str = "frames = 0.01\ntable = 0.001\ncheckpoint = 0.01\npicture = false";

#[test]
fn mistakes_are_shown_where_they_are() {
    let desk = Desk::new();
    let scene = shaken_bed(0.1, "")
        .replace("gravity =", "gravty =")
        .replace("density = 2500", "density = \"2500 kg\"");
    desk.write("bad.toml", scene);
    for command in ["check", "run"] {
        let answer = desk.breccia(&[command, "bad.toml"]).exits(1).complains(&[
            "unknown key `gravty`",
            "bad.toml:4:1",
            "did you mean `gravity`?",
            "bad.toml:12",
            "2 mistakes in the scene",
            "──┬──",
        ]);
        assert!(!answer.err.contains('\x1b'), "no colours outside a terminal");
        assert_eq!(answer.out, "");
    }
    assert!(!desk.path("out").exists());
    let plain =
        desk.shell("NO_COLOR=1 $BRECCIA check bad.toml").exits(1).complains(&["unknown key `gravty`"]);
    assert!(!plain.err.contains('\x1b'));
}

#[test]
fn scenes_that_cannot_be_read() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder")).expect("a folder");
    desk.write("latin.toml", b"title = \"K\xf6rner\"\n");
    desk.write("empty.toml", "");
    desk.write("binary.toml", [0_u8, 1, 2, 3]);
    for command in ["check", "run"] {
        desk.breccia(&[command, "none.toml"]).exits(1).complains(&["`none.toml`", "breccia new"]);
        desk.breccia(&[command, "folder"]).exits(1).complains(&["`folder`", "it is a folder"]);
        desk.breccia(&[command, "latin.toml"]).exits(1).complains(&["`latin.toml`", "UTF-8"]);
        desk.breccia(&[command, "empty.toml"]).exits(1).complains(&["empty.toml", "no bodies"]);
        desk.breccia(&[command, "binary.toml"]).exits(1).complains(&["binary.toml"]);
    }
}

#[test]
fn odd_numbers_do_not_panic() {
    let desk = Desk::new();
    desk.write("odd.toml", shaken_bed(0.01, "checkpoint = 1e300\ntable = 1e-300\nframes = 1e300"));
    desk.breccia(&["run", "odd.toml"]).exits(0);
    desk.breccia(&["run", "odd.toml", "--threads", "100000", "--overwrite"])
        .exits(1)
        .complains(&["too many"]);
    desk.write("endless.toml", shaken_bed(1e300, "table = 1"));
    for command in ["check", "run"] {
        desk.breccia(&[command, "endless.toml"])
            .exits(1)
            .complains(&["would never end", "shorten the duration"]);
    }
    desk.write("seldom.toml", shaken_bed(1e6, "table = 1e-300"));
    desk.breccia(&["check", "seldom.toml"]).exits(0);
}

/// After trouble, the last checkpoint is good: without the obstacle the run goes on to the same end.
fn goes_on(desk: &Desk, folder: &str) {
    desk.breccia(&["run", "bed.toml", "--out", "whole"]).exits(0);
    desk.breccia(&["run", "bed.toml", "--out", folder, "--restart"]).exits(0);
    desk.same_results("whole", folder);
}

#[test]
fn a_file_that_may_not_grow_ends_the_run_with_its_name() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(0.5, OUTPUT));
    // The table grows beyond 60 kB; frames and checkpoints stay below.
    desk.shell("trap '' XFSZ; ulimit -f 60; $BRECCIA run bed.toml --out part").exits(1).complains(&[
        "error: cannot write part/",
        "File too large",
        "--restart",
    ]);
    goes_on(&desk, "part");
}

#[test]
fn a_full_disk_ends_the_run_with_the_name_of_the_file() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(0.5, OUTPUT));
    fs::create_dir(desk.path("disk")).expect("a folder");
    let mounted = desk.shell("mount -t tmpfs -o size=400k none disk").code == Some(0);
    if !mounted {
        eprintln!("no right to mount a small disk: not tested here");
        return;
    }
    let answer = desk.breccia(&["run", "bed.toml", "--out", "disk/part"]);
    let grown = desk.shell("mount -o remount,size=50m disk");
    let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        grown.exits(0);
        answer.exits(1).complains(&["error: cannot write disk/part/", "No space left", "--restart"]);
        goes_on(&desk, "disk/part");
    }));
    desk.shell("umount disk").exits(0);
    checked.unwrap_or_else(|cause| std::panic::resume_unwind(cause));
}

#[test]
fn a_folder_that_vanishes_ends_the_run() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(1e3, OUTPUT));
    let child = desk.start(&["run", "bed.toml", "--out", "gone"]);
    wait_for(&desk.path("gone/checkpoint"));
    // The run may write a file between the emptying and the removal.
    while desk.path("gone").exists() {
        let _ = fs::remove_dir_all(desk.path("gone"));
    }
    let answer = Answer::of(child.wait_with_output().expect("an end"));
    answer.exits(1).complains(&["error: cannot", "gone/"]);
}

#[test]
fn places_that_cannot_be_written() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(0.01, OUTPUT));
    desk.write("file", "in the way");
    desk.breccia(&["run", "bed.toml", "--out", "file"]).exits(1).complains(&[
        "error: cannot",
        "file",
        "--out",
    ]);
    desk.breccia(&["run", "bed.toml", "--out", "/proc/breccia"])
        .exits(1)
        .complains(&["/proc/breccia", "--out"]);
    // A disk that is always full.
    fs::create_dir(desk.path("full")).expect("a folder");
    std::os::unix::fs::symlink("/dev/full", desk.path("full/log.txt")).expect("a link");
    desk.breccia(&["run", "bed.toml", "--out", "full", "--restart"]).exits(0);
}
