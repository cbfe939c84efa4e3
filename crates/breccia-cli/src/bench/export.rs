//! The state a bench measures from, for other codes: spheres as a table, meshes as STL where they stand at that instant.

use crate::problem::Failure;
use breccia::model::Wall;
use breccia::scene::Scene;
use breccia::simulation::Simulation;
use breccia::state::State;
use std::fmt::Write;
use std::path::Path;

/// Writes `spheres.csv` and a `NAME.stl` per mesh into a folder.
pub fn export(scene: &Scene, state: &State, folder: &Path) -> Result<(), Failure> {
    let failed = |path: &Path, error: std::io::Error| {
        Failure::other(
            format!("cannot write {}: {error}", path.display()),
            "give a folder that can be written",
        )
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let path = folder.join("spheres.csv");
    std::fs::write(&path, spheres(state)).map_err(|error| failed(&path, error))?;
    let time = state.step as f64 * Simulation::new(scene).setup.time_step;
    for wall in &scene.model.walls {
        if let Some(text) = stl(wall, time) {
            let path = folder.join(format!("{}.stl", wall.name));
            std::fs::write(&path, text).map_err(|error| failed(&path, error))?;
        }
    }
    Ok(())
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
