//! Deformable bodies: shapes, places, surfaces, supports, and what they meet.

mod parts;
mod shapes;
mod surroundings;

use super::{Names, Notes, check};
use crate::deformable::{
    ElasticMaterial, MassKind, Penalty, ShapePlan, SolidPlan, SolidSeed, SolidSettings, SurfaceProperties,
};
use crate::model::{Material, StepChoice, TimeSettings, Wall};
use crate::scene::file::{SceneFile, SolidTable};
use crate::scene::read::{Kind, Located, Quantity, Vector};
use glam::{DVec2, DVec3};
use std::path::Path;

/// Contact stiffness over Young's modulus times thickness, unless given.
const PENALTY_OVER_MODULUS: f64 = 4.0;

/// Automatic step over the time a pressure wave needs for half the size of a body.
const STEP_OVER_WAVE_TIME: f64 = 1.0;

/// Most copies of one entry.
const MOST_COPIES: u64 = 100_000;

/// What solids depend on.
pub(super) struct SolidContext<'a> {
    pub(super) materials: &'a [Material],
    pub(super) material_names: &'a Names,
    pub(super) walls: &'a [Wall],
    pub(super) gravity: DVec3,
    pub(super) time: &'a TimeSettings,
    pub(super) folder: &'a Path,
}

/// The plan of the scene's deformable bodies; nothing without any.
pub(super) fn resolve(file: &SceneFile, context: &SolidContext, notes: &mut Notes) -> Option<SolidPlan> {
    if file.solid.is_empty() {
        refuse_strays(file, notes);
        return None;
    }
    refuse_mixture(file, notes);
    let mut names = Names::new("solid");
    let (mut shapes, mut bodies) = (Vec::new(), Vec::new());
    for table in &file.solid {
        names.add_or_number("solid", table.name.as_ref(), &table.span, notes);
        let name = names.name(names.len() - 1).to_owned();
        if let Some(shape) = shape_plan(table, context, notes) {
            bodies.extend(copies(table, &name, shapes.len(), &shape, notes));
            shapes.push(shape);
        }
    }
    let stiffest =
        bodies.iter().flat_map(|body| &body.surfaces).filter_map(|surface| match surface.penalty {
            Penalty::PerPoint(stiffness) => Some(stiffness),
            Penalty::PerArea(_) => None,
        });
    let stiffest = stiffest.fold(0.0, f64::max);
    let obstacles = surroundings::obstacles(&file.obstacle, stiffest, &mut names, notes);
    let walls = surroundings::walls(file, context.walls, stiffest, notes);
    let settings = settings(file, &shapes, context, notes);
    let gravity = match file.gravity {
        Some(_) => flat(context.gravity, "gravity", file.gravity.as_ref().map(|g| g.span.clone()), notes),
        // The plane of deformable bodies has no third direction to fall along.
        None => DVec2::ZERO,
    };
    Some(SolidPlan { shapes, bodies, obstacles, walls, gravity, settings })
}

fn refuse_strays(file: &SceneFile, notes: &mut Notes) {
    if let Some(obstacle) = file.obstacle.first() {
        let help = "use [[wall]] or [[mesh]] for spheres, or add a [[solid]]";
        notes.error_with_help(
            obstacle.span.clone(),
            "obstacles are met by deformable bodies alone",
            "no [[solid]] here",
            help,
        );
    }
}

fn refuse_mixture(file: &SceneFile, notes: &mut Notes) {
    if let Some(bodies) = file.bodies.first() {
        notes.error_with_help(
            bodies.span.clone(),
            "spheres and deformable bodies cannot be in one scene yet",
            "spheres",
            "take out either [[bodies]] or [[solid]]; a rigid disc can be an [[obstacle]]",
        );
    }
    if let Some(mesh) = file.mesh.first() {
        let help = "deformable bodies live in the x–y plane: use [[wall]] or [[obstacle]]";
        notes.error_with_help(mesh.span.clone(), "deformable bodies do not meet meshes", "mesh", help);
    }
}

/// The part of a vector in the plane; notes one that leaves it.
fn flat(value: DVec3, key: &str, span: Option<crate::scene::error::Span>, notes: &mut Notes) -> DVec2 {
    if let Some(span) = span.filter(|_| value.z != 0.0) {
        let message = format!("`{key}` must lie in the x–y plane: its third component must be 0");
        notes.error(span, message, "leaves the plane");
    }
    value.truncate()
}

/// A vector in the plane; zero where it is not given.
fn flat_or_zero<K: Kind>(vector: Option<&Vector<K>>, key: &str, notes: &mut Notes) -> DVec2 {
    vector.map_or(DVec2::ZERO, |vector| flat(vector.value, key, Some(vector.span.clone()), notes))
}

fn shape_plan(table: &SolidTable, context: &SolidContext, notes: &mut Notes) -> Option<ShapePlan> {
    let place = context.material_names.find(&table.material, notes)?;
    let material = &context.materials[place];
    let thickness = table.thickness.as_ref().map_or(1.0, |depth| check::positive("thickness", depth, notes));
    let mut elastic =
        ElasticMaterial::from_young(material.young_modulus, material.poisson_ratio, material.density);
    if let Some(lambda) = &table.lame_lambda {
        elastic.lame_lambda = check::not_negative("lame_lambda", lambda, notes);
    }
    if let Some(shear) = &table.shear_modulus {
        elastic.shear_modulus = check::positive("shear_modulus", shear, notes);
    }
    if !(elastic.p_wave_modulus().is_finite() && elastic.lame_lambda + elastic.shear_modulus > 0.0) {
        notes.error_with_help(
            table.material.span.clone(),
            format!("`{}` is no material for a deformable body", material.name),
            "rigid or incompressible",
            "give it a finite `young_modulus` and a `poisson_ratio` below 0.5, or the solid `lame_lambda` and `shear_modulus`",
        );
        return None;
    }
    let mass = if table.lumped_mass == Some(true) { MassKind::Lumped } else { MassKind::Consistent };
    let mesh = shapes::mesh(table, context.folder, notes)?;
    Some(ShapePlan { mesh, material: elastic, thickness, mass })
}

/// The bodies of an entry: columns along x, in each the rows along y.
fn copies(
    table: &SolidTable,
    name: &str,
    number: usize,
    shape: &ShapePlan,
    notes: &mut Notes,
) -> Vec<SolidSeed> {
    let columns = count("columns", table.columns.as_ref(), 1, MOST_COPIES, notes);
    let rows = count("rows", table.rows.as_ref(), 1, MOST_COPIES, notes);
    if columns.saturating_mul(rows) > MOST_COPIES {
        let message = format!("at most {MOST_COPIES} copies of an entry are possible");
        notes.error(table.span.clone(), message, "too many copies");
        return Vec::new();
    }
    let spacing = flat_or_zero(table.spacing.as_ref(), "spacing", notes);
    if table.spacing.is_none() && columns * rows > 1 {
        notes.error(table.span.clone(), "copies need a `spacing`", "needs `spacing`");
    }
    let first = flat_or_zero(table.position.as_ref(), "position", notes);
    let velocity = flat_or_zero(table.velocity.as_ref(), "velocity", notes);
    let angle = table.angle.as_ref().map_or(0.0, |angle| angle.value);
    let turn = table.turn.as_ref().map_or(0.0, |turn| turn.value);
    let spin = table.spin.as_ref().map_or(0.0, |spin| spin.value);
    let own = surface(table, shape, notes);
    let parts = parts::parts(table, own, shape, notes);
    let mut seeds = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let copy = seeds.len();
            seeds.push(SolidSeed {
                name: if columns * rows > 1 { format!("{name} {}", copy + 1) } else { name.to_owned() },
                shape: number,
                angle: angle + turn * copy as f64,
                position: first + spacing * DVec2::new(column as f64, row as f64),
                velocity,
                spin,
                surfaces: parts.surfaces.clone(),
                surface_of_segment: parts.surface_of_segment.clone(),
                supports: parts.supports.clone(),
                tractions: parts.tractions.clone(),
            });
        }
    }
    seeds
}

/// Properties of the outline where nothing else is said.
fn surface(table: &SolidTable, shape: &ShapePlan, notes: &mut Notes) -> SurfaceProperties {
    let stiffness = PENALTY_OVER_MODULUS * shape.material.young_modulus() * shape.thickness;
    let penalty = match (&table.penalty, &table.penalty_per_area) {
        (None, None) => Penalty::PerPoint(stiffness),
        (Some(penalty), None) => Penalty::PerPoint(check::positive("penalty", penalty, notes)),
        (None, Some(per_area)) => Penalty::PerArea(check::positive("penalty_per_area", per_area, notes)),
        (Some(_), Some(per_area)) => {
            let message = "`penalty` and `penalty_per_area` cannot both be given";
            notes.error(per_area.span.clone(), message, "one of the two");
            Penalty::PerPoint(stiffness)
        }
    };
    SurfaceProperties { friction: friction(table.friction.as_ref(), notes), penalty, tangential_ratio: 1.0 }
}

fn friction(given: Option<&Quantity<crate::scene::read::Number>>, notes: &mut Notes) -> f64 {
    given.map_or(0.0, |friction| check::within("friction", friction, 0.0, 10.0, notes))
}

/// A count; notes one out of range.
fn count(key: &str, given: Option<&Located<u64>>, default: u64, most: u64, notes: &mut Notes) -> u64 {
    let Some(given) = given else { return default };
    if !(1..=most).contains(&given.value) {
        let message = format!("`{key}` must be between 1 and {most}, not {}", given.value);
        notes.error(given.span.clone(), message, "out of range");
    }
    given.value.clamp(1, most)
}

fn settings(
    file: &SceneFile,
    shapes: &[ShapePlan],
    context: &SolidContext,
    notes: &mut Notes,
) -> SolidSettings {
    let time_step = match context.time.step {
        StepChoice::Fixed(step) => step,
        StepChoice::Auto => STEP_OVER_WAVE_TIME * shapes.iter().map(wave_time).fold(f64::INFINITY, f64::min),
    };
    let mut settings = SolidSettings::new(time_step);
    if let Some(table) = &file.solids {
        if let Some(tolerance) = &table.tolerance {
            settings.tolerance = check::within("tolerance", tolerance, 1e-11, 1e-3, notes);
        }
        settings.steps_between_sorts = count("sort_every", table.sort_every.as_ref(), 1, 1000, notes) as u32;
    }
    settings
}

/// Time a pressure wave needs for half the larger side of a shape's box [s].
fn wave_time(shape: &ShapePlan) -> f64 {
    let (low, high) = crate::broad_phase::extent(shape.mesh.points.iter().copied());
    0.5 * (high - low).max_element() / shape.material.p_wave_speed()
}
