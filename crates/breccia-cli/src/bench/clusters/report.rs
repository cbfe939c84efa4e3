//! Tables of the bench.

use super::cases::{CLUSTERS, Template};
use super::measure::{Row, Times};
use super::methods::Method;
use super::paper;
use serde_json::{Value, json};

fn ms(seconds: f64) -> String {
    match 1e3 * seconds {
        t if t >= 100.0 => format!("{t:.0}"),
        t if t >= 10.0 => format!("{t:.1}"),
        t => format!("{t:.2}"),
    }
}

fn millions(count: u64) -> String {
    format!("{:.3}", count as f64 * 1e-6)
}

/// A row of a table.
fn cells(cells: impl IntoIterator<Item = String>) -> String {
    format!("| {} |\n", cells.into_iter().collect::<Vec<_>>().join(" | "))
}

fn heading(names: &[&str]) -> String {
    cells(names.iter().map(|name| name.to_string())) + &cells(names.iter().map(|_| "---".to_string()))
}

/// One case in a line.
pub fn line(row: &Row) -> String {
    let times =
        row.times.iter().map(|(method, times)| format!("{} {}", method.name(), ms(times.scratch.best)));
    format!(
        "{}: {} spheres, {} touch; ms {}",
        row.name,
        row.spheres,
        row.touching,
        times.collect::<Vec<_>>().join(", ")
    )
}

/// All tables.
pub fn tables(rows: &[Row], templates: &[Template], threads: usize) -> String {
    let middle = |row: &Row| {
        let times = row.of(Method::Default).scratch;
        times.middle / times.best
    };
    let mut noise: Vec<f64> = rows.iter().map(middle).collect();
    noise.sort_by(f64::total_cmp);
    let balls =
        templates.iter().zip(CLUSTERS).map(|(t, (name, ..))| format!("{name} {:.2} mm", 1e3 * t.ball));
    let mut text = format!(
        "Clusters are packed into balls of radius {}. Best of several repeats; the median of a search by `default` is \
         {:.2} times the best in the middle case, {:.2} in the worst.\n\n",
        balls.collect::<Vec<_>>().join(", "),
        noise[noise.len() / 2],
        noise[noise.len() - 1]
    );
    text += &scratch(rows);
    text += &published(rows);
    text += &comparisons(rows);
    text += &lists(rows);
    text += &on_threads(rows, threads);
    text += &engine(rows);
    text
}

fn scratch(rows: &[Row]) -> String {
    let mut text = "One search from scratch, one thread [ms]:\n\n".to_owned();
    text += &heading(&[
        "case",
        "spheres",
        "touching",
        "weak",
        "minrule",
        "hgrid",
        "twolevel_paper",
        "default",
        "hgrid / default",
        "best other / default",
    ]);
    for row in rows {
        let own = row.of(Method::Default).scratch.best;
        let (other, best) = row.best_other(|times| times.scratch.best);
        text += &cells(
            [row.name.clone(), row.spheres.to_string(), row.touching.to_string()]
                .into_iter()
                .chain(row.times.iter().map(|(_, times)| ms(times.scratch.best)))
                .chain([
                    format!("{:.1}", row.of(Method::HGrid).scratch.best / own),
                    format!("{:.2} ({})", best / own, other.name()),
                ]),
        );
    }
    text + "\n"
}

fn published(rows: &[Row]) -> String {
    let mut text =
        "Single grid over two-level: here `weak / twolevel_paper`, published Table 10 / Table 9:\n\n"
            .to_owned();
    text += &heading(&["", "A", "B", "C", "D", "E", "F"]);
    for (number, rows) in rows.chunks(6).enumerate() {
        let ratio = |(row, kind): (&Row, usize)| {
            let own = row.of(Method::Weak).scratch.best / row.of(Method::TwoLevel).scratch.best;
            let theirs = paper::SINGLE_GRID[number][kind] / paper::TWO_LEVEL[number][kind];
            format!("{own:.2}, {theirs:.2}")
        };
        text += &cells([format!("D{}", number + 1)].into_iter().chain(rows.iter().zip(0..).map(ratio)));
    }
    text += "\nTimes: here `weak`, `twolevel_paper`, `default`; published single grid, two-level [ms]:\n\n";
    text += &heading(&["", "A", "B", "C", "D", "E", "F"]);
    for (number, rows) in rows.chunks(6).enumerate() {
        let entry = |(row, kind): (&Row, usize)| {
            let own = [Method::Weak, Method::TwoLevel, Method::Default].map(|m| ms(row.of(m).scratch.best));
            let theirs = [paper::SINGLE_GRID[number][kind], paper::TWO_LEVEL[number][kind]];
            format!("{}; {:.0}, {:.0}", own.join(", "), theirs[0], theirs[1])
        };
        text += &cells([format!("D{}", number + 1)].into_iter().chain(rows.iter().zip(0..).map(entry)));
    }
    text + "\n"
}

fn comparisons(rows: &[Row]) -> String {
    let mut text =
        "Comparisons of one search from scratch [millions]: spheres with spheres; for the last two also \
                    spheres with bounds (filters) and bounds with bounds:\n\n"
            .to_owned();
    text += &heading(&[
        "case",
        "weak",
        "minrule",
        "hgrid",
        "twolevel_paper",
        "its filters",
        "its bounds",
        "default",
        "its filters",
        "its bounds",
    ]);
    for row in rows {
        let of = |method: Method| row.of(method).work;
        let plain = [Method::Weak, Method::MinRule, Method::HGrid].map(|m| millions(of(m).spheres));
        let full = [Method::TwoLevel, Method::Default]
            .map(of)
            .into_iter()
            .flat_map(|work| [work.spheres, work.filters, work.bounds].map(millions));
        text += &cells([row.name.clone()].into_iter().chain(plain).chain(full));
    }
    text + "\n"
}

fn lists(rows: &[Row]) -> String {
    let mut text =
        "With a list (skin of half the smallest radius), one thread [ms]: making it, of which ours sorts, \
                    bounds and lays grids (refit), and one pass over it (walk, same list for all):\n\n"
            .to_owned();
    text += &heading(&[
        "case",
        "pairs",
        "weak",
        "minrule",
        "hgrid",
        "twolevel_paper",
        "default",
        "best other / default",
        "refit",
        "inside clusters",
        "walk",
    ]);
    for row in rows {
        let own = row.of(Method::Default).list.best;
        let (other, best) = row.best_other(|times| times.list.best);
        text += &cells(
            [row.name.clone(), row.listed.to_string()]
                .into_iter()
                .chain(row.times.iter().map(|(_, times)| ms(times.list.best)))
                .chain([
                    format!("{:.2} ({})", best / own, other.name()),
                    ms(row.refit.best),
                    ms(row.within.best),
                    format!("{:.3}", 1e3 * row.walk[0].best),
                ]),
        );
    }
    text + "\n"
}

fn on_threads(rows: &[Row], threads: usize) -> String {
    let mut text = format!("One search from scratch, {threads} threads [ms]:\n\n");
    text += &heading(&[
        "case",
        "weak",
        "minrule",
        "hgrid",
        "twolevel_paper",
        "default",
        "best other / default",
        "walk",
    ]);
    for row in rows {
        let own = row.of(Method::Default).scratch_all.best;
        let (other, best) = row.best_other(|times| times.scratch_all.best);
        text += &cells(
            [row.name.clone()]
                .into_iter()
                .chain(row.times.iter().map(|(_, times)| ms(times.scratch_all.best)))
                .chain([
                    format!("{:.2} ({})", best / own, other.name()),
                    format!("{:.3}", 1e3 * row.walk[1].best),
                ]),
        );
    }
    text + "\n"
}

fn engine(rows: &[Row]) -> String {
    let mut text =
        "In the engine, bonded, one thread [ms]: a whole rebuild of the lists searching spheres or bodies, \
                    and a step without it:\n\n"
            .to_owned();
    text += &heading(&["case", "bonds", "rebuild by spheres", "rebuild by bodies", "ratio", "step"]);
    for (row, engine) in rows.iter().filter_map(|row| row.engine.map(|engine| (row, engine))) {
        text += &cells([
            row.name.clone(),
            engine.bonds.to_string(),
            ms(engine.rebuild_by_spheres),
            ms(engine.rebuild),
            format!("{:.2}", engine.rebuild_by_spheres / engine.rebuild),
            ms(engine.step),
        ]);
    }
    text
}

/// Everything for machines; times in seconds.
pub fn json(rows: &[Row], threads: usize) -> String {
    let method = |(method, times): &(Method, Times)| {
        json!({
            "method": method.name(),
            "scratch_s": times.scratch.best,
            "scratch_median_s": times.scratch.middle,
            "scratch_all_threads_s": times.scratch_all.best,
            "list_s": times.list.best,
            "sphere_tests": times.work.spheres,
            "filter_tests": times.work.filters,
            "bound_tests": times.work.bounds,
        })
    };
    let case = |row: &Row| {
        json!({
            "case": row.name,
            "spheres": row.spheres,
            "components": row.components,
            "touching": row.touching,
            "listed": row.listed,
            "methods": row.times.iter().map(method).collect::<Vec<Value>>(),
            "refit_s": row.refit.best,
            "within_s": row.within.best,
            "walk_s": row.walk.map(|walk| walk.best),
            "engine": row.engine.map(|engine| json!({
                "bonds": engine.bonds,
                "rebuild_by_bodies_s": engine.rebuild,
                "rebuild_by_spheres_s": engine.rebuild_by_spheres,
                "step_s": engine.step,
            })),
        })
    };
    format!(
        "{:#}\n",
        json!({"bench": "clusters", "threads": threads, "cases": rows.iter().map(case).collect::<Vec<Value>>()})
    )
}
