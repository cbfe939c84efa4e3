//! All items of a cell compared with all around it, as many at a time as registers hold.

use super::{CellGrid, Level};
use crate::broad_phase::{BoundsTable, Candidate, Image};
use crate::dispatch::Kernel;
use crate::math::{LANES, Lanes, Simd, Vec3, sort_by_key};
use glam::DVec3;
use std::ops::Range;

/// Two items near each other.
#[derive(Clone, Copy, Debug)]
pub struct NearPair {
    /// Who they are, the lower number first.
    pub pair: Candidate,
    /// How far they are from touching [m], rounded; negative where they overlap.
    pub gap: f32,
}

impl NearPair {
    /// Numbers of the items, the lower one first.
    #[inline(always)]
    pub fn rows(&self) -> [u32; 2] {
        [self.pair.a, self.pair.b]
    }
}

/// Adds to a list what is near some items, whoever owns it: over all items every near pair once, in an order that does not
/// depend on the registers.
pub struct FindNeighbours;

impl Kernel for FindNeighbours {
    type On<'a> = (&'a CellGrid, &'a BoundsTable, Range<u32>, &'a mut Vec<NearPair>);

    #[inline(always)]
    fn run<S: Simd>((grid, bounds, items, found): Self::On<'_>) {
        let mut around = Around::default();
        let first_cells = grid.first_cells();
        let sorted = grid.sorted_by_cell(bounds, items, &first_cells);
        for mates in sorted.chunk_by(|a, b| a.0 == b.0) {
            let level = first_cells.partition_point(|&first| first <= mates[0].0) - 1;
            around.fill(&grid.levels[level], (mates[0].0 - first_cells[level]) as usize, grid.period);
            for &(_, item) in mates {
                let (centre, radius) = (bounds.centre[item as usize], bounds.radius[item as usize]);
                around.look_from::<S>(item, (centre, radius), grid.skin, found);
                for larger in &grid.levels[level + 1..] {
                    grid.visit_level(larger, centre, radius, |b, image, gap| {
                        let pair = Candidate { a: item, b, image }.lower_first();
                        found.push(NearPair { pair, gap: gap as f32 });
                    });
                }
            }
        }
    }
}

impl CellGrid {
    /// Number of the first cell of each level, where the cells of one level are numbered after those of the one before.
    fn first_cells(&self) -> Vec<u32> {
        let mut next = 0;
        let first = |level: &Level| {
            let cells = if level.items.is_empty() { 0 } else { level.layout.count() };
            let own = next;
            next += cells as u32;
            own
        };
        self.levels.iter().map(first).collect()
    }

    /// Some items with their cells, by cell and number.
    fn sorted_by_cell(
        &self,
        bounds: &BoundsTable,
        items: Range<u32>,
        first_cells: &[u32],
    ) -> Vec<(u32, u32)> {
        let mut highest = 0;
        let place = |item: u32| {
            let level = self.class(bounds.radius[item as usize]);
            let cell = self.levels[level].layout.number_of(bounds.centre[item as usize]);
            highest = highest.max(first_cells[level] + cell);
            (first_cells[level] + cell, item)
        };
        let mut sorted: Vec<(u32, u32)> = items.map(place).collect();
        sort_by_key(&mut sorted, u32::BITS - highest.leading_zeros(), &mut Vec::new());
        sorted
    }

    /// Visits items of a level near a ball, their images and gaps [m].
    fn visit_level(&self, level: &Level, centre: DVec3, radius: f64, mut visit: impl FnMut(u32, Image, f64)) {
        if level.items.is_empty() {
            return;
        }
        level.visit_runs(centre, |run, image| {
            let seen = centre - image.shift(self.period);
            for (&item, ball) in level.items[run.clone()].iter().zip(&level.balls[run]) {
                let square = (seen - DVec3::new(ball[0], ball[1], ball[2])).length_squared();
                let reach = radius + ball[3] + self.skin;
                if square < reach * reach {
                    visit(item, image, square.sqrt() - (radius + ball[3]));
                }
            }
        });
    }
}

/// Blocks whose verdicts fill a number.
const BLOCKS: usize = u64::BITS as usize / LANES;

/// A cell and half of the cells around it, item by item, the cell's own items first. Lists have more room than items: what lies
/// there has no meaning.
#[derive(Default)]
struct Around {
    own: usize,
    count: usize,
    items: Vec<u32>,
    images: Vec<Image>,
    /// Centres as seen in their images [m], and radii [m].
    balls: [Vec<Lanes>; 4],
}

impl Around {
    #[inline(always)]
    fn fill(&mut self, level: &Level, cell: usize, period: DVec3) {
        self.own = level.items_of(cell).len();
        self.count = 0;
        let [_, ny, nz] = level.layout.cells;
        level.visit_half_around([cell / (ny * nz), cell / nz % ny, cell % nz], |run, image| {
            self.add(level, run, image, period);
        });
    }

    /// Adds a run of items.
    #[inline(always)]
    fn add(&mut self, level: &Level, run: Range<usize>, image: Image, period: DVec3) {
        let after = self.count + run.len();
        if self.items.len() < after + LANES {
            self.make_room(after);
        }
        let shift = image.shift(period);
        let shifts = [shift.x, shift.y, shift.z, 0.0];
        for (place, from) in (self.count..).step_by(LANES).zip(run.step_by(LANES)) {
            copy_eight(&mut self.items[place..], &level.items[from..], |item| item);
            copy_eight(&mut self.images[place..], &[image; LANES], |image| image);
            for ((to, column), shift) in self.balls.iter_mut().zip(&level.columns).zip(shifts) {
                let to: &mut [f64] = bytemuck::cast_slice_mut(to);
                copy_eight(&mut to[place..], &column[from..], |value| value + shift);
            }
        }
        self.count = after;
    }

    /// Makes room for so many items and a few that do not count.
    #[cold]
    fn make_room(&mut self, items: usize) {
        let blocks = 2 * (items / LANES + 2);
        self.items.resize(LANES * blocks, 0);
        self.images.resize(LANES * blocks, Image::NONE);
        self.balls.iter_mut().for_each(|column| column.resize(blocks, Lanes([0.0; LANES])));
    }

    /// Adds the pairs of an item of the cell and those after it that are nearer than `skin` [m] to touching it.
    #[inline(always)]
    fn look_from<S: Simd>(
        &self,
        a: u32,
        (centre, radius): (DVec3, f64),
        skin: f64,
        found: &mut Vec<NearPair>,
    ) {
        let first = self.items[..self.own].partition_point(|&mate| mate <= a);
        let (lanes, reach) = (Vec3::<S>::splat(centre), S::splat(radius + skin));
        let [xs, ys, zs, radii] = &self.balls;
        let blocks = self.count.div_ceil(LANES);
        for from in (first / LANES..blocks).step_by(BLOCKS) {
            // Which of them are near cannot be foretold: verdicts are collected first.
            let mut near = 0_u64;
            let mut squares = [Lanes([0.0; LANES]); BLOCKS];
            let part = from..blocks.min(from + BLOCKS);
            let places =
                xs[part.clone()].iter().zip(&ys[part.clone()]).zip(&zs[part.clone()]).zip(&radii[part]);
            for (k, (((x, y), z), radius)) in places.enumerate() {
                for at in (0..LANES).step_by(S::WIDTH) {
                    let place = Vec3 { x: S::load(x, at), y: S::load(y, at), z: S::load(z, at) };
                    let (square, limit) = ((lanes - place).length_squared(), reach + S::load(radius, at));
                    square.store(&mut squares[k], at);
                    near |= u64::from(square.less_bits(limit * limit)) << (LANES * k + at);
                }
            }
            let from = LANES * from;
            near &= u64::MAX << first.saturating_sub(from);
            near &= u64::MAX >> (from + BLOCKS * LANES).saturating_sub(self.count);
            while near != 0 {
                let k = near.trailing_zeros() as usize;
                near &= near - 1;
                let (b, image) = (self.items[from + k], self.images[from + k]);
                let other = radii[(from + k) / LANES].0[k % LANES];
                let gap = squares[k / LANES].0[k % LANES].sqrt() - (radius + other);
                // An item may meet itself where a period is one cell.
                if b != a {
                    found.push(NearPair { pair: Candidate { a, b, image }.lower_first(), gap: gap as f32 });
                }
            }
        }
    }
}

/// Copies eight values, or as many as there are, changed.
#[inline(always)]
fn copy_eight<T: Copy>(to: &mut [T], from: &[T], change: impl Fn(T) -> T) {
    match (to.first_chunk_mut::<LANES>(), from.first_chunk::<LANES>()) {
        (Some(to), Some(from)) => {
            for k in 0..LANES {
                to[k] = change(from[k]);
            }
        }
        _ => to.iter_mut().zip(from).for_each(|(to, &from)| *to = change(from)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase::BroadPhase;
    use crate::dispatch::compiled;
    use crate::model::Domain;
    use crate::scene::RandomStream;

    /// Whatever the sizes and the domain: the pairs are those that items find one by one, with their gaps.
    #[test]
    fn neighbours_are_those_found_one_by_one() {
        let periodic = Domain {
            min: DVec3::ZERO,
            max: DVec3::ONE,
            periodic: [true, false, true],
            ..Domain::unbounded()
        };
        for (largest, domain) in [(0.06, Domain::unbounded()), (0.06, periodic.clone()), (0.3, periodic)] {
            let mut random = RandomStream::new(11);
            let mut unit = || random.unit();
            let bounds = BoundsTable {
                centre: (0..1500).map(|_| DVec3::new(unit(), unit(), unit())).collect(),
                radius: (0..1500).map(|_| 0.03 + (largest - 0.03) * unit().powi(8)).collect(),
                owner: Vec::new(),
            };
            let mut grid = CellGrid::default();
            grid.rebuild(&bounds, 0.02, &domain);
            let mut one_by_one = Vec::new();
            for item in 0..1500 {
                grid.visit_near(&bounds, item, &mut |pair| one_by_one.push(pair.lower_first()));
            }
            let mut found = Vec::new();
            for rows in [0..120, 120..121, 121..1500] {
                compiled::<FindNeighbours>()((&grid, &bounds, rows, &mut found));
            }
            for near in &found {
                let gap = bounds.gap(near.pair, domain.period());
                assert!((gap - f64::from(near.gap)).abs() < 1e-7, "{near:?} instead of {gap}");
            }
            let mut found: Vec<Candidate> = found.iter().map(|near| near.pair.lower_first()).collect();
            one_by_one.sort_unstable();
            found.sort_unstable();
            assert!(found.len() > 1000 && found == one_by_one, "{} and {}", found.len(), one_by_one.len());
        }
    }
}
