//! Clusters on meshes: as on the analytic wall of the same shape, breaking there, and with the same bits.

use crate::builders::{RADIUS, add_cluster, cube, empty, kind};
use crate::support::{Fingerprint, through_checkpoint};
use breccia::model::{BondKind, MaterialId, MeshSurface, Surface, Wall};
use breccia::motion::{MotionKind, MotionPart, PrescribedMotion};
use breccia::scene::Scene;
use breccia::shapes::WallShape;
use breccia::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};
use breccia::simulation::Simulation;
use glam::{DQuat, DVec3, dvec3};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Side of the plates [m].
const SIDE: f64 = 0.4;

/// What clusters fall on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Floor {
    Plane,
    /// A flat grid of so many cells along each side, two triangles in each.
    Plate(u32),
    /// Three one-sided rectangles side by side.
    Rectangles,
}

fn plate(cells: u32) -> Surface {
    let at = |k: u32| SIDE * (f64::from(k) / f64::from(cells) - 0.5);
    let vertices = (0..=cells).flat_map(|y| (0..=cells).map(move |x| dvec3(at(x), at(y), 0.0))).collect();
    let corner = |x: u32, y: u32| y * (cells + 1) + x;
    let mut triangles = Vec::new();
    for (x, y) in (0..cells).flat_map(|y| (0..cells).map(move |x| (x, y))) {
        let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
        triangles.extend([vec![a, b, c], vec![a, c, d]]);
    }
    let mesh = PolygonMesh::from_polygons(vertices, &triangles, &[], false, DOUBLE_PRECISION);
    Surface::Mesh(Arc::new(MeshSurface::new("plate", mesh.expect("clean polygons"), vec![MaterialId(0)])))
}

fn surfaces(floor: Floor) -> Vec<Surface> {
    match floor {
        Floor::Plane => vec![WallShape::Plane { point: DVec3::ZERO, normal: DVec3::Z }.into()],
        Floor::Plate(cells) => vec![plate(cells)],
        Floor::Rectangles => [-1.0, 0.0, 1.0]
            .map(|place| {
                let shape = WallShape::Rectangle {
                    centre: dvec3(0.0, SIDE / 3.0 * place, 0.0),
                    normal: DVec3::Z,
                    along: DVec3::X,
                    half: [0.5 * SIDE, SIDE / 6.0],
                    two_sided: false,
                };
                shape.into()
            })
            .into(),
    }
}

fn add_floor(scene: &mut Scene, floor: Floor, motion: &PrescribedMotion) {
    for (number, surface) in surfaces(floor).into_iter().enumerate() {
        scene.model.walls.push(Wall {
            name: format!("floor-{number}"),
            surface,
            material: MaterialId(0),
            motion: motion.clone(),
        });
    }
}

/// A turned cube thrown on a floor aslant, spinning.
fn thrown(floor: Floor, kind: BondKind) -> Scene {
    let mut scene = empty(5e-6, 1e3);
    scene.bodies[0].position = dvec3(0.0, 0.0, 0.15);
    let turn = DQuat::from_axis_angle(dvec3(1.0, 2.0, 0.5).normalize(), 0.7);
    let places: Vec<DVec3> = cube(3).into_iter().map(|place| turn * place).collect();
    add_cluster(&mut scene, &places, kind);
    let spin = dvec3(20.0, -10.0, 15.0);
    for body in &mut scene.bodies[1..] {
        body.velocity = dvec3(0.5, 0.2, -2.0) + spin.cross(body.position);
        body.spin = spin;
        body.position.z += 0.02;
    }
    // Ten times the usual, so that impacts follow each other soon.
    scene.model.gravity = dvec3(0.0, 0.0, -98.1);
    add_floor(&mut scene, floor, &PrescribedMotion::default());
    scene
}

fn stepped(scene: &Scene, steps: u32) -> Simulation {
    let mut run = Simulation::new(scene);
    (0..steps).for_each(|_| run.step().unwrap_or_else(|error| panic!("{error}")));
    run
}

/// Centres by body number.
fn centres(run: &Simulation) -> Vec<DVec3> {
    let bodies = &run.state.bodies;
    let mut centres: Vec<(u32, DVec3)> =
        (0..bodies.len()).map(|row| (bodies.id[row], bodies.places[row].centre())).collect();
    centres.sort_by_key(|&(id, _)| id);
    centres.into_iter().map(|(_, centre)| centre).collect()
}

/// Numbers of the spheres that touch a wall.
fn touching(run: &Simulation) -> Vec<u32> {
    let contacts = run.state.lists.chunks.iter().flat_map(|chunk| chunk.surface.held());
    contacts.map(|contact| run.state.bodies.id[contact.row as usize]).collect()
}

/// Largest distance of a sphere from its place in the other run [m].
fn apart(a: &Simulation, b: &Simulation) -> f64 {
    centres(a).iter().zip(centres(b)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max)
}

#[test]
fn a_cluster_bounces_alike_from_a_plane_and_from_a_mesh() {
    let strong = BondKind { damping_ratio: 0.05, ..kind() };
    // Several impacts and the beginning of rest, over many triangles.
    const STEPS: u32 = 30_000;
    let mut on_plane = Simulation::new(&thrown(Floor::Plane, strong.clone()));
    let mut touched = BTreeSet::new();
    for _ in 0..STEPS {
        on_plane.step().expect("a step");
        touched.extend(touching(&on_plane));
    }
    assert!(touched.len() >= 3, "{} spheres touched the floor", touched.len());
    for cells in [1, 7, 60] {
        let difference = apart(&stepped(&thrown(Floor::Plate(cells), strong.clone()), STEPS), &on_plane);
        println!("{cells} cells: {difference:e} m apart");
        assert!(difference < 1e-9 * RADIUS, "{cells} cells: {difference}");
    }
}

#[test]
fn a_cluster_bounces_alike_from_a_plane_and_from_rectangles() {
    let strong = BondKind { damping_ratio: 0.05, ..kind() };
    let without_friction = |floor| {
        let mut scene = thrown(floor, strong.clone());
        // Friction does not know that one wall goes on in the next.
        scene.model.laws.friction = breccia::model::FrictionKind::None;
        stepped(&scene, 6000)
    };
    let difference = apart(&without_friction(Floor::Rectangles), &without_friction(Floor::Plane));
    println!("{difference:e} m apart");
    assert!(difference < 1e-9 * RADIUS, "{difference}");
}

#[test]
fn a_cluster_breaks_alike_on_a_plane_and_on_a_mesh() {
    let brittle = BondKind { tensile_strength: 2e5, shear_strength: 2e5, damping_ratio: 0.05, ..kind() };
    let on_plane = stepped(&thrown(Floor::Plane, brittle.clone()), 2500);
    assert!(on_plane.state.broken.len() >= 5, "{} broke", on_plane.state.broken.len());
    let on_mesh = stepped(&thrown(Floor::Plate(40), brittle), 2500);
    let failures = |run: &Simulation| {
        run.state.broken.iter().map(|broken| (broken.id, broken.step, broken.mode)).collect::<Vec<_>>()
    };
    assert_eq!(failures(&on_mesh), failures(&on_plane));
    let difference = apart(&on_mesh, &on_plane);
    println!("{} broke, {difference:e} m apart", on_plane.state.broken.len());
    assert!(difference < 1e-9 * RADIUS, "{difference}");
}

/// Cubes rain on a plate of triangles that shakes, and break.
fn shaken() -> Scene {
    let brittle = BondKind { tensile_strength: 2e5, shear_strength: 2e5, damping_ratio: 0.05, ..kind() };
    let mut scene = empty(6e-6, 1e3);
    scene.bodies[0].position = dvec3(0.0, 0.0, 0.2);
    scene.model.gravity = dvec3(0.0, 0.0, -9.81);
    for k in 0..24_u32 {
        let cell = dvec3(f64::from(k % 4) - 1.5, f64::from(k / 4 % 3) - 1.0, f64::from(k / 12));
        let turn = DQuat::from_rotation_y(0.3 + f64::from(k));
        let at = 0.034 * cell + dvec3(0.0, 0.0, 0.03);
        let places: Vec<DVec3> = cube(3).into_iter().map(|place| at + turn * place).collect();
        let first = scene.bodies.len();
        add_cluster(&mut scene, &places, brittle.clone());
        scene.bodies[first..].iter_mut().for_each(|body| body.velocity = dvec3(0.2, 0.1, -3.0));
    }
    let kind = MotionKind::Oscillation { amplitude: dvec3(1e-3, 0.0, 2e-3), frequency: 60.0, phase: 0.4 };
    let parts = vec![MotionPart { kind, start: 0.0, stop: f64::INFINITY }];
    add_floor(&mut scene, Floor::Plate(25), &PrescribedMotion { parts });
    scene
}

fn on_threads(scene: &Scene, threads: usize, steps: u32) -> Simulation {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| stepped(scene, steps))
}

#[test]
fn breaking_on_a_moving_mesh_has_the_same_bits_for_any_threads_and_through_a_restart() {
    const STEPS: u32 = 2500;
    const SAVED: u32 = 1400;
    let scene = shaken();
    let (middle, end) = (on_threads(&scene, 1, SAVED), on_threads(&scene, 1, STEPS));
    let (before, after) = (middle.state.broken.len(), end.state.broken.len());
    println!("{before} bonds broken at the restart, {after} at the end");
    assert!(before > 50 && after > before + 50 && touching(&middle).len() > 5, "{before} {after}");
    let expected = Fingerprint::of(&end.state);
    for threads in [2, 3] {
        assert_eq!(Fingerprint::of(&on_threads(&scene, threads, STEPS).state), expected, "{threads} threads");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut restarted = through_checkpoint(&scene, &middle.state, folder.path());
    (SAVED..STEPS).for_each(|_| restarted.step().expect("a step"));
    assert_eq!(Fingerprint::of(&restarted.state), expected);
}
