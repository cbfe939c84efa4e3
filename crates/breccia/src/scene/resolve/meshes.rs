//! Meshes: read from their files, placed, mended by the mesh doctor, and made walls.

use super::bodies::Population;
use super::{Names, Notes, check, walls};
use crate::model::{Domain, MaterialId, MeshSurface, Surface, Wall, WallId};
use crate::motion::{Pose, PrescribedMotion};
use crate::scene::LoadedMesh;
use crate::scene::file::{FacingWord, MeshTable};
use crate::scene::mesh_files::{MeshFileError, read_mesh};
use crate::scene::suggest;
use crate::shapes::mesh::{
    Facing, FindingKind, MeshOptions, MeshReport, PolygonMesh, RawMesh, Severity, unit_hint,
};
use glam::DVec3;
use std::path::Path;
use std::sync::Arc;

/// What meshes depend on.
pub(super) struct MeshContext<'a> {
    pub(super) materials: &'a Names,
    pub(super) domain: &'a Domain,
    pub(super) folder: &'a Path,
}

/// Appends a wall for every mesh; names are shared with the walls before.
pub(super) fn resolve(
    tables: &[MeshTable],
    context: &MeshContext<'_>,
    walls: &mut Vec<Wall>,
    names: &mut Names,
    notes: &mut Notes,
) -> Vec<LoadedMesh> {
    let mut loaded = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        match &table.name {
            Some(name) => names.add_as("mesh", &name.value, &name.span, notes),
            None => names.add_as("mesh", &format!("mesh-{}", index + 1), &table.span, notes),
        }
        if walls.len() >= usize::from(u16::MAX) {
            let message = format!("at most {} walls and meshes are possible", u16::MAX);
            notes.error(table.span.clone(), message, "one too many");
            break;
        }
        let material = MaterialId(context.materials.find(&table.material, notes).unwrap_or(0) as u16);
        let wall = WallId(walls.len() as u16);
        let (surface, mesh) = resolve_surface(table, wall, material, context, notes);
        walls::warn_across_period("mesh", surface.mesh.bounding_box(), context.domain, &table.span, notes);
        let motion = |motion| walls::resolve_motion(motion, context.folder, notes);
        walls.push(Wall {
            name: names.name(walls.len()).to_owned(),
            material,
            surface: Surface::Mesh(Arc::new(surface)),
            motion: PrescribedMotion { parts: table.motion.iter().map(motion).collect() },
        });
        loaded.push(mesh);
    }
    loaded
}

/// The mesh as a surface; one without elements when its file cannot be read, which `notes` then says.
fn resolve_surface(
    table: &MeshTable,
    wall: WallId,
    material: MaterialId,
    context: &MeshContext<'_>,
    notes: &mut Notes,
) -> (MeshSurface, LoadedMesh) {
    let path = context.folder.join(&table.file.value);
    let options = options(table, notes);
    let place = Placing::new(table, notes);
    let raw = read_mesh(&path);
    let readable = raw.is_ok();
    let raw = raw.unwrap_or_else(|error| {
        report_file(&error, table, notes);
        RawMesh::default()
    });
    let groups = raw.group_names.clone();
    let materials = resolve_materials(
        table,
        &groups,
        readable,
        vec![material; groups.len().max(1)],
        context.materials,
        notes,
    );
    let (mesh, report) = PolygonMesh::build(place.apply(raw, table), &options);
    if readable {
        report_findings(table, &mesh, &report, notes);
    }
    let surface = MeshSurface::new(table.file.value.clone(), mesh, materials);
    (surface, LoadedMesh { wall, file: path, groups, report })
}

fn report_file(error: &MeshFileError, table: &MeshTable, notes: &mut Notes) {
    let message = format!("cannot use the mesh {}", error.what_and_where());
    notes.error_with_help(table.file.span.clone(), message, "named here", error.remedy.clone());
}

fn options(table: &MeshTable, notes: &mut Notes) -> MeshOptions {
    let facing = match table.facing.as_ref().map(|facing| facing.value) {
        None | Some(FacingWord::Outwards) => Facing::Outwards,
        Some(FacingWord::Inwards) => Facing::Inwards,
        Some(FacingWord::AsGiven | FacingWord::Reversed) => Facing::AsGiven,
    };
    let two_sided = table.two_sided.unwrap_or(false);
    if let Some(facing) = table.facing.as_ref().filter(|_| two_sided) {
        let help = "leave one of the two out";
        notes.warn(facing.span.clone(), "`facing` means nothing on a two-sided mesh", "no effect", help);
    }
    let tolerance = table.weld_tolerance.as_ref();
    let weld_tolerance = tolerance.map(|tolerance| check::positive("weld_tolerance", tolerance, notes));
    MeshOptions { two_sided, weld_tolerance, facing }
}

/// How points of the file come to their places.
struct Placing {
    factor: f64,
    pose: Pose,
}

impl Placing {
    fn new(table: &MeshTable, notes: &mut Notes) -> Self {
        let unit = table.unit.as_ref().map_or(1.0, |unit| unit.value.0);
        let scale = table.scale.as_ref().map_or(1.0, |scale| check::positive("scale", scale, notes));
        let turned = table.rotate.0.iter().fold(Pose::IDENTITY, |inner, turn| {
            let axis = check::direction("axis", &turn.axis, notes);
            Pose::from_turn(DVec3::ZERO, axis, turn.angle.value).compose(&inner)
        });
        let translation = table.translate.as_ref().map_or(DVec3::ZERO, |by| by.value);
        Self { factor: unit * scale, pose: Pose { translation, ..turned } }
    }

    fn apply(&self, mut raw: RawMesh, table: &MeshTable) -> RawMesh {
        for vertex in &mut raw.vertices {
            *vertex = self.pose.point_to_world(self.factor * *vertex);
        }
        if table.facing.as_ref().is_some_and(|facing| facing.value == FacingWord::Reversed) {
            raw.polygons.iter_mut().for_each(|polygon| polygon.reverse());
        }
        raw
    }
}

/// Materials of the groups of the file, of which `table` gives some.
fn resolve_materials(
    table: &MeshTable,
    groups: &[String],
    readable: bool,
    mut materials: Vec<MaterialId>,
    names: &Names,
    notes: &mut Notes,
) -> Vec<MaterialId> {
    let mut find = |name| MaterialId(names.find(name, notes).unwrap_or(0) as u16);
    let given: Vec<MaterialId> = table.groups.iter().map(|group| find(&group.material)).collect();
    for (place, (group, material)) in table.groups.iter().zip(given).enumerate() {
        let name = &group.name;
        if table.groups[..place].iter().any(|earlier| earlier.name.value == name.value) {
            let message = format!("the group `{}` is given twice", name.value);
            notes.error(name.span.clone(), message, "given before");
        }
        match groups.iter().position(|known| *known == name.value) {
            Some(number) => materials[number] = material,
            None if readable => report_unknown_group(&name.value, groups, name.span.clone(), notes),
            None => {}
        }
    }
    materials
}

fn report_unknown_group(name: &str, groups: &[String], span: crate::scene::error::Span, notes: &mut Notes) {
    let message = format!("the mesh has no group `{name}`");
    let help = if groups.is_empty() {
        "the file names no groups: in STL they are solids, in OBJ `g` lines, in gmsh physical surfaces"
            .to_owned()
    } else {
        suggest::list("groups of the file: ", groups.iter().map(String::as_str))
    };
    notes.error_with_help(span, message, "no such group", help);
}

/// Turns what the doctor found into mistakes and warnings.
fn report_findings(table: &MeshTable, mesh: &PolygonMesh, report: &MeshReport, notes: &mut Notes) {
    for finding in &report.findings {
        match finding.severity {
            Severity::MustFix => {
                let help = "mend it in the program the mesh was made with, and export it again";
                notes.error_with_help(
                    table.span.clone(),
                    finding.to_string(),
                    "this mesh cannot be used",
                    help,
                );
            }
            Severity::Mended | Severity::Note if is_remarkable(finding.kind, table) => {
                let (label, help) = match finding.severity {
                    Severity::Mended => {
                        ("mended here", "the run goes on with the mended mesh; the file is as it was")
                    }
                    _ => ("found in this mesh", "`breccia check` shows all that is known of a mesh"),
                };
                notes.warn(table.span.clone(), finding.to_string(), label, help);
            }
            _ => {}
        }
    }
    if !mesh.elements.is_empty() && !mesh.is_closed() {
        warn_open(table, report, notes);
    }
}

/// Whether a finding that needs no action is worth a warning.
fn is_remarkable(kind: FindingKind, table: &MeshTable) -> bool {
    match kind {
        // Size is judged together with the spheres, holes together with `facing`; welding is the rule.
        FindingKind::Size | FindingKind::Welded | FindingKind::Hole => false,
        // Who says which way a body faces expects that it is turned.
        FindingKind::InsideOut => table.facing.is_none(),
        _ => true,
    }
}

/// The sides of an open surface are those of the file: its author must know.
fn warn_open(table: &MeshTable, report: &MeshReport, notes: &mut Notes) {
    let word = table.facing.as_ref().map(|facing| facing.value);
    let knows = matches!(word, Some(FacingWord::AsGiven | FacingWord::Reversed));
    if knows || table.two_sided == Some(true) {
        return;
    }
    let holes = report.find(FindingKind::Hole).map_or_else(String::new, |hole| format!(": {hole}"));
    let message = format!("this mesh is open, so that nothing is inside or outside of it{holes}");
    let help = "bodies touch the side that the normals of the file point to: write facing = \"as-given\" where that is \
                right, \"reversed\" where it is not, or two_sided = true; a body meant to be closed must be repaired";
    notes.warn(table.span.clone(), message, "one-sided", help);
}

/// A mesh larger than so many diameters of the largest sphere looks like one in millimetres.
const MOST_DIAMETERS: f64 = 1000.0;

/// A mesh smaller than such a part of the smallest diameter looks like one that was scaled down too much.
const LEAST_DIAMETERS: f64 = 0.1;

/// Warns where the size of a mesh looks wrong, by itself or beside the spheres.
pub(super) fn warn_sizes(
    tables: &[MeshTable],
    loaded: &[LoadedMesh],
    walls: &[Wall],
    population: &Population,
    notes: &mut Notes,
) {
    let (least, most) = population.radii();
    for (table, mesh) in tables.iter().zip(loaded) {
        let surface = &walls[usize::from(mesh.wall.0)].surface;
        let Some((low, high)) = surface.bounding_box() else { continue };
        let (size, diagonal) = (high - low, (high - low).length());
        let unit_is_given = table.unit.is_some() || table.scale.is_some();
        let question = if diagonal > MOST_DIAMETERS * 2.0 * most && !unit_is_given {
            Some(format!(
                "the largest sphere has a radius of {most} m: a file in millimetres needs unit = \"mm\""
            ))
        } else if diagonal < LEAST_DIAMETERS * 2.0 * least {
            Some(format!("the smallest sphere has a radius of {least} m: look at `unit` and `scale`"))
        } else {
            unit_hint(diagonal).map(str::to_owned)
        };
        if let Some(question) = question {
            let message = format!("this mesh measures {} × {} × {} m", size.x, size.y, size.z);
            let help = format!("{question}; write unit = \"m\" if it is right");
            notes.warn(table.file.span.clone(), message, "is its unit right?", help);
        }
    }
}
