//! What contacts do to the elements of meshes, summed over the steps between two frames.
//!
//! Each chunk sums for the elements near its own bodies, so that nothing is shared between threads. When the lists are
//! built anew the sums move to the meshes', in chunk order.

use super::{Chunk, NearWalls, SurfaceContact};
use crate::math::distinct;
use crate::model::{Surface, Wall, WallId};
use crate::narrow_phase::{FeatureKey, FeatureKind, WallNow};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Sums over steps for one element of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ElementSum {
    /// Force on the element [N, mesh frame].
    pub force: DVec3,
    /// Contacts at the facet, at edges and at vertices. Elements around an edge or vertex share a contact equally.
    pub contacts: [f64; 3],
}

impl ElementSum {
    fn add(&mut self, other: &Self) {
        self.force += other.force;
        for (sum, value) in self.contacts.iter_mut().zip(other.contacts) {
            *sum += value;
        }
    }
}

/// Sums of one chunk.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ElementSums {
    /// Elements near the chunk's bodies, ascending.
    elements: Vec<(WallId, u32)>,
    /// Their sums.
    sums: Vec<ElementSum>,
}

impl ElementSums {
    /// Zero sums for all elements on the lists of a chunk.
    pub fn near(walls: &NearWalls) -> Self {
        let (mut elements, mut first) = (Vec::new(), 0);
        for &(wall, end) in &walls.meshes {
            let own = distinct(&walls.elements[first..end as usize]);
            first = end as usize;
            elements.extend(own.into_iter().map(|element| (wall, element)));
        }
        elements.shrink_to_fit();
        Self { sums: vec![ElementSum::default(); elements.len()], elements }
    }

    /// Adds a contact with a mesh whose force is known. The elements around an edge or vertex share it equally.
    #[inline]
    pub fn add(&mut self, contact: &mut SurfaceContact, wall: &WallNow) {
        if contact.kind == FeatureKind::Face {
            self.add_part(contact, contact.element, wall.direction_to_wall(contact.force), 1.0);
        } else {
            self.add_around(contact, wall);
        }
    }

    /// Adds a contact at an edge or vertex.
    fn add_around(&mut self, contact: &mut SurfaceContact, wall: &WallNow) {
        let Surface::Mesh(surface) = wall.surface else { return };
        let around = match FeatureKey::from_number(contact.feature) {
            FeatureKey::Facet(_) => return,
            FeatureKey::Edge(id) => surface.mesh.edges[id as usize].elements.as_slice(),
            FeatureKey::Vertex(id) => surface.mesh.vertex_elements(id),
        };
        let (part, force) = (1.0 / around.len() as f64, wall.direction_to_wall(contact.force));
        for &element in around {
            self.add_part(contact, element, force, part);
        }
    }

    /// Adds a part [–] of a contact to an element; `force` [N, mesh frame] is that on the sphere.
    #[inline]
    fn add_part(&mut self, contact: &mut SurfaceContact, element: u32, force: DVec3, part: f64) {
        // All are within reach of the sphere, so they are on its list.
        if let Some(place) = self.place((contact.wall, element), contact.sums_at) {
            contact.sums_at = place;
            let sum = &mut self.sums[place as usize];
            sum.force += force * -part;
            // Contacts that have just ended stay on the list for one more step.
            sum.contacts[contact.kind as usize] += if contact.holds() { part } else { 0.0 };
        }
    }

    /// Place of an element, most often where it was last.
    fn place(&self, element: (WallId, u32), guess: u32) -> Option<u32> {
        if self.elements.get(guess as usize) == Some(&element) {
            return Some(guess);
        }
        self.elements.binary_search(&element).ok().map(|place| place as u32)
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.elements.capacity() * size_of::<(WallId, u32)>() + self.sums.capacity() * size_of::<ElementSum>()
    }

    fn clear(&mut self) {
        self.sums.fill(ElementSum::default());
    }
}

/// Sums of all meshes since the interval began.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MeshSums {
    /// First step of the interval.
    since: u64,
    /// By wall, then element; nothing for analytic surfaces.
    walls: Vec<Vec<ElementSum>>,
}

impl MeshSums {
    /// Zero sums; the interval begins at step 0.
    pub fn new(walls: &[Wall]) -> Self {
        let elements = |wall: &Wall| wall.mesh().map_or(0, |surface| surface.mesh.elements.len());
        Self { since: 0, walls: walls.iter().map(|w| vec![ElementSum::default(); elements(w)]).collect() }
    }

    /// Adds the sums of chunks that are about to be replaced.
    pub fn absorb(&mut self, chunks: &[Chunk]) {
        for sums in chunks.iter().map(|chunk| &chunk.element_sums) {
            for (&(wall, element), sum) in sums.elements.iter().zip(&sums.sums) {
                self.walls[usize::from(wall.0)][element as usize].add(sum);
            }
        }
    }

    /// Sums up to now, those of the chunks included, by wall and element.
    pub fn with(&self, chunks: &[Chunk]) -> Vec<Vec<ElementSum>> {
        let mut all = self.clone();
        all.absorb(chunks);
        all.walls
    }

    /// Number of steps summed before `step`.
    pub fn steps_before(&self, step: u64) -> u64 {
        step.saturating_sub(self.since)
    }

    /// Forgets the past: the interval begins at `step`.
    pub fn begin(&mut self, step: u64, chunks: &mut [Chunk]) {
        self.since = step;
        self.walls.iter_mut().for_each(|sums| sums.fill(ElementSum::default()));
        chunks.iter_mut().for_each(|chunk| chunk.element_sums.clear());
    }
}
