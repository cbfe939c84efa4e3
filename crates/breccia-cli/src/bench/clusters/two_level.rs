//! The published two-level search: one grid over bounding and single spheres, then, for two clusters, the spheres near
//! their lens in a second grid made for the pair.

use super::methods::{Found, SLICE};
use breccia::broad_phase::{BoundsTable, Candidate, Image};
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;

#[derive(Clone, Copy, Default)]
struct Bound {
    centre: DVec3,
    radius: f64,
    component: u32,
}

/// Spheres by component, their bounds in one grid.
struct Search<'a> {
    spheres: &'a BoundsTable,
    skin: f64,
    start: Vec<u32>,
    rows: Vec<u32>,
    smallest: f64,
    low: DVec3,
    cell: f64,
    cells: [usize; 3],
    cell_start: Vec<u32>,
    bounds: Vec<Bound>,
}

/// Memory used again and again.
#[derive(Default)]
struct Scratch {
    a: Vec<u32>,
    b: Vec<u32>,
    start: Vec<u32>,
    sorted: Vec<u32>,
}

/// Near pairs of spheres of different owners.
pub fn search(spheres: &BoundsTable, skin: f64) -> Found {
    let search = Search::new(spheres, skin);
    let parts: Vec<Found> = (0..search.bounds.len())
        .into_par_iter()
        .step_by(SLICE)
        .map(|from| {
            let (mut found, mut scratch) = (Found::default(), Scratch::default());
            for slot in from..(from + SLICE).min(search.bounds.len()) {
                search.search_from(slot, &mut scratch, &mut found);
            }
            found
        })
        .collect();
    Found::joined(parts)
}

/// Starts of stretches of equal keys, and the numbers of the keys in that order.
fn counting_sort(keys: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0_u32; count + 2];
    keys.iter().for_each(|&key| start[key as usize + 2] += 1);
    for k in 2..start.len() {
        start[k] += start[k - 1];
    }
    let mut sorted = vec![0; keys.len()];
    for (number, &key) in (0_u32..).zip(keys) {
        let slot = &mut start[key as usize + 1];
        sorted[*slot as usize] = number;
        *slot += 1;
    }
    start.pop();
    (start, sorted)
}

impl<'a> Search<'a> {
    fn new(spheres: &'a BoundsTable, skin: f64) -> Self {
        let components = spheres.owner.iter().max().map_or(0, |&most| most as usize + 1);
        let (start, rows) = counting_sort(&spheres.owner, components);
        let smallest = spheres.radius.iter().copied().fold(f64::INFINITY, f64::min);
        let mut search = Search {
            spheres,
            skin,
            start,
            rows,
            smallest,
            low: DVec3::INFINITY,
            cell: 0.0,
            cells: [1; 3],
            cell_start: Vec::new(),
            bounds: Vec::new(),
        };
        let filled = (0..components as u32).into_par_iter().filter(|&c| !search.range(c).is_empty());
        let bounds: Vec<Bound> = filled.map(|c| search.bound(c)).collect();
        search.lay_out(bounds);
        search
    }

    fn range(&self, component: u32) -> Range<usize> {
        self.start[component as usize] as usize..self.start[component as usize + 1] as usize
    }

    fn rows(&self, component: u32) -> &[u32] {
        &self.rows[self.range(component)]
    }

    fn bound(&self, component: u32) -> Bound {
        let of = |row: &u32| (self.spheres.centre[*row as usize], self.spheres.radius[*row as usize]);
        let rows = self.rows(component);
        if let [row] = rows {
            let (centre, radius) = of(row);
            return Bound { centre, radius, component };
        }
        let (sum, weight) = rows.iter().map(of).fold((DVec3::ZERO, 0.0), |(sum, weight), (centre, r)| {
            (sum + r * r * r * centre, weight + r * r * r)
        });
        let centre = sum / weight;
        let radius = rows.iter().map(of).map(|(c, r)| c.distance(centre) + r).fold(0.0, f64::max);
        // Room for rounding: bounds only sort out, spheres are tested exactly.
        Bound { centre, radius: radius * (1.0 + 1e-12), component }
    }

    fn lay_out(&mut self, bounds: Vec<Bound>) {
        let largest = bounds.iter().fold(0.0_f64, |most, bound| most.max(bound.radius));
        let high = bounds.iter().fold(DVec3::NEG_INFINITY, |high, bound| high.max(bound.centre));
        self.low = bounds.iter().fold(DVec3::INFINITY, |low, bound| low.min(bound.centre));
        self.cell = 2.0 * largest + self.skin;
        self.cells = std::array::from_fn(|axis| ((high[axis] - self.low[axis]) / self.cell) as usize + 1);
        let key = |bound: &Bound| {
            let [x, y, z] = self.cell_of(bound.centre);
            ((x * self.cells[1] + y) * self.cells[2] + z) as u32
        };
        let keys: Vec<u32> = bounds.iter().map(key).collect();
        let (start, order) = counting_sort(&keys, self.cells.iter().product());
        self.cell_start = start;
        self.bounds = order.into_iter().map(|k| bounds[k as usize]).collect();
    }

    fn cell_of(&self, point: DVec3) -> [usize; 3] {
        let q = (point - self.low) / self.cell;
        std::array::from_fn(|axis| (q[axis].max(0.0) as usize).min(self.cells[axis] - 1))
    }

    fn search_from(&self, slot: usize, scratch: &mut Scratch, found: &mut Found) {
        let own = self.bounds[slot];
        let cell = self.cell_of(own.centre);
        let around = |axis: usize| cell[axis].saturating_sub(1)..(cell[axis] + 2).min(self.cells[axis]);
        let along = around(2);
        for x in around(0) {
            for y in around(1) {
                let row = (x * self.cells[1] + y) * self.cells[2];
                let run =
                    self.cell_start[row + along.start] as usize..self.cell_start[row + along.end] as usize;
                for other in &self.bounds[run] {
                    if other.component <= own.component {
                        continue;
                    }
                    found.work.bounds += 1;
                    let reach = own.radius + other.radius + self.skin;
                    if (own.centre - other.centre).length_squared() < reach * reach {
                        self.compare(&own, other, scratch, found);
                    }
                }
            }
        }
    }

    fn compare(&self, a: &Bound, b: &Bound, scratch: &mut Scratch, found: &mut Found) {
        let (of_a, of_b) = (self.rows(a.component), self.rows(b.component));
        if of_a.len() == 1 || of_b.len() == 1 {
            for &p in of_a {
                of_b.iter().for_each(|&q| self.test(p, q, found));
            }
            return;
        }
        found.work.filters += (of_a.len() + of_b.len()) as u64;
        self.region(&mut scratch.a, of_a, b);
        self.region(&mut scratch.b, of_b, a);
        if !scratch.a.is_empty() && !scratch.b.is_empty() {
            self.second_grid(scratch, found);
        }
    }

    /// Spheres that reach the bounding sphere of the other cluster.
    fn region(&self, side: &mut Vec<u32>, rows: &[u32], other: &Bound) {
        side.clear();
        side.extend(rows.iter().copied().filter(|&row| {
            let reach = self.spheres.radius[row as usize] + other.radius + self.skin;
            (self.spheres.centre[row as usize] - other.centre).length_squared() < reach * reach
        }));
    }

    /// One side sorted into small cells, the other one asking.
    fn second_grid(&self, scratch: &mut Scratch, found: &mut Found) {
        let Scratch { a, b, start, sorted } = scratch;
        let centre = |row: u32| self.spheres.centre[row as usize];
        let cell = std::f64::consts::SQRT_2 * self.smallest;
        let low = b.iter().fold(DVec3::INFINITY, |low, &row| low.min(centre(row)));
        let high = b.iter().fold(DVec3::NEG_INFINITY, |high, &row| high.max(centre(row)));
        let largest = b.iter().fold(0.0_f64, |most, &row| most.max(self.spheres.radius[row as usize]));
        let cells: [i64; 3] = std::array::from_fn(|axis| ((high[axis] - low[axis]) / cell) as i64 + 1);
        let at = |point: f64, axis: usize| ((point - low[axis]) / cell).floor() as i64;
        let key = |row: u32| {
            let c: [i64; 3] =
                std::array::from_fn(|axis| at(centre(row)[axis], axis).clamp(0, cells[axis] - 1));
            ((c[0] * cells[1] + c[1]) * cells[2] + c[2]) as usize
        };
        start.clear();
        start.resize(cells.iter().product::<i64>() as usize + 2, 0);
        b.iter().for_each(|&row| start[key(row) + 2] += 1);
        for k in 2..start.len() {
            start[k] += start[k - 1];
        }
        sorted.clear();
        sorted.resize(b.len(), 0);
        for &row in b.iter() {
            let slot = &mut start[key(row) + 1];
            sorted[*slot as usize] = row;
            *slot += 1;
        }
        for &p in a.iter() {
            let reach = self.spheres.radius[p as usize] + largest + self.skin;
            let around = |axis: usize| {
                let x = centre(p)[axis];
                at(x - reach, axis).max(0)..(at(x + reach, axis) + 1).min(cells[axis])
            };
            let along = around(2);
            if along.is_empty() {
                continue;
            }
            for x in around(0) {
                for y in around(1) {
                    let row = (x * cells[1] + y) * cells[2];
                    let from = start[(row + along.start) as usize] as usize;
                    let to = start[(row + along.end) as usize] as usize;
                    sorted[from..to].iter().for_each(|&q| self.test(p, q, found));
                }
            }
        }
    }

    #[inline(always)]
    fn test(&self, p: u32, q: u32, found: &mut Found) {
        found.work.spheres += 1;
        let pair = Candidate { a: p, b: q, image: Image::NONE };
        if self.spheres.reaches(pair, DVec3::ZERO, self.skin) {
            found.pairs.push(pair.lower_first());
        }
    }
}
