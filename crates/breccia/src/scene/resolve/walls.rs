//! Walls and their prescribed motion.

use super::{Names, Notes, check};
use crate::model::{Domain, MaterialId, Wall};
use crate::motion::{MotionKind, MotionPart, Pose, PrescribedMotion};
use crate::scene::error::Span;
use crate::scene::file::{
    ConeTable, CylinderTable, PoseListTable, PoseTable, RectangleTable, WallMotionKind, WallMotionTable,
    WallShapeTable, WallTable,
};
use crate::scene::numeric_table::{Column, NumericTable};
use crate::scene::read::{Extent, Length, Number, Quantity, Vector};
use crate::shapes::{Side, WallShape};
use glam::{DQuat, DVec3};
use std::path::Path;

pub(super) fn resolve(
    tables: &[WallTable],
    materials: &Names,
    domain: &Domain,
    folder: &Path,
    notes: &mut Notes,
) -> (Vec<Wall>, Names) {
    let mut names = Names::new("wall or mesh");
    let mut walls = Vec::new();
    for table in tables {
        match &table.name {
            Some(name) => names.add_as("wall", &name.value, &name.span, notes),
            None => names.add_as("wall", &format!("wall-{}", walls.len() + 1), &table.span, notes),
        }
        let shape = resolve_shape(&table.shape, &table.span, notes);
        warn_across_period("wall", shape.bounding_box(), domain, &table.span, notes);
        warn_cut_period(&shape, domain, &table.span, notes);
        let parts = table.motion.iter().map(|motion| resolve_motion(motion, folder, notes)).collect();
        walls.push(Wall {
            name: names.name(walls.len()).to_owned(),
            surface: shape.into(),
            material: MaterialId(materials.find(&table.material, notes).unwrap_or(0) as u16),
            motion: PrescribedMotion { parts },
        });
    }
    if let Some(extra) = tables.get(usize::from(u16::MAX)) {
        notes.error(extra.span.clone(), format!("at most {} walls are possible", u16::MAX), "one too many");
    }
    (walls, names)
}

fn resolve_shape(table: &WallShapeTable, header: &Span, notes: &mut Notes) -> WallShape {
    match table {
        WallShapeTable::Plane(table) => WallShape::Plane {
            point: origin_unless(table.point.as_ref()),
            normal: check::direction("normal", &table.normal, notes),
        },
        WallShapeTable::Box(table) => {
            check::corners(table.min.value, table.max.value, &table.max.span, notes);
            let mut open = [false; 6];
            table.open.iter().for_each(|face| open[face.0] = true);
            WallShape::Box {
                min: table.min.value,
                max: table.max.value,
                side: inside_unless(table.side),
                open,
            }
        }
        WallShapeTable::Cylinder(table) => resolve_cylinder(table, header, notes),
        WallShapeTable::Cone(table) => resolve_cone(table, header, notes),
        WallShapeTable::Sphere(table) => WallShape::Sphere {
            centre: table.centre.value,
            radius: check::positive("radius", &table.radius, notes),
            side: inside_unless(table.side),
        },
        WallShapeTable::Disc(table) => {
            let radius = check::positive("radius", &table.radius, notes);
            let hole = table.hole.as_ref().map_or(0.0, |hole| check::not_negative("hole", hole, notes));
            if let Some(hole) = table.hole.as_ref().filter(|hole| hole.value >= radius) {
                notes.error(hole.span.clone(), "`hole` must be smaller than `radius`", "leaves no disc");
            }
            let normal = check::direction("normal", &table.normal, notes);
            WallShape::Disc { centre: table.centre.value, normal, radius, hole }
        }
        WallShapeTable::Rectangle(table) => resolve_rectangle(table, notes),
    }
}

fn resolve_rectangle(table: &RectangleTable, notes: &mut Notes) -> WallShape {
    /// Cosine up to which two directions written with a few digits count as perpendicular.
    const ROUNDING: f64 = 1e-6;
    let normal = check::direction("normal", &table.normal, notes);
    let along = check::direction("along", &table.along, notes);
    let lean = along.dot(normal);
    if lean.abs() > ROUNDING {
        let message = "`along` must be perpendicular to `normal`";
        let help = "it is the direction of one of the sides";
        notes.error_with_help(table.along.span.clone(), message, "not in the plane", help);
    }
    let half = [("length", &table.length), ("width", &table.width)]
        .map(|(key, extent)| 0.5 * check::positive(key, extent, notes));
    WallShape::Rectangle {
        centre: table.centre.value,
        normal,
        along: (along - normal * lean).normalize_or(DVec3::X),
        half,
        two_sided: table.two_sided.unwrap_or(false),
    }
}

fn resolve_cylinder(table: &CylinderTable, header: &Span, notes: &mut Notes) -> WallShape {
    let ends = Ends {
        points: (table.from.as_ref(), table.to.as_ref()),
        start: table.start.as_ref(),
        axis: table.axis.as_ref(),
        length: table.length.as_ref(),
    };
    let (start, axis, length) = ends.resolve(header, notes);
    let radius = check::positive("radius", &table.radius, notes);
    WallShape::Cylinder { start, axis, length, radius, side: inside_unless(table.side) }
}

fn resolve_cone(table: &ConeTable, header: &Span, notes: &mut Notes) -> WallShape {
    let ends = Ends {
        points: (table.from.as_ref(), table.to.as_ref()),
        start: table.start.as_ref(),
        axis: table.axis.as_ref(),
        length: table.length.as_ref(),
    };
    let (start, axis, length) = ends.resolve(header, notes);
    if let Some(endless) = table.length.as_ref().filter(|length| length.value.is_infinite()) {
        notes.error(endless.span.clone(), "a cone must have a finite `length`", "endless");
    }
    let start_radius = check::not_negative("start_radius", &table.start_radius, notes);
    let end_radius = check::not_negative("end_radius", &table.end_radius, notes);
    if start_radius == 0.0 && end_radius == 0.0 {
        let message = "`start_radius` and `end_radius` must not both be zero";
        notes.error(table.end_radius.span.clone(), message, "no surface");
    }
    WallShape::Cone { start, axis, length, start_radius, end_radius, side: inside_unless(table.side) }
}

fn inside_unless(side: Option<Side>) -> Side {
    side.unwrap_or(Side::Inside)
}

fn origin_unless(point: Option<&Vector<Length>>) -> DVec3 {
    point.map_or(DVec3::ZERO, |point| point.value)
}

/// The two ways to give the ends of a cylinder or cone.
struct Ends<'a> {
    points: (Option<&'a Vector<Length>>, Option<&'a Vector<Length>>),
    start: Option<&'a Vector<Length>>,
    axis: Option<&'a Vector<Number>>,
    length: Option<&'a Quantity<Extent>>,
}

impl Ends<'_> {
    /// Start, unit axis and length.
    fn resolve(&self, header: &Span, notes: &mut Notes) -> (DVec3, DVec3, f64) {
        match (self.points, self.start, self.axis, self.length) {
            ((Some(from), Some(to)), None, None, None) => {
                let along = to.value - from.value;
                if along == DVec3::ZERO {
                    notes.error(
                        to.span.clone(),
                        "`from` and `to` must be two different points",
                        "the same point",
                    );
                    return (from.value, DVec3::Z, 0.0);
                }
                let (axis, length) = check::unit("to", along, &to.span, notes);
                (from.value, axis, length)
            }
            ((None, None), Some(start), Some(axis), Some(length)) => {
                let axis = check::direction("axis", axis, notes);
                (start.value, axis, check::positive("length", length, notes))
            }
            _ => {
                let message = "give `from` and `to`, or `start`, `axis` and `length`";
                let help = "for instance `from = [0, 0, 0]` and `to = [0, 0, \"10 cm\"]`";
                notes.error_with_help(header.clone(), message, "where are its ends?", help);
                (DVec3::ZERO, DVec3::Z, 1.0)
            }
        }
    }
}

/// Walls have no periodic images: what reaches a periodic side is not felt from the other one.
pub(super) fn warn_across_period(
    what: &str,
    bounds: Option<(DVec3, DVec3)>,
    domain: &Domain,
    header: &Span,
    notes: &mut Notes,
) {
    let Some((low, high)) = bounds else { return };
    for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
        let ends = [low[axis] <= domain.min[axis], high[axis] >= domain.max[axis]];
        // One that spans the whole period goes on in its image by itself.
        if ends[0] != ends[1] {
            let name = ["x", "y", "z"][axis];
            let message = format!("this {what} reaches over a side of the periodic axis `{name}`");
            let help = format!(
                "{what}{} have no periodic images: bodies at the other side will not feel it; move it inside the domain \
                 by a body's radius, let it span the whole period, or add a second {what}",
                if what == "mesh" { "es" } else { "s" }
            );
            notes.warn(header.clone(), message, "only this image of it is there", help);
        }
    }
}

/// A plane that is not parallel to a periodic axis has bodies appear behind it.
fn warn_cut_period(shape: &WallShape, domain: &Domain, header: &Span, notes: &mut Notes) {
    let WallShape::Plane { normal, .. } = shape else { return };
    for axis in (0..3).filter(|&axis| domain.periodic[axis] && normal[axis] != 0.0) {
        let name = ["x", "y", "z"][axis];
        let message = format!("this plane cuts the periodic axis `{name}`");
        let help = "bodies that pass the periodic side appear behind the plane; make the axis not periodic, \
                    or the plane parallel to it";
        notes.warn(header.clone(), message, "not parallel to the axis", help);
    }
}

pub(super) fn resolve_motion(table: &WallMotionTable, folder: &Path, notes: &mut Notes) -> MotionPart {
    let (start, stop) = check::start_and_stop(table.start.as_ref(), table.stop.as_ref(), notes);
    let kind = match &table.kind {
        WallMotionKind::Translation(motion) => MotionKind::Translation { velocity: motion.velocity.value },
        WallMotionKind::Rotation(motion) => MotionKind::Rotation {
            point: origin_unless(motion.point.as_ref()),
            axis: check::direction("axis", &motion.axis, notes),
            speed: motion.speed.value,
        },
        WallMotionKind::Oscillation(motion) => MotionKind::Oscillation {
            amplitude: motion.amplitude.value,
            frequency: check::positive("frequency", &motion.frequency, notes),
            phase: motion.phase.as_ref().map_or(0.0, |phase| phase.value),
        },
        WallMotionKind::Rocking(motion) => MotionKind::Rocking {
            point: origin_unless(motion.point.as_ref()),
            axis: check::direction("axis", &motion.axis, notes),
            amplitude: motion.amplitude.value,
            frequency: check::positive("frequency", &motion.frequency, notes),
            phase: motion.phase.as_ref().map_or(0.0, |phase| phase.value),
        },
        WallMotionKind::Table(motion) => resolve_poses(motion, &table.span, folder, notes),
    };
    MotionPart { kind, start, stop }
}

/// Instants and poses from the scene or from a file.
fn resolve_poses(table: &PoseListTable, header: &Span, folder: &Path, notes: &mut Notes) -> MotionKind {
    let timed = match (&table.file, table.points.is_empty()) {
        (Some(file), true) => match load_poses(&folder.join(&file.value)) {
            Ok(timed) => timed,
            Err(problem) => {
                notes.push_at_if_nowhere(problem, &file.span);
                Vec::new()
            }
        },
        (None, false) => listed_poses(&table.points, notes),
        _ => {
            let help = "write `points = [{ time = 0 }, { time = 1, translation = [0, 0, 1] }]` or `file = \"poses.csv\"`";
            notes.error_with_help(
                header.clone(),
                "give either `points` or `file`",
                "where are its poses?",
                help,
            );
            Vec::new()
        }
    };
    if timed.first().is_some_and(|(_, pose)| *pose != pose_of(DVec3::ZERO, DVec3::ZERO)) {
        let help = "begin with a pose at rest, or place the wall where the table begins";
        notes.warn(header.clone(), "this table does not begin at rest: the wall jumps", "first pose", help);
    }
    let (times, poses) = timed.into_iter().unzip();
    MotionKind::Table { times, poses }
}

fn listed_poses(points: &[PoseTable], notes: &mut Notes) -> Vec<(f64, Pose)> {
    let mut before = None;
    for point in points {
        let time = point.time.value;
        match before {
            None if time != 0.0 => {
                notes.error(point.time.span.clone(), "the first `time` must be 0", "not 0")
            }
            Some(before) if time <= before => {
                notes.error(
                    point.time.span.clone(),
                    "the times of poses must increase",
                    "not after the one before",
                );
            }
            _ => {}
        }
        before = Some(time);
    }
    let vector = |given: Option<DVec3>| given.unwrap_or(DVec3::ZERO);
    let pose = |point: &PoseTable| {
        let translation = vector(point.translation.as_ref().map(|translation| translation.value));
        pose_of(translation, vector(point.rotation.as_ref().map(|rotation| rotation.value)))
    };
    points.iter().map(|point| (point.time.value, pose(point))).collect()
}

const POSE_COLUMNS: &[Column] =
    &[("t", true), ("x", false), ("y", false), ("z", false), ("rx", false), ("ry", false), ("rz", false)];

fn load_poses(path: &Path) -> Result<Vec<(f64, Pose)>, crate::scene::error::Problem> {
    let table = NumericTable::load(path, POSE_COLUMNS)?;
    let mut timed: Vec<(f64, Pose)> = Vec::new();
    for row in table.rows() {
        let value = |column: usize| row.values[column].unwrap_or(0.0);
        let time = value(0);
        match timed.last() {
            None if time != 0.0 => return Err(table.problem(row, "the first time must be 0", "in this row")),
            Some(&(before, _)) if time <= before => {
                return Err(table.problem(
                    row,
                    "the times of poses must increase",
                    "not after the row before",
                ));
            }
            _ => {}
        }
        let translation = DVec3::new(value(1), value(2), value(3));
        timed.push((time, pose_of(translation, DVec3::new(value(4), value(5), value(6)))));
    }
    if timed.is_empty() {
        return Err(crate::scene::error::Problem::error(format!("`{}` has no poses", path.display())));
    }
    Ok(timed)
}

/// Pose of a translation and an axis-angle vector [rad].
pub(super) fn pose_of(translation: DVec3, rotation: DVec3) -> Pose {
    let angle = rotation.length();
    let axis = if angle > 0.0 { rotation / angle } else { DVec3::Z };
    let half = axis * libm::sin(0.5 * angle);
    Pose { rotation: DQuat::from_xyzw(half.x, half.y, half.z, libm::cos(0.5 * angle)), translation }
}
