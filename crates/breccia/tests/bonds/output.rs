//! What a run with bonds writes.

use crate::builders::{cube, kind, one_cluster};
use breccia::contacts::bonds::FailureMode;
use breccia::diagnostics::{bond_loads, bond_statistics, fragment_masses};
use breccia::model::BondKind;
use breccia::output::observe::{frame_of, table_columns, table_row};
use breccia::output::{
    FrameSeries, RunFolder, breakage_plot, fragment_plot, run_folder::Existing, write_broken_bonds,
};
use breccia::simulation::Simulation;
use glam::DVec3;

/// A cube whose upper half is torn off.
fn torn() -> Simulation {
    let weak = BondKind { tensile_strength: 3e5, shear_strength: 3e5, damping_ratio: 0.05, ..kind() };
    let mut scene = one_cluster(2e-6, &cube(3), weak);
    for body in &mut scene.bodies {
        body.velocity = DVec3::new(0.0, 0.0, if body.position.z > 1e-3 { 4.0 } else { 0.0 });
    }
    let mut run = Simulation::new(&scene);
    for _ in 0..1500 {
        run.step().expect("a step");
    }
    run
}

#[test]
fn frames_show_bonds_that_hold_and_that_broke() {
    let run = torn();
    let broken = run.state.broken.len();
    assert!(broken >= 9, "{broken}");
    let set = frame_of(&run, false, true);
    let bonds = set.bonds.as_ref().expect("bonds");
    assert_eq!(bonds.ids.len(), 54);
    assert_eq!(bonds.broken.iter().filter(|&&broken| broken > 0).count(), broken);
    for (place, &id) in bonds.ids.iter().enumerate() {
        let failed = run.state.broken.iter().find(|broken| broken.id == id);
        let mode = failed.map_or(0, |failed| if failed.mode == FailureMode::Tension { 1 } else { 2 });
        assert_eq!(bonds.broken[place], mode);
        let time = failed.map_or(-1.0, |failed| failed.step as f64 * 2e-6);
        assert_eq!(bonds.broken_at[place], time);
        let ends = run.state.fragments.ends(id);
        assert_eq!(bonds.bodies[place], [ends.a, ends.b]);
    }
    for load in bond_loads(&run.setup, &run.state) {
        assert!(load.tension <= 1.0 && load.shear <= 1.0, "a bond beyond its strength holds: {load:?}");
    }
    let spheres = set.spheres.as_ref().expect("spheres");
    let fragments = spheres.fragments.as_ref().expect("fragments");
    for &[fragment, size] in fragments {
        assert_eq!(fragments.iter().filter(|other| other[0] == fragment).count(), size as usize);
    }
    assert!(frame_of(&run, false, false).bonds.is_none());

    let folder = tempfile::tempdir().expect("a folder");
    let folder = RunFolder::create(folder.path().join("run"), Existing::Refuse).expect("a run folder");
    FrameSeries::create(&folder).write(&set).expect("a frame");
    assert!(folder.frames().join("bonds_000000.vtp").exists() && folder.collection("bonds").exists());
}

#[test]
fn tables_and_plots_agree_with_the_state() {
    let mut run = torn();
    let sample = run.sample();
    let (columns, row) = (table_columns(&run.setup), table_row(&run, &sample));
    assert_eq!(columns.len(), row.len());
    let value = |name: &str| row[columns.iter().position(|column| column.name == name).expect("a column")];
    let statistics = bond_statistics(&run.state);
    assert_eq!(value("bonds") + value("broken_tension") + value("broken_shear"), 54.0);
    assert_eq!(value("broken_share"), run.state.broken.len() as f64 / 54.0);
    assert_eq!(value("fragments"), run.state.fragments.count() as f64);
    let masses = fragment_masses(&run.state);
    let whole: f64 = masses.iter().map(|fragment| fragment.mass).sum();
    assert!((whole / sample.mass - 1.0).abs() < 1e-12);
    let largest = masses.iter().map(|fragment| fragment.spheres).max().expect("a fragment");
    assert!((value("largest_fragment_mass") / (sample.mass * f64::from(largest) / 27.0) - 1.0).abs() < 1e-12);
    assert_eq!(statistics.fragments as usize, masses.len());

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.csv");
    write_broken_bonds(&run, &path).expect("a table");
    let text = std::fs::read_to_string(&path).expect("a text");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("time [s],bond,kind,mode,energy [J],body_a,body_b"));
    for (line, broken) in lines.by_ref().zip(&run.state.broken) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[0].parse::<f64>(), Ok(run.setup.time_of(broken.step)));
        assert_eq!((fields[1].parse::<u32>(), fields[2]), (Ok(broken.id), "cement"));
        assert_eq!(fields[4].parse::<f64>(), Ok(broken.energy));
    }
    assert_eq!(text.lines().count(), 1 + run.state.broken.len());
    for plot in [breakage_plot(&run, "torn"), fragment_plot(&run, "torn")] {
        let svg = plot.to_svg();
        assert!(svg.contains("torn") && svg.contains("<path") && !svg.contains("NaN"));
    }
}
