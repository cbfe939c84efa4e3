//! Spheres near one mesh alone settled at once: those that touch nothing, and those with a lone contact on a facet, which is
//! moved along with the sphere, several at a time.
//!
//! Most spheres that touch a mesh touch the element below their centre, and did so in the step before. Nothing has to be
//! searched, judged or matched for them; what cannot be told here is left to [`super::find_surface_contacts`].

#[cfg(test)]
mod tests;

use super::sphere_mesh::{PASSED, foot};
use super::sphere_sphere::gather_places;
use super::sphere_surface::{is_turned_over, tilted};
use super::{FeatureKind, SurfaceInput, WallNow};
use crate::contacts::{LoneIndex, NO_CONTACT, NearOneMesh, NearWalls, SurfaceContact, SurfaceContacts};
use crate::math::{LANES, Simd};
use crate::model::{MeshSurface, Surface};
use crate::shapes::mesh::InReach;
use glam::DVec3;

/// Settles spheres near one mesh alone: those that touch nothing, and those that go on touching the same element and nothing
/// else, whose contacts are moved. A quick look at the elements has been done.
#[inline(always)]
pub(super) fn settle_near_meshes<S: Simd>(contacts: &mut SurfaceContacts, input: &SurfaceInput) {
    if contacts.watched.near.is_empty() {
        return;
    }
    contacts.make_index();
    let SurfaceContacts { watched, beside, lone, index: Some(index), .. } = contacts else { return };
    let NearWalls { near, elements, .. } = watched;
    index.unsettle();
    index.settled.resize(near.len(), false);
    let LoneIndex { near_one, settled, moved, .. } = index;
    for of_mesh in near_one.chunk_by(|a, b| a.wall == b.wall) {
        let wall = &input.walls[usize::from(of_mesh[0].wall.0)];
        let (true, Surface::Mesh(mesh)) = (wall.present, wall.surface) else { continue };
        let mut mover = Mover { mesh, wall, input, lone, settled, moved };
        let mut gathered = Gathered::default();
        for near in of_mesh {
            match InReach::of_some(beside, near.first as usize, near.count as usize) {
                InReach::Nothing => mover.settled[near.near as usize] = !mover.holds(near),
                InReach::LoneFacet(place) if near.lone != NO_CONTACT && !mesh.concave_blend => {
                    let element = elements[near.first as usize + place];
                    if goes_on(&mover.lone[near.lone as usize], near, element) {
                        gathered.push(near, element);
                    }
                    if gathered.count == S::WIDTH {
                        mover.move_some::<S>(&gathered, 0);
                        gathered.count = 0;
                    }
                }
                _ => {}
            }
        }
        for at in 0..gathered.count {
            mover.move_some::<f64>(&gathered, at);
        }
    }
}

/// Whether a contact was at the element that its sphere touches now: then name and materials stay the same.
#[inline(always)]
fn goes_on(contact: &SurfaceContact, near: &NearOneMesh, element: u32) -> bool {
    contact.element == element
        && contact.wall == near.wall
        && contact.kind == FeatureKind::Face
        && contact.share == 1.0
        && contact.holds()
}

/// Up to eight contacts to be moved.
#[derive(Default)]
struct Gathered {
    count: usize,
    rows: [u32; LANES],
    elements: [u32; LANES],
    places: [u32; LANES],
    near: [u32; LANES],
}

impl Gathered {
    #[inline(always)]
    fn push(&mut self, near: &NearOneMesh, element: u32) {
        let k = self.count;
        self.rows[k] = near.row;
        self.elements[k] = element;
        self.places[k] = near.lone;
        self.near[k] = near.near;
        self.count = k + 1;
    }
}

/// What moving contacts of one mesh takes.
struct Mover<'a> {
    mesh: &'a MeshSurface,
    wall: &'a WallNow<'a>,
    input: &'a SurfaceInput<'a>,
    lone: &'a mut [SurfaceContact],
    settled: &'a mut [bool],
    moved: &'a mut u64,
}

impl Mover<'_> {
    /// Whether a sphere had a lone contact in the step before.
    #[inline(always)]
    fn holds(&self, near: &NearOneMesh) -> bool {
        near.lone != NO_CONTACT && self.lone[near.lone as usize].holds()
    }

    /// Moves the contacts from `at` on, as many as registers hold, but for those that have to be searched for.
    #[inline(always)]
    fn move_some<S: Simd>(&mut self, some: &Gathered, at: usize) {
        let part = at..at + S::WIDTH;
        let (centre, radius) = gather_places::<S>(&some.rows[part.clone()], self.input.places);
        let [normal, anchor] = self.mesh.mesh.facets::<S>(&some.elements[part]);
        let (height, point) = foot(normal, anchor, self.wall.local_lanes(centre));
        let is_plain = height.less_bits(radius) & !height.less_bits(S::splat(PASSED) * radius);
        let [point, normal] = self.wall.world_lanes(point, normal);
        let normals = S::rows([normal.x, normal.y, normal.z, radius - height]);
        let points = S::rows([point.x, point.y, point.z, S::splat(1.0)]);
        for k in 0..S::WIDTH {
            let ([x, y, z, overlap], [px, py, pz, share]) = (normals[k], points[k]);
            let (normal, contact) = (DVec3::new(x, y, z), &mut self.lone[some.places[at + k] as usize]);
            if is_plain >> k & 1 == 0 || is_turned_over(normal, contact.normal) {
                continue;
            }
            if self.input.torsion {
                contact.memory.rolling = tilted(contact.memory.rolling, contact.normal, normal);
            }
            (contact.normal, contact.overlap) = (normal, overlap);
            (contact.point, contact.share) = (DVec3::new(px, py, pz), share);
            self.settled[some.near[at + k] as usize] = true;
            *self.moved += 1;
        }
    }
}
