use breccia::output::run_folder::{Existing, RunFolder};
use breccia::output::{OutputError, write_checkpoint};
use std::fs;

#[test]
fn a_new_folder_has_the_named_places() {
    let parent = tempfile::tempdir().unwrap();
    let root = parent.path().join("a/b");
    let folder = RunFolder::create(&root, Existing::Refuse).unwrap();
    assert!(folder.frames().is_dir());
    assert_eq!(folder.table(), root.join("table.csv"));
    assert_eq!(folder.collection("spheres"), root.join("spheres.pvd"));
    // Nothing written yet, so trying again is fine.
    RunFolder::create(&root, Existing::Refuse).unwrap();
}

#[test]
fn an_existing_run_is_refused_and_overwritten_only_when_told() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    write_checkpoint(&folder.checkpoint(), &1_u8).unwrap();
    fs::write(folder.frames().join("spheres_000000.vtp"), "").unwrap();
    fs::write(folder.frames().join("mine.txt"), "").unwrap();
    fs::write(parent.path().join("notes.md"), "mine").unwrap();
    let error = RunFolder::create(parent.path(), Existing::Refuse).unwrap_err();
    assert!(matches!(&error, OutputError::RunExists { found, .. } if found == "checkpoint"));
    assert!(error.to_string().contains("already holds a run"));
    RunFolder::create(parent.path(), Existing::Overwrite).unwrap();
    assert!(!folder.checkpoint().exists() && !folder.frames().join("spheres_000000.vtp").exists());
    assert!(parent.path().join("notes.md").exists() && folder.frames().join("mine.txt").exists());
}

#[test]
fn frames_alone_count_as_a_run() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    fs::write(folder.frames().join("spheres_000000.vtp"), "").unwrap();
    assert!(RunFolder::create(parent.path(), Existing::Refuse).is_err());
}

#[test]
fn opening_clears_what_a_killed_run_left_half_written() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    fs::write(parent.path().join(".checkpoint.tmp"), "half").unwrap();
    fs::write(folder.frames().join(".spheres_000003.vtp.tmp"), "half").unwrap();
    fs::write(folder.table(), "time [s]\n").unwrap();
    assert_eq!(RunFolder::open(parent.path()).unwrap(), folder);
    assert!(!parent.path().join(".checkpoint.tmp").exists());
    assert_eq!(fs::read_dir(folder.frames()).unwrap().count(), 0);
    assert!(folder.table().exists());
}

#[test]
fn opening_a_missing_folder_names_it() {
    let error = RunFolder::open("/nonexistent/run").unwrap_err().to_string();
    assert!(error.starts_with("cannot open /nonexistent/run: "), "{error}");
}

#[test]
fn a_file_in_the_way_is_named() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("file");
    fs::write(&path, "").unwrap();
    let error = RunFolder::create(&path, Existing::Refuse).unwrap_err().to_string();
    assert!(error.starts_with("cannot create ") && error.contains("file/frames"), "{error}");
}
