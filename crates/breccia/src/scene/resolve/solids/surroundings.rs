//! What deformable bodies meet: walls and obstacles.

use super::{Names, check, count, flat_or_zero, friction, shapes};
use crate::deformable::{ObstacleSeed, Penalty, PlaneMotion, StraightWall, SurfaceProperties};
use crate::model::{Surface, Wall};
use crate::scene::error::Span;
use crate::scene::file::{ObstacleShapeTable, ObstacleTable, SceneFile};
use crate::scene::read::{Quantity, Stiffness};
use crate::scene::resolve::Notes;
use crate::shapes::{Side, WallShape};
use glam::{DVec2, dvec2};
use std::f64::consts::TAU;

fn properties(
    given: Option<&Quantity<Stiffness>>,
    default: f64,
    friction: f64,
    notes: &mut Notes,
) -> SurfaceProperties {
    let stiffness = given.map_or(default, |penalty| check::positive("penalty", penalty, notes));
    SurfaceProperties { friction, penalty: Penalty::PerPoint(stiffness), tangential_ratio: 1.0 }
}

/// Straight walls of the scene's planes and boxes.
pub(super) fn walls(file: &SceneFile, walls: &[Wall], stiffest: f64, notes: &mut Notes) -> Vec<StraightWall> {
    let table = file.solids.as_ref();
    let rough = friction(table.and_then(|table| table.wall_friction.as_ref()), notes);
    let penalty = table.and_then(|table| table.wall_penalty.as_ref());
    let surface = properties(penalty, stiffest, rough, notes);
    let mut straight = Vec::new();
    for (wall, entry) in walls.iter().zip(&file.wall) {
        if !wall.motion.parts.is_empty() {
            let help = "use an [[obstacle]] with `velocity` and `spin`";
            refuse(&entry.span, "walls that move are not met by deformable bodies", help, notes);
        }
        let mut add = |name: String, point: DVec2, normal: DVec2| {
            straight.push(StraightWall { name, point, normal, surface });
        };
        match &wall.surface {
            Surface::Analytic(WallShape::Plane { point, normal }) if normal.z == 0.0 => {
                add(wall.name.clone(), point.truncate(), normal.truncate());
            }
            Surface::Analytic(WallShape::Box { min, max, side: Side::Inside, open }) => {
                let faces = [
                    ("-x", *min, DVec2::X),
                    ("+x", *max, -DVec2::X),
                    ("-y", *min, DVec2::Y),
                    ("+y", *max, -DVec2::Y),
                ];
                for (place, (face, point, normal)) in faces.into_iter().enumerate() {
                    if !open[place] {
                        add(format!("{} {face}", wall.name), point.truncate(), normal);
                    }
                }
            }
            _ => {
                let help =
                    "use planes whose normals have z = 0, boxes with side = \"inside\", or an [[obstacle]]";
                refuse(&entry.span, "deformable bodies do not meet walls of this shape", help, notes);
            }
        }
    }
    straight
}

fn refuse(span: &Span, message: &str, help: &str, notes: &mut Notes) {
    notes.error_with_help(span.clone(), message, "not for deformable bodies", help);
}

/// Obstacles with their motions.
pub(super) fn obstacles(
    tables: &[ObstacleTable],
    stiffest: f64,
    names: &mut Names,
    notes: &mut Notes,
) -> Vec<ObstacleSeed> {
    let mut seeds = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        match &table.name {
            Some(name) => names.add_as("obstacle", &name.value, &name.span, notes),
            None => names.add_as("obstacle", &format!("obstacle-{}", number + 1), &table.span, notes),
        }
        let Some((polygon, middle)) = polygon(table, notes) else { continue };
        let rough = friction(table.friction.as_ref(), notes);
        let centre = match &table.centre {
            Some(_) => flat_or_zero(table.centre.as_ref(), "centre", notes),
            None => middle,
        };
        seeds.push(ObstacleSeed {
            name: names.name(names.len() - 1).to_owned(),
            polygon,
            motion: PlaneMotion {
                velocity: flat_or_zero(table.velocity.as_ref(), "velocity", notes),
                spin: table.spin.as_ref().map_or(0.0, |spin| spin.value),
                centre,
            },
            surface: properties(table.penalty.as_ref(), stiffest, rough, notes),
        });
    }
    seeds
}

/// Corners counter-clockwise, and the point turned about unless one is given.
fn polygon(table: &ObstacleTable, notes: &mut Notes) -> Option<(Vec<DVec2>, DVec2)> {
    match &table.shape {
        ObstacleShapeTable::Polygon(polygon) => {
            let corners = shapes::points(&polygon.corners, &table.span, notes)?;
            let next = |k: usize| corners[(k + 1) % corners.len()];
            let area: f64 = (0..corners.len()).map(|k| 0.5 * corners[k].perp_dot(next(k))).sum();
            if area.is_nan() || area <= 0.0 {
                let help = "list them the other way round, each once";
                notes.error_with_help(
                    table.span.clone(),
                    "the corners of an obstacle must go counter-clockwise",
                    "clockwise, or without area",
                    help,
                );
                return None;
            }
            Some((corners, DVec2::ZERO))
        }
        ObstacleShapeTable::Disc(disc) => {
            let radius = check::positive("radius", &disc.radius, notes);
            let centre = flat_or_zero(Some(&disc.position), "position", notes);
            let points = count("points", disc.points.as_ref(), 48, 10_000, notes).max(3);
            let corner = |k: u64| {
                let angle = TAU * k as f64 / points as f64;
                centre + radius * dvec2(libm::cos(angle), libm::sin(angle))
            };
            Some(((0..points).map(corner).collect(), centre))
        }
    }
}
