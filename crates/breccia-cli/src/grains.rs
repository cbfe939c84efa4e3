//! `breccia grains`: outlines of grains from a picture.

use crate::cli::GrainsOptions;
use crate::problem::Failure;
use crate::say;
use crate::tell;
use breccia::output::OutputError;
use breccia::output::atomic::{Durability, write_atomically};
use breccia::output::picture::{OverlayLine, overlay};
use breccia::scene::{PeriodicShape, parse_length, shape_library_text};
use breccia::shapes::tracing::{
    Brightness, GreyPicture, PictureError, PowersClass, TracedGrain, Tracing, TracingOptions, trace_grains,
};
use glam::DVec2;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Grains listed on the terminal; the table has all.
const MOST_LISTED: usize = 40;
/// Colour of outlines, and of grains left out.
const FOUND: [f64; 3] = [0.85, 0.1, 0.1];
const LEFT_OUT: [f64; 3] = [0.1, 0.35, 0.9];

/// Traces the grains of a picture, writes shapes, measures and an overlay.
pub fn grains(options: &GrainsOptions) -> Result<ExitCode, Failure> {
    let settings = settings(options)?;
    let picture = GreyPicture::read_png(&options.picture).map_err(|error| {
        let help = match error {
            PictureError::Open { .. } => "name a PNG file that exists",
            PictureError::Decode { .. } => {
                "only PNG is read: convert other formats first, e.g. `magick photo.jpg photo.png`"
            }
        };
        Failure::other(error.to_string(), help)
    })?;
    let tracing = trace_grains(&picture, &settings);
    if tracing.grains.is_empty() {
        return Err(nothing_found(options, &tracing));
    }
    let folder = folder(options);
    std::fs::create_dir_all(&folder).map_err(|error| {
        Failure::other(
            format!("cannot make the folder {}: {error}", folder.display()),
            "name another with --out",
        )
    })?;
    write(&folder.join("shapes.toml"), &library(options, &tracing))?;
    write(&folder.join("measures.csv"), &measures_table(&tracing))?;
    let lines = overlay_lines(&tracing);
    let drawn = overlay(picture.width, picture.height, &picture.pixels, &lines);
    drawn.write_png(&folder.join("overlay.png")).map_err(unwritten)?;
    tell::out(&report(options, &picture, &tracing, &folder))?;
    Ok(ExitCode::SUCCESS)
}

fn settings(options: &GrainsOptions) -> Result<TracingOptions, Failure> {
    let level = match options.threshold.as_str() {
        "auto" => None,
        text => match text.parse::<f64>() {
            Ok(level) if level > 0.0 && level < 255.0 => Some(level),
            _ => {
                let what = format!("`{text}` is no threshold");
                return Err(Failure::other(what, "give a grey between 0 (black) and 255 (white), or `auto`"));
            }
        },
    };
    let pixel = options.scale.as_deref().map_or(Ok(1.0), parse_length);
    let pixel = pixel.map_err(|error| {
        Failure::other(
            format!("--scale: {error}"),
            "give the size of a pixel as a length: --scale \"12.5 um\"",
        )
    })?;
    for (name, value) in
        [("--scale", pixel), ("--tolerance", options.tolerance), ("--smallest", options.smallest)]
    {
        if !(value > 0.0 && value.is_finite()) {
            return Err(Failure::other(format!("{name} is {value}"), "it must be greater than 0"));
        }
    }
    let brightness = match (options.dark, options.light) {
        (true, _) => Some(Brightness::Dark),
        (_, true) => Some(Brightness::Bright),
        _ => None,
    };
    Ok(TracingOptions {
        level,
        brightness,
        tolerance: options.tolerance,
        least_area: options.smallest,
        pixel,
    })
}

fn nothing_found(options: &GrainsOptions, tracing: &Tracing) -> Failure {
    let what = format!("no whole grain in {}: {}", options.picture.display(), left_out(tracing).join(", "));
    let what = what.trim_end_matches([':', ' ']).to_owned();
    let help = "try --dark or --light, a --threshold of your own, a larger --tolerance or a smaller --smallest; grains \
                cut by the margin are never taken";
    Failure::other(what, help)
}

/// Folder for results: what was asked for, else out/NAME.
fn folder(options: &GrainsOptions) -> PathBuf {
    let stem = options.picture.file_stem().map_or_else(|| "grains".into(), |name| name.to_os_string());
    options.out.clone().unwrap_or_else(|| Path::new("out").join(stem))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    write_atomically(path, Durability::Process, |out| out.write_all(text.as_bytes())).map_err(unwritten)
}

fn unwritten(error: OutputError) -> Failure {
    Failure::other(error.to_string(), "mend that, or name another folder with --out")
}

/// Name of a grain by its place in the list.
fn name(place: usize) -> String {
    format!("grain-{:03}", place + 1)
}

fn library(options: &GrainsOptions, tracing: &Tracing) -> String {
    let picture = options.picture.file_name().unwrap_or_default().to_string_lossy();
    let size =
        options.scale.as_deref().map_or_else(|| "1 m (no scale was given)".into(), |s| format!("{s:?}"));
    let note = format!(
        "Outlines of {} grains traced from {picture}: periodic uniform cubic control points [m] about the centroid.\n\
         Size of a pixel: {size}. Largest distance of the curves from the contours: {} of a pixel.",
        tracing.grains.len(),
        options.tolerance
    );
    let shape = |(place, grain): (usize, &TracedGrain)| PeriodicShape {
        name: name(place),
        points: grain.control.clone(),
    };
    let shapes: Vec<PeriodicShape> = tracing.grains.iter().enumerate().map(shape).collect();
    shape_library_text(&note, &shapes)
}

fn measures_table(tracing: &Tracing) -> String {
    let mut text = String::from(
        "name,x_pixels,y_pixels,area_m2,perimeter_m,diameter_m,inscribed_diameter_m,enclosing_diameter_m,sphericity,\
         circularity,roundness,corners,class,control_points,holes,largest_error_pixels,rms_error_pixels\n",
    );
    for (place, grain) in tracing.grains.iter().enumerate() {
        let (m, fit) = (&grain.measures, &grain.fit);
        let at = fit.outline.given_centroid();
        let _ = writeln!(
            text,
            "{},{:.3},{:.3},{:e},{:e},{:e},{:e},{:e},{:.5},{:.5},{:.5},{},{},{},{},{:.4},{:.4}",
            name(place),
            at.x,
            at.y,
            m.area,
            m.perimeter,
            m.diameter,
            m.inscribed_diameter,
            m.enclosing_diameter,
            m.sphericity,
            m.circularity,
            m.roundness,
            m.corners,
            PowersClass::of(m.roundness).name(),
            fit.control.len(),
            grain.holes,
            fit.largest_error,
            fit.rms_error
        );
    }
    text
}

fn overlay_lines(tracing: &Tracing) -> Vec<OverlayLine> {
    let found = tracing.grains.iter().enumerate().map(|(place, grain)| {
        let outline = &grain.fit.outline;
        let points: Vec<DVec2> = outline.polyline(4).iter().map(|&p| p + outline.given_centroid()).collect();
        OverlayLine { points, colour: FOUND, label: (place + 1).to_string() }
    });
    let cut = tracing.cut.iter();
    let cut = cut.map(|contour| OverlayLine {
        points: contour.points.clone(),
        colour: LEFT_OUT,
        label: String::new(),
    });
    found.chain(cut).collect()
}

/// What was left out, in words.
fn left_out(tracing: &Tracing) -> Vec<String> {
    let holes: u32 = tracing.grains.iter().map(|grain| grain.holes).sum();
    let counted = [
        (tracing.cut.len(), "grain cut by the margin, left out", "grains cut by the margin, left out"),
        (tracing.specks, "speck left out", "specks left out"),
        (
            tracing.untraced.len(),
            "grain left out because no curve fits",
            "grains left out because no curve fits",
        ),
        (holes as usize, "hole ignored", "holes ignored"),
    ];
    let there = counted.iter().filter(|(count, ..)| *count > 0);
    there.map(|(count, one, more)| format!("{count} {}", if *count == 1 { one } else { more })).collect()
}

fn report(options: &GrainsOptions, picture: &GreyPicture, tracing: &Tracing, folder: &Path) -> String {
    let mut text = format!(
        "{} grain{} in {} ({} x {} pixels; {} grains, threshold {:.1})\n",
        say::count(tracing.grains.len() as u64),
        if tracing.grains.len() == 1 { "" } else { "s" },
        options.picture.display(),
        picture.width,
        picture.height,
        match tracing.threshold.brightness {
            Brightness::Dark => "dark",
            Brightness::Bright => "light",
        },
        tracing.threshold.level
    );
    text += &left_out(tracing).iter().map(|line| format!("  {line}\n")).collect::<String>();
    for lost in &tracing.untraced {
        let _ = writeln!(text, "  near ({:.0}, {:.0}) pixels: {}", lost.place.x, lost.place.y, lost.reason);
    }
    let (square, length) = if options.scale.is_some() { ("m²", "m") } else { ("px²", "px") };
    let _ = writeln!(
        text,
        "\n{:>10}  {:>12}  {:>12}  {:>10}  {:>9}  {:<12}  {:>7}  {:>9}\n{:>10}  {:>12}  {:>12}  {:>10}  {:>9}  {:<12}  {:>7}  {:>9}",
        "grain",
        "area",
        "diameter",
        "sphericity",
        "roundness",
        "class",
        "control",
        "error",
        "",
        format!("[{square}]"),
        format!("[{length}]"),
        "",
        "",
        "",
        "points",
        "[px]"
    );
    for (place, grain) in tracing.grains.iter().enumerate().take(MOST_LISTED) {
        let m = &grain.measures;
        let _ = writeln!(
            text,
            "{:>10}  {:>12}  {:>12}  {:>10.3}  {:>9.3}  {:<12}  {:>7}  {:>9.2}",
            name(place),
            say::number(m.area),
            say::number(m.diameter),
            m.sphericity,
            m.roundness,
            PowersClass::of(m.roundness).name(),
            grain.fit.control.len(),
            grain.fit.largest_error
        );
    }
    if tracing.grains.len() > MOST_LISTED {
        let _ = writeln!(text, "  … and {} more in measures.csv", tracing.grains.len() - MOST_LISTED);
    }
    if options.scale.is_none() {
        text += "\nNo --scale was given: shapes.toml takes a pixel as 1 m.\n";
    }
    let _ = writeln!(text, "\nWrote shapes.toml, measures.csv and overlay.png to {}", folder.display());
    text
}
