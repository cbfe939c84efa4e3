//! Pictures of spheres and walls, drawn on the CPU: no graphics card, no fonts of the system.
//!
//! Spheres are ray cast into a depth buffer, lit by one soft-shadowed light and darkened where neighbours
//! crowd the view of the sky; walls are glass with dark edges. Work is cut into tiles that do not depend on the
//! number of threads, so a picture has the same bits everywhere.

mod camera;
mod colour;
mod flat;
mod font;
mod image;
mod legend;
mod neighbours;
mod overlay;
mod raster;
mod shading;
mod shadow;
mod surface;

pub(super) use font::{Anchor, Letters, draw_letters};
pub(super) use surface::nearest_on_segment;

pub use colour::viridis;
pub use flat::{FlatPage, FlatScene, FlatShape, render_flat, render_flat_page, rim};
pub use image::Image;
pub use overlay::{OverlayLine, overlay};

use super::{OutputError, WallMesh};
use camera::{Camera, Frame};
use glam::DVec3;
use raster::{SphereRaster, ViewSphere};
use rayon::prelude::*;
use shading::Shader;
use surface::SurfaceRaster;

/// What to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureScene {
    /// Centres of the spheres [m, world].
    pub centres: Vec<DVec3>,
    /// Radii [m].
    pub radii: Vec<f64>,
    /// Values shown as colours, in the unit that [`PictureOptions::legend`] names; empty for one colour.
    pub values: Vec<f64>,
    /// Walls, drawn as glass.
    pub walls: Vec<WallMesh>,
}

/// How depth is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Vertical opening angle [degrees].
    Perspective(f64),
    /// Parallel rays.
    Orthographic,
}

/// How to draw it.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureOptions {
    /// Width [pixels].
    pub width: usize,
    /// Height [pixels].
    pub height: usize,
    /// Projection.
    pub projection: Projection,
    /// Direction that points up in the picture [world].
    pub up: DVec3,
    /// Where the viewer stands, turned about `up` [degrees].
    pub azimuth: f64,
    /// How far the viewer stands above the horizon [degrees].
    pub elevation: f64,
    /// Title at the top; may be empty.
    pub title: String,
    /// Line at the bottom (time, count); may be empty.
    pub caption: String,
    /// Title of the colour legend with unit: `speed [m/s]`.
    pub legend: String,
    /// Values at the ends of the colour scale; the data's own without.
    pub range: Option<[f64; 2]>,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            width: 1600,
            height: 1000,
            projection: Projection::Perspective(24.0),
            up: DVec3::Z,
            azimuth: -60.0,
            elevation: 20.0,
            title: String::new(),
            caption: String::new(),
            legend: String::new(),
            range: None,
        }
    }
}

/// Largest width and height [pixels].
const MAX_SIDE: usize = 16_384;

/// Samples per pixel along each axis.
const SUPERSAMPLING: usize = 2;

/// Draws the scene. Spheres with positions or radii that are not finite are left out.
pub fn render(scene: &PictureScene, options: &PictureOptions) -> Result<Image, OutputError> {
    check(scene)?;
    let (width, height) = (options.width.clamp(64, MAX_SIDE), options.height.clamp(64, MAX_SIDE));
    let range = value_range(scene, options);
    let frame = Frame::for_size(width * SUPERSAMPLING, height * SUPERSAMPLING, range.is_some());
    let camera = Camera::fitted(scene, options, &frame);
    let spheres = view_spheres(scene, &camera);
    let raster = SphereRaster::new(&spheres, &camera.lens, frame.width, frame.height);
    let surfaces = SurfaceRaster::new(&scene.walls, &camera, frame.width, frame.height);
    let buffers: Vec<_> = (0..raster.tile_count()).into_par_iter().map(|tile| raster.draw(tile)).collect();
    let shader = Shader::new(&spheres, &buffers, &camera, |index| sphere_colour(scene, range, index));
    let mut picture = Image::white(width, height);
    let tiles: Vec<_> = buffers
        .par_iter()
        .map(|buffer| {
            let mut colours = shader.shade(buffer);
            surfaces.draw_over(buffer, &shader, &mut colours);
            image::downsample(&colours, buffer, SUPERSAMPLING)
        })
        .collect();
    for (buffer, tile) in buffers.iter().zip(&tiles) {
        picture.paste(tile, buffer.x0 / SUPERSAMPLING, buffer.y0 / SUPERSAMPLING);
    }
    legend::draw(&mut picture, options, range);
    Ok(picture)
}

fn check(scene: &PictureScene) -> Result<(), OutputError> {
    let expected = scene.centres.len();
    let arrays =
        [("radii", scene.radii.len(), true), ("values", scene.values.len(), !scene.values.is_empty())];
    for (what, found, needed) in arrays {
        if needed && found != expected {
            return Err(OutputError::Length { what: format!("picture: {what}"), found, expected });
        }
    }
    Ok(())
}

/// Ends of the colour scale; nothing where there is nothing to scale.
fn value_range(scene: &PictureScene, options: &PictureOptions) -> Option<[f64; 2]> {
    if scene.values.is_empty() { None } else { range_of(scene.values.iter().copied(), options.range) }
}

/// Sizes that reach down to a smaller share of the largest begin at nothing, as in the viewer.
const ALMOST_NOTHING: f64 = 0.05;

/// The range chosen, or that of the values that are numbers.
fn range_of(values: impl Iterator<Item = f64>, chosen: Option<[f64; 2]>) -> Option<[f64; 2]> {
    let mut are_counts = true;
    let mut own = [f64::INFINITY, f64::NEG_INFINITY];
    for value in values.filter(|value| value.is_finite()) {
        own = [own[0].min(value), own[1].max(value)];
        are_counts &= value == value.trunc();
    }
    if own[0] > 0.0 && own[0] < ALMOST_NOTHING * own[1] && !are_counts {
        own[0] = 0.0;
    }
    let [low, high] = chosen.unwrap_or(own);
    if !(low.is_finite() && high.is_finite()) {
        return None;
    }
    // A scale of no width would divide by zero.
    if high > low { Some([low, high]) } else { Some([low, low + low.abs().max(1.0)]) }
}

fn sphere_colour(scene: &PictureScene, range: Option<[f64; 2]>, index: usize) -> [f64; 3] {
    match (range, scene.values.get(index)) {
        (Some([low, high]), Some(value)) if value.is_finite() => viridis((value - low) / (high - low)),
        (Some(_), _) => colour::UNKNOWN,
        (None, _) => colour::PLAIN,
    }
}

fn view_spheres(scene: &PictureScene, camera: &Camera) -> Vec<ViewSphere> {
    let spheres = scene.centres.iter().zip(&scene.radii).enumerate();
    let drawn =
        spheres.filter(|(_, (centre, radius))| centre.is_finite() && radius.is_finite() && **radius > 0.0);
    drawn
        .map(|(index, (&centre, &radius))| ViewSphere { centre: camera.to_view(centre), radius, index })
        .collect()
}
