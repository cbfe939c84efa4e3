//! The shape of a grain: an outline or a disc.

use super::outline::equal_area_diameter;
use super::{NurbsOutline, ShapeError};
use glam::DVec2;
use std::f64::consts::{PI, TAU};

/// The shape of a grain in the plane, about its centroid.
#[derive(Clone, Debug)]
pub enum GrainShape {
    /// Bounded by a NURBS curve.
    Outline(Box<NurbsOutline>),
    /// A disc of this radius [m].
    Disc(f64),
}

impl From<NurbsOutline> for GrainShape {
    fn from(outline: NurbsOutline) -> Self {
        Self::Outline(Box::new(outline))
    }
}

impl GrainShape {
    /// Disc of this radius [m].
    ///
    /// # Errors
    /// If the radius is not positive.
    pub fn disc(radius: f64) -> Result<Self, ShapeError> {
        if radius > 0.0 && radius.is_finite() {
            Ok(Self::Disc(radius))
        } else {
            Err(ShapeError::NotPositive { what: "the radius of a disc", value: radius })
        }
    }

    /// Area [m²].
    pub fn area(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.area(),
            Self::Disc(radius) => PI * radius * radius,
        }
    }

    /// Perimeter [m].
    pub fn perimeter(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.perimeter(),
            Self::Disc(radius) => TAU * radius,
        }
    }

    /// Polar moment of the area about the centroid [m⁴]; times density per area it is the moment of inertia.
    pub fn polar_moment(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.polar_moment(),
            Self::Disc(radius) => 0.5 * PI * radius * radius * radius * radius,
        }
    }

    /// Radius of the circle about the centroid that holds the grain [m].
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Outline(outline) => outline.bounding_radius(),
            Self::Disc(radius) => *radius,
        }
    }

    /// Diameter of the disc of equal area [m].
    pub fn equal_area_diameter(&self) -> f64 {
        equal_area_diameter(self.area())
    }

    /// Length of boundary that a contact point stands for [m]: the distance of contact knots, for a disc none.
    pub fn knot_spacing(&self) -> Option<f64> {
        match self {
            Self::Outline(outline) => Some(outline.knot_spacing()),
            Self::Disc(_) => None,
        }
    }

    /// Points of the boundary for drawing [m, body], counter-clockwise, about 100 to 200.
    pub fn polyline(&self) -> Vec<DVec2> {
        match self {
            Self::Outline(outline) => outline.polyline(1),
            Self::Disc(radius) => {
                let at = |i: u32| TAU * f64::from(i) / 96.0;
                (0..96).map(|i| radius * DVec2::new(libm::cos(at(i)), libm::sin(at(i)))).collect()
            }
        }
    }
}
