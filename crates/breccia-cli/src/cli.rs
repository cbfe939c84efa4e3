//! Words the program understands.

use crate::picture::PictureArguments;
use crate::report::ReportArguments;
use crate::verify::VerifyOptions;
use crate::view::ViewOptions;
use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// One contact engine for things that touch.
#[derive(Parser)]
#[command(
    name = "breccia",
    version,
    about = "One contact engine for things that touch: spheres on walls and meshes, clusters, grains and solids.",
    long_about = "breccia computes what touching bodies do to each other. A scene file (TOML) says what there is; \
                  a run writes a folder with frames for ParaView, a table of energies and contacts, checkpoints and \
                  a picture.",
    after_help = "First steps:\n  \
                  breccia new first          write a commented scene, first.toml\n  \
                  breccia check first.toml   see what it means and whether the time step is sound\n  \
                  breccia run first.toml     run it; results go to out/first",
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Commands.
#[derive(Subcommand)]
pub enum Command {
    /// Run a scene.
    Run(RunOptions),
    /// Look at a run in a browser, while it goes on or afterwards.
    View(ViewOptions),
    /// Draw a picture of a run, without a browser or a graphics card.
    Picture(PictureArguments),
    /// Write one HTML file about a run, or about what verify found.
    Report(ReportArguments),
    /// Tell what a scene means without running it.
    Check(CheckOptions),
    /// Write a commented scene to start from.
    New(NewOptions),
    /// Print the JSON schema of scenes, for editors that complete and check them.
    #[command(after_help = "For editors with TOML support (Even Better TOML, taplo):\n  \
                      breccia schema > breccia.schema.json\n\
                      and as first line of a scene\n  \
                      #:schema ./breccia.schema.json")]
    Schema,
    /// Find the outlines of grains in a picture.
    Grains(GrainsOptions),
    /// Run experiments with known answers and compare.
    Verify(VerifyOptions),
    /// Measure speed.
    Bench(BenchOptions),
}

/// Options of `run`.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
                  breccia run first.toml                   results in out/first\n  \
                  breccia run first.toml -o /data/a -t 4   results in /data/a, on 4 threads\n  \
                  breccia run first.toml --restart         go on after Ctrl-C, a crash, or with a longer duration\n\n\
                  Ctrl-C writes a checkpoint and stops; a second one stops at once. A restarted run has the same \
                  bits as one that never stopped. The report goes to the standard output, progress and warnings to \
                  the standard error, both to log.txt in the run folder.\n\
                  Exit code: 0 finished, 1 failed, 2 wrong usage, 130 interrupted.")]
pub struct RunOptions {
    /// Scene file (TOML); `breccia new` writes one to start from.
    pub scene: PathBuf,
    /// Run folder [default: out/NAME, after the scene file or, for a file called scene.toml, its folder].
    #[arg(short, long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Threads; 0 for all of the machine [default: what the scene says]. Results do not depend on it.
    #[arg(short, long, value_name = "NUMBER")]
    pub threads: Option<usize>,
    /// Go on from the last checkpoint in the run folder.
    #[arg(long, conflicts_with = "overwrite")]
    pub restart: bool,
    /// Replace an earlier run in the run folder.
    #[arg(long)]
    pub overwrite: bool,
}

/// Options of `check`.
#[derive(Args)]
#[command(
    after_help = "Prints what the scene holds, its time step against the recommended and the refused one, and about \
                  how much memory a run takes. Nothing is written. Exit code: 0 the scene can be run, 1 it cannot."
)]
pub struct CheckOptions {
    /// Scene file (TOML).
    pub scene: PathBuf,
}

/// Options of `new`.
#[derive(Args)]
pub struct NewOptions {
    /// Name of the scene; the file is NAME.toml. A file that exists is never overwritten.
    pub name: String,
}

/// Options of `grains`.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
                  breccia grains photo.png --scale \"12.5 um\"     results in out/photo\n  \
                  breccia grains photo.png --threshold 90 --dark --tolerance 0.7 --out shapes/sand\n\n\
                  Written are shapes.toml (a library of smooth outlines for scenes: control points in metres about the \
                  centroid), measures.csv, and overlay.png to look at: outlines in red with their numbers, grains cut by \
                  the margin in blue. Holes are ignored, grains cut by the margin left out. Grains that touch each other are \
                  one grain: part them in the picture first.\n\n\
                  Sphericity: diameter of the disc of equal area over that of the smallest circle around (Wadell, in \
                  projection). Roundness: mean radius of the corners over that of the largest circle inside (Wadell); corners \
                  are stretches bent more than that circle. Class: after Powers (1953).\n\
                  Exit code: 0 grains were found, 1 none or a failure, 2 wrong usage.")]
pub struct GrainsOptions {
    /// Picture (PNG): grey, colour or black and white.
    pub picture: PathBuf,
    /// Grey between grains and background, 0 to 255, or `auto` for Otsu's method.
    #[arg(long, default_value = "auto", value_name = "GREY")]
    pub threshold: String,
    /// Grains are darker than the background [default: they are what most of the margin is not].
    #[arg(long, conflicts_with = "light")]
    pub dark: bool,
    /// Grains are brighter than the background.
    #[arg(long)]
    pub light: bool,
    /// Largest distance of a contour from its smooth outline [pixels].
    #[arg(long, default_value_t = 1.0, value_name = "PIXELS")]
    pub tolerance: f64,
    /// Areas smaller than this are specks [pixels²].
    #[arg(long, default_value_t = 100.0, value_name = "PIXELS")]
    pub smallest: f64,
    /// Size of a pixel: "12.5 um" [default: 1 m].
    #[arg(long, value_name = "LENGTH")]
    pub scale: Option<String>,
    /// Folder for results [default: out/NAME, after the picture].
    #[arg(short, long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// Options of `bench`.
#[derive(Args)]
#[command(
    after_help = "bed: a settled bed of spheres (r = 3.5 mm ± 5 %, E = 10 MPa, e = 0.4, friction 0.5, rolling \
                        C) in a square box, prepared by breccia itself and kept in out/bench for the next time.\n\n\
                  flow: the same bed with gravity at 45 degrees to the floor and one wall far away, after 0.2 s.\n\n\
                  cubes: 1,000 cubes of 27 such spheres, bonded, settled in a box.\n\n\
                  growth: beds on a floor without sides, copies of a settled one; table and plots go to out/bench.\n\n\
                  drum: spheres as in the bed, without rolling resistance, in a drum of triangles with lifter bars \
                  at 6 rad/s.\n\n\
                  mixer: the scene of scenes/mixer, from its first 0.5 s on.\n\n\
                  clusters: one search for contacts among 10,000 spheres and 1,000 clusters, or 5,500 of each, by seven \
                  methods; tables and plots go to out/bench."
)]
pub struct BenchOptions {
    /// What to measure.
    #[arg(value_enum, default_value = "bed")]
    pub name: BenchName,
    /// Number of spheres [default: 30,000; 27,000 for cubes]; the most of them for growth [default: 4,096,000]; bodies of
    /// clusters [default: 11,000]; most grains [default: 6,080]; sorting has its own.
    #[arg(long, value_name = "NUMBER", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub n: Option<usize>,
    /// Measure only with this number of threads; 0 for all [default: 1 and all].
    #[arg(short, long, value_name = "NUMBER")]
    pub threads: Option<usize>,
    /// Seconds of measuring per row [default: 5; drum and mixer count steps].
    #[arg(long, conflicts_with = "steps")]
    pub seconds: Option<f64>,
    /// Steps of measuring per row instead [default: 2000 for the drum, 1000 for the mixer].
    #[arg(long, value_name = "NUMBER", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub steps: Option<u64>,
    /// Law of rolling [default: c for bed and growth, none for flow, drum and cubes].
    #[arg(long, value_enum)]
    pub rolling: Option<BenchRolling>,
    /// Do not follow what contacts lose (as `losses = false` in a scene): other codes do not either. Bed, flow, drum, cubes and growth.
    #[arg(long)]
    pub no_losses: bool,
    /// Bed, flow, drum and cubes: write the state that measuring starts from into this folder, for other codes, and stop.
    #[arg(long, value_name = "FOLDER")]
    pub export: Option<std::path::PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Clusters and sorting: fewer bodies and repeats. Grains: the two smaller packings. Sizes: 1:10 and 1:5.
    #[arg(long)]
    pub quick: bool,
}

/// Benches.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum BenchName {
    /// Settled bed in a box.
    Bed,
    /// The bed running down a plane at 45°.
    Flow,
    /// Rotating drum of 2,784 triangles with lifter bars.
    Drum,
    /// Rotary mixer with helical blades: time by part against a published table.
    Mixer,
    /// Cubes of 27 bonded spheres at rest.
    Cubes,
    /// Cost per sphere and step from 1,000 to 4,096,000 spheres: table and plot.
    Growth,
    /// A sphere 50 times as large as those around it, and radii from 1 to 20, against equal ones: cost per contact.
    Sizes,
    /// Contact detection of bonded clusters: the 24 published cases, all methods.
    Clusters,
    /// Sorted contact detection of deformable disks: 13 to 900 bodies, three finders, whole steps.
    Sorting,
    /// Implicit steps of NURBS grains: 380, 1,520 and 6,080 of them, the default solver against clarabel.
    Grains,
}

/// Rolling laws of the bench.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum BenchRolling {
    /// Elastic–plastic.
    C,
    /// Braked.
    ALimited,
    /// None.
    None,
}
