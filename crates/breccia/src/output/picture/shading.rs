//! Light on the spheres.

use super::camera::Camera;
use super::camera::Lens;
use super::neighbours::{Neighbourhood, REACH};
use super::raster::{NOTHING, TileBuffer, ViewSphere};
use super::shadow::ShadowMap;
use glam::DVec3;
use rayon::prelude::*;

/// Light from everywhere, at full view of the sky.
const AMBIENT: f64 = 0.62;
/// Light from the lamp on a surface square to it.
const LAMP: f64 = 0.72;
/// Brightness of the highlight.
const HIGHLIGHT: f64 = 0.10;
/// How much of the sky one touching neighbour takes.
const CROWDING: f64 = 0.85;
/// Radius over which edges of shadows fade, in mean radii.
const SHADOW_SOFTNESS: f64 = 0.35;

/// Everything needed to colour samples.
pub(super) struct Shader<'a> {
    spheres: &'a [ViewSphere],
    lens: Lens,
    to_light: DVec3,
    up: DVec3,
    shadows: ShadowMap,
    mean_radius: f64,
    /// Squared colour of each sphere.
    colours: Vec<[f64; 3]>,
    /// Neighbours of the spheres seen, back to back; `starts[i]..starts[i + 1]` belong to sphere i.
    neighbours: Vec<u32>,
    starts: Vec<usize>,
}

impl<'a> Shader<'a> {
    pub(super) fn new(
        spheres: &'a [ViewSphere],
        buffers: &[TileBuffer],
        camera: &Camera,
        colour: impl Fn(usize) -> [f64; 3],
    ) -> Self {
        let mean_radius = spheres.iter().map(|s| s.radius).sum::<f64>() / spheres.len().max(1) as f64;
        let up = camera.up();
        // From above, over the viewer's left shoulder.
        let to_light = (0.9 * up + DVec3::new(-0.45, 0.0, -0.55)).normalize();
        let (neighbours, starts) = neighbour_lists(spheres, buffers);
        Self {
            spheres,
            lens: camera.lens,
            to_light,
            up,
            shadows: ShadowMap::new(spheres, to_light, SHADOW_SOFTNESS * mean_radius),
            mean_radius,
            colours: spheres.iter().map(|s| colour(s.index).map(|c| c * c)).collect(),
            neighbours,
            starts,
        }
    }

    pub(super) fn lens(&self) -> &Lens {
        &self.lens
    }

    /// Part of the lamp's light that reaches a point of a wall.
    pub(super) fn light_on_wall(&self, point: DVec3) -> f64 {
        self.shadows.light_at(point, NOTHING, 0.1 * self.mean_radius)
    }

    /// Squared colours of a tile's samples, white where there is nothing.
    pub(super) fn shade(&self, buffer: &TileBuffer) -> Vec<[f64; 3]> {
        let sample_colour = |(sample, &item): (usize, &u32)| {
            if item == NOTHING {
                return [1.0; 3];
            }
            let x = (buffer.x0 + sample % buffer.width) as f64 + 0.5;
            let y = (buffer.y0 + sample / buffer.width) as f64 + 0.5;
            let ray = self.lens.ray(x, y);
            self.colour(item, ray.at(buffer.depth[sample]), ray.slope)
        };
        buffer.sphere.iter().enumerate().map(sample_colour).collect()
    }

    fn colour(&self, item: u32, point: DVec3, ray_direction: DVec3) -> [f64; 3] {
        let sphere = &self.spheres[item as usize];
        let normal = (point - sphere.centre) / sphere.radius;
        let facing = normal.dot(self.to_light).max(0.0);
        // The far side gets no lamp light anyway.
        let lamp = if facing > 0.0 { self.shadows.light_at(point, item, 0.15 * sphere.radius) } else { 0.0 };
        let sky = self.open_sky(item, point, normal);
        let from_above = 0.8 + 0.2 * normal.dot(self.up);
        let light = AMBIENT * sky * from_above + LAMP * lamp * facing * (0.4 + 0.6 * sky);
        let halfway = (self.to_light - ray_direction.normalize()).normalize();
        let shine = HIGHLIGHT * lamp * power_32(normal.dot(halfway).max(0.0));
        self.colours[item as usize].map(|c| c * light + shine)
    }

    /// Part of the sky a point sees past its neighbours: each takes the cosine-weighted solid angle of a sphere,
    /// faded to nothing at its reach.
    fn open_sky(&self, item: u32, point: DVec3, normal: DVec3) -> f64 {
        let own = self.starts[item as usize]..self.starts[item as usize + 1];
        let mut sky = 1.0;
        for &other in &self.neighbours[own] {
            let other = &self.spheres[other as usize];
            let to_other = other.centre - point;
            let cosine_length = normal.dot(to_other);
            let ratio = to_other.length_squared() / (other.radius * other.radius);
            if cosine_length <= 0.0 || ratio >= REACH * REACH {
                continue;
            }
            let fade = 1.0 - ratio / (REACH * REACH);
            let cosine = cosine_length / to_other.length();
            sky *= 1.0 - CROWDING * fade * cosine / ratio.max(1.0);
        }
        sky
    }
}

fn power_32(x: f64) -> f64 {
    (0..5).fold(x, |power, _| power * power)
}

/// Neighbours of the spheres that some sample shows.
fn neighbour_lists(spheres: &[ViewSphere], buffers: &[TileBuffer]) -> (Vec<u32>, Vec<usize>) {
    let mut seen = vec![false; spheres.len()];
    for &item in buffers.iter().flat_map(|buffer| &buffer.sphere).filter(|&&item| item != NOTHING) {
        seen[item as usize] = true;
    }
    let neighbourhood = Neighbourhood::new(spheres);
    let list = |(item, &seen): (usize, &bool)| if seen { neighbourhood.of(item as u32) } else { Vec::new() };
    let lists: Vec<Vec<u32>> = seen.par_iter().enumerate().map(list).collect();
    let mut starts = vec![0];
    starts.extend(lists.iter().scan(0, |end, list| {
        *end += list.len();
        Some(*end)
    }));
    (lists.concat(), starts)
}
