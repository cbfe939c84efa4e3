//! Rows about the means a method needs: simplicity, operations, memory, forces for finite elements.

use super::super::bounce::{BALL, RADIUS};
use super::super::shape::{Shape, evenly};
use super::super::stage::{Probe, balls, rigid, stage, stage_counts, wall_contacts};
use super::geometry::closest_of_triangle;
use crate::verify::VerifyError;
use crate::verify::report::{Report, Series};
use crate::verify::rig::Rig;
use breccia::contacts::SurfaceContact;
use breccia::narrow_phase::{ContactWeights, FeatureKey};
use breccia::output::Plot;
use breccia::scene::RandomStream;
use glam::DVec3;

/// A bumpy field of n × n cells of 0.2 m, cut into triangles.
fn bumps(n: u32, seed: u64) -> Shape {
    let mut random = RandomStream::new(seed);
    let lines = evenly(-0.1 * f64::from(n), 0.1 * f64::from(n), n);
    Shape::grid(&lines, &lines, |_, _| random.between(-0.04, 0.04)).triangles()
}

/// Centres over the middle of a field, 25 of them.
fn places() -> Vec<DVec3> {
    let place = |k: i32| DVec3::new(f64::from(k % 5) - 2.0, f64::from(k / 5) - 2.0, 0.0);
    (0..25).map(|k| 0.7 * place(k) + DVec3::Z * 0.25).collect()
}

/// All spheres in one step on a mesh.
fn together(shape: &Shape) -> Result<Rig, VerifyError> {
    let starts: Vec<_> = places().into_iter().map(|place| (place, DVec3::ZERO)).collect();
    let (stuff, bodies) = (BALL.toml(), balls(RADIUS, &starts));
    let text = format!("gravity = [0, 0, 0]\n{stuff}{bodies}\n[time]\nduration = 1\nstep = 1e-6\n");
    let mut rig = Rig::of(&stage(&text, [rigid(shape)?])?);
    rig.step()?;
    Ok(rig)
}

/// Every sphere is judged by itself, from the elements near it and nothing else: alone and among others it finds the
/// same bits. This is also what lets the search run in parallel without locks.
pub fn simple(report: &mut Report) -> Result<(), VerifyError> {
    let shape = bumps(40, 51);
    let rig = together(&shape)?;
    let mut probe = Probe::new(&BALL, RADIUS, [rigid(&shape)?])?;
    let bodies = &rig.run.state.bodies;
    let (mut different, mut contacts) = (0, 0);
    for row in 0..bodies.len() {
        let alone = probe.contacts_at(bodies.last_places[row].centre())?;
        let all = wall_contacts(&rig).into_iter();
        let among: Vec<_> = all.filter(|contact| contact.row as usize == row).collect();
        let same = |(a, b): (&SurfaceContact, &SurfaceContact)| {
            (a.feature, a.point, a.normal, a.force) == (b.feature, b.point, b.normal, b.force)
        };
        let equal = alone.len() == among.len() && alone.iter().zip(&among).all(same);
        different += u32::from(!equal);
        contacts += alone.len();
    }
    report.at_least("simple: contacts of 25 spheres", "", 25.0, contacts as f64);
    report.absolute(
        "simple (each sphere by itself): other contacts among others than alone",
        "",
        0.0,
        f64::from(different),
        0.0,
    );
    Ok(())
}

/// Operations per sphere do not grow with the mesh, and the fast test leaves only what the sphere meets.
pub fn efficient(report: &mut Report) -> Result<(), VerifyError> {
    let columns = [("elements", ""), ("candidates", ""), ("intersecting", ""), ("valid", "")];
    let mut series = Series::new("counts", &columns);
    for n in [40, 80, 160] {
        let lines = evenly(-0.1 * f64::from(n), 0.1 * f64::from(n), n);
        // The same waves in the middle: only the surroundings grow.
        let waves = |x: f64, y: f64| 0.02 * libm::sin(9.0 * x + 5.0 * y);
        let shape = Shape::grid(&lines, &lines, waves).triangles();
        let counts = stage_counts(&together(&shape)?);
        if n == 40 {
            let met = places().into_iter().map(|place| met_elements(&shape, place)).sum::<usize>();
            report.absolute(
                "efficient: elements that passed the fast test, against all distances",
                "",
                met as f64,
                counts.intersecting as f64,
                0.0,
            );
        }
        let stages = [counts.candidates, counts.intersecting, counts.valid].map(|count| count as f64 / 25.0);
        series.push(&[shape.polygons.len() as f64, stages[0], stages[1], stages[2]]);
    }
    let [candidates, intersecting, valid] = [1, 2, 3].map(|column| series.column(column));
    report.absolute(
        "efficient: candidates on 16 times the elements / on one",
        "",
        1.0,
        candidates[2] / candidates[0],
        0.01,
    );
    report.at_most(
        "efficient: candidates / intersecting (the paper's mixer: 30)",
        "",
        30.0,
        candidates[0] / intersecting[0],
    );
    report.at_least(
        "efficient: intersecting / valid, what the hierarchy sorts out",
        "",
        1.0,
        intersecting[0] / valid[0],
    );
    let elements = series.column(0);
    let plot = Plot::new("Elements looked at by a sphere", "elements of the mesh", "number per sphere")
        .points("candidates", &elements, &series.column(1))
        .points("intersecting", &elements, &series.column(2))
        .points("valid", &elements, &series.column(3))
        .log_x()
        .log_y();
    report.plot("counts", plot);
    report.series(series);
    Ok(())
}

/// Elements of triangles nearer to a place than the radius, from all distances.
fn met_elements(shape: &Shape, place: DVec3) -> usize {
    let distance = |ids: &Vec<u32>| {
        let corner = |k: usize| shape.vertices[ids[k] as usize];
        closest_of_triangle(place, [corner(0), corner(1), corner(2)]).distance(place)
    };
    shape.polygons.iter().filter(|ids| distance(ids) < RADIUS).count()
}

/// Memory of a contact (five cache lines), and nothing for elements that are not near.
pub fn low_storage(report: &mut Report) -> Result<(), VerifyError> {
    report.at_most(
        "low storage: bytes of a contact with its memory",
        "",
        320.0,
        size_of::<SurfaceContact>() as f64,
    );
    let held = |n: u32| -> Result<f64, VerifyError> {
        let rig = together(&Shape::plate(0.2 * f64::from(n), n).triangles())?;
        Ok(rig.run.state.lists.chunks.iter().map(|chunk| chunk.surface.memory_bytes()).sum::<usize>() as f64)
    };
    let (small, large) = (held(40)?, held(160)?);
    report.absolute("low storage: bytes held on 16 times the elements", "", small, large, 0.0);
    Ok(())
}

/// Nodal forces carry the force and the torque of every contact.
pub fn deformable(report: &mut Report) -> Result<(), VerifyError> {
    let shape = bumps(40, 53);
    let rig = together(&shape)?;
    let mesh = shape.mesh()?;
    let (mut worst, mut contacts) = (0.0_f64, 0);
    for contact in wall_contacts(&rig) {
        let weights = ContactWeights::at_point(
            &mesh,
            FeatureKey::from_number(contact.feature),
            contact.element,
            contact.point,
        );
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for (vertex, share) in weights.iter() {
            force += share * contact.force;
            torque += mesh.vertices[vertex as usize].cross(share * contact.force);
        }
        let size = contact.force.length();
        worst = worst.max((force - contact.force).length() / size);
        worst = worst.max((torque - contact.point.cross(contact.force)).length() / size);
        contacts += 1;
    }
    report.at_least("ready for deformable elements: contacts", "", 25.0, f64::from(contacts));
    report.at_most(
        "ready for deformable elements: force and torque of nodal forces, relative",
        "",
        1e-12,
        worst,
    );
    Ok(())
}
