//! Elastic disks as in the report of Petőcz and Armero: for experiments and benches.

use breccia::deformable::mesh::MeshError;
use breccia::deformable::{
    ElasticMaterial, ElasticShape, MassKind, SolidBody, SolidMesh, SolidRun, SolidSettings, SolidSetup,
    StraightWall, SurfaceProperties,
};
use breccia::scene::RandomStream;
use glam::{DVec2, dvec2};
use std::sync::Arc;

/// λ = 2000, G = 1000, ρ = 1: the report's.
pub const MATERIAL: ElasticMaterial =
    ElasticMaterial { lame_lambda: 2000.0, shear_modulus: 1000.0, density: 1.0 };

/// Penalty [N/m].
pub const KAPPA: f64 = 1e4;

/// Turn of the mesh of disk k, so that vertices do not meet head-on [rad].
pub const TURN: f64 = 2.399963;

/// A disk of radius 1 m: `core`² quads and `layers` layers around them.
pub fn disk(core: usize, layers: usize) -> Result<Arc<ElasticShape>, MeshError> {
    let mesh = SolidMesh::disk(1.0, core, layers);
    Ok(Arc::new(ElasticShape::new(mesh, MATERIAL, 1.0, MassKind::Consistent)?))
}

/// A surface without friction.
pub fn smooth() -> SurfaceProperties {
    SurfaceProperties::smooth(KAPPA)
}

/// A body turned and shifted, with a velocity.
pub fn body(shape: &Arc<ElasticShape>, turn: f64, at: DVec2, velocity: DVec2) -> SolidBody {
    SolidBody::new("disk", Arc::clone(shape), (turn, at), smooth()).moving(velocity, 0.0)
}

/// `side`² disks in a square box, the left column moving at (0.5, 0.1).
pub fn box_of_disks(
    side: usize,
    (core, layers): (usize, usize),
    settings: SolidSettings,
) -> Result<SolidRun, MeshError> {
    let shape = disk(core, layers)?;
    let mut bodies = Vec::new();
    for i in 0..side {
        for j in 0..side {
            let at = 2.5 * dvec2(i as f64 + 0.5, j as f64 + 0.5);
            let velocity = if i == 0 { dvec2(0.5, 0.1) } else { DVec2::ZERO };
            let mut disk = body(&shape, TURN * bodies.len() as f64, at, velocity);
            disk.name = format!("disk {}", bodies.len());
            bodies.push(disk);
        }
    }
    let walls = StraightWall::inside_box(DVec2::ZERO, DVec2::splat(2.5 * side as f64), smooth());
    Ok(SolidRun::new(SolidSetup::new(bodies, walls.to_vec(), DVec2::ZERO, settings)))
}

/// Disks close together that all move, turn and tremble, in a box or without one.
pub fn lively_disks(
    (columns, rows): (usize, usize),
    (core, layers): (usize, usize),
    walls: bool,
    settings: SolidSettings,
) -> Result<SolidRun, MeshError> {
    const PITCH: f64 = 2.02;
    let shape = disk(core, layers)?;
    let mut dice = RandomStream::new(1998);
    let mut bodies = Vec::new();
    for place in 0..columns * rows {
        let centre = PITCH * dvec2((place % columns) as f64 + 0.5, (place / columns) as f64 + 0.5);
        let velocity = dvec2(dice.between(-0.5, 0.5), dice.between(-0.5, 0.5));
        let mut disk = body(&shape, TURN * place as f64, centre, DVec2::ZERO).moving(velocity, 0.3);
        for (velocity, x) in disk.velocities.iter_mut().zip(&disk.positions) {
            let arm = *x - centre;
            *velocity += 0.3 * dvec2(arm.x * arm.x, arm.x * arm.y);
        }
        bodies.push(disk);
    }
    let far = PITCH * dvec2(columns as f64, rows as f64);
    let walls =
        if walls { StraightWall::inside_box(DVec2::ZERO, far, smooth()).to_vec() } else { Vec::new() };
    Ok(SolidRun::new(SolidSetup::new(bodies, walls, DVec2::ZERO, settings)))
}
