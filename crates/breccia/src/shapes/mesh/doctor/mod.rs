//! The mesh doctor: mends what it can, and says what it mended and what the user must.

mod crossings;
mod draft;
mod edges;
mod orient;
mod polygons;
mod report;
mod t_junctions;
mod weld;

pub use report::{Finding, FindingKind, MeshReport, Severity};

use super::PolygonMesh;
use draft::Draft;
use glam::DVec3;

/// A mesh longer than this looks like one in millimetres [m].
const LARGEST_USUAL: f64 = 100.0;

/// A mesh shorter than this looks like one in kilometres or inches [m].
const SMALLEST_USUAL: f64 = 1e-3;

/// Polygons as a file has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawMesh {
    /// Points [m, mesh frame].
    pub vertices: Vec<DVec3>,
    /// Vertex ids in order around each polygon.
    pub polygons: Vec<Vec<u32>>,
    /// Group of each polygon; those missing are in group 0.
    pub groups: Vec<u16>,
    /// Names of the groups, by number.
    pub group_names: Vec<String>,
    /// Relative precision of the coordinates (ε_mesh).
    pub precision: f64,
}

/// Which way the normals of closed bodies point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Facing {
    /// Outwards: bodies touch an obstacle from outside.
    #[default]
    Outwards,
    /// Inwards: the body is a container.
    Inwards,
    /// As most elements of each connected surface have it in the source.
    AsGiven,
}

/// What the doctor is told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshOptions {
    /// Whether bodies touch both sides of the surface.
    pub two_sided: bool,
    /// Vertices closer than this are one [m]; by default max(1e-9, 8 ε_mesh) times the diagonal of the box.
    pub weld_tolerance: Option<f64>,
    /// Which way one-sided closed bodies face.
    pub facing: Facing,
}

impl PolygonMesh {
    /// Mends a mesh and finds its topology.
    ///
    /// A mesh with findings that the user must mend is returned all the same; do not run with it.
    pub fn build(raw: RawMesh, options: &MeshOptions) -> (Self, MeshReport) {
        let precision = raw.precision;
        let mut draft = Draft::new(raw, options);
        weld::weld(&mut draft);
        draft.drop_degenerate();
        t_junctions::join_t_junctions(&mut draft);
        polygons::split_polygons(&mut draft);
        draft.drop_duplicates();
        draft.drop_unused_vertices();
        orient::orient(&mut draft, options);
        let Draft { vertices, polygons, tolerance, mut report, .. } = draft;
        let groups: Vec<u16> = polygons.iter().map(|polygon| polygon.group).collect();
        let polygons: Vec<Vec<u32>> = polygons.into_iter().map(|polygon| polygon.ids).collect();
        let mesh = Self::from_checked(vertices, &polygons, &groups, options.two_sided, precision);
        edges::find_non_manifold(&mesh, &mut report);
        edges::find_holes(&mesh, &mut report);
        crossings::find_crossings(&mesh, tolerance, &mut report);
        note_size(&mesh, &mut report);
        (mesh, report)
    }
}

/// Says how large the mesh is, and when that looks wrong.
fn note_size(mesh: &PolygonMesh, report: &mut MeshReport) {
    let Some((low, high)) = mesh.bounding_box() else {
        let text = "no element is left: is this a surface mesh?".to_owned();
        report.add(FindingKind::Size, Severity::MustFix, &[DVec3::ZERO], text);
        return;
    };
    let (size, diagonal) = (high - low, (high - low).length());
    let hint = unit_hint(diagonal).map_or_else(String::new, |hint| format!("; {hint}"));
    let text = format!(
        "{} elements in a box of {:.4} × {:.4} × {:.4} m from {:.4} {:.4} {:.4}{hint}",
        mesh.elements.len(),
        size.x,
        size.y,
        size.z,
        low.x,
        low.y,
        low.z
    );
    report.add(FindingKind::Size, Severity::Note, &[low], text);
}

/// What to ask about the unit of a mesh whose box has such a diagonal [m]; nothing where it looks right.
pub(crate) fn unit_hint(diagonal: f64) -> Option<&'static str> {
    if diagonal > LARGEST_USUAL {
        Some("that is large: a file in millimetres needs scale = 0.001")
    } else if diagonal < SMALLEST_USUAL {
        Some("that is small: is the file in metres?")
    } else {
        None
    }
}
