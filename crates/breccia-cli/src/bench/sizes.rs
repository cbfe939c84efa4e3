//! What a wide range of sizes costs, against a bed of equal spheres: a bed around one sphere 50 times as large, and a bed
//! of radii from 1 to 20 with the same volume in every octave.
//!
//! Cost is told per contact and step, because a large sphere has thousands of contacts; beds take turns, and the
//! cheapest of their rounds counts.

use super::measure::{Row, measure, settled};
use crate::cli::BenchOptions;
use crate::problem::Failure;
use crate::tell;
use breccia::scene::Scene;
use breccia::shapes::sphere_volume;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

/// Steps of settling, and of the low beds of the quick form.
const SETTLING_STEPS: [u64; 2] = [30_000, 20_000];
/// Radius of the small spheres [m].
const SMALL: f64 = 1e-3;
/// Rounds of measuring.
const ROUNDS: usize = 2;
/// Growth of the cost per contact that is aimed at for radii from 1 to 20.
const AIM: f64 = 1.5;

/// A bed of this bench.
#[derive(Clone, Copy)]
enum Bed {
    /// Equal spheres, on a base that has room for one so many times as large.
    Equal(f64),
    /// Small spheres around one so many times as large.
    Around(f64),
    /// Radii up to so many times the smallest, equal volumes in equal ratios of size.
    Graded(f64),
}

/// Measures all beds.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let (usual, around, graded) = if options.quick { (2_000, 10.0, 5.0) } else { (30_000, 50.0, 20.0) };
    let (count, threads) = (options.spheres(usual), options.threads.unwrap_or(1).max(1));
    let mut prepared = Vec::new();
    for bed in [Bed::Equal(around), Bed::Around(around), Bed::Graded(graded)] {
        let scene = bed.scene(count)?;
        let steps = SETTLING_STEPS[usize::from(options.quick)];
        let state = settled(&scene, &format!("sizes-{}-{count}", bed.name()), steps)?;
        prepared.push((bed, scene, state));
    }
    let mut rows: Vec<Option<Row>> = prepared.iter().map(|_| None).collect();
    for _ in 0..ROUNDS {
        for ((_, scene, state), best) in prepared.iter().zip(&mut rows) {
            let row = measure(scene, state, threads, options.window(), |_| {})?;
            let cost = row.nanoseconds_per_contact();
            if best.as_ref().is_none_or(|best| cost < best.nanoseconds_per_contact()) {
                *best = Some(row);
            }
        }
    }
    let beds = prepared.iter().map(|(bed, ..)| *bed);
    let rows: Vec<(Bed, Row)> = beds.zip(rows).filter_map(|(bed, row)| Some((bed, row?))).collect();
    rows.iter().try_for_each(|(bed, row)| bed.refuse_unsettled(row))?;
    tell::out(&if options.json { json_report(&rows) } else { table(&rows) })?;
    Ok(ExitCode::SUCCESS)
}

/// Cost per contact over that of the first bed.
fn ratio(rows: &[(Bed, Row)], place: usize) -> f64 {
    rows[place].1.nanoseconds_per_contact() / rows[0].1.nanoseconds_per_contact()
}

fn json_report(rows: &[(Bed, Row)]) -> String {
    let beds = rows.iter().enumerate().map(|(place, (bed, row))| {
        json!({
            "bed": bed.name(),
            "size_ratio": bed.ratio(),
            "row": row.to_json(),
            "cost_ratio": ratio(rows, place),
        })
    });
    format!("{:#}\n", json!({"bench": "sizes", "beds": beds.collect::<Vec<_>>()}))
}

fn table(rows: &[(Bed, Row)]) -> String {
    let mut text = format!(
        "{:>14} {:>10} {:>12} {:>18} {:>16} {:>8}  time by part [%]\n",
        "bed", "contacts", "per sphere", "particle-steps/s", "ns per contact", "ratio"
    );
    for (place, (bed, row)) in rows.iter().enumerate() {
        text += &format!(
            "{:>14} {:>10} {:>12.3} {:>18.3e} {:>16.2} {:>8.2}  {}{}\n",
            bed.name(),
            row.contacts,
            row.coordination,
            row.rate,
            row.nanoseconds_per_contact(),
            ratio(rows, place),
            row.parts(),
            row.processor_note()
        );
    }
    text + &format!("ratio: cost per contact over that of equal spheres (aim for radii 1 to 20: {AIM})\n")
}

impl Bed {
    fn name(self) -> String {
        match self {
            Self::Equal(_) => "equal".to_owned(),
            Self::Around(ratio) => format!("one-in-{ratio}"),
            Self::Graded(ratio) => format!("graded-1-{ratio}"),
        }
    }

    /// Largest over smallest radius.
    fn ratio(self) -> f64 {
        match self {
            Self::Equal(_) => 1.0,
            Self::Around(ratio) | Self::Graded(ratio) => ratio,
        }
    }

    /// Contacts per sphere of a settled bed, at least; in a graded one small spheres lie loose in gaps.
    fn settled_contacts(self) -> f64 {
        match self {
            Self::Equal(_) | Self::Around(_) => 3.5,
            Self::Graded(_) => 1.5,
        }
    }

    fn refuse_unsettled(self, row: &Row) -> Result<(), Failure> {
        if row.coordination >= self.settled_contacts() {
            return Ok(());
        }
        let what = format!("the bed {} has only {:.1} contacts per sphere", self.name(), row.coordination);
        Err(Failure::other(what, "with so few spheres it does not fill its base; raise --n"))
    }

    /// The bed before settling: so many spheres, not counting the one large one.
    fn scene(self, count: usize) -> Result<Scene, Failure> {
        let (side, top, sizes) = self.layout(count as f64);
        let text = format!(
            r#"
        title = "sizes"
        [time]
        duration = 1e6
        step = 8e-6
        [[material]]
        name = "grain"
        density = 1000
        young_modulus = 3e7
        poisson_ratio = 0.2
        [pair_default]
        restitution = 0.4
        friction = 0.5
        rolling_friction = 0.01
        [[wall]]
        name = "box"
        material = "grain"
        shape = "box"
        min = [0, 0, 0]
        max = [{side}, {side}, {height}]
        open = ["+z"]
        {large}
        [[bodies]]
        name = "small"
        kind = "random"
        material = "grain"
        {sizes}
        region = {{ shape = "box", min = [0, 0, 0], max = [{side}, {side}, {top}] }}
        count = {count}
        "#,
            height = 2.0 * top,
            large = self.large(side),
        );
        Ok(breccia::scene::load_str("sizes", &text, Path::new("."))?.scene)
    }

    /// Side of the base [m], height of the region to fill [m], sizes in the language of scenes.
    fn layout(self, count: f64) -> (f64, f64, String) {
        match self {
            Self::Equal(ratio) | Self::Around(ratio) => {
                let big = SMALL * ratio;
                let side = 2.2 * big;
                // Loose enough for random placing.
                let volume = count * sphere_volume(SMALL) / 0.25 + sphere_volume(big);
                (side, (volume / (side * side)).max(2.2 * big), format!("radius = {SMALL}"))
            }
            Self::Graded(ratio) => {
                // Mean volume where the number at a radius falls with its cube, from 1 to the ratio.
                let mean = 3.0 * libm::log(ratio) / (1.0 - ratio.powi(-3));
                let volume = count * mean * sphere_volume(SMALL);
                let side = libm::cbrt(volume / 0.6).max(2.2 * SMALL * ratio);
                let (least, most) = (2.0 * SMALL, 2.0 * SMALL * ratio);
                let sizes = format!("size = {{ kind = \"sieve\", points = [[{least}, 0], [{most}, 1]] }}");
                (side, (volume / (0.4 * side * side)).max(2.2 * SMALL * ratio), sizes)
            }
        }
    }

    /// The large sphere in the middle, if there is one. It stands on the floor: falling it would crush what lies below.
    fn large(self, side: f64) -> String {
        let Self::Around(ratio) = self else { return String::new() };
        let (big, middle) = (SMALL * ratio, 0.5 * side);
        format!(
            "[[bodies]]\nname = \"large\"\nkind = \"list\"\nmaterial = \"grain\"\nradius = {big}\n\
             positions = [[{middle}, {middle}, {big}]]\n"
        )
    }
}
