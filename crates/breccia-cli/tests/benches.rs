//! Every bench with few bodies and steps: that it works and tells what it promises. Times are never judged.

mod common;

use common::Desk;
use serde_json::Value;

/// Runs a bench that prints JSON.
fn report(desk: &Desk, arguments: &[&str]) -> Value {
    let answer = desk.breccia(&[&["bench"], arguments, &["--json"]].concat()).exits(0);
    serde_json::from_str(&answer.out).expect("JSON")
}

/// The number at a place.
fn number(value: &Value, place: &str) -> f64 {
    value.pointer(place).and_then(Value::as_f64).unwrap_or_else(|| panic!("no {place} in {value:#}"))
}

/// The numbers of a table without its head.
fn rows_of(text: &str) -> Vec<Vec<f64>> {
    let row = |line: &str| line.split(',').map(|cell| cell.parse().expect("a number")).collect();
    text.lines().skip(1).map(row).collect()
}

#[test]
fn the_bench_measures_from_an_empty_folder() {
    let desk = Desk::new();
    let arguments = ["bench", "bed", "--n", "2000", "--seconds", "0.2", "--json", "--threads", "1"];
    let answer = desk.breccia(&arguments).exits(0).complains(&["settling 2,000 spheres"]);
    let report: Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(report["spheres"], 2000);
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 1);
    assert!(rows[0]["particle_steps_per_s"].as_f64().is_some_and(|rate| rate > 1e4));
    assert!(rows[0]["coordination"].as_f64().is_some_and(|z| (3.0..6.5).contains(&z)), "{report}");
    // The settled bed is kept.
    let again =
        desk.breccia(&["bench", "bed", "--n", "2000", "--seconds", "0.01", "--threads", "1"]).exits(0);
    assert_eq!(again.err, "");
    assert!(again.out.contains("particle-steps/s"), "{}", again.out);
    desk.breccia(&["bench", "bed", "--n", "0"]).exits(2).complains(&["--n"]);
}

#[test]
fn the_drum_is_measured_with_its_physics() {
    let desk = Desk::new();
    let arguments = ["bench", "drum", "--n", "2000", "--steps", "20", "--json", "--threads", "1"];
    let answer = desk.breccia(&arguments).exits(0).complains(&["settling 2,000 spheres"]);
    let report: Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(report["elements"], 2784);
    let row = &report["rows"][0];
    assert_eq!(row["steps"], 20);
    let number = |path: &str| row.pointer(path).and_then(Value::as_f64).expect(path);
    assert!((1.5..5.0).contains(&number("/coordination")), "{report}");
    assert!(number("/physics/relative_closure_error").abs() < 1e-3, "{report}");
    let (load, weight) = (-number("/physics/mean_wall_force/2"), number("/physics/weight"));
    assert!((0.5..1.5).contains(&(load / weight)), "{load} N on the drum, weight {weight} N");
    let stage = |name: &str| number(&format!("/stages_per_sphere_and_step/{name}"));
    assert!(stage("candidates") > stage("intersecting"), "{report}");
    assert!(stage("intersecting") >= stage("valid") && stage("valid") > 0.0, "{report}");
    let table = desk.breccia(&["bench", "drum", "--n", "2000", "--steps", "5", "--threads", "1"]).exits(0);
    assert!(table.out.contains("not in this run"), "{}", table.out);
    desk.breccia(&["bench", "drum", "--n", "5"]).exits(1).complains(&["too short", "--n"]);
}

/// Without following losses nothing is claimed about the balance of energy, and the same contacts are found.
#[test]
fn a_drum_without_losses_claims_no_closure() {
    let desk = Desk::new();
    let drum = ["bench", "drum", "--n", "1500", "--steps", "20", "-t", "1"];
    let followed = desk.breccia(&drum).exits(0).out;
    let left = desk.breccia(&[&drum[..], &["--no-losses"]].concat()).exits(0).out;
    assert!(followed.contains("energy closed to") && !followed.contains("not followed"), "{followed}");
    assert!(left.contains("losses not followed") && !left.contains("closed"), "{left}");
    let end = |text: &str| text.lines().find_map(|line| line.strip_prefix("at the end: ").map(str::to_owned));
    let coordination = |text: &str| end(text).and_then(|line| line.split(',').next().map(str::to_owned));
    assert_eq!(coordination(&left), coordination(&followed));
}

#[test]
fn the_mixer_is_compared_with_the_published_table() {
    let desk = Desk::new();
    let arguments = ["bench", "mixer", "--n", "300", "--steps", "20", "--threads", "1"];
    let answer = desk.breccia(&arguments).exits(0).complains(&["mixing 300 spheres"]);
    for part in ["2,448 elements", "DE/DE search", "53.9", "105,630", "t/t1"] {
        assert!(answer.out.contains(part), "no `{part}` in:\n{}", answer.out);
    }
    let table = std::fs::read_to_string(desk.path("out/bench/mixer-300-stages.csv")).expect("a table");
    assert_eq!(table.lines().count(), 201);
    assert!(desk.path("out/bench/mixer-300-stages.svg").exists());
    let again = desk.breccia(&[&arguments[..], &["--json"]].concat()).exits(0);
    let report: Value = serde_json::from_str(&again.out).expect("JSON");
    let whole = report["with_fast_test"]["row"]["seconds"].as_f64().expect("seconds");
    let parts = report["with_fast_test"]["seconds_by_part"].as_object().expect("parts");
    // Bins, fast test and H2 are parts of the search.
    let sum: f64 = ["DE/DE search", "DE/FE search", "pair forces", "surface forces", "motion"]
        .iter()
        .map(|name| parts[*name].as_f64().expect("seconds"))
        .sum();
    assert!(sum <= whole, "{sum} s of {whole} s");
}

#[test]
fn the_flow_runs_down_and_is_handed_over() {
    let desk = Desk::new();
    let bench = ["flow", "--n", "1000", "--steps", "20", "--threads", "1"];
    let flow = report(&desk, &bench);
    assert_eq!(flow["bench"], "flow");
    // 0.2 s at 45° from rest: no faster than a free fall (1.96 m/s), and looser than at rest.
    let (row, mass) = (&flow["rows"][0], number(&flow, "/rows/0/physics/weight") / 9.81);
    let speed = (2.0 * number(row, "/physics/kinetic_energy") / mass).sqrt();
    assert!((0.3..1.96).contains(&speed), "{speed} m/s");
    assert!(number(row, "/coordination") < 3.5, "{row:#}");

    desk.breccia(&["bench", "flow", "--n", "1000", "--export", "there"]).exits(0);
    let scene: Value = serde_json::from_str(&desk.text("there/scene.json")).expect("JSON");
    assert_eq!(number(&scene, "/gravity/0"), -number(&scene, "/gravity/2"));
    assert_eq!(number(&scene, "/sides/0"), 10.0 * number(&scene, "/sides/1"));
    let spheres = rows_of(&desk.text("there/spheres.csv"));
    assert_eq!(spheres.len(), 1000);
    let mean_speed = spheres.iter().map(|row| row[4]).sum::<f64>() / 1000.0;
    assert!((0.3..1.4).contains(&mean_speed), "{mean_speed} m/s downhill");
}

#[test]
fn cubes_are_handed_over_with_their_bonds() {
    let desk = Desk::new();
    let cubes = report(&desk, &["cubes", "--n", "216", "--steps", "20", "--threads", "1"]);
    assert_eq!(cubes["spheres"], 8 * 27);
    desk.breccia(&["bench", "cubes", "--n", "216", "--export", "there"]).exits(0);
    let spheres = rows_of(&desk.text("there/spheres.csv"));
    let bonds = rows_of(&desk.text("there/bonds.csv"));
    assert_eq!(bonds.len(), 8 * 54);
    let scene: Value = serde_json::from_str(&desk.text("there/scene.json")).expect("JSON");
    let length = number(&scene, "/bond/length");
    assert!((length - 7e-3).abs() < 1e-9, "{length}");
    for bond in bonds {
        let [a, b] = [bond[0], bond[1]].map(|row| &spheres[row as usize]);
        let distance = (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt();
        assert!((distance / length - 1.0).abs() < 0.05, "bonded spheres are {distance} m apart");
    }
    // E A/L of a round bond as thick as the spheres.
    let stretching = 1e6 * std::f64::consts::PI * 3.5e-3 * 3.5e-3 / length;
    assert!((number(&scene, "/bond/stretching") / stretching - 1.0).abs() < 1e-9, "{scene:#}");
    assert!((number(&scene, "/bond/shear") / stretching - 0.4).abs() < 1e-9, "{scene:#}");
}

#[test]
fn growth_copies_one_bed_and_check_tells_its_memory() {
    let desk = Desk::new();
    let growth = report(&desk, &["growth", "--n", "16000", "--steps", "5"]);
    let rows = growth["rows"].as_array().expect("rows");
    let counts: Vec<_> = rows.iter().map(|row| number(row, "/spheres")).collect();
    assert_eq!(counts, [1e3, 4e3, 16e3]);
    for row in rows {
        // Copies that repeat have the same contacts, and cost is told.
        let per_sphere = number(row, "/contacts") / number(row, "/spheres");
        let first = number(&rows[0], "/contacts") / 1e3;
        assert!((per_sphere / first - 1.0).abs() < 0.01 && first > 2.0, "{per_sphere}, {first}");
        assert!(number(row, "/ns_per_sphere_and_step") > 0.0);
    }
    assert!(number(&growth, "/dearest_over_cheapest") >= 1.0);
    assert_eq!(rows_of(&desk.text("out/bench/growth.csv")).len(), 3);
    assert!(desk.text("out/bench/growth.svg").contains("time per sphere and step [ns]"));
    assert!(desk.path("out/bench/growth.png").exists());

    for (law, losses) in [("c", true), ("none", true), ("c", false), ("none", false)] {
        let mut options = vec!["growth", "--n", "16000", "--steps", "5", "--rolling", law];
        options.extend((!losses).then_some("--no-losses"));
        let report = report(&desk, &options);
        let rest = format!("[law]\nrolling = \"{law}\"\n[output]\nlosses = {losses}");
        let scene = common::one_sphere("[0, 0, 0]", "[0, 0, 0]", &rest);
        desk.write("one.toml", scene);
        let told = desk.breccia(&["check", "one.toml"]).exits(0).out;
        let line = told.lines().find(|line| line.starts_with("memory")).expect("a line on memory");
        let bytes = line.split_whitespace().rev().nth(2).and_then(|word| word.parse::<f64>().ok());
        let (bytes, found) = (bytes.expect(line), number(&report, "/rows/2/bytes_per_sphere"));
        assert!(
            (found / bytes - 1.0).abs() < 0.15,
            "rolling {law}, losses {losses}: check says {bytes}, a bed has {found}: set BYTES_PER_SPHERE in check.rs"
        );
    }
}

#[test]
fn sizes_are_compared_with_equal_ones() {
    let desk = Desk::new();
    let sizes = report(&desk, &["sizes", "--quick", "--steps", "20"]);
    let beds = sizes["beds"].as_array().expect("beds");
    let names: Vec<_> = beds.iter().map(|bed| bed["bed"].as_str().expect("a name")).collect();
    assert_eq!(names, ["equal", "one-in-10", "graded-1-5"]);
    assert_eq!(beds[0]["cost_ratio"], 1.0);
    assert!(beds.iter().all(|bed| number(bed, "/row/contacts") > 1000.0), "{sizes:#}");
    let table = desk.breccia(&["bench", "sizes", "--quick", "--steps", "5"]).exits(0);
    assert!(table.out.contains("ns per contact") && table.out.contains("aim"), "{}", table.out);
    assert_eq!(table.err, "", "the settled beds are kept");
    desk.breccia(&["bench", "sizes", "--n", "50", "--quick"])
        .exits(1)
        .complains(&["contacts per sphere", "--n"]);
}

#[test]
fn searches_of_clusters_are_compared() {
    let desk = Desk::new();
    let answer = desk.breccia(&["bench", "clusters", "--quick", "--n", "330", "--threads", "1"]).exits(0);
    for part in ["D1-A", "D4-F"] {
        assert!(answer.out.contains(part), "no `{part}` in:\n{}", answer.out);
    }
    for name in ["bodies", "spheres", "touching"] {
        assert!(desk.path(&format!("out/bench/clusters-{name}.svg")).exists(), "{name}");
        assert!(desk.path(&format!("out/bench/clusters-{name}.png")).exists(), "{name}");
    }
}

#[test]
fn sorting_is_told_beside_the_published_tables() {
    let answer = Desk::new().breccia(&["bench", "sorting", "--quick"]).exits(0);
    for part in ["| 13 |", "| 53 |", "Work of one sort", "Growth N^", "published: sorting"] {
        assert!(answer.out.contains(part), "no `{part}` in:\n{}", answer.out);
    }
}

#[test]
fn grains_are_solved_by_both_solvers() {
    let grains = report(&Desk::new(), &["grains", "--n", "100"]);
    let rows = grains["rows"].as_array().expect("rows");
    let kinds: Vec<_> = rows.iter().map(|row| (row["step"].clone(), row["grains"].clone())).collect();
    assert_eq!(kinds, [("dynamic".into(), 95.into()), ("static".into(), 95.into())]);
    assert!(rows.iter().all(|row| number(row, "/clarabel_s") > 0.0 && number(row, "/solve_s") > 0.0));
}

#[test]
fn other_codes_are_compared_only_where_they_are_installed() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/peers/compare.py");
    let desk = Desk::new();
    if desk.shell("python3 --version").code != Some(0) {
        return;
    }
    let help = desk.shell(&format!("python3 {script} --help")).exits(0);
    assert!(help.out.contains("clusters"), "{}", help.out);
    desk.shell(&format!("python3 {script} bad")).exits(2).complains(&["unknown: bad"]);
    let line = format!("python3 {script} bed --breccia $BRECCIA --quick --peers none --cores 1 --rounds 1");
    let alone = desk.shell(&line).exits(0);
    assert!(alone.out.contains("breccia, no rolling"), "{}", alone.out);
    let results: Value = serde_json::from_str(&desk.text("out/peers/results.json")).expect("JSON");
    assert_eq!(results["tables"][0]["rows"].as_array().map(Vec::len), Some(4));
    assert_eq!(results["tables"][0]["spheres"], 2000);
}
