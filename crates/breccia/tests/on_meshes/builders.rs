//! Meshes as walls of a scene.

use breccia::model::{MeshSurface, Surface, Wall};
use breccia::motion::PrescribedMotion;
use breccia::scene::Scene;
use breccia::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};
use glam::DVec3;
use std::sync::Arc;

/// A mesh of clean polygons, one-sided.
pub fn mesh(vertices: Vec<DVec3>, polygons: &[Vec<u32>]) -> PolygonMesh {
    PolygonMesh::from_polygons(vertices, polygons, &[], false, DOUBLE_PRECISION).expect("clean polygons")
}

/// Adds a mesh at rest of the scene's last material.
pub fn add_mesh(scene: &mut Scene, name: &str, mesh: PolygonMesh, concave_blend: bool) {
    let material = breccia::model::MaterialId(scene.model.materials.len() as u16 - 1);
    let mut surface = MeshSurface::new(name, mesh, vec![material]);
    surface.concave_blend = concave_blend;
    scene.model.walls.push(Wall {
        name: name.into(),
        surface: Surface::Mesh(Arc::new(surface)),
        material,
        motion: PrescribedMotion { parts: Vec::new() },
    });
}

/// The inside of a drum about the y axis: `facets` planes at a distance of `radius` [m], `width` [m] long, each cut
/// along the axis into two triangles if wished.
pub fn faceted_drum(facets: u32, radius: f64, width: f64, in_triangles: bool) -> PolygonMesh {
    let step = std::f64::consts::TAU / f64::from(facets);
    let corner = radius / libm::cos(0.5 * step);
    let vertices = (0..facets).flat_map(|k| {
        let (sin, cos) = libm::sincos((f64::from(k) + 0.5) * step);
        [-0.5, 0.5].map(|side| DVec3::new(corner * sin, side * width, -corner * cos))
    });
    let mut polygons = Vec::new();
    for k in 0..facets {
        let next = (k + 1) % facets;
        let quad = [2 * k, 2 * next, 2 * next + 1, 2 * k + 1];
        if in_triangles {
            polygons.extend([vec![quad[0], quad[1], quad[2]], vec![quad[0], quad[2], quad[3]]]);
        } else {
            polygons.push(quad.to_vec());
        }
    }
    mesh(vertices.collect(), &polygons)
}
