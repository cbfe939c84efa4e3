//! Run folders written by our own frame writer, without a run: kinds that a scene takes long to make, or not yet makes.

use breccia::output::run_folder::Existing;
use breccia::output::vtk::{Field, FieldData, PolyData};
use breccia::output::{ContactFrame, FrameSeries, FrameSet, RunFolder, SphereFrame};
use glam::DVec3;
use std::path::Path;

/// Frames of each made run.
pub const FRAMES: usize = 5;

fn folder(root: &Path, title: &str, gravity: &str) -> RunFolder {
    let folder = RunFolder::create(root, Existing::Refuse).expect("a folder");
    let resolved =
        format!("title = \"{title}\"\n[model]\ngravity = {gravity}\n[model.time]\nduration = 0.4\n");
    std::fs::write(folder.resolved(), resolved).expect("a file");
    std::fs::write(folder.summary(), "{ \"status\": \"finished\", \"wall_time_s\": 1.0 }").expect("a file");
    let rows: String = (0..FRAMES).map(|i| format!("{},{}\n", 0.1 * i as f64, i * i)).collect();
    std::fs::write(folder.table(), format!("time [s],kinetic_translation [J]\n{rows}")).expect("a file");
    folder
}

fn write(folder: &RunFolder, frame: impl Fn(f64) -> FrameSet) {
    let mut series = FrameSeries::create(folder);
    for index in 0..FRAMES {
        series.write(&frame(0.1 * index as f64)).expect("a frame");
    }
}

/// Twelve grains, every other one concave, in three rows that fall; contacts between neighbours.
pub fn grains(root: &Path) {
    let folder = folder(root, "Angular grains", "[0.0, -9.81, 0.0]");
    write(&folder, |time| {
        let centres: Vec<DVec3> = (0..12)
            .map(|i| DVec3::new(0.021 * f64::from(i % 4), 0.021 * f64::from(i / 4) - 0.5 * time * time, 0.0))
            .collect();
        let mut grains = PolyData { time: Some(time), ..PolyData::default() };
        for (number, centre) in centres.iter().enumerate() {
            let first = grains.points.len() as i64;
            for corner in 0..14 {
                let dent = if number % 2 == 0 && corner % 2 == 1 { 0.006 } else { 0.01 };
                let (sine, cosine) = libm::sincos(f64::from(corner) * std::f64::consts::PI / 7.0 + time);
                grains.points.push((*centre + dent * DVec3::new(cosine, sine, 0.0)).to_array());
            }
            grains.polys.push(first..first + 14);
        }
        let speeds = (0..12).map(|i| 0.1 * i as f32 + time as f32).flat_map(|v| [0.0, -v, 0.0]).collect();
        grains.cell_fields = vec![
            Field::new("grain", 1, FieldData::U32((0..12).collect())),
            Field::new("velocity", 3, FieldData::F32(speeds)),
        ];
        let contacts = ContactFrame {
            ends: (0..11).map(|i| [centres[i], centres[i + 1]]).collect(),
            keys: (0..11).map(|i| [i, i + 1]).collect(),
            walls: vec![0; 11],
            normal_forces: (0..11).map(|i| 1.0 + f64::from(i)).collect(),
            tangential_forces: vec![DVec3::ZERO; 11],
            overlaps: vec![1e-6; 11],
        };
        FrameSet { time, grains: Some(grains), contacts: Some(contacts), ..FrameSet::default() }
    });
}

/// A beam of 12 × 3 quadrilaterals that bends, with stress on elements and displacement on nodes.
pub fn solids(root: &Path) {
    let folder = folder(root, "Bending beam", "[0.0, 0.0, -9.81]");
    write(&folder, |time| {
        let mut beam = PolyData { time: Some(time), ..PolyData::default() };
        let mut moved = Vec::new();
        for row in 0..4 {
            for column in 0..13 {
                let x = 0.01 * f64::from(column);
                let down = -20.0 * time * x * x;
                beam.points.push([x, 0.01 * f64::from(row) + down, 0.0]);
                moved.extend([0.0, down as f32, 0.0]);
            }
        }
        let mut stress = Vec::new();
        for row in 0..3_i64 {
            for column in 0..12_i64 {
                let corner = 13 * row + column;
                beam.polys.push([corner, corner + 1, corner + 14, corner + 13]);
                stress.push(1e6 * time * (12 - column) as f64 * (row - 1).abs() as f64);
            }
        }
        beam.point_fields = vec![Field::new("displacement", 3, FieldData::F32(moved))];
        beam.cell_fields = vec![
            Field::new("body", 1, FieldData::U32(vec![0; 36])),
            Field::new("von_mises", 1, FieldData::F64(stress)),
        ];
        FrameSet { time, solids: Some(beam), ..FrameSet::default() }
    });
}

/// `count` spheres in a block that spreads, for trying how many can be shown.
pub fn many_spheres(root: &Path, count: usize) {
    let folder = folder(root, "Many spheres", "[0.0, 0.0, -9.81]");
    let side = (1..).find(|side| side * side * side >= count).unwrap_or(1);
    write(&folder, |time| {
        let place = |i: usize| {
            let [x, y, z] = [i % side, i / side % side, i / side / side].map(|n| n as f64 * 0.01);
            DVec3::new(x * (1.0 + time), y, z)
        };
        let spheres = SphereFrame {
            ids: (0..count as u32).collect(),
            positions: (0..count).map(place).collect(),
            radii: vec![0.005; count],
            velocities: (0..count).map(|i| DVec3::X * place(i).z).collect(),
            spins: vec![DVec3::ZERO; count],
            forces: vec![DVec3::ZERO; count],
            torques: vec![DVec3::ZERO; count],
            materials: vec![0; count],
            groups: (0..count).map(|i| (i % 2) as u16).collect(),
            clumps: Some((0..count as u32).map(|i| i / 4 * 4).collect()),
            ..SphereFrame::default()
        };
        FrameSet { time, spheres: Some(spheres), ..FrameSet::default() }
    });
}
