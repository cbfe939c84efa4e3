//! A mesh as the surface of a wall, with a grid to find its elements.

use super::MaterialId;
use crate::math::FirstMet;
use crate::narrow_phase::{coplanar_tolerance, intersects};
use crate::shapes::mesh::{Beside, Cells, InsideTest, PolygonMesh};
use glam::DVec3;
use serde::Serialize;

/// A point of the unit ball off the axes and diagonals.
const OFF_LINES: DVec3 = DVec3::new(0.0713, 0.1129, 0.0);

/// A meshed surface, made ready for search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshSurface {
    /// Where it came from, for messages: a file or the name of a built-in shape.
    pub source: String,
    /// Polygons and their topology.
    #[serde(skip)]
    pub mesh: PolygonMesh,
    /// Material of each group of elements, by number.
    pub materials: Vec<MaterialId>,
    /// Whether facets fade in and out beside concave edges, instead of appearing at full depth.
    pub concave_blend: bool,
    /// Number that differs between meshes of different shape: it stands for the mesh where a scene is compared.
    pub fingerprint: u64,
    /// Diagonal of the box around the mesh [m].
    diagonal: f64,
    #[serde(skip)]
    cells: Cells,
}

impl MeshSurface {
    /// A mesh and the material of each of its groups; groups beyond `materials` take the last one.
    pub fn new(source: impl Into<String>, mesh: PolygonMesh, materials: Vec<MaterialId>) -> Self {
        let boxes = (0..mesh.elements.len()).map(|element| mesh.element_box(element)).collect();
        let diagonal = mesh.bounding_box().map_or(0.0, |(low, high)| (high - low).length());
        Self {
            source: source.into(),
            concave_blend: false,
            fingerprint: fingerprint(&mesh),
            cells: Cells::new(boxes),
            diagonal,
            materials,
            mesh,
        }
    }

    /// Puts into `found` the elements whose boxes meet a box [m, mesh frame], ascending; `marks` are those of the surface.
    pub(crate) fn elements_in(&self, corners: (DVec3, DVec3), found: &mut Vec<u32>, marks: &mut FirstMet) {
        self.cells.meeting_next(&corners, found, marks);
    }

    /// Marks for looking for elements in one box after the other.
    pub(crate) fn marks(&self) -> FirstMet {
        self.cells.marks()
    }

    /// Puts into `found` the elements that come within `reach` [m] of a point [m, mesh frame], ascending.
    pub fn elements_near(&self, point: DVec3, reach: f64, found: &mut Vec<u32>) {
        self.cells.meeting(&(point - reach, point + reach), found);
        found.retain(|&number| {
            let beside = self.mesh.beside(number, point, reach);
            self.is_within(number, beside, point, reach)
        });
    }

    /// Whether an element that a quick look found `beside` a point [m, mesh frame] is within `reach` [m] of it.
    pub fn is_within(&self, element: u32, beside: Beside, point: DVec3, reach: f64) -> bool {
        match beside {
            Beside::OutOfReach => false,
            Beside::Above => true,
            Beside::Unsure => intersects(&self.mesh, element, point, reach),
        }
    }

    /// Whether a point [m, mesh frame] is nearer to the surface than `reach` [m].
    pub fn is_near(&self, point: DVec3, reach: f64) -> bool {
        let mut found = Vec::new();
        self.elements_near(point, reach, &mut found);
        !found.is_empty()
    }

    /// Whether a ball [m, mesh frame] that does not reach the surface lies inside a closed mesh, whichever way the
    /// normals point.
    pub fn is_inside(&self, centre: DVec3, radius: f64) -> bool {
        // Any point of the ball may be asked: one off the lines on which regular meshes have their edges is no doubt.
        let point = centre + radius * OFF_LINES;
        InsideTest::with_cells(&self.mesh, &self.cells, self.diagonal).contains(point)
    }

    /// Whether the whole ball [m, mesh frame] lies inside a closed mesh.
    pub fn holds(&self, centre: DVec3, radius: f64) -> bool {
        !self.is_near(centre, radius) && self.is_inside(centre, radius)
    }

    /// Slack within which touches of a sphere of this radius [m] count as coplanar.
    pub fn tolerance(&self, radius: f64) -> f64 {
        coplanar_tolerance(self.mesh.source_precision, self.diagonal, radius)
    }

    /// Material of an element.
    pub fn material_of(&self, element: u32) -> Option<MaterialId> {
        let group = usize::from(self.mesh.elements[element as usize].group);
        self.materials.get(group).or(self.materials.last()).copied()
    }
}

/// FNV-1a over corners and elements: stable, and collisions are no danger here.
fn fingerprint(mesh: &PolygonMesh) -> u64 {
    let corners = mesh.vertices.iter().flat_map(|vertex| vertex.to_array()).map(f64::to_bits);
    let ids = mesh.elements.iter().flat_map(|element| element.vertices.as_slice()).map(|&id| u64::from(id));
    let groups = mesh.elements.iter().map(|element| u64::from(element.group));
    let words = corners.chain(ids).chain(groups).chain([u64::from(mesh.two_sided)]);
    let hash: u64 =
        words.fold(0xcbf2_9ce4_8422_2325, |hash: u64, word| (hash ^ word).wrapping_mul(0x100_0000_01b3));
    // TOML knows whole numbers up to 2⁶³ only.
    hash >> 1
}
