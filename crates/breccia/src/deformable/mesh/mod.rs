//! Meshes of the plane: points, triangles and quads, and the loops around them.

mod boundary;
mod shapes;

pub use boundary::{BoundaryLoop, boundary_loops};

use glam::DVec2;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A finite element, its corners counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cell {
    /// Three corners.
    Triangle([u32; 3]),
    /// Four corners.
    Quad([u32; 4]),
}

impl Cell {
    /// Corners, counter-clockwise.
    pub fn corners(&self) -> &[u32] {
        match self {
            Self::Triangle(corners) => corners,
            Self::Quad(corners) => corners,
        }
    }

    /// Sides from corner to corner, counter-clockwise.
    pub fn sides(&self) -> impl Iterator<Item = [u32; 2]> {
        let corners = self.corners();
        (0..corners.len()).map(move |k| [corners[k], corners[(k + 1) % corners.len()]])
    }
}

/// Points and the elements between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolidMesh {
    /// Reference positions [m].
    pub points: Vec<DVec2>,
    /// Elements.
    pub cells: Vec<Cell>,
}

/// Why a mesh cannot carry a body.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// No elements.
    #[error("the mesh has no triangles or quads")]
    Empty,
    /// An element names a point that is not there.
    #[error("element {cell} names point {point}, but there are only {count} points")]
    NoSuchPoint {
        /// Number of the element.
        cell: usize,
        /// Number of the point.
        point: u32,
        /// Number of points.
        count: usize,
    },
    /// An element is flat or folded.
    #[error("element {cell} at {at} is flat or folded: at one of its corners it does not turn left")]
    Folded {
        /// Number of the element.
        cell: usize,
        /// Its first corner [m].
        at: DVec2,
    },
    /// A point no element uses: it would have no mass.
    #[error("point {point} at {at} belongs to no element")]
    Loose {
        /// Number of the point.
        point: usize,
        /// Where [m].
        at: DVec2,
    },
    /// A side shared by three or more elements.
    #[error(
        "the side between points {from} and {to} belongs to more than two elements, or to two of opposite sense"
    )]
    Branching {
        /// Number of the point it starts at.
        from: u32,
        /// Number of the point it ends at.
        to: u32,
    },
    /// Boundary loops touch in a point.
    #[error(
        "the boundary passes point {point} at {at} twice: parts that touch in a single point cannot be told apart"
    )]
    Pinched {
        /// Number of the point.
        point: u32,
        /// Where [m].
        at: DVec2,
    },
}

impl SolidMesh {
    /// Area [m²].
    pub fn area(&self) -> f64 {
        let cell_area =
            |cell: &Cell| -> f64 { cell.sides().map(|[a, b]| 0.5 * self.at(a).perp_dot(self.at(b))).sum() };
        self.cells.iter().map(cell_area).sum()
    }

    /// Turned counter-clockwise by `angle` [rad] about the origin, then shifted by `shift` [m].
    pub fn placed(mut self, angle: f64, shift: DVec2) -> Self {
        let turn = DVec2::new(libm::cos(angle), libm::sin(angle));
        for point in &mut self.points {
            *point = turn.rotate(*point) + shift;
        }
        self
    }

    /// Elements written clockwise turned round; whether there were any.
    pub fn orient(&mut self) -> bool {
        let mut turned = false;
        for k in 0..self.cells.len() {
            let doubled: f64 = self.cells[k].sides().map(|[a, b]| self.at(a).perp_dot(self.at(b))).sum();
            if doubled < 0.0 {
                turned = true;
                match &mut self.cells[k] {
                    Cell::Triangle(corners) => corners.reverse(),
                    Cell::Quad(corners) => corners.reverse(),
                }
            }
        }
        turned
    }

    /// Whether a body can be made of it.
    pub fn check(&self) -> Result<(), MeshError> {
        if self.cells.is_empty() {
            return Err(MeshError::Empty);
        }
        let mut used = vec![false; self.points.len()];
        for (number, cell) in self.cells.iter().enumerate() {
            for &point in cell.corners() {
                let count = self.points.len();
                *used.get_mut(point as usize).ok_or(MeshError::NoSuchPoint {
                    cell: number,
                    point,
                    count,
                })? = true;
            }
            if !self.turns_left(cell) {
                return Err(MeshError::Folded { cell: number, at: self.at(cell.corners()[0]) });
            }
        }
        match used.iter().position(|used| !used) {
            Some(point) => Err(MeshError::Loose { point, at: self.points[point] }),
            None => Ok(()),
        }
    }

    /// Whether an element turns left at every corner.
    fn turns_left(&self, cell: &Cell) -> bool {
        let corners = cell.corners();
        let count = corners.len();
        (0..count).all(|k| {
            let [before, here, after] =
                [k + count - 1, k, k + 1].map(|corner| self.at(corners[corner % count]));
            (here - before).perp_dot(after - here) > 0.0
        })
    }

    fn at(&self, point: u32) -> DVec2 {
        self.points[point as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    fn square(corners: [u32; 4]) -> SolidMesh {
        let points = vec![dvec2(0.0, 0.0), dvec2(1.0, 0.0), dvec2(1.0, 1.0), dvec2(0.0, 1.0)];
        SolidMesh { points, cells: vec![Cell::Quad(corners)] }
    }

    #[test]
    fn a_clockwise_element_is_turned_round() {
        let mut mesh = square([0, 3, 2, 1]);
        assert!(matches!(mesh.check(), Err(MeshError::Folded { cell: 0, .. })));
        assert!(mesh.orient());
        assert_eq!(mesh.check(), Ok(()));
        assert_eq!(mesh.area(), 1.0);
    }

    #[test]
    fn a_folded_element_a_loose_point_and_a_missing_one_are_refused() {
        assert!(matches!(square([0, 2, 1, 3]).check(), Err(MeshError::Folded { .. })));
        let mut loose = square([0, 1, 2, 3]);
        loose.points.push(dvec2(5.0, 5.0));
        assert!(matches!(loose.check(), Err(MeshError::Loose { point: 4, .. })));
        assert!(matches!(square([0, 1, 2, 7]).check(), Err(MeshError::NoSuchPoint { point: 7, .. })));
        assert_eq!(SolidMesh::default().check(), Err(MeshError::Empty));
    }
}
