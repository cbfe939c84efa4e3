//! How cost grows: with the number of bodies, of spheres per body, and of touching pairs.

use super::cases::{CLUSTERS, Distribution, TIGHT, Template, packing};
use super::measure::{Row, repeat};
use super::methods::Method;
use super::scaled;
use crate::bench::measure::pool;
use crate::problem::Failure;
use breccia::broad_phase::BoundsTable;
use breccia::output::Plot;
use breccia::scene::RandomStream;

/// Methods that are plotted.
const SHOWN: [Method; 4] = [Method::Weak, Method::HGrid, Method::TwoLevel, Method::Default];

/// A point of a curve: where it is, and the time of each method [ms].
type Point = (f64, Vec<f64>);

/// Files and plots, of a part of the bodies.
pub fn plots(
    rows: &[Row],
    template: &Template,
    (part, quick): (f64, bool),
    dice: &mut RandomStream,
) -> Result<Vec<(&'static str, Plot)>, Failure> {
    let mut by_bodies = Vec::new();
    for count in [500, 1000, 2000, 4000, 8000].map(|count| scaled(count, part)) {
        let distribution = Distribution { singles: count, clusters: count, fraction: TIGHT };
        let spheres = packing(distribution, template.ball, dice).spheres(template, dice);
        by_bodies.push((2.0 * count as f64, times(&spheres, quick)?));
    }
    let mut by_touching = Vec::new();
    for fraction in [0.15, 0.25, 0.35, 0.45, 0.55, 0.62, 0.68] {
        let count = scaled(3000, part);
        let distribution = Distribution { singles: count, clusters: count, fraction };
        let spheres = packing(distribution, template.ball, dice).spheres(template, dice);
        let touching = Method::Default.search(&spheres, 0.0).pairs.len();
        by_touching.push((touching as f64, times(&spheres, quick)?));
    }
    let tight = rows.iter().filter(|row| row.name.starts_with("D3"));
    let by_spheres = CLUSTERS.iter().zip(tight).map(|((_, count, _), row)| {
        (*count as f64, SHOWN.iter().map(|&method| 1e3 * row.of(method).scratch.best).collect())
    });
    let kinds = "one search from scratch, one thread";
    Ok(vec![
        (
            "clusters-bodies.svg",
            plot(&format!("{kinds}: singles and clusters of 25, tight"), "bodies", by_bodies).log_x(),
        ),
        (
            "clusters-spheres.svg",
            plot(&format!("{kinds}: distribution 3"), "spheres per cluster", by_spheres.collect()).log_x(),
        ),
        (
            "clusters-touching.svg",
            plot(
                &format!("{kinds}: singles and clusters of 25, from loose to tight"),
                "touching pairs",
                by_touching,
            )
            .log_x(),
        ),
    ])
}

fn times(spheres: &BoundsTable, quick: bool) -> Result<Vec<f64>, Failure> {
    let pool = pool(1)?;
    let time = |method: &Method| 1e3 * repeat(quick, || method.search(spheres, 0.0).pairs.len()).best;
    Ok(pool.install(|| SHOWN.iter().map(time).collect()))
}

fn plot(title: &str, x_label: &str, points: Vec<Point>) -> Plot {
    let xs: Vec<f64> = points.iter().map(|point| point.0).collect();
    SHOWN.iter().enumerate().fold(Plot::new(title, x_label, "time [ms]").log_y(), |plot, (k, method)| {
        let ys: Vec<f64> = points.iter().map(|point| point.1[k]).collect();
        plot.line(method.name(), &xs, &ys)
    })
}
