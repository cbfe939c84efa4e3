//! What contacts remember where a ball goes from feature to feature, on moving meshes, and from material to material.

use crate::polygons::{Cut, Polygons, lines};
use crate::rig::{Ball, Law, add_wall, meshed, motions, plane, stage, with_wall};
use breccia::contacts::{SurfaceContact, SurfaceContacts};
use breccia::model::{Material, MaterialId, MeshSurface, PairProperties, PairTable, Surface, WallId};
use breccia::motion::{MotionKind, MotionPart, PrescribedMotion};
use breccia::narrow_phase::FeatureKind;
use breccia::scene::{Action, Event};
use breccia::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};
use breccia::simulation::Simulation;
use glam::DVec3;
use std::sync::Arc;

const RADIUS: f64 = 0.01;
const STEP: f64 = 1e-5;
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);
const FRICTION: f64 = 0.3;
const SLIDING: Law = Law { rolling: "none", restitution: 0.2, friction: FRICTION, rolling_friction: 0.0 };

fn resting(position: DVec3, velocity: DVec3, spin: DVec3) -> Ball {
    Ball { position, velocity, spin, radius: RADIUS }
}

fn contacts(run: &Simulation) -> Vec<SurfaceContact> {
    let (setup, state) = (&run.setup, &run.state);
    let walls = setup.walls_at(state, state.step.saturating_sub(1));
    let spell = |surface: &SurfaceContacts| {
        surface.spelled_out(&state.bodies.last_places, &walls, &setup.laws).collect::<Vec<_>>()
    };
    state.lists.chunks.iter().flat_map(|chunk| spell(&chunk.surface)).collect()
}

/// Slides a ball along x over the summit of a surface at the origin; tells the features met, in order.
fn slide_over(mesh: PolygonMesh, slope: f64) -> Vec<FeatureKind> {
    let (start, lift) = (-0.0016, RADIUS * (1.0 + slope * slope).sqrt());
    let place = DVec3::new(start, 0.0, lift + slope * start);
    let velocity = DVec3::new(0.2, 0.0, 0.2 * slope);
    let scene = stage(&SLIDING, STEP, GRAVITY, &[resting(place, velocity, DVec3::ZERO)]);
    let mut run = Simulation::new(&with_wall(&scene, meshed(mesh, false)));
    let mut met: Vec<FeatureKind> = Vec::new();
    while motions(&run)[0][0].x < 0.001 {
        run.step().unwrap_or_else(|error| panic!("{error}"));
        let now = contacts(&run);
        if run.time() < 0.003 {
            continue;
        }
        assert_eq!(now.len(), 1, "at {:?}", motions(&run)[0]);
        let contact = now[0];
        if met.last() != Some(&contact.kind) {
            met.push(contact.kind);
        }
        // It slides all the way: the spring is at its limit, also right after the feature has changed.
        let normal_force = contact.force.dot(contact.normal);
        let share = contact.memory.tangential.length() / (FRICTION * normal_force);
        // A spring that began anew would be at a third of it after one step; loads may change by a little in one.
        assert!((share - 1.0).abs() < 0.01, "{:?} at {}: {share}", contact.kind, contact.point);
        assert!(contact.memory.tangential.x < 0.0, "friction acts against the motion");
    }
    met
}

#[test]
fn friction_goes_on_over_a_ridge_and_over_a_vertex() {
    use FeatureKind::{Edge, Face, Vertex};
    let slope = 0.06;
    let xs = [-0.1, -0.05, 0.0, 0.05, 0.1];
    let ys = [-0.1, -0.0307, 0.0411, 0.1];
    let ridge = Polygons::surface(&xs, &ys, Cut::Triangles, |x, y| DVec3::new(x, y, -slope * x.abs()));
    assert_eq!(slide_over(ridge.mesh(), slope), [Face, Edge, Face]);
    let mut pyramid = Polygons::default();
    let corner = |x: f64, y: f64| DVec3::new(x, y, -0.1 * slope);
    let corners = [corner(-0.1, -0.1), corner(0.1, -0.1), corner(0.1, 0.1), corner(-0.1, 0.1)];
    for k in 0..4 {
        pyramid.add(&[corners[k], corners[(k + 1) % 4], DVec3::ZERO]);
    }
    assert_eq!(slide_over(pyramid.welded().mesh(), slope), [Face, Vertex, Face]);
}

/// A square floor of triangles about the origin.
fn floor() -> Polygons {
    let grid = lines(12, -0.1, 0.1);
    Polygons::surface(&grid, &grid, Cut::Triangles, |x, y| DVec3::new(x, y, 0.0))
}

fn turning(speed: f64) -> PrescribedMotion {
    let kind = MotionKind::Rotation { point: DVec3::ZERO, axis: DVec3::Z, speed };
    PrescribedMotion { parts: vec![MotionPart { kind, start: 0.0, stop: f64::INFINITY }] }
}

/// Overlap [m] at which a ball rests on a rigid floor.
fn rest_overlap() -> f64 {
    let weight = crate::rig::DENSITY * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * 9.81;
    let (mut low, mut high) = (0.0, RADIUS);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if crate::rig::hertz_force(RADIUS, middle) < weight { low = middle } else { high = middle }
    }
    low
}

#[test]
fn a_turning_mesh_carries_springs_along() {
    let speed = 4.0;
    for offset in [0.0, 0.03] {
        let place = DVec3::new(offset, 0.0, RADIUS - rest_overlap());
        let ball = resting(place, DVec3::new(0.0, speed * offset, 0.0), speed * DVec3::Z);
        let follow = |surface: Surface| {
            // Springs against rolling hold the ball where it is on the table.
            let law = Law { rolling: "c", rolling_friction: 0.5, ..SLIDING };
            let mut scene = stage(&law, STEP, GRAVITY, &[ball]);
            add_wall(&mut scene, surface, turning(speed));
            let mut run = Simulation::new(&scene);
            let mut off = 0.0_f64;
            let weight = 9.81 / run.state.bodies.places[0].inverse_mass;
            // One turn; the spring of the ball off the axis swings in at first.
            for _ in 0..(std::f64::consts::TAU / speed / STEP) as u32 {
                run.step().unwrap_or_else(|error| panic!("{error}"));
                let contact = contacts(&run)[0];
                let centre = run.state.bodies.last_places[0].centre();
                let inwards = -DVec3::new(centre.x, centre.y, 0.0) * speed * speed * weight / 9.81;
                let friction = contact.force - contact.normal * contact.force.dot(contact.normal);
                if run.time() > 0.5 {
                    off = off.max((friction - inwards).length() / weight);
                }
            }
            (off, motions(&run)[0])
        };
        let (off, end) = follow(meshed(floor().mesh(), false));
        let (_, exact) = follow(plane(DVec3::ZERO, DVec3::Z));
        println!("turntable, {offset} m off the axis: friction off by {off:.1e} weights, end {:?}", end[0]);
        assert!(off < 1e-4, "{offset} m off the axis: friction off by {off} weights");
        assert!((end[0] - place).length() < 1e-2 * RADIUS, "after one turn it is at {}", end[0]);
        assert!((end[0] - exact[0]).length() < 1e-9 * RADIUS, "{end:?}, {exact:?}");
    }
}

#[test]
fn the_pair_of_materials_changes_with_the_element() {
    let frictions = [0.1, 0.4];
    let floor = floor();
    let middle = |ids: &[u32]| ids.iter().map(|&id| floor.vertices[id as usize].x).sum::<f64>();
    let groups: Vec<u16> = floor.polygons.iter().map(|ids| u16::from(middle(ids) > 0.0)).collect();
    for blend in [false, true] {
        let place = DVec3::new(-0.03, 0.003, RADIUS - rest_overlap());
        let mut scene = stage(&SLIDING, STEP, GRAVITY, &[resting(place, DVec3::X, DVec3::ZERO)]);
        let rough = Material { name: "rough".into(), ..scene.model.materials[1].clone() };
        scene.model.materials.push(rough);
        let plain = scene.model.pairs.rows()[0].clone();
        scene.model.pairs = PairTable::new(3, |_, b| PairProperties {
            friction: frictions[usize::from(b.0 == 2)],
            ..plain.clone()
        });
        let (vertices, polygons) = (floor.vertices.clone(), &floor.polygons);
        let mesh = PolygonMesh::from_polygons(vertices, polygons, &groups, false, DOUBLE_PRECISION);
        let mesh = mesh.expect("clean polygons");
        let mut surface = MeshSurface::new("floor", mesh, vec![MaterialId(1), MaterialId(2)]);
        surface.concave_blend = blend;
        add_wall(&mut scene, Surface::Mesh(Arc::new(surface)), PrescribedMotion::default());
        let mut run = Simulation::new(&scene);
        while motions(&run)[0][0].x < 0.03 {
            run.step().unwrap_or_else(|error| panic!("{error}"));
            let contact = contacts(&run)[0];
            let normal_force = contact.force.dot(contact.normal);
            let friction = (contact.force - normal_force * contact.normal).length() / normal_force;
            // The spring needs a little way to load.
            let along = contact.point.x;
            if (along.abs() > 1e-3) && run.time() > 1e-3 {
                let expected = frictions[usize::from(along > 0.0)];
                assert!((friction - expected).abs() < 1e-9, "blend {blend}: {friction} at {along} m");
            }
        }
    }
}

#[test]
fn a_mesh_taken_away_takes_its_contacts_and_their_energy() {
    let place = DVec3::new(0.003, 0.003, RADIUS - rest_overlap());
    let mut scene = stage(&SLIDING, STEP, GRAVITY, &[resting(place, 0.05 * DVec3::X, DVec3::ZERO)]);
    add_wall(&mut scene, meshed(floor().mesh(), true), PrescribedMotion::default());
    let low = Polygons::placed(&floor(), glam::DQuat::IDENTITY, DVec3::new(0.0, 0.0, -0.02));
    add_wall(&mut scene, meshed(low.mesh(), false), PrescribedMotion::default());
    let (at, action) = (0.01, Action::RemoveWall(WallId(0)));
    scene.events.push(Event { at, phase: None, action });
    let mut run = Simulation::new(&scene);
    for _ in 0..1000 {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    let before = run.sample();
    assert_eq!((contacts(&run).len(), before.contacts.walls), (1, 1));
    assert!(before.energy.elastic_tangential > 0.0 && before.energy.exchanged == 0.0);
    run.step().unwrap_or_else(|error| panic!("{error}"));
    let after = run.sample();
    assert_eq!((contacts(&run).len(), after.contacts.walls), (0, 0));
    assert_eq!(after.energy.elastic(), 0.0);
    assert!((after.energy.exchanged / -before.energy.elastic() - 1.0).abs() < 1e-9, "{:?}", after.energy);
    // It falls onto the mesh below, and the budget is still closed.
    for _ in 0..12_000 {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    let end = run.sample();
    assert!(contacts(&run).iter().all(|contact| contact.wall == WallId(1)) && end.contacts.walls == 1);
    assert!(end.energy.relative_closure_error.abs() < 1e-3, "{:?}", end.energy);
}
