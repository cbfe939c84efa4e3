//! Walls and elements of meshes near each sphere, and contacts carried over when rows are re-ordered.

use super::carry::GONE;
use super::{
    Chunk, ContactLanes, ElementSums, FaceGroup, LaneView, ListInput, NearWall, NearWalls, SurfaceContact,
    SurfaceContacts,
};
use crate::math::FirstMet;
use crate::model::{MeshSurface, Surface, WallId};
use crate::narrow_phase::{FaceSet, SurfaceInput, WallNow};
use crate::shapes::mesh::Beside;
use crate::state::{Bodies, PlaceRow};
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;

/// Rows that look at the same elements: neighbours along the curve lie close to each other.
const GROUP: usize = 8;

/// Rows whose looks are kept at a time: those of large spheres over small elements are many.
const PART: usize = 128 * GROUP;

/// What near surfaces are found from.
pub(super) struct NearSurfaces<'a> {
    /// What lists need to know.
    pub input: &'a ListInput<'a>,
    /// Reach beyond touching [m].
    pub skin: f64,
    /// Reach of watched walls beyond touching [m].
    pub inner: f64,
    /// Contacts of the lists before, by row.
    pub carried: &'a [SurfaceContact],
}

impl NearSurfaces<'_> {
    /// Gives a chunk the walls near its rows, with the contacts it had.
    pub fn give(&self, chunk: &mut Chunk, bodies: &Bodies) {
        chunk.surface = self.of_rows(bodies, chunk.first..chunk.first + chunk.count);
        let SurfaceContacts { known, watched, .. } = &chunk.surface;
        chunk.element_sums = ElementSums::near(if known.meshes.is_empty() { watched } else { known });
    }

    /// Near walls and old contacts of a stretch of rows.
    fn of_rows(&self, bodies: &Bodies, rows: Range<u32>) -> SurfaceContacts {
        let mut contacts = SurfaceContacts::default();
        let mut walls = NearWalls::default();
        // Spheres as large as the lists reach.
        let own = &bodies.places[rows.start as usize..rows.end as usize];
        let wide = |place: &PlaceRow| PlaceRow { radius: place.radius + self.skin, ..*place };
        let places: Vec<PlaceRow> = own.iter().map(wide).collect();
        for (number, wall) in (0_u16..).zip(self.input.walls).filter(|(_, wall)| wall.present) {
            match wall.surface {
                Surface::Analytic(_) => {
                    let ball = wall.ball_around();
                    let may_touch = |place: &PlaceRow| {
                        ball.is_none_or(|(centre, radius)| {
                            let reach = radius + place.radius;
                            (place.centre() - centre).length_squared() < reach * reach
                        })
                    };
                    let near = (rows.start..)
                        .zip(&places)
                        .filter(|(_, place)| may_touch(place) && wall.is_near(place.centre(), place.radius));
                    let of_row = |(row, _)| NearWall { row, wall: WallId(number), first: 0, count: 0 };
                    walls.near.extend(near.map(of_row));
                }
                Surface::Mesh(mesh) => self.add_mesh(WallId(number), mesh, &places, rows.start, &mut walls),
            }
        }
        walls.sort();
        let begin = self.carried.partition_point(|contact| contact.row < rows.start);
        let end = self.carried.partition_point(|contact| contact.row < rows.end);
        contacts.watched = walls;
        let others = self.sort_out_faces(bodies, &mut contacts, &self.carried[begin..end]);
        contacts.take_over(&others);
        if !contacts.watched.meshes.is_empty() {
            contacts.known = std::mem::take(&mut contacts.watched);
            contacts.watch(&self.surface_input(&bodies.places), self.input.laws.element_look, self.inner);
        }
        contacts
    }

    /// Moves spheres near one face and nothing else from the near walls to that face, with the contacts they had of those
    /// `carried`; gives back the other contacts.
    fn sort_out_faces(
        &self,
        bodies: &Bodies,
        contacts: &mut SurfaceContacts,
        carried: &[SurfaceContact],
    ) -> Vec<SurfaceContact> {
        let mut others = Vec::new();
        let mut carried = carried.chunk_by(|a, b| a.row == b.row).peekable();
        for of_row in std::mem::take(&mut contacts.watched.near).chunk_by(|a, b| a.row == b.row) {
            let row = of_row[0].row;
            while let Some(gone) = carried.next_if(|old| old[0].row < row) {
                others.extend_from_slice(gone);
            }
            let old = carried.next_if(|old| old[0].row == row).unwrap_or_default();
            let alone = self.faces_alone(bodies, of_row, old);
            if alone.is_empty() {
                contacts.watched.near.extend_from_slice(of_row);
                others.extend_from_slice(old);
            }
            for face in alone.iter() {
                let before = old.iter().find(|contact| contact.feature == face);
                self.add_to_face(bodies, &mut contacts.faces, (of_row[0], face), before);
            }
        }
        carried.for_each(|gone| others.extend_from_slice(gone));
        contacts.watched.trim();
        contacts.faces.iter_mut().for_each(|group| group.contacts.trim());
        others
    }

    /// The faces that are all a sphere with these near walls can touch; none of its `old` contacts was elsewhere.
    fn faces_alone(&self, bodies: &Bodies, near: &[NearWall], old: &[SurfaceContact]) -> FaceSet {
        let [NearWall { row, wall, .. }] = *near else { return FaceSet::NONE };
        let place = &bodies.places[row as usize];
        let now = &self.input.walls[usize::from(wall.0)];
        let faces = now.faces_alone_near(place.centre(), place.radius + self.skin);
        let go_on = old.iter().all(|old| old.wall == wall && faces.contains(old.feature));
        if go_on { faces } else { FaceSet::NONE }
    }

    /// Adds a sphere to the face of a wall, with the contact it had.
    fn add_to_face(
        &self,
        bodies: &Bodies,
        faces: &mut Vec<FaceGroup>,
        (NearWall { row, wall, .. }, face): (NearWall, u32),
        before: Option<&SurfaceContact>,
    ) {
        let material = self.input.walls[usize::from(wall.0)].material;
        let pair = self.input.model.pairs.id(bodies.material[row as usize], material);
        let is_same = |group: &FaceGroup| group.wall == wall && group.face == face && group.pair == pair;
        let at = faces.iter().position(is_same).unwrap_or_else(|| {
            faces.push(FaceGroup { wall, face, pair, contacts: ContactLanes::default() });
            faces.len() - 1
        });
        let place = &bodies.places[row as usize];
        faces[at].add((row, place), before, self.input.laws, bodies.len() as u32);
    }

    /// Adds the elements of a mesh that meet the spheres at `places`, which are rows from `first` on.
    fn add_mesh(
        &self,
        number: WallId,
        mesh: &MeshSurface,
        places: &[PlaceRow],
        first: u32,
        walls: &mut NearWalls,
    ) {
        let wall = &self.input.walls[usize::from(number.0)];
        let (mut near, mut marks) = (Vec::new(), mesh.marks());
        for (part, first) in places.chunks(PART).zip((first..).step_by(PART)) {
            let (around, beside) = self.look(number, mesh, part, &mut marks);
            let pairs = around.rows.iter().zip(&around.elements).zip(&beside);
            for ((&local, &element), &beside) in pairs.filter(|(_, beside)| **beside != Beside::OutOfReach) {
                let place = &part[local as usize];
                if mesh.is_within(element, beside, wall.local(place.centre()), place.radius) {
                    near.push((first + local, element));
                }
            }
        }
        walls.add_mesh(number, near.into_iter());
    }

    /// A quick look at the elements of a mesh around each group of places, from each of them.
    fn look(
        &self,
        number: WallId,
        mesh: &MeshSurface,
        places: &[PlaceRow],
        marks: &mut FirstMet,
    ) -> (NearWalls, Vec<Beside>) {
        let wall = &self.input.walls[usize::from(number.0)];
        let (mut rows, mut elements, mut around) = (Vec::new(), Vec::new(), Vec::new());
        for (group, first) in places.chunks(GROUP).zip((0_u32..).step_by(GROUP)) {
            mesh.elements_in(wall_frame_box(wall, group), &mut around, marks);
            for row in (first..).take(if around.is_empty() { 0 } else { group.len() }) {
                elements.extend_from_slice(&around);
                rows.resize(elements.len(), row);
            }
        }
        let around =
            NearWalls { meshes: vec![(number, elements.len() as u32)], near: Vec::new(), elements, rows };
        let mut beside = Vec::new();
        (self.input.laws.element_look)((&around, &mut beside, &self.surface_input(places), 0.0));
        (around, beside)
    }

    fn surface_input<'a>(&'a self, places: &'a [PlaceRow]) -> SurfaceInput<'a> {
        looking_at(places, self.input)
    }
}

/// What a look at elements reads of the bodies at some places.
pub(super) fn looking_at<'a>(places: &'a [PlaceRow], input: &'a ListInput) -> SurfaceInput<'a> {
    let ListInput { model, walls, .. } = input;
    let pairs = &model.pairs;
    SurfaceInput { places, materials: &[], walls, pairs, time_step: 0.0, fast_test: true, torsion: false }
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
pub(super) fn carried_contacts(
    chunks: &[Chunk],
    new_row: &[u32],
    bodies: &Bodies,
    input: &ListInput,
) -> Vec<SurfaceContact> {
    let is_there = |wall: WallId| input.walls[usize::from(wall.0)].present;
    let of_chunk = |chunk: &Chunk| {
        let searched = chunk.surface.searched().filter(|contact| contact.holds() && is_there(contact.wall));
        let renumbered =
            searched.map(|contact| SurfaceContact { row: new_row[contact.row as usize], ..*contact });
        let mut carried: Vec<SurfaceContact> = renumbered.filter(|contact| contact.row != GONE).collect();
        for group in chunk.surface.faces.iter().filter(|group| is_there(group.wall)) {
            add_from_face(group, |row| new_row[row as usize], bodies, input, &mut carried);
        }
        carried
    };
    let carried: Vec<Vec<SurfaceContact>> = chunks.par_iter().map(of_chunk).collect();
    sorted(&carried.concat())
}

/// The wall contacts of a chunk, taken from it, sorted by row and key.
pub(super) fn taken_contacts(chunk: &mut Chunk, bodies: &Bodies, input: &ListInput) -> Vec<SurfaceContact> {
    let mut taken = std::mem::take(&mut chunk.surface.lone);
    taken.append(&mut chunk.surface.now);
    taken.retain(SurfaceContact::holds);
    for group in &chunk.surface.faces {
        add_from_face(group, |row| row, bodies, input, &mut taken);
    }
    sorted(&taken)
}

/// Adds the contacts at a face with their new rows, as they would have been found one step ago.
fn add_from_face(
    group: &FaceGroup,
    new_row: impl Fn(u32) -> u32,
    bodies: &Bodies,
    input: &ListInput,
    out: &mut Vec<SurfaceContact>,
) {
    let wall = &input.walls[usize::from(group.wall.0)];
    let Some([_, face]) = wall.plain_faces(group.face) else { return };
    let lanes = group.held().map(|lane| LaneView { a: new_row(lane.a), ..lane });
    out.extend(lanes.filter(|lane| lane.a != GONE).map(|lane| {
        let contact = group.spell_out(&lane, &bodies.places[lane.a as usize], &face, input.laws);
        let (point, normal) = wall.one_step_ago(contact.point, contact.normal);
        SurfaceContact { point, normal, ..contact }
    }));
}

/// Contacts sorted by row and key. They are large: what is compared is sorted apart from them.
fn sorted(contacts: &[SurfaceContact]) -> Vec<SurfaceContact> {
    let key = |(place, contact): (u32, &SurfaceContact)| (contact.row, contact.wall, contact.feature, place);
    let mut keys: Vec<_> = (0_u32..).zip(contacts).map(key).collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|(.., place)| contacts[place as usize]).collect()
}
