use breccia::output::run_folder::Existing;
use breccia::output::vtk::{Cells, Field, FieldData, PolyData, Pvd};
use breccia::output::{FrameSeries, FrameSet, OutputError, RunFolder, SphereFrame, WallFrame};
use std::fs;

fn set(time: f64) -> FrameSet {
    FrameSet {
        time,
        spheres: Some(SphereFrame::default()),
        walls: Some(WallFrame::default()),
        ..FrameSet::default()
    }
}

fn files(folder: &RunFolder) -> Vec<String> {
    let entries = fs::read_dir(folder.frames()).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn times(folder: &RunFolder) -> Vec<f64> {
    let (collection, _) = Pvd::resume(folder.collection("spheres"), f64::INFINITY).unwrap();
    collection.frames().iter().map(|frame| frame.0).collect()
}

#[test]
fn frames_are_numbered_and_collected() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    let mut series = FrameSeries::create(&folder);
    series.write(&set(0.0)).unwrap();
    series.write(&set(0.1)).unwrap();
    let expected = ["spheres_000000.vtp", "spheres_000001.vtp", "walls_000000.vtp", "walls_000001.vtp"];
    assert_eq!(files(&folder), expected);
    assert!(!folder.collection("contacts").exists());
    let pvd = fs::read_to_string(folder.collection("walls")).unwrap();
    assert!(pvd.contains("timestep=\"0.1\"") && pvd.contains("file=\"frames/walls_000001.vtp\""));
}

#[test]
fn restart_drops_later_frames_and_goes_on_numbering() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    let mut series = FrameSeries::create(&folder);
    for step in 0..6 {
        series.write(&set(f64::from(step) * 0.1)).unwrap();
    }
    let mut series = FrameSeries::resume(&folder, 0.25).unwrap();
    assert_eq!((series.next_index(), series.last_time()), (3, Some(0.2)));
    assert_eq!(times(&folder), [0.0, 0.1, 0.2]);
    assert_eq!(files(&folder).len(), 6);
    series.write(&set(0.3)).unwrap();
    assert_eq!(times(&folder), [0.0, 0.1, 0.2, 0.3]);
    assert!(folder.frames().join("spheres_000003.vtp").exists());
}

#[test]
fn resuming_an_empty_folder_starts_at_zero() {
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    let series = FrameSeries::resume(&folder, 1.0).unwrap();
    assert_eq!((series.next_index(), series.last_time()), (0, None));
}

#[test]
fn a_frame_at_the_same_instant_replaces_the_entry() {
    let folder = tempfile::tempdir().unwrap();
    let mut collection = Pvd::new(folder.path().join("a.pvd"));
    for (time, file) in [(0.0, "a"), (1.0, "b"), (1.0, "c & \"d\"")] {
        collection.push(time, file).unwrap();
    }
    let (back, dropped) = Pvd::resume(collection.path(), 1.0).unwrap();
    assert_eq!(back.frames(), [(0.0, "a".into()), (1.0, "c & \"d\"".into())]);
    assert!(dropped.is_empty());
}

#[test]
fn a_foreign_collection_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pvd");
    fs::write(&path, "hello").unwrap();
    let error = Pvd::resume(&path, 1.0).unwrap_err();
    assert!(error.to_string().contains("not a collection written by breccia"), "{error}");
}

#[test]
fn fields_of_the_wrong_length_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.vtp");
    let data = PolyData {
        points: vec![[0.0; 3]; 2],
        vertices: Cells::one_per_point(2),
        point_fields: vec![Field::new("force", 3, FieldData::F32(vec![0.0; 5]))],
        ..PolyData::default()
    };
    let error = data.write(&path).unwrap_err();
    assert!(matches!(&error, OutputError::Length { what, found: 5, expected: 6 } if what == "force"));
    assert!(!path.exists());
}
