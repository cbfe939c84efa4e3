//! Grains and solids in the plane, with their contacts.

use super::Wish;
use super::fields;
use crate::problem::Failure;
use crate::surface::Surface;
use breccia::output::vtk::PolyData;
use breccia::output::{FlatScene, FlatShape, Image, render_flat};
use glam::DVec2;
use std::collections::BTreeMap;

/// Colours of a plane without a wish: those of the first kind there is.
fn telling(kinds: &BTreeMap<&'static str, PolyData>) -> &'static [&'static str] {
    if kinds.contains_key("grains") { &fields::OF_GRAINS } else { &fields::OF_SOLIDS }
}

/// Draws frames by kind.
pub fn draw(kinds: &BTreeMap<&'static str, PolyData>, mut wish: Wish) -> Result<Image, Failure> {
    let mut scene = FlatScene { is_plain: true, ..FlatScene::default() };
    let bodies: Vec<&PolyData> = ["grains", "solids"].iter().filter_map(|kind| kinds.get(kind)).collect();
    let is_there = |key: &str| bodies.iter().any(|data| cell_values(data, key).is_some());
    let key = match wish.colour {
        Some("plain") => None,
        Some(key) if !is_there(key) => return Err(fields::unknown(key, bodies)),
        Some(key) => Some(key),
        None => telling(kinds).iter().copied().find(|key| is_there(key)),
    };
    for data in &bodies {
        let values = key.and_then(|key| cell_values(data, key));
        if let Some((_, legend)) = &values {
            wish.options.legend.clone_from(legend);
            scene.is_plain = false;
        }
        for (index, polygon) in data.polys.iter().enumerate() {
            let corners = polygon.iter().map(|&point| in_plane(data, point)).collect();
            let value = values.as_ref().map_or(f64::NAN, |(numbers, _)| numbers[index]);
            scene.shapes.push(FlatShape { corners, value });
        }
        let rims = Surface::of(data, 0).creases();
        scene
            .outlines
            .extend(rims.into_iter().map(|ends| ends.map(|point| in_plane(data, i64::from(point)))));
    }
    scene.chains = kinds.get("contacts").map_or_else(Vec::new, chains);
    if let Some(walls) = kinds.get("walls") {
        let corners = |polygon: &[i64]| polygon.iter().map(|&point| in_plane(walls, point)).collect();
        scene.walls.extend(walls.polys.iter().map(corners));
    }
    Ok(render_flat(&scene, &wish.options))
}

fn in_plane(data: &PolyData, point: i64) -> DVec2 {
    let [x, y, _] = data.points[point as usize];
    DVec2::new(x, y)
}

/// Values by polygon; those of points are means over its corners. With the legend.
fn cell_values(data: &PolyData, key: &str) -> Option<(Vec<f64>, String)> {
    let before = data.vertices.len() + data.lines.len();
    if let Some(values) = fields::find(&data.cell_fields, key) {
        return Some((values.numbers[before..].to_vec(), values.legend));
    }
    let values = fields::find(&data.point_fields, key)?;
    let mean = |polygon: &[i64]| {
        polygon.iter().map(|&point| values.numbers[point as usize]).sum::<f64>() / polygon.len().max(1) as f64
    };
    Some((data.polys.iter().map(mean).collect(), values.legend))
}

/// Contacts as lines, as thick as the square root of their share of the largest force.
fn chains(contacts: &PolyData) -> Vec<([DVec2; 2], f64)> {
    let forces =
        fields::find(&contacts.cell_fields, "normal_force").map_or_else(Vec::new, |values| values.numbers);
    let most = forces.iter().copied().fold(0.0, f64::max);
    let line = |(index, line): (usize, &[i64])| {
        let &[a, b] = line else { return None };
        let share = forces.get(index).map_or(0.0, |force| (force / most).max(0.0));
        Some(([a, b].map(|point| in_plane(contacts, point)), share.sqrt()))
    };
    contacts.lines.iter().enumerate().filter_map(line).filter(|(_, weight)| *weight > 0.0).collect()
}
