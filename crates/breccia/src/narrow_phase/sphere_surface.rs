//! Spheres against walls and meshes: which touches are real, and what each remembers from the step before.
//!
//! ```text
//! near walls and elements → touches of each, in the wall's frame
//!                         → distance hierarchy over all of them together (`survivors`)
//!                         → matched with the contacts of the step before (`match_contacts`)
//! ```

mod sphere;

use super::hierarchy::{Candidate, survivors};
use super::wall_now::{NO_ELEMENT, SurfaceTouch};
use super::{
    Carrier, FacetShare, MeshScratch, MeshTouch, PASSED, StageCounts, Touches, WallNow, facet_shares,
    local_minima, touches,
};
use crate::contacts::{
    ContactMark, MatchScratch, NearWall, NearWalls, SurfaceContact, SurfaceContacts, has_changed_sides,
    match_contacts, matching_reach,
};
use crate::model::{MaterialId, PairTable, Surface, WallId};
use crate::state::PlaceRow;
use glam::DVec3;
use sphere::{NearLists, QuickTouch, Sphere};
pub(super) use sphere::{is_turned_over, tilted};

/// Relative slack within which a point counts as lying on another's tangent plane.
const COPLANAR_TOLERANCE: f64 = 1e-6;

/// What the search for wall contacts reads.
pub struct SurfaceInput<'a> {
    /// Rows of all bodies.
    pub places: &'a [PlaceRow],
    /// Materials of all bodies.
    pub materials: &'a [MaterialId],
    /// Walls where they are now.
    pub walls: &'a [WallNow<'a>],
    /// Pairs of materials.
    pub pairs: &'a PairTable,
    /// Time step [s].
    pub time_step: f64,
    /// Whether elements out of reach are sorted out before their closest points are looked for.
    pub fast_test: bool,
    /// Whether remembered rolling torques have a part along the normal, and turn with it.
    pub torsion: bool,
}

/// A sphere whose centre has passed a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Row of the sphere.
    pub row: u32,
    /// The wall.
    pub wall: WallId,
    /// Element of a mesh.
    pub element: u32,
    /// Where [m, world].
    pub point: DVec3,
}

/// What a search found besides contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchReport {
    /// Elements of meshes by stage.
    pub stages: StageCounts,
    /// The first centre that has passed a surface.
    pub passage: Option<Passage>,
}

/// Buffers of the search, kept from step to step.
#[derive(Clone, Debug, Default)]
pub struct SurfaceScratch {
    found: Vec<SurfaceTouch>,
    candidates: Vec<Candidate>,
    kept: Vec<u32>,
    touches: Touches,
    mesh: MeshScratch,
    mesh_touches: Vec<MeshTouch>,
    new_marks: Vec<ContactMark>,
    old_marks: Vec<ContactMark>,
    old_places: Vec<u32>,
    carriers: Vec<Carrier>,
    shares: Vec<FacetShare>,
    matching: MatchScratch,
    matched: Vec<Option<u32>>,
    report: SearchReport,
}

/// Finds the wall contacts of a chunk; memories come from the contacts of the step before.
pub fn find_surface_contacts(contacts: &mut SurfaceContacts, input: &SurfaceInput) -> SearchReport {
    contacts.turn_over();
    contacts.make_index();
    let SurfaceContacts { watched, beside, lone, index, now, before, scratch, .. } = contacts;
    let NearWalls { near, elements, .. } = watched;
    let Some(index) = index else { return SearchReport::default() };
    let stages = StageCounts { candidates: 0, intersecting: index.moved, valid: index.moved };
    scratch.report = SearchReport { stages, passage: None };
    let (mut first, mut place, mut rest) = (0, 0, &before[..]);
    while let Some(&NearWall { row, count, .. }) = near.get(first) {
        let gone = rest.iter().take_while(|contact| contact.row < row).count();
        rest = &rest[gone..];
        let has_before = rest.first().is_some_and(|contact| contact.row == row);
        if !has_before && index.settled.get(first) == Some(&true) {
            scratch.report.stages.candidates += u64::from(count);
            first += 1;
            continue;
        }
        let near = of_row(&near[first..], |near| near.row, row);
        first += near.len();
        let lists = NearLists { near, elements, beside };
        place += index.rows[place..].iter().take_while(|&&own| own < row).count();
        if index.rows.get(place) == Some(&row) && lone[place].holds() {
            let (sphere, contact) = (Sphere::new(row, input), &mut lone[place]);
            if let Some(touch) = scratch.lone_touch(&sphere, &lists, contact, input) {
                sphere.move_contact(contact, &touch, input);
            } else {
                scratch.search(&sphere, &lists, &[contact.take()], input, now);
            }
            continue;
        }
        let own = of_row(rest, |contact| contact.row, row);
        scratch.go_on(row, &lists, own, input, now);
    }
    index.unsettle();
    scratch.report
}

/// The first of some values, by row, that belong to a row.
#[inline(always)]
fn of_row<T>(values: &[T], row_of: impl Fn(&T) -> u32, row: u32) -> &[T] {
    let count = values.iter().take_while(|value| row_of(value) == row).count();
    &values[..count]
}

impl SurfaceScratch {
    /// Adds the contacts of a sphere that has no lone one; it had those of `before`.
    #[inline(always)]
    fn go_on(
        &mut self,
        row: u32,
        lists: &NearLists,
        before: &[SurfaceContact],
        input: &SurfaceInput,
        out: &mut Vec<SurfaceContact>,
    ) {
        if before.is_empty() && !lists.may_touch() {
            self.report.stages.candidates += lists.count();
            return;
        }
        let sphere = Sphere::new(row, input);
        match before {
            [] if self.is_apart(&sphere, lists, input) => {}
            [contact] if let Some(touch) = self.lone_touch(&sphere, lists, contact, input) => {
                sphere.add_contact(&touch, Some(contact), input, out);
            }
            _ => self.search(&sphere, lists, before, input, out),
        }
    }

    /// The one touch of a sphere, if it goes on from its one contact before: the usual case, which needs no hierarchy.
    #[inline(always)]
    fn lone_touch(
        &mut self,
        sphere: &Sphere,
        lists: &NearLists,
        before: &SurfaceContact,
        input: &SurfaceInput,
    ) -> Option<SurfaceTouch> {
        let QuickTouch::One(touch) = sphere.quick_touch(lists, input, &mut self.touches) else { return None };
        let on_mesh = u64::from(touch.element != NO_ELEMENT);
        sphere.goes_on(&touch, before, input).then(|| {
            let counts = StageCounts { candidates: lists.count(), intersecting: on_mesh, valid: on_mesh };
            self.report.stages += counts;
            touch
        })
    }

    /// Whether a quick look tells that a sphere touches nothing.
    #[inline(always)]
    fn is_apart(&mut self, sphere: &Sphere, lists: &NearLists, input: &SurfaceInput) -> bool {
        let is_apart = matches!(sphere.quick_touch(lists, input, &mut self.touches), QuickTouch::Nothing);
        if is_apart {
            self.report.stages.candidates += lists.count();
        }
        is_apart
    }

    /// Adds the contacts of one sphere, whatever it touches; it had those of `before`.
    fn search(
        &mut self,
        sphere: &Sphere,
        lists: &NearLists,
        before: &[SurfaceContact],
        input: &SurfaceInput,
        out: &mut Vec<SurfaceContact>,
    ) {
        self.touch(sphere, lists, input);
        self.judge(sphere, lists, input);
        self.blend(sphere, lists, input);
        self.pass_on(sphere, before, input, out);
    }

    /// Collects the overlapping touches of one sphere.
    fn touch(&mut self, sphere: &Sphere, lists: &NearLists, input: &SurfaceInput) {
        self.found.clear();
        for near in lists.near {
            let wall = &input.walls[usize::from(near.wall.0)];
            match wall.surface {
                _ if !wall.present => {}
                Surface::Analytic(shape) => {
                    let centre = wall.local(sphere.centre);
                    touches(shape, centre, sphere.radius, &mut self.touches);
                    let found = self.touches.as_slice().iter();
                    self.found.extend(found.map(|touch| SurfaceTouch::from_wall(near.wall.0, touch)));
                }
                Surface::Mesh(mesh) => {
                    self.mesh_touches.clear();
                    let query = sphere.query(near, lists, mesh, input);
                    let counts = local_minima(&query, &mut self.mesh, &mut self.mesh_touches);
                    self.report.stages += counts;
                    let found = self.mesh_touches.iter();
                    self.found.extend(found.map(|touch| SurfaceTouch::from_mesh(near.wall.0, touch)));
                }
            }
        }
    }

    /// Leaves in `kept` the real touches, in the order of walls and features.
    fn judge(&mut self, sphere: &Sphere, lists: &NearLists, input: &SurfaceInput) {
        self.kept.clear();
        match self.found.len() {
            0 => return,
            1 => self.kept.push(0),
            _ => self.keep_survivors(sphere, lists.near, input),
        }
        let Self { kept, found, report, .. } = self;
        let is_hidden = |touch: &SurfaceTouch| {
            let on_same = |near: &&NearWall| near.wall.0 == touch.wall;
            lists.near.iter().find(on_same).is_some_and(|near| {
                match input.walls[usize::from(touch.wall)].surface {
                    Surface::Analytic(_) => false,
                    Surface::Mesh(mesh) => {
                        sphere.query(near, lists, mesh, input).hides(touch.element, touch.point)
                    }
                }
            })
        };
        kept.retain(|&index| {
            let touch = &found[index as usize];
            let real = touch.distance >= 0.0 || !is_hidden(touch);
            report.stages.valid += u64::from(real && touch.element != NO_ELEMENT);
            real
        });
    }

    fn keep_survivors(&mut self, sphere: &Sphere, near: &[NearWall], input: &SurfaceInput) {
        let tolerances = near.iter().map(|near| match input.walls[usize::from(near.wall.0)].surface {
            Surface::Analytic(_) => COPLANAR_TOLERANCE,
            Surface::Mesh(mesh) => mesh.tolerance(sphere.radius),
        });
        let tolerance = tolerances.fold(COPLANAR_TOLERANCE, f64::max);
        self.candidates.clear();
        self.candidates.extend(self.found.iter().map(|touch| {
            let wall = &input.walls[usize::from(touch.wall)];
            touch.candidate(wall, wall.local(sphere.centre))
        }));
        survivors(&self.candidates, sphere.radius, tolerance, &mut self.kept);
        // Back to the order of walls and features, which does not depend on distances.
        self.kept.sort_unstable();
    }

    /// Puts blended facets in the place of plain ones, on meshes that ask for it.
    fn blend(&mut self, sphere: &Sphere, lists: &NearLists, input: &SurfaceInput) {
        for near in lists.near {
            let Surface::Mesh(mesh) = input.walls[usize::from(near.wall.0)].surface else { continue };
            if !mesh.concave_blend {
                continue;
            }
            self.carriers.clear();
            let Self { kept, found, carriers, .. } = self;
            kept.retain(|&index| {
                let touch = &found[index as usize];
                let is_carrier =
                    touch.wall == near.wall.0 && touch.distance > 0.0 && touch.lies_in_plane(mesh);
                if is_carrier {
                    carriers.push(touch.carrier(mesh));
                }
                !is_carrier
            });
            let query = sphere.query(near, lists, mesh, input);
            facet_shares(&query, &mut self.carriers, &mut self.shares);
            for share in &self.shares {
                self.kept.push(self.found.len() as u32);
                self.found.push(SurfaceTouch::from_share(near.wall.0, share));
            }
        }
    }

    /// Makes contacts of the real touches, each with the memory of the contact it goes on from.
    fn pass_on(
        &mut self,
        sphere: &Sphere,
        before: &[SurfaceContact],
        input: &SurfaceInput,
        out: &mut Vec<SurfaceContact>,
    ) {
        if self.kept.is_empty() && before.is_empty() {
            return;
        }
        self.find_predecessors(sphere, before, input);
        for (&index, predecessor) in self.kept.iter().zip(&self.matched) {
            let touch = &self.found[index as usize];
            let old = predecessor.map(|place| &before[self.old_places[place as usize] as usize]);
            sphere.add_contact(touch, old, input, out);
        }
        // A contact that has ended is evaluated once more, apart: what its dashpots did on the way out is booked then.
        for (place, &index) in self.old_places.iter().enumerate() {
            if !self.matched.contains(&Some(place as u32)) {
                out.push(SurfaceContact { overlap: 0.0, ..before[index as usize] });
            }
        }
    }

    /// Matches the real touches with the contacts of the step before, and notes centres that passed a surface.
    fn find_predecessors(&mut self, sphere: &Sphere, before: &[SurfaceContact], input: &SurfaceInput) {
        self.old_places.clear();
        if let ([index], [old]) = (&self.kept[..], before)
            && sphere.goes_on(&self.found[*index as usize], old, input)
        {
            self.old_places.push(0);
            self.matched.clear();
            self.matched.push(Some(0));
            return;
        }
        self.old_marks.clear();
        for (place, old) in (0_u32..).zip(before).filter(|(_, old)| old.holds()) {
            self.old_places.push(place);
            self.old_marks.push(old_mark(old, input));
        }
        self.new_marks.clear();
        self.new_marks.extend(self.kept.iter().map(|&index| self.found[index as usize].mark()));
        let reach = |place: usize| {
            let touch = &self.found[self.kept[place] as usize];
            let wall = &input.walls[usize::from(touch.wall)];
            let (point, _) = wall.to_world(touch.point, touch.normal);
            let speed = (sphere.velocity - wall.twist.velocity_at(point)).length();
            matching_reach(speed, input.time_step, sphere.radius)
        };
        match_contacts(&self.new_marks, &self.old_marks, reach, &mut self.matching, &mut self.matched);
        for (place, mark) in self.new_marks.iter().enumerate() {
            let touch = &self.found[self.kept[place] as usize];
            let old = self.matched[place].map(|old| &self.old_marks[old as usize]);
            let behind = touch.element != NO_ELEMENT && touch.distance < PASSED * sphere.radius;
            if behind || old.is_some_and(|old| has_changed_sides(mark, old)) {
                let (point, _) = input.walls[usize::from(touch.wall)].to_world(touch.point, touch.normal);
                let wall = WallId(touch.wall);
                let passage = Passage { row: sphere.row, wall, element: touch.element, point };
                self.report.passage.get_or_insert(passage);
            }
        }
    }
}

/// How a contact of the step before looked from its wall.
fn old_mark(old: &SurfaceContact, input: &SurfaceInput) -> ContactMark {
    let pose = &input.walls[usize::from(old.wall.0)].last_pose;
    ContactMark {
        surface: u32::from(old.wall.0),
        feature: old.feature,
        kind: old.kind,
        point: pose.point_to_body(old.point),
        normal: pose.direction_to_body(old.normal),
    }
}
