//! Where the viewer stands, and how space falls on the picture.
//!
//! View space: x right, y up, z away from the viewer [m]. Sample coordinates: x right, y down.

use super::{PictureOptions, PictureScene, Projection};
use glam::{DMat3, DVec3};

/// Samples of the whole picture and the part of it that the scene may fill.
pub(super) struct Frame {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Left, right, top, bottom [samples].
    view: [f64; 4],
}

impl Frame {
    /// Leaves room for title, caption and legend.
    pub(super) fn for_size(width: usize, height: usize, with_legend: bool) -> Self {
        let (w, h) = (width as f64, height as f64);
        let right = if with_legend { w - 0.20 * h } else { w - 0.04 * h };
        Self { width, height, view: [0.04 * h, right.max(0.5 * w), 0.08 * h, 0.94 * h] }
    }
}

/// How view space falls on samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lens {
    /// Parallel rays instead of rays through the origin.
    pub(super) orthographic: bool,
    /// Samples per metre (orthographic) or per unit of slope (perspective).
    pub(super) scale: f64,
    /// Sample of the view axis.
    pub(super) centre: [f64; 2],
}

/// Points at height z of a ray: `base + z · slope`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub(super) base: DVec3,
    pub(super) slope: DVec3,
}

impl Ray {
    pub(super) fn at(&self, z: f64) -> DVec3 {
        self.base + z * self.slope
    }
}

impl Lens {
    /// Sample a point falls on; nothing for points beside or behind the viewer.
    pub(super) fn project(&self, point: DVec3) -> Option<[f64; 2]> {
        let scale = if self.orthographic { self.scale } else { self.scale / point.z };
        let visible = self.orthographic || point.z > 0.0;
        visible.then(|| [self.centre[0] + scale * point.x, self.centre[1] - scale * point.y])
    }

    /// Ray through a sample.
    pub(super) fn ray(&self, x: f64, y: f64) -> Ray {
        let across = DVec3::new((x - self.centre[0]) / self.scale, (self.centre[1] - y) / self.scale, 0.0);
        match self.orthographic {
            true => Ray { base: across, slope: DVec3::Z },
            false => Ray { base: DVec3::ZERO, slope: across + DVec3::Z },
        }
    }

    /// Left, right, top, bottom sample of a sphere's outline; nothing if the viewer is not clear of it.
    pub(super) fn sphere_bounds(&self, centre: DVec3, radius: f64) -> Option<[f64; 4]> {
        let ([left, right], [low, high]) = if self.orthographic {
            ([centre.x - radius, centre.x + radius], [centre.y - radius, centre.y + radius])
        } else {
            (tangent_slopes(centre.x, centre.z, radius)?, tangent_slopes(centre.y, centre.z, radius)?)
        };
        let [cx, cy] = self.centre;
        Some([cx + self.scale * left, cx + self.scale * right, cy - self.scale * high, cy - self.scale * low])
    }
}

/// Slopes of the two lines through the origin that touch a circle about (x, z).
fn tangent_slopes(x: f64, z: f64, radius: f64) -> Option<[f64; 2]> {
    if z <= radius {
        return None;
    }
    let root = radius * (x * x + z * z - radius * radius).sqrt();
    let below = z * z - radius * radius;
    Some([(x * z - root) / below, (x * z + root) / below])
}

/// A viewer.
pub(super) struct Camera {
    view_from_world: DMat3,
    up: DVec3,
    /// Added after turning.
    offset: DVec3,
    pub(super) lens: Lens,
}

impl Camera {
    /// Stands so that everything just fits the frame.
    pub(super) fn fitted(scene: &PictureScene, options: &PictureOptions, frame: &Frame) -> Self {
        let view_from_world = turned(options);
        let balls = turned_balls(scene, view_from_world);
        let [left, right, top, bottom] = frame.view;
        let half = [0.5 * (right - left), 0.5 * (bottom - top)];
        let centre = [0.5 * (left + right), 0.5 * (top + bottom)];
        let (offset, scale, orthographic) = match options.projection {
            Projection::Orthographic => {
                let (offset, scale) = fit_parallel(&balls, half);
                (offset, scale, true)
            }
            Projection::Perspective(angle) => {
                let tangent = libm::tan(0.5 * angle.clamp(1.0, 120.0).to_radians());
                let scale = half[1] / tangent;
                (fit_perspective(&balls, [half[0] / scale, tangent]), scale, false)
            }
        };
        let up = view_from_world * options.up.try_normalize().unwrap_or(DVec3::Z);
        Self { view_from_world, up, offset, lens: Lens { orthographic, scale, centre } }
    }

    /// View space from world space [m].
    pub(super) fn to_view(&self, point: DVec3) -> DVec3 {
        self.view_from_world * point + self.offset
    }

    /// Up of the world, in view space.
    pub(super) fn up(&self) -> DVec3 {
        self.up
    }
}

/// Rows are right, up and forward.
fn turned(options: &PictureOptions) -> DMat3 {
    let up = options.up.try_normalize().unwrap_or(DVec3::Z);
    // A fixed pair for the common case: azimuth 0 looks from +x, 90 from +y.
    let (east, north) = if up == DVec3::Z { (DVec3::X, DVec3::Y) } else { up.any_orthonormal_pair() };
    let (sin_a, cos_a) = libm::sincos(options.azimuth.to_radians());
    let (sin_e, cos_e) = libm::sincos(options.elevation.to_radians());
    let level = cos_a * east + sin_a * north;
    let forward = -(cos_e * level + sin_e * up);
    let right = cos_a * north - sin_a * east;
    let picture_up = right.cross(forward);
    DMat3::from_cols(right, picture_up, forward).transpose()
}

/// Everything to be seen, as centres in turned space and radii.
fn turned_balls(scene: &PictureScene, view_from_world: DMat3) -> Vec<(DVec3, f64)> {
    let spheres = scene.centres.iter().copied().zip(scene.radii.iter().copied());
    let corners = scene.walls.iter().flat_map(|wall| wall.points.iter().map(|&point| (point, 0.0)));
    let finite = |ball: &(DVec3, f64)| ball.0.is_finite() && ball.1.is_finite();
    let mut balls: Vec<_> =
        spheres.chain(corners).filter(finite).map(|(point, r)| (view_from_world * point, r)).collect();
    if balls.is_empty() {
        balls.push((DVec3::ZERO, 1.0));
    }
    balls
}

fn bounds(balls: &[(DVec3, f64)]) -> (DVec3, DVec3) {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    balls.iter().fold(none, |(low, high), &(point, r)| (low.min(point - r), high.max(point + r)))
}

fn fit_parallel(balls: &[(DVec3, f64)], half: [f64; 2]) -> (DVec3, f64) {
    let (low, high) = bounds(balls);
    let size = 0.5 * (high - low);
    let tiny = 1e-12 * size.length() + f64::MIN_POSITIVE;
    let scale = (half[0] / size.x.max(tiny)).min(half[1] / size.y.max(tiny));
    (-0.5 * (low + high), scale)
}

/// Offset of turned space that brings all balls into the cone of slopes ±`tangents`, centred.
fn fit_perspective(balls: &[(DVec3, f64)], tangents: [f64; 2]) -> DVec3 {
    let (low, high) = bounds(balls);
    let mut offset = -0.5 * (low + high);
    // Nearer things look larger, so the middle of the picture is not that of the box: centre, then step back.
    for _ in 0..4 {
        offset.z = distance(balls, offset, tangents);
        let slopes = slope_bounds(balls, offset);
        let middle = offset.z + 0.5 * (low.z + high.z);
        offset.x -= 0.5 * (slopes[0] + slopes[1]) * middle;
        offset.y -= 0.5 * (slopes[2] + slopes[3]) * middle;
    }
    offset.z = distance(balls, offset, tangents);
    offset
}

/// Shift along the view at which the last ball comes into the cone.
fn distance(balls: &[(DVec3, f64)], offset: DVec3, tangents: [f64; 2]) -> f64 {
    let slant = tangents.map(|t| (1.0 + t * t).sqrt());
    let needed = |&(point, r): &(DVec3, f64)| {
        let x = ((point.x + offset.x).abs() + r * slant[0]) / tangents[0] - point.z;
        let y = ((point.y + offset.y).abs() + r * slant[1]) / tangents[1] - point.z;
        // Clear of the ball even if it lies on the axis.
        x.max(y).max(1.5 * r - point.z)
    };
    let nearest = balls.iter().map(needed).fold(f64::NEG_INFINITY, f64::max);
    nearest + 1e-9 * nearest.abs() + f64::MIN_POSITIVE
}

fn slope_bounds(balls: &[(DVec3, f64)], offset: DVec3) -> [f64; 4] {
    let mut slopes = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
    for &(point, r) in balls {
        let p = point + offset;
        let z = p.z.max(r).max(f64::MIN_POSITIVE);
        slopes[0] = slopes[0].min((p.x - r) / z);
        slopes[1] = slopes[1].max((p.x + r) / z);
        slopes[2] = slopes[2].min((p.y - r) / z);
        slopes[3] = slopes[3].max((p.y + r) / z);
    }
    slopes
}
