//! Inside or outside, for many points.

use super::cells::Cells;
use super::{Element, PolygonMesh};
use glam::DVec3;
use std::borrow::Cow;

/// Rays closer to an edge, or points closer to an element, than this share of the box leave it to the winding
/// number.
const DOUBT: f64 = 1e-10;

/// Elements steeper than this (vertical component of the normal) are not asked where a vertical ray meets them.
const STEEP: f64 = 1e-6;

/// Tells which points lie inside a closed mesh, as [`PolygonMesh::contains`] does, but fast: a vertical ray
/// meets few elements, and only doubtful rays need all of them.
pub struct InsideTest<'a> {
    mesh: &'a PolygonMesh,
    cells: Cow<'a, Cells>,
    doubt: f64,
}

/// How a vertical ray meets an element.
enum Meeting {
    /// It passes by, or the element lies below the point.
    None,
    /// It passes through, upwards along the normal (1) or against it (−1).
    Through(i32),
    /// Too close to tell.
    Doubtful,
}

impl<'a> InsideTest<'a> {
    /// Sorts the elements of a closed mesh.
    pub fn new(mesh: &'a PolygonMesh) -> Self {
        let cells = Cells::new((0..mesh.elements.len()).map(|e| mesh.element_box(e)).collect());
        let size = mesh.bounding_box().map_or(0.0, |(low, high)| (high - low).length());
        Self { mesh, cells: Cow::Owned(cells), doubt: DOUBT * size }
    }

    /// The same with the elements already sorted by their boxes; `size` [m] is the diagonal of the box around all.
    pub(crate) fn with_cells(mesh: &'a PolygonMesh, cells: &'a Cells, size: f64) -> Self {
        Self { mesh, cells: Cow::Borrowed(cells), doubt: DOUBT * size }
    }

    /// Whether a point [m, mesh frame] lies inside.
    pub fn contains(&self, point: DVec3) -> bool {
        let margin = DVec3::splat(self.doubt);
        let above = DVec3::new(point.x, point.y, f64::INFINITY);
        let mut near = Vec::new();
        self.cells.meeting(&(point - margin, above + margin), &mut near);
        let mut winding = 0;
        for &e in &near {
            match self.meet(&self.mesh.elements[e as usize], point) {
                Meeting::None => {}
                Meeting::Through(direction) => winding += direction,
                Meeting::Doubtful => return self.mesh.contains(point),
            }
        }
        winding != 0
    }

    fn meet(&self, element: &Element, point: DVec3) -> Meeting {
        let height = element.offset - element.normal.dot(point);
        let rise = element.normal.z;
        if rise.abs() < STEEP {
            // The ray runs along the element: it either misses it clearly or is doubtful.
            let (low, high) = self.reach(element);
            let clear = height.abs() > self.doubt + rise.abs() * (high - low + (point.z - low).abs());
            return if clear { Meeting::None } else { Meeting::Doubtful };
        }
        let mut doubtful = false;
        let next = self.mesh.corners(element).cycle().skip(1);
        for (a, b) in self.mesh.corners(element).zip(next) {
            let (side, arm) = (b.truncate() - a.truncate(), point.truncate() - a.truncate());
            let inwards = side.perp_dot(arm) * rise.signum();
            let doubt = self.doubt * side.length();
            if inwards < -doubt {
                return Meeting::None;
            }
            doubtful |= inwards <= doubt;
        }
        if doubtful || height.abs() <= self.doubt {
            Meeting::Doubtful
        } else if height / rise > 0.0 {
            Meeting::Through(rise.signum() as i32)
        } else {
            Meeting::None
        }
    }

    /// Lowest and highest z of an element [m].
    fn reach(&self, element: &Element) -> (f64, f64) {
        let heights = self.mesh.corners(element).map(|corner| corner.z);
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)))
    }
}
