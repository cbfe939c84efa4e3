//! Forces of contacts shared among the nodes of the mesh, and their sum against the load of the body.

use super::shape::{Shape, evenly, random_rotation};
use super::sliding::BALL;
use super::stage::{balls, rigid, stage, wall_contacts};
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::{GRAVITY, Rig};
use breccia::diagnostics::mesh_loads;
use breccia::narrow_phase::polygon_weights;
use breccia::output::Plot;
use breccia::scene::RandomStream;
use breccia::shapes::mesh::PolygonMesh;
use glam::DVec3;
use std::f64::consts::TAU;

/// Shares of single points, and of a run.
pub fn weights(report: &mut Report) -> Result<(), VerifyError> {
    polygons(report);
    run(report)
}

/// Distances from an edge over its length at which points are tried.
const NEARNESS: [f64; 8] = [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-5, 1e-3, 0.1];

/// Random convex polygons of 3 to 8 corners; points inside, near edges and on them.
fn polygons(report: &mut Report) {
    let mut random = RandomStream::new(7);
    let columns = [("nearness", ""), ("sum", ""), ("point", "")];
    let mut series = Series::new("weights", &columns);
    for nearness in NEARNESS {
        let (mut worst_sum, mut worst_point) = (0.0_f64, 0.0_f64);
        for case in 0..if report.quick { 3_000 } else { 30_000 } {
            let (corners, normal) = random_polygon(3 + case % 6, &mut random);
            let point = point_near_edge(&corners, nearness, &mut random);
            let shares = &polygon_weights(&corners, normal, point)[..corners.len()];
            let size = corners.iter().map(|c| c.distance(corners[0])).fold(0.0, f64::max);
            let sum: f64 = shares.iter().sum();
            let reached: DVec3 = shares.iter().zip(&corners).map(|(&share, &corner)| share * corner).sum();
            worst_sum = worst_sum.max((sum - 1.0).abs());
            worst_point = worst_point.max(reached.distance(point) / size);
        }
        let name = if nearness == 0.0 {
            "on an edge".into()
        } else {
            format!("{nearness:e} of its length from an edge")
        };
        report.at_most(format!("{name}: |Σ N − 1|"), "", 1e-12, worst_sum);
        report.at_most(format!("{name}: |Σ N v − P| / size"), "", 1e-12, worst_point);
        series.push(&[nearness.max(1e-17), worst_sum, worst_point]);
    }
    let nearness = series.column(0);
    let plot = Plot::new("Shares of the nodes", "distance from an edge / its length", "largest error")
        .points("|Σ N − 1|", &nearness, &series.column(1))
        .points("|Σ N v − P| / size", &nearness, &series.column(2))
        .dashed("allowed", &[1e-17, 0.1], &[1e-12; 2])
        .log_x()
        .log_y()
        .y_range(1e-17, 1e-11);
    report.plot("errors", plot);
    report.series(series);
}

/// A convex polygon inscribed in a stretched circle, turned and shifted, and its normal.
fn random_polygon(n: usize, random: &mut RandomStream) -> (Vec<DVec3>, DVec3) {
    let stretch = random.between(0.3, 1.0);
    let (turn, offset) = (random_rotation(random), random.between(-1.0, 1.0));
    let spread = 0.8 / n as f64;
    let corner = |k: usize, random: &mut RandomStream| {
        let (y, x) = libm::sincos(TAU * (k as f64 / n as f64 + spread * random.between(-0.5, 0.5)));
        turn * DVec3::new(x, stretch * y, offset)
    };
    let corners: Vec<DVec3> = (0..n).map(|k| corner(k, random)).collect();
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
    (corners, normal)
}

/// A point at a distance from a random edge, measured towards the middle of the polygon.
fn point_near_edge(corners: &[DVec3], nearness: f64, random: &mut RandomStream) -> DVec3 {
    let k = (random.unit() * corners.len() as f64) as usize % corners.len();
    let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
    let on_edge = a + random.unit() * (b - a);
    let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
    on_edge + nearness * a.distance(b) * (middle - on_edge).normalize()
}

/// Balls rolling over bumps with friction: nodal forces against the load of the body, every step.
fn run(report: &mut Report) -> Result<(), VerifyError> {
    let mut random = RandomStream::new(11);
    let lines = evenly(-4.0, 4.0, 27);
    let shape = Shape::grid(&lines, &lines, |_, _| random.between(-0.12, 0.12)).triangles();
    let radius = 0.3;
    let mut starts = Vec::new();
    for k in 0..36_i32 {
        let place = DVec3::new(f64::from(k % 6) - 2.5, f64::from(k / 6) - 2.5, 0.48);
        starts.push((place, DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), -1.0)));
    }
    let (stuff, bodies) = (BALL.toml(), balls(radius, &starts));
    let text = format!("gravity = [0, 0, -{GRAVITY}]\n{stuff}{bodies}\n[time]\nduration = 1\nstep = 2e-5\n");
    let scene = stage(&text, [rigid(&shape)?])?;
    let mesh = scene.model.walls[0].mesh().map(|surface| surface.mesh.clone());
    let mesh = mesh.ok_or_else(|| VerifyError::Course("the wall is no mesh".into()))?;
    let mut rig = Rig::of(&scene);
    let mut worst = Worst::default();
    for _ in 0..if report.quick { 5_000 } else { 15_000 } {
        rig.step()?;
        worst.look(&rig, &mesh);
    }
    for (kind, count) in ["a facet", "an edge", "a vertex"].iter().zip(worst.kinds) {
        report.at_least(format!("contacts seen on {kind}"), "", 100.0, count as f64);
    }
    report.at_most("load of the body + Σ forces on spheres, relative", "", 1e-12, worst.force);
    report.at_most(
        "torque on the body + Σ torques of the forces on spheres, relative",
        "",
        1e-12,
        worst.torque,
    );
    report.at_most("Σ forces on nodes − load of the body, relative", "", 1e-12, worst.nodal_force);
    report.at_most(
        "Σ torques of forces on nodes − torque on the body, relative",
        "",
        1e-12,
        worst.nodal_torque,
    );
    report.at_most(
        "momentum of the spheres against the load of the body, relative",
        "",
        1e-9,
        worst.momentum,
    );
    Ok(())
}

/// Largest misfits seen (velocities carry fewer digits than forces), relative to the sum of the lengths of all contact forces.
#[derive(Default)]
struct Worst {
    force: f64,
    torque: f64,
    nodal_force: f64,
    nodal_torque: f64,
    momentum: f64,
    kinds: [usize; 3],
}

impl Worst {
    fn look(&mut self, rig: &Rig, mesh: &PolygonMesh) {
        let load = rig.run.state.wall_loads[0];
        let (mut force, mut torque, mut size) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for contact in wall_contacts(rig) {
            force += contact.force;
            torque += contact.point.cross(contact.force);
            size += contact.force.length();
            self.kinds[contact.kind as usize] += 1;
        }
        if size == 0.0 {
            return;
        }
        let loads = mesh_loads(&rig.run.setup, &rig.run.state);
        let nodes = loads.iter().flat_map(|(_, load)| &load.nodal_forces);
        let nodal_force: DVec3 = nodes.clone().sum();
        let nodal_torque: DVec3 = nodes.zip(&mesh.vertices).map(|(f, v)| v.cross(*f)).sum();
        let span = 4.0;
        let note = |worst: &mut f64, misfit: DVec3, size: f64| *worst = worst.max(misfit.length() / size);
        note(&mut self.force, load.force + force, size);
        note(&mut self.torque, load.torque + torque, span * size);
        note(&mut self.nodal_force, nodal_force - load.force, size);
        note(&mut self.nodal_torque, nodal_torque - load.torque, span * size);
        note(&mut self.momentum, load.force + pushed(rig), size);
    }
}

/// Force on all spheres beyond gravity, from the change of their velocities in the last step [N].
fn pushed(rig: &Rig) -> DVec3 {
    let bodies = &rig.run.state.bodies;
    let change = |row: usize| {
        let (before, after) = (&bodies.last_places[row], &bodies.places[row]);
        ((after.velocity() - before.velocity()) / rig.time_step() + DVec3::Z * GRAVITY) / before.inverse_mass
    };
    (0..bodies.len()).map(change).sum()
}
