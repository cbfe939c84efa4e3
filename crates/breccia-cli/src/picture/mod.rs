//! `breccia picture`: a picture of a run at some instant, from its frames, without a browser or a graphics card.

mod fields;
mod flat;
mod spatial;

use crate::problem::Failure;
use crate::tell;
use crate::watched::WatchedRun;
use breccia::output::frames::KINDS;
use breccia::output::vtk::PolyData;
use breccia::output::{Image, PictureOptions};
use clap::Args;
use glam::DVec3;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Options of `picture`.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
                  breccia picture out/hopper                            the last frame, as hopper.png\n  \
                  breccia picture out/hopper --time 0.5 --colour force  the frame nearest to 0.5 s, by force\n  \
                  breccia picture out/clusters --colour fragment -o a.png\n\n\
                  Fields are those of the frames: scalars by name (radius, fragment_size), vectors by their size \
                  (velocity or speed, force) or a part of them (velocity.z). A field of bonds shows the bonds. \
                  \"plain\" is one colour.")]
pub struct PictureArguments {
    /// Run folder.
    pub run: PathBuf,
    /// Time [s]; the nearest frame is taken [default: the last].
    #[arg(short, long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Field shown as colours [default: as in the viewer: speed, fragment_size where there are bonds, pressure in grains, stress in solids].
    #[arg(short, long, value_name = "FIELD")]
    pub colour: Option<String>,
    /// Ends of the colour scale [default: those of the frame].
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], allow_negative_numbers = true)]
    pub range: Option<Vec<f64>>,
    /// Size in pixels.
    #[arg(short, long, default_value = "1600x1000", value_name = "WxH", value_parser = size)]
    pub size: [usize; 2],
    /// Where the viewer stands, turned about the vertical [degrees].
    #[arg(long, default_value_t = -60.0, value_name = "DEGREES", allow_negative_numbers = true)]
    pub azimuth: f64,
    /// How far the viewer stands above the horizon [degrees].
    #[arg(long, default_value_t = 20.0, value_name = "DEGREES", allow_negative_numbers = true)]
    pub elevation: f64,
    /// File to write [default: NAME.png, after the run folder].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Smallest and largest side of a picture [pixels].
const SIDES: std::ops::RangeInclusive<usize> = 64..=16_384;

fn size(text: &str) -> Result<[usize; 2], String> {
    let parts: Vec<Option<usize>> = text.split('x').map(|part| part.parse().ok()).collect();
    match parts[..] {
        [Some(width), Some(height)] if SIDES.contains(&width) && SIDES.contains(&height) => {
            Ok([width, height])
        }
        _ => {
            Err(format!("a size is two numbers from {} to {}, such as 1600x1000", SIDES.start(), SIDES.end()))
        }
    }
}

/// How a picture is wanted.
pub struct Wish<'a> {
    /// Field, if one was named.
    pub colour: Option<&'a str>,
    /// Words, size and direction.
    pub options: PictureOptions,
}

/// Writes a picture.
pub fn picture(arguments: &PictureArguments) -> Result<ExitCode, Failure> {
    let run = WatchedRun::open(&arguments.run)?;
    let frames = FramesAt::read(&run, arguments.time)?;
    let [width, height] = arguments.size;
    let options = PictureOptions {
        width,
        height,
        azimuth: arguments.azimuth,
        elevation: arguments.elevation,
        range: arguments.range.as_ref().map(|ends| [ends[0], ends[1]]),
        ..frames.options(&run)
    };
    let image = frames.draw(Wish { colour: arguments.colour.as_deref(), options })?;
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.png", run.name())));
    image.write_png(&path)?;
    tell::out(&format!("{}: t = {} s\n", path.display(), frames.time))?;
    Ok(ExitCode::SUCCESS)
}

/// Frames of all kinds at one instant.
pub struct FramesAt {
    /// Instant [s].
    pub time: f64,
    kinds: BTreeMap<&'static str, PolyData>,
}

impl FramesAt {
    /// Reads the frames nearest to a time [s], or the last.
    pub fn read(run: &WatchedRun, wanted: Option<f64>) -> Result<Self, Failure> {
        let times: BTreeMap<&'static str, Vec<f64>> =
            KINDS.iter().filter_map(|&kind| Some((kind, run.times(kind).ok()?))).collect();
        let all = || times.values().flatten().copied();
        let last = all().fold(f64::NEG_INFINITY, f64::max);
        let wanted = wanted.unwrap_or(last);
        let time =
            all().min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs())).ok_or_else(|| {
                Failure::other(
                    format!("{} holds no frames", run.root().display()),
                    "name the folder of a run that has written some",
                )
            })?;
        let mut kinds = BTreeMap::new();
        for (kind, times) in times {
            let Some(index) = times.iter().rposition(|&t| t <= time) else { continue };
            let data = run
                .frame(kind, index)
                .and_then(|path| PolyData::read(&path).map_err(|error| error.to_string()))
                .map_err(|trouble| Failure::other(trouble, "take another frame with --time"))?;
            kinds.insert(kind, data);
        }
        Ok(Self { time, kinds })
    }

    /// Words and direction for a picture of a run.
    pub fn options(&self, run: &WatchedRun) -> PictureOptions {
        let gravity = DVec3::from_slice(&[run.gravity(), vec![0.0; 3]].concat());
        PictureOptions {
            up: gravity.try_normalize().map_or(DVec3::Z, |down| -down),
            title: run.title(),
            caption: format!("t = {:.4} s, {}", self.time, self.count()),
            ..PictureOptions::default()
        }
    }

    fn count(&self) -> String {
        let spheres = self.kinds.get("spheres").map(|data| format!("{} spheres", data.points.len()));
        let cells = |kind: &str, field: &str, word: &str| {
            let data = self.kinds.get(kind)?;
            Some(format!("{} {word}", fields::distinct(data, field).unwrap_or(data.polys.len())))
        };
        let parts = [spheres, cells("grains", "grain", "grains"), cells("solids", "body", "solids")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Draws them: in the plane where there are grains or solids, in space otherwise.
    pub fn draw(&self, wish: Wish) -> Result<Image, Failure> {
        if self.kinds.contains_key("grains") || self.kinds.contains_key("solids") {
            return flat::draw(&self.kinds, wish);
        }
        spatial::draw(&self.kinds, wish)
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!(size("1600x1000"), Ok([1600, 1000]));
        for wrong in ["", "1600", "1600x", "ax10", "10x10", "1600x1000x2", "99999x100"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
