use breccia::output::{Column, OutputError, Table};
use proptest::prelude::*;
use std::fs;
use std::process::Command;

fn columns() -> Vec<Column> {
    vec![Column::new("time", "s"), Column::new("kinetic_energy", "J"), Column::new("contacts", "")]
}

fn numbers(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|row| row.split(',').map(|x| x.parse().unwrap()).collect()).collect()
}

#[test]
fn header_has_units_and_rows_are_there_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    let mut table = Table::create(&path, &columns()).unwrap();
    table.append(&[0.0, 1.5, 3.0]).unwrap();
    let expected = "time [s],kinetic_energy [J],contacts\n0.0,1.5,3.0\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn names_with_commas_and_quotes_stay_one_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    Table::create(&path, &[Column::new("time", "s"), Column::new("force on \"a, b\"", "N")]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "time [s],\"force on \"\"a, b\"\" [N]\"\n");
}

proptest! {
    #[test]
    fn numbers_read_back_to_the_same_bits(a in any::<f64>(), b in any::<f64>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        Table::create(&path, &columns()).unwrap().append(&[0.1, a, b]).unwrap();
        let back = &numbers(&fs::read_to_string(&path).unwrap())[0];
        for (sent, read) in [(a, back[1]), (b, back[2])] {
            prop_assert!(sent.to_bits() == read.to_bits() || (sent.is_nan() && read.is_nan()));
        }
    }
}

#[test]
fn restart_drops_later_rows_and_a_half_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    let mut table = Table::create(&path, &columns()).unwrap();
    for step in 0..10 {
        table.append(&[f64::from(step) * 0.1, 1e-20, 0.0]).unwrap();
    }
    drop(table);
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{whole}0.1,0.")).unwrap();
    let mut table = Table::resume(&path, &columns(), 0.1 * 3.0).unwrap();
    table.append(&[0.35, 2.0, 0.0]).unwrap();
    let times: Vec<f64> = numbers(&fs::read_to_string(&path).unwrap()).iter().map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 0.1, 0.2, 0.1 * 3.0, 0.35]);
}

#[test]
fn a_table_with_other_columns_is_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    Table::create(&path, &columns()[..2]).unwrap();
    let error = Table::resume(&path, &columns(), 1.0).unwrap_err();
    assert!(matches!(error, OutputError::Mismatch { .. }));
    assert!(error.to_string().contains("this run writes `time [s],kinetic_energy [J],contacts`"), "{error}");
}

#[test]
fn a_missing_table_is_started_on_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    Table::resume(&path, &columns(), 1.0).unwrap().append(&[1.0, 2.0, 3.0]).unwrap();
    assert_eq!(numbers(&fs::read_to_string(&path).unwrap()), [[1.0, 2.0, 3.0]]);
}

#[test]
fn a_row_of_the_wrong_length_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = Table::create(folder.path().join("table.csv"), &columns()).unwrap();
    let error = table.append(&[1.0]).unwrap_err();
    assert!(matches!(error, OutputError::Length { found: 1, expected: 3, .. }));
}

const CHILD_PATH: &str = "BRECCIA_TEST_TABLE_CHILD";

/// The shell lets files grow to a few kilobytes only, as a disk does that fills up.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_leaves_whole_rows() {
    if let Some(path) = std::env::var_os(CHILD_PATH) {
        return fill_up(path.into());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    let itself = std::env::current_exe().unwrap();
    let status = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 4; exec \"$0\" --exact table::a_disk_that_fills_up_leaves_whole_rows",
        ])
        .arg(itself)
        .env(CHILD_PATH, &path)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.len() > 1000 && text.ends_with(",0.125\n"));
    assert!(numbers(&text).iter().enumerate().all(|(row, values)| values[0] == row as f64));
}

fn fill_up(path: std::path::PathBuf) {
    let mut table = Table::create(&path, &columns()).unwrap();
    let error = (0..10_000).find_map(|row| table.append(&[f64::from(row), 1.0 / 3.0, 0.125]).err()).unwrap();
    assert!(error.to_string().starts_with(&format!("cannot write {}: ", path.display())), "{error}");
}
