//! Places where a sphere may touch an analytic wall, in the wall's frame.
//!
//! A touch is a closest point of a face, a rim or a corner. One-sided surfaces (a plane, or a side of `Inside` or
//! `Outside`) keep pushing a centre that has slipped behind them: the distance is then negative. A plane does so at any
//! depth, the others up to half of their own extent (half of the box, half of the shorter side of a rectangle, the radius
//! of cylinder or sphere, the larger radius of a cone), so that a sphere far on the wrong side is left alone. Rims and corners have no
//! wrong side: beyond the end of a face the normal points from the rim to the centre.
//!
//! Limit: a curved surface gives one touch, the closest. A sphere that fills a cylinder, plugs a rim or sits in the tip
//! of a cone touches all round; on the axis one fixed direction is taken, and the sphere is then pushed from side to side.
//!
//! Only + − × ÷ √ are used, so every machine finds the same bits.

mod boxes;
mod plain_face;
mod rectangle;
mod revolved;
mod touch;

#[cfg(test)]
mod tests;

pub use plain_face::{FaceSet, PlainFace};
pub use touch::{FeatureKind, Touches, WallTouch};

use crate::shapes::{Side, WallShape};
use glam::DVec3;
use touch::face_by_side;

/// What a sphere touches of one wall.
pub enum Met {
    /// Nothing.
    Nothing,
    /// One place.
    One(WallTouch),
    /// Several places.
    Several,
}

/// What a sphere at `centre` [m, wall frame] touches nearer than `reach` [m]; the same as [`touches`] tells, but sooner where the
/// shape is simple.
#[inline]
pub fn meet(shape: &WallShape, centre: DVec3, reach: f64, buffer: &mut Touches) -> Met {
    if let Some(met) = meet_simply(shape, centre, reach) {
        return met;
    }
    touches(shape, centre, reach, buffer);
    match buffer.as_slice() {
        [] => Met::Nothing,
        [touch] => Met::One(*touch),
        _ => Met::Several,
    }
}

/// Whether anything of a wall is nearer than `reach` [m] to `centre` [m, wall frame].
pub fn is_within(shape: &WallShape, centre: DVec3, reach: f64) -> bool {
    !matches!(
        meet_simply(shape, centre, reach).unwrap_or_else(|| meet(shape, centre, reach, &mut Touches::new())),
        Met::Nothing
    )
}

/// What a sphere touches where the shape is simple.
#[inline]
fn meet_simply(shape: &WallShape, centre: DVec3, reach: f64) -> Option<Met> {
    let WallShape::Box { min, max, side: Side::Inside, open } = *shape else { return None };
    boxes::Rectangles { min, max, open }.meet_within(centre, reach)
}

/// Puts into `out` the touches of a sphere at `centre` [m, wall frame] nearer than `reach` [m] (radius and margin).
///
/// Axes and normals of the shape must be unit vectors.
pub fn touches(shape: &WallShape, centre: DVec3, reach: f64, out: &mut Touches) {
    out.clear();
    match *shape {
        WallShape::Plane { point, normal } => {
            let distance = (centre - point).dot(normal);
            out.push_within(reach, Some(WallTouch::face(0, centre, normal, distance)));
        }
        WallShape::Box { min, max, side, open } => {
            boxes::Rectangles { min, max, open }.touches(side, centre, reach, out);
        }
        WallShape::Cylinder { start, axis, length, radius, side } => {
            let profile = revolved::Profile { start, axis, length, start_radius: radius, end_radius: radius };
            out.push_within(reach, profile.cylinder_touch(side, centre));
        }
        WallShape::Cone { start, axis, length, start_radius, end_radius, side } => {
            let profile = revolved::Profile { start, axis, length, start_radius, end_radius };
            out.push_within(reach, profile.cone_touch(side, centre));
        }
        WallShape::Sphere { centre: middle, radius, side } => {
            out.push_within(reach, sphere_touch(middle, radius, side, centre));
        }
        WallShape::Rectangle { centre: middle, normal, along, half, two_sided } => {
            let sheet = rectangle::Sheet { middle, normal, along, half, two_sided };
            out.push_within(reach, sheet.touch(centre));
        }
        WallShape::Disc { centre: middle, normal, radius, hole } => {
            out.push_within(reach, revolved::disc_touch(middle, normal, radius, hole, centre));
        }
    }
}

fn sphere_touch(middle: DVec3, radius: f64, side: Side, centre: DVec3) -> Option<WallTouch> {
    let arm = centre - middle;
    let length = arm.length();
    let outwards = if length > 0.0 { arm / length } else { DVec3::X };
    face_by_side(side, centre, outwards, length - radius, radius)
}
