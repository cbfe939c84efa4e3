//! A run that was stopped, by whatever means, goes on with the same bits.

mod common;

use common::{Answer, Desk, shaken_bed, signal, wait_for, wait_for_steps};
use std::fs;
use std::time::{Duration, Instant, SystemTime};

/// Checkpoints as often as the disk allows, so that every kill meets one.
const OUTPUT: &str = "frames = 0.0207\ntable = 0.0023\ncheckpoint = 0.01\npicture = false";
const DURATION: f64 = 0.3;

/// Pauses [ms] that differ and repeat: no clock, no luck.
fn pause(number: u64) -> Duration {
    Duration::from_millis(5 + (number * 7919 + 13) % 97)
}

/// A desk with the scene and its run-through in `whole`.
fn desk_with_whole_run() -> Desk {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(DURATION, OUTPUT));
    desk.breccia(&["run", "bed.toml", "--out", "whole"]).exits(0);
    desk
}

/// Runs to the end through stops by a signal; returns the number of stops.
fn run_with_stops(desk: &Desk, folder: &str, name: &str, seed: u64) -> u64 {
    for life in 0..500 {
        let mut arguments = vec!["run", "bed.toml", "--out", folder];
        if life > 0 {
            arguments.push("--restart");
        }
        let mut child = desk.start(&arguments);
        wait_for_steps(&mut child, &desk.path(folder).join("table.csv"));
        std::thread::sleep(pause(seed + life));
        signal(&child, name);
        let answer = Answer::of(child.wait_with_output().expect("an end"));
        match (answer.code, name) {
            (Some(0), _) => return life,
            (Some(130), "INT" | "TERM") => {
                assert!(answer.out.contains("To go on:  breccia run bed.toml --restart"), "{}", answer.out);
                assert!(desk.text(&format!("{folder}/summary.json")).contains("\"interrupted\""));
            }
            // A polite signal may come before the program listens.
            (None, _) => {}
            (code, _) => panic!("{name}, {code:?}:\n{}{}", answer.out, answer.err),
        }
    }
    panic!("no progress in 500 lives");
}

/// Runs until there have been so many stops by a signal: on a fast machine some runs end before it comes.
fn assert_leaves_no_trace(desk: &Desk, name: &str, wanted: u64) {
    let (mut stops, mut run) = (0, 0);
    while stops < wanted {
        assert!(run < 100, "{stops} stops by {name} in {run} runs");
        let folder = format!("{name}{run}");
        stops += run_with_stops(desk, &folder, name, 100 * run);
        desk.same_results("whole", &folder);
        run += 1;
    }
}

#[test]
fn interrupts_leave_no_trace() {
    let desk = desk_with_whole_run();
    for name in ["INT", "TERM"] {
        assert_leaves_no_trace(&desk, name, 2);
    }
}

#[test]
fn kills_leave_no_trace() {
    assert_leaves_no_trace(&desk_with_whole_run(), "KILL", 10);
}

#[test]
fn a_kill_loses_at_most_one_interval() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(1e4, "frames = \"off\"\ntable = 0.1\ncheckpoint = 0.2"));
    let child = desk.start(&["run", "bed.toml", "--out", "long"]);
    wait_for(&desk.path("long/checkpoint.previous"));
    std::thread::sleep(Duration::from_millis(1500));
    signal(&child, "KILL");
    child.wait_with_output().expect("an end");
    let written =
        fs::metadata(desk.path("long/checkpoint")).and_then(|data| data.modified()).expect("a time");
    let age = SystemTime::now().duration_since(written).unwrap_or_default();
    assert!(age < Duration::from_millis(1200), "the last checkpoint is {age:?} old");

    let child = desk.start(&["run", "bed.toml", "--out", "long", "--restart"]);
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "INT");
    let answer = Answer::of(child.wait_with_output().expect("an end")).exits(130);
    assert!(answer.err.contains("going on at t = "), "{}", answer.err);
}

#[test]
fn threads_do_not_show_in_the_results() {
    let desk = desk_with_whole_run();
    desk.breccia(&["run", "bed.toml", "--out", "three", "--threads", "3"]).exits(0);
    desk.same_results("whole", "three");
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let desk = desk_with_whole_run();
    let mut bytes = desk.read("whole/checkpoint");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    desk.breccia(&["run", "bed.toml", "--out", "part"]).exits(0);
    desk.write("part/checkpoint", &bytes);
    desk.breccia(&["run", "bed.toml", "--out", "part", "--restart"]).exits(0).complains(&[
        "warning:",
        "part/checkpoint is damaged",
        "going on from part/checkpoint.previous",
    ]);
    desk.same_results("whole", "part");

    for name in ["part/checkpoint", "part/checkpoint.previous"] {
        desk.write(name, "nonsense");
    }
    let table = desk.read("part/table.csv");
    desk.breccia(&["run", "bed.toml", "--out", "part", "--restart"]).exits(1).complains(&[
        "no usable checkpoint",
        "part/checkpoint is not a breccia checkpoint",
        "help:",
    ]);
    assert_eq!(desk.read("part/table.csv"), table, "a refused restart changes nothing");
}

#[test]
fn another_scene_is_refused_and_a_longer_one_goes_on() {
    let desk = desk_with_whole_run();
    // An end between two rows and frames: the shorter run has a last row that the longer one has not.
    desk.write("bed.toml", shaken_bed(0.1001, OUTPUT));
    desk.breccia(&["run", "bed.toml", "--out", "grown"]).exits(0);

    let changed = shaken_bed(DURATION, OUTPUT).replace("friction = 0.4", "friction = 0.5");
    desk.write("bed.toml", changed);
    desk.breccia(&["run", "bed.toml", "--out", "grown", "--restart"]).exits(1).complains(&[
        "the scene has changed",
        "grown/checkpoint",
        "--overwrite",
    ]);
    desk.write("bed.toml", shaken_bed(DURATION, OUTPUT).replace("25 us", "20 us"));
    desk.breccia(&["run", "bed.toml", "--out", "grown", "--restart"])
        .exits(1)
        .complains(&["the time step is now 20.000 µs", "step = 2.5e-5"]);

    desk.write("bed.toml", shaken_bed(DURATION, OUTPUT));
    desk.breccia(&["run", "bed.toml", "--out", "grown", "--restart"]).exits(0);
    desk.same_results("whole", "grown");
}

#[test]
fn restarts_at_the_ends_of_a_run() {
    let desk = desk_with_whole_run();
    desk.breccia(&["run", "bed.toml", "--out", "nowhere", "--restart"])
        .exits(1)
        .complains(&["no run to go on"]);
    // Killed before its first checkpoint.
    fs::create_dir(desk.path("early")).expect("a folder");
    desk.write("early/table.csv", "time [s]\n0.0\n");
    desk.breccia(&["run", "bed.toml", "--out", "early", "--restart"])
        .exits(0)
        .complains(&["no checkpoint had been written yet"]);
    desk.same_results("whole", "early");
    // Already over.
    let begin = Instant::now();
    let over = desk.breccia(&["run", "bed.toml", "--out", "early", "--restart"]).exits(0);
    assert!(over.out.contains("already reached its end"), "{}", over.out);
    assert!(begin.elapsed() < Duration::from_secs(10));
    desk.same_results("whole", "early");
}
