//! A quick look at all elements near the spheres of a chunk, several at a time, that leaves few to be looked at closely.

use super::lone_facets::settle_near_meshes;
use super::sphere_sphere::gather_places;
use super::{SurfaceInput, WallNow};
use crate::contacts::{NearWalls, SurfaceContacts};
use crate::dispatch::Kernel;
use crate::math::{LANES, Lanes, Simd};
use crate::model::{MeshSurface, Surface};
use crate::shapes::mesh::{Beside, OutlineLook};

/// The quick look at the elements near a chunk's spheres, and the spheres for which it is all that is needed.
pub struct ElementTest;

impl Kernel for ElementTest {
    type On<'a> = (&'a mut SurfaceContacts, &'a SurfaceInput<'a>);

    #[inline(always)]
    fn run<S: Simd>((contacts, input): Self::On<'_>) {
        test_elements::<S>(contacts, input);
        settle_near_meshes::<S>(contacts, input);
    }
}

/// The quick look alone, at elements within a reach [m] beyond touching.
pub struct ElementLook;

impl Kernel for ElementLook {
    type On<'a> = (&'a NearWalls, &'a mut Vec<Beside>, &'a SurfaceInput<'a>, f64);

    #[inline(always)]
    fn run<S: Simd>((walls, beside, input, reach): Self::On<'_>) {
        look_at_elements::<S>(walls, beside, input, reach);
    }
}

/// Notes how the spheres of a chunk lie beside the elements near them.
#[inline(always)]
pub(super) fn test_elements<S: Simd>(contacts: &mut SurfaceContacts, input: &SurfaceInput) {
    look_at_elements::<S>(&contacts.watched, &mut contacts.beside, input, 0.0);
}

/// Notes how spheres lie beside the elements near them, for spheres that reach farther by `reach` [m].
#[inline(always)]
fn look_at_elements<S: Simd>(walls: &NearWalls, beside: &mut Vec<Beside>, input: &SurfaceInput, reach: f64) {
    let NearWalls { elements, rows, meshes, .. } = walls;
    beside.clear();
    // Eight at a time are read later, from any place.
    beside.resize(elements.len() + LANES, Beside::OutOfReach);
    let mut first = 0;
    for &(wall, end) in meshes.iter() {
        let (own, wall) = (first..end as usize, &input.walls[usize::from(wall.0)]);
        first = end as usize;
        if let (true, Surface::Mesh(mesh)) = (wall.present, wall.surface) {
            let pairs = (&rows[own.clone()], &elements[own.clone()]);
            let input = (input, reach);
            test_mesh::<S>(mesh, wall, pairs, input, &mut beside[own]);
        }
    }
}

#[inline(always)]
fn test_mesh<S: Simd>(
    mesh: &MeshSurface,
    wall: &WallNow,
    (rows, elements): (&[u32], &[u32]),
    (input, reach): (&SurfaceInput, f64),
    beside: &mut [Beside],
) {
    let whole = rows.len() / S::WIDTH * S::WIDTH;
    for at in (0..whole).step_by(S::WIDTH) {
        let part = at..at + S::WIDTH;
        look::<S>(
            mesh,
            wall,
            (&rows[part.clone()], &elements[part.clone()]),
            (input, reach),
            &mut beside[part],
        );
    }
    for at in whole..rows.len() {
        let part = at..at + 1;
        look::<f64>(
            mesh,
            wall,
            (&rows[part.clone()], &elements[part.clone()]),
            (input, reach),
            &mut beside[part],
        );
    }
}

#[inline(always)]
fn look<S: Simd>(
    mesh: &MeshSurface,
    wall: &WallNow,
    (rows, elements): (&[u32], &[u32]),
    (input, reach): (&SurfaceInput, f64),
    beside: &mut [Beside],
) {
    let (centre, radius) = gather_places::<S>(rows, input.places);
    let seen = mesh.mesh.look(elements, wall.local_lanes(centre), radius + S::splat(reach));
    let (mut beyond, mut within) = (Lanes([0.0; LANES]), Lanes([0.0; LANES]));
    seen.beyond.store(&mut beyond, 0);
    seen.within.store(&mut within, 0);
    for (k, beside) in beside.iter_mut().enumerate() {
        *beside = OutlineLook { beyond: beyond.0[k], within: within.0[k] }.verdict();
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::dispatch::compiled;
    use crate::model::{MaterialId, PairTable, Wall, WallId};
    use crate::motion::{MotionKind, MotionPart, PrescribedMotion};
    use crate::narrow_phase::intersects;
    use crate::scene::RandomStream;
    use crate::shapes::mesh::{DOUBLE_PRECISION, PolygonMesh};
    use crate::state::PlaceRow;
    use glam::DVec3;
    use std::sync::Arc;

    /// A strip of bent triangles and quads that turns about the y axis.
    pub fn turning_strip() -> Wall {
        let vertices = (0..6)
            .flat_map(|k| {
                let x = f64::from(k);
                [DVec3::new(x, 0.0, 0.1 * x * x), DVec3::new(x, 1.0, 0.1 * x * x)]
            })
            .collect();
        let polygons =
            [vec![0, 2, 3, 1], vec![2, 4, 3], vec![4, 5, 3], vec![4, 6, 7, 5], vec![6, 8, 7], vec![8, 9, 7]];
        let mesh = PolygonMesh::from_polygons(vertices, &polygons, &[0; 6], true, DOUBLE_PRECISION).unwrap();
        let kind = MotionKind::Rotation { point: DVec3::X, axis: DVec3::Y, speed: 1.0 };
        Wall {
            name: "strip".into(),
            surface: Surface::Mesh(Arc::new(MeshSurface::new("strip", mesh, vec![MaterialId(0)]))),
            material: MaterialId(0),
            motion: PrescribedMotion { parts: vec![MotionPart { kind, start: 0.0, stop: f64::INFINITY }] },
        }
    }

    /// Whatever the width of the registers, every pair gets the same verdict, and no element that meets its sphere is put aside.
    #[test]
    fn verdicts_are_those_of_one_at_a_time_and_safe() {
        let wall = turning_strip();
        let now = WallNow::at(&wall, true, 0.7, 1e-3);
        let mut random = RandomStream::new(5);
        let mut place = || {
            let x = random.between(-0.5, 4.5);
            let local = DVec3::new(x, random.between(-0.5, 1.5), 0.1 * x * x + random.between(-1.0, 1.0));
            let (position, radius) = (now.pose.point_to_world(local).to_array(), random.between(0.2, 1.2));
            PlaceRow { position, radius, velocity: [0.0; 3], inverse_mass: 1.0 }
        };
        let places: Vec<PlaceRow> = (0..301).map(|_| place()).collect();
        let mut contacts = SurfaceContacts::default();
        let rows: Vec<u32> = (0..301_u32).flat_map(|row| [row; 6]).collect();
        let elements: Vec<u32> = (0..301 * 6).map(|k| k % 6).collect();
        contacts.watched.add_mesh(WallId(0), rows.iter().copied().zip(elements.iter().copied()));
        let input = SurfaceInput {
            places: &places,
            materials: &[],
            walls: &[now],
            pairs: &PairTable::default(),
            time_step: 1e-3,
            fast_test: true,
            torsion: false,
        };
        compiled::<ElementTest>()((&mut contacts, &input));
        let wide = contacts.beside.clone();
        test_elements::<f64>(&mut contacts, &input);
        assert_eq!(contacts.beside, wide);
        let mesh = wall.mesh().unwrap();
        let mut counts = [0; 3];
        for ((&row, &element), &beside) in rows.iter().zip(&elements).zip(&wide) {
            let place = &places[row as usize];
            let centre = now.local(place.centre());
            let meets = intersects(&mesh.mesh, element, centre, place.radius);
            assert_eq!(mesh.mesh.beside(element, centre, place.radius), beside);
            assert!(if beside == Beside::Above { meets } else { beside == Beside::Unsure || !meets });
            counts[beside as usize] += 1;
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }
}
