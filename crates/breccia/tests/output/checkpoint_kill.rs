//! kill -9 at any moment: this test runs itself as a child that writes checkpoints until it is killed.

use breccia::output::{read_latest, write_checkpoint};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const CHILD_PATH: &str = "BRECCIA_TEST_CHECKPOINT_CHILD";
const KILLS: u64 = 25;

type State = (u64, Vec<u64>);

fn state(step: u64) -> State {
    (step, (0..20_000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ step).collect())
}

/// Writes until killed; the limit only keeps an orphan from living on if the parent fails.
fn write_until_killed(path: PathBuf) {
    let start = Instant::now();
    let last = read_latest::<State>(&path).map_or(0, |latest| latest.state.0);
    for step in (last + 1..).take_while(|_| start.elapsed() < Duration::from_secs(90)) {
        write_checkpoint(&path, &state(step)).unwrap();
    }
}

fn start_child(path: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "checkpoint_kill::a_killed_writer_always_leaves_a_good_checkpoint"])
        .env(CHILD_PATH, path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_writer_always_leaves_a_good_checkpoint() {
    if let Some(path) = env::var_os(CHILD_PATH) {
        return write_until_killed(path.into());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    write_checkpoint(&path, &state(0)).unwrap();
    let mut last_step = 0;
    for kill in 0..KILLS {
        let mut child = start_child(&path);
        wait_for_progress(&path, last_step);
        // Moments spread over the life of a checkpoint, which takes a few milliseconds.
        sleep(Duration::from_micros(kill * 1_337 % 9_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let latest = read_latest::<State>(&path).unwrap();
        assert!(latest.state.0 > last_step, "kill {kill}: step {} after {last_step}", latest.state.0);
        assert_eq!(latest.state, state(latest.state.0));
        last_step = latest.state.0;
    }
}

fn wait_for_progress(path: &Path, last_step: u64) {
    let start = Instant::now();
    // Reading while the child writes is part of the test.
    while read_latest::<State>(path).map_or(0, |latest| latest.state.0) <= last_step {
        assert!(start.elapsed() < Duration::from_secs(60), "the child wrote nothing");
        sleep(Duration::from_millis(1));
    }
}
