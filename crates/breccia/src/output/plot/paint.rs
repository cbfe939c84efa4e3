//! A sheet as pixels.

use super::sheet::{Align, Mark, Sheet, Words, symbol_corners};
use crate::output::picture::{Anchor, Image, Letters, draw_letters, nearest_on_segment};

/// Pixels for one of the sheet's, so that plots are sharp on fine screens and on paper.
const SCALE: f64 = 2.0;
/// Height of capitals as a part of the size of letters.
const CAPITALS: f64 = 0.7;
/// Lengths of dashes and of the gaps between them.
const DASHES: [f64; 2] = [7.0, 4.0];

pub(super) fn paint(sheet: &Sheet) -> Image {
    let [width, height] = sheet.size.map(|side| (side * SCALE).ceil() as usize);
    let mut painter =
        Painter { image: Image::white(width, height), cover: vec![0.0; width * height], clip: None };
    for mark in &sheet.marks {
        painter.paint(mark, sheet.area);
    }
    painter.image
}

struct Painter {
    image: Image,
    /// Share of each pixel that the line under work covers; zero in between.
    cover: Vec<f32>,
    /// Left, right, top, bottom of what may be painted [pixels].
    clip: Option<[f64; 4]>,
}

impl Painter {
    fn paint(&mut self, mark: &Mark, area: [f64; 4]) {
        match mark {
            Mark::Curve { runs, colour, width, is_dashed } => {
                let runs = runs.iter().map(|run| scaled(run));
                let pieces: Vec<[[f64; 2]; 2]> = match is_dashed {
                    true => runs.flat_map(|run| dashes(&run)).collect(),
                    false => runs.flat_map(|run| segments(&run)).collect(),
                };
                self.stroke(&pieces, width * SCALE, rgb(colour));
            }
            Mark::Symbol { at, shape, colour } => {
                let mut corners = scaled(&symbol_corners(*at, *shape));
                self.fill(&corners, [1.0; 3], 0.7);
                corners.push(corners[0]);
                self.stroke(&segments(&corners), 1.6 * SCALE, rgb(colour));
            }
            Mark::Words(words) => self.write(words),
            Mark::Clipped(marks) => {
                self.clip = Some(area.map(|side| side * SCALE));
                marks.iter().for_each(|mark| self.paint(mark, area));
                self.clip = None;
            }
        }
    }

    fn write(&mut self, words: &Words) {
        let anchor = match words.align {
            Align::Start => Anchor::Left,
            Align::Middle => Anchor::Middle,
            Align::End => Anchor::Right,
        };
        let weight = if words.bold { 1.5 } else { 1.0 };
        let letters = Letters { height: words.size * SCALE * CAPITALS, weight, upwards: words.upwards };
        draw_letters(&mut self.image, &words.text, words.at.map(|x| x * SCALE), anchor, letters);
    }

    /// Pixels that points may touch within a margin.
    fn pixels(&self, points: &[[f64; 2]], margin: f64) -> [std::ops::Range<usize>; 2] {
        let sides = [self.image.width as f64, self.image.height as f64];
        let [left, right, top, bottom] = self.clip.unwrap_or([0.0, sides[0], 0.0, sides[1]]);
        let span = |axis: usize, first: f64, last: f64| {
            let along = || points.iter().map(|point| point[axis]);
            let low = along().fold(f64::INFINITY, f64::min) - margin;
            let high = along().fold(f64::NEG_INFINITY, f64::max) + margin;
            low.clamp(first, last) as usize..high.clamp(first, last).ceil() as usize
        };
        [span(0, left, right), span(1, top, bottom)]
    }

    /// Draws pieces of one line; where they meet or cross nothing is painted twice.
    fn stroke(&mut self, pieces: &[[[f64; 2]; 2]], width: f64, colour: [f64; 3]) {
        let mut touched = Vec::new();
        for &ends in pieces {
            let [columns, rows] = self.pixels(&ends, 0.5 * width + 1.0);
            for row in rows {
                for column in columns.clone() {
                    let distance = nearest_on_segment(ends, [column as f64 + 0.5, row as f64 + 0.5]).1;
                    let cover = (0.5 * width + 0.5 - distance).clamp(0.0, 1.0) as f32;
                    let at = row * self.image.width + column;
                    if cover > self.cover[at] {
                        touched.push(at);
                        self.cover[at] = cover;
                    }
                }
            }
        }
        for at in touched {
            let cover = std::mem::take(&mut self.cover[at]);
            let (x, y) = (at % self.image.width, at / self.image.width);
            self.image.blend(x as i64, y as i64, colour, f64::from(cover));
        }
    }

    /// Fills a convex polygon.
    fn fill(&mut self, corners: &[[f64; 2]], colour: [f64; 3], alpha: f64) {
        let [columns, rows] = self.pixels(corners, 0.0);
        for row in rows {
            for column in columns.clone() {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let side = |i: usize| {
                    let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                    (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
                };
                if (0..corners.len()).all(|i| side(i) >= 0.0) {
                    self.image.blend(column as i64, row as i64, colour, alpha);
                }
            }
        }
    }
}

fn scaled(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    points.iter().map(|point| point.map(|x| x * SCALE)).collect()
}

/// Pieces between points; a lone point is a dot.
fn segments(run: &[[f64; 2]]) -> Vec<[[f64; 2]; 2]> {
    match run {
        [one] => vec![[*one, *one]],
        _ => run.windows(2).map(|pair| [pair[0], pair[1]]).collect(),
    }
}

/// The parts of a line that dashes cover.
fn dashes(run: &[[f64; 2]]) -> Vec<[[f64; 2]; 2]> {
    let [dash, gap] = DASHES.map(|length| length * SCALE);
    let mut pieces = Vec::new();
    // Place in the pattern, from 0 to dash + gap.
    let mut phase = 0.0;
    for [from, to] in segments(run) {
        let length = libm::hypot(to[0] - from[0], to[1] - from[1]);
        let at = |along: f64| {
            let part = if length > 0.0 { along / length } else { 0.0 };
            [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])]
        };
        let mut along = 0.0;
        while along < length {
            let end = if phase < dash { dash } else { dash + gap };
            let next = (along + end - phase).min(length);
            if phase < dash {
                pieces.push([at(along), at(next)]);
            }
            // Landing on the end of the pattern must not depend on the last bit.
            phase = if next < length { if end > dash { 0.0 } else { dash } } else { phase + next - along };
            along = next;
        }
    }
    pieces
}

/// Red, green, blue from 0 to 1 of `#rrggbb`.
fn rgb(colour: &str) -> [f64; 3] {
    let part = |at: usize| colour.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
    [1, 3, 5].map(|at| f64::from(part(at).unwrap_or(0)) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_their_share_across_corners() {
        let run: Vec<[f64; 2]> = (0..=500).map(|i| [f64::from(i) * 1.1, f64::from(i % 2)]).collect();
        let length = |pieces: &[[[f64; 2]; 2]]| -> f64 {
            pieces.iter().map(|[a, b]| libm::hypot(b[0] - a[0], b[1] - a[1])).sum()
        };
        let share = length(&dashes(&run)) / length(&segments(&run));
        assert!((share - 7.0 / 11.0).abs() < 0.02, "{share}");
    }

    #[test]
    fn colours_are_read() {
        assert_eq!(rgb("#ff0080"), [1.0, 0.0, 128.0 / 255.0]);
    }
}
