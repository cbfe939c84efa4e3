//! Spheres, bonds, walls and meshes in space.

use super::Wish;
use super::fields::{self, Values};
use crate::problem::Failure;
use crate::surface::Surface;
use breccia::output::vtk::{Cells, PolyData};
use breccia::output::{Image, PictureScene, WallMesh, render};
use glam::DVec3;
use std::collections::BTreeMap;

/// Beads a bond is drawn as.
const BEADS: usize = 9;
/// Radii of spheres and of bonds where bonds are shown, as parts of the spheres' own.
const SHRUNK: [f64; 2] = [0.45, 0.2];

/// Draws frames by kind.
pub fn draw(kinds: &BTreeMap<&'static str, PolyData>, mut wish: Wish) -> Result<Image, Failure> {
    let nothing = PolyData::default();
    let spheres = kinds.get("spheres").unwrap_or(&nothing);
    let bonds = kinds.get("bonds").unwrap_or(&nothing);
    let walls = ["walls", "meshes"].iter().filter_map(|kind| kinds.get(kind)).map(wall_mesh).collect();
    let radii = fields::find(&spheres.point_fields, "radius").map_or_else(Vec::new, |values| values.numbers);
    let mut scene = PictureScene {
        centres: spheres.points.iter().map(|&p| DVec3::from_array(p)).collect(),
        radii,
        walls,
        ..PictureScene::default()
    };
    let is_there = |key: &&&str| fields::find(&spheres.point_fields, key).is_some();
    let first = fields::OF_SPHERES.iter().find(is_there).copied().unwrap_or("plain");
    match wish.colour.unwrap_or(first) {
        "plain" => {}
        key => {
            let of_spheres = fields::find(&spheres.point_fields, key);
            let of_bonds = || fields::find(&bonds.cell_fields, key);
            if let Some(values) = of_spheres {
                wish.options.legend = values.legend;
                scene.values = values.numbers;
            } else if let Some(values) = of_bonds() {
                wish.options.legend = values.legend.clone();
                show_bonds(&mut scene, bonds, &values);
            } else {
                return Err(fields::unknown(key, [spheres, bonds]));
            }
        }
    }
    Ok(render(&scene, &wish.options)?)
}

/// Shrinks the spheres and puts strings of beads between them, one for each bond that holds.
fn show_bonds(scene: &mut PictureScene, bonds: &PolyData, values: &Values) {
    let mean = scene.radii.iter().sum::<f64>() / scene.radii.len().max(1) as f64;
    scene.radii.iter_mut().for_each(|radius| *radius *= SHRUNK[0]);
    // Spheres have no value of their own here.
    scene.values = vec![f64::NAN; scene.centres.len()];
    let broken = fields::find(&bonds.cell_fields, "broken").map(|values| values.numbers);
    for (index, pair) in bonds.lines.connectivity.as_chunks::<2>().0.iter().enumerate() {
        if broken.as_ref().is_some_and(|broken| broken[index] != 0.0) {
            continue;
        }
        let [a, b] = pair.map(|point| DVec3::from_array(bonds.points[point as usize]));
        for bead in 0..BEADS {
            scene.centres.push(a.lerp(b, (bead as f64 + 0.5) / BEADS as f64));
            scene.radii.push(SHRUNK[1] * mean);
            scene.values.push(values.numbers[index]);
        }
    }
}

/// Polygons as glass, with their rims and creases.
fn wall_mesh(data: &PolyData) -> WallMesh {
    let outline = Surface::of(data, 0).creases();
    WallMesh {
        points: data.points.iter().map(|&p| DVec3::from_array(p)).collect(),
        polys: polygons(&data.polys),
        outline,
    }
}

fn polygons(cells: &Cells) -> Vec<Vec<u32>> {
    cells.iter().map(|polygon| polygon.iter().map(|&point| point as u32).collect()).collect()
}
