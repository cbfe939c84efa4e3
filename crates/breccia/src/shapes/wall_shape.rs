//! Analytic wall surfaces, in the wall's own frame.

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
