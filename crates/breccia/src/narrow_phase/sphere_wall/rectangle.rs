//! A flat rectangle anywhere in space.
//!
//! A feature is named by two signs (−1, 0, +1 along and across): none set is the face, one an edge, two a corner.

use super::plain_face::FaceSet;
use super::touch::{FeatureKind, WallTouch};
use glam::DVec3;

/// A rectangle, as in [`crate::shapes::WallShape::Rectangle`].
pub(super) struct Sheet {
    /// Centre [m].
    pub middle: DVec3,
    /// Unit normal.
    pub normal: DVec3,
    /// Unit vector along one side.
    pub along: DVec3,
    /// Half of the extent along and across [m].
    pub half: [f64; 2],
    /// Touched from both sides.
    pub two_sided: bool,
}

impl Sheet {
    /// The face, if it is within `reach` [m] of a centre in front of it and its rim is not.
    pub(super) fn face_alone(&self, centre: DVec3, reach: f64) -> FaceSet {
        let arm = centre - self.middle;
        let place = [arm.dot(self.along), arm.dot(self.normal.cross(self.along))];
        let is_far = (0..2).all(|k| place[k].abs() <= self.half[k] - reach);
        let is_near = (0.0..reach).contains(&arm.dot(self.normal));
        if is_far && is_near { FaceSet::of(number([0; 2])) } else { FaceSet::NONE }
    }

    /// The one closest point.
    pub(super) fn touch(&self, centre: DVec3) -> Option<WallTouch> {
        let across = self.normal.cross(self.along);
        let arm = centre - self.middle;
        let place = [arm.dot(self.along), arm.dot(across)];
        let signs = [0, 1].map(|k| i8::from(place[k] > self.half[k]) - i8::from(place[k] < -self.half[k]));
        let height = arm.dot(self.normal);
        let from_behind = height < 0.0;
        let outwards = if self.two_sided && from_behind { -self.normal } else { self.normal };
        if signs == [0; 2] {
            let distance = if self.two_sided { height.abs() } else { height };
            let held = distance > -self.half[0].min(self.half[1]);
            return held.then(|| WallTouch::face(number(signs), centre, outwards, distance));
        }
        let [u, v] = [0, 1].map(|k| place[k].clamp(-self.half[k], self.half[k]));
        let point = self.middle + self.along * u + across * v;
        let kind = if signs.contains(&0) { FeatureKind::Edge } else { FeatureKind::Vertex };
        Some(WallTouch::rim(number(signs), kind, centre, point, outwards))
    }
}

/// Number of a feature: its two signs as ternary digits, 0 to 8; the face is 4.
fn number(signs: [i8; 2]) -> u32 {
    signs.iter().fold(0, |sum, &sign| 3 * sum + (sign + 1) as u32)
}
