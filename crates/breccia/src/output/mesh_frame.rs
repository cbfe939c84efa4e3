//! Meshes at one instant, with what bodies do to them.

use super::WallMesh;
use super::frames::{index_data, names_by_id, vector_field};
use super::vtk::{Field, FieldData, PolyData};
use crate::diagnostics::{ElementLoad, MeshLoad};
use glam::DVec3;

/// One mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPiece {
    /// Wall index, stored as cell data `wall`.
    pub id: u16,
    /// Name; the file's `wall_names` has it at place `id`.
    pub name: String,
    /// Vertices and elements [m, world].
    pub mesh: WallMesh,
    /// Group of each element.
    pub groups: Vec<u16>,
    /// Coplanar patch of each element.
    pub patches: Vec<u32>,
    /// Loads on elements and vertices.
    pub load: MeshLoad,
}

/// Meshes at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshFrame {
    /// The meshes that are there.
    pub meshes: Vec<MeshPiece>,
}

impl MeshFrame {
    /// Elements as polygons with cell fields; forces at vertices as point field.
    pub fn to_poly_data(&self, time: f64) -> PolyData {
        let names = names_by_id(self.meshes.iter().map(|piece| (piece.id, piece.name.as_str())));
        let mut data = PolyData {
            time: Some(time),
            texts: vec![("wall_names".into(), names)],
            cell_fields: self.cell_fields(),
            point_fields: vec![self.nodal_forces()],
            ..PolyData::default()
        };
        for piece in &self.meshes {
            let first = data.points.len() as i64;
            data.points.extend(piece.mesh.points.iter().map(DVec3::to_array));
            for poly in &piece.mesh.polys {
                data.polys.push(poly.iter().map(|&point| first + i64::from(point)));
            }
        }
        data
    }

    fn cell_fields(&self) -> Vec<Field> {
        let pieces = || self.meshes.iter();
        let walls = pieces().flat_map(|piece| piece.mesh.polys.iter().map(|_| piece.id));
        let elements = pieces().flat_map(|piece| 0..piece.mesh.polys.len() as u32);
        let groups = pieces().flat_map(|piece| piece.groups.iter().copied());
        let patches = pieces().flat_map(|piece| piece.patches.iter().copied());
        let shear: Vec<DVec3> = self.loads().map(|load| load.shear_traction).collect();
        vec![
            Field::new("wall", 1, index_data(&walls.collect::<Vec<_>>())),
            Field::new("element", 1, FieldData::U32(elements.collect())),
            Field::new("group", 1, index_data(&groups.collect::<Vec<_>>())),
            Field::new("patch", 1, FieldData::U32(patches.collect())),
            self.scalar("normal_traction", |load| load.normal_traction),
            vector_field("shear_traction", &shear),
            self.scalar("contacts", |load| load.contacts),
            self.scalar("facet_share", |load| load.shares[0]),
            self.scalar("edge_share", |load| load.shares[1]),
            self.scalar("vertex_share", |load| load.shares[2]),
        ]
    }

    /// In double precision: other programs go on reckoning with them.
    fn nodal_forces(&self) -> Field {
        let forces = self.meshes.iter().flat_map(|piece| &piece.load.nodal_forces);
        Field::new("nodal_force", 3, FieldData::F64(forces.flat_map(|force| force.to_array()).collect()))
    }

    fn scalar(&self, name: &str, value: impl Fn(&ElementLoad) -> f64) -> Field {
        Field::new(name, 1, FieldData::F64(self.loads().map(value).collect()))
    }

    fn loads(&self) -> impl Iterator<Item = &ElementLoad> {
        self.meshes.iter().flat_map(|piece| &piece.load.elements)
    }
}
