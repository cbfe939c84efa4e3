//! Loads on meshes: tractions of elements over an interval, forces at vertices at one instant.

use crate::contacts::{ElementSum, SurfaceContact};
use crate::model::WallId;
use crate::motion::Pose;
use crate::narrow_phase::{ContactWeights, FeatureKey, WallNow};
use crate::shapes::mesh::PolygonMesh;
use crate::simulation::Setup;
use crate::state::State;
use glam::DVec3;

/// Load on one element, mean over the steps of an interval. The mean is taken in the mesh's frame: it turns with the
/// mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElementLoad {
    /// Pressure on the front [Pa]: force against the element's normal over its area. Negative where bodies press on
    /// the back of a two-sided mesh.
    pub normal_traction: f64,
    /// Force along the element over its area [Pa, world], in the directions of the last instant.
    pub shear_traction: DVec3,
    /// Mean number of contacts. Elements around an edge or a vertex share a contact equally.
    pub contacts: f64,
    /// Shares of contacts at the facet, at edges and at vertices; they sum to one, or are zero without contacts.
    pub shares: [f64; 3],
}

/// Loads on one mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshLoad {
    /// Load on each element since the interval began.
    pub elements: Vec<ElementLoad>,
    /// Force on each vertex in the last step [N, world]. Their sum is the resultant of the contact forces, and so is
    /// that of their moments, but for rolling resistance: a couple that forces at vertices do not carry.
    pub nodal_forces: Vec<DVec3>,
}

/// Loads on the meshes that are there, by wall.
pub fn mesh_loads(setup: &Setup, state: &State) -> Vec<(WallId, MeshLoad)> {
    let walls = setup.walls_at(state, state.step.saturating_sub(1));
    let steps = state.mesh_sums.steps_before(state.step).max(1) as f64;
    let sums = state.mesh_sums.with(&state.lists.chunks);
    let mut loads = Vec::new();
    for (number, (wall, sums)) in (0_u16..).zip(setup.model.walls.iter().zip(&sums)) {
        let now = &walls[usize::from(number)];
        if let (Some(surface), true) = (wall.mesh(), now.present) {
            let load = |(element, sum)| element_load(&surface.mesh, element, sum, steps, &now.pose);
            let elements = sums.iter().enumerate().map(load).collect();
            let nodal_forces = nodal_forces(&surface.mesh, WallId(number), now, state);
            loads.push((WallId(number), MeshLoad { elements, nodal_forces }));
        }
    }
    loads
}

fn element_load(
    mesh: &PolygonMesh,
    element: usize,
    sum: &ElementSum,
    steps: f64,
    pose: &Pose,
) -> ElementLoad {
    let normal = mesh.elements[element].normal;
    let traction = sum.force / (steps * mesh.element_area(element));
    let across = traction.dot(normal);
    let contacts: f64 = sum.contacts.iter().sum();
    ElementLoad {
        normal_traction: 0.0 - across,
        shear_traction: pose.direction_to_world(traction - normal * across),
        contacts: contacts / steps,
        shares: sum.contacts.map(|count| if contacts > 0.0 { count / contacts } else { 0.0 }),
    }
}

/// Contact forces of the last step, each shared among the vertices around it.
fn nodal_forces(mesh: &PolygonMesh, id: WallId, wall: &WallNow, state: &State) -> Vec<DVec3> {
    let mut forces = vec![DVec3::ZERO; mesh.vertices.len()];
    let contacts = state.lists.chunks.iter().flat_map(|chunk| chunk.surface.searched());
    for contact in contacts.filter(|contact| contact.wall == id) {
        for (vertex, share) in weights(mesh, contact, wall).iter() {
            forces[vertex as usize] -= contact.force * share;
        }
    }
    forces
}

fn weights(mesh: &PolygonMesh, contact: &SurfaceContact, wall: &WallNow) -> ContactWeights {
    let key = FeatureKey::from_number(contact.feature);
    ContactWeights::at_point(mesh, key, contact.element, wall.local(contact.point))
}
