//! Pictures of things in the plane: filled outlines, coloured by a value, and lines whose thickness tells a force.

use super::colour::{PLAIN, UNKNOWN, viridis};
use super::image::Image;
use super::surface::{contains, nearest_on_segment};
use super::{MAX_SIDE, PictureOptions, legend, range_of};
use crate::output::triangulate::triangulate;
use glam::{DVec2, DVec3};

/// Samples per pixel along each axis.
const SAMPLES: usize = 2;
/// Colour of outlines.
const EDGE: [f64; 3] = [0.16, 0.16, 0.2];
/// Colour of lines of force.
const CHAIN: [f64; 3] = [0.76, 0.16, 0.13];

/// A filled outline.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatShape {
    /// Corners in order, either way round [m].
    pub corners: Vec<DVec2>,
    /// Value shown as colour; not a number for none.
    pub value: f64,
}

/// What to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlatScene {
    /// Grains or elements.
    pub shapes: Vec<FlatShape>,
    /// Whether shapes without a value are just plain (true) or unknown (false).
    pub is_plain: bool,
    /// Lines of force: ends [m] and thickness, from 0 to 1.
    pub chains: Vec<([DVec2; 2], f64)>,
    /// Thin lines: walls [m].
    pub edges: Vec<[DVec2; 2]>,
}

/// Draws the scene; x goes right and y up. Of the options the size, words and range count.
pub fn render_flat(scene: &FlatScene, options: &PictureOptions) -> Image {
    let (width, height) = (options.width.clamp(64, MAX_SIDE), options.height.clamp(64, MAX_SIDE));
    let values = scene.shapes.iter().map(|shape| shape.value);
    let range = if scene.is_plain { None } else { range_of(values, options.range) };
    let mut canvas = Canvas::new(scene, width, height, range.is_some());
    for shape in &scene.shapes {
        let colour = match range {
            Some([low, high]) if shape.value.is_finite() => viridis((shape.value - low) / (high - low)),
            Some(_) => UNKNOWN,
            None => PLAIN,
        };
        canvas.fill(&shape.corners, colour);
    }
    let thin = (0.0011 * height as f64).max(0.5);
    for shape in &scene.shapes {
        for (i, &corner) in shape.corners.iter().enumerate() {
            canvas.stroke([corner, shape.corners[(i + 1) % shape.corners.len()]], thin, EDGE);
        }
    }
    scene.edges.iter().for_each(|&edge| canvas.stroke(edge, 1.6 * thin, EDGE));
    for &(ends, weight) in &scene.chains {
        canvas.stroke(ends, thin + 0.007 * height as f64 * weight.clamp(0.0, 1.0), CHAIN);
    }
    let mut image = canvas.into_image(width, height);
    legend::draw(&mut image, options, range);
    image
}

/// Samples and the way from the plane to them.
struct Canvas {
    width: usize,
    height: usize,
    colours: Vec<[f32; 3]>,
    scale: f64,
    middle: DVec2,
    centre: [f64; 2],
}

impl Canvas {
    fn new(scene: &FlatScene, width: usize, height: usize, with_legend: bool) -> Self {
        let (width, height) = (SAMPLES * width, SAMPLES * height);
        let (w, h) = (width as f64, height as f64);
        let right = if with_legend { w - 0.20 * h } else { w - 0.04 * h };
        let (view_width, view_height) = ((right - 0.04 * h).max(1.0), 0.86 * h);
        let [low, high] = bounds(scene);
        let span = (high - low).max(DVec2::splat(1e-12));
        Self {
            width,
            height,
            colours: vec![[1.0; 3]; width * height],
            scale: (view_width / span.x).min(view_height / span.y),
            middle: 0.5 * (low + high),
            centre: [0.04 * h + 0.5 * view_width, 0.51 * h],
        }
    }

    fn place(&self, point: DVec2) -> [f64; 2] {
        let from_middle = self.scale * (point - self.middle);
        [self.centre[0] + from_middle.x, self.centre[1] - from_middle.y]
    }

    fn fill(&mut self, corners: &[DVec2], colour: [f64; 3]) {
        let spatial: Vec<DVec3> = corners.iter().map(|corner| corner.extend(0.0)).collect();
        let places: Vec<[f64; 2]> = corners.iter().map(|&corner| self.place(corner)).collect();
        for triangle in triangulate(&spatial) {
            let triangle = triangle.map(|corner| places[corner]);
            self.paint(&triangle, 0.0, colour, |sample| contains(&triangle, sample));
        }
    }

    /// Draws a line `pixels` wide.
    fn stroke(&mut self, ends: [DVec2; 2], pixels: f64, colour: [f64; 3]) {
        let ends = ends.map(|end| self.place(end));
        let half = 0.5 * pixels * SAMPLES as f64;
        self.paint(&ends, half, colour, |sample| nearest_on_segment(ends, sample).1 <= half);
    }

    /// Colours the samples about some points for which `is_in` holds.
    fn paint(
        &mut self,
        points: &[[f64; 2]],
        margin: f64,
        colour: [f64; 3],
        is_in: impl Fn([f64; 2]) -> bool,
    ) {
        let span = |axis: usize, count: usize| {
            let along = || points.iter().map(|point| point[axis]);
            let low = along().fold(f64::INFINITY, f64::min) - margin;
            let high = along().fold(f64::NEG_INFINITY, f64::max) + margin;
            (low.max(0.0) as usize).min(count)..((high.max(0.0) as usize).saturating_add(1)).min(count)
        };
        let squared = colour.map(|part| (part * part) as f32);
        for row in span(1, self.height) {
            for column in span(0, self.width) {
                if is_in([column as f64 + 0.5, row as f64 + 0.5]) {
                    self.colours[row * self.width + column] = squared;
                }
            }
        }
    }

    fn into_image(self, width: usize, height: usize) -> Image {
        let mut image = Image::white(width, height);
        let samples = (SAMPLES * SAMPLES) as f32;
        for (index, pixel) in image.pixels.iter_mut().enumerate() {
            let (x, y) = (SAMPLES * (index % width), SAMPLES * (index / width));
            for (channel, byte) in pixel.iter_mut().enumerate() {
                let row = |dy: usize| (0..SAMPLES).map(move |dx| (y + dy) * self.width + x + dx);
                let sum: f32 = (0..SAMPLES).flat_map(row).map(|at| self.colours[at][channel]).sum();
                *byte = (255.0 * (sum / samples).sqrt() + 0.5) as u8;
            }
        }
        image
    }
}

fn bounds(scene: &FlatScene) -> [DVec2; 2] {
    let corners = scene.shapes.iter().flat_map(|shape| shape.corners.iter().copied());
    let lines = scene.edges.iter().flatten().copied();
    let points = corners.chain(lines).filter(|point| point.is_finite());
    let nothing = [DVec2::INFINITY, DVec2::NEG_INFINITY];
    let [low, high] = points.fold(nothing, |[low, high], p| [low.min(p), high.max(p)]);
    if low.is_finite() { [low, high] } else { [-DVec2::ONE, DVec2::ONE] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> PictureOptions {
        PictureOptions { width: 200, height: 100, ..PictureOptions::default() }
    }

    fn square(at: f64, value: f64) -> FlatShape {
        let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]];
        FlatShape { corners: corners.iter().map(|c| DVec2::new(c[0] + at, c[1])).collect(), value }
    }

    #[test]
    fn two_squares_have_the_colours_of_their_values() {
        let scene = FlatScene { shapes: vec![square(0.0, 0.0), square(1.5, 10.0)], ..FlatScene::default() };
        let image = render_flat(&scene, &options());
        let share = |colour: [f64; 3]| {
            let bytes = colour.map(|part| (255.0 * part + 0.5) as u8);
            let near = |pixel: &&[u8; 3]| pixel.iter().zip(bytes).all(|(&a, b)| a.abs_diff(b) <= 1);
            image.pixels.iter().filter(near).count() as f64 / image.pixels.len() as f64
        };
        let (low, high) = (share(viridis(0.0)), share(viridis(1.0)));
        assert!(low > 0.1 && high > 0.1, "{low} {high}");
        assert!((low - high).abs() < 0.02, "equal squares, {low} and {high}");
    }

    #[test]
    fn concave_outlines_keep_their_hollow() {
        let corners = [[0., 0.], [4., 0.], [4., 4.], [0., 4.], [0., 3.], [3., 3.], [3., 1.], [0., 1.]];
        let shape = FlatShape { corners: corners.map(DVec2::from).to_vec(), value: f64::NAN };
        let scene = FlatScene { shapes: vec![shape], is_plain: true, ..FlatScene::default() };
        let image = render_flat(&scene, &PictureOptions { width: 100, ..options() });
        // The hollow is left of the middle, half-way up.
        assert_eq!(image.pixels[51 * 100 + 40], [255; 3]);
    }

    #[test]
    fn nothing_and_odd_numbers_give_a_picture() {
        for corners in [vec![], vec![DVec2::NAN; 3], vec![DVec2::ZERO; 4]] {
            let shapes = vec![FlatShape { corners, value: 1.0 }];
            let chains = vec![([DVec2::NAN, DVec2::ONE], f64::NAN)];
            let scene = FlatScene { shapes, chains, ..FlatScene::default() };
            assert_eq!(render_flat(&scene, &options()).pixels.len(), 20_000);
        }
    }
}
