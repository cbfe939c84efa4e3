//! The documents name files, folders and dependencies: they must be what is there.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Markdown files of the project: at its root, under docs/ and under scenes/.
fn documents() -> Vec<PathBuf> {
    fn collect(folder: &Path, deep: bool, found: &mut Vec<PathBuf>) {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() && deep {
                collect(&path, deep, found);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    collect(&root(), false, &mut found);
    collect(&root().join("docs"), true, &mut found);
    collect(&root().join("scenes"), true, &mut found);
    found
}

/// Words that look like paths from the root or from the engine's sources.
fn named_paths(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "/_-.".contains(c);
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_end_matches('.'));
    let from_root = |word: &str| ["crates/", "docs/", "scenes/"].iter().any(|top| word.starts_with(top));
    let is_source = |word: &str| word.contains('/') && word.ends_with(".rs") && !word.starts_with("//");
    words.filter(|word| from_root(word) || is_source(word)).map(str::to_owned).collect()
}

/// Targets of links that point into the project, without their anchors.
fn links(text: &str) -> Vec<String> {
    let ends = text.match_indices("](").map(|(at, _)| &text[at + 2..]);
    let targets = ends.filter_map(|rest| rest.split(')').next());
    let own = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    own.map(|target| target.split('#').next().unwrap_or(target).to_owned()).collect()
}

/// Anchors of links into a document, with the document.
fn anchors(text: &str, here: &Path) -> Vec<(PathBuf, String)> {
    let ends = text.match_indices("](").map(|(at, _)| &text[at + 2..]);
    let targets = ends.filter_map(|rest| rest.split(')').next()).filter(|target| !target.contains("://"));
    let pairs = targets.filter_map(|target| target.split_once('#'));
    let file = |name: &str| if name.is_empty() { here.to_owned() } else { here.with_file_name(name) };
    pairs.map(|(name, anchor)| (file(name), anchor.to_owned())).collect()
}

/// Anchor that a heading gets.
fn anchor_of(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_path_named_in_the_documents_exists() {
    let mut missing = Vec::new();
    let mut seen = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a text");
        for name in named_paths(&text) {
            seen += 1;
            let places = [root().join(&name), root().join("crates/breccia/src").join(&name)];
            if !places.iter().any(|place| place.exists()) {
                missing.push(format!("{} names {name}", document.display()));
            }
        }
        for link in links(&text) {
            seen += 1;
            let target = document.parent().expect("a folder").join(&link);
            if !target.exists() {
                missing.push(format!("{} links to {link}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(seen > 100, "only {seen} paths were found: does this test still look?");
}

#[test]
fn every_anchor_in_a_link_exists() {
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a text");
        for (target, anchor) in anchors(&text, &document) {
            let target_text = std::fs::read_to_string(&target).expect("a text");
            let found =
                target_text.lines().filter(|line| line.starts_with('#')).any(|h| anchor_of(h) == anchor);
            assert!(found, "{} links to #{anchor} of {}", document.display(), target.display());
        }
    }
}

#[test]
fn every_folder_of_the_engine_is_described() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a text");
    for entry in std::fs::read_dir(root().join("crates/breccia/src")).expect("sources") {
        let entry = entry.expect("an entry");
        if entry.path().is_dir() {
            let name = format!("crates/breccia/src/{}/", entry.file_name().to_string_lossy());
            assert!(text.contains(&name), "ARCHITECTURE.md does not describe {name}");
        }
    }
}

#[test]
fn every_dependency_is_explained() {
    let page = std::fs::read_to_string(root().join("docs/dependencies.md")).expect("a text");
    for manifest in ["crates/breccia/Cargo.toml", "crates/breccia-cli/Cargo.toml"] {
        let text = std::fs::read_to_string(root().join(manifest)).expect("a manifest");
        let document: toml::Table = text.parse().expect("TOML");
        for kind in ["dependencies", "dev-dependencies"] {
            let names = document.get(kind).and_then(toml::Value::as_table).into_iter().flatten();
            for (name, _) in names {
                assert!(page.contains(&format!("`{name}`")), "docs/dependencies.md does not explain {name}");
            }
        }
    }
}
