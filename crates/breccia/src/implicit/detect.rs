//! Stand-in for the narrow phase of grains: discs and walls in closed form.

use super::contact::GrainContact;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A shape of grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GrainShape {
    /// A disc of this radius [m].
    Disc(f64),
}

impl GrainShape {
    /// A disc of a radius [m].
    pub fn disc(radius: f64) -> Self {
        Self::Disc(radius)
    }

    /// Area [m²].
    pub fn area(&self) -> f64 {
        let Self::Disc(radius) = self;
        std::f64::consts::PI * radius * radius
    }

    /// Moment of inertia about the centroid, per density and depth [m⁴].
    pub fn polar_moment(&self) -> f64 {
        let Self::Disc(radius) = self;
        0.5 * self.area() * radius * radius
    }

    /// Radius of the bounding circle about the centroid [m].
    pub fn bounding_radius(&self) -> f64 {
        let Self::Disc(radius) = self;
        *radius
    }

    /// Length of boundary a contact knot stands for [m], none for a disc's foot point.
    pub fn knot_spacing(&self) -> Option<f64> {
        None
    }

    /// Number of contact knots.
    pub fn knot_count(&self) -> u32 {
        1
    }
}

/// Choices of the narrow phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KnotSettings {}

/// Where a grain is.
#[derive(Clone, Copy, Debug)]
pub struct GrainPose {
    /// Shape.
    pub shape: u32,
    /// Centroid [m].
    pub position: DVec2,
    /// Angle [rad].
    pub angle: f64,
}

/// A wall.
#[derive(Clone, Copy, Debug)]
pub struct PlaneWall {
    /// Unit normal towards the grains.
    pub normal: DVec2,
    /// n·x on the surface [m].
    pub offset: f64,
}

/// Contacts of the pairs (grain, grain or wall, reach), sorted by (master, slave, knot).
pub fn find_contacts(
    shapes: &[GrainShape],
    grains: &[GrainPose],
    walls: &[PlaneWall],
    pairs: &[(u32, u32, f64)],
    _settings: &KnotSettings,
) -> Vec<GrainContact> {
    let radius = |grain: u32| shapes[grains[grain as usize].shape as usize].bounding_radius();
    let mut found = Vec::new();
    for &(a, b, reach) in pairs {
        let slave;
        let (normal, gap, master) = if b as usize >= grains.len() {
            let wall = &walls[b as usize - grains.len()];
            slave = a;
            (wall.normal, wall.normal.dot(grains[a as usize].position) - wall.offset - radius(a), b)
        } else {
            slave = a.max(b);
            let master = a.min(b);
            let apart = grains[slave as usize].position - grains[master as usize].position;
            (apart.normalize_or(DVec2::X), apart.length() - radius(a) - radius(b), master)
        };
        if gap < reach {
            let point = grains[slave as usize].position - normal * radius(slave);
            found.push(GrainContact { master, slave, knot: 0, normal, point, gap, master_parameter: 0.0 });
        }
    }
    found.sort_by_key(|it| (it.master, it.slave, it.knot));
    found
}
