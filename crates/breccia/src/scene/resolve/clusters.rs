//! Kinds of bonds, templates, and the clusters that groups of bodies are made of.

use super::{Names, Notes, check};
use crate::model::{BondKind, BondKindId, BondStiffness, MeshSurface};
use crate::motion::Pose;
use crate::scene::cluster::{Cluster, ClusterUse, Orientation};
use crate::scene::file::{
    BondTable, Filling, OrientationChoice, TemplateFileTable, TemplateKind, TemplateMeshTable, TemplateTable,
};
use crate::scene::mesh_files::read_mesh;
use crate::scene::numeric_table::{Column, NumericTable};
use crate::scene::random::{RandomStream, entry_seed};
use crate::scene::read::{Located, Text};
use crate::shapes::mesh::{MeshOptions, PolygonMesh};
use crate::shapes::template::{FillLattice, Template, fill_lattice, fill_relaxed};
use glam::{DQuat, DVec3};
use std::path::Path;
use std::sync::Arc;

/// Gap within which spheres are bonded unless given: on lattices and in packings [–].
const GAPS: (f64, f64) = (0.05, 0.1);
/// Most spheres of a template.
const MOST_SPHERES: u64 = 200_000;
/// Most spheres of a rigid template, whose union is integrated.
const MOST_RIGID: u64 = 10_000;
/// Most spheres of a packing, which takes time as their square.
const MOST_PACKED: u64 = 2000;

/// Kinds of bonds and what clusters take from them besides.
pub(super) struct Bonds {
    pub(super) kinds: Vec<BondKind>,
    names: Names,
    sections: Vec<Section>,
}

/// What a bond's table says of single bonds.
struct Section {
    radius_factor: f64,
    weibull_modulus: Option<f64>,
}

pub(super) fn resolve_bonds(tables: &[BondTable], notes: &mut Notes) -> Bonds {
    let mut bonds = Bonds { kinds: Vec::new(), names: Names::new("bond"), sections: Vec::new() };
    if let Some(extra) = tables.get(usize::from(u16::MAX)) {
        notes.error(extra.span.clone(), "too many [[bond]] tables", "one too many");
    }
    for table in tables.iter().take(usize::from(u16::MAX)) {
        bonds.names.add(&table.name.value, &table.name.span, notes);
        bonds.kinds.push(resolve_kind(table, notes));
        let factor = table.radius_factor.as_ref();
        let modulus = table.weibull_modulus.as_ref();
        bonds.sections.push(Section {
            radius_factor: factor.map_or(1.0, |factor| check::positive("radius_factor", factor, notes)),
            weibull_modulus: modulus
                .map(|modulus| check::within("weibull_modulus", modulus, 0.2, 1e4, notes)),
        });
    }
    bonds
}

fn resolve_kind(table: &BondTable, notes: &mut Notes) -> BondKind {
    let stiffness = match (&table.young_modulus, &table.stiffness) {
        (Some(modulus), None) => {
            if modulus.value.is_infinite() {
                notes.error(modulus.span.clone(), "bonds cannot be rigid: give a finite modulus", "infinite");
            }
            BondStiffness::Modulus(check::positive("young_modulus", modulus, notes))
        }
        (None, Some(stiffness)) => BondStiffness::PerArea(check::positive("stiffness", stiffness, notes)),
        _ => {
            let message = "give exactly one of `young_modulus` and `stiffness`";
            let help = "for instance `young_modulus = \"50 MPa\"`";
            notes.error_with_help(table.span.clone(), message, "how stiff are these bonds?", help);
            BondStiffness::Modulus(1.0)
        }
    };
    let (ratio, damping) = (table.stiffness_ratio.as_ref(), table.damping_ratio.as_ref());
    let (tensile, shear) = (table.tensile_strength.as_ref(), table.shear_strength.as_ref());
    BondKind {
        name: table.name.value.clone(),
        stiffness,
        stiffness_ratio: ratio.map_or(2.5, |ratio| check::positive("stiffness_ratio", ratio, notes)),
        tensile_strength: tensile
            .map_or(f64::INFINITY, |strength| check::positive("tensile_strength", strength, notes)),
        shear_strength: shear
            .map_or(f64::INFINITY, |strength| check::positive("shear_strength", strength, notes)),
        damping_ratio: damping.map_or(0.05, |ratio| check::within("damping_ratio", ratio, 0.0, 1.0, notes)),
    }
}

/// The templates of a scene, made into clusters.
pub(super) struct Templates {
    clusters: Vec<Arc<Cluster>>,
    names: Names,
}

pub(super) fn resolve_templates(
    tables: &[TemplateTable],
    bonds: &Bonds,
    folder: &Path,
    seed: u64,
    notes: &mut Notes,
) -> Templates {
    let mut templates = Templates { clusters: Vec::new(), names: Names::new("template") };
    for table in tables {
        templates.names.add(&table.name.value, &table.name.span, notes);
        let hold = hold_of(table, bonds, notes);
        let shape = make_template(&table.kind, folder, seed, notes);
        templates.clusters.push(Arc::new(match (shape, hold) {
            (Some(shape), Hold::Bond(bond)) => bonded(table, shape, bond, bonds, notes),
            (Some(shape), Hold::Rigid) => rigid(table, shape, notes),
            (None, _) | (_, Hold::Wrong) => nothing(),
        }));
    }
    templates
}

/// What holds a template together.
enum Hold {
    /// Bonds of a kind.
    Bond(usize),
    /// It is rigid.
    Rigid,
    /// This has been noted as a mistake.
    Wrong,
}

fn hold_of(table: &TemplateTable, bonds: &Bonds, notes: &mut Notes) -> Hold {
    let rigid = table.rigid.as_ref().filter(|rigid| rigid.value);
    match (&table.bond, rigid) {
        (Some(bond), None) => bonds.names.find(bond, notes).map_or(Hold::Wrong, Hold::Bond),
        (None, Some(_)) => {
            if let Some(gap) = &table.gap {
                let message = "`gap` is for bonds, and a rigid template has none";
                notes.error_with_help(gap.span.clone(), message, "no effect", "leave it out");
            }
            Hold::Rigid
        }
        (None, None) => {
            let message = "what holds this template together?";
            let help = "give it a `bond`, which can break, or write `rigid = true` for a clump";
            notes.error_with_help(table.span.clone(), message, "neither `bond` nor `rigid`", help);
            Hold::Wrong
        }
        (Some(_), Some(rigid)) => {
            let message = "a template has either a `bond` or is `rigid`";
            notes.error_with_help(rigid.span.clone(), message, "both are given", "leave one of them out");
            Hold::Wrong
        }
    }
}

fn rigid(table: &TemplateTable, shape: Template, notes: &mut Notes) -> Cluster {
    if shape.spheres.len() as u64 > MOST_RIGID {
        let message = format!("a rigid template may have {MOST_RIGID} spheres at most");
        notes.error(table.span.clone(), message, "too many");
        return nothing();
    }
    Cluster::rigid(table.name.value.clone(), shape)
}

/// Stands for a cluster that is wrong, which has been noted; fits anywhere, so that nothing more is said of it.
fn nothing() -> Cluster {
    Cluster::new(String::new(), Template::new(Vec::new()), 0.0, BondKindId(0))
}

/// Whether neighbours do not all touch.
fn is_irregular(kind: &TemplateKind) -> bool {
    match kind {
        TemplateKind::Packing(_) => true,
        TemplateKind::Mesh(mesh) => mesh.arrangement == Some(Filling::Relaxed),
        _ => false,
    }
}

fn bonded(table: &TemplateTable, shape: Template, bond: usize, bonds: &Bonds, notes: &mut Notes) -> Cluster {
    let usual = if is_irregular(&table.kind) { GAPS.1 } else { GAPS.0 };
    let gap = table.gap.as_ref().map_or(usual, |gap| check::within("gap", gap, -0.95, 1.0, notes));
    let (count, mut cluster) = (
        shape.spheres.len(),
        Cluster::new(table.name.value.clone(), shape.clone(), gap, BondKindId(bond as u16)),
    );
    let parts = shape.parts(&cluster.bonds);
    if parts != 1 {
        let message = format!(
            "the template `{}` does not hang together: its {count} spheres fall into {parts} parts",
            table.name.value
        );
        let help = "bonds join spheres whose centres are within (1 + gap) times their radii: make `gap` larger, or \
                    move the spheres together";
        let span = table.gap.as_ref().map_or(&table.span, |gap| &gap.span);
        notes.error_with_help(span.clone(), message, "not connected", help);
    }
    if let Some(section) = bonds.sections.get(bond) {
        cluster.radius_factor = section.radius_factor;
        cluster.weibull_modulus = section.weibull_modulus;
    }
    cluster
}

/// The spheres of a template; none when something is wrong with them, which `notes` then says.
fn make_template(kind: &TemplateKind, folder: &Path, seed: u64, notes: &mut Notes) -> Option<Template> {
    let length = |radius, notes: &mut Notes| {
        let value = check::positive("radius", radius, notes);
        (value > 0.0).then_some(value)
    };
    match kind {
        TemplateKind::Cube(cube) => {
            let n = count(&cube.n, 3, MOST_SPHERES, notes)?;
            Some(Template::cube(n, length(&cube.radius, notes)?))
        }
        TemplateKind::Octahedron(octahedron) => {
            Some(Template::octahedron(length(&octahedron.radius, notes)?))
        }
        TemplateKind::Rod(rod) => {
            let n = count(&rod.n, 1, MOST_SPHERES, notes)?;
            Some(Template::rod(n, length(&rod.radius, notes)?))
        }
        TemplateKind::Packing(packing) => {
            let n = count(&packing.n, 1, MOST_PACKED, notes)?;
            let radius = length(&packing.radius, notes)?;
            let mut stream = RandomStream::new(entry_seed(packing.seed.unwrap_or(seed), n as usize));
            Some(Template::packing(n, radius, &mut || stream.unit()))
        }
        TemplateKind::Tablet(tablet) => {
            let radius = length(&tablet.radius, notes)?;
            let rim = tablet.rim_radius.as_ref();
            let rim = rim.map_or(0.5 * radius, |rim| check::positive("rim_radius", rim, notes));
            let rings = tablet.rings.as_ref();
            if let Some(rings) = rings.filter(|rings| rings.value > 100) {
                notes.error(rings.span.clone(), "at most 100 `rings` are possible", "too many");
                return None;
            }
            if let Some(given) = tablet.rim_radius.as_ref().filter(|_| rim > radius || rim < 0.02 * radius) {
                let message = "`rim_radius` must be between 0.02 `radius` and `radius`";
                notes.error(given.span.clone(), message, "out of range");
                return None;
            }
            Some(Template::tablet(radius, rings.map_or(1, |rings| rings.value as u32), rim))
        }
        TemplateKind::File(file) => from_file(file, folder, notes),
        TemplateKind::Mesh(mesh) => from_mesh(mesh, folder, seed, notes),
    }
}

/// A number of spheres along an edge of which `power` edges make the body, at least two.
fn count(n: &Located<u64>, power: u32, most: u64, notes: &mut Notes) -> Option<u32> {
    if n.value < 2 {
        notes.error(n.span.clone(), "a cluster needs two spheres or more", "`n` must be at least 2");
        return None;
    }
    if n.value.checked_pow(power).is_none_or(|total| total > most) {
        let message = format!("a template of this kind may have {most} spheres at most");
        notes.error(n.span.clone(), message, "too many");
        return None;
    }
    Some(n.value as u32)
}

const COLUMNS: &[Column] = &[("x", true), ("y", true), ("z", true), ("r", true)];

fn from_file(table: &TemplateFileTable, folder: &Path, notes: &mut Notes) -> Option<Template> {
    let scale = table.scale.as_ref().map_or(1.0, |scale| check::positive("scale", scale, notes));
    let numbers = match NumericTable::load(&folder.join(&table.file.value), COLUMNS) {
        Ok(numbers) => numbers,
        Err(problem) => {
            notes.push_at_if_nowhere(problem, &table.file.span);
            return None;
        }
    };
    if numbers.rows().len() < 2 {
        let message = format!("a cluster needs two spheres or more, this table has {}", numbers.rows().len());
        notes.error(table.file.span.clone(), message, "too few spheres");
        return None;
    }
    let mut spheres = Vec::new();
    for row in numbers.rows() {
        let value = |column: usize| scale * row.values[column].unwrap_or(0.0);
        if value(3) <= 0.0 {
            notes.push(numbers.problem(row, "the radius `r` must be greater than zero", "in this row"));
            return None;
        }
        spheres.push((DVec3::new(value(0), value(1), value(2)), value(3)));
    }
    Some(Template::new(spheres))
}

fn from_mesh(table: &TemplateMeshTable, folder: &Path, seed: u64, notes: &mut Notes) -> Option<Template> {
    let unit = table.unit.as_ref().map_or(1.0, |unit| unit.value.0);
    let scale = table.scale.as_ref().map_or(1.0, |scale| check::positive("scale", scale, notes));
    let radius = check::positive("radius", &table.radius, notes);
    let mut raw = match read_mesh(&folder.join(&table.file.value)) {
        Ok(raw) => raw,
        Err(error) => {
            let message = format!("cannot use the mesh {}", error.what_and_where());
            notes.error_with_help(table.file.span.clone(), message, "named here", error.remedy.clone());
            return None;
        }
    };
    raw.vertices.iter_mut().for_each(|vertex| *vertex *= unit * scale);
    let (mesh, _) = PolygonMesh::build(raw, &MeshOptions::default());
    let bounds = mesh.bounding_box().filter(|_| mesh.is_closed());
    let Some(bounds) = bounds else {
        let help = "repair the file so that the surface has no holes; `breccia check` of a scene with it as [[mesh]] \
                    tells where they are";
        let message = "a template needs a closed mesh, and this one is open";
        notes.error_with_help(table.file.span.clone(), message, "nothing is inside", help);
        return None;
    };
    if radius <= 0.0 || scale <= 0.0 {
        return None;
    }
    let surface = MeshSurface::new(table.file.value.clone(), mesh, Vec::new());
    let holds = |centre: DVec3, radius: f64| surface.holds(centre, radius);
    let filled = match table.arrangement.unwrap_or(Filling::Lattice(FillLattice::Fcc)) {
        Filling::Lattice(lattice) => fill_lattice(bounds, radius, lattice, &holds),
        Filling::Relaxed => {
            let mut stream = RandomStream::new(seed);
            fill_relaxed(bounds, radius, &holds, &mut || stream.unit())
        }
    };
    match filled {
        Ok(spheres) if spheres.len() >= 2 => Some(Template::new(spheres)),
        Ok(spheres) => {
            let message = format!("spheres of this radius do not fill the mesh: {} fit", spheres.len());
            let help = "make `radius` smaller, or look at `unit`";
            notes.error_with_help(table.radius.span.clone(), message, "too large", help);
            None
        }
        Err(many) => {
            let message =
                format!("spheres of this radius are too many: {:.0} places in the box of the mesh", many.0);
            let help = "make `radius` larger, or look at `unit`";
            notes.error_with_help(table.radius.span.clone(), message, "too small", help);
            None
        }
    }
}

impl Templates {
    /// The clusters that a group asks for; none for a group of spheres.
    pub(super) fn used_by(
        &self,
        template: Option<&Text>,
        orientation: Option<&Located<OrientationChoice>>,
        usual: Orientation,
        notes: &mut Notes,
    ) -> Option<ClusterUse> {
        let Some(name) = template else {
            if let Some(given) = orientation {
                let message = "`orientation` is for clusters: spheres look the same from all sides";
                let help = "leave it out, or give a `template`";
                notes.error_with_help(given.span.clone(), message, "no effect", help);
            }
            return None;
        };
        let known = self.names.find(name, notes).and_then(|place| self.clusters.get(place));
        let orientation = match orientation.map(|given| &given.value) {
            None => usual,
            Some(OrientationChoice::Random) => Orientation::Random,
            Some(OrientationChoice::Unturned) => Orientation::Fixed(DQuat::IDENTITY),
            Some(OrientationChoice::Turn(turn)) => {
                let axis = check::direction("axis", &turn.axis, notes);
                Orientation::Fixed(Pose::from_turn(DVec3::ZERO, axis, turn.angle.value).rotation)
            }
        };
        Some(ClusterUse { cluster: known.map_or_else(|| Arc::new(nothing()), Arc::clone), orientation })
    }

    /// Warns of templates that no group is made of.
    pub(super) fn warn_unused(&self, is_used: impl Fn(&str) -> bool, notes: &mut Notes) {
        for (place, cluster) in self.clusters.iter().enumerate() {
            if !cluster.name.is_empty() && !is_used(&cluster.name) {
                let message = format!("the template `{}` is not used by any group of bodies", cluster.name);
                let help = "leave it out, or check the names of the others";
                notes.warn(self.names.span(place).clone(), message, "unused", help);
            }
        }
    }
}
