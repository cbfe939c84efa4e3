//! What a wide range of sizes costs: a bed around a sphere 50 times as large, against a bed of equal spheres.
//!
//! Cost is told per contact and step, because a large sphere has thousands of contacts.

use super::measure::{Row, measure, settled};
use crate::cli::BenchOptions;
use crate::problem::Failure;
use crate::tell;
use breccia::scene::Scene;
use breccia::shapes::sphere_volume;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

/// Steps of settling.
const SETTLING_STEPS: u64 = 30_000;
/// Contacts per sphere of a settled bed, at least.
const SETTLED: f64 = 3.5;
/// Radius of the small spheres [m].
const SMALL: f64 = 1e-3;
/// Large over small radius.
const RATIO: f64 = 50.0;

/// Measures both beds.
pub fn bench(options: &BenchOptions) -> Result<ExitCode, Failure> {
    let threads = options.threads.unwrap_or(1).max(1);
    let mut rows = Vec::new();
    for (name, large) in [("equal", false), ("mixed", true)] {
        let scene = scene(options.n, large)?;
        let state = settled(&scene, &format!("sizes-{name}-{}", options.n), SETTLING_STEPS)?;
        let row = measure(&scene, &state, threads, options.window(), |_| {})?;
        if row.coordination < SETTLED {
            let what = format!("the {name} bed has only {:.1} contacts per sphere", row.coordination);
            return Err(Failure::other(what, "with so few spheres it does not fill its base; raise --n"));
        }
        rows.push((name, row));
    }
    let ratio = rows[1].1.nanoseconds_per_contact() / rows[0].1.nanoseconds_per_contact();
    let text = if options.json {
        let rows: Vec<_> =
            rows.iter().map(|(name, row)| json!({"bed": name, "row": row.to_json()})).collect();
        format!("{:#}\n", json!({"bench": "sizes", "size_ratio": RATIO, "rows": rows, "cost_ratio": ratio}))
    } else {
        table(&rows, ratio)
    };
    tell::out(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn table(rows: &[(&str, Row)], ratio: f64) -> String {
    let mut text = format!(
        "{:>8} {:>10} {:>18} {:>16}  time by part [%]\n",
        "bed", "contacts", "particle-steps/s", "ns per contact"
    );
    for (name, row) in rows {
        let cost = row.nanoseconds_per_contact();
        text +=
            &format!("{name:>8} {:>10} {:>18.3e} {cost:>16.2}  {}\n", row.contacts, row.rate, row.parts());
    }
    text + &format!("sizes 1:{RATIO:.0} cost {ratio:.2} times as much per contact as equal ones\n")
}

/// A bed of `small` small spheres around a large one, if there is one, loose.
fn scene(small: usize, large: bool) -> Result<Scene, Failure> {
    let big = SMALL * RATIO;
    let (side, middle) = (2.2 * big, 1.1 * big);
    // Loose enough for random placing.
    let volume = small as f64 * sphere_volume(SMALL) / 0.25 + sphere_volume(big);
    let top = (volume / (side * side)).max(2.2 * big);
    // It stands on the floor: falling it would crush what lies below.
    let large = if large {
        format!(
            "[[bodies]]\nname = \"large\"\nkind = \"list\"\nmaterial = \"grain\"\nradius = {big}\n\
             positions = [[{middle}, {middle}, {big}]]\n"
        )
    } else {
        String::new()
    };
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
        radius = {SMALL}
        region = {{ shape = "box", min = [0, 0, 0], max = [{side}, {side}, {top}] }}
        count = {small}
        "#,
        height = 2.0 * top,
    );
    Ok(breccia::scene::load_str("sizes", &text, Path::new("."))?.scene)
}
