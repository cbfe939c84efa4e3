//! Faces that are all a sphere can touch for a while, met by as many spheres at a time as registers hold.

use super::boxes::Rectangles;
use super::rectangle::Sheet;
use super::revolved::Profile;
use crate::math::{Simd, Vec3};
use crate::motion::Pose;
use crate::shapes::{Side, WallShape};
use glam::DVec3;

/// A face whose ends are out of reach, in any frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlainFace {
    /// A plane.
    Plane {
        /// A point of it [m].
        point: DVec3,
        /// Unit normal towards the spheres.
        normal: DVec3,
    },
    /// The inner side of a cylinder.
    Cylinder {
        /// A point of the axis [m].
        start: DVec3,
        /// Unit axis.
        axis: DVec3,
        /// Radius [m].
        radius: f64,
    },
}

/// Numbers of some faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceSet(u32);

impl FaceSet {
    /// No face.
    pub const NONE: Self = Self(0);

    /// One face; numbers are below 32.
    pub fn of(number: u32) -> Self {
        Self(1 << number)
    }

    /// With another face.
    pub fn with(self, number: u32) -> Self {
        Self(self.0 | 1 << number)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a face is among them.
    pub fn contains(self, number: u32) -> bool {
        number < u32::BITS && self.0 >> number & 1 == 1
    }

    /// The numbers, ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..u32::BITS).filter(move |&number| self.contains(number))
    }
}

impl PlainFace {
    /// The faces of `shape` that are all a sphere at `centre` [m, wall frame] can touch until it has moved by what `reach` [m]
    /// exceeds its radius. None where there may be anything else. Where there are several they are upright on each other, so that
    /// none hides another.
    pub fn alone_near(shape: &WallShape, centre: DVec3, reach: f64) -> FaceSet {
        let face = |number: u32, is_alone: bool| if is_alone { FaceSet::of(number) } else { FaceSet::NONE };
        match *shape {
            WallShape::Plane { point, normal } => face(0, (centre - point).dot(normal) < reach),
            WallShape::Box { min, max, side: Side::Inside, open } => {
                Rectangles { min, max, open }.faces_alone(centre, reach)
            }
            WallShape::Cylinder { start, axis, length, radius, side: Side::Inside } => {
                let profile = Profile { start, axis, length, start_radius: radius, end_radius: radius };
                face(0, profile.is_cylinder_alone(centre, reach))
            }
            WallShape::Rectangle { centre: middle, normal, along, half, two_sided: false } => {
                Sheet { middle, normal, along, half, two_sided: false }.face_alone(centre, reach)
            }
            _ => FaceSet::NONE,
        }
    }

    /// The face of `shape` with a number that [`PlainFace::alone_near`] gave [wall frame].
    pub fn of(shape: &WallShape, number: u32) -> Option<Self> {
        match *shape {
            WallShape::Plane { point, normal } => Some(Self::Plane { point, normal }),
            WallShape::Box { min, max, open, .. } => {
                let (point, normal) = Rectangles { min, max, open }.inner_plane(number)?;
                Some(Self::Plane { point, normal })
            }
            WallShape::Cylinder { start, axis, radius, .. } => Some(Self::Cylinder { start, axis, radius }),
            WallShape::Rectangle { centre: point, normal, .. } => Some(Self::Plane { point, normal }),
            _ => None,
        }
    }

    /// The face carried to where `pose` leads.
    pub fn carried(&self, pose: &Pose) -> Self {
        match *self {
            Self::Plane { point, normal } => {
                Self::Plane { point: pose.point_to_world(point), normal: pose.direction_to_world(normal) }
            }
            Self::Cylinder { start, axis, radius } => Self::Cylinder {
                start: pose.point_to_world(start),
                axis: pose.direction_to_world(axis),
                radius,
            },
        }
    }

    /// Unit normals from the face to spheres at some centres [m], and their distances from it [m]; negative behind it.
    #[inline(always)]
    pub fn meet<S: Simd>(&self, centre: Vec3<S>) -> (Vec3<S>, S) {
        match *self {
            Self::Plane { point, normal } => {
                let normal = Vec3::splat(normal);
                (normal, (centre - Vec3::splat(point)).dot(normal))
            }
            Self::Cylinder { start, axis, radius } => {
                let (arm, axis) = (centre - Vec3::splat(start), Vec3::splat(axis));
                // Twice, as for one sphere at a time: what rounding leaves along the axis is small then.
                let across = arm - axis * arm.dot(axis);
                let across = across - axis * across.dot(axis);
                let from_axis = across.length_squared().sqrt();
                (across * (S::splat(-1.0) / from_axis), S::splat(radius) - from_axis)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow_phase::{Candidate, FeatureKind, Touches, survivors, touches};
    use proptest::prelude::*;

    fn direction() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64)
            .prop_map(|(x, y, z)| DVec3::new(x, y, z))
            .prop_filter("long enough", |v| v.length() > 0.1)
            .prop_map(DVec3::normalize)
    }

    fn point(size: f64) -> impl Strategy<Value = DVec3> {
        (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| DVec3::new(x, y, z))
    }

    fn shape() -> impl Strategy<Value = WallShape> {
        prop_oneof![
            (point(1.0), direction()).prop_map(|(point, normal)| WallShape::Plane { point, normal }),
            (point(1.0), point(2.0), any::<[bool; 6]>()).prop_map(|(a, b, open)| WallShape::Box {
                min: a.min(b),
                max: a.max(b) + 0.5,
                side: Side::Inside,
                open
            }),
            (point(1.0), direction(), 0.5..5.0_f64, 0.3..3.0_f64, any::<bool>()).prop_map(
                |(start, axis, length, radius, endless)| WallShape::Cylinder {
                    start,
                    axis,
                    length: if endless { f64::INFINITY } else { length },
                    radius,
                    side: Side::Inside
                }
            ),
            (point(1.0), direction(), direction(), 0.2..2.0_f64, 0.2..2.0_f64)
                .prop_filter("askew", |(_, normal, along, ..)| normal.cross(*along).length() > 0.1)
                .prop_map(|(centre, normal, along, length, width)| WallShape::Rectangle {
                    centre,
                    normal,
                    along: (along - normal * along.dot(normal)).normalize(),
                    half: [length, width],
                    two_sided: false
                }),
            (point(1.0), direction(), 0.2..2.0_f64, 0.0..0.9_f64).prop_map(
                |(centre, normal, radius, hole)| {
                    WallShape::Disc { centre, normal, radius, hole: hole * radius }
                }
            ),
        ]
    }

    proptest! {
        // Cases in which nothing is to be shown do not count.
        #![proptest_config(ProptestConfig { cases: 2000, max_global_rejects: 200_000, ..ProptestConfig::default() })]

        /// What is outside of the ball around a wall is as far from the wall as from the ball.
        #[test]
        fn nothing_is_touched_beyond_the_ball_around(shape in shape(), centre in point(4.0), reach in 0.0..2.0_f64) {
            let is_beyond = |(middle, radius): (DVec3, f64)| centre.distance(middle) > radius + reach;
            prop_assume!(shape.ball_around().is_some_and(is_beyond));
            let mut found = Touches::new();
            touches(&shape, centre, reach, &mut found);
            prop_assert!(found.as_slice().is_empty(), "{:?}", found.as_slice());
        }

        /// Wherever a sphere goes within its reach, the full search tells those faces and nothing else, and keeps them all.
        #[test]
        fn faces_alone_are_all_there_is_to_touch(
            shape in shape(), centre in point(2.5), radius in 0.02..0.3_f64, skin in 0.001..0.5_f64,
            way in direction(), part in 0.0..1.0_f64,
        ) {
            let faces = PlainFace::alone_near(&shape, centre, radius + skin);
            prop_assume!(!faces.is_empty());
            let there = centre + way * (part * skin);
            let mut found = Touches::new();
            touches(&shape, there, radius, &mut found);
            let touches = found.as_slice();
            prop_assert!(touches.iter().all(|touch| faces.contains(touch.feature)), "{:?}: {:?}", faces, touches);
            let near = touches.iter().map(|touch| Candidate {
                arm: there - touch.point, distance: touch.distance, kind: touch.kind, key: u64::from(touch.feature),
            });
            let mut kept = Vec::new();
            survivors(&near.collect::<Vec<_>>(), radius, 1e-6, &mut kept);
            prop_assert_eq!(kept.len(), touches.len());
            for number in faces.iter() {
                let face = PlainFace::of(&shape, number).expect("a face");
                let (normal, distance) = face.meet::<f64>(Vec3::splat(there));
                match touches.iter().find(|touch| touch.feature == number) {
                    None => prop_assert!(distance >= radius - 1e-12, "{distance} of {radius}"),
                    Some(touch) => {
                        prop_assert_eq!(touch.kind, FeatureKind::Face);
                        prop_assert!((touch.distance - distance).abs() < 1e-12);
                        prop_assert!((touch.normal - DVec3::new(normal.x, normal.y, normal.z)).length() < 1e-9);
                    }
                }
            }
        }
    }
}
