//! One sphere and what is near it.

use super::SurfaceInput;
use crate::contacts::{NearWall, SurfaceContact};
use crate::model::{MaterialId, MeshSurface, Surface, WallId};
use crate::narrow_phase::{FeatureKind, MeshQuery, PASSED, SurfaceTouch, mesh_facet};
use crate::shapes::mesh::Beside;
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
            beside.is_empty() || beside.iter().any(|beside| *beside != Beside::OutOfReach)
        })
    }

    /// The elements of a mesh near the sphere, and what a quick look has told of them.
    fn of(&self, near: &NearWall) -> (&'a [u32], &'a [Beside]) {
        (&self.elements[range_of(near)], self.beside.get(range_of(near)).unwrap_or_default())
    }
}

fn range_of(near: &NearWall) -> Range<usize> {
    near.first as usize..(near.first + near.count) as usize
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

    /// The facet below the centre, if it is the only thing near that the sphere can touch: the usual case, which needs no
    /// hierarchy.
    pub fn lone_facet(&self, lists: &NearLists, input: &SurfaceInput) -> Option<SurfaceTouch> {
        let [near] = lists.near else { return None };
        let wall = &input.walls[usize::from(near.wall.0)];
        let Surface::Mesh(mesh) = wall.surface else { return None };
        let (elements, beside) = lists.of(near);
        let mut in_reach = (0..).zip(beside).filter(|(_, beside)| **beside != Beside::OutOfReach);
        let (Some((place, Beside::Above)), None) = (in_reach.next(), in_reach.next()) else { return None };
        if mesh.concave_blend {
            return None;
        }
        let touch = mesh_facet(&mesh.mesh, elements[place], wall.local(self.centre));
        let is_plain = touch.distance >= PASSED * self.radius && touch.distance < self.radius;
        is_plain.then(|| SurfaceTouch::from_mesh(near.wall.0, &touch))
    }

    /// Whether the one touch of a sphere goes on from its one contact of the step before because they bear the same name:
    /// then nothing needs to be compared.
    pub fn goes_on(&self, touch: &SurfaceTouch, old: &SurfaceContact, input: &SurfaceInput) -> bool {
        let is_same = old.wall.0 == touch.wall && old.feature == touch.feature && old.memory.depth > 0.0;
        if !is_same || touch.distance < PASSED * self.radius {
            return false;
        }
        let turned_over = touch.kind == FeatureKind::Face && {
            let normal = input.walls[usize::from(touch.wall)].direction_to_world(touch.normal);
            normal.dot(old.normal) < 0.5
        };
        !turned_over
    }

    /// Adds the contact at a touch, with the memory of the one it goes on from.
    #[inline]
    pub fn add_contact(
        &self,
        touch: &SurfaceTouch,
        before: Option<&SurfaceContact>,
        input: &SurfaceInput,
        out: &mut Vec<SurfaceContact>,
    ) {
        let wall = &input.walls[usize::from(touch.wall)];
        let (point, normal) = wall.to_world(touch.point, touch.normal);
        let pair = input.pairs.id(self.material, wall.material_of(touch.element));
        let (memory, scale, damping_scale, sums_at) = before.map_or_else(Default::default, |old| {
            let is_alike = old.pair == pair && old.share == touch.share;
            (old.memory, old.scale, if is_alike { old.damping_scale } else { 0.0 }, old.sums_at)
        });
        out.push(SurfaceContact {
            row: self.row,
            wall: WallId(touch.wall),
            kind: touch.kind,
            feature: touch.feature,
            element: touch.element,
            pair,
            point,
            normal,
            overlap: self.radius - touch.distance,
            share: touch.share,
            share_gradient: wall.direction_to_world(touch.share_gradient),
            memory,
            scale,
            damping_scale,
            force: DVec3::ZERO,
            sums_at,
        });
    }
}
