//! Line and scatter plots as SVG and PNG, all in one style: measured curves as lines, published points as symbols.
//!
//! A plot is first laid out as marks on a sheet (`sheet.rs`), which are then written as SVG (`svg.rs`) or painted (`paint.rs`).

mod axis;
mod paint;
mod sheet;
mod svg;

use super::atomic::{Durability, write_atomically};
use super::{Image, OutputError};
use axis::Axis;
use sheet::{Align, Mark, Sheet, Words};
use std::path::Path;

/// Least width; long names in the legend widen the picture.
const WIDTH: f64 = 760.0;
/// Room for one character of the legend.
const CHARACTER_WIDTH: f64 = 7.4;
const HEIGHT: f64 = 460.0;
/// Left, right, top, bottom of the area of the curves [pixels].
const AREA: [f64; 4] = [86.0, 570.0, 52.0, 396.0];
/// Colours told apart by colour-blind readers, too (Okabe and Ito, 2008).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222"];
const INK: &str = "#222222";
const GRID: &str = "#e4e4e4";
/// Size of letters [pixels].
const LETTERS: f64 = 13.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    Line,
    Dashed,
    Points,
}

#[derive(Clone, Debug)]
struct Series {
    name: String,
    style: Style,
    points: Vec<[f64; 2]>,
}

/// A plot under construction.
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    labels: [String; 2],
    logarithmic: [bool; 2],
    ranges: [Option<[f64; 2]>; 2],
    series: Vec<Series>,
}

impl Plot {
    /// An empty plot; labels carry units: `time [s]`. One without is that of a bare number, and says so: `share [–]`.
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            labels: [with_unit(x_label.into()), with_unit(y_label.into())],
            logarithmic: [false; 2],
            ranges: [None; 2],
            series: Vec::new(),
        }
    }

    /// Adds a curve; it breaks where a value is not finite.
    pub fn line(self, name: impl Into<String>, xs: &[f64], ys: &[f64]) -> Self {
        self.with(name.into(), Style::Line, xs, ys)
    }

    /// Adds a dashed curve, for theory.
    pub fn dashed(self, name: impl Into<String>, xs: &[f64], ys: &[f64]) -> Self {
        self.with(name.into(), Style::Dashed, xs, ys)
    }

    /// Adds symbols, for published or measured points.
    pub fn points(self, name: impl Into<String>, xs: &[f64], ys: &[f64]) -> Self {
        self.with(name.into(), Style::Points, xs, ys)
    }

    /// Logarithmic x axis; points at x ≤ 0 are left out.
    pub fn log_x(mut self) -> Self {
        self.logarithmic[0] = true;
        self
    }

    /// Logarithmic y axis; points at y ≤ 0 are left out.
    pub fn log_y(mut self) -> Self {
        self.logarithmic[1] = true;
        self
    }

    /// Ends of the x axis; the data's own without.
    pub fn x_range(mut self, low: f64, high: f64) -> Self {
        self.ranges[0] = Some([low, high]);
        self
    }

    /// Ends of the y axis; the data's own without.
    pub fn y_range(mut self, low: f64, high: f64) -> Self {
        self.ranges[1] = Some([low, high]);
        self
    }

    /// Writes the plot twice: at `path` as SVG, and beside it as PNG.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        let text = self.to_svg();
        write_atomically(path, Durability::Process, |out| out.write_all(text.as_bytes()))?;
        self.to_image().write_png(&path.with_extension("png"))
    }

    /// The plot as SVG text.
    pub fn to_svg(&self) -> String {
        svg::write(&self.sheet())
    }

    /// The plot as pixels, two for each of the SVG's.
    pub fn to_image(&self) -> Image {
        paint::paint(&self.sheet())
    }

    fn sheet(&self) -> Sheet {
        let [left, right, top, bottom] = AREA;
        let axes = [self.axis(0, [left, right]), self.axis(1, [bottom, top])];
        let mut sheet = Sheet { size: [self.width(), HEIGHT], area: AREA, marks: Vec::new() };
        draw_axes(&mut sheet, &axes);
        self.draw_labels(&mut sheet);
        for (index, series) in self.series.iter().enumerate() {
            sheet.marks.push(Mark::Clipped(marks_of(series, index, &axes)));
            draw_legend_entry(&mut sheet, series, index);
        }
        sheet
    }

    fn width(&self) -> f64 {
        let longest = self.series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
        f64::max(WIDTH, (AREA[1] + 60.0 + CHARACTER_WIDTH * longest as f64).ceil())
    }

    fn with(mut self, name: String, style: Style, xs: &[f64], ys: &[f64]) -> Self {
        let points = xs.iter().zip(ys).map(|(&x, &y)| [x, y]).collect();
        self.series.push(Series { name, style, points });
        self
    }

    fn axis(&self, which: usize, pixels: [f64; 2]) -> Axis {
        let values = self.series.iter().flat_map(|series| series.points.iter().map(|point| point[which]));
        Axis::fitted(values, self.logarithmic[which], self.ranges[which], pixels)
    }

    fn draw_labels(&self, sheet: &mut Sheet) {
        let [left, right, top, bottom] = AREA;
        let title = Words { size: 16.0, bold: true, ..Words::new(&self.title, [left, 32.0], Align::Start) };
        let [x_label, y_label] = &self.labels;
        let below = Words::new(x_label, [0.5 * (left + right), bottom + 44.0], Align::Middle);
        let beside = Words::new(y_label, [22.0, 0.5 * (top + bottom)], Align::Middle);
        sheet.marks.extend([title, below, Words { upwards: true, ..beside }].map(Mark::Words));
    }
}

fn with_unit(label: String) -> String {
    if label.is_empty() || label.contains('[') { label } else { format!("{label} [–]") }
}

fn draw_axes(sheet: &mut Sheet, [x_axis, y_axis]: &[Axis; 2]) {
    let [left, right, top, bottom] = AREA;
    for (value, text) in x_axis.ticks() {
        let x = x_axis.place(value);
        sheet.line(&[[x, top], [x, bottom]], GRID, 1.0);
        sheet.line(&[[x, bottom], [x, bottom + 5.0]], INK, 1.0);
        sheet.marks.push(Mark::Words(Words::new(&text, [x, bottom + 20.0], Align::Middle)));
    }
    for (value, text) in y_axis.ticks() {
        let y = y_axis.place(value);
        sheet.line(&[[left, y], [right, y]], GRID, 1.0);
        sheet.line(&[[left, y], [left - 5.0, y]], INK, 1.0);
        sheet.marks.push(Mark::Words(Words::new(&text, [left - 9.0, y + 4.5], Align::End)));
    }
    sheet.line(&[[left, top], [left, bottom], [right, bottom]], INK, 1.2);
}

fn marks_of(series: &Series, index: usize, axes: &[Axis; 2]) -> Vec<Mark> {
    let place = |point: &[f64; 2]| {
        let shown = axes[0].shows(point[0]) && axes[1].shows(point[1]);
        shown.then(|| [axes[0].place(point[0]), axes[1].place(point[1])])
    };
    let places = series.points.iter().map(place);
    match series.style {
        Style::Points => places.flatten().map(|at| symbol(at, index)).collect(),
        Style::Line | Style::Dashed => vec![curve(places, series.style, index)],
    }
}

fn curve(places: impl Iterator<Item = Option<[f64; 2]>>, style: Style, index: usize) -> Mark {
    let mut runs: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut pen_down = false;
    for place in places {
        match (place, runs.last_mut()) {
            (Some(at), Some(run)) if pen_down => run.push(at),
            (Some(at), _) => runs.push(vec![at]),
            (None, _) => {}
        }
        pen_down = place.is_some();
    }
    Mark::Curve { runs, colour: colour(index), width: 1.8, is_dashed: style == Style::Dashed }
}

fn symbol(at: [f64; 2], index: usize) -> Mark {
    Mark::Symbol { at, shape: index % 4, colour: colour(index) }
}

fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// Beside the curves, so that it never hides them.
fn draw_legend_entry(sheet: &mut Sheet, series: &Series, index: usize) {
    let (x, y) = (AREA[1] + 16.0, AREA[2] + 12.0 + 22.0 * index as f64);
    sheet.marks.push(match series.style {
        Style::Points => symbol([x + 12.0, y], index),
        style => curve([Some([x, y]), Some([x + 24.0, y])].into_iter(), style, index),
    });
    sheet.marks.push(Mark::Words(Words::new(&series.name, [x + 32.0, y + 4.5], Align::Start)));
}
