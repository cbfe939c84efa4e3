//! Which sphere is seen where: spheres sorted into tiles, then ray cast into depth buffers.

use super::camera::Lens;
use glam::DVec3;

/// Side of a tile [samples]; even, so that pixels of 2×2 samples do not straddle tiles.
const TILE: usize = 64;

/// Marks samples that show no sphere.
pub(super) const NOTHING: u32 = u32::MAX;

/// A sphere in view space.
#[derive(Clone, Copy, Debug)]
pub(super) struct ViewSphere {
    /// Centre [m].
    pub(super) centre: DVec3,
    /// Radius [m].
    pub(super) radius: f64,
    /// Row in the scene.
    pub(super) index: usize,
}

/// What the samples of one tile show.
pub(super) struct TileBuffer {
    /// First sample.
    pub(super) x0: usize,
    pub(super) y0: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Depth along the view [m]; infinite where there is nothing.
    pub(super) depth: Vec<f64>,
    /// Position of the sphere in the list, or [`NOTHING`].
    pub(super) sphere: Vec<u32>,
}

/// Picture coordinates of a rectangle, cut into tiles.
#[derive(Clone, Copy)]
pub(super) struct Tiling {
    width: usize,
    height: usize,
    columns: usize,
    rows: usize,
}

impl Tiling {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, columns: width.div_ceil(TILE), rows: height.div_ceil(TILE) }
    }

    /// Lists of the items whose bounds (left, right, top, bottom) touch each tile, in the items' order.
    pub(super) fn sort(&self, bounds: &[Option<[f64; 4]>]) -> Vec<Vec<u32>> {
        let mut lists = vec![Vec::new(); self.columns * self.rows];
        for (item, bounds) in bounds.iter().enumerate() {
            let Some([left, right, top, bottom]) = *bounds else { continue };
            let outside = right < 0.0 || bottom < 0.0 || left > self.width as f64 || top > self.height as f64;
            if outside || !(left + right + top + bottom).is_finite() {
                continue;
            }
            // A cast to usize holds negative numbers at zero.
            let tile = |sample: f64, count: usize| (sample as usize / TILE).min(count - 1);
            for row in tile(top, self.rows)..=tile(bottom, self.rows) {
                for column in tile(left, self.columns)..=tile(right, self.columns) {
                    lists[row * self.columns + column].push(item as u32);
                }
            }
        }
        lists
    }

    fn empty_buffer(&self, tile: usize) -> TileBuffer {
        let (x0, y0) = (tile % self.columns * TILE, tile / self.columns * TILE);
        let (width, height) = (TILE.min(self.width - x0), TILE.min(self.height - y0));
        let samples = width * height;
        TileBuffer {
            x0,
            y0,
            width,
            height,
            depth: vec![f64::INFINITY; samples],
            sphere: vec![NOTHING; samples],
        }
    }

    /// Tile and place in it of a sample.
    pub(super) fn locate(&self, x: usize, y: usize) -> (usize, usize) {
        let tile = y / TILE * self.columns + x / TILE;
        let tile_width = TILE.min(self.width - x / TILE * TILE);
        (tile, y % TILE * tile_width + x % TILE)
    }
}

/// Spheres sorted into tiles.
pub(super) struct SphereRaster<'a> {
    spheres: &'a [ViewSphere],
    lens: Lens,
    tiling: Tiling,
    bounds: Vec<Option<[f64; 4]>>,
    lists: Vec<Vec<u32>>,
}

impl<'a> SphereRaster<'a> {
    pub(super) fn new(spheres: &'a [ViewSphere], lens: &Lens, width: usize, height: usize) -> Self {
        let tiling = Tiling::new(width, height);
        let bounds: Vec<_> = spheres.iter().map(|s| lens.sphere_bounds(s.centre, s.radius)).collect();
        let lists = tiling.sort(&bounds);
        Self { spheres, lens: *lens, tiling, bounds, lists }
    }

    pub(super) fn tile_count(&self) -> usize {
        self.lists.len()
    }

    pub(super) fn tiling(&self) -> Tiling {
        self.tiling
    }

    /// Ray casts the spheres of a tile, nearest first, until the rest is hidden.
    pub(super) fn draw(&self, tile: usize) -> TileBuffer {
        let mut buffer = self.tiling.empty_buffer(tile);
        let front = |item: u32| self.spheres[item as usize].centre.z - self.spheres[item as usize].radius;
        let mut order = self.lists[tile].clone();
        order.sort_by(|&a, &b| front(a).total_cmp(&front(b)).then(a.cmp(&b)));
        for batch in order.chunks(64) {
            let farthest = buffer.depth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if front(batch[0]) > farthest {
                break;
            }
            batch.iter().for_each(|&item| self.cast(item, &mut buffer));
        }
        buffer
    }

    fn cast(&self, item: u32, buffer: &mut TileBuffer) {
        let Some([left, right, top, bottom]) = self.bounds[item as usize] else { return };
        let sphere = &self.spheres[item as usize];
        let span = |low: f64, high: f64, start: usize, count: usize| {
            let first = (low as usize).saturating_sub(start);
            let end = (high.max(0.0) as usize + 1).saturating_sub(start).min(count);
            first..end
        };
        for row in span(top, bottom, buffer.y0, buffer.height) {
            let y = (buffer.y0 + row) as f64 + 0.5;
            for column in span(left, right, buffer.x0, buffer.width) {
                let x = (buffer.x0 + column) as f64 + 0.5;
                let sample = row * buffer.width + column;
                if let Some(depth) = hit(&self.lens, sphere, x, y)
                    && depth < buffer.depth[sample]
                {
                    buffer.depth[sample] = depth;
                    buffer.sphere[sample] = item;
                }
            }
        }
    }
}

/// Depth at which the ray through a sample enters a sphere.
fn hit(lens: &Lens, sphere: &ViewSphere, x: f64, y: f64) -> Option<f64> {
    let ray = lens.ray(x, y);
    let to_centre = sphere.centre - ray.base;
    // Points of the ray are base + z·slope with slope.z = 1, so the root of the quadratic is the depth.
    let a = ray.slope.length_squared();
    let b = ray.slope.dot(to_centre);
    let aside = to_centre - (b / a) * ray.slope;
    let under_root = sphere.radius * sphere.radius - aside.length_squared();
    (under_root >= 0.0).then(|| (b - (a * under_root).sqrt()) / a)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENSES: [Lens; 2] = [
        Lens { orthographic: false, scale: 150.0, centre: [80.0, 50.0] },
        Lens { orthographic: true, scale: 20.0, centre: [80.0, 50.0] },
    ];

    fn spheres() -> Vec<ViewSphere> {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut sphere = |index| {
            let centre = DVec3::new(6.0 * random() - 3.0, 4.0 * random() - 2.0, 6.0 + 6.0 * random());
            ViewSphere { centre, radius: 0.1 + 0.5 * random(), index }
        };
        (0..300).map(&mut sphere).collect()
    }

    /// Every sample against every sphere.
    #[test]
    fn tiles_show_what_brute_force_shows() {
        let spheres = spheres();
        for lens in LENSES {
            let raster = SphereRaster::new(&spheres, &lens, 160, 100);
            for buffer in (0..raster.tile_count()).map(|tile| raster.draw(tile)) {
                for (sample, (&depth, &shown)) in buffer.depth.iter().zip(&buffer.sphere).enumerate() {
                    let x = (buffer.x0 + sample % buffer.width) as f64 + 0.5;
                    let y = (buffer.y0 + sample / buffer.width) as f64 + 0.5;
                    let hits = spheres.iter().filter_map(|s| hit(&lens, s, x, y).map(|z| (z, s.index)));
                    let nearest = hits.min_by(|a, b| a.0.total_cmp(&b.0));
                    let expected = nearest.map_or((f64::INFINITY, NOTHING), |(z, index)| (z, index as u32));
                    assert_eq!((depth, shown), expected);
                }
            }
        }
    }

    #[test]
    fn hits_lie_on_the_sphere_and_face_the_viewer() {
        for lens in LENSES {
            let sphere = &spheres()[0];
            let [x, y] = lens.project(sphere.centre + DVec3::new(0.03, 0.02, 0.0)).unwrap();
            let depth = hit(&lens, sphere, x, y).unwrap();
            let point = lens.ray(x, y).at(depth);
            assert!((point.distance(sphere.centre) - sphere.radius).abs() < 1e-12);
            assert!(depth < sphere.centre.z);
        }
    }
}
