//! Shapes and searches that several tests need.

use breccia::implicit::GrainContact;
use breccia::narrow_phase::grains::{GrainPose, KnotSettings, PlaneWall, find_contacts};
use breccia::shapes::nurbs::{GrainFamily, GrainShape, LOBES, NurbsCurve, NurbsOutline, built_in_shape};
use glam::DVec2;

/// The built-in shape of this number and family with mean diameter 1.
pub fn built_in(family: GrainFamily, number: u32) -> GrainShape {
    built_in_shape(family, number, &LOBES, 1.0).expect("a built-in shape")
}

/// The outline of a non-convex built-in shape.
pub fn lobed(number: u32) -> NurbsOutline {
    match built_in(GrainFamily::NonConvex, number) {
        GrainShape::Outline(outline) => *outline,
        GrainShape::Disc(_) => panic!("not a disc"),
    }
}

/// A drop: a smooth curve with one kink, and weights that differ.
pub fn kinked() -> NurbsOutline {
    let points =
        [(0.0, 0.0), (0.5, 0.1), (0.9, 0.5), (0.6, 0.9), (0.1, 0.8), (-0.2, 0.6), (0.1, 0.3), (0.0, 0.0)];
    let points: Vec<DVec2> = points.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
    let weights = [1.0, 0.8, 1.5, 1.0, 2.0, 1.0, 0.7, 1.0];
    let knots = [0.0, 0.0, 0.0, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.0, 1.0, 1.0];
    let curve = NurbsCurve::new(&knots, &points, &weights).expect("a curve");
    NurbsOutline::new(curve).expect("an outline")
}

/// A polygon with a reflex corner.
pub fn arrow() -> NurbsOutline {
    polygon(&[(0.0, 0.0), (0.6, -0.5), (0.2, 0.0), (0.6, 0.5)])
}

/// A square of this side.
pub fn square(side: f64) -> NurbsOutline {
    polygon(&[(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)])
}

/// A polygon.
pub fn polygon(corners: &[(f64, f64)]) -> NurbsOutline {
    let corners: Vec<DVec2> = corners.iter().map(|&(x, y)| DVec2::new(x, y)).collect();
    NurbsOutline::new(NurbsCurve::from_polygon(&corners).expect("corners")).expect("a polygon")
}

/// A circle as an outline.
pub fn circle(radius: f64) -> NurbsOutline {
    NurbsOutline::new(NurbsCurve::circle(radius)).expect("a circle")
}

/// All kinds of outlines: the 16 built-in ones, a kinked one, polygons.
pub fn all_outlines() -> Vec<NurbsOutline> {
    (0..16).map(lobed).chain([kinked(), arrow(), square(0.8)]).collect()
}

/// A grain with this shape.
pub fn pose(shape: u32, x: f64, y: f64, angle: f64) -> GrainPose {
    GrainPose { shape, position: DVec2::new(x, y), angle }
}

/// Contacts of two grains.
pub fn contacts_of(
    shapes: &[GrainShape],
    poses: [GrainPose; 2],
    reach: f64,
    settings: KnotSettings,
) -> Vec<GrainContact> {
    find_contacts(shapes, &poses, &[], &[(0, 1, reach)], &settings)
}

/// Contacts of one grain on the plane y = 0.
pub fn contacts_on_floor(
    shape: GrainShape,
    pose: GrainPose,
    reach: f64,
    settings: KnotSettings,
) -> Vec<GrainContact> {
    let floor = PlaneWall { normal: DVec2::Y, offset: 0.0 };
    find_contacts(&[shape], &[pose], &[floor], &[(0, 1, reach)], &settings)
}

/// Whether x is inside a polygon, by counting crossings of a ray.
pub fn is_inside(polygon: &[DVec2], x: DVec2) -> bool {
    let next = polygon.iter().cycle().skip(1);
    let crossings = polygon.iter().zip(next).filter(|(a, b)| {
        let spans = (a.y > x.y) != (b.y > x.y);
        spans && x.x < a.x + (b.x - a.x) * (x.y - a.y) / (b.y - a.y)
    });
    crossings.count() % 2 == 1
}

/// Points of an outline at equal steps of its parameter.
pub fn samples(outline: &NurbsOutline, count: u32) -> Vec<DVec2> {
    (0..count).map(|i| outline.at(f64::from(i) / f64::from(count)).position).collect()
}

/// Random numbers in [0, 1) that are the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.roll()
    }
}
