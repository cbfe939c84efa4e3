//! The record of a touch and a list of a few of them.

use crate::shapes::Side;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What part of a surface is touched; the order is that of precedence at equal distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FeatureKind {
    /// Inside a face.
    Face,
    /// On a rim or an edge.
    Edge,
    /// At a corner or a tip.
    Vertex,
}

/// One place where a sphere may touch a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallTouch {
    /// Number of the face, rim or corner, the same at all times on one wall.
    pub feature: u32,
    /// What the feature is.
    pub kind: FeatureKind,
    /// Closest point of the feature [m, wall frame].
    pub point: DVec3,
    /// Unit vector from the wall to the side of the sphere [wall frame].
    pub normal: DVec3,
    /// From the point to the centre along the normal [m]; negative for a centre behind a one-sided face.
    pub distance: f64,
}

impl WallTouch {
    /// Face whose surface lies `distance` [m] from `centre` against the unit `normal`.
    pub(super) fn face(feature: u32, centre: DVec3, normal: DVec3, distance: f64) -> Self {
        let point = centre - normal * distance;
        Self { feature, kind: FeatureKind::Face, point, normal, distance }
    }

    /// Rim or corner touched at `point`; a centre exactly there is pushed along the unit `fallback`.
    pub(super) fn rim(feature: u32, kind: FeatureKind, centre: DVec3, point: DVec3, fallback: DVec3) -> Self {
        let arm = centre - point;
        let distance = arm.length();
        let normal = if distance > 0.0 { arm / distance } else { fallback };
        Self { feature, kind, point, normal, distance }
    }
}

/// Face 0 of a closed surface, by the side of the bodies. `height` [m] is the distance of the centre outside the
/// surface along the unit `outwards`, `extent` [m] the depth at which a one-sided surface lets go.
pub(super) fn face_by_side(
    side: Side,
    centre: DVec3,
    outwards: DVec3,
    height: f64,
    extent: f64,
) -> Option<WallTouch> {
    let inside = match side {
        Side::Inside => true,
        Side::Outside => false,
        Side::Both => height <= 0.0,
    };
    let (normal, distance) = if inside { (-outwards, -height) } else { (outwards, height) };
    // At the depth of the axis itself an obstacle still pushes, hence ≥.
    let holds = if inside { distance > -extent } else { distance >= -extent };
    holds.then(|| WallTouch::face(0, centre, normal, distance))
}

/// Up to [`Touches::CAPACITY`] touches, without allocation.
#[derive(Clone, Debug)]
pub struct Touches {
    items: [WallTouch; Self::CAPACITY],
    len: usize,
}

impl Touches {
    /// Room of the list; a box fills six places at most, any other shape one.
    pub const CAPACITY: usize = 8;

    /// An empty list.
    pub fn new() -> Self {
        let blank = WallTouch::face(0, DVec3::ZERO, DVec3::Z, 0.0);
        Self { items: [blank; Self::CAPACITY], len: 0 }
    }

    /// Removes all touches.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The touches found, in the order of the faces.
    pub fn as_slice(&self) -> &[WallTouch] {
        &self.items[..self.len]
    }

    /// Keeps a touch that is nearer than `reach` [m].
    pub(super) fn push_within(&mut self, reach: f64, touch: Option<WallTouch>) {
        if let Some(touch) = touch.filter(|touch| touch.distance < reach) {
            self.items[self.len] = touch;
            self.len += 1;
        }
    }
}

impl Default for Touches {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> IntoIterator for &'a Touches {
    type Item = &'a WallTouch;
    type IntoIter = std::slice::Iter<'a, WallTouch>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
