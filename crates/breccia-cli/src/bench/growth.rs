//! How the cost of a step grows with the number of spheres: 1,000 to 4,096,000, in a dense bed at rest.
//!
//! A bed of 1,000 that repeats along x and y is settled once; the others are 2 × 2, 4 × 4, … 64 × 64 copies of it, so
//! that all are the same bed with the same share of spheres at floor and surface, and nothing is at the sides. Copies begin
//! without memory of friction and find it again before the clock starts.

use super::grain::{Sides, loose_bed, tiled_bed};
use super::measure::{Row, measure, settled};
use crate::cli::{BenchOptions, BenchRolling};
use crate::problem::Failure;
use crate::{say, tell};
use breccia::output::Plot;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// Spheres of the bed that is copied.
const TILE: usize = 1_000;
/// Most spheres, unless told otherwise.
const MOST: usize = 4_096_000;
/// Steps of settling.
const SETTLING_STEPS: u64 = 12_000;
/// Last level of cache where the system does not tell [bytes].
const USUAL_CACHE: f64 = 32.0 * 1024.0 * 1024.0;
/// Growth beyond the cache that is aimed at.
const AIM: f64 = 1.6;
const FOLDER: &str = "out/bench";

/// What was measured.
struct Growth {
    rows: Vec<(usize, Row)>,
    /// Last level of cache [bytes].
    cache: f64,
}

/// Measures all sizes up to --n.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let law = options.rolling.unwrap_or(BenchRolling::C);
    let threads = options.threads.unwrap_or(1).max(1);
    let loose = loose_bed(TILE, law, Sides::Periodic)?;
    let tile = settled(&loose, &format!("growth-{TILE}-{}", law.word()), SETTLING_STEPS)?;
    let mut growth = Growth { rows: Vec::new(), cache: cache_bytes().unwrap_or(USUAL_CACHE) };
    for tiles in std::iter::successors(Some(1), |tiles| Some(2 * tiles)) {
        let count = TILE * tiles * tiles;
        if count > options.spheres(MOST) && tiles > 1 {
            break;
        }
        let scene = options.measured(tiled_bed(&tile, tiles, law, Sides::Periodic)?);
        let state = breccia::simulation::Simulation::new(&scene).state;
        let row = measure(&scene, &state, threads, options.window(), |_| {})?;
        tell::note(&format!("{} spheres: {:.1} ns", say::count(count as u64), row.nanoseconds_per_step()));
        growth.rows.push((count, row));
    }
    growth.write()?;
    tell::out(&if options.json { format!("{:#}\n", growth.to_json()) } else { growth.table() })?;
    Ok(ExitCode::SUCCESS)
}

/// Size of the last level of cache [bytes], where the system tells.
fn cache_bytes() -> Option<f64> {
    let levels = (0..8).filter_map(|index| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size");
        parse_size(std::fs::read_to_string(path).ok()?.trim())
    });
    levels.reduce(f64::max)
}

/// `32768K` in bytes.
fn parse_size(text: &str) -> Option<f64> {
    let units = [("K", 1024.0), ("M", 1024.0 * 1024.0), ("G", 1024.0 * 1024.0 * 1024.0)];
    let scaled = |(unit, size): (&str, f64)| Some(text.strip_suffix(unit)?.parse::<f64>().ok()? * size);
    units.into_iter().find_map(scaled).or_else(|| text.parse().ok())
}

/// Largest over smallest.
fn spread(costs: impl Iterator<Item = f64>) -> Option<f64> {
    let (least, most) = costs.fold((f64::INFINITY, 0.0_f64), |(l, m), cost| (l.min(cost), m.max(cost)));
    (most > 0.0).then(|| most / least)
}

impl Growth {
    fn costs(&self) -> impl Iterator<Item = f64> {
        self.rows.iter().map(|(_, row)| row.nanoseconds_per_step())
    }

    /// Costs of the sizes whose state does not fit the cache.
    fn beyond_cache(&self) -> impl Iterator<Item = f64> {
        self.rows
            .iter()
            .filter(|(_, row)| row.state_bytes > self.cache)
            .map(|(_, row)| row.nanoseconds_per_step())
    }

    fn table(&self) -> String {
        let mut text = format!(
            "{:>10} {:>8} {:>18} {:>12} {:>10} {:>14}  time by part [%]\n",
            "spheres", "steps", "ns per sphere-step", "coordination", "memory", "bytes/sphere"
        );
        for (count, row) in &self.rows {
            text += &format!(
                "{:>10} {:>8} {:>18.1} {:>12.3} {:>10} {:>14.0}  {}\n",
                say::count(*count as u64),
                row.steps,
                row.nanoseconds_per_step(),
                row.coordination,
                say::bytes(row.state_bytes),
                row.state_bytes / *count as f64,
                row.parts()
            );
        }
        text + &self.in_words()
    }

    fn in_words(&self) -> String {
        let all = spread(self.costs()).unwrap_or(1.0);
        let cache = say::bytes(self.cache);
        let beyond = match spread(self.beyond_cache()).filter(|_| self.beyond_cache().count() > 1) {
            Some(ratio) => format!("among those larger than the cache of {cache}: {ratio:.2} (aim: {AIM})"),
            None => format!("fewer than two sizes are larger than the cache of {cache}"),
        };
        format!("dearest over cheapest: {all:.2}; {beyond}; in {FOLDER}/growth.csv, .svg and .png\n")
    }

    fn to_json(&self) -> Value {
        let rows = self.rows.iter().map(|(count, row)| {
            let mut value = row.to_json();
            value["spheres"] = json!(count);
            value["ns_per_sphere_and_step"] = json!(row.nanoseconds_per_step());
            value["bytes_per_sphere"] = json!(row.state_bytes / *count as f64);
            value
        });
        json!({
            "bench": "growth",
            "rows": rows.collect::<Vec<_>>(),
            "cache_bytes": self.cache,
            "dearest_over_cheapest": spread(self.costs()),
            "dearest_over_cheapest_beyond_cache": spread(self.beyond_cache()),
        })
    }

    fn write(&self) -> Result<(), Failure> {
        let path = Path::new(FOLDER).join("growth.csv");
        let mut text = String::from("spheres,ns_per_sphere_and_step,coordination,bytes_per_sphere\n");
        for (count, row) in &self.rows {
            let (cost, bytes) = (row.nanoseconds_per_step(), row.state_bytes / *count as f64);
            text += &format!("{count},{cost:.3},{:.4},{bytes:.1}\n", row.coordination);
        }
        std::fs::write(&path, text).map_err(|error| {
            Failure::other(format!("cannot write {}: {error}", path.display()), "run elsewhere")
        })?;
        Ok(self.plot().write(&path.with_extension("svg"))?)
    }

    fn plot(&self) -> Plot {
        let xs: Vec<f64> = self.rows.iter().map(|(count, _)| *count as f64).collect();
        let ys: Vec<f64> = self.costs().collect();
        let title = "Cost of a step in a dense bed";
        let plot = Plot::new(title, "spheres", "time per sphere and step [ns]").log_x().log_y();
        let plot = plot.line("measured", &xs, &ys).points("sizes", &xs, &ys);
        let least = self.beyond_cache().fold(f64::INFINITY, f64::min);
        if least.is_infinite() {
            return plot;
        }
        plot.dashed(format!("{AIM} × the least beyond the cache"), &xs, &vec![AIM * least; xs.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_size, spread};

    #[test]
    fn sizes_of_caches_are_read() {
        assert_eq!(parse_size("32768K"), Some(33_554_432.0));
        assert_eq!(parse_size("32M"), Some(33_554_432.0));
        assert_eq!(parse_size("512"), Some(512.0));
        assert_eq!(parse_size("many"), None);
    }

    #[test]
    fn spread_is_largest_over_smallest() {
        assert_eq!(spread([2.0, 5.0, 4.0].into_iter()), Some(2.5));
        assert_eq!(spread(std::iter::empty()), None);
    }
}
