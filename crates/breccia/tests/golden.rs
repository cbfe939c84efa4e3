//! Golden hashes: small scenes whose last state is known to the bit, on every machine.
//!
//! A change of bits is either a mistake or a decision. For a decision: run with BRECCIA_MINT=1, then write into
//! tests/golden/hashes.txt, beside each new hash, why it changed.

mod support;

use breccia::contacts::Partner;
use breccia::diagnostics::contact_records;
use breccia::simulation::Simulation;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use support::{Fnv, run_to_end, scene};

const UNEXPLAINED: &str = "WRITE HERE WHY THIS HASH WAS MINTED";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Names and texts of the scenes, by name.
fn scenes() -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder()).expect("tests/golden");
    let tomls = files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"));
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    tomls.map(|path| (name(&path), std::fs::read_to_string(&path).expect("a scene"))).collect()
}

/// Bodies by id and contacts by key: not the order of rows and lists, which is nobody's physics.
fn last_state(text: &str) -> u64 {
    let mut run = Simulation::new(&scene(text));
    run_to_end(&mut run);
    assert!(run.state.step > 1500, "{} steps are no test", run.state.step);
    let mut fnv = Fnv::new();
    let bodies = &run.state.bodies;
    let mut rows: Vec<usize> = (0..bodies.len()).collect();
    rows.sort_by_key(|&row| bodies.id[row]);
    for row in rows {
        fnv.word(u64::from(bodies.id[row]));
        let (place, spin) = (&bodies.places[row], &bodies.spins[row]);
        fnv.numbers(&place.position);
        fnv.numbers(&place.velocity);
        fnv.numbers(&spin.spin);
        bodies.wraps.of(row).iter().for_each(|&turns| fnv.word(turns as u64));
        if let Some(orientation) = bodies.orientation.get(row) {
            fnv.numbers(&orientation.to_array());
        }
    }
    let mut contacts = contact_records(&run.setup, &run.state);
    contacts.sort_by_key(|record| record.key);
    for record in &contacts {
        for partner in [record.key.a, record.key.b] {
            fnv.word(match partner {
                Partner::Body(id) => u64::from(id),
                Partner::Wall(wall) => u64::from(wall.0) << 32,
            });
        }
        fnv.number(record.gap);
        fnv.number(record.force.normal);
        fnv.vector(record.force.tangential);
    }
    fnv.0
}

/// Hash and reason by name, from lines `name hash reason`.
fn stored() -> BTreeMap<String, (String, String)> {
    let text = std::fs::read_to_string(folder().join("hashes.txt")).unwrap_or_default();
    let mut stored = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default().to_owned();
        let (name, hash, reason) = (word(), word(), word());
        stored.insert(name, (hash, reason));
    }
    stored
}

fn mint(found: &BTreeMap<String, String>, stored: &BTreeMap<String, (String, String)>) {
    let mut text = String::from("# scene, hash of its last state, why this hash was minted\n");
    for (name, hash) in found {
        let reason =
            stored.get(name).filter(|(old, _)| old == hash).map_or(UNEXPLAINED, |(_, reason)| reason);
        writeln!(text, "{name} {hash} {reason}").expect("a text grows");
    }
    std::fs::write(folder().join("hashes.txt"), text).expect("hashes.txt");
}

#[test]
fn last_states_are_the_golden_ones() {
    let found: BTreeMap<String, String> =
        scenes().into_iter().map(|(name, text)| (name, format!("{:016x}", last_state(&text)))).collect();
    assert!(found.len() >= 5);
    if std::env::var_os("BRECCIA_MINT").is_some() {
        mint(&found, &stored());
    }
    let stored = stored();
    for (name, hash) in &found {
        let (golden, reason) = stored.get(name).cloned().unwrap_or_default();
        assert_eq!(
            *hash, golden,
            "the last state of tests/golden/{name}.toml has other bits than before.\nIf no bit was meant to change, \
             this is a mistake. If one was, run `BRECCIA_MINT=1 cargo test -p breccia --test golden` and write the \
             reason beside the new hash in tests/golden/hashes.txt."
        );
        assert!(
            !reason.is_empty() && reason != UNEXPLAINED,
            "tests/golden/hashes.txt does not say why {name} was minted"
        );
    }
    assert_eq!(stored.len(), found.len(), "a hash without a scene in tests/golden/hashes.txt");
}
