//! Surfaces of revolution: cylinder, cone, disc. Their closest point lies in the half-plane of the axis and the centre,
//! where they are a line segment.

use super::touch::{FeatureKind, WallTouch, face_by_side};
use crate::shapes::Side;
use glam::DVec3;

const START_RIM: u32 = 1;
const END_RIM: u32 = 2;
const OUTER_RIM: u32 = 1;
const HOLE_RIM: u32 = 2;
/// Reaches that the radius of a cylinder has at least for normals to stay about the same within one.
const WIDE: f64 = 4.0;

/// A segment that turns about an axis: lateral surface of a cylinder or a cone. Face 0, rims 1 and 2.
pub(super) struct Profile {
    /// Centre of the first end [m].
    pub start: DVec3,
    /// Unit axis towards the second end.
    pub axis: DVec3,
    /// Length along the axis [m].
    pub length: f64,
    /// Radius at the first end [m].
    pub start_radius: f64,
    /// Radius at the second end [m].
    pub end_radius: f64,
}

impl Profile {
    /// Whether a centre is within `reach` [m] of the inner side of a cylinder, but not of its ends or its axis.
    pub(super) fn is_cylinder_alone(&self, centre: DVec3, reach: f64) -> bool {
        let place = Meridian::of(centre, self.start, self.axis);
        let is_far = place.height >= reach && self.length - place.height >= reach;
        let is_between = !self.length.is_finite() || is_far;
        let depth = self.start_radius - place.radius;
        is_between && (0.0..reach).contains(&depth) && self.start_radius >= WIDE * reach
    }

    /// Touch of a profile of constant radius; an infinite one has no ends.
    pub(super) fn cylinder_touch(&self, side: Side, centre: DVec3) -> Option<WallTouch> {
        let place = Meridian::of(centre, self.start, self.axis);
        if self.length.is_finite() {
            if place.height < 0.0 {
                return Some(self.start_rim(&place, centre));
            }
            if place.height > self.length {
                return Some(self.end_rim(&place, centre));
            }
        }
        let radius = self.start_radius;
        face_by_side(side, centre, place.outwards, place.radius - radius, radius)
    }

    /// Touch of a profile whose radius changes along a finite length.
    pub(super) fn cone_touch(&self, side: Side, centre: DVec3) -> Option<WallTouch> {
        let place = Meridian::of(centre, self.start, self.axis);
        let widening = self.end_radius - self.start_radius;
        let slant_squared = self.length * self.length + widening * widening;
        let above = place.radius - self.start_radius;
        let along = place.height * self.length + above * widening;
        if along < 0.0 {
            return Some(self.start_rim(&place, centre));
        }
        if along > slant_squared {
            return Some(self.end_rim(&place, centre));
        }
        let slant = slant_squared.sqrt();
        let outwards = (place.outwards * self.length - self.axis * widening) / slant;
        let height = (above * self.length - place.height * widening) / slant;
        face_by_side(side, centre, outwards, height, self.start_radius.max(self.end_radius))
    }

    fn start_rim(&self, place: &Meridian, centre: DVec3) -> WallTouch {
        rim(START_RIM, self.start, self.start_radius, place, centre)
    }

    fn end_rim(&self, place: &Meridian, centre: DVec3) -> WallTouch {
        rim(END_RIM, self.start + self.axis * self.length, self.end_radius, place, centre)
    }
}

/// Touch of a two-sided ring: face 0, outer rim 1, rim of the hole 2.
pub(super) fn disc_touch(
    middle: DVec3,
    normal: DVec3,
    radius: f64,
    hole: f64,
    centre: DVec3,
) -> Option<WallTouch> {
    let place = Meridian::of(centre, middle, normal);
    if place.radius > radius {
        return Some(rim(OUTER_RIM, middle, radius, &place, centre));
    }
    if place.radius < hole {
        return Some(rim(HOLE_RIM, middle, hole, &place, centre));
    }
    let towards_centre = if place.height < 0.0 { -normal } else { normal };
    Some(WallTouch::face(0, centre, towards_centre, place.height.abs()))
}

fn rim(feature: u32, middle: DVec3, radius: f64, place: &Meridian, centre: DVec3) -> WallTouch {
    let kind = if radius > 0.0 { FeatureKind::Edge } else { FeatureKind::Vertex };
    WallTouch::rim(feature, kind, centre, middle + place.outwards * radius, place.outwards)
}

/// A point in the half-plane of an axis.
struct Meridian {
    /// Along the axis from its origin [m].
    height: f64,
    /// Distance from the axis [m].
    radius: f64,
    /// Unit vector from the axis to the point; a fixed one for a point on the axis.
    outwards: DVec3,
}

impl Meridian {
    /// Part of the distance from the origin that is rounding when a point lies on the axis.
    const ROUNDING: f64 = 1e-14;

    fn of(point: DVec3, origin: DVec3, axis: DVec3) -> Self {
        let arm = point - origin;
        let height = arm.dot(axis);
        // Twice, so that what rounding leaves along the axis is small even against a tiny radius.
        let across = arm - axis * height;
        let across = across - axis * across.dot(axis);
        let radius = across.length();
        let on_axis = radius <= Self::ROUNDING * arm.length();
        let outwards = if on_axis { axis.any_orthonormal_vector() } else { across / radius };
        Self { height, radius, outwards }
    }
}
