//! One case measured.

use super::engine::EngineTimes;
use super::methods::Method;
use crate::bench::measure::pool;
use crate::problem::Failure;
use breccia::broad_phase::{BoundsTable, Candidate, ComponentSearch, SearchWork};
use breccia::model::Domain;
use glam::DVec3;
use rayon::prelude::*;
use std::time::Instant;

/// Skin of lists as a part of the smallest radius.
const SKIN: f64 = 0.5;

/// Times of one method [s]: best and middle of the repeats.
#[derive(Clone, Copy, Default)]
pub struct Times {
    /// From scratch, on one thread.
    pub scratch: Spread,
    /// From scratch, on all threads.
    pub scratch_all: Spread,
    /// Making a list, on one thread.
    pub list: Spread,
    /// Comparisons from scratch.
    pub work: SearchWork,
}

/// Best and middle of several times [s].
#[derive(Clone, Copy, Default)]
pub struct Spread {
    /// Shortest.
    pub best: f64,
    /// Median.
    pub middle: f64,
}

/// Results of one case.
#[derive(Clone, Default)]
pub struct Row {
    /// Name.
    pub name: String,
    /// Number of spheres.
    pub spheres: usize,
    /// Number of components.
    pub components: usize,
    /// Touching pairs of different components.
    pub touching: usize,
    /// Pairs of the list.
    pub listed: usize,
    /// By method.
    pub times: Vec<(Method, Times)>,
    /// Ours, on one thread: sorting by component, bounds and grids [s].
    pub refit: Spread,
    /// Ours, on one thread: near pairs inside components, with the skin [s].
    pub within: Spread,
    /// One pass over the list on one thread and on all [s].
    pub walk: [Spread; 2],
    /// The same scene in the engine.
    pub engine: Option<EngineTimes>,
}

impl Row {
    /// Times of a method.
    pub fn of(&self, method: Method) -> Times {
        self.times.iter().find(|(other, _)| *other == method).map_or(Times::default(), |(_, times)| *times)
    }

    /// The fastest of the others from scratch on one thread, with the list or without, and its time [s].
    pub fn best_other(&self, time: impl Fn(&Times) -> f64) -> (Method, f64) {
        let others = self.times.iter().filter(|(method, _)| *method != Method::Default);
        let timed = others.map(|(method, times)| (*method, time(times)));
        timed.fold((Method::Weak, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best })
    }
}

/// Measures all methods on a scene.
pub fn measure(spheres: &BoundsTable, threads: usize, quick: bool) -> Result<Row, Failure> {
    let smallest = spheres.radius.iter().copied().fold(f64::INFINITY, f64::min);
    let skin = SKIN * smallest;
    let (one, all) = (pool(1)?, pool(threads)?);
    let mut row = Row {
        spheres: spheres.len(),
        components: spheres.owner.iter().max().map_or(0, |&most| most as usize + 1),
        ..Row::default()
    };
    let touching = same_pairs(spheres, 0.0)?;
    let list = same_pairs(spheres, skin)?;
    (row.touching, row.listed) = (touching.len(), list.len());
    let scratch = one.install(|| in_turn(spheres, 0.0, quick));
    let scratch_all = all.install(|| in_turn(spheres, 0.0, quick));
    let lists = one.install(|| in_turn(spheres, skin, quick));
    for (k, method) in Method::ALL.into_iter().enumerate() {
        let work = method.work(spheres, 0.0);
        let times = Times { scratch: scratch[k], scratch_all: scratch_all[k], list: lists[k], work };
        row.times.push((method, times));
    }
    let mut search = ComponentSearch::default();
    let domain = Domain::unbounded();
    row.refit = one.install(|| repeat(quick, || search.rebuild(spheres, skin, &domain).is_ok().into()));
    row.within = one.install(|| repeat(quick, || search.within(spheres).len()));
    row.walk = [&one, &all].map(|pool| pool.install(|| repeat(quick, || walk(spheres, &list))));
    Ok(row)
}

/// The pairs all methods find; a method that differs is a failure.
fn same_pairs(spheres: &BoundsTable, skin: f64) -> Result<Vec<Candidate>, Failure> {
    let sorted = |method: Method| {
        let mut pairs = method.search(spheres, skin).pairs;
        pairs.sort_unstable();
        pairs
    };
    let pairs = sorted(Method::HGrid);
    for method in Method::ALL {
        let own = sorted(method);
        if own != pairs {
            let what =
                format!("{} finds {} pairs where hgrid finds {}", method.name(), own.len(), pairs.len());
            return Err(Failure::other(what, "this is a mistake of the program: please report it"));
        }
    }
    Ok(pairs)
}

/// Touching pairs of a list.
fn walk(spheres: &BoundsTable, list: &[Candidate]) -> usize {
    let touches = |pair: &&Candidate| spheres.reaches(**pair, DVec3::ZERO, 0.0);
    list.par_chunks(8192).map(|part| part.iter().filter(touches).count()).sum()
}

/// Times of all methods, one after the other again and again, so that other work on the machine meets all alike.
fn in_turn(spheres: &BoundsTable, skin: f64, quick: bool) -> [Spread; Method::ALL.len()] {
    let (rounds, enough) = if quick { (2, 0.1) } else { (4, 2.0) };
    let mut times = [const { Vec::new() }; Method::ALL.len()];
    let begin = Instant::now();
    while times[0].len() < rounds || (times[0].len() < 25 && begin.elapsed().as_secs_f64() < enough) {
        for (method, times) in Method::ALL.iter().zip(&mut times) {
            times.push(time(&mut || method.search(spheres, skin).pairs.len()));
        }
    }
    times.map(Spread::of)
}

fn time(work: &mut impl FnMut() -> usize) -> f64 {
    let begin = Instant::now();
    std::hint::black_box(work());
    begin.elapsed().as_secs_f64()
}

impl Spread {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self { best: times[0], middle: times[times.len() / 2] }
    }
}

/// Runs something several times.
pub fn repeat(quick: bool, mut work: impl FnMut() -> usize) -> Spread {
    let (fewest, enough) = if quick { (2, 0.05) } else { (5, 0.25) };
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < fewest || (times.len() < 25 && begin.elapsed().as_secs_f64() < enough) {
        times.push(time(&mut work));
    }
    Spread::of(times)
}
