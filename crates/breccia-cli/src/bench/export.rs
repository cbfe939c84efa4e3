//! The state a bench measures from, for other codes: spheres and bonds as tables, meshes as STL where they stand at that
//! instant, numbers as JSON.

use crate::problem::Failure;
use breccia::model::Wall;
use breccia::scene::{BodySeed, BondSeed, Scene};
use breccia::shapes::sphere_volume;
use breccia::simulation::Simulation;
use breccia::state::State;
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::fmt::Write;
use std::path::Path;

/// What other codes have to know besides.
pub struct Handover {
    /// Inner length and width of the box the spheres are in [m]; zero where there is none.
    pub sides: [f64; 2],
}

/// Writes `spheres.csv`, `scene.json`, a `NAME.stl` per mesh and, where there are bonds, `bonds.csv` into a folder.
pub fn export(scene: &Scene, state: &State, handover: &Handover, folder: &Path) -> Result<(), Failure> {
    let failed = |path: &Path, error: std::io::Error| {
        Failure::other(
            format!("cannot write {}: {error}", path.display()),
            "give a folder that can be written",
        )
    };
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| failed(&path, error))
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let step = Simulation::new(scene).setup.time_step;
    write("spheres.csv", spheres(state))?;
    write("scene.json", format!("{:#}\n", numbers(scene, state, handover, step)))?;
    if !scene.bonds.is_empty() {
        write("bonds.csv", bonds(scene, state))?;
    }
    for wall in &scene.model.walls {
        if let Some(text) = stl(wall, state.step as f64 * step) {
            write(&format!("{}.stl", wall.name), text)?;
        }
    }
    Ok(())
}

/// Numbers that are not the same in every scene, SI units.
fn numbers(scene: &Scene, state: &State, handover: &Handover, step: f64) -> Value {
    json!({
        "spheres": state.bodies.len(),
        "step": step,
        "gravity": state.gravity.to_array(),
        "sides": handover.sides,
        "bond": scene.bonds.first().map(|bond| bond_numbers(scene, bond)),
    })
}

/// Stiffness and damping of a bond: stretching and shear per metre, bending and twist per radian.
fn bond_numbers(scene: &Scene, bond: &BondSeed) -> Value {
    let kind = &scene.model.bonds[usize::from(bond.kind.0)];
    let [a, b] = [bond.a, bond.b].map(|place| &scene.bodies[place as usize]);
    let mass = |body: &BodySeed| scene.model.material(body.material).density * sphere_volume(body.radius);
    let reduced_mass = 1.0 / (1.0 / mass(a) + 1.0 / mass(b));
    let length = a.position.distance(b.position);
    let (normal, shear) = kind.stiffness_per_area(length);
    let square = bond.radius * bond.radius;
    let area = PI * square;
    let dashpot = 2.0 * kind.damping_ratio * (reduced_mass * normal * area).sqrt();
    let shear_dashpot = dashpot / kind.stiffness_ratio.sqrt();
    json!({
        "length": length,
        "stretching": normal * area,
        "shear": shear * area,
        "bending": normal * area * 0.25 * square,
        "twist": shear * area * 0.5 * square,
        "stretching_damping": dashpot,
        "shear_damping": shear_dashpot,
        "bending_damping": dashpot * 0.25 * square,
        "twist_damping": shear_dashpot * 0.5 * square,
    })
}

/// Rows of the table of spheres that are bonded, counted from 0.
fn bonds(scene: &Scene, state: &State) -> String {
    let mut rows = vec![0_usize; state.bodies.next_id as usize];
    for (row, &id) in state.bodies.id.iter().take(state.bodies.len()).enumerate() {
        rows[id as usize] = row;
    }
    let line = |bond: &BondSeed| format!("{},{}\n", rows[bond.a as usize], rows[bond.b as usize]);
    String::from("a,b\n") + &scene.bonds.iter().map(line).collect::<String>()
}

/// One row per sphere, SI units.
fn spheres(state: &State) -> String {
    let mut text = String::from("x,y,z,radius,vx,vy,vz,wx,wy,wz\n");
    for (place, spin) in state.bodies.rows().iter().zip(&state.bodies.spins) {
        let numbers = place.position.iter().chain([&place.radius]).chain(&place.velocity).chain(&spin.spin);
        let row: Vec<String> = numbers.map(|number| format!("{number:.12e}")).collect();
        text += &row.join(",");
        text.push('\n');
    }
    text
}

/// A mesh as triangles, fans of its polygons, where it stands at an instant [s].
fn stl(wall: &Wall, time: f64) -> Option<String> {
    let mesh = &wall.mesh()?.mesh;
    let pose = wall.motion.pose(time);
    let place = |vertex: u32| pose.point_to_world(mesh.vertices[vertex as usize]);
    let mut text = format!("solid {}\n", wall.name);
    for element in &mesh.elements {
        let normal = pose.direction_to_world(element.normal);
        let corners = element.vertices.as_slice();
        for pair in corners[1..].windows(2) {
            let _ = writeln!(text, "facet normal {:e} {:e} {:e}\nouter loop", normal.x, normal.y, normal.z);
            for point in [place(corners[0]), place(pair[0]), place(pair[1])] {
                let _ = writeln!(text, "vertex {:.9e} {:.9e} {:.9e}", point.x, point.y, point.z);
            }
            text += "endloop\nendfacet\n";
        }
    }
    let _ = writeln!(text, "endsolid {}", wall.name);
    Some(text)
}
