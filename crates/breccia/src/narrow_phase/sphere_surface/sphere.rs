//! One sphere and what is near it.

use super::SurfaceInput;
use crate::contacts::{Memory, NearWall, SurfaceContact};
use crate::laws::tilt;
use crate::math::Vec3;
use crate::model::{MaterialId, MeshSurface, PairId, Surface, WallId};
use crate::narrow_phase::{
    FeatureKind, MeshQuery, Met, NO_ELEMENT, PASSED, SurfaceTouch, Touches, meet, mesh_facet,
};
use crate::shapes::mesh::{Beside, InReach};
use glam::DVec3;
use std::ops::Range;

/// What is near one sphere.
#[derive(Clone, Copy)]
pub(super) struct NearLists<'a> {
    /// Its walls.
    pub near: &'a [NearWall],
    /// Elements of all spheres.
    pub elements: &'a [u32],
    /// What a quick look has told of them; empty if there was none.
    pub beside: &'a [Beside],
}

impl<'a> NearLists<'a> {
    /// Whether the sphere may touch something: for most a quick look tells that it does not.
    pub fn may_touch(&self) -> bool {
        self.near.iter().any(|near| {
            let beside = self.beside.get(range_of(near)).unwrap_or_default();
            beside.is_empty() || InReach::of(beside) != InReach::Nothing
        })
    }

    /// Number of near elements.
    pub fn count(&self) -> u64 {
        self.near.iter().map(|near| u64::from(near.count)).sum()
    }

    /// The elements of a mesh near the sphere, and what a quick look has told of them.
    fn of(&self, near: &NearWall) -> (&'a [u32], &'a [Beside]) {
        (&self.elements[range_of(near)], self.beside.get(range_of(near)).unwrap_or_default())
    }
}

fn range_of(near: &NearWall) -> Range<usize> {
    near.first as usize..(near.first + near.count) as usize
}

/// What a sphere touches, by a quick look.
pub(super) enum QuickTouch {
    /// Nothing.
    Nothing,
    /// One place.
    One(SurfaceTouch),
    /// To be looked at more closely.
    Unclear,
}

/// A remembered vector turned with the normal `from` its old direction `to` its new one; all are zero for a new contact.
pub(in crate::narrow_phase) fn tilted(vector: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let Vec3 { x, y, z } = tilt::<f64>(Vec3::splat(vector), Vec3::splat(from), Vec3::splat(to));
    DVec3::new(x, y, z)
}

/// Whether the normal of a face shows that a contact is on another side of its wall than before.
#[inline(always)]
pub(in crate::narrow_phase) fn is_turned_over(now: DVec3, before: DVec3) -> bool {
    now.dot(before) < 0.5
}

/// The sphere under search.
pub(super) struct Sphere {
    pub row: u32,
    pub centre: DVec3,
    pub radius: f64,
    pub velocity: DVec3,
    pub material: MaterialId,
}

impl Sphere {
    pub fn new(row: u32, input: &SurfaceInput) -> Self {
        let place = &input.places[row as usize];
        let material = input.materials[row as usize];
        Self { row, centre: place.centre(), radius: place.radius, velocity: place.velocity(), material }
    }

    /// The question to a mesh.
    pub fn query<'a>(
        &self,
        near: &NearWall,
        lists: &NearLists<'a>,
        mesh: &'a MeshSurface,
        input: &SurfaceInput,
    ) -> MeshQuery<'a> {
        let (candidates, beside) = lists.of(near);
        MeshQuery {
            mesh: &mesh.mesh,
            candidates,
            beside,
            centre: input.walls[usize::from(near.wall.0)].local(self.centre),
            radius: self.radius,
            fast_test: input.fast_test,
        }
    }

    /// What the sphere touches, if that is nothing, one place of an analytic surface, or the facet of a mesh below its centre,
    /// and a quick look tells that there is nothing else.
    #[inline(always)]
    pub fn quick_touch(&self, lists: &NearLists, input: &SurfaceInput, buffer: &mut Touches) -> QuickTouch {
        let mut only = QuickTouch::Nothing;
        for near in lists.near {
            let wall = &input.walls[usize::from(near.wall.0)];
            let touch = match wall.surface {
                _ if !wall.present => continue,
                Surface::Analytic(shape) => match meet(shape, wall.local(self.centre), self.radius, buffer) {
                    Met::Nothing => continue,
                    Met::One(touch) => SurfaceTouch::from_wall(near.wall.0, &touch),
                    Met::Several => return QuickTouch::Unclear,
                },
                Surface::Mesh(mesh) => {
                    let (elements, beside) = lists.of(near);
                    let place = match InReach::of(beside) {
                        InReach::Nothing if beside.len() == elements.len() => continue,
                        InReach::LoneFacet(place) if !mesh.concave_blend => place,
                        _ => return QuickTouch::Unclear,
                    };
                    let touch = mesh_facet(&mesh.mesh, elements[place], wall.local(self.centre));
                    let is_plain = touch.distance >= PASSED * self.radius && touch.distance < self.radius;
                    if !is_plain {
                        return QuickTouch::Unclear;
                    }
                    SurfaceTouch::from_mesh(near.wall.0, &touch)
                }
            };
            let QuickTouch::Nothing = only else { return QuickTouch::Unclear };
            only = QuickTouch::One(touch);
        }
        only
    }

    /// Whether the one touch of a sphere goes on from its one contact of the step before because they bear the same name:
    /// then nothing needs to be compared.
    #[inline]
    pub fn goes_on(&self, touch: &SurfaceTouch, old: &SurfaceContact, input: &SurfaceInput) -> bool {
        let is_same = old.wall.0 == touch.wall && old.feature == touch.feature && old.holds();
        if !is_same || touch.distance < PASSED * self.radius {
            return false;
        }
        let turned_over = touch.kind == FeatureKind::Face && {
            let normal = input.walls[usize::from(touch.wall)].direction_to_world(touch.normal);
            is_turned_over(normal, old.normal)
        };
        !turned_over
    }

    /// Adds the contact at a touch, with the memory of the one it goes on from.
    pub fn add_contact(
        &self,
        touch: &SurfaceTouch,
        before: Option<&SurfaceContact>,
        input: &SurfaceInput,
        out: &mut Vec<SurfaceContact>,
    ) {
        let mut contact = before.copied().unwrap_or_else(|| self.new_contact());
        self.move_contact(&mut contact, touch, input);
        out.push(contact);
    }

    /// A contact that remembers nothing, its place unknown.
    fn new_contact(&self) -> SurfaceContact {
        SurfaceContact {
            row: self.row,
            wall: WallId(0),
            kind: FeatureKind::Face,
            feature: 0,
            element: NO_ELEMENT,
            pair: PairId(0),
            sums_at: 0,
            normal: DVec3::ZERO,
            overlap: 0.0,
            point: DVec3::ZERO,
            share: 1.0,
            share_gradient: DVec3::ZERO,
            memory: Memory::default(),
            scale: 0.0,
            damping_scale: 0.0,
            force: DVec3::ZERO,
        }
    }

    /// Moves a contact to a touch.
    #[inline(always)]
    pub fn move_contact(&self, contact: &mut SurfaceContact, touch: &SurfaceTouch, input: &SurfaceInput) {
        let wall = &input.walls[usize::from(touch.wall)];
        let pair = input.pairs.id(self.material, wall.material_of(touch.element));
        if contact.pair != pair || contact.share != touch.share {
            contact.damping_scale = 0.0;
        }
        (contact.wall, contact.kind, contact.feature) = (WallId(touch.wall), touch.kind, touch.feature);
        (contact.element, contact.pair) = (touch.element, pair);
        let (point, normal) = wall.to_world(touch.point, touch.normal);
        if input.torsion {
            contact.memory.rolling = tilted(contact.memory.rolling, contact.normal, normal);
        }
        (contact.point, contact.normal) = (point, normal);
        contact.overlap = self.radius - touch.distance;
        contact.share = touch.share;
        let is_blended = touch.share < 1.0;
        contact.share_gradient =
            if is_blended { wall.direction_to_world(touch.share_gradient) } else { DVec3::ZERO };
    }
}
