//! Frames of a run as VTK files: `frames/spheres_000012.vtp`, `contacts_…`, `walls_…`, `meshes_…`, `bonds_…`,
//! `grains_…`, `solids_…`, one `.pvd` per kind.
//!
//! Positions and radii are in double precision; other vectors in single precision, which halves the files.
//! The exact state is in checkpoints.

use super::vtk::{Cells, Field, FieldData, PolyData, Pvd};
use super::{BondFrame, MeshFrame, OutputError, RunFolder, WallMesh};
use glam::{DQuat, DVec3};
use std::fs;
use std::path::PathBuf;

/// Spheres at one instant; all arrays have one entry per sphere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SphereFrame {
    /// Stable ids.
    pub ids: Vec<u32>,
    /// Centres [m, world].
    pub positions: Vec<DVec3>,
    /// Radii [m].
    pub radii: Vec<f64>,
    /// Velocities of the centres [m/s, world].
    pub velocities: Vec<DVec3>,
    /// Angular velocities [rad/s, world].
    pub spins: Vec<DVec3>,
    /// Resultant forces [N, world].
    pub forces: Vec<DVec3>,
    /// Resultant torques about the centres [N m, world].
    pub torques: Vec<DVec3>,
    /// Material indices.
    pub materials: Vec<u16>,
    /// Group indices.
    pub groups: Vec<u16>,
    /// world_from_body rotations, where they are followed.
    pub orientations: Option<Vec<DQuat>>,
    /// Id of the first sphere of the clump each sphere belongs to, or its own; in runs with clumps.
    pub clumps: Option<Vec<u32>>,
    /// Number of the fragment each sphere belongs to, and the number of its spheres; in runs with bonds.
    pub fragments: Option<Vec<[u32; 2]>>,
}

/// Contacts at one instant, drawn as lines between `ends`; all arrays have one entry per contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactFrame {
    /// Ends of the line [m, world]: centre to centre, or centre to the contact point on a wall.
    pub ends: Vec<[DVec3; 2]>,
    /// Ids of the two sides, as in the contact key; a wall's index where `walls` says so.
    pub keys: Vec<[u32; 2]>,
    /// Whether the second side is a wall (1) or a body (0).
    pub walls: Vec<u8>,
    /// Normal forces [N], positive in compression.
    pub normal_forces: Vec<f64>,
    /// Tangential forces on the first side [N, world].
    pub tangential_forces: Vec<DVec3>,
    /// Overlaps [m], positive when touching.
    pub overlaps: Vec<f64>,
}

/// Surface of one wall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallSurface {
    /// Wall index, stored as cell data `wall`.
    pub id: u16,
    /// Name; the file's `wall_names` has it at place `id`.
    pub name: String,
    /// Points and polygons [m, world].
    pub mesh: WallMesh,
}

/// Walls with analytic surfaces at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallFrame {
    /// Surfaces.
    pub walls: Vec<WallSurface>,
}

/// What is written together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameSet {
    /// Instant [s].
    pub time: f64,
    /// Spheres.
    pub spheres: Option<SphereFrame>,
    /// Contacts.
    pub contacts: Option<ContactFrame>,
    /// Walls.
    pub walls: Option<WallFrame>,
    /// Meshes.
    pub meshes: Option<MeshFrame>,
    /// Bonds.
    pub bonds: Option<BondFrame>,
    /// Outlines of grains.
    pub grains: Option<PolyData>,
    /// Elements of deformable solids.
    pub solids: Option<PolyData>,
}

impl SphereFrame {
    /// Points with fields.
    pub fn to_poly_data(&self, time: f64) -> PolyData {
        let mut point_fields = vec![
            Field::new("id", 1, FieldData::U32(self.ids.clone())),
            Field::new("radius", 1, FieldData::F64(self.radii.clone())),
            vector_field("velocity", &self.velocities),
            vector_field("spin", &self.spins),
            vector_field("force", &self.forces),
            vector_field("torque", &self.torques),
            Field::new("material", 1, index_data(&self.materials)),
            Field::new("group", 1, index_data(&self.groups)),
        ];
        if let Some(orientations) = &self.orientations {
            let values = orientations.iter().flat_map(|q| q.to_array()).map(|x| x as f32).collect();
            point_fields.push(Field::new("orientation_xyzw", 4, FieldData::F32(values)));
        }
        if let Some(clumps) = &self.clumps {
            point_fields.push(Field::new("clump", 1, FieldData::U32(clumps.clone())));
        }
        if let Some(fragments) = &self.fragments {
            let part = |which: usize| FieldData::U32(fragments.iter().map(|pair| pair[which]).collect());
            point_fields.push(Field::new("fragment", 1, part(0)));
            point_fields.push(Field::new("fragment_size", 1, part(1)));
        }
        PolyData {
            time: Some(time),
            points: self.positions.iter().map(DVec3::to_array).collect(),
            vertices: Cells::one_per_point(self.positions.len()),
            point_fields,
            ..PolyData::default()
        }
    }
}

impl ContactFrame {
    /// Lines with cell fields.
    pub fn to_poly_data(&self, time: f64) -> PolyData {
        let mut lines = Cells::default();
        for line in 0..self.ends.len() as i64 {
            lines.push([2 * line, 2 * line + 1]);
        }
        let side = |which: usize| FieldData::U32(self.keys.iter().map(|key| key[which]).collect());
        PolyData {
            time: Some(time),
            points: self.ends.iter().flatten().map(DVec3::to_array).collect(),
            lines,
            cell_fields: vec![
                Field::new("id_a", 1, side(0)),
                Field::new("id_b", 1, side(1)),
                Field::new("b_is_wall", 1, FieldData::U8(self.walls.clone())),
                Field::new("normal_force", 1, FieldData::F64(self.normal_forces.clone())),
                vector_field("tangential_force", &self.tangential_forces),
                Field::new("overlap", 1, FieldData::F64(self.overlaps.clone())),
            ],
            ..PolyData::default()
        }
    }
}

impl WallFrame {
    /// Polygons with the wall's index as cell field.
    pub fn to_poly_data(&self, time: f64) -> PolyData {
        let mut data = PolyData { time: Some(time), ..PolyData::default() };
        let mut wall_of_cell = Vec::new();
        for wall in &self.walls {
            let first = data.points.len() as i64;
            data.points.extend(wall.mesh.points.iter().map(DVec3::to_array));
            for poly in &wall.mesh.polys {
                data.polys.push(poly.iter().map(|&point| first + i64::from(point)));
                wall_of_cell.push(u32::from(wall.id));
            }
        }
        let names = self.walls.iter().map(|wall| (wall.id, wall.name.as_str()));
        data.texts.push(("wall_names".into(), names_by_id(names)));
        data.cell_fields.push(Field::new("wall", 1, FieldData::U32(wall_of_cell)));
        data
    }
}

/// Names by wall index, empty where a wall is not shown.
pub(super) fn names_by_id<'a>(walls: impl Iterator<Item = (u16, &'a str)> + Clone) -> Vec<String> {
    let count = walls.clone().map(|(id, _)| usize::from(id) + 1).max().unwrap_or(0);
    let mut names = vec![String::new(); count];
    for (id, name) in walls {
        names[usize::from(id)] = name.to_owned();
    }
    names
}

/// Frames of a run on disk, numbered from 0.
#[derive(Debug)]
pub struct FrameSeries {
    frames: PathBuf,
    collections: [Pvd; KINDS.len()],
    next_index: usize,
}

/// Kinds of frames: names of files and collections.
pub const KINDS: [&str; 7] = ["spheres", "contacts", "walls", "meshes", "bonds", "grains", "solids"];

impl FrameSeries {
    /// Starts a series.
    pub fn create(folder: &RunFolder) -> Self {
        let collections = KINDS.map(|kind| Pvd::new(folder.collection(kind)));
        Self { frames: folder.frames(), collections, next_index: 0 }
    }

    /// Continues a series after a restart at `time` [s]: later frames are dropped from the collections and
    /// their files removed.
    pub fn resume(folder: &RunFolder, time: f64) -> Result<Self, OutputError> {
        let mut series = Self::create(folder);
        for (collection, kind) in series.collections.iter_mut().zip(KINDS) {
            let (resumed, dropped) = Pvd::resume(folder.collection(kind), time)?;
            for file in dropped {
                remove_frame(folder.root().join(file))?;
            }
            let index = resumed.frames().last().and_then(|(_, file)| index_in(file));
            series.next_index = series.next_index.max(index.map_or(0, |last| last + 1));
            *collection = resumed;
        }
        Ok(series)
    }

    /// Number of the next frame.
    pub fn next_index(&self) -> usize {
        self.next_index
    }

    /// Time of the last sphere frame [s].
    pub fn last_time(&self) -> Option<f64> {
        self.collections[0].frames().last().map(|&(time, _)| time)
    }

    /// Writes what is there, then the collections.
    pub fn write(&mut self, set: &FrameSet) -> Result<(), OutputError> {
        let data = [
            set.spheres.as_ref().map(|frame| frame.to_poly_data(set.time)),
            set.contacts.as_ref().map(|frame| frame.to_poly_data(set.time)),
            set.walls.as_ref().map(|frame| frame.to_poly_data(set.time)),
            set.meshes.as_ref().map(|frame| frame.to_poly_data(set.time)),
            set.bonds.as_ref().map(|frame| frame.to_poly_data(set.time)),
            set.grains.clone(),
            set.solids.clone(),
        ];
        for ((data, collection), kind) in data.iter().zip(&mut self.collections).zip(KINDS) {
            let Some(data) = data else { continue };
            let file = format!("{kind}_{:06}.vtp", self.next_index);
            data.write(&self.frames.join(&file))?;
            collection.push(set.time, format!("frames/{file}"))?;
        }
        self.next_index += 1;
        Ok(())
    }
}

/// `frames/spheres_000012.vtp` → 12.
fn index_in(file: &str) -> Option<usize> {
    file.strip_suffix(".vtp")?.rsplit('_').next()?.parse().ok()
}

fn remove_frame(path: PathBuf) -> Result<(), OutputError> {
    match fs::remove_file(&path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            Err(OutputError::io("remove", &path, cause))
        }
        _ => Ok(()),
    }
}

pub(super) fn vector_field(name: &str, vectors: &[DVec3]) -> Field {
    let values = vectors.iter().flat_map(|v| v.to_array()).map(|x| x as f32).collect();
    Field::new(name, 3, FieldData::F32(values))
}

pub(super) fn index_data(indices: &[u16]) -> FieldData {
    FieldData::U32(indices.iter().map(|&index| u32::from(index)).collect())
}
