//! Pictures of things in the plane: filled shapes coloured by a value, outlines, walls, and lines whose thickness tells a
//! force; one scene, or several side by side.

use super::colour::{PLAIN, UNKNOWN, viridis};
use super::font::{Anchor, draw_text};
use super::image::Image;
use super::surface::nearest_on_segment;
use super::{MAX_SIDE, PictureOptions, legend, range_of};
use crate::output::triangulate::triangulate;
use glam::{DVec2, DVec3};

/// Samples per pixel along each axis.
const SAMPLES: usize = 2;
/// Colour of outlines.
const EDGE: [f64; 3] = [0.16, 0.16, 0.2];
/// Colour of walls.
const WALL: [f64; 3] = [0.9, 0.91, 0.92];
/// Colour of lines of force.
const CHAIN: [f64; 3] = [0.76, 0.16, 0.13];

/// A filled shape.
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
    /// Words below it; may be empty.
    pub caption: String,
    /// Grains or elements.
    pub shapes: Vec<FlatShape>,
    /// Whether shapes without a value are just plain (true) or unknown (false).
    pub is_plain: bool,
    /// Thin lines: rims of bodies [m].
    pub outlines: Vec<[DVec2; 2]>,
    /// Lines of force: ends [m] and thickness, from 0 to 1.
    pub chains: Vec<([DVec2; 2], f64)>,
    /// Walls: corners of filled polygons [m].
    pub walls: Vec<Vec<DVec2>>,
}

impl FlatScene {
    /// Adds a shape and its rim.
    pub fn add_with_rim(&mut self, shape: FlatShape) {
        self.outlines.extend(rim(&shape.corners));
        self.shapes.push(shape);
    }
}

/// Lines around a polygon.
pub fn rim(corners: &[DVec2]) -> impl Iterator<Item = [DVec2; 2]> + '_ {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&from, &to)| [from, to])
}

/// Several scenes that show the same part of the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlatPage {
    /// Scenes, row by row.
    pub scenes: Vec<FlatScene>,
    /// Scenes in a row.
    pub columns: usize,
    /// Lowest and highest coordinates shown [m]; all there is without.
    pub view: Option<[DVec2; 2]>,
}

/// Draws one scene; x goes right and y up. Of the options the size, words and range count.
pub fn render_flat(scene: &FlatScene, options: &PictureOptions) -> Image {
    draw(std::slice::from_ref(scene), 1, None, options)
}

/// Draws scenes side by side with one colour scale.
pub fn render_flat_page(page: &FlatPage, options: &PictureOptions) -> Image {
    draw(&page.scenes, page.columns, page.view, options)
}

fn draw(scenes: &[FlatScene], columns: usize, view: Option<[DVec2; 2]>, options: &PictureOptions) -> Image {
    let (width, height) = (options.width.clamp(64, MAX_SIDE), options.height.clamp(64, MAX_SIDE));
    let is_plain = scenes.iter().all(|scene| scene.is_plain);
    let values = scenes.iter().flat_map(|scene| &scene.shapes).map(|shape| shape.value);
    let range = if is_plain { None } else { range_of(values, options.range) };
    let grid = Grid::new(scenes, columns, [width as f64, height as f64], range.is_some());
    let view = view.unwrap_or_else(|| bounds(scenes));
    let mut canvas = Canvas::new(width, height);
    for (number, scene) in scenes.iter().enumerate() {
        canvas.look_at(view, grid.room(number));
        canvas.draw(scene, range, grid.line);
    }
    let mut image = canvas.into_image(width, height);
    for (number, scene) in scenes.iter().enumerate() {
        let [low, high] = grid.room(number);
        let below = [0.5 * (low.x + high.x), high.y + 1.5 * grid.letters];
        draw_text(&mut image, &scene.caption, below, grid.letters, Anchor::Middle);
    }
    legend::draw(&mut image, options, range);
    image
}

/// Where scenes lie on the picture.
struct Grid {
    columns: usize,
    corner: DVec2,
    cell: DVec2,
    /// Height of captions; none where nobody has one [pixels].
    letters: f64,
    /// Width of thin lines [pixels].
    line: f64,
}

impl Grid {
    fn new(scenes: &[FlatScene], columns: usize, [width, height]: [f64; 2], with_legend: bool) -> Self {
        let columns = columns.clamp(1, scenes.len().max(1));
        let rows = scenes.len().div_ceil(columns).max(1);
        let margin = 0.04 * height;
        let right = if with_legend { 0.2 * height } else { margin };
        let area = DVec2::new((width - margin - right).max(1.0), 0.86 * height);
        let cell = area / DVec2::new(columns as f64, rows as f64);
        let has_words = scenes.iter().any(|scene| !scene.caption.is_empty());
        Self {
            columns,
            corner: DVec2::new(margin, 0.08 * height),
            cell,
            letters: if has_words { (0.06 * cell.y).min(0.018 * height) } else { 0.0 },
            line: (0.0011 * height).max(0.5),
        }
    }

    /// Upper left and lower right corner of a scene [pixels].
    fn room(&self, number: usize) -> [DVec2; 2] {
        let place = DVec2::new((number % self.columns) as f64, (number / self.columns) as f64);
        let gap = if self.columns > 1 { 0.03 * self.cell.x } else { 0.0 };
        let low = self.corner + place * self.cell + DVec2::new(gap, 0.0);
        [low, low + self.cell - DVec2::new(2.0 * gap, 2.2 * self.letters)]
    }
}

/// Samples and the way from the plane to them.
struct Canvas {
    width: usize,
    height: usize,
    colours: Vec<[f32; 3]>,
    scale: f64,
    middle: DVec2,
    centre: DVec2,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        let (width, height) = (SAMPLES * width, SAMPLES * height);
        let colours = vec![[1.0; 3]; width * height];
        Self { width, height, colours, scale: 1.0, middle: DVec2::ZERO, centre: DVec2::ZERO }
    }

    /// Fits a part of the plane [m] into a part of the picture [pixels].
    fn look_at(&mut self, [low, high]: [DVec2; 2], [first, last]: [DVec2; 2]) {
        let span = (high - low).max(DVec2::splat(1e-12));
        let room = (last - first).max(DVec2::ONE) * SAMPLES as f64;
        self.scale = (room / span).min_element();
        self.middle = 0.5 * (low + high);
        self.centre = 0.5 * (first + last) * SAMPLES as f64;
    }

    fn draw(&mut self, scene: &FlatScene, range: Option<[f64; 2]>, line: f64) {
        // All walls first, so that their rims do not cross where they overlap.
        for wall in &scene.walls {
            rim(wall).for_each(|ends| self.stroke(ends, 2.0 * line, EDGE));
        }
        scene.walls.iter().for_each(|wall| self.fill(wall, WALL));
        for shape in &scene.shapes {
            let colour = match range {
                Some([low, high]) if shape.value.is_finite() => viridis((shape.value - low) / (high - low)),
                Some(_) => UNKNOWN,
                None => PLAIN,
            };
            self.fill(&shape.corners, colour);
        }
        scene.outlines.iter().for_each(|&ends| self.stroke(ends, line, EDGE));
        for &(ends, weight) in &scene.chains {
            self.stroke(ends, line * (1.0 + 6.4 * weight.clamp(0.0, 1.0)), CHAIN);
        }
    }

    fn place(&self, point: DVec2) -> [f64; 2] {
        let from_middle = self.scale * (point - self.middle);
        [self.centre.x + from_middle.x, self.centre.y - from_middle.y]
    }

    fn fill(&mut self, corners: &[DVec2], colour: [f64; 3]) {
        if !corners.iter().all(|corner| corner.is_finite()) {
            return;
        }
        let spatial: Vec<DVec3> = corners.iter().map(|corner| corner.extend(0.0)).collect();
        let places: Vec<[f64; 2]> = corners.iter().map(|&corner| self.place(corner)).collect();
        for triangle in triangulate(&spatial) {
            let triangle = triangle.map(|corner| places[corner]);
            self.paint(&triangle, 0.0, colour, |sample| covers(&triangle, sample));
        }
    }

    /// Draws a line `pixels` wide.
    fn stroke(&mut self, ends: [DVec2; 2], pixels: f64, colour: [f64; 3]) {
        if !(ends.iter().all(|end| end.is_finite()) && pixels.is_finite()) {
            return;
        }
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

/// Whether a sample lies in a triangle or on its rim: neighbours leave no seam.
fn covers([a, b, c]: &[[f64; 2]; 3], sample: [f64; 2]) -> bool {
    let side =
        |p: &[f64; 2], q: &[f64; 2]| (q[0] - p[0]) * (sample[1] - p[1]) - (q[1] - p[1]) * (sample[0] - p[0]);
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0)
}

fn bounds(scenes: &[FlatScene]) -> [DVec2; 2] {
    let corners =
        scenes.iter().flat_map(|scene| &scene.shapes).flat_map(|shape| shape.corners.iter().copied());
    let walls = scenes.iter().flat_map(|scene| &scene.walls).flatten();
    let lines = scenes.iter().flat_map(|scene| &scene.outlines).flatten().chain(walls).copied();
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

    fn byte_colour(value: f64) -> [u8; 3] {
        viridis(value).map(|part| (255.0 * part + 0.5) as u8)
    }

    #[test]
    fn two_squares_have_the_colours_of_their_values() {
        let scene = FlatScene { shapes: vec![square(0.0, 0.0), square(1.5, 10.0)], ..FlatScene::default() };
        let image = render_flat(&scene, &options());
        let share = |value: f64| {
            let bytes = byte_colour(value);
            let near = |pixel: &&[u8; 3]| pixel.iter().zip(bytes).all(|(&a, b)| a.abs_diff(b) <= 1);
            image.pixels.iter().filter(near).count() as f64 / image.pixels.len() as f64
        };
        let (low, high) = (share(0.0), share(1.0));
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
    fn a_shape_covers_its_share_of_the_view() {
        let scene = FlatScene { shapes: vec![square(0.0, 0.0)], is_plain: true, ..FlatScene::default() };
        let view = Some([DVec2::ZERO, DVec2::splat(2.0)]);
        let page = FlatPage { scenes: vec![scene], columns: 1, view };
        let size = PictureOptions { width: 400, height: 300, ..PictureOptions::default() };
        let inked = render_flat_page(&page, &size).pixels.iter().filter(|pixel| **pixel != [255; 3]).count();
        // The view is 86 % of the height, the square half of that.
        assert!((inked as f64).sqrt() - 129.0 < 2.0, "{inked}");
        assert!((inked as f64).sqrt() - 129.0 > -2.0, "{inked}");
    }

    #[test]
    fn scenes_stand_side_by_side_on_one_scale() {
        let scene = |value| FlatScene {
            caption: "t".into(),
            shapes: vec![square(0.0, value)],
            ..FlatScene::default()
        };
        let page = FlatPage { scenes: vec![scene(0.0), scene(1.0)], columns: 2, view: None };
        let size = PictureOptions { width: 400, height: 300, ..PictureOptions::default() };
        let image = render_flat_page(&page, &size);
        let at = |x: usize| image.pixels[130 * 400 + x];
        assert_eq!((at(90), at(250)), (byte_colour(0.0), byte_colour(1.0)));
    }

    #[test]
    fn seams_between_elements_do_not_show() {
        let grid = (0..16).map(|i| {
            let (x, y) = (f64::from(i % 4), f64::from(i / 4));
            let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]];
            let corners = corners.iter().map(|c| DVec2::new(c[0] + x, c[1] + y)).collect();
            FlatShape { corners, value: f64::NAN }
        });
        let scene = FlatScene { shapes: grid.collect(), is_plain: true, ..FlatScene::default() };
        let image = render_flat(&scene, &PictureOptions { width: 100, ..options() });
        let plain = PLAIN.map(|part| (255.0 * part + 0.5) as u8);
        let inside = (20..80).flat_map(|y| (20..80).map(move |x| y * 100 + x));
        assert!(
            inside.into_iter().all(|at| image.pixels[at].iter().zip(plain).all(|(&a, b)| a.abs_diff(b) <= 1))
        );
    }

    #[test]
    fn nothing_and_odd_numbers_give_a_picture() {
        for corners in [vec![], vec![DVec2::NAN; 3], vec![DVec2::ZERO; 4]] {
            let mut scene = FlatScene {
                chains: vec![([DVec2::NAN, DVec2::ONE], f64::NAN), ([DVec2::ZERO, DVec2::ONE], f64::NAN)],
                outlines: vec![[DVec2::INFINITY, DVec2::ZERO]],
                ..FlatScene::default()
            };
            scene.add_with_rim(FlatShape { corners, value: 1.0 });
            assert_eq!(render_flat(&scene, &options()).pixels.len(), 20_000);
        }
        let mut odd = square(0.0, f64::NAN);
        odd.corners[0].x = f64::NAN;
        let scene = FlatScene { shapes: vec![odd], is_plain: true, ..FlatScene::default() };
        assert!(render_flat(&scene, &options()).pixels.iter().all(|pixel| *pixel == [255; 3]));
        assert_eq!(render_flat_page(&FlatPage::default(), &options()).pixels.len(), 20_000);
    }
}
