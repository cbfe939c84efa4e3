//! The storm between meshes: no element is missed that a sphere comes to touch between two looks at all that are listed.

use crate::lists::{compare, storm};
use breccia::model::{MaterialId, MeshSurface, Surface};
use breccia::scene::Scene;
use breccia::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};
use breccia::simulation::Simulation;
use glam::DVec3;
use std::sync::Arc;

const FLOOR: usize = 0;
const PADDLE: usize = 2;

/// A floor of triangles, wider than spheres come between two rebuilds.
fn floor() -> PolygonMesh {
    const CELLS: u32 = 24;
    let at = |k: u32| 0.01 * (f64::from(k) - f64::from(CELLS) / 2.0);
    let vertices =
        (0..=CELLS).flat_map(|i| (0..=CELLS).map(move |j| DVec3::new(at(i), at(j), 0.0))).collect();
    let corner = |i: u32, j: u32| i * (CELLS + 1) + j;
    let triangles = |i: u32, j: u32| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [vec![a, b, c], vec![a, c, d]]
    };
    let polygons: Vec<Vec<u32>> =
        (0..CELLS).flat_map(|i| (0..CELLS).flat_map(move |j| triangles(i, j))).collect();
    mesh(vertices, &polygons)
}

/// The paddle of the storm as six quadrilaterals.
fn paddle() -> PolygonMesh {
    let (low, high) = (DVec3::new(-0.02, -0.002, 0.0005), DVec3::new(0.02, 0.002, 0.006));
    let corner = |k: u32| {
        let pick = |axis: u32| if k >> axis & 1 == 0 { low[axis as usize] } else { high[axis as usize] };
        DVec3::new(pick(0), pick(1), pick(2))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    mesh((0..8).map(corner).collect(), &quads.map(Vec::from))
}

fn mesh(vertices: Vec<DVec3>, polygons: &[Vec<u32>]) -> PolygonMesh {
    let groups = vec![0; polygons.len()];
    PolygonMesh::from_polygons(vertices, polygons, &groups, true, DOUBLE_PRECISION).unwrap()
}

/// The storm with floor and paddle as meshes.
fn storm_between_meshes(seed: u64, count: usize) -> Scene {
    let mut scene = storm(seed, count);
    for (number, name, mesh) in [(FLOOR, "floor", floor()), (PADDLE, "paddle", paddle())] {
        let wall = &mut scene.model.walls[number];
        let materials: Vec<MaterialId> = vec![wall.material];
        wall.surface = Surface::Mesh(Arc::new(MeshSurface::new(name, mesh, materials)));
    }
    scene
}

#[test]
fn a_storm_between_meshes() {
    let mut run = Simulation::new(&storm_between_meshes(5, 400));
    let (pairs, walls) = compare(&mut run, 1500, 3);
    assert!(pairs > 3_000 && walls > 1_000, "{pairs} pair and {walls} wall contacts");
    let lists = || run.state.lists.chunks.iter().map(|chunk| &chunk.surface);
    let known: usize = lists().map(|surface| surface.known.elements.len()).sum();
    let watched: usize = lists().map(|surface| surface.watched.elements.len()).sum();
    assert!(watched > 0 && 2 * watched < known, "{watched} of {known} elements are watched");
}

#[test]
fn a_storm_between_meshes_with_given_skins() {
    for skin in [1e-4, 2e-3, 1.2e-2] {
        let mut scene = storm_between_meshes(6, 250);
        scene.model.search.skin = Some(skin);
        let (pairs, walls) = compare(&mut Simulation::new(&scene), 300, 2);
        assert!(pairs > 100 && walls > 100, "skin {skin}: {pairs} pair and {walls} wall contacts");
    }
}
