//! What a newcomer does first: new, check, schema, help.

mod common;

use common::{Desk, shaken_bed};
use serde_json::Value;

#[test]
fn a_new_scene_checks_and_runs() {
    let desk = Desk::new();
    let answer = desk.breccia(&["new", "first"]).exits(0);
    assert!(answer.out.contains("breccia check first.toml"), "{}", answer.out);
    let checked = desk.breccia(&["check", "first.toml"]).exits(0);
    assert!(checked.out.contains("800 at the start"), "{}", checked.out);
    assert_eq!(checked.err, "");

    // The same scene, shortened.
    let short = desk.text("first.toml").replace("\"0.7 s\"", "\"2 ms\"").replace("\"0.8 s\"", "\"1 ms\"");
    let short = short.replace("start = \"0.2 s\"", "start = 0");
    desk.write("short.toml", short);
    let ran = desk.breccia(&["run", "short.toml"]).exits(0);
    assert!(ran.out.starts_with("Finished at t = 0.003"), "{}", ran.out);
    assert!(desk.path("out/short/picture.png").exists());
}

#[test]
fn new_takes_either_spelling_and_never_overwrites() {
    let desk = Desk::new();
    desk.breccia(&["new", "first.toml"]).exits(0);
    desk.write("first.toml", "mine");
    desk.breccia(&["new", "first"]).exits(1).complains(&["first.toml already exists", "help:"]);
    assert_eq!(desk.text("first.toml"), "mine");
    desk.breccia(&["new", "no/such/folder"]).exits(1).complains(&["no/such/folder.toml", "make the folder"]);
    desk.breccia(&["new", ""]).exits(1).complains(&["no name"]);
    assert!(!desk.path(".toml").exists());
}

#[test]
fn the_schema_is_one_of_2020_12() {
    let answer = Desk::new().breccia(&["schema"]).exits(0);
    let schema: Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let keys = schema["properties"].as_object().expect("an object");
    for key in ["title", "gravity", "time", "material", "pair", "bodies", "wall", "output", "phase", "event"]
    {
        assert!(keys.contains_key(key), "{key}");
    }
    let mut references = 0;
    check_references(&schema, &schema, &mut references);
    assert!(references > 0 || !answer.out.contains("$ref"));
}

/// Every `$ref` leads somewhere, and every `type` is one there is.
fn check_references(value: &Value, root: &Value, count: &mut usize) {
    const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];
    match value {
        Value::Object(map) => {
            if let Some(Value::String(target)) = map.get("$ref") {
                let pointer = target.strip_prefix('#').expect("a reference into the schema");
                assert!(root.pointer(pointer).is_some(), "{target}");
                *count += 1;
            }
            if let Some(Value::String(kind)) = map.get("type") {
                assert!(TYPES.contains(&kind.as_str()), "{kind}");
            }
            map.values().for_each(|part| check_references(part, root, count));
        }
        Value::Array(list) => list.iter().for_each(|part| check_references(part, root, count)),
        _ => {}
    }
}

#[test]
fn a_reader_that_goes_away_does_no_harm() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(0.01, ""));
    for command in ["schema", "check bed.toml", "run bed.toml", "--help"] {
        let line = format!("$BRECCIA {command} | head -c 1; exit ${{PIPESTATUS[0]}}");
        desk.shell(&line).exits(0);
        // Nobody reads, from the start.
        let line =
            format!("set -o pipefail; rm -rf out; $BRECCIA {command} 2>&1 | true; exit ${{PIPESTATUS[0]}}");
        desk.shell(&line).exits(0);
    }
    desk.shell("$BRECCIA schema > /dev/full").exits(1).complains(&["standard output", "No space left"]);
}

#[test]
fn check_counts_and_reckons() {
    let desk = Desk::new();
    desk.write("bed.toml", shaken_bed(0.5, "frames = 0.05\ntable = 0.01"));
    let answer = desk.breccia(&["check", "bed.toml"]).exits(0);
    for part in [
        "Shaken bed\n",
        "spheres      50 at the start",
        "inlet        \"stream\": 100 spheres/s from 0 s, at most 30 spheres",
        "materials    glass\n",
        "walls        floor\n",
        "in 20,000 steps of 25.000 µs",
        "of the Rayleigh time",
        "steps in the shortest contact",
        "output       11 frames, 51 table rows, a checkpoint every 60 s",
        "memory       about 44 kB for 80 spheres in a dense bed, 545 bytes each",
        "The scene can be run.",
    ] {
        assert!(answer.out.contains(part), "no `{part}` in:\n{}", answer.out);
    }
    assert!(!desk.path("out").exists(), "check writes nothing");
}

#[test]
fn help_teaches() {
    let desk = Desk::new();
    let help = |arguments: &[&str]| desk.breccia(arguments).exits(0).out;
    assert!(help(&["--help"]).contains("First steps"));
    assert!(help(&["run", "--help"]).contains("130 interrupted"));
    assert!(help(&["check", "--help"]).contains("Exit code"));
    assert!(help(&["schema", "--help"]).contains("#:schema"));
    assert!(help(&["new", "--help"]).contains("never overwritten"));
    assert!(help(&["bench", "--help"]).contains("settled bed"));
    desk.breccia(&[]).exits(2).complains(&["Usage", "First steps"]);
    desk.breccia(&["rum"]).exits(2).complains(&["run"]);
    desk.breccia(&["run", "x.toml", "--restart", "--overwrite"]).exits(2).complains(&["cannot be used with"]);
}
