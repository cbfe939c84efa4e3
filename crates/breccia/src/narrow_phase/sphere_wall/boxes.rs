//! A box of six rectangles, some of which may be missing.
//!
//! A feature is named by three signs (−1, 0, +1 on x, y, z): one of them set is a face, two an edge, three a corner.

use super::Met;
use super::plain_face::FaceSet;
use super::touch::{FeatureKind, Touches, WallTouch};
use crate::shapes::Side;
use glam::DVec3;

type Signs = [i8; 3];

/// The faces of an axis-aligned box, in the order −x, +x, −y, +y, −z, +z.
pub(super) struct Rectangles {
    /// Lower corner [m].
    pub min: DVec3,
    /// Upper corner [m].
    pub max: DVec3,
    /// Missing faces.
    pub open: [bool; 6],
}

impl Rectangles {
    /// What a sphere touches whose centre lies within the box: by far the most frequent case, most faces far away. None for
    /// a centre beyond a face.
    #[inline]
    pub(super) fn meet_within(&self, centre: DVec3, reach: f64) -> Option<Met> {
        let (low, high) = (centre - self.min, self.max - centre);
        let distances = [low.x, high.x, low.y, high.y, low.z, high.z];
        let (mut within, mut near) = (true, 0_u32);
        for (face, &distance) in distances.iter().enumerate() {
            within &= distance >= 0.0;
            near |= u32::from(distance < reach && !self.open[face]) << face;
        }
        if !within {
            return None;
        }
        Some(match near.count_ones() {
            0 => Met::Nothing,
            1 => {
                let face = near.trailing_zeros() as usize;
                Met::One(self.touch_from_within(face, centre, distances[face]))
            }
            _ => Met::Several,
        })
    }

    /// The closed faces within `reach` [m] of a centre that lies within the box, far from all faces that are missing.
    pub(super) fn faces_alone(&self, centre: DVec3, reach: f64) -> FaceSet {
        let distance = |face: usize| -self.height_outside(face, centre);
        let is_near = |face: usize| distance(face) < reach;
        let is_fit = |face: usize| match (is_near(face), self.open[face]) {
            (true, true) => false,
            // A centre gone behind its face is held up to half of the box.
            (true, false) => distance(face) >= 0.0 && distance(face ^ 1) >= 2.0 * reach,
            (false, _) => true,
        };
        if !(0..6).all(is_fit) {
            return FaceSet::NONE;
        }
        let near = (0..6).filter(|&face| is_near(face));
        near.fold(FaceSet::NONE, |faces, face| faces.with(number(face_signs(face))))
    }

    /// A point and the inward normal of the face with a number.
    pub(super) fn inner_plane(&self, feature: u32) -> Option<(DVec3, DVec3)> {
        let face = (0..6).find(|&face| number(face_signs(face)) == feature)?;
        Some((if sign_of(face) > 0 { self.max } else { self.min }, -outward_normal(face)))
    }

    /// The touch of a face from inside the box.
    #[inline]
    fn touch_from_within(&self, face: usize, centre: DVec3, distance: f64) -> WallTouch {
        WallTouch::face(number(face_signs(face)), centre, -outward_normal(face), distance)
    }

    pub(super) fn touches(&self, side: Side, centre: DVec3, reach: f64, out: &mut Touches) {
        if side == Side::Outside {
            out.push_within(reach, self.block_touch(centre));
            return;
        }
        let within = side == Side::Inside && self.signs_beyond(centre) == [0; 3];
        for face in self.closed_faces() {
            if within {
                let distance = -self.height_outside(face, centre);
                if distance < reach {
                    out.push_within(reach, Some(self.touch_from_within(face, centre, distance)));
                }
                continue;
            }
            let touch = match side {
                Side::Inside => self.container_touch(face, centre),
                Side::Both | Side::Outside => self.sheet_touch(face, centre),
            };
            out.push_within(reach, touch);
        }
    }

    /// The one closest point of a solid box. Where the nearest face is missing there is nothing to touch, neither
    /// in front of it nor behind.
    fn block_touch(&self, centre: DVec3) -> Option<WallTouch> {
        let signs = self.signs_beyond(centre);
        if signs == [0; 3] {
            return self.nearest_face_from_within(centre);
        }
        let point = centre.clamp(self.min, self.max);
        let first = self.closed_faces().find(|&face| signs[axis_of(face)] == sign_of(face))?;
        let outwards = outward_normal(first);
        Some(match kind_of(signs) {
            FeatureKind::Face => {
                WallTouch::face(number(signs), centre, outwards, self.height_outside(first, centre))
            }
            kind => WallTouch::rim(number(signs), kind, centre, point, outwards),
        })
    }

    fn nearest_face_from_within(&self, centre: DVec3) -> Option<WallTouch> {
        let nearer = |best: usize, face: usize| {
            let further_out = self.height_outside(face, centre) > self.height_outside(best, centre);
            if further_out { face } else { best }
        };
        let nearest = (1..6).fold(0, nearer);
        let height = self.height_outside(nearest, centre);
        let touch = WallTouch::face(number(face_signs(nearest)), centre, outward_normal(nearest), height);
        (!self.open[nearest]).then_some(touch)
    }

    /// A face of a container. Across an edge shared with another face it goes on, up to half of the box, so that a
    /// centre pressed behind one face stays held by the others; at a missing face it ends in a rim.
    fn container_touch(&self, face: usize, centre: DVec3) -> Option<WallTouch> {
        let beyond = self.signs_beyond(centre);
        let axis = axis_of(face);
        let over_rim = (0..3).any(|k| k != axis && beyond[k] != 0 && self.open[face_at(k, beyond[k])]);
        if over_rim {
            return self.sheet_touch(face, centre);
        }
        let distance = -self.height_outside(face, centre);
        let half = 0.5 * (self.max - self.min);
        let near = (0..3).all(|k| k == axis || beyond[k] == 0 || self.depth_beyond(k, centre) < half[k]);
        let held = near && distance > -half[axis];
        held.then(|| self.touch_from_within(face, centre, distance))
    }

    /// The closest point of one thin rectangle, touched from both sides. Edges and corners count only where no other
    /// rectangle that meets there comes nearer, and are reported by one rectangle only.
    fn sheet_touch(&self, face: usize, centre: DVec3) -> Option<WallTouch> {
        let axis = axis_of(face);
        let beyond = self.signs_beyond(centre);
        let mut signs = beyond;
        signs[axis] = sign_of(face);
        let mut point = centre.clamp(self.min, self.max);
        point[axis] = self.plane(face);
        let height = self.height_outside(face, centre);
        let towards_centre = if height > 0.0 { outward_normal(face) } else { -outward_normal(face) };
        if kind_of(signs) == FeatureKind::Face {
            return Some(WallTouch::face(number(signs), centre, towards_centre, height.abs()));
        }
        let mut others =
            (0..3).filter(|&k| k != axis && signs[k] != 0 && !self.open[face_at(k, signs[k])]).peekable();
        let nearest_of_all = others.peek().is_none() || beyond[axis] == signs[axis];
        let reports = others.all(|other| other > axis);
        (nearest_of_all && reports)
            .then(|| WallTouch::rim(number(signs), kind_of(signs), centre, point, towards_centre))
    }

    fn closed_faces(&self) -> impl Iterator<Item = usize> + '_ {
        (0..6).filter(|&face| !self.open[face])
    }

    /// On which side of the box the centre lies, per axis; 0 between the faces.
    fn signs_beyond(&self, centre: DVec3) -> Signs {
        std::array::from_fn(|k| i8::from(centre[k] > self.max[k]) - i8::from(centre[k] < self.min[k]))
    }

    fn depth_beyond(&self, axis: usize, centre: DVec3) -> f64 {
        (self.min[axis] - centre[axis]).max(centre[axis] - self.max[axis])
    }

    fn plane(&self, face: usize) -> f64 {
        if sign_of(face) > 0 { self.max[axis_of(face)] } else { self.min[axis_of(face)] }
    }

    /// Distance of the centre outside the plane of a face [m].
    fn height_outside(&self, face: usize, centre: DVec3) -> f64 {
        (centre[axis_of(face)] - self.plane(face)) * f64::from(sign_of(face))
    }
}

fn axis_of(face: usize) -> usize {
    face / 2
}

fn sign_of(face: usize) -> i8 {
    if face.is_multiple_of(2) { -1 } else { 1 }
}

fn face_at(axis: usize, sign: i8) -> usize {
    2 * axis + usize::from(sign > 0)
}

fn face_signs(face: usize) -> Signs {
    let mut signs = [0; 3];
    signs[axis_of(face)] = sign_of(face);
    signs
}

fn outward_normal(face: usize) -> DVec3 {
    DVec3::AXES[axis_of(face)] * f64::from(sign_of(face))
}

fn kind_of(signs: Signs) -> FeatureKind {
    match signs.iter().filter(|&&sign| sign != 0).count() {
        0 | 1 => FeatureKind::Face,
        2 => FeatureKind::Edge,
        _ => FeatureKind::Vertex,
    }
}

/// Number of a feature: its three signs as ternary digits, 0 to 26.
fn number(signs: Signs) -> u32 {
    signs.iter().fold(0, |sum, &sign| 3 * sum + (sign + 1) as u32)
}
