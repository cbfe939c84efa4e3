//! Title, caption and colour scale.

use super::PictureOptions;
use super::colour::viridis;
use super::font::{Anchor, draw_text, text_width};
use super::image::Image;
use crate::output::ticks::{round_ticks, tick_text};

/// Draws the words around the scene; the colour scale where there is a range of values.
pub(super) fn draw(image: &mut Image, options: &PictureOptions, range: Option<[f64; 2]>) {
    let (width, height) = (image.width as f64, image.height as f64);
    let margin = 0.04 * height;
    draw_text(image, &options.title, [margin, 0.055 * height], 0.022 * height, Anchor::Left);
    draw_text(image, &options.caption, [margin, 0.972 * height], 0.015 * height, Anchor::Left);
    if let Some(range) = range {
        let text = 0.0145 * height;
        let left = width - 0.155 * height;
        draw_scale(image, [left, 0.3 * height, 0.022 * height, 0.4 * height], range, text);
        let title_left = left.min(width - margin - text_width(&options.legend, text));
        draw_text(image, &options.legend, [title_left, 0.27 * height], text, Anchor::Left);
    }
}

/// Colour bar at left, top, width, height [pixels], with numbers on its right.
fn draw_scale(image: &mut Image, [left, top, width, height]: [f64; 4], range: [f64; 2], text: f64) {
    let [low, high] = range;
    let rows = height as i64;
    for row in 0..rows {
        let colour = viridis(1.0 - (row as f64 + 0.5) / rows as f64);
        for column in 0..width as i64 {
            image.blend(left as i64 + column, top as i64 + row, colour, 1.0);
        }
    }
    let ticks = round_ticks(low, high, 5);
    let spacing = ticks.windows(2).next().map_or(high - low, |pair| pair[1] - pair[0]);
    for tick in ticks {
        let y = top + (1.0 - (tick - low) / (high - low)) * (rows - 1) as f64;
        for column in 0..(0.35 * text) as i64 + 2 {
            image.blend((left + width) as i64 + column, y as i64, [0.2; 3], 1.0);
        }
        let label = [left + width + 0.9 * text, y + 0.5 * text];
        draw_text(image, &tick_text(tick, spacing), label, text, Anchor::Left);
    }
}
