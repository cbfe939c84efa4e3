//! Soft shadows: the depth of the spheres as seen from the light.

use super::camera::Lens;
use super::raster::{NOTHING, SphereRaster, TileBuffer, Tiling, ViewSphere};
use glam::{DMat3, DVec3};
use rayon::prelude::*;

/// Side of the light's depth buffer [samples].
const SIDE: usize = 2048;

/// Samples looked at for one point: a sunflower disc of radius 1, so that edges of shadows are soft.
const TAPS: [[f64; 2]; 9] = [
    [0.0, 0.0],
    [0.42, 0.0],
    [-0.31, 0.39],
    [0.06, -0.62],
    [0.48, 0.55],
    [-0.80, -0.14],
    [0.62, -0.62],
    [-0.22, 0.92],
    [-0.55, -0.80],
];

/// The light's view of the spheres.
pub(super) struct ShadowMap {
    light_from_view: DMat3,
    offset: DVec3,
    lens: Lens,
    tiling: Tiling,
    buffers: Vec<TileBuffer>,
    /// Radius of the softened edge [samples].
    softness: f64,
}

impl ShadowMap {
    /// `to_light` is the unit direction to the light; `softness` the radius over which edges fade [m].
    pub(super) fn new(spheres: &[ViewSphere], to_light: DVec3, softness: f64) -> Self {
        let (right, up) = to_light.any_orthonormal_pair();
        let light_from_view = DMat3::from_cols(right, up, -to_light).transpose();
        let turned: Vec<ViewSphere> =
            spheres.iter().map(|s| ViewSphere { centre: light_from_view * s.centre, ..*s }).collect();
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let grow = |(low, high): (DVec3, DVec3), s: &ViewSphere| {
            (low.min(s.centre - s.radius), high.max(s.centre + s.radius))
        };
        let (low, high) =
            if turned.is_empty() { (-DVec3::ONE, DVec3::ONE) } else { turned.iter().fold(none, grow) };
        let offset = -0.5 * (low + high);
        let moved: Vec<ViewSphere> =
            turned.iter().map(|s| ViewSphere { centre: s.centre + offset, ..*s }).collect();
        let half = 0.5 * SIDE as f64;
        let size = (high - low).truncate().max_element();
        let lens = Lens { orthographic: true, scale: 0.98 * SIDE as f64 / size, centre: [half, half] };
        let raster = SphereRaster::new(&moved, &lens, SIDE, SIDE);
        let buffers = (0..raster.tile_count()).into_par_iter().map(|tile| raster.draw(tile)).collect();
        let tiling = raster.tiling();
        Self { light_from_view, offset, lens, tiling, buffers, softness: softness * lens.scale }
    }

    /// Part of the light that reaches a point, 0 to 1. `item` is the sphere the point is on ([`NOTHING`] for
    /// walls), which does not shade itself; blockers less than `bias` [m] above the point do not count.
    pub(super) fn light_at(&self, point: DVec3, item: u32, bias: f64) -> f64 {
        let seen = self.light_from_view * point + self.offset;
        let Some([x, y]) = self.lens.project(seen) else { return 1.0 };
        let lit = |tap: &&[f64; 2]| {
            self.sample(x + self.softness * tap[0], y + self.softness * tap[1])
                .is_none_or(|(depth, blocker)| blocker == item || depth > seen.z - bias)
        };
        TAPS.iter().filter(lit).count() as f64 / TAPS.len() as f64
    }

    fn sample(&self, x: f64, y: f64) -> Option<(f64, u32)> {
        let inside = (0.0..SIDE as f64).contains(&x) && (0.0..SIDE as f64).contains(&y);
        if !inside {
            return None;
        }
        let (tile, place) = self.tiling.locate(x as usize, y as usize);
        let buffer = &self.buffers[tile];
        (buffer.sphere[place] != NOTHING).then(|| (buffer.depth[place], buffer.sphere[place]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_shades_what_is_behind_it_and_nothing_else() {
        let sphere = |x: f64, y: f64| ViewSphere { centre: DVec3::new(x, y, 10.0), radius: 1.0, index: 0 };
        let map = ShadowMap::new(&[sphere(0.0, 5.0), sphere(0.0, 0.0)], DVec3::Y, 0.1);
        let light = |x: f64, y: f64| map.light_at(DVec3::new(x, y, 10.0), 1, 0.1);
        assert_eq!(light(0.0, 1.0), 0.0);
        assert_eq!(light(0.0, 6.5), 1.0);
        assert_eq!(light(2.0, 0.0), 1.0);
        let edge = light(1.0, 0.0);
        assert!(edge > 0.0 && edge < 1.0);
        // The top of the lower sphere is its own nearest surface only where the upper one is not above.
        assert_eq!(map.light_at(DVec3::new(0.0, 6.0, 10.0), 0, 0.1), 1.0);
    }
}
