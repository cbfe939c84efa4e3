//! Surfaces meshed by planar convex polygons, in the mesh's own frame.
//!
//! A [`PolygonMesh`] is made from a [`RawMesh`] by the mesh doctor ([`PolygonMesh::build`]), which mends what it
//! can and reports the rest, or from polygons known to be clean by [`PolygonMesh::from_polygons`].

mod cells;
mod doctor;
mod inside;
mod measure;
mod outlines;
mod topology;

pub use doctor::{Facing, Finding, FindingKind, MeshOptions, MeshReport, RawMesh, Severity};
pub use inside::InsideTest;
use outlines::Outlines;
pub use outlines::{Beside, InReach, OutlineLook};

pub(crate) use cells::Cells;
pub(crate) use doctor::unit_hint;

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Most corners of one element.
pub const MAX_CORNERS: usize = 8;

/// Relative precision of coordinates that were stored in single precision.
pub const SINGLE_PRECISION: f64 = 1.2e-7;

/// Relative precision of coordinates that were stored in double precision or as text.
pub const DOUBLE_PRECISION: f64 = 2.2e-16;

/// A surface of planar convex polygons, with its topology.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolygonMesh {
    /// Corners of the elements [m, mesh frame].
    pub vertices: Vec<DVec3>,
    /// The polygons.
    pub elements: Vec<Element>,
    /// Sides of the polygons, each once, sorted by their vertices.
    pub edges: Vec<Edge>,
    /// Whether bodies touch both sides; else only the side the normals point to.
    pub two_sided: bool,
    /// Relative precision of the coordinates in the source (ε_mesh).
    pub source_precision: f64,
    /// Planes that most elements are sorted out by.
    outlines: Outlines,
    /// Start of each vertex's row in `incident_elements`, and the end of the last.
    incident_starts: Vec<u32>,
    /// Elements around each vertex, row by row.
    incident_elements: Vec<u32>,
}

/// A planar convex polygon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// Vertex ids, counter-clockwise seen from the tip of the normal.
    pub vertices: Corners,
    /// Edge ids; edge k runs from corner k to corner k + 1.
    pub edges: Corners,
    /// Unit normal [mesh frame].
    pub normal: DVec3,
    /// normal · x of the points x of the polygon [m].
    pub offset: f64,
    /// The first corner [m, mesh frame].
    pub anchor: DVec3,
    /// Number of the connected coplanar group the element belongs to.
    pub patch: u32,
    /// Number of the named group of the source file the element belongs to.
    pub group: u16,
}

/// Three to eight ids, one per corner of a polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Corners {
    ids: [u32; MAX_CORNERS],
    len: u8,
}

impl Corners {
    /// The ids in a slice; none unless there are three to eight.
    pub fn new(ids: &[u32]) -> Option<Self> {
        if !(3..=MAX_CORNERS).contains(&ids.len()) {
            return None;
        }
        let mut corners = Self { ids: [0; MAX_CORNERS], len: ids.len() as u8 };
        corners.ids[..ids.len()].copy_from_slice(ids);
        Some(corners)
    }

    /// The ids, in order.
    pub fn as_slice(&self) -> &[u32] {
        &self.ids[..usize::from(self.len)]
    }
}

/// A side of one or more elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// Ids of the ends, ascending.
    pub vertices: [u32; 2],
    /// The elements that share the edge, ascending.
    pub elements: EdgeElements,
    /// How the surface bends here, seen from the side of the normals.
    pub kind: EdgeKind,
    /// Angle α between the normals of the two elements [rad], positive where the surface is convex; zero at a
    /// boundary.
    pub angle: f64,
}

/// The elements that share an edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EdgeElements {
    /// A free edge.
    One([u32; 1]),
    /// An edge between two elements.
    Two([u32; 2]),
    /// A non-manifold edge.
    Many(Vec<u32>),
}

impl EdgeElements {
    /// The ids of the elements, ascending.
    pub fn as_slice(&self) -> &[u32] {
        match self {
            Self::One(ids) => ids,
            Self::Two(ids) => ids,
            Self::Many(ids) => ids,
        }
    }
}

/// How the surface bends at an edge, seen from the side of the normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EdgeKind {
    /// A free edge, one shared by more than two elements, or one where the normals change sides.
    Boundary,
    /// The surface falls away beyond the edge.
    Convex,
    /// Both elements lie in one plane.
    Coplanar,
    /// The surface rises beyond the edge.
    Concave,
}
