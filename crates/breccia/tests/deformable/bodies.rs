//! Other elements and shapes than quads in disks.

use super::builders::*;
use breccia::deformable::mesh::Cell;
use breccia::deformable::{Penalty, SolidMesh, SurfaceProperties};
use glam::{DVec2, dvec2};

fn cut_into_triangles(mesh: SolidMesh) -> SolidMesh {
    let cut = |cell: &Cell| match *cell {
        Cell::Quad([a, b, c, d]) => vec![Cell::Triangle([a, b, c]), Cell::Triangle([a, c, d])],
        Cell::Triangle(_) => vec![*cell],
    };
    SolidMesh { cells: mesh.cells.iter().flat_map(cut).collect(), points: mesh.points }
}

#[test]
fn disks_of_triangles_bounce_much_like_disks_of_quads() {
    let shape = shape(cut_into_triangles(SolidMesh::disk(1.0, 8, 3)));
    let a = body(&shape, 0.0, dvec2(-1.025, 0.0), dvec2(0.5, 0.0));
    let b = body(&shape, 0.0, dvec2(1.025, 0.7), dvec2(-0.5, 0.0));
    let mut run = free_run(vec![a, b], settings(0.01, 1e-10));
    let drift = watch(&mut run, 60);
    assert!(drift.energy <= 1e-9 && drift.momentum <= 1e-10 && drift.angular <= 1e-10, "{drift:?}");
    let velocity = run.motion(0).velocity;
    assert!(velocity.distance(dvec2(-0.373, -0.313)) < 0.03, "{velocity}");
}

#[test]
fn a_disk_inside_a_ring_bounces_off_its_hole() {
    let ring = body(&shape(SolidMesh::ring(1.5, 2.0, 48, 3)), 0.0, DVec2::ZERO, DVec2::ZERO);
    let disk = body(&disk(4, 2), 0.1, dvec2(0.4, 0.0), dvec2(0.5, 0.1));
    let mut run = free_run(vec![ring, disk], settings(0.02, 1e-10));
    let drift = watch(&mut run, 60);
    assert!(drift.energy <= 1e-9 && drift.momentum <= 1e-10 && drift.angular <= 1e-10, "{drift:?}");
    assert!(run.motion(1).velocity.x < 0.3 && run.motion(0).velocity.x > 0.1);
    assert!(run.state.total.penetration < 0.004);
}

/// With a stiffness per area, two densities of the mesh press alike.
#[test]
fn a_penalty_per_area_suits_graded_meshes() {
    let depth = |columns: usize| {
        let block = shape(SolidMesh::rectangle(dvec2(2.0, 1.0), [columns, 4]));
        let mut block = body(&block, 0.0, dvec2(0.0, 0.5), DVec2::ZERO);
        block.surfaces = vec![SurfaceProperties { penalty: Penalty::PerArea(1e4), ..smooth() }];
        let floor = breccia::deformable::StraightWall {
            name: "floor".into(),
            point: DVec2::ZERO,
            normal: DVec2::Y,
            surface: block.surfaces[0],
        };
        let setup = breccia::deformable::SolidSetup::new(
            vec![block],
            vec![floor],
            dvec2(0.0, -1.0),
            settings(0.02, 1e-10),
        );
        let mut run = breccia::deformable::SolidRun::new(setup);
        let mut deepest = 0.0_f64;
        for _ in 0..30 {
            run.step().unwrap();
            deepest = deepest.max(run.state.last.penetration);
        }
        deepest
    };
    let (coarse, fine) = (depth(8), depth(16));
    assert!((coarse / fine - 1.0).abs() < 0.1 && coarse > 1e-4, "{coarse} {fine}");
}
