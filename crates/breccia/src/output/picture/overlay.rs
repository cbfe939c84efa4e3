//! Lines drawn over a picture in grey.

use super::font::{Anchor, draw_text, text_width};
use super::image::Image;
use super::surface::nearest_on_segment;
use glam::DVec2;

/// Pictures smaller than this are enlarged, so that lines between pixels can be seen [pixels].
const COMFORTABLE: usize = 900;
/// Half of the width of lines [pixels].
const HALF_WIDTH: f64 = 0.9;
/// Height of labels [pixels].
const LETTERS: f64 = 11.0;

/// A closed line.
#[derive(Clone, Debug, PartialEq)]
pub struct OverlayLine {
    /// Its corners [pixels of the picture], x to the right and y up from the lower left corner.
    pub points: Vec<DVec2>,
    /// Red, green, blue, 0 to 1.
    pub colour: [f64; 3],
    /// Text in the middle; may be empty.
    pub label: String,
}

/// Draws closed lines over a faded picture of `width` times `height` greys, row by row from the top left.
pub fn overlay(width: usize, height: usize, grey: &[u8], lines: &[OverlayLine]) -> Image {
    let zoom = COMFORTABLE.div_ceil(width.max(height).max(1)).clamp(1, 8);
    let mut image = Image::white(width * zoom, height * zoom);
    for (index, pixel) in image.pixels.iter_mut().enumerate() {
        let (x, y) = (index % (width * zoom) / zoom, index / (width * zoom) / zoom);
        // Half-way to white, so that any line stands out.
        *pixel = [128 + grey[y * width + x] / 2; 3];
    }
    let place = |p: DVec2| [p.x * zoom as f64, (height as f64 - p.y) * zoom as f64];
    for line in lines {
        let next = line.points.iter().cycle().skip(1);
        for (&from, &to) in line.points.iter().zip(next) {
            draw_segment(&mut image, [place(from), place(to)], line.colour);
        }
    }
    for line in lines.iter().filter(|line| !line.label.is_empty() && !line.points.is_empty()) {
        let middle = line.points.iter().sum::<DVec2>() / line.points.len() as f64;
        let [x, y] = place(middle);
        let left = x - 0.5 * text_width(&line.label, LETTERS);
        draw_text(&mut image, &line.label, [left, y + 0.5 * LETTERS], LETTERS, Anchor::Left);
    }
    image
}

fn draw_segment(image: &mut Image, segment: [[f64; 2]; 2], colour: [f64; 3]) {
    let [a, b] = segment;
    let range = |i: usize| {
        let (low, high) = (a[i].min(b[i]) - 2.0 * HALF_WIDTH, a[i].max(b[i]) + 2.0 * HALF_WIDTH);
        low.floor() as i64..=high.ceil() as i64
    };
    for y in range(1) {
        for x in range(0) {
            let (_, distance) = nearest_on_segment(segment, [x as f64 + 0.5, y as f64 + 0.5]);
            let cover = (HALF_WIDTH + 0.5 - distance).clamp(0.0, 1.0);
            if cover > 0.0 {
                image.blend(x, y, colour, cover);
            }
        }
    }
}
