//! Line and scatter plots as SVG, all in one style: measured curves as lines, published points as symbols.

mod axis;

use super::OutputError;
use super::atomic::{Durability, write_atomically};
use super::vtk::escape;
use axis::Axis;
use std::fmt::Write as _;
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
const SYMBOL_RADIUS: f64 = 4.0;

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
    /// An empty plot; labels carry units: `time [s]`.
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            labels: [x_label.into(), y_label.into()],
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

    /// Writes the plot.
    pub fn write_svg(&self, path: &Path) -> Result<(), OutputError> {
        let text = self.to_svg();
        write_atomically(path, Durability::Process, |out| out.write_all(text.as_bytes()))
    }

    /// The plot as SVG text.
    pub fn to_svg(&self) -> String {
        let [left, right, top, bottom] = AREA;
        let axes = [self.axis(0, [left, right]), self.axis(1, [bottom, top])];
        let width = self.width();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" width=\"{width}\" \
             height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#222\">\n\
             <rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
        );
        draw_axes(&mut svg, &axes);
        self.draw_labels(&mut svg);
        let _ = writeln!(
            svg,
            "<clipPath id=\"area\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/></clipPath>",
            right - left,
            bottom - top
        );
        for (index, series) in self.series.iter().enumerate() {
            draw_series(&mut svg, series, index, &axes);
            draw_legend_entry(&mut svg, series, index);
        }
        svg.push_str("</svg>\n");
        svg
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

    fn draw_labels(&self, svg: &mut String) {
        let [left, right, top, bottom] = AREA;
        let (x_middle, y_middle) = (0.5 * (left + right), 0.5 * (top + bottom));
        let [x_label, y_label] = [escape(&self.labels[0]), escape(&self.labels[1])];
        let title = escape(&self.title);
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"32\" font-size=\"16\" font-weight=\"bold\">{title}</text>\n\
             <text x=\"{x_middle}\" y=\"{}\" text-anchor=\"middle\">{x_label}</text>\n\
             <text x=\"22\" y=\"{y_middle}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 22 {y_middle})\">{y_label}</text>",
            bottom + 44.0
        );
    }
}

fn draw_axes(svg: &mut String, [x_axis, y_axis]: &[Axis; 2]) {
    let [left, right, top, bottom] = AREA;
    for (value, text) in x_axis.ticks() {
        let x = x_axis.place(value);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.2} {top}V{bottom}\" stroke=\"#e4e4e4\"/>\
             <path d=\"M{x:.2} {bottom}v5\" stroke=\"#222\"/>\
             <text x=\"{x:.2}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
            bottom + 20.0
        );
    }
    for (value, text) in y_axis.ticks() {
        let y = y_axis.place(value);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {y:.2}H{right}\" stroke=\"#e4e4e4\"/>\
             <path d=\"M{left} {y:.2}h-5\" stroke=\"#222\"/>\
             <text x=\"{}\" y=\"{:.2}\" text-anchor=\"end\">{text}</text>",
            left - 9.0,
            y + 4.5
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"#222\" stroke-width=\"1.2\"/>"
    );
}

fn draw_series(svg: &mut String, series: &Series, index: usize, axes: &[Axis; 2]) {
    let place = |point: &[f64; 2]| {
        let shown = axes[0].shows(point[0]) && axes[1].shows(point[1]);
        shown.then(|| [axes[0].place(point[0]), axes[1].place(point[1])])
    };
    let places = series.points.iter().map(place);
    svg.push_str("<g clip-path=\"url(#area)\">");
    match series.style {
        Style::Points => places.flatten().for_each(|place| draw_symbol(svg, place, index)),
        Style::Line | Style::Dashed => draw_curve(svg, places, series.style, index),
    }
    svg.push_str("</g>\n");
}

fn draw_curve(svg: &mut String, places: impl Iterator<Item = Option<[f64; 2]>>, style: Style, index: usize) {
    let mut path = String::new();
    let mut pen_down = false;
    for place in places {
        if let Some([x, y]) = place {
            let _ = write!(path, "{}{x:.2} {y:.2}", if pen_down { 'L' } else { 'M' });
        }
        pen_down = place.is_some();
    }
    let colour = COLOURS[index % COLOURS.len()];
    let dashes = if style == Style::Dashed { " stroke-dasharray=\"7 4\"" } else { "" };
    let _ = write!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" \
         stroke-linejoin=\"round\"{dashes}/>"
    );
}

/// Circle, square, triangle or diamond, so that series differ without colour.
fn draw_symbol(svg: &mut String, [x, y]: [f64; 2], index: usize) {
    let (colour, r) = (COLOURS[index % COLOURS.len()], SYMBOL_RADIUS);
    let outline = match index % 4 {
        0 => format!("M{:.2} {y:.2}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z", x - r, d = 2.0 * r),
        1 => format!("M{:.2} {:.2}h{d}v{d}h-{d}z", x - 0.9 * r, y - 0.9 * r, d = 1.8 * r),
        2 => format!("M{x:.2} {:.2}l{w} {h}h-{d}z", y - 1.2 * r, w = 1.1 * r, h = 2.0 * r, d = 2.2 * r),
        _ => format!("M{x:.2} {:.2}l{d} {d}l-{d} {d}l-{d} -{d}z", y - 1.3 * r, d = 1.3 * r),
    };
    let _ = write!(
        svg,
        "<path d=\"{outline}\" fill=\"#fff\" fill-opacity=\"0.7\" stroke=\"{colour}\" stroke-width=\"1.6\"/>"
    );
}

/// Beside the curves, so that it never hides them.
fn draw_legend_entry(svg: &mut String, series: &Series, index: usize) {
    let (x, y) = (AREA[1] + 16.0, AREA[2] + 12.0 + 22.0 * index as f64);
    match series.style {
        Style::Points => draw_symbol(svg, [x + 12.0, y], index),
        style => draw_curve(svg, [Some([x, y]), Some([x + 24.0, y])].into_iter(), style, index),
    }
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", x + 32.0, y + 4.5, escape(&series.name));
}
