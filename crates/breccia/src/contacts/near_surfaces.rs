//! Walls and elements of meshes near each sphere, and contacts carried over when rows are re-ordered.

use super::carry::GONE;
use super::{Chunk, ElementSums, ListInput, NearWall, SurfaceContact, SurfaceContacts};
use crate::model::{MeshSurface, Surface, WallId};
use crate::narrow_phase::{SurfaceInput, WallNow};
use crate::shapes::mesh::Beside;
use crate::state::{Bodies, PlaceRow};
use glam::DVec3;
use std::ops::Range;

/// Rows that look at the same elements: neighbours along the curve lie close to each other.
const GROUP: usize = 4;

/// Rows whose looks are kept at a time: those of large spheres over small elements are many.
const PART: usize = 128 * GROUP;

/// What near surfaces are found from.
pub(super) struct NearSurfaces<'a> {
    /// What lists need to know.
    pub input: &'a ListInput<'a>,
    /// Reach beyond touching [m].
    pub skin: f64,
    /// Contacts of the lists before, by row.
    pub carried: &'a [SurfaceContact],
}

impl NearSurfaces<'_> {
    /// Gives a chunk the walls near its rows, with the contacts it had.
    pub fn give(&self, chunk: &mut Chunk, bodies: &Bodies) {
        chunk.surface = self.of_rows(bodies, chunk.first..chunk.first + chunk.count);
        chunk.element_sums = ElementSums::near(&chunk.surface);
    }

    /// Near walls and old contacts of a stretch of rows.
    fn of_rows(&self, bodies: &Bodies, rows: Range<u32>) -> SurfaceContacts {
        let mut contacts = SurfaceContacts::default();
        // Spheres as large as the lists reach.
        let own = &bodies.places[rows.start as usize..rows.end as usize];
        let wide = |place: &PlaceRow| PlaceRow { radius: place.radius + self.skin, ..*place };
        let places: Vec<PlaceRow> = own.iter().map(wide).collect();
        for (number, wall) in (0_u16..).zip(self.input.walls).filter(|(_, wall)| wall.present) {
            match wall.surface {
                Surface::Analytic(_) => {
                    let near =
                        (rows.start..).zip(&places).filter(|(_, p)| wall.is_near(p.centre(), p.radius));
                    let of_row = |(row, _)| NearWall { row, wall: WallId(number), first: 0, count: 0 };
                    contacts.near.extend(near.map(of_row));
                }
                Surface::Mesh(mesh) => {
                    self.add_mesh(WallId(number), mesh, &places, rows.start, &mut contacts)
                }
            }
        }
        contacts.near.sort_unstable_by_key(|near| (near.row, near.wall));
        let begin = self.carried.partition_point(|contact| contact.row < rows.start);
        let end = self.carried.partition_point(|contact| contact.row < rows.end);
        contacts.take_over(&self.carried[begin..end]);
        contacts
    }

    /// Adds the elements of a mesh that meet the spheres at `places`, which are rows from `first` on.
    fn add_mesh(
        &self,
        number: WallId,
        mesh: &MeshSurface,
        places: &[PlaceRow],
        first: u32,
        contacts: &mut SurfaceContacts,
    ) {
        let wall = &self.input.walls[usize::from(number.0)];
        let (mut rows, mut elements) = (Vec::new(), Vec::new());
        for (part, first) in places.chunks(PART).zip((first..).step_by(PART)) {
            let looked_at = self.look(number, mesh, part);
            let pairs = looked_at.rows.iter().zip(&looked_at.elements).zip(&looked_at.beside);
            for ((&local, &element), &beside) in pairs.filter(|(_, beside)| **beside != Beside::OutOfReach) {
                let place = &part[local as usize];
                if mesh.is_within(element, beside, wall.local(place.centre()), place.radius) {
                    rows.push(first + local);
                    elements.push(element);
                }
            }
        }
        let mut first = 0;
        for own in rows.chunk_by(|a, b| a == b) {
            let count = own.len() as u32;
            contacts.near.push(NearWall { row: own[0], wall: number, first, count });
            first += count;
        }
        contacts.add_mesh(number, &rows, &elements);
    }

    /// A quick look at the elements of a mesh around each group of places, from each of them.
    fn look(&self, number: WallId, mesh: &MeshSurface, places: &[PlaceRow]) -> SurfaceContacts {
        let wall = &self.input.walls[usize::from(number.0)];
        let (mut rows, mut elements, mut around) = (Vec::new(), Vec::new(), Vec::new());
        for (group, first) in places.chunks(GROUP).zip((0_u32..).step_by(GROUP)) {
            let (low, high) = wall_frame_box(wall, group);
            mesh.elements_in(low, high, &mut around);
            for row in (first..).take(if around.is_empty() { 0 } else { group.len() }) {
                elements.extend_from_slice(&around);
                rows.resize(elements.len(), row);
            }
        }
        let mut looked_at = SurfaceContacts::default();
        looked_at.add_mesh(number, &rows, &elements);
        let ListInput { model, laws, walls, .. } = self.input;
        let (pairs, time_step) = (&model.pairs, 0.0);
        let input =
            SurfaceInput { places, materials: &[], walls, pairs, time_step, fast_test: true, torsion: false };
        (laws.element_test)(&mut looked_at, &input);
        looked_at
    }
}

/// The box around some spheres [m, wall frame].
fn wall_frame_box(wall: &WallNow, places: &[PlaceRow]) -> (DVec3, DVec3) {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    places.iter().fold(none, |(low, high), place| {
        let centre = wall.local(place.centre());
        (low.min(centre - place.radius), high.max(centre + place.radius))
    })
}

/// Wall contacts with their new rows, sorted by row and key.
pub(super) fn carried_contacts(chunks: &[Chunk], new_row: &[u32], walls: &[WallNow]) -> Vec<SurfaceContact> {
    let mut carried: Vec<SurfaceContact> = chunks
        .iter()
        .flat_map(|chunk| chunk.surface.contacts())
        .filter(|contact| contact.holds() && walls[usize::from(contact.wall.0)].present)
        .map(|contact| SurfaceContact { row: new_row[contact.row as usize], ..*contact })
        .filter(|contact| contact.row != GONE)
        .collect();
    sort(&mut carried);
    carried
}

/// The wall contacts of a chunk, taken from it, sorted by row and key.
pub(super) fn taken_contacts(chunk: &mut Chunk) -> Vec<SurfaceContact> {
    let mut taken = std::mem::take(&mut chunk.surface.lone);
    taken.append(&mut chunk.surface.now);
    taken.retain(SurfaceContact::holds);
    sort(&mut taken);
    taken
}

fn sort(contacts: &mut [SurfaceContact]) {
    contacts.sort_by_key(|contact| (contact.row, contact.wall, contact.feature));
}
