//! Walls as glass with dark edges, drawn over the spheres.

use super::camera::{Camera, Lens};
use super::raster::{TileBuffer, Tiling};
use super::shading::Shader;
use crate::output::WallMesh;
use glam::DVec3;

/// Squared colour of glass.
const GLASS: [f64; 3] = [0.36, 0.44, 0.52];
/// Squared colour of edges.
const EDGE: [f64; 3] = [0.03, 0.04, 0.06];
/// Cover of glass seen square on, and how much more at grazing angles.
const GLASS_FACING: f64 = 0.07;
const GLASS_GRAZING: f64 = 0.30;
/// Cover of a shadow on a wall.
const SHADOW: f64 = 0.40;
/// Cover of edges before and behind what is seen.
const EDGE_VISIBLE: f64 = 0.75;
const EDGE_HIDDEN: f64 = 0.10;
/// Half the width of edges, as part of the picture's height.
const EDGE_HALF_WIDTH: f64 = 0.00075;

struct Triangle {
    /// Corners on the picture [samples], in an order that both neighbours of an edge share.
    corners: [[f64; 2]; 3],
    normal: DVec3,
    /// A point of its plane.
    anchor: DVec3,
}

struct Edge {
    ends: [[f64; 2]; 2],
    /// Depth of the ends [m].
    depths: [f64; 2],
}

/// Walls sorted into tiles.
pub(super) struct SurfaceRaster {
    triangles: Vec<Triangle>,
    triangle_lists: Vec<Vec<u32>>,
    edges: Vec<Edge>,
    edge_lists: Vec<Vec<u32>>,
    edge_half_width: f64,
    tiling: Tiling,
    orthographic: bool,
}

impl SurfaceRaster {
    pub(super) fn new(walls: &[WallMesh], camera: &Camera, width: usize, height: usize) -> Self {
        let tiling = Tiling::new(width, height);
        let edge_half_width = (EDGE_HALF_WIDTH * height as f64).max(0.8);
        let triangles: Vec<Triangle> = walls.iter().flat_map(|wall| triangles(wall, camera)).collect();
        let edges: Vec<Edge> = walls.iter().flat_map(|wall| edges(wall, camera)).collect();
        let triangle_bounds: Vec<_> = triangles.iter().map(|t| Some(bounds(&t.corners, 0.0))).collect();
        let edge_bounds: Vec<_> = edges.iter().map(|e| Some(bounds(&e.ends, edge_half_width))).collect();
        Self {
            triangle_lists: tiling.sort(&triangle_bounds),
            edge_lists: tiling.sort(&edge_bounds),
            triangles,
            edges,
            edge_half_width,
            tiling,
            orthographic: camera.lens.orthographic,
        }
    }

    /// Draws the walls of a tile over its squared colours.
    pub(super) fn draw_over(&self, buffer: &TileBuffer, shader: &Shader, colours: &mut [[f64; 3]]) {
        let (tile, _) = self.tiling.locate(buffer.x0, buffer.y0);
        for &item in &self.triangle_lists[tile] {
            draw_glass(&self.triangles[item as usize], buffer, shader, colours);
        }
        // Edges meet at corners; the strongest counts, so that joints do not show.
        let mut cover = vec![0.0; colours.len()];
        for &item in &self.edge_lists[tile] {
            self.cover_by_edge(&self.edges[item as usize], buffer, &mut cover);
        }
        for (colour, &cover) in colours.iter_mut().zip(&cover) {
            mix(colour, EDGE, cover);
        }
    }

    fn cover_by_edge(&self, edge: &Edge, buffer: &TileBuffer, cover: &mut [f64]) {
        for_samples(buffer, bounds(&edge.ends, self.edge_half_width), |sample, x, y| {
            let (along, distance) = nearest_on_segment(edge.ends, [x, y]);
            if distance > self.edge_half_width {
                return;
            }
            let depth = self.depth_along(edge, along);
            let hidden = depth > buffer.depth[sample] * (1.0 + 1e-6);
            let here = if hidden { EDGE_HIDDEN } else { EDGE_VISIBLE };
            cover[sample] = f64::max(cover[sample], here);
        });
    }

    fn depth_along(&self, edge: &Edge, along: f64) -> f64 {
        let [a, b] = edge.depths;
        match self.orthographic {
            true => a + along * (b - a),
            // Straight on the picture is straight in 1/z.
            false => 1.0 / (1.0 / a + along * (1.0 / b - 1.0 / a)),
        }
    }
}

fn draw_glass(triangle: &Triangle, buffer: &TileBuffer, shader: &Shader, colours: &mut [[f64; 3]]) {
    for_samples(buffer, bounds(&triangle.corners, 0.0), |sample, x, y| {
        if !contains(&triangle.corners, [x, y]) {
            return;
        }
        let ray = shader.lens().ray(x, y);
        let depth = triangle.normal.dot(triangle.anchor - ray.base) / triangle.normal.dot(ray.slope);
        if !depth.is_finite() || depth > buffer.depth[sample] {
            return;
        }
        let facing = triangle.normal.dot(ray.slope).abs() / ray.slope.length();
        let grazing = (1.0 - facing) * (1.0 - facing) * (1.0 - facing);
        mix(&mut colours[sample], GLASS, GLASS_FACING + GLASS_GRAZING * grazing);
        let shade = SHADOW * (1.0 - shader.light_on_wall(ray.at(depth)));
        mix(&mut colours[sample], EDGE, shade);
    });
}

fn mix(colour: &mut [f64; 3], over: [f64; 3], cover: f64) {
    for (old, new) in colour.iter_mut().zip(over) {
        *old += cover * (new - *old);
    }
}

/// Calls `visit(sample, x, y)` for the samples of a tile within left, right, top, bottom.
fn for_samples(buffer: &TileBuffer, bounds: [f64; 4], mut visit: impl FnMut(usize, f64, f64)) {
    let span = |low: f64, high: f64, start: usize, count: usize| {
        let first = (low as usize).saturating_sub(start);
        let end = (high.max(0.0) as usize + 1).saturating_sub(start).min(count);
        first..end
    };
    let [left, right, top, bottom] = bounds;
    for row in span(top, bottom, buffer.y0, buffer.height) {
        for column in span(left, right, buffer.x0, buffer.width) {
            let (x, y) = ((buffer.x0 + column) as f64 + 0.5, (buffer.y0 + row) as f64 + 0.5);
            visit(row * buffer.width + column, x, y);
        }
    }
}

/// Polygons cut into fans; those the viewer is not clear of are left out.
fn triangles(wall: &WallMesh, camera: &Camera) -> Vec<Triangle> {
    let points: Vec<DVec3> = wall.points.iter().map(|&point| camera.to_view(point)).collect();
    let fans = wall
        .polys
        .iter()
        .flat_map(|poly| (1..poly.len().saturating_sub(1)).map(|i| [poly[0], poly[i], poly[i + 1]]));
    fans.filter_map(|corners| triangle(corners.map(|corner| points[corner as usize]), &camera.lens)).collect()
}

fn triangle([a, b, c]: [DVec3; 3], lens: &Lens) -> Option<Triangle> {
    let normal = (b - a).cross(c - a).try_normalize()?;
    let corners = [lens.project(a)?, lens.project(b)?, lens.project(c)?];
    Some(Triangle { corners, normal, anchor: a })
}

fn edges(wall: &WallMesh, camera: &Camera) -> Vec<Edge> {
    let edge = |&[a, b]: &[u32; 2]| {
        let [a, b] = [a, b].map(|end| camera.to_view(wall.points[end as usize]));
        let ends = [camera.lens.project(a)?, camera.lens.project(b)?];
        Some(Edge { ends, depths: [a.z, b.z] })
    };
    wall.outline.iter().filter_map(edge).collect()
}

fn bounds(points: &[[f64; 2]], margin: f64) -> [f64; 4] {
    let reduce = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
        points.iter().map(|point| point[axis]).fold(start, pick)
    };
    [
        reduce(0, f64::min, f64::INFINITY) - margin,
        reduce(0, f64::max, f64::NEG_INFINITY) + margin,
        reduce(1, f64::min, f64::INFINITY) - margin,
        reduce(1, f64::max, f64::NEG_INFINITY) + margin,
    ]
}

/// Whether a sample is inside; of two triangles that share an edge exactly one has it, or seams would show.
pub(super) fn contains(corners: &[[f64; 2]; 3], sample: [f64; 2]) -> bool {
    let [a, b, c] = *corners;
    let sides = [side(a, b, sample), side(b, c, sample), side(c, a, sample)];
    sides.iter().all(|&s| s > 0.0) || sides.iter().all(|&s| s < 0.0)
}

/// Side of the line a–b on which a sample lies; exactly opposite for b–a.
fn side(a: [f64; 2], b: [f64; 2], sample: [f64; 2]) -> f64 {
    let area =
        |p: [f64; 2], q: [f64; 2]| (q[0] - p[0]) * (sample[1] - p[1]) - (q[1] - p[1]) * (sample[0] - p[0]);
    if a <= b { area(a, b) } else { -area(b, a) }
}

/// Position (0 to 1) of the point of a segment nearest to a sample, and the distance to it.
pub(in crate::output) fn nearest_on_segment([a, b]: [[f64; 2]; 2], sample: [f64; 2]) -> (f64, f64) {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let (px, py) = (sample[0] - a[0], sample[1] - a[1]);
    let length_squared = dx * dx + dy * dy;
    let along =
        if length_squared > 0.0 { ((px * dx + py * dy) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    let (ex, ey) = (px - along * dx, py - along * dy);
    (along, (ex * ex + ey * ey).sqrt())
}
