//! Where grains and walls are, and how contacts are looked for.

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Where a grain is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrainPose {
    /// Number of its shape.
    pub shape: u32,
    /// Its centroid [m, world].
    pub position: DVec2,
    /// Angle from world to body [rad], counter-clockwise positive.
    pub angle: f64,
}

/// A straight wall without end: places with n·x > offset are free.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneWall {
    /// Unit normal into the free side [world].
    pub normal: DVec2,
    /// Distance of the wall from the origin along the normal [m].
    pub offset: f64,
}

/// How contact knots become contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnotSettings {
    /// Whether each grain of a pair is slave once and master once.
    pub double_pass: bool,
    /// Whether knots of locally least gap move to where the gap is least; without, smooth grains roll like polygons.
    pub refine_minima: bool,
}

impl Default for KnotSettings {
    fn default() -> Self {
        Self { double_pass: true, refine_minima: true }
    }
}

/// A rotation and a shift: places of one frame in another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Cosine and sine of the angle.
    pub turn: DVec2,
    /// Place of the inner origin in the outer frame [m].
    pub origin: DVec2,
}

impl Frame {
    pub fn of(pose: &GrainPose) -> Self {
        let (sine, cosine) = libm::sincos(pose.angle);
        Self { turn: DVec2::new(cosine, sine), origin: pose.position }
    }

    /// Inner place in the outer frame.
    #[inline]
    pub fn world(&self, place: DVec2) -> DVec2 {
        self.origin + self.turn.rotate(place)
    }

    /// Inner vector in the outer frame.
    #[inline]
    pub fn world_vector(&self, vector: DVec2) -> DVec2 {
        self.turn.rotate(vector)
    }

    /// Outer place in the inner frame.
    pub fn local(&self, place: DVec2) -> DVec2 {
        self.local_vector(place - self.origin)
    }

    /// Outer vector in the inner frame.
    pub fn local_vector(&self, vector: DVec2) -> DVec2 {
        DVec2::new(self.turn.x, -self.turn.y).rotate(vector)
    }
}

/// Frame of `slave` seen from `master`.
pub(super) fn relative(master: &Frame, slave: &Frame) -> Frame {
    Frame { turn: master.local_vector(slave.turn), origin: master.local(slave.origin) }
}
