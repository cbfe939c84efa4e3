//! Spheres whose places the scene gives: lists, tables, lattices; and the checks on them.

use super::bodies::{Context, Entry};
use super::{MOST_SPHERES, Notes, check, regions, walls};
use crate::scene::cluster::{Assembly, ClusterUse, Orientation};
use crate::scene::error::Span;
use crate::scene::file::{Arrangement, CsvTable, LatticeTable, ListTable};
use crate::scene::generate::{SphereGrid, lattice_points};
use crate::scene::numeric_table::{Column, NumericTable, Row};
use crate::scene::plan::BodySeed;
use crate::scene::random::RandomStream;
use crate::scene::read::OneOrThree;
use glam::{DQuat, DVec3};
use std::path::Path;

/// A sphere, or a cluster in its place, and where the scene asks for it.
pub(super) struct Placed {
    pub(super) body: BodySeed,
    /// How a cluster is turned, world_from_body, where its own row says.
    turn: Option<DQuat>,
    pub(super) span: Span,
}

impl Placed {
    fn new(body: BodySeed, span: &Span) -> Self {
        Self { body, turn: None, span: span.clone() }
    }
}

/// Notes a number of spheres beyond reason.
pub(super) fn check_count(count: u64, span: &Span, notes: &mut Notes) {
    if count == 0 {
        notes.error(span.clone(), "this makes no spheres at all", "zero");
    } else if count > MOST_SPHERES {
        let message = format!("{count} spheres are more than the {MOST_SPHERES} a scene may have");
        notes.error(span.clone(), message, "too many");
    }
}

pub(super) fn list(table: &ListTable, entry: &Entry<'_>, notes: &mut Notes) -> Vec<Placed> {
    let header = &entry.table.span;
    let common = match &entry.cluster {
        Some(_) => Some(entry.sizes(table.radius.as_ref(), None, notes).largest_radius()),
        None => table.radius.as_ref().map(|radius| check::positive("radius", radius, notes)),
    };
    let mut lacks_radius = false;
    let mut placed = Vec::new();
    for position in &table.positions {
        lacks_radius |= common.is_none();
        placed.push(Placed::new(entry.sphere(position.value, common.unwrap_or(1.0)), &position.span));
    }
    for sphere in &table.spheres {
        let own = sphere.radius.as_ref().map(|radius| check::positive("radius", radius, notes));
        if let Some(radius) = sphere.radius.as_ref().filter(|_| entry.cluster.is_some()) {
            let message = "a cluster has no `radius` of its own: its template has the sizes";
            notes.error(radius.span.clone(), message, "leave it out");
        }
        lacks_radius |= own.or(common).is_none();
        let mut body = entry.sphere(sphere.position.value, own.or(common).unwrap_or(1.0));
        body.velocity = sphere.velocity.as_ref().map_or(body.velocity, |velocity| velocity.value);
        body.spin = sphere.spin.as_ref().map_or(body.spin, |spin| spin.value);
        placed.push(Placed::new(body, &sphere.position.span));
    }
    if lacks_radius {
        let help = "give `radius` here for all of them, or a `radius` to each sphere";
        notes.error_with_help(header.clone(), "missing key `radius`", "spheres without a radius", help);
        return Vec::new();
    }
    if placed.is_empty() {
        let help =
            "write `positions = [[0, 0, 0]]` or `spheres = [{ position = [0, 0, 0], radius = \"1 mm\" }]`";
        notes.error_with_help(
            header.clone(),
            "this list has no spheres",
            "needs `positions` or `spheres`",
            help,
        );
    }
    placed
}

const CSV_COLUMNS: &[Column] = &[
    ("x", true),
    ("y", true),
    ("z", true),
    ("r", true),
    ("vx", false),
    ("vy", false),
    ("vz", false),
    ("wx", false),
    ("wy", false),
    ("wz", false),
];

/// Columns of a table of clusters: their template has the sizes.
const CLUSTER_COLUMNS: &[Column] = &[
    ("x", true),
    ("y", true),
    ("z", true),
    ("vx", false),
    ("vy", false),
    ("vz", false),
    ("wx", false),
    ("wy", false),
    ("wz", false),
    ("rx", false),
    ("ry", false),
    ("rz", false),
];

pub(super) fn csv(table: &CsvTable, entry: &Entry<'_>, folder: &Path, notes: &mut Notes) -> Vec<Placed> {
    let scale = table.scale.as_ref().map_or(1.0, |scale| check::positive("scale", scale, notes));
    let path = folder.join(&table.file.value);
    let columns = if entry.cluster.is_some() { CLUSTER_COLUMNS } else { CSV_COLUMNS };
    let numbers = match NumericTable::load(&path, columns) {
        Ok(numbers) => numbers,
        Err(problem) => {
            notes.push_at_if_nowhere(problem, &table.file.span);
            return Vec::new();
        }
    };
    if numbers.rows().is_empty() {
        notes.error(table.file.span.clone(), "this table has no rows", "no spheres");
    }
    let mut placed = Vec::new();
    for row in numbers.rows() {
        if let Some(used) = &entry.cluster {
            placed.push(csv_cluster(row, scale, entry, used.cluster.radius, &table.file.span));
            continue;
        }
        let body = csv_sphere(row, scale, entry);
        if body.radius <= 0.0 {
            notes.push(numbers.problem(row, "the radius `r` must be greater than zero", "in this row"));
            return Vec::new();
        }
        placed.push(Placed::new(body, &table.file.span));
    }
    placed
}

/// Three columns of a row from `first` on, missing values from `default`.
fn vector(row: &Row, first: usize, default: DVec3) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|axis| row.values[first + axis].unwrap_or(default[axis])))
}

fn csv_sphere(row: &Row, scale: f64, entry: &Entry<'_>) -> BodySeed {
    let mut body = entry.sphere(scale * vector(row, 0, DVec3::ZERO), scale * row.values[3].unwrap_or(0.0));
    body.velocity = vector(row, 4, entry.velocity);
    body.spin = vector(row, 7, entry.spin);
    body
}

fn csv_cluster(row: &Row, scale: f64, entry: &Entry<'_>, radius: f64, span: &Span) -> Placed {
    let mut body = entry.sphere(scale * vector(row, 0, DVec3::ZERO), radius);
    body.velocity = vector(row, 3, entry.velocity);
    body.spin = vector(row, 6, entry.spin);
    let is_turned = row.values[9..12].iter().any(Option::is_some);
    let turn = is_turned.then(|| walls::pose_of(DVec3::ZERO, vector(row, 9, DVec3::ZERO)).rotation);
    Placed { body, turn, span: span.clone() }
}

pub(super) fn lattice(
    table: &LatticeTable,
    entry: &Entry<'_>,
    context: &Context<'_>,
    notes: &mut Notes,
) -> Vec<Placed> {
    let header = &entry.table.span;
    let arrangement = table.arrangement.as_ref().map_or(Arrangement::Cubic, |arrangement| arrangement.value);
    let distribution = entry.sizes(table.radius.as_ref(), table.size.as_ref(), notes);
    let spacing = lattice_spacing(&table.spacing, arrangement, notes);
    let jitter = table.jitter.as_ref().map_or(0.0, |jitter| check::not_negative("jitter", jitter, notes));
    // Spheres that do not fit into the region are left out.
    let region = table.region.as_ref().map(|region| regions::resolve(region, 0.0, context, notes));
    let Some(count) = lattice_count(table, arrangement, notes) else { return Vec::new() };
    if notes.has_errors() {
        return Vec::new();
    }
    let mut stream = RandomStream::new(entry.seed);
    let is_kept = |body: &BodySeed| {
        region.as_ref().is_none_or(|region| region.holds(body.position, body.radius, context.domain))
    };
    let placed: Vec<Placed> = lattice_points(arrangement, table.origin.value, spacing, count)
        .into_iter()
        .map(|point| {
            let radius = distribution.sample(&mut stream);
            let mut shift = DVec3::ZERO;
            if jitter > 0.0 {
                shift = DVec3::from_array([0, 1, 2].map(|_| stream.between(-jitter, jitter)));
            }
            Placed::new(entry.sphere(point + shift, radius), header)
        })
        .filter(|sphere| is_kept(&sphere.body))
        .collect();
    if placed.is_empty() {
        let help = "move `origin` or the region, or make the spheres smaller: whole spheres stay inside";
        notes.error_with_help(header.clone(), "no sphere of this lattice lies in its region", "empty", help);
    }
    placed
}

fn lattice_spacing(spacing: &OneOrThree, arrangement: Arrangement, notes: &mut Notes) -> DVec3 {
    match spacing {
        OneOrThree::One(spacing) => DVec3::splat(check::positive("spacing", spacing, notes)),
        OneOrThree::Three(spacing) => {
            if spacing.value.min_element() <= 0.0 {
                notes.error(spacing.span.clone(), "`spacing` must be greater than zero", "not positive");
            }
            if arrangement == Arrangement::Hex {
                let message = "the hexagonal arrangement has one spacing for all axes";
                notes.error(spacing.span.clone(), message, "expected one length");
            }
            spacing.value
        }
    }
}

/// Cells along the axes, if they are three and their spheres not too many.
fn lattice_count(table: &LatticeTable, arrangement: Arrangement, notes: &mut Notes) -> Option<[u64; 3]> {
    let cells: Vec<u64> = table.count.value.iter().map(|count| count.value).collect();
    let Ok(cells) = <[u64; 3]>::try_from(cells) else {
        let message = format!("expected three numbers of cells, found {}", table.count.value.len());
        notes.error(table.count.span.clone(), message, "one for each axis, such as `[10, 10, 5]`");
        return None;
    };
    let per_cell = if arrangement == Arrangement::Fcc { 4 } else { 1 };
    let total = cells.iter().fold(per_cell, |product: u64, &cells| product.saturating_mul(cells));
    check_count(total, &table.count.span, notes);
    (total > 0 && total <= MOST_SPHERES).then_some(cells)
}

/// Brings spheres of a group into the scene, or clusters in their place; notes those outside the domain and those that
/// overlap spheres of others.
pub(super) fn settle_in(
    placed: Vec<Placed>,
    mut clusters: Option<(&ClusterUse, RandomStream)>,
    context: &Context<'_>,
    grid: &mut SphereGrid,
    notes: &mut Notes,
) -> Assembly {
    let mut outside = 0;
    let mut first_outside = None;
    let mut overlaps = Overlaps::default();
    let mut all = Assembly::default();
    for mut sphere in placed {
        // A size that is wrong has been noted.
        if sphere.body.radius <= 0.0 {
            continue;
        }
        if !is_inside(context, sphere.body.position) {
            outside += 1;
            first_outside = first_outside.or(Some((sphere.body.position, sphere.span)));
            continue;
        }
        wrap_upper_side(context, &mut sphere.body.position);
        let body = match &mut clusters {
            Some((used, stream)) => {
                let own = sphere.turn.map(|turn| ClusterUse {
                    orientation: Orientation::Fixed(turn),
                    cluster: used.cluster.clone(),
                });
                own.as_ref().unwrap_or(used).place(&sphere.body, context.domain, stream)
            }
            None => Assembly { bodies: vec![sphere.body], ..Assembly::default() },
        };
        // Spheres of one cluster may overlap: all are held against those before it.
        for body in &body.bodies {
            if !is_inside(context, body.position) {
                outside += 1;
                first_outside = first_outside.or(Some((body.position, sphere.span.clone())));
            }
            overlaps.look_for(body, &sphere.span, grid);
        }
        body.bodies.iter().for_each(|body| grid.insert(body.position, body.radius));
        all.append(body);
    }
    if let Some((position, span)) = first_outside {
        let message = format!(
            "{outside} sphere{} outside the domain, the first at ({}, {}, {}) m",
            if outside == 1 { " lies" } else { "s lie" },
            position.x,
            position.y,
            position.z
        );
        notes.error_with_help(span, message, "outside the domain", "move it or make [domain] larger");
    }
    overlaps.report(context.overlap_limit, notes);
    all
}

fn is_inside(context: &Context<'_>, position: DVec3) -> bool {
    position.cmpge(context.domain.min).all() && position.cmple(context.domain.max).all()
}

/// The upper side of a periodic axis is the lower one.
fn wrap_upper_side(context: &Context<'_>, position: &mut DVec3) {
    for axis in 0..3 {
        if context.domain.periodic[axis] && position[axis] >= context.domain.max[axis] {
            position[axis] = context.domain.min[axis];
        }
    }
}

/// Overlaps found in a group.
#[derive(Default)]
struct Overlaps {
    pairs: usize,
    worst: f64,
    place: Option<(DVec3, Span)>,
}

/// Overlap below this fraction of the smaller radius is rounding.
const TOUCHING: f64 = 1e-9;

impl Overlaps {
    fn look_for(&mut self, body: &BodySeed, span: &Span, grid: &SphereGrid) {
        grid.for_each_within(body.position, body.radius, 0.0, |other, distance| {
            let overlap = -distance / body.radius.min(grid.radius(other));
            if overlap > TOUCHING {
                self.pairs += 1;
                if overlap > self.worst {
                    self.worst = overlap;
                    self.place = Some((body.position, span.clone()));
                }
            }
        });
    }

    fn report(self, limit: f64, notes: &mut Notes) {
        let Some((position, span)) = self.place else { return };
        let message = format!(
            "{} overlap at the start, the deepest by {:.3} of the smaller radius, at ({}, {}, {}) m",
            if self.pairs == 1 {
                "two spheres".to_owned()
            } else {
                format!("{} pairs of spheres", self.pairs)
            },
            self.worst,
            position.x,
            position.y,
            position.z
        );
        if self.worst > limit {
            let help = format!("the limit is {limit} (`overlap` in [limits]); move the spheres apart");
            notes.error_with_help(span, message, "overlaps an earlier sphere", help);
        } else {
            notes.warn(span, message, "overlaps an earlier sphere", "overlapping spheres fly apart");
        }
    }
}
