//! The program as a user meets it: started in a folder, told by arguments, answering with text, files and an exit code.

#![allow(dead_code, reason = "every test program uses its own part of this")]

pub mod made;
mod viewer;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
#[allow(unused_imports, reason = "only some test programs look at pages")]
pub use viewer::Viewer;

/// What a command answered.
pub struct Answer {
    /// Exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Answer {
    pub fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program writes UTF-8");
        let answer = Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!answer.err.contains("panicked"), "{}", answer.err);
        answer
    }

    /// Fails the test unless the exit code is as expected.
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Fails the test unless stderr has all of these.
    pub fn complains(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.err.contains(part), "no `{part}` in:\n{}", self.err);
        }
        self
    }
}

/// A place to work in.
pub struct Desk(TempDir);

impl Desk {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).expect("a written file");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }

    /// The command, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_breccia"));
        command.current_dir(self.0.path()).args(arguments).stdin(Stdio::null());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("FORCE_COLOR");
        command
    }

    /// Runs a command to its end.
    pub fn breccia(&self, arguments: &[&str]) -> Answer {
        Answer::of(self.command(arguments).output().expect("the program starts"))
    }

    /// Starts a command.
    pub fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Runs a shell line in which `$BRECCIA` is the program.
    pub fn shell(&self, line: &str) -> Answer {
        let mut shell = Command::new("bash");
        shell.current_dir(self.0.path()).args(["-c", line]).env("BRECCIA", env!("CARGO_BIN_EXE_breccia"));
        Answer::of(shell.stdin(Stdio::null()).output().expect("a shell"))
    }

    /// Names and contents of all files of frames and of their collections.
    pub fn frames(&self, run: &str) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<PathBuf> = [run.to_owned(), format!("{run}/frames")]
            .iter()
            .flat_map(|folder| fs::read_dir(self.path(folder)).expect("a folder"))
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|end| end == "vtp" || end == "pvd"))
            .collect();
        files.sort();
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.iter().map(|path| (name(path), fs::read(path).expect("a file"))).collect()
    }

    /// Fails the test unless two runs left the same table, frames and checkpoint.
    pub fn same_results(&self, one: &str, other: &str) {
        let (table, again) =
            (self.text(&format!("{one}/table.csv")), self.text(&format!("{other}/table.csv")));
        assert!(table.lines().count() > 20);
        for (row, (a, b)) in table.lines().zip(again.lines()).enumerate() {
            assert_eq!(a, b, "row {row} of {one} and {other}");
        }
        assert_eq!(table.len(), again.len(), "length of the tables of {one} and {other}");
        let (frames, others) = (self.frames(one), self.frames(other));
        assert!(frames.len() > 4);
        let names = |frames: &[(String, Vec<u8>)]| frames.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
        assert_eq!(names(&frames), names(&others));
        for (a, b) in frames.iter().zip(&others) {
            assert!(a.1 == b.1, "{} differs between {one} and {other}", a.0);
        }
        let checkpoint = |run: &str| self.read(&format!("{run}/checkpoint"));
        assert!(checkpoint(one) == checkpoint(other), "the checkpoints of {one} and {other} differ");
    }
}

/// Sends a signal by name: INT, TERM, KILL.
pub fn signal(child: &Child, name: &str) {
    let line = format!("kill -{name} {}", child.id());
    Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status().expect("a shell");
}

/// Waits for a file to appear.
pub fn wait_for(path: &Path) {
    let begin = Instant::now();
    while !path.exists() {
        assert!(begin.elapsed() < Duration::from_secs(20), "{} never appeared", path.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the run in a folder is at work, or over.
pub fn wait_for_steps(child: &mut Child, table: &Path) {
    let begin = Instant::now();
    let rows = || fs::read_to_string(table).map_or(0, |text| text.lines().count());
    while rows() < 2 && child.try_wait().expect("a status").is_none() {
        assert!(begin.elapsed() < Duration::from_secs(20), "the run does not begin");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Spheres fall and are poured on a shaken floor, with periodic sides.
pub fn shaken_bed(duration: f64, output: &str) -> String {
    format!(
        r#"title = "Shaken bed"
seed = 7
threads = 1
gravity = [0, 0, -9.81]

[time]
duration = {duration:?}
step = "25 us"

[[material]]
name = "glass"
density = 2500
young_modulus = "1 MPa"
poisson_ratio = 0.25

[pair_default]
restitution = 0.5
friction = 0.4
rolling_friction = 0.02

[domain]
min = [0, 0, -0.01]
max = [0.03, 0.03, 0.3]
periodic = ["x", "y"]
on_exit = "remove"

[[bodies]]
name = "bed"
kind = "random"
material = "glass"
size = {{ kind = "uniform", min = "2.5 mm", max = "3.5 mm" }}
region = {{ shape = "box", min = [0, 0, 0.004], max = [0.03, 0.03, 0.05] }}
count = 50

[[bodies]]
name = "stream"
kind = "pour"
material = "glass"
radius = "3 mm"
region = {{ shape = "box", min = [0.005, 0.005, 0.06], max = [0.025, 0.025, 0.09] }}
rate = "100 1/s"
velocity = [0, 0, -0.5]
max_count = 30

[[wall]]
name = "floor"
material = "glass"
shape = "plane"
normal = [0, 0, 1]
motion = [{{ kind = "oscillation", amplitude = [0, 0, "0.3 mm"], frequency = "20 Hz" }}]

[output]
{output}
"#
    )
}

/// A scene of one sphere, with lines put in where `text` says so.
pub fn one_sphere(position: &str, velocity: &str, more: &str) -> String {
    format!(
        r#"gravity = [0, 0, 0]
[time]
duration = 0.05
step = "50 us"
[[material]]
name = "glass"
density = 2500
young_modulus = "1 MPa"
poisson_ratio = 0.25
[pair_default]
restitution = 0.5
friction = 0.4
[[bodies]]
name = "ball"
kind = "list"
material = "glass"
radius = "5 mm"
positions = [{position}]
velocity = {velocity}
{more}
"#
    )
}
