//! Every scene in `tests/bad_scenes` is wrong, and says in comments what it must be told:
//!
//! - `# expect: …`, `# label: …`, `# help: …`: a fragment of a message, a label, a help text;
//! - `# mistakes: N`: how many mistakes are reported, 1 unless given;
//! - `# file: …`, `# line: N`: a mistake lies in that file beside the scene, on that line;
//! - `# <- here` at the end of a line: a mistake must point at that line, and at no line without the mark.

use breccia::scene::{self, Problem, SceneError};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const MARK: &str = "# <- here";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_scenes")
}

fn scenes() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the folder of bad scenes");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    paths
}

/// What the comments of a scene ask for.
struct Expectations {
    text: String,
}

impl Expectations {
    fn all(&self, key: &str) -> Vec<&str> {
        let prefix = format!("# {key}: ");
        self.text.lines().filter_map(|line| line.strip_prefix(prefix.as_str())).map(str::trim).collect()
    }

    fn marked_lines(&self) -> BTreeSet<usize> {
        let marked = self.text.lines().enumerate().filter(|(_, line)| line.ends_with(MARK));
        marked.map(|(index, _)| index + 1).collect()
    }

    fn complaints(&self, path: &Path, error: &SceneError) -> Vec<String> {
        let problems = error.problems();
        let mut complaints = Vec::new();
        let mut fragment = |key: &str, texts: Vec<&str>| {
            for wanted in self.all(key) {
                if !texts.iter().any(|text| text.contains(wanted)) {
                    complaints.push(format!("no {key} with `{wanted}`"));
                }
            }
        };
        fragment("expect", problems.iter().map(Problem::message).collect());
        fragment("label", problems.iter().filter_map(Problem::label).collect());
        fragment("help", problems.iter().filter_map(Problem::help_text).collect());
        if self.all("expect").is_empty() {
            complaints.push("the scene expects nothing".into());
        }
        let mistakes = self.all("mistakes").first().map_or(1, |count| count.parse().expect("a number"));
        if problems.len() != mistakes {
            complaints.push(format!("{mistakes} mistakes expected, {} found", problems.len()));
        }
        complaints.extend(self.wrong_lines(path, problems));
        complaints
    }

    fn wrong_lines(&self, path: &Path, problems: &[Problem]) -> Option<String> {
        let lines_of = |file: &Path| -> BTreeSet<usize> {
            let name = file.display().to_string();
            problems
                .iter()
                .filter(|problem| problem.file() == Some(&name))
                .filter_map(Problem::line)
                .collect()
        };
        if let Some(file) = self.all("file").first() {
            let line: usize =
                self.all("line").first().expect("a line in that file").parse().expect("a number");
            let found = lines_of(&folder().join(file));
            return (found != BTreeSet::from([line]))
                .then(|| format!("line {line} expected, found {found:?}"));
        }
        let (marked, found) = (self.marked_lines(), lines_of(path));
        (marked != found).then(|| format!("lines {marked:?} expected, found {found:?}"))
    }
}

#[test]
fn every_bad_scene_gets_its_message() {
    let paths = scenes();
    assert!(paths.len() >= 45, "only {} bad scenes", paths.len());
    let mut failures = Vec::new();
    for path in paths {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let expectations = Expectations { text: std::fs::read_to_string(&path).expect("a scene") };
        match scene::load(&path) {
            Ok(_) => failures.push(format!("{name}: was accepted")),
            Err(error) => {
                let complaints = expectations.complaints(&path, &error);
                if !complaints.is_empty() {
                    failures.push(format!("{name}: {}\n{}", complaints.join("; "), error.plain()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_mistake_can_be_rendered_by_miette() {
    let handler = miette::NarratableReportHandler::new();
    for path in scenes() {
        let error = scene::load(&path).expect_err("a bad scene");
        let mut text = String::new();
        handler.render_report(&mut text, &error).expect("a report");
        for problem in error.problems() {
            assert!(text.contains(problem.message()), "{}: {text}", path.display());
            if let Some(line) = problem.line() {
                assert!(text.contains(&format!("line {line}")), "{}: {text}", path.display());
            }
        }
    }
}

#[test]
fn a_missing_scene_is_named() {
    let error = scene::load(Path::new("no/such/scene.toml")).expect_err("no such file");
    assert!(error.plain().contains("cannot read the scene `no/such/scene.toml`"), "{}", error.plain());
}

#[test]
fn a_plain_report_underlines_the_span() {
    let text = "[time]\nduration = \"3 kg\"\n";
    let error = scene::load_str("a.toml", text, Path::new("")).expect_err("a mass is no time");
    let expected = "\
error: expected a time [s], found [kg]
 --> a.toml:2:12
  |
2 | duration = \"3 kg\"
  |            ^^^^^^ not a time
help: write for instance `\"10 ms\"`, `\"2 min\"` or `0.01`";
    assert_eq!(error.plain(), expected);
}

/// A change to a text: delete, duplicate or overwrite a few bytes.
fn mutate(text: &str, changes: &[(usize, usize, u8, u8)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for &(at, length, kind, new) in changes {
        let start = at % bytes.len().max(1);
        let end = (start + length).min(bytes.len());
        match kind % 4 {
            0 => drop(bytes.drain(start..end)),
            1 => {
                let piece = bytes[start..end].to_vec();
                bytes.splice(start..start, piece);
            }
            2 => bytes[start..end].fill(new),
            _ => bytes.insert(start, new),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn mutated_scenes_never_panic(
        changes in prop::collection::vec((any::<usize>(), 1..40usize, any::<u8>(), 0x20..0x7fu8), 1..4),
    ) {
        let text = mutate(scene::template(), &changes);
        if let Err(error) = scene::load_str("mutated.toml", &text, &folder()) {
            prop_assert!(!error.problems().is_empty());
            prop_assert!(!error.plain().is_empty());
        }
    }
}
