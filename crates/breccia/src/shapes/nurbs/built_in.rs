//! Sixteen ready-made grains, each in three families of equal area.

use super::outline::equal_area_diameter;
use super::{GrainShape, NurbsCurve, NurbsOutline, ShapeError};
use glam::DVec2;
use std::f64::consts::TAU;

/// Number of built-in shapes.
pub const BUILT_IN_SHAPES: u32 = 16;
/// Control points of a lobed outline before the hull is taken.
const CONTROL_POINTS: u32 = 24;
/// Heights of lobes, as part of the mean radius: one value per four shapes.
pub const LOBES: [f64; 4] = [0.12, 0.15, 0.18, 0.21];
/// Higher lobes, for stronger effects of shape.
pub const STRONG_LOBES: [f64; 4] = [0.16, 0.20, 0.24, 0.28];

/// Families of built-in grains. Grains of one number have the same area in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrainFamily {
    /// Lobed, with hollows.
    NonConvex,
    /// Convex hull of the lobed control polygon: rounded corners and nearly flat sides.
    AngularConvex,
    /// Disc.
    Disc,
}

/// Equal-area diameter of a built-in shape relative to their mean, from 0.8 to 1.2. Numbers go round after 15.
pub fn built_in_diameter(number: u32) -> f64 {
    0.8 + 0.4 * f64::from((7 * (number % BUILT_IN_SHAPES)) % 16) / 15.0
}

/// Built-in shape `number` (0 to 15, going round) of a family, sized for a mean diameter of all sixteen of
/// `mean_diameter` [m], with lobes as in [`LOBES`].
///
/// # Errors
/// If the diameter is not positive, or lobes are so high that the outline crosses itself.
pub fn built_in_shape(
    family: GrainFamily,
    number: u32,
    lobes: &[f64; 4],
    mean_diameter: f64,
) -> Result<GrainShape, ShapeError> {
    if !(mean_diameter > 0.0 && mean_diameter.is_finite()) {
        return Err(ShapeError::NotPositive { what: "the mean diameter", value: mean_diameter });
    }
    let diameter = mean_diameter * built_in_diameter(number);
    let mut polygon = control_polygon(number % BUILT_IN_SHAPES, lobes);
    match family {
        GrainFamily::Disc => return GrainShape::disc(0.5 * diameter),
        GrainFamily::AngularConvex => polygon = convex_hull(polygon),
        GrainFamily::NonConvex => {}
    }
    let curve = NurbsCurve::from_periodic(&polygon, &vec![1.0; polygon.len()])?;
    let area = NurbsOutline::new(curve.clone())?.area();
    let scale = diameter / equal_area_diameter(area);
    Ok(GrainShape::from(NurbsOutline::new(curve.mapped(|p| p * scale))?))
}

/// Control points of a lobed shape about the origin, of radius about one.
fn control_polygon(number: u32, lobes: &[f64; 4]) -> Vec<DVec2> {
    let count = f64::from(3 + number % 4);
    let stretch = 0.06 * f64::from((5 * number) % 4);
    let height = lobes[(number / 4) as usize % 4];
    let at = |i: u32| {
        let angle = TAU * f64::from(i) / f64::from(CONTROL_POINTS);
        let lobe = height * libm::cos(count * angle + 0.4 * f64::from(number));
        let radius = 1.0 + lobe + stretch * libm::cos(2.0 * angle);
        radius * DVec2::new(libm::cos(angle), libm::sin(angle))
    };
    (0..CONTROL_POINTS).map(at).collect()
}

/// Corners of the convex hull, counter-clockwise.
pub fn convex_hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(p - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}
