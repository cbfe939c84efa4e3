//! What a plot consists of, before it is written or painted. Places are pixels from the upper left corner.

use super::LETTERS;

/// Radius of symbols.
const SYMBOL_RADIUS: f64 = 4.0;
/// Corners of the polygon that stands for a circle.
const ROUND: usize = 28;

/// Where words begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Align {
    Start,
    Middle,
    End,
}

/// A line of text.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) text: String,
    /// Place on the baseline.
    pub(super) at: [f64; 2],
    pub(super) align: Align,
    pub(super) size: f64,
    pub(super) bold: bool,
    /// Whether it reads from below to above.
    pub(super) upwards: bool,
}

impl Words {
    pub(super) fn new(text: &str, at: [f64; 2], align: Align) -> Self {
        Self { text: text.to_owned(), at, align, size: LETTERS, bold: false, upwards: false }
    }
}

/// One thing on the sheet.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    /// Lines through points; a new run where one broke off.
    Curve { runs: Vec<Vec<[f64; 2]>>, colour: &'static str, width: f64, is_dashed: bool },
    /// Circle, square, triangle or diamond (0 to 3), so that series differ without colour.
    Symbol { at: [f64; 2], shape: usize, colour: &'static str },
    /// Text.
    Words(Words),
    /// Marks that do not leave the area of the curves.
    Clipped(Vec<Mark>),
}

/// All marks, the first below the others.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    /// Width and height.
    pub(super) size: [f64; 2],
    /// Left, right, top, bottom of the area of the curves.
    pub(super) area: [f64; 4],
    pub(super) marks: Vec<Mark>,
}

impl Sheet {
    /// Adds a line.
    pub(super) fn line(&mut self, points: &[[f64; 2]], colour: &'static str, width: f64) {
        self.marks.push(Mark::Curve { runs: vec![points.to_vec()], colour, width, is_dashed: false });
    }
}

/// Corners of a symbol.
pub(super) fn symbol_corners([x, y]: [f64; 2], shape: usize) -> Vec<[f64; 2]> {
    let r = SYMBOL_RADIUS;
    let about = |corners: &[[f64; 2]]| corners.iter().map(|[dx, dy]| [x + dx * r, y + dy * r]).collect();
    match shape {
        0 => (0..ROUND)
            .map(|i| libm::sincos(std::f64::consts::TAU * i as f64 / ROUND as f64))
            .map(|(sine, cosine)| [x + r * cosine, y + r * sine])
            .collect(),
        1 => about(&[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]),
        2 => about(&[[0.0, -1.2], [1.1, 0.8], [-1.1, 0.8]]),
        _ => about(&[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]]),
    }
}
