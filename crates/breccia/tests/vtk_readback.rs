//! Files written here, read back by VTK itself and compared value by value.
//!
//! Uses a python3 that can import `vtk`; failing that, makes an environment under `target/` and installs the
//! `vtk` package there once.

use breccia::diagnostics::{ElementLoad, MeshLoad};
use breccia::motion::Pose;
use breccia::output::run_folder::Existing;
use breccia::output::vtk::{Cells, Field, FieldData, PolyData};
use breccia::output::{
    BondFrame, ClipBox, ContactFrame, FrameSeries, FrameSet, MeshFrame, MeshPiece, RunFolder, SphereFrame,
    WallFrame, WallMesh, WallSurface, tessellate,
};
use breccia::shapes::{Side, WallShape};
use glam::{DQuat, DVec3};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const HOW_TO_INSTALL: &str = "This test reads the files back with VTK. It needs python3 with venv and pip \
    (Debian: apt install python3 python3-venv), or the vtk package itself (apt install python3-vtk9, or pip install vtk)";

const READER: &str = include_str!("vtk_readback.py");

fn can_import_vtk(python: &Path) -> bool {
    Command::new(python).args(["-c", "import vtk, numpy"]).output().is_ok_and(|out| out.status.success())
}

fn run(command: &mut Command) {
    let output =
        command.output().unwrap_or_else(|e| panic!("cannot start {command:?}: {e}. {HOW_TO_INSTALL}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {said}\n{HOW_TO_INSTALL}");
}

/// A python that imports vtk; found or made once per test run.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let system = PathBuf::from("python3");
        if can_import_vtk(&system) {
            return system;
        }
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        // Test runners may start several processes of this test at once; one of them installs.
        let lock = fs::File::create(folder.join("vtk-environment.lock")).unwrap();
        lock.lock().unwrap();
        let environment = folder.join("vtk-environment");
        let own = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        if !can_import_vtk(&own) {
            run(Command::new(&system).args(["-m", "venv", "--clear"]).arg(&environment));
            run(Command::new(&own).args(["-m", "pip", "install", "--quiet", "vtk", "numpy"]));
        }
        own
    })
}

/// Whether files can be read back here. Without Python the tests say so and pass, unless `BRECCIA_REQUIRE_VTK` is set.
fn can_read_back() -> bool {
    let has_python = Command::new("python3").arg("--version").output().is_ok_and(|out| out.status.success());
    if !has_python && std::env::var_os("BRECCIA_REQUIRE_VTK").is_none() {
        eprintln!("NOT TESTED: reading back with VTK. {HOW_TO_INSTALL}");
        return false;
    }
    true
}

/// What VTK finds in a file, as JSON. Numbers travel as the hex digits of their bytes, so equality is exact.
fn read_with_vtk(path: &Path) -> Value {
    let output = Command::new(python()).args(["-c", READER]).arg(path).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "VTK on {}: {said}", path.display());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:02x}")).collect()
}

fn array(kind: &str, components: usize, bytes: impl IntoIterator<Item = u8>) -> Value {
    json!({ "type": kind, "components": components, "hex": hex(bytes) })
}

fn field_as_json(field: &Field) -> Value {
    let n = field.components;
    match &field.data {
        FieldData::F64(v) => array("float64", n, v.iter().flat_map(|x| x.to_le_bytes())),
        FieldData::F32(v) => array("float32", n, v.iter().flat_map(|x| x.to_le_bytes())),
        FieldData::I64(v) => array("int64", n, v.iter().flat_map(|x| x.to_le_bytes())),
        FieldData::U32(v) => array("uint32", n, v.iter().flat_map(|x| x.to_le_bytes())),
        FieldData::U8(v) => array("uint8", n, v.iter().copied()),
    }
}

fn fields_as_json(fields: &[Field]) -> Value {
    fields
        .iter()
        .map(|field| (field.name.clone(), field_as_json(field)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn cells_as_json(cells: &Cells) -> Value {
    let mut start = 0;
    let cell = |&end: &i64| {
        let points = &cells.connectivity[start..end as usize];
        start = end as usize;
        json!(points)
    };
    cells.offsets.iter().map(cell).collect()
}

fn as_json(data: &PolyData) -> Value {
    json!({
        "time": data.time.map(|time| hex(time.to_le_bytes())),
        "texts": data.texts.iter().cloned().collect::<BTreeMap<_, _>>(),
        "points": array("float64", 3, data.points.iter().flatten().flat_map(|x| x.to_le_bytes())),
        "vertices": cells_as_json(&data.vertices),
        "lines": cells_as_json(&data.lines),
        "polys": cells_as_json(&data.polys),
        "point_fields": fields_as_json(&data.point_fields),
        "cell_fields": fields_as_json(&data.cell_fields),
    })
}

fn check(data: &PolyData) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.vtp");
    data.write(&path).unwrap();
    assert_eq!(read_with_vtk(&path), as_json(data));
}

#[test]
fn an_empty_data_set_reads_back() {
    if !can_read_back() {
        return;
    }
    check(&PolyData::default());
}

#[test]
fn empty_fields_keep_their_types() {
    if !can_read_back() {
        return;
    }
    let none = |name: &str, data| Field::new(name, 3, data);
    check(&PolyData {
        time: Some(0.0),
        point_fields: vec![none("a", FieldData::F64(vec![])), none("b", FieldData::U32(vec![]))],
        cell_fields: vec![none("c", FieldData::F32(vec![])), none("d", FieldData::U8(vec![]))],
        ..PolyData::default()
    });
}

#[test]
fn all_types_of_fields_and_cells_read_back() {
    if !can_read_back() {
        return;
    }
    let (mut lines, mut polys) = (Cells::default(), Cells::default());
    lines.push([0, 1]);
    lines.push([1, 2, 3]);
    polys.push([0, 1, 2]);
    polys.push([0, 1, 2, 3, 4]);
    let odd = [0.1, -0.0, f64::MIN_POSITIVE / 4.0, f64::INFINITY, f64::MAX];
    check(&PolyData {
        time: Some(0.1 + 0.2),
        texts: vec![
            ("names".into(), vec!["a \"b\" <c>".into(), String::new(), "µ".into()]),
            ("none".into(), vec![]),
        ],
        points: odd.iter().map(|&x| [x, 1.0 / 3.0, -1e-300]).collect(),
        vertices: Cells::one_per_point(5),
        lines,
        polys,
        point_fields: vec![
            Field::new("a < b & \"c\"", 1, FieldData::F64(odd.to_vec())),
            Field::new("single", 2, FieldData::F32((0..10).map(|i| 0.1 * i as f32).collect())),
            Field::new("bytes", 1, FieldData::U8(vec![0, 1, 127, 128, 255])),
        ],
        cell_fields: vec![
            Field::new("long", 1, FieldData::I64((0..9).map(|i| i64::MIN + i).collect())),
            Field::new("word", 3, FieldData::U32((0..27).map(|i| u32::MAX - i).collect())),
        ],
    });
}

#[test]
fn arrays_of_many_blocks_and_of_whole_blocks_read_back() {
    if !can_read_back() {
        return;
    }
    for points in [4096, 4097, 20_000] {
        check(&PolyData {
            points: (0..points).map(|i| [f64::from(i).sqrt(), 0.0, 1.0]).collect(),
            vertices: Cells::one_per_point(points as usize),
            point_fields: vec![Field::new("x", 1, FieldData::F64((0..points).map(f64::from).collect()))],
            ..PolyData::default()
        });
    }
}

fn spheres() -> SphereFrame {
    let vectors = |scale: f64| (0..7).map(|i| DVec3::new(f64::from(i), -1.0, 0.5) * scale).collect();
    SphereFrame {
        ids: (10..17).collect(),
        positions: vectors(0.1),
        radii: vec![0.003; 7],
        velocities: vectors(0.2),
        spins: vectors(0.3),
        forces: vectors(0.4),
        torques: vectors(0.5),
        materials: vec![0, 1, 0, 1, 0, 1, 2],
        groups: vec![3; 7],
        orientations: Some(vec![DQuat::from_rotation_y(0.3); 7]),
        clumps: Some((0..7).map(|k| k / 2 * 2).collect()),
        fragments: Some((0..7).map(|k| [k, 7 - k]).collect()),
    }
}

fn contacts() -> ContactFrame {
    ContactFrame {
        ends: vec![[DVec3::ZERO, DVec3::X], [DVec3::X, DVec3::Y]],
        keys: vec![[0, 1], [1, 2]],
        walls: vec![0, 1],
        normal_forces: vec![1.5, 2.5],
        tangential_forces: vec![DVec3::Z, -DVec3::Z],
        overlaps: vec![1e-6, 2e-6],
    }
}

fn walls() -> WallFrame {
    let clip = ClipBox { min: DVec3::ZERO, max: DVec3::ONE };
    let pose = Pose { rotation: DQuat::from_rotation_x(0.2), translation: DVec3::Y };
    let cone = WallShape::Cone {
        start: DVec3::ZERO,
        axis: DVec3::Z,
        length: 1.0,
        start_radius: 0.0,
        end_radius: 1.0,
        side: Side::Inside,
    };
    let floor = WallShape::Plane { point: DVec3::splat(0.5), normal: DVec3::Z };
    let surface =
        |id, shape| WallSurface { id, name: format!("wall {id}"), mesh: tessellate(shape, &pose, &clip) };
    WallFrame { walls: vec![surface(4, &cone), surface(9, &floor)] }
}

fn bonds() -> BondFrame {
    BondFrame {
        ends: vec![[DVec3::ZERO, DVec3::X], [DVec3::X, DVec3::Y]],
        ids: vec![7, 3],
        bodies: vec![[0, 1], [1, 2]],
        kinds: vec![0, 1],
        normal_forces: vec![-1.5, 0.0],
        shear_forces: vec![DVec3::Z, DVec3::ZERO],
        twisting_moments: vec![1e-3, 0.0],
        bending_moments: vec![DVec3::Y * 1e-4, DVec3::ZERO],
        tensions: vec![-0.25, 0.0],
        shears: vec![0.5, 0.0],
        broken: vec![0, 2],
        broken_at: vec![-1.0, 0.125],
    }
}

/// Two meshes of a triangle and a quad each, every number different.
fn meshes() -> MeshFrame {
    let numbers = |k: u32| f64::from(k) / 3.0;
    let load = |k: u32| ElementLoad {
        normal_traction: numbers(k),
        shear_traction: DVec3::new(0.1, -numbers(k), 7.0),
        contacts: 2.0 * numbers(k),
        shares: [0.5, 0.25 + numbers(k), 0.125],
    };
    let piece = |id: u16| MeshPiece {
        id,
        name: format!("mesh {id}"),
        mesh: WallMesh {
            points: (0..5).map(|k| DVec3::new(f64::from(id), numbers(k), numbers(k * k))).collect(),
            polys: vec![vec![0, 1, 2], vec![0, 2, 3, 4]],
            outline: vec![],
        },
        groups: vec![1, 0],
        patches: vec![0, 1],
        load: MeshLoad {
            elements: vec![load(u32::from(id)), load(u32::from(id) + 1)],
            nodal_forces: (0..5).map(|k| DVec3::new(-1.0, numbers(k), 1e-300)).collect(),
        },
    };
    MeshFrame { meshes: vec![piece(2), piece(5)] }
}

#[test]
fn a_run_folder_reads_back_frame_by_frame() {
    if !can_read_back() {
        return;
    }
    let parent = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(parent.path(), Existing::Refuse).unwrap();
    let mut series = FrameSeries::create(&folder);
    let full = FrameSet {
        time: 0.25,
        spheres: Some(spheres()),
        contacts: Some(contacts()),
        walls: Some(walls()),
        meshes: Some(meshes()),
        bonds: Some(bonds()),
        ..FrameSet::default()
    };
    let none = Some(ContactFrame::default());
    let bare = FrameSet {
        time: 0.5,
        spheres: Some(SphereFrame::default()),
        contacts: none,
        walls: None,
        meshes: Some(MeshFrame::default()),
        bonds: Some(BondFrame::default()),
        ..FrameSet::default()
    };
    series.write(&full).unwrap();
    series.write(&bare).unwrap();
    let expected = [
        ("spheres_000000", spheres().to_poly_data(0.25)),
        ("contacts_000000", contacts().to_poly_data(0.25)),
        ("walls_000000", walls().to_poly_data(0.25)),
        ("meshes_000000", meshes().to_poly_data(0.25)),
        ("bonds_000000", bonds().to_poly_data(0.25)),
        ("spheres_000001", SphereFrame::default().to_poly_data(0.5)),
        ("contacts_000001", ContactFrame::default().to_poly_data(0.5)),
        ("meshes_000001", MeshFrame::default().to_poly_data(0.5)),
        ("bonds_000001", BondFrame::default().to_poly_data(0.5)),
    ];
    for (name, data) in expected {
        let path = folder.frames().join(format!("{name}.vtp"));
        assert_eq!(read_with_vtk(&path), as_json(&data), "{name}");
    }
}

#[test]
fn a_damaged_file_is_noticed_by_this_test() {
    if !can_read_back() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.vtp");
    let data = spheres().to_poly_data(0.0);
    data.write(&path).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() * 2 / 3;
    bytes[middle] ^= 0x10;
    fs::write(&path, bytes).unwrap();
    let output = Command::new(python()).args(["-c", READER]).arg(&path).output().unwrap();
    let same = serde_json::from_slice::<Value>(&output.stdout).is_ok_and(|read| read == as_json(&data));
    assert!(!same || !output.stderr.is_empty());
}
