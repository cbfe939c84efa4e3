//! Grains in the plane bounded by closed cubic NURBS curves.

mod built_in;
mod cubic;
mod curve;
mod error;
mod grain_shape;
mod outline;
mod piece;
mod quadrature;
mod search_grid;
mod simple;

pub use built_in::{
    BUILT_IN_SHAPES, GrainFamily, LOBES, STRONG_LOBES, built_in_diameter, built_in_shape, convex_hull,
};
pub use cubic::{CurvePoint, RationalCubic};
pub use curve::NurbsCurve;
pub use error::ShapeError;
pub use grain_shape::GrainShape;
pub use outline::{CONTACT_KNOTS, ContactKnot, FootPoint, NurbsOutline, equal_area_diameter};
