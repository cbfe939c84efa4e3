//! What a run tells of its meshes: resultants and power, tractions over an interval, forces at vertices, frames.

mod support;

use breccia::contacts::WallLoad;
use breccia::diagnostics::{ElementLoad, MeshLoad, mesh_loads};
use breccia::model::{MeshSurface, Surface};
use breccia::motion::Pose;
use breccia::output::observe::{frame_of, table_columns, table_row};
use breccia::scene::Scene;
use breccia::shapes::mesh::{DOUBLE_PRECISION, Edge, PolygonMesh};
use breccia::simulation::Simulation;
use glam::{DVec3, dvec3};
use std::sync::Arc;
use support::{Dice, Fingerprint, materials, scene, through_checkpoint};

const DIAMETER: f64 = 0.01;

/// A floor of n × n quads from 0 to `side` [m], normals up.
fn floor(n: u32, side: f64) -> PolygonMesh {
    let id = |i: u32, j: u32| j * (n + 1) + i;
    let place = |k: u32| side * f64::from(k) / f64::from(n);
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| dvec3(place(i), place(j), 0.0))).collect();
    let quads: Vec<Vec<u32>> = (0..n)
        .flat_map(|j| (0..n).map(move |i| vec![id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)]))
        .collect();
    PolygonMesh::from_polygons(vertices, &quads, &[], false, DOUBLE_PRECISION).unwrap()
}

/// A closed drum about the y axis through `middle`, every other side folded in to a blunt lifter, normals inwards:
/// quads around, triangles at the ends.
fn drum(sides: u32, middle: DVec3, radius: f64, length: f64) -> PolygonMesh {
    let rim = |y: f64| {
        (0..sides).map(move |k| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(sides));
            let reach = if k % 2 == 0 { radius } else { 0.84 * radius };
            middle + dvec3(reach * cos, y, reach * sin)
        })
    };
    let (low, high) = (-0.5 * length, 0.5 * length);
    let hubs = [middle + low * DVec3::Y, middle + high * DVec3::Y];
    let vertices: Vec<DVec3> = rim(low).chain(rim(high)).chain(hubs).collect();
    let next = |k: u32| (k + 1) % sides;
    let around = (0..sides).map(|k| vec![k, next(k), sides + next(k), sides + k]);
    let front = (0..sides).map(|k| vec![2 * sides, next(k), k]);
    let back = (0..sides).map(|k| vec![2 * sides + 1, sides + k, sides + next(k)]);
    let polygons: Vec<Vec<u32>> = around.chain(front).chain(back).collect();
    let mesh = PolygonMesh::from_polygons(vertices, &polygons, &[], false, DOUBLE_PRECISION).unwrap();
    assert!(mesh.is_closed() && mesh.volume() < 0.0, "closed, normals inwards");
    mesh
}

/// Gives the first wall of a scene the shape of a mesh.
fn with_mesh(mut scene: Scene, mesh: PolygonMesh) -> Scene {
    let wall = &mut scene.model.walls[0];
    wall.surface = Surface::Mesh(Arc::new(MeshSurface::new("test", mesh, vec![wall.material])));
    scene
}

/// Spheres at places over the mesh `floor`, settled by damping; gravity 10 m/s².
fn settled(mesh: PolygonMesh, places: &[DVec3], extra: &str) -> Simulation {
    let listed: Vec<[f64; 3]> = places.iter().map(DVec3::to_array).collect();
    let text = format!(
        r#"
gravity = [0, 0, -10]
[time]
duration = 1
step = "20 us"
[motion]
damping_rate = 40
{}
[[bodies]]
name = "grains"
kind = "list"
material = "grain"
radius = {}
positions = {listed:?}
[[wall]]
name = "floor"
material = "steel"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
{extra}
"#,
        materials(0.3, 0.5, 0.0),
        0.5 * DIAMETER
    );
    let mut run = Simulation::new(&with_mesh(scene(&text), mesh));
    support::run_to_end(&mut run);
    run
}

fn mass(run: &Simulation) -> f64 {
    run.state.bodies.rows().iter().map(|row| 1.0 / row.inverse_mass).sum()
}

fn load_of(run: &Simulation) -> MeshLoad {
    mesh_loads(&run.setup, &run.state).remove(0).1
}

fn mesh_of(run: &Simulation) -> &PolygonMesh {
    &run.setup.model.walls[0].mesh().unwrap().mesh
}

fn column(run: &mut Simulation, name: &str) -> f64 {
    let sample = run.sample();
    let place = table_columns(&run.setup).iter().position(|column| column.name == name).unwrap();
    table_row(run, &sample)[place]
}

/// Force that the tractions make [N, world].
fn traction_force(mesh: &PolygonMesh, elements: &[ElementLoad], pose: &Pose) -> DVec3 {
    let force = |(k, load): (usize, &ElementLoad)| {
        let normal = pose.direction_to_world(mesh.elements[k].normal);
        (load.shear_traction - normal * load.normal_traction) * mesh.element_area(k)
    };
    elements.iter().enumerate().map(force).sum()
}

fn assert_near(found: DVec3, expected: DVec3, tolerance: f64) {
    assert!((found - expected).length() <= tolerance * expected.length(), "{found} is not {expected}");
}

/// A heap: nine below, four in the hollows between them.
fn heap() -> Vec<DVec3> {
    let mut dice = Dice::new(5);
    let grid = |n: i32, from: f64, z: f64| {
        (0..n * n).map(move |k| {
            dvec3(from + 1.02 * DIAMETER * f64::from(k % n), from + 1.02 * DIAMETER * f64::from(k / n), z)
        })
    };
    let mut places: Vec<DVec3> =
        grid(3, 0.037, 0.51 * DIAMETER).chain(grid(2, 0.0421, 1.3 * DIAMETER)).collect();
    places.iter_mut().for_each(|place| *place += 0.005 * DIAMETER * dice.vector(-1.0, 1.0));
    places
}

#[test]
fn a_heap_weighs_on_its_floor() {
    let mut run = settled(floor(7, 0.1), &heap(), "");
    let weight = 10.0 * mass(&run);
    let force = dvec3(
        column(&mut run, "floor_force_x"),
        column(&mut run, "floor_force_y"),
        column(&mut run, "floor_force_z"),
    );
    assert!((force.z / weight + 1.0).abs() < 1e-6, "{} N weigh {weight} N", force.z);
    assert!(force.truncate().length() < 1e-5 * weight);
    assert_eq!(column(&mut run, "floor_power").to_bits(), 0);
    let load = load_of(&run);
    assert_near(load.nodal_forces.iter().sum(), force, 1e-12);
    assert!(load.elements.iter().all(|element| element.normal_traction >= 0.0));
    assert!(load.elements.iter().any(|element| element.shear_traction.length() > 0.0));
}

#[test]
fn tractions_over_an_interval_make_the_mean_force() {
    let mut run = settled(floor(7, 0.1), &heap(), "[search]\nskin = \"0.15 mm\"");
    run.begin_interval();
    // A push, so that the lists, which do not reach far, are built anew within the interval.
    for row in &mut run.state.bodies.places {
        row.velocity[0] += 0.4;
        row.velocity[2] += 0.2;
    }
    let (steps, rebuilds) = (2000, run.timers.rebuilds);
    let (mut force, mut contacts) = (DVec3::ZERO, 0);
    for _ in 0..steps {
        run.step().unwrap();
        force += run.state.wall_loads[0].force / f64::from(steps);
        contacts += run.sample().contacts.walls;
    }
    assert!(run.timers.rebuilds > rebuilds + 1, "{} rebuilds", run.timers.rebuilds - rebuilds);
    let load = load_of(&run);
    assert_near(traction_force(mesh_of(&run), &load.elements, &Pose::IDENTITY), force, 1e-12);
    let counted: f64 = load.elements.iter().map(|element| element.contacts).sum();
    let expected = contacts as f64 / f64::from(steps);
    assert!((counted - expected).abs() < 1e-9 * expected, "{counted} contacts, {expected} expected");
}

/// A flat square, a roof with its ridge along x and a pyramid, side by side, tops at height 0.
fn three_tops() -> PolygonMesh {
    let (half, deep) = (0.02, -0.03);
    let corner = |x: f64, i: f64, j: f64, z: f64| dvec3(x + i * half, j * half, z);
    let square = |x: f64, z: f64| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(i, j)| corner(x, i, j, z))
    };
    let ridge = [corner(0.1, -1.0, 0.0, 0.0), corner(0.1, 1.0, 0.0, 0.0)];
    let mut vertices = square(0.0, 0.0).to_vec();
    vertices.extend(square(0.1, deep));
    vertices.extend(ridge);
    vertices.extend(square(0.2, deep));
    vertices.push(dvec3(0.2, 0.0, 0.0));
    let polygons = [
        vec![0, 1, 2, 3],
        vec![4, 5, 9, 8],
        vec![8, 9, 6, 7],
        vec![10, 11, 14],
        vec![11, 12, 14],
        vec![12, 13, 14],
        vec![13, 10, 14],
    ];
    PolygonMesh::from_polygons(vertices, &polygons, &[], false, DOUBLE_PRECISION).unwrap()
}

/// Every element in four: those of element k are 4k … 4k + 3.
fn split_in_four(mesh: &PolygonMesh) -> PolygonMesh {
    let mut vertices = mesh.vertices.clone();
    let middles = vertices.len() as u32;
    let middle =
        |edge: &Edge| 0.5 * edge.vertices.map(|end| mesh.vertices[end as usize]).iter().sum::<DVec3>();
    vertices.extend(mesh.edges.iter().map(middle));
    let mut polygons = Vec::new();
    for element in &mesh.elements {
        let corners = element.vertices.as_slice();
        let between: Vec<u32> = element.edges.as_slice().iter().map(|edge| middles + edge).collect();
        let count = corners.len();
        let centre = vertices.len() as u32;
        for k in 0..count {
            let (corner, after, before) = (corners[k], between[k], between[(k + count - 1) % count]);
            polygons.push(if count == 3 {
                vec![corner, after, before]
            } else {
                vec![corner, after, centre, before]
            });
        }
        if count == 3 {
            polygons.push(between);
        } else {
            vertices.push(corners.iter().map(|&id| mesh.vertices[id as usize]).sum::<DVec3>() / 4.0);
        }
    }
    PolygonMesh::from_polygons(vertices, &polygons, &[], false, DOUBLE_PRECISION).unwrap()
}

/// One sphere in balance on each top, away from the corners of split elements.
fn on_three_tops(mesh: PolygonMesh) -> Simulation {
    let z = 0.501 * DIAMETER;
    let mut run = settled(mesh, &[dvec3(0.003, 0.004, z), dvec3(0.105, 0.0, z), dvec3(0.2, 0.0, z)], "");
    run.begin_interval();
    (0..10).for_each(|_| run.step().unwrap());
    run
}

/// What contacts in balance do to elements: force as a part of a sphere's weight, contacts, shares.
fn assert_shared(run: &Simulation, parts: &[f64], kinds: &[usize], children: usize) {
    let (load, each) = (load_of(run), 10.0 * mass(run) / 3.0);
    for (k, own) in load.elements.chunks(children).enumerate() {
        let force: DVec3 = (0..children)
            .map(|child| {
                let mut only = vec![ElementLoad::default(); load.elements.len()];
                only[children * k + child] = own[child];
                traction_force(mesh_of(run), &only, &Pose::IDENTITY)
            })
            .sum();
        assert_near(force, -parts[k] * each * DVec3::Z, 1e-6);
        let contacts: f64 = own.iter().map(|element| element.contacts).sum();
        assert!((contacts - parts[k]).abs() < 1e-12, "element {k}: {contacts} contacts");
        for element in own.iter().filter(|element| element.contacts > 0.0) {
            let mut expected = [0.0; 3];
            expected[kinds[k]] = 1.0;
            assert_eq!(element.shares, expected, "element {k}");
        }
    }
}

#[test]
fn edges_and_vertices_share_among_their_elements() {
    let parts = [1.0, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25];
    assert_shared(&on_three_tops(three_tops()), &parts, &[0, 1, 1, 2, 2, 2, 2], 1);
}

#[test]
fn splitting_elements_in_four_leaves_their_sums() {
    let parts = [1.0, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25];
    assert_shared(&on_three_tops(split_in_four(&three_tops())), &parts, &[0, 1, 1, 2, 2, 2, 2], 4);
}

/// A drum that turns about an axis beside the origin while it moves along.
fn turning_drum(count: usize) -> Scene {
    let text = format!(
        r#"
seed = 3
[time]
duration = 0.02
step = "20 us"
{}
[[wall]]
name = "drum"
material = "steel"
shape = "cylinder"
start = [0.2, -0.04, 0.1]
axis = [0, 1, 0]
length = 0.08
radius = 0.05
side = "inside"
motion = [{{ kind = "rotation", point = [0.2, 0, 0.1], axis = [0, 1, 0], speed = "200 rpm" }}, {{ kind = "translation", velocity = [0.1, 0, 0] }}]
[[bodies]]
name = "grains"
kind = "random"
material = "grain"
size = {{ kind = "uniform", min = "1.5 mm", max = "2.5 mm" }}
region = {{ shape = "box", min = [0.174, -0.038, 0.074], max = [0.226, 0.038, 0.126] }}
count = {count}
"#,
        materials(0.6, 0.5, 0.0)
    );
    let mut scene = with_mesh(scene(&text), drum(24, dvec3(0.2, 0.0, 0.1), 0.05, 0.08));
    let mut dice = Dice::new(9);
    scene.bodies.iter_mut().for_each(|body| body.velocity = dice.vector(-2.0, 2.0));
    scene
}

#[test]
fn means_turn_with_the_drum_and_power_is_its_work() {
    let mut run = Simulation::new(&turning_drum(300));
    let steps = 600;
    let (mut force, mut work) = (DVec3::ZERO, 0.0);
    for step in 0..steps {
        run.step().unwrap();
        let pose = run.setup.model.walls[0].motion.pose(run.setup.time_of(step));
        force += pose.direction_to_body(run.state.wall_loads[0].force) / steps as f64;
        work += run.state.wall_powers[0] * run.setup.time_step;
    }
    let pose = run.setup.model.walls[0].motion.pose(run.setup.time_of(steps - 1));
    let load = load_of(&run);
    let expected = pose.direction_to_world(force);
    assert_near(traction_force(mesh_of(&run), &load.elements, &pose), expected, 1e-11);
    assert!(work.abs() > 1e-6 && (work - run.state.ledger.wall_work).abs() < 1e-12 * work.abs());
    assert_eq!(column(&mut run, "drum_power").to_bits(), run.state.wall_powers[0].to_bits());
    for element in load.elements.iter().filter(|element| element.contacts > 0.0) {
        assert!((element.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn nodal_forces_have_the_resultant_and_moment_of_the_contacts() {
    let mut run = Simulation::new(&turning_drum(300));
    let (mut loaded, mut joints) = (0, 0);
    for step in 0..600 {
        run.step().unwrap();
        let WallLoad { force, torque } = run.state.wall_loads[0];
        if force == DVec3::ZERO {
            continue;
        }
        loaded += 1;
        let on_joints = run.state.lists.chunks.iter().flat_map(|chunk| chunk.surface.searched());
        joints += on_joints.filter(|contact| contact.feature >> 30 > 0).count();
        let pose = run.setup.model.walls[0].motion.pose(run.setup.time_of(step));
        let nodal = load_of(&run).nodal_forces;
        let size: f64 = nodal.iter().map(|force| force.length()).sum();
        let places = mesh_of(&run).vertices.iter().map(|&vertex| pose.point_to_world(vertex));
        let moment: DVec3 = places.zip(&nodal).map(|(place, force)| place.cross(*force)).sum();
        assert!((nodal.iter().sum::<DVec3>() - force).length() < 1e-12 * size);
        assert!((moment - torque).length() < 1e-12 * size, "{moment} is not {torque}");
        let [x, y, z] =
            ["drum_torque_x", "drum_torque_y", "drum_torque_z"].map(|name| column(&mut run, name));
        assert_near(dvec3(x, y, z), moment - pose.translation.cross(force), 1e-9);
    }
    assert!(loaded > 300 && joints > 20, "{loaded} looks at a loaded drum, {joints} contacts on edges");
}

#[test]
fn loads_have_the_same_bits_for_any_number_of_threads_and_through_a_restart() {
    let scene = turning_drum(900);
    let folder = tempfile::tempdir().unwrap();
    let outcome = |threads: usize, restart: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut run = Simulation::new(&scene);
            let mut loads = Vec::new();
            for step in 1..=600 {
                run.step().unwrap();
                if step % 150 == 0 {
                    loads.push(load_of(&run));
                    run.begin_interval();
                }
                if restart && step == 380 {
                    run = through_checkpoint(&scene, &run.state, folder.path());
                }
            }
            assert!(run.state.lists.chunks.len() > 1);
            (loads, Fingerprint::of(&run.state))
        })
    };
    let alone = outcome(1, false);
    assert!(alone.0[3].elements.iter().filter(|element| element.contacts > 0.0).count() > 20);
    for (threads, restart) in [(3, false), (1, true), (4, true)] {
        assert!(outcome(threads, restart) == alone, "{threads} threads, restart: {restart}");
    }
}

#[test]
fn frames_show_meshes_apart_where_they_are_until_they_are_taken_away() {
    let event = "[[event]]\nat = 0.5\naction = \"remove-wall\"\nwall = \"floor\"\n[[wall]]\nname = \"ground\"\n\
        material = \"steel\"\nshape = \"plane\"\npoint = [0, 0, -0.1]\nnormal = [0, 0, 1]\n";
    let run = settled(floor(2, 0.1), &heap()[..1], event);
    let frame = frame_of(&run, false, false);
    assert!(frame.meshes.unwrap().meshes.is_empty());
    assert_eq!(frame.walls.unwrap().walls.len(), 1);

    let mut run = Simulation::new(&turning_drum(300));
    (0..200).for_each(|_| run.step().unwrap());
    let frame = frame_of(&run, false, false);
    assert!(frame.walls.is_none(), "no wall with an analytic surface");
    let meshes = frame.meshes.unwrap();
    let piece = &meshes.meshes[0];
    let pose = run.setup.model.walls[0].motion.pose(frame.time);
    for (shown, &vertex) in piece.mesh.points.iter().zip(&mesh_of(&run).vertices) {
        assert_eq!(*shown, pose.point_to_world(vertex));
    }
    let data = meshes.to_poly_data(frame.time);
    assert_eq!(data.polys.len(), mesh_of(&run).elements.len());
    let folder = tempfile::tempdir().unwrap();
    data.write(&folder.path().join("meshes.vtp")).unwrap();
}
