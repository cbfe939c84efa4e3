//! Polygons made ready for drawing: triangles, and the edges worth a line.

use breccia::output::triangulate::triangulate;
use breccia::output::vtk::PolyData;
use glam::DVec3;
use std::collections::HashMap;

/// Neighbouring polygons whose normals differ by more than 25 degrees have an edge worth drawing.
const COSINE_OF_FEATURE: f64 = 0.906;

/// What there is to draw of polygons.
#[derive(Default)]
pub struct Surface {
    /// Corners of triangles, three each.
    pub triangles: Vec<u32>,
    /// Cell of each triangle.
    pub triangle_cells: Vec<u32>,
    /// Ends of edges, two each; every edge once.
    pub edges: Vec<u32>,
    /// A cell of each edge.
    pub edge_cells: Vec<u32>,
    /// 1 where an edge is a boundary or a crease, 0 where it only divides.
    pub features: Vec<u32>,
}

impl Surface {
    /// Cuts and joins the polygons of some data, whose cells are numbered from `first_cell` on.
    pub fn of(data: &PolyData, first_cell: usize) -> Self {
        let mut surface = Self::default();
        let mut places: HashMap<(i64, i64), (usize, DVec3)> = HashMap::new();
        for (index, polygon) in data.polys.iter().enumerate() {
            let owner = (first_cell + index) as u32;
            let corners: Vec<DVec3> =
                polygon.iter().map(|&point| DVec3::from_array(data.points[point as usize])).collect();
            for triangle in triangulate(&corners) {
                surface.triangles.extend(triangle.map(|corner| polygon[corner] as u32));
                surface.triangle_cells.push(owner);
            }
            let normal = normal_of(&corners);
            for (i, &a) in polygon.iter().enumerate() {
                let b = polygon[(i + 1) % polygon.len()];
                surface.add_edge(&mut places, (a.min(b), a.max(b)), owner, normal);
            }
        }
        surface
    }

    /// Rims and creases.
    pub fn creases(&self) -> Vec<[u32; 2]> {
        let edges = self.edges.as_chunks::<2>().0.iter().zip(&self.features);
        edges.filter(|(_, is_feature)| **is_feature == 1).map(|(ends, _)| *ends).collect()
    }

    fn add_edge(
        &mut self,
        places: &mut HashMap<(i64, i64), (usize, DVec3)>,
        ends: (i64, i64),
        owner: u32,
        normal: DVec3,
    ) {
        if let Some(&(place, other)) = places.get(&ends) {
            let is_crease = normal.dot(other).abs() < COSINE_OF_FEATURE;
            self.features[place] = u32::from(is_crease);
            return;
        }
        places.insert(ends, (self.edge_cells.len(), normal));
        self.edges.extend([ends.0 as u32, ends.1 as u32]);
        self.edge_cells.push(owner);
        self.features.push(1);
    }
}

fn normal_of(corners: &[DVec3]) -> DVec3 {
    let n = corners.len();
    let sum: DVec3 = (0..n).map(|i| (corners[i] - corners[0]).cross(corners[(i + 1) % n] - corners[0])).sum();
    sum.normalize_or_zero()
}
