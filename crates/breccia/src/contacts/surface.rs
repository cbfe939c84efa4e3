//! Contacts between spheres and walls, one record each.

use super::{FaceGroup, LoneIndex, Memory};
use crate::dispatch::Compiled;
use crate::laws::ChosenLaws;
use crate::model::{PairId, WallId};
use crate::narrow_phase::{
    ElementLook, FeatureKind, NO_ELEMENT, PlainFace, SurfaceInput, SurfaceScratch, WallNow,
};
use crate::shapes::mesh::Beside;
use crate::state::PlaceRow;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// A sphere and a wall near enough to be tested every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearWall {
    /// Row of the sphere.
    pub row: u32,
    /// The wall.
    pub wall: WallId,
    /// First of the near elements of a mesh, as a place in [`SurfaceContacts::elements`].
    pub first: u32,
    /// Number of near elements; 0 for an analytic surface.
    pub count: u32,
}

/// A sphere touching a wall (side a is the sphere).
// The order of the fields lets four numbers be copied at a time.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[repr(C)]
pub struct SurfaceContact {
    /// Row of the sphere.
    pub row: u32,
    /// The wall.
    pub wall: WallId,
    /// Face, edge or vertex.
    pub kind: FeatureKind,
    /// Number of the face or rim on the wall; of the patch, edge or vertex on a mesh.
    pub feature: u32,
    /// Element of a mesh, the lowest of those around an edge or vertex; [`NO_ELEMENT`] on an analytic surface.
    pub element: u32,
    /// Pair of materials.
    pub pair: PairId,
    /// Where the sums of its element were last found: a guess that saves looking.
    pub sums_at: u32,
    /// Unit normal from the wall to the sphere [world].
    pub normal: DVec3,
    /// Overlap [m], > 0.
    pub overlap: f64,
    /// Contact point on the wall [m, world].
    pub point: DVec3,
    /// Share of the full force [–]; below 1 beside blended concave edges.
    pub share: f64,
    /// Derivative of the share by the place of the centre [1/m, world].
    pub share_gradient: DVec3,
    /// What it remembers.
    pub memory: Memory,
    /// Stiffness scale when last evaluated, share included; 0 before.
    pub scale: f64,
    /// Dashpot scale; 0 until it is found.
    pub damping_scale: f64,
    /// Force on the sphere in the last step [N, world].
    pub force: DVec3,
}

impl SurfaceContact {
    /// Whether the wall is a mesh.
    pub fn is_on_mesh(&self) -> bool {
        self.element != NO_ELEMENT
    }

    /// Whether the sphere touched the wall in the last step.
    pub fn holds(&self) -> bool {
        self.memory.depth > 0.0
    }

    /// Takes the contact from its place; what stays there touches nothing and exerts no force.
    pub fn take(&mut self) -> Self {
        let ended = Self { overlap: 0.0, memory: Memory::default(), force: DVec3::ZERO, ..*self };
        std::mem::replace(self, ended)
    }
}

/// What diagnostics ask of a wall contact.
#[derive(Clone, Copy, Debug)]
pub struct HeldContact {
    /// Row of the sphere.
    pub row: u32,
    /// The wall.
    pub wall: WallId,
    /// Number of the touched feature.
    pub feature: u32,
    /// Pair of materials.
    pub pair: PairId,
    /// What it remembers.
    pub memory: Memory,
    /// Stiffness scale.
    pub scale: f64,
}

/// Walls near the spheres of a chunk.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NearWalls {
    /// Pairs to test, by row, then wall.
    pub near: Vec<NearWall>,
    /// Near elements of meshes, by mesh, then row; ascending for each pair of `near`.
    pub elements: Vec<u32>,
    /// Row that each of them is near to.
    pub rows: Vec<u32>,
    /// Meshes, and where the elements of each end.
    pub meshes: Vec<(WallId, u32)>,
}

impl NearWalls {
    /// Adds elements of a mesh and the rows, ascending, that each is near to.
    pub fn add_mesh(&mut self, wall: WallId, pairs: impl Iterator<Item = (u32, u32)>) {
        let begin = self.elements.len();
        for (row, element) in pairs {
            self.rows.push(row);
            self.elements.push(element);
        }
        self.end_mesh(wall, begin, self.elements.len());
    }

    /// The elements from `begin` to `end` are those of a mesh.
    fn end_mesh(&mut self, wall: WallId, begin: usize, end: usize) {
        let mut first = begin as u32;
        for own in self.rows[begin..end].chunk_by(|a, b| a == b) {
            let count = own.len() as u32;
            self.near.push(NearWall { row: own[0], wall, first, count });
            first += count;
        }
        self.meshes.push((wall, end as u32));
    }

    /// Takes those elements of others that are in reach of their spheres.
    fn take_in_reach(&mut self, from: &Self, beside: &[Beside]) {
        self.near.clear();
        self.meshes.clear();
        self.rows.resize(from.rows.len(), 0);
        self.elements.resize(from.elements.len(), 0);
        let (mut first, mut count) = (0, 0);
        for &(wall, end) in &from.meshes {
            let (own, begin) = (first..end as usize, count);
            first = end as usize;
            for place in own {
                // Which are in reach cannot be foretold: all are copied, and those out of reach written over.
                self.rows[count] = from.rows[place];
                self.elements[count] = from.elements[place];
                count += usize::from(beside[place] != Beside::OutOfReach);
            }
            self.end_mesh(wall, begin, count);
        }
        self.rows.truncate(count);
        self.elements.truncate(count);
    }

    /// Sorts pairs by row, then wall.
    pub fn sort(&mut self) {
        self.near.sort_unstable_by_key(|near| (near.row, near.wall));
    }

    /// Gives back memory that is not used.
    pub fn trim(&mut self) {
        self.near.shrink_to_fit();
        self.elements.shrink_to_fit();
        self.rows.shrink_to_fit();
    }

    /// Memory held [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.near.capacity() * size_of::<NearWall>()
            + (self.elements.capacity() + self.rows.capacity()) * size_of::<u32>()
    }
}

/// Wall contacts of one chunk.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SurfaceContacts {
    /// Walls that spheres can reach before near walls are looked for anew; empty if no mesh is among them: all are watched then.
    pub known: NearWalls,
    /// Those that they may touch soon, looked at every step.
    pub watched: NearWalls,
    /// How the spheres lie beside the elements now, by a quick look; empty if it has not been done.
    #[serde(skip)]
    pub beside: Vec<Beside>,
    /// Contacts of spheres that have touched one place only since the lists were made, by row: they go on where they lie,
    /// without being copied. Those taken from here do not hold any more.
    pub lone: Vec<SurfaceContact>,
    /// Spheres near one mesh alone and lone contacts in packed form; none until it is made.
    #[serde(skip)]
    pub index: Option<LoneIndex>,
    /// Spheres near one face of an analytic wall and nothing else; they are not among `near`.
    pub faces: Vec<FaceGroup>,
    /// All other contacts of the last step, in the order of `near`.
    pub now: Vec<SurfaceContact>,
    /// Buffer for the contacts of the step before.
    #[serde(skip)]
    pub before: Vec<SurfaceContact>,
    /// Buffers of the search.
    #[serde(skip)]
    pub scratch: SurfaceScratch,
}

impl SurfaceContacts {
    /// Watches the known walls and elements that are within `reach` [m] of touching their spheres.
    pub fn watch(&mut self, input: &SurfaceInput, look: Compiled<ElementLook>, reach: f64) {
        if self.known.meshes.is_empty() {
            return;
        }
        look((&self.known, &mut self.beside, input, reach));
        let Self { known, watched, beside, .. } = self;
        watched.take_in_reach(known, beside);
        // They were told of other elements and a longer reach.
        beside.clear();
        watched.near.extend(known.near.iter().filter(|near| near.count == 0));
        watched.sort();
        self.index = self.index.take().map(|index| index.with(&self.watched.near));
    }

    /// Makes the index unless it is there: the order of lone contacts stays until near walls are listed anew.
    pub fn make_index(&mut self) {
        self.index.get_or_insert_with(|| LoneIndex::new(&self.lone, &self.watched.near));
    }

    /// Makes contacts of now those of the step before.
    pub fn turn_over(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        // An eighth more than there were: a list left to itself would double.
        let likely = self.before.len();
        if self.now.capacity() < likely + likely / 32 {
            self.now.reserve_exact(likely + likely / 8);
        }
    }

    /// Takes over contacts, by row; `near` is known.
    pub fn take_over(&mut self, contacts: &[SurfaceContact]) {
        for of_row in contacts.chunk_by(|a, b| a.row == b.row) {
            let is_near = self.watched.near.binary_search_by_key(&of_row[0].row, |near| near.row).is_ok();
            let own = if is_near && of_row.len() == 1 { &mut self.lone } else { &mut self.now };
            own.extend_from_slice(of_row);
        }
        self.lone.shrink_to_fit();
    }

    /// Whether any wall is near, or was.
    pub fn has_work(&self) -> bool {
        !self.watched.near.is_empty() || !self.faces.is_empty() || self.searched().next().is_some()
    }

    /// Contacts of the last step that had to be searched for, those that ended in it included; `faces` has the others.
    pub fn searched(&self) -> impl Iterator<Item = &SurfaceContact> {
        self.lone.iter().chain(&self.now)
    }

    /// All that touched in the last step.
    pub fn held(&self) -> impl Iterator<Item = HeldContact> + '_ {
        let searched = self.searched().filter(|contact| contact.holds()).map(|contact| HeldContact {
            row: contact.row,
            wall: contact.wall,
            feature: contact.feature,
            pair: contact.pair,
            memory: contact.memory,
            scale: contact.scale,
        });
        let at_faces = self.faces.iter().flat_map(|group| {
            let FaceGroup { wall, face: feature, pair, .. } = *group;
            group.held().map(move |lane| HeldContact {
                row: lane.a,
                wall,
                feature,
                pair,
                memory: lane.memory,
                scale: lane.scale,
            })
        });
        searched.chain(at_faces)
    }

    /// All that touched in the last step spelled out, with spheres at `places` and `walls` where they were then.
    pub fn spelled_out<'a>(
        &'a self,
        places: &'a [PlaceRow],
        walls: &'a [WallNow<'a>],
        laws: &'a ChosenLaws,
    ) -> impl Iterator<Item = SurfaceContact> + 'a {
        let at_faces = self.faces.iter().flat_map(move |group| {
            let face = walls[usize::from(group.wall.0)].plain_faces(group.face).map(|[_, now]| now);
            let spell = move |face: PlainFace| {
                group.held().map(move |lane| group.spell_out(&lane, &places[lane.a as usize], &face, laws))
            };
            face.map(spell).into_iter().flatten()
        });
        self.searched().filter(|contact| contact.holds()).copied().chain(at_faces)
    }

    /// Memory held by contacts and candidates [bytes].
    pub fn memory_bytes(&self) -> usize {
        let contacts = self.lone.capacity() + self.now.capacity() + self.before.capacity();
        contacts * size_of::<SurfaceContact>()
            + self.known.memory_bytes()
            + self.watched.memory_bytes()
            + self.beside.capacity()
            + self.index.as_ref().map_or(0, LoneIndex::memory_bytes)
            + self.faces.iter().map(|group| group.contacts.memory_bytes()).sum::<usize>()
    }
}
