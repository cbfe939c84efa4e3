//! Walls and elements of meshes near each sphere, and contacts carried over when rows are re-ordered.

use super::carry::GONE;
use super::{Chunk, ElementSums, NearWall, SurfaceContact, SurfaceContacts};
use crate::model::{Surface, WallId};
use crate::narrow_phase::WallNow;
use crate::state::Bodies;
use std::ops::Range;

/// What near surfaces are found from.
pub(super) struct NearSurfaces<'a> {
    /// Walls where they are now.
    pub walls: &'a [WallNow<'a>],
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
        let mut of_meshes = vec![(Vec::new(), Vec::new()); self.walls.len()];
        let mut found = Vec::new();
        for row in rows.clone() {
            let place = &bodies.places[row as usize];
            let reach = place.radius + self.skin;
            for (wall, number) in self.walls.iter().zip(0_u16..).filter(|(wall, _)| wall.present) {
                let wall_id = WallId(number);
                match wall.surface {
                    Surface::Analytic(_) if wall.is_near(place.centre(), reach) => {
                        contacts.near.push(NearWall { row, wall: wall_id, first: 0, count: 0 });
                    }
                    Surface::Analytic(_) => {}
                    Surface::Mesh(mesh) => {
                        mesh.elements_near(wall.local(place.centre()), reach, &mut found);
                        if !found.is_empty() {
                            let (rows, elements) = &mut of_meshes[usize::from(number)];
                            let (first, count) = (elements.len() as u32, found.len() as u32);
                            contacts.near.push(NearWall { row, wall: wall_id, first, count });
                            elements.extend_from_slice(&found);
                            rows.resize(elements.len(), row);
                        }
                    }
                }
            }
        }
        for ((rows, elements), number) in of_meshes.iter().zip(0_u16..).filter(|(own, _)| !own.0.is_empty()) {
            contacts.add_mesh(WallId(number), rows, elements);
        }
        let begin = self.carried.partition_point(|contact| contact.row < rows.start);
        let end = self.carried.partition_point(|contact| contact.row < rows.end);
        contacts.now = self.carried[begin..end].to_vec();
        contacts
    }
}

/// Wall contacts with their new rows, sorted by row and key.
pub(super) fn carried_contacts(chunks: &[Chunk], new_row: &[u32], walls: &[WallNow]) -> Vec<SurfaceContact> {
    let mut carried: Vec<SurfaceContact> = chunks
        .iter()
        .flat_map(|chunk| &chunk.surface.now)
        .filter(|contact| walls[usize::from(contact.wall.0)].present)
        .map(|contact| SurfaceContact { row: new_row[contact.row as usize], ..*contact })
        .filter(|contact| contact.row != GONE)
        .collect();
    carried.sort_by_key(|contact| (contact.row, contact.wall, contact.feature));
    carried
}
