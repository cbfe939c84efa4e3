//! Pictures of bodies in the plane: coloured polygons and lines, in one panel or several side by side.

use super::PictureOptions;
use super::colour::{PLAIN, UNKNOWN, viridis};
use super::font::{Anchor, draw_text, text_width};
use super::image::Image;
use super::legend;
use super::surface::nearest_on_segment;
use glam::DVec2;

/// A convex polygon with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatPolygon {
    /// Corners [m], either way round.
    pub corners: Vec<DVec2>,
    /// Value shown as a colour; one plain colour for all without.
    pub value: Option<f64>,
}

/// One view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlatPanel {
    /// Words below it.
    pub caption: String,
    /// What is filled.
    pub polygons: Vec<FlatPolygon>,
    /// Lines drawn over it [m].
    pub lines: Vec<Vec<DVec2>>,
}

/// Panels row by row, all showing the same part of the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatPicture {
    /// Lowest and highest coordinates shown [m].
    pub view: [DVec2; 2],
    /// Panels.
    pub panels: Vec<FlatPanel>,
    /// Panels in a row.
    pub columns: usize,
    /// Values at the ends of the colour scale, in the unit of the legend.
    pub range: Option<[f64; 2]>,
}

const EDGE: [f64; 3] = [0.1, 0.12, 0.16];

/// Half the width of lines [pixels].
const HALF_LINE: f64 = 0.7;

/// How far a panel's content is in its picture: metres to pixels.
struct View {
    low: DVec2,
    corner: DVec2,
    scale: f64,
    height: f64,
}

impl View {
    fn place(&self, point: DVec2) -> DVec2 {
        let at = (point - self.low) * self.scale;
        self.corner + DVec2::new(at.x, self.height - at.y)
    }
}

/// Draws panels; title, caption, legend and size come from the options.
pub fn draw_flat(picture: &FlatPicture, options: &PictureOptions) -> Image {
    let mut image = Image::white(options.width.max(64), options.height.max(64));
    let columns = picture.columns.clamp(1, picture.panels.len().max(1));
    let rows = picture.panels.len().div_ceil(columns).max(1);
    let (width, height) = (image.width as f64, image.height as f64);
    let margin = 0.04 * height;
    let right = if picture.range.is_some() { 0.2 * height } else { margin };
    let cell = DVec2::new((width - margin - right) / columns as f64, (height - 0.13 * height) / rows as f64);
    let caption = (0.06 * cell.y).min(0.018 * height);
    for (number, panel) in picture.panels.iter().enumerate() {
        let at = DVec2::new((number % columns) as f64, (number / columns) as f64);
        let corner = DVec2::new(margin, 0.08 * height) + at * cell;
        let room = DVec2::new(0.94 * cell.x, cell.y - 2.2 * caption);
        let size = (picture.view[1] - picture.view[0]).max(DVec2::splat(f64::MIN_POSITIVE));
        let scale = (room / size).min_element();
        let corner = corner + 0.5 * (room - size * scale);
        let view = View { low: picture.view[0], corner, scale, height: size.y * scale };
        draw_panel(&mut image, panel, &view, picture.range);
        let middle = corner.x + 0.5 * size.x * scale - 0.5 * text_width(&panel.caption, caption);
        let below = corner.y + view.height + 1.5 * caption;
        draw_text(&mut image, &panel.caption, [middle, below], caption, Anchor::Left);
    }
    legend::draw(&mut image, options, picture.range);
    image
}

fn draw_panel(image: &mut Image, panel: &FlatPanel, view: &View, range: Option<[f64; 2]>) {
    for polygon in &panel.polygons {
        let corners: Vec<DVec2> = polygon.corners.iter().map(|&corner| view.place(corner)).collect();
        fill(image, &corners, colour(polygon.value, range));
    }
    for line in &panel.lines {
        for ends in line.windows(2) {
            stroke(image, view.place(ends[0]), view.place(ends[1]));
        }
    }
}

fn colour(value: Option<f64>, range: Option<[f64; 2]>) -> [f64; 3] {
    match (value, range) {
        (Some(value), Some([low, high])) if value.is_finite() && high > low => {
            viridis((value - low) / (high - low))
        }
        (Some(_), Some(_)) => UNKNOWN,
        _ => PLAIN,
    }
}

/// Pixels that points may cover, one more on each side.
fn pixels(points: &[DVec2], image: &Image) -> Option<[std::ops::RangeInclusive<i64>; 2]> {
    // Extremes pass over what is not a number.
    if !points.iter().all(|point| point.is_finite()) {
        return None;
    }
    let (low, high) = crate::broad_phase::extent(points.iter().copied());
    let span = |low: f64, high: f64, size: usize| {
        (low - 2.0).max(0.0) as i64..=(high + 2.0).clamp(-1.0, size as f64) as i64
    };
    Some([span(low.x, high.x, image.width), span(low.y, high.y, image.height)])
}

fn fill(image: &mut Image, corners: &[DVec2], colour: [f64; 3]) {
    let area: f64 = (0..corners.len()).map(|k| corners[k].perp_dot(corners[(k + 1) % corners.len()])).sum();
    let Some([columns, rows]) = pixels(corners, image).filter(|_| area != 0.0) else { return };
    let inwards = |k: usize, point: DVec2| {
        let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
        area.signum() * (to - from).perp_dot(point - from) / (to - from).length()
    };
    for y in rows {
        for x in columns.clone() {
            let point = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
            let depth = (0..corners.len()).map(|k| inwards(k, point)).fold(f64::INFINITY, f64::min);
            // A little more than half covers neighbours' seams.
            let cover = (depth + 0.8).clamp(0.0, 1.0);
            if cover > 0.0 {
                image.blend(x, y, colour, cover);
            }
        }
    }
}

fn stroke(image: &mut Image, from: DVec2, to: DVec2) {
    let Some([columns, rows]) = pixels(&[from, to], image) else { return };
    for y in rows {
        for x in columns.clone() {
            let sample = [x as f64 + 0.5, y as f64 + 0.5];
            let distance = nearest_on_segment([from.to_array(), to.to_array()], sample).1;
            let cover = (HALF_LINE + 0.5 - distance).clamp(0.0, 1.0);
            if cover > 0.0 {
                image.blend(x, y, EDGE, cover);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    fn options() -> PictureOptions {
        PictureOptions { width: 400, height: 300, ..PictureOptions::default() }
    }

    fn square(value: Option<f64>) -> FlatPolygon {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        FlatPolygon { corners: corners.map(|(x, y)| dvec2(x, y)).to_vec(), value }
    }

    #[test]
    fn a_polygon_covers_its_share_of_the_panel() {
        let panel = FlatPanel { polygons: vec![square(None)], ..FlatPanel::default() };
        let view = [DVec2::ZERO, DVec2::splat(2.0)];
        let picture = FlatPicture { view, panels: vec![panel], columns: 1, range: None };
        let image = draw_flat(&picture, &options());
        let plain = image.pixels.iter().filter(|pixel| **pixel != [255; 3]).count() as f64;
        // The panel is as high as the room between title and caption, the square half as high.
        let side = plain.sqrt();
        assert!(side > 90.0 && side < 130.0, "{side}");
    }

    #[test]
    fn panels_stand_side_by_side_and_values_have_colours() {
        let panel = |value| FlatPanel { polygons: vec![square(Some(value))], ..FlatPanel::default() };
        let picture = FlatPicture {
            view: [DVec2::ZERO, DVec2::ONE],
            panels: vec![panel(0.0), panel(1.0)],
            columns: 2,
            range: Some([0.0, 1.0]),
        };
        let image = draw_flat(&picture, &options());
        let at = |x: usize| image.pixels[120 * 400 + x];
        assert_ne!(at(80), at(240));
        assert_eq!(at(80), viridis(0.0).map(|part| (255.0 * part + 0.5) as u8));
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        let mut odd = square(None);
        odd.corners[0].x = f64::NAN;
        let panel = FlatPanel {
            polygons: vec![odd],
            lines: vec![vec![DVec2::INFINITY, DVec2::ZERO]],
            ..FlatPanel::default()
        };
        let picture =
            FlatPicture { view: [DVec2::ZERO, DVec2::ONE], panels: vec![panel], columns: 1, range: None };
        assert!(draw_flat(&picture, &options()).pixels.iter().all(|pixel| *pixel == [255; 3]));
    }
}
