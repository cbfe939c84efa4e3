//! A sheet as SVG text.

use super::sheet::{Align, Mark, Sheet, Words, symbol_corners};
use super::{INK, LETTERS};
use crate::output::vtk::escape;
use std::fmt::Write as _;

pub(super) fn write(sheet: &Sheet) -> String {
    let ([width, height], [left, right, top, bottom]) = (sheet.size, sheet.area);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{LETTERS}\" fill=\"{INK}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <clipPath id=\"area\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        right - left,
        bottom - top
    );
    for mark in &sheet.marks {
        write_mark(&mut svg, mark);
        svg.push('\n');
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_mark(svg: &mut String, mark: &Mark) {
    match mark {
        Mark::Curve { runs, colour, width, is_dashed } => {
            let path: String = runs.iter().map(|run| path(run)).collect();
            let dashes = if *is_dashed { " stroke-dasharray=\"7 4\"" } else { "" };
            let _ = write!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\"{dashes}/>"
            );
        }
        Mark::Symbol { at, shape, colour } => {
            let path = path(&symbol_corners(*at, *shape));
            let _ = write!(
                svg,
                "<path d=\"{path}z\" fill=\"#fff\" fill-opacity=\"0.7\" stroke=\"{colour}\" stroke-width=\"1.6\"/>"
            );
        }
        Mark::Words(words) => write_words(svg, words),
        Mark::Clipped(marks) => {
            svg.push_str("<g clip-path=\"url(#area)\">");
            marks.iter().for_each(|mark| write_mark(svg, mark));
            svg.push_str("</g>");
        }
    }
}

fn path(points: &[[f64; 2]]) -> String {
    let mut path = String::new();
    for (index, [x, y]) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.2} {y:.2}", if index == 0 { 'M' } else { 'L' });
    }
    path
}

fn write_words(svg: &mut String, words: &Words) {
    let [x, y] = words.at;
    let anchor = match words.align {
        Align::Start => "",
        Align::Middle => " text-anchor=\"middle\"",
        Align::End => " text-anchor=\"end\"",
    };
    let size = if words.size == LETTERS { String::new() } else { format!(" font-size=\"{}\"", words.size) };
    let bold = if words.bold { " font-weight=\"bold\"" } else { "" };
    let turn = if words.upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let text = escape(&words.text);
    let _ = write!(svg, "<text x=\"{x:.2}\" y=\"{y:.2}\"{anchor}{size}{bold}{turn}>{text}</text>");
}
