//! Zones in the plane that points are looked for in.

use glam::DVec2;

/// Part of the plane in which points are wanted. Borders belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// A box along the axes.
    Box {
        /// Lowest coordinates [m].
        low: DVec2,
        /// Highest coordinates [m].
        high: DVec2,
    },
    /// All x with `normal`·x ≤ `offset`.
    HalfPlane {
        /// Outward unit normal.
        normal: DVec2,
        /// Distance of the border from the origin along the normal [m].
        offset: f64,
    },
}

impl Region {
    /// Box around points, grown by `margin` [m] on all sides; nothing around no points.
    pub fn around(points: impl Iterator<Item = DVec2>, margin: f64) -> Self {
        let (low, high) = extent(points);
        Self::Box { low: low - DVec2::splat(margin), high: high + DVec2::splat(margin) }
    }

    /// Whether a point lies in it.
    pub fn holds(&self, point: DVec2) -> bool {
        match *self {
            Self::Box { low, high } => point.cmpge(low).all() && point.cmple(high).all(),
            Self::HalfPlane { normal, offset } => normal.dot(point) <= offset,
        }
    }

    /// Whether it has points in common with the box `low`..`high`.
    pub fn meets(&self, low: DVec2, high: DVec2) -> bool {
        match *self {
            Self::Box { low: own_low, high: own_high } => {
                low.cmple(own_high).all() && high.cmpge(own_low).all()
            }
            Self::HalfPlane { normal, offset } => {
                let deepest = DVec2::select(normal.cmpgt(DVec2::ZERO), low, high);
                normal.dot(deepest) <= offset
            }
        }
    }
}

/// Lowest and highest coordinates [m] of points; +∞ and −∞ for none.
pub fn extent(points: impl Iterator<Item = DVec2>) -> (DVec2, DVec2) {
    points
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), point| (low.min(point), high.max(point)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_belong_to_regions() {
        let unit = Region::Box { low: DVec2::ZERO, high: DVec2::ONE };
        assert!(unit.holds(DVec2::ONE) && unit.meets(DVec2::ONE, DVec2::splat(2.0)));
        assert!(!unit.holds(DVec2::new(1.0, 1.0 + 1e-15)));
        let below = Region::HalfPlane { normal: DVec2::Y, offset: 0.5 };
        assert!(below.holds(DVec2::new(9.0, 0.5)) && !below.holds(DVec2::new(9.0, 0.6)));
    }

    #[test]
    fn a_slanted_half_plane_meets_a_box_by_its_deepest_corner() {
        let normal = DVec2::new(0.6, -0.8);
        let region = |offset| Region::HalfPlane { normal, offset };
        let (low, high) = (DVec2::ZERO, DVec2::ONE);
        assert!(region(-0.8).meets(low, high));
        assert!(!region(-0.8 - 1e-12).meets(low, high));
    }
}
