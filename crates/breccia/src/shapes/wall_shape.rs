//! Analytic wall surfaces, in the wall's own frame.

#[cfg(test)]
mod tests;

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Which side of a closed or curved surface the bodies are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Bodies are inside (a container).
    Inside,
    /// Bodies are outside (an obstacle).
    Outside,
    /// A thin shell with bodies on both sides.
    Both,
}

/// An analytic surface. Points and directions are in the wall's frame; axes and normals are unit vectors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WallShape {
    /// Half-space boundary: bodies are where (x − point)·normal > 0.
    Plane {
        /// A point of the plane [m].
        point: DVec3,
        /// Unit normal towards the bodies.
        normal: DVec3,
    },
    /// Axis-aligned box of six rectangles; some may be left out.
    Box {
        /// Lower corner [m].
        min: DVec3,
        /// Upper corner [m].
        max: DVec3,
        /// Inside: container; outside: block; both: thin-walled box.
        side: Side,
        /// Missing faces, in the order −x, +x, −y, +y, −z, +z.
        open: [bool; 6],
    },
    /// Lateral surface of a circular cylinder between two planes (no end caps; add discs).
    Cylinder {
        /// Centre of the first end [m].
        start: DVec3,
        /// Unit axis from the first end to the second.
        axis: DVec3,
        /// Length [m]; infinite for an endless cylinder (then `start` is any axis point and it extends both ways).
        length: f64,
        /// Radius [m].
        radius: f64,
        /// Side of the bodies.
        side: Side,
    },
    /// Lateral surface of a truncated cone (no end caps; add discs).
    Cone {
        /// Centre of the first end [m].
        start: DVec3,
        /// Unit axis from the first end to the second.
        axis: DVec3,
        /// Length along the axis [m].
        length: f64,
        /// Radius at the first end [m]; may be zero.
        start_radius: f64,
        /// Radius at the second end [m]; may be zero.
        end_radius: f64,
        /// Side of the bodies.
        side: Side,
    },
    /// A sphere.
    Sphere {
        /// Centre [m].
        centre: DVec3,
        /// Radius [m].
        radius: f64,
        /// Side of the bodies.
        side: Side,
    },
    /// A flat rectangle.
    Rectangle {
        /// Centre [m].
        centre: DVec3,
        /// Unit normal, towards the bodies of a one-sided one.
        normal: DVec3,
        /// Unit vector along one of its sides, perpendicular to the normal.
        along: DVec3,
        /// Half of its extent along `along` and across it [m].
        half: [f64; 2],
        /// Touched from both sides, not only from that of the normal.
        two_sided: bool,
    },
    /// A thin flat disc or ring, touched from both sides.
    Disc {
        /// Centre [m].
        centre: DVec3,
        /// Unit normal.
        normal: DVec3,
        /// Outer radius [m].
        radius: f64,
        /// Radius of a hole in the middle [m]; zero for none.
        hole: f64,
    },
}

impl WallShape {
    /// Centre and radius [m] of a ball such that a point outside it is at least as far from the surface as from the ball. None for
    /// shapes that hold what is inside or that have no end.
    pub fn ball_around(&self) -> Option<(DVec3, f64)> {
        match *self {
            // Held from behind as deep as it is narrow.
            Self::Rectangle { centre, half: [length, width], .. } => {
                let depth = length.min(width);
                Some((centre, DVec3::new(length, width, depth).length()))
            }
            Self::Disc { centre, radius, .. } => Some((centre, radius)),
            _ => None,
        }
    }

    /// Lower and upper corner [m] of the smallest upright box around the surface; none for an endless one.
    pub fn bounding_box(&self) -> Option<(DVec3, DVec3)> {
        match *self {
            Self::Plane { .. } => None,
            Self::Box { min, max, .. } => Some((min, max)),
            Self::Cylinder { start, axis, length, radius, .. } => {
                length.is_finite().then(|| frustum_box(start, axis, length, radius, radius))
            }
            Self::Cone { start, axis, length, start_radius, end_radius, .. } => {
                Some(frustum_box(start, axis, length, start_radius, end_radius))
            }
            Self::Sphere { centre, radius, .. } => {
                let half = DVec3::splat(radius);
                Some((centre - half, centre + half))
            }
            Self::Rectangle { centre, normal, along, half, .. } => {
                let reach = along.abs() * half[0] + normal.cross(along).abs() * half[1];
                Some((centre - reach, centre + reach))
            }
            Self::Disc { centre, normal, radius, .. } => Some(circle_box(centre, normal, radius)),
        }
    }

    /// True when only one side of the surface is touched; a centre behind it is pushed back.
    pub fn is_one_sided(&self) -> bool {
        match self {
            Self::Plane { .. } => true,
            Self::Disc { .. } => false,
            Self::Rectangle { two_sided, .. } => !two_sided,
            Self::Box { side, .. }
            | Self::Cylinder { side, .. }
            | Self::Cone { side, .. }
            | Self::Sphere { side, .. } => *side != Side::Both,
        }
    }
}

/// Upright box around two circles with a common axis.
fn frustum_box(start: DVec3, axis: DVec3, length: f64, start_radius: f64, end_radius: f64) -> (DVec3, DVec3) {
    let first = circle_box(start, axis, start_radius);
    let second = circle_box(start + axis * length, axis, end_radius);
    (first.0.min(second.0), first.1.max(second.1))
}

/// Upright box around a circle: along each direction it reaches radius · sin(angle to the axis).
fn circle_box(centre: DVec3, axis: DVec3, radius: f64) -> (DVec3, DVec3) {
    let reach = (DVec3::ONE - axis * axis).max(DVec3::ZERO);
    let half = radius * DVec3::new(reach.x.sqrt(), reach.y.sqrt(), reach.z.sqrt());
    (centre - half, centre + half)
}
